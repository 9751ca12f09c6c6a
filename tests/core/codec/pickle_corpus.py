# SPDX-License-Identifier: Apache-2.0
"""Writes pickle_corpus.inc: values pickled by CPython in protocols 0 to 5, with the text that the test prints for them.

Run: python3 pickle_corpus.py > pickle_corpus.inc   (last made with CPython 3.11.7)
"""
import argparse
import collections
import datetime
import pathlib
import pickle


class Sample:
    def __init__(self):
        self.x = 1


Sample.__module__ = "sample"


def text(value):
    if value is None or isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, float):
        return value.hex() if value == value else "nan"
    if isinstance(value, str):
        return "s:" + value.encode("utf-8", "surrogatepass").hex()
    if isinstance(value, bytes):
        return "b:" + value.hex()
    if isinstance(value, tuple):
        return "(" + ",".join(map(text, value)) + ")"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(text(k) + "=" + text(v) for k, v in value.items()) + "}"
    raise TypeError(value)


def shared():
    inner = [1, 2]
    return [inner, inner, (inner,)]


VALUES = {
    "None": None,
    "True": True,
    "False": False,
    "Zero": 0,
    "MinusOne": -1,
    "Byte": 255,
    "TwoBytes": 65535,
    "FourBytes": 2**31 - 1,
    "FourBytesNegative": -(2**31),
    "Above32": 2**31,
    "Bits56": 2**55,
    "Bits64": 2**63 - 1,
    "Bits64Negative": -(2**63),
    "Beyond64": 2**63,
    "Beyond64Negative": -(2**63) - 1,
    "Large": 3**400,
    "LargeNegative": -(7**300),
    "SmallIntEdge": [2**29 - 1, 2**29, -(2**29), -(2**29) - 1],
    "Float": 0.1,
    "FloatNegativeZero": -0.0,
    "FloatInfinity": float("inf"),
    "FloatMinusInfinity": float("-inf"),
    "FloatNan": float("nan"),
    "FloatTiny": 5e-324,
    "Text": "weight",
    "TextEmpty": "",
    "TextUnicode": "schräg \u20ac \U0001f600 \\u0041 \n end",
    "TextSurrogate": "a\ud800b",
    "TextLong": "x" * 300,
    "Tuple0": (),
    "Tuple1": (1,),
    "Tuple2": (1, "b"),
    "Tuple3": (1, (2,), ()),
    "Tuple4": (1, 2, 3, 4),
    "TupleLong": tuple(range(70000)),
    "List": [1, [2, [3]], []],
    "ListLong": list(range(2500)),
    "ListOfLists": [[i] for i in range(1200)],
    "Dict": {"a": 1, 2: "b", (3, 4): None, 2.5: {}},
    "DictLong": {f"k{i}": i for i in range(2100)},
    "Shared": shared(),
}


def main():
    print("// Made by pickle_corpus.py; do not edit.")
    for name, value in VALUES.items():
        for protocol in range(6):
            data = pickle.dumps(value, protocol)
            expected = text(value)
            if len(data) > 2000:  # long values, each in one protocol; the test rebuilds them
                continue
            print(f'    {{"{name}{protocol}", {protocol}, "{data.hex()}", "{expected}"}},')
    for name, value in {
        "Bytes": b"\x00\xff weight",
        "BytesLong": bytes(range(256)) * 2,
    }.items():
        for protocol in (3, 4, 5):
            print(f'    {{"{name}{protocol}", {protocol}, "{pickle.dumps(value, protocol).hex()}", "{text(value)}"}},')
    objects = {
        "OrderedDict": (collections.OrderedDict(a=1, b=[2]), "collections.OrderedDict(){s:61=1,s:62=[2]}"),
        "Namespace": (argparse.Namespace(lr=0.5, name="x"),
                      "argparse.Namespace()<{s:6c72=0x1.0000000000000p-1,s:6e616d65=s:78}>"),
        "Path": (pathlib.PurePosixPath("a/b"), "pathlib.PurePosixPath(s:61,s:62)"),
        "Date": (datetime.timedelta(1, 2, 3), "datetime.timedelta(1,2,3)"),
    }
    for name, (value, expected) in objects.items():
        for protocol in (2, 3, 4, 5):
            print(f'    {{"{name}{protocol}", {protocol}, "{pickle.dumps(value, protocol).hex()}", "{expected}"}},')
    for protocol in (4, 5):
        print(f'    {{"Set{protocol}", {protocol}, "{pickle.dumps({7}, protocol).hex()}", "set[7]"}},')
        print(f'    {{"FrozenSet{protocol}", {protocol}, "{pickle.dumps(frozenset([7]), protocol).hex()}", "frozenset[7]"}},')
    print(f'    {{"ByteArray5", 5, "{pickle.dumps(bytearray(b"xy"), 5).hex()}", "ba:7879"}},')


main()
