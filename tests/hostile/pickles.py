# SPDX-License-Identifier: Apache-2.0
"""Writes pickles opcode by opcode, including ones that no pickler would write."""
import struct


class P:
    def __init__(self, proto=2):
        self.out = b"" if proto is None else bytes([0x80, proto])

    def raw(self, data):
        self.out += data
        return self

    def op(self, code):
        return self.raw(code.encode("latin-1") if isinstance(code, str) else bytes([code]))

    def text(self, value):
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        return self.raw(b"X" + struct.pack("<I", len(data)) + data)

    def data(self, value):
        return self.raw(b"B" + struct.pack("<I", len(value)) + value)

    def number(self, value):
        return self.raw(b"\x8a\x08" + struct.pack("<q", value))

    def name(self, module, name):
        return self.raw(b"c" + module.encode() + b"\n" + name.encode() + b"\n")

    def stack_name(self, module, name):
        return self.text(module).text(name).op(0x93)

    def numbers(self, values):
        self.op("(")
        for value in values:
            self.number(value)
        return self.op("t")

    def stop(self):
        return self.op(".").out


def tensor(p, shape=(2, 3), stride=(3, 1), first=0, key="0", storage="FloatStorage", module="torch", count=6,
           tag="storage", function="_rebuild_tensor_v2", view=None):
    """One call of torch._utils._rebuild_tensor_v2."""
    p.name("torch._utils", function).op("(")
    p.op("(").text(tag).name(module, storage).text(key).text("cpu").number(count)
    if view is not None:
        p.raw(view)
    p.op("t").op("Q").number(first).numbers(shape).numbers(stride)
    return p.raw(b"\x89").name("collections", "OrderedDict").op(")").op("R").op("t").op("R")


def one_tensor(name="w", **how):
    """{"w": tensor}"""
    return tensor(P().op("}").text(name), **how).op("s").stop()


def command(place):
    return f"touch {place.canary}"


def system(place, proto=2):
    """os.system(...)"""
    return P(proto).name("posix", "system").text(command(place)).raw(b"\x85").op("R").stop()


def system_beside(place):
    """{"w": tensor, "x": os.system(...)}"""
    p = tensor(P().op("}").text("w")).op("s").text("x")
    return p.name("posix", "system").text(command(place)).raw(b"\x85").op("R").op("s").stop()


def memo_bomb(levels, first=b"]"):
    p = P().raw(first).raw(b"q\x00")
    for level in range(1, levels):
        p.op("(").raw(b"h" + bytes([level - 1])).raw(b"h" + bytes([level - 1])).op("t").raw(b"q" + bytes([level]))
    return p.stop()


def deep(levels):
    return P().raw(b"]" * levels).raw(b"a" * (levels - 1)).stop()
