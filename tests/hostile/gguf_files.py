# SPDX-License-Identifier: Apache-2.0
"""Builds GGUF files in which every field can be chosen."""
import struct

U8, I8, U16, I16, U32, I32, F32, BOOL, TEXT, ARRAY, U64, I64, F64 = range(13)


def text(value, length=None):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(data) if length is None else length) + data


def kv(key, kind, value):
    """`value`: the bytes after the type."""
    return text(key) + struct.pack("<I", kind) + value


def arr(kind, count, items=b""):
    return struct.pack("<IQ", kind, count) + items


def info(name="w", dims=(3, 2), kind=0, offset=0, rank=None):
    return (text(name) + struct.pack("<I", len(dims) if rank is None else rank) +
            b"".join(struct.pack("<Q", d) for d in dims) + struct.pack("<IQ", kind, offset))


ARCH = kv("general.architecture", TEXT, text("llama"))


def gguf(infos=None, kvs=(ARCH,), data=bytes(range(24)), magic=b"GGUF", version=3, tensors=None, keys=None, align=32):
    infos = [info()] if infos is None else infos
    head = magic + struct.pack("<IQQ", version, len(infos) if tensors is None else tensors,
                               len(kvs) if keys is None else keys)
    head += b"".join(kvs) + b"".join(infos)
    return head + bytes(-len(head) % align) + data


def split(number, count, total=2, **more):
    keys = (ARCH, kv("split.no", U16, struct.pack("<H", number)), kv("split.count", U16, struct.pack("<H", count)),
            kv("split.tensors.count", I32, struct.pack("<i", total)))
    return gguf(infos=[info("t%d" % number)], kvs=keys, **more)
