# SPDX-License-Identifier: Apache-2.0
"""Builds OCDBT stores, Zarr arrays and MessagePack trees in which any field can be wrong."""
import json
import struct

MANIFEST, NODE = 0x0CDB3A2A, 0x0CDB20DE
MISSING = (1 << 64) - 1


def crc_table():
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
        yield number


TABLE = tuple(crc_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def varints(numbers):
    return b"".join(map(varint, numbers))


def envelope(magic, body, version=0, compression=0, length=None, crc=None):
    inner = varint(version) + varint(compression) + body
    size = len(inner) + 16 if length is None else length
    data = struct.pack(">I", magic) + struct.pack("<Q", size) + inner
    return data + struct.pack("<I", crc32c(data) if crc is None else crc)


def table(paths, prefixes=None, bases=None, count=None):
    """File table with complete paths."""
    paths = [path.encode() for path in paths]
    return (varint(len(paths) if count is None else count) + varints(prefixes or [0] * (len(paths) - 1))
            + varints(map(len, paths)) + varints(bases or [0] * len(paths)) + b"".join(paths))


def config(kind=0, compression=0):
    return bytes(16) + varint(kind) + varint(1024) + varint(100_000_000) + b"\x04" + varint(compression)


def manifest(path="d/root", offset=0, length=0, keys=1, height=0, generations=(1,), file=0, **more):
    n = len(generations)
    body = config(more.pop("kind", 0), more.pop("method", 0)) + more.pop("files", table([path])) + varint(n)
    body += varints(generations) + bytes([height] * n) + varints([file] * n) + varints([offset] * n) + varints([length] * n)
    body += varints([keys] * n) + varints([0] * n) + varints([0] * n) + struct.pack("<Q", 1) * n + varint(0)
    return envelope(MANIFEST, body, **more)


def keys_of(keys, lengths=None, prefixes=None):
    return varints(prefixes or [0] * (len(keys) - 1)) + varints(lengths or map(len, keys)), b"".join(keys)


def leaf(values, files=(), count=None, height=0, lengths=None, prefixes=None, kinds=None, value_lengths=None, **more):
    """`values`: key -> bytes, or (file, offset, length)."""
    names = [key.encode() for key in values]
    head, text = keys_of(names, lengths, prefixes)
    places = [value for value in values.values() if isinstance(value, tuple)]
    inline = b"".join(value for value in values.values() if not isinstance(value, tuple))
    sizes = [value[2] if isinstance(value, tuple) else len(value) for value in values.values()]
    body = bytes([height]) + table(files) + varint(len(names) if count is None else count) + head + text
    body += varints(value_lengths or sizes)
    body += bytes(kinds or [isinstance(value, tuple) for value in values.values()])
    body += varints(place[0] for place in places) + varints(place[1] for place in places) + inline
    return envelope(NODE, body, **more)


def interior(children, files, height=1, common=None, **more):
    """`children`: (key, file, offset, length, keys)."""
    names = [child[0].encode() for child in children]
    head, text = keys_of(names)
    body = bytes([height]) + table(files) + varint(len(names)) + head + varints(common or [0] * len(names)) + text
    for column in (1, 2, 3, 4):
        body += varints(child[column] for child in children)
    body += varints([0] * len(names)) + varints([0] * len(names))
    return envelope(NODE, body, **more)


def zarray(**more):
    fields = {"zarr_format": 2, "shape": [2, 3], "chunks": [2, 3], "dtype": "<f4", "compressor": None, "fill_value": None,
              "filters": None, "order": "C", **more}
    return json.dumps({key: value for key, value in fields.items() if value != "absent"}).encode()


def zarr3(codecs=None, **more):
    fields = {"zarr_format": 3, "node_type": "array", "shape": [2, 3], "data_type": "float32",
              "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
              "chunk_key_encoding": {"name": "default"}, "fill_value": 0.0,
              "codecs": codecs or [{"name": "bytes", "configuration": {"endian": "little"}}], **more}
    return json.dumps({key: value for key, value in fields.items() if value != "absent"}).encode()


def shards(inner=(2, 3), codecs=({"name": "bytes"},), index=({"name": "bytes"}, {"name": "crc32c"}), **more):
    return [{"name": "sharding_indexed", "configuration": {"chunk_shape": list(inner), "codecs": list(codecs),
                                                           "index_codecs": list(index), **more}}]


def shard(data=bytes(24), offset=0, length=None, crc=None):
    index = struct.pack("<QQ", offset, len(data) if length is None else length)
    return data + index + struct.pack("<I", crc32c(index) if crc is None else crc)


FINE = {"w/.zarray": zarray(), "w/0.0": bytes(24)}


def store(values=None, node=None, root=None, **more):
    """Files of a store with one leaf."""
    values = FINE if values is None else values
    node = leaf(values, **more) if node is None else node
    return {"manifest.ocdbt": root or manifest(length=len(node), keys=len(values)), "d/root": node}


def pack(value):
    """MessagePack; bytes are inserted as already packed."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, dict):
        head = bytes([0x80 | len(value)]) if len(value) < 16 else struct.pack(">BI", 0xDF, len(value))
        return head + b"".join(pack(key) + pack(each) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        head = bytes([0x90 | len(value)]) if len(value) < 16 else struct.pack(">BI", 0xDD, len(value))
        return head + b"".join(map(pack, value))
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">Bq", 0xD3, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 0xCB, value)
    if value is None:
        return b"\xc0"
    text = value.encode()
    return (bytes([0xA0 | len(text)]) if len(text) < 32 else struct.pack(">BI", 0xDB, len(text))) + text


def binary(data, length=None):
    return struct.pack(">BI", 0xC6, len(data) if length is None else length) + data


def extension(data, kind=1, length=None):
    return struct.pack(">BIb", 0xC9, len(data) if length is None else length, kind) + data


def array(shape=(2, 3), dtype="float32", data=bytes(24), **more):
    return extension(pack([list(shape), dtype, binary(data)]), **more)
