# SPDX-License-Identifier: Apache-2.0
"""Hostile safetensors files."""
import json
import struct

from safetensors_files import entry, st
from table import error, file, finding, fine, job, notice


def one(data):
    return file("x.safetensors", data)


def raw(text, **more):
    return one(st(text if isinstance(text, bytes) else text.encode(), **more))


def w(**fields):
    return one(st({"w": {**entry(), **fields}}))


def raw_w(shape="[2,3]", dtype='"F32"', at="[0,24]"):
    return raw('{"w":{"dtype":%s,"shape":%s,"data_offsets":%s}}' % (dtype, shape, at))


def two(a, b, size=48):
    return one(st({"a": a, "b": b}, bytes(range(size))))


def empty_tensors(count):
    rows = ",".join('"t%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}' % i for i in range(count))
    return raw("{" + rows + "}", data=b"")


def heads():
    bad, long = "safetensors-bad-header", "safetensors-header-too-large"
    return [
        error("three_bytes", one(b"abc"), "truncated"),
        error("eight_bytes", one(struct.pack("<Q", 100)), "truncated"),
        error("head_cut", one(st()[:40]), "truncated"),
        error("length_past_end", one(st(length=10_000)), "truncated"),
        error("length_2_62", one(st(length=1 << 62)), long),
        error("length_2_64", one(st(length=(1 << 64) - 1)), long),
        error("length_above_limit", one(st(length=100_000_001)), long),
        error("length_big_endian", one(struct.pack(">Q", 60) + st()[8:]), long),
        error("length_zero", one(st(length=0)), bad),
        error("length_one", one(st(length=1)), bad),
        error("length_short", one(st(length=20)), bad),
        error("head_is_list", raw("[1, 2]"), bad),
        error("head_is_spaces", raw(" " * 64), bad),
        error("head_is_text", raw("hello, this is a header"), bad),
        error("head_unquoted", raw("{w: 1}"), bad),
        error("head_comments", raw('{/* no */"w":1}'), bad),
        notice("head_nan", raw('{"__metadata__":{"a":NaN}}'), "safetensors-bad-metadata"),
        error("head_trailing_comma", raw('{"w":1,}'), bad),
        error("head_open", raw('{"w":{"dtype":"F32"'), bad),
        error("head_then_more", raw('{}{"w":1}'), bad),
        error("head_bom", raw(b"\xef\xbb\xbf{}"), bad),
        error("head_not_utf8", raw(b'{"\xff\xfe":{}}'), "bad-encoding"),
        error("head_lone_surrogate", raw('{"\\ud800":{}}'), bad),
        error("head_zeros", one(st(bytes(200)) + b"x"), bad),
        error("deep_100k", raw('{"w":' + "[" * 100_000), bad),
        notice("deep_closed", raw('{"w":' + "[" * 5000 + "]" * 5000 + "}"), bad),
    ]


def fields():
    bad, shape, offsets = "safetensors-bad-header", "safetensors-bad-shape", "safetensors-bad-offsets"
    mismatch = "safetensors-size-mismatch"
    return [
        notice("entry_is_number", raw('{"w":5}'), bad),
        notice("entry_empty", raw('{"w":{}}'), bad),
        notice("no_dtype", raw('{"w":{"shape":[1],"data_offsets":[0,4]}}'), bad),
        notice("no_shape", raw('{"w":{"dtype":"F32","data_offsets":[0,4]}}'), bad),
        notice("no_offsets", raw('{"w":{"dtype":"F32","shape":[1]}}'), bad),
        notice("field_twice", raw('{"w":{"dtype":"F32","dtype":"F64","shape":[6],"data_offsets":[0,24]}}'), bad),
        notice("dtype_is_number", w(dtype=32), bad),
        notice("shape_is_text", w(shape="2,3"), shape),
        notice("offsets_are_text", w(data_offsets="0,24"), offsets),
        notice("dtype_unknown", w(dtype="F31"), "safetensors-unknown-dtype"),
        notice("dtype_with_escape", w(dtype="\x1b[31mF32"), "safetensors-unknown-dtype"),
        notice("shape_negative", w(shape=[-2, 3]), shape),
        notice("shape_float", w(shape=[2.5, 3]), shape),
        notice("shape_text", w(shape=["2", 3]), shape),
        notice("shape_overflow", w(shape=[1 << 40, 1 << 40]), shape),
        notice("shape_2_62", w(shape=[1 << 62, 4]), shape),
        notice("shape_2_64", raw_w(shape="[18446744073709551616]"), shape),
        notice("shape_rank_65", w(shape=[1] * 65), shape),
        notice("shape_bytes_overflow", w(shape=[1 << 62]), shape),
        notice("shape_half_byte", w(dtype="F4", shape=[3], data_offsets=[0, 24]), shape),
        notice("offsets_reversed", w(data_offsets=[24, 0]), offsets),
        notice("offsets_negative", w(data_offsets=[-24, 0]), offsets),
        notice("offsets_three", w(data_offsets=[0, 12, 24]), offsets),
        notice("offsets_one", w(data_offsets=[24]), offsets),
        notice("offsets_float", w(data_offsets=[0.0, 24.5]), offsets),
        notice("offsets_2_63", raw_w(at="[0,9223372036854775808]"), mismatch),
        notice("offsets_1e999", raw_w(at="[0,1e999]"), offsets),
        notice("offsets_wrap", raw_w(at="[18446744073709551600,18446744073709551615]"), mismatch),
        notice("offsets_beyond", w(data_offsets=[0, 24000], shape=[6000]), "truncated"),
        notice("size_short", w(shape=[2, 4]), mismatch),
        notice("size_long", w(shape=[1, 3]), mismatch),
        notice("size_for_empty", w(shape=[0]), mismatch),
        notice("size_other_dtype", w(dtype="F64"), mismatch),
    ]


def places():
    first, later = entry(at=(0, 24)), entry(at=(24, 48))
    return [
        notice("overlap_half", two(first, entry(at=(12, 36)), 36), "safetensors-overlap"),
        notice("overlap_whole", two(first, first, 24), "safetensors-overlap"),
        notice("hole_between", two(first, entry(at=(32, 56)), 56), "safetensors-hole"),
        notice("hole_at_start", w(data_offsets=[8, 32]), "safetensors-hole"),
        notice("trailing", one(st(data=bytes(100))), "safetensors-trailing-bytes"),
        notice("trailing_zip", one(st() + b"PK\x05\x06" + bytes(18)), "safetensors-trailing-bytes"),
        notice("data_cut", one(st(data=bytes(23))), "truncated"),
        notice("data_gone", one(st(data=b"")), "truncated"),
        notice("second_gone", two(first, later, 24), "truncated"),
        finding("data_cut_checked", one(st(data=bytes(range(20)))), "truncated"),
        finding("nan_inside", one(st(data=struct.pack("<6f", 1, 2, float("nan"), 4, 5, 6))), "non-finite"),
        job("data_cut_not_written", one(st(data=bytes(range(20)))), "truncated"),
        notice("name_twice", raw('{"w":%s,"w":%s}' % ((json.dumps(entry()),) * 2)), "duplicate-tensor"),
        notice("metadata_is_list", raw('{"__metadata__":[1],"w":%s}' % json.dumps(entry())),
               "safetensors-bad-metadata"),
        notice("metadata_of_numbers", raw('{"__metadata__":{"a":1},"w":%s}' % json.dumps(entry())),
               "safetensors-bad-metadata"),
    ]


def names():
    return [
        fine("name_" + label, one(st({name: entry()})), verb="ls") for label, name in {
            "terminal": "\x1b[2J\x1b]0;owned\x07w", "bidi": "w\u202egpj.exe", "newline": "w\nPASSED\r",
            "nul": "w\0x", "empty": "", "climbing": "../../etc/passwd", "rich": "<img src='/etc/passwd'>",
            "zero_width": "w\u200b\u2060", "c1": "w\u009b31m", "megabyte": "n" * 1_000_000}.items()
    ] + [
        fine("100k_empty_tensors", empty_tensors(100_000), verb="ls"),
        fine("metadata_of_escapes", one(st({"__metadata__": {"\x1b[31m": "\x1b]0;x\x07"}, "w": entry()}))),
        fine("metadata_wide", one(st({"__metadata__": {f"k{i}": "v" for i in range(50_000)}, "w": entry()}))),
        fine("metadata_long", one(st({"__metadata__": {"k": "v" * 3_000_000}, "w": entry()}))),
        fine("empty_head", one(st({}, b""))),
        fine("unknown_field", w(note="kept by nobody")),
    ]


def cases():
    return heads() + fields() + places() + names()
