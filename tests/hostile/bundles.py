# SPDX-License-Identifier: Apache-2.0
"""Builds TensorFlow checkpoints in which any field can be wrong: tables of blocks, protocol buffers, checksums."""
import struct

MAGIC = 0xDB4775248B80FB57
FLOAT, INT32, STRING, INT64, VARIANT = 1, 3, 7, 9, 21


def _table():
    rows = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        rows.append(byte)
    return rows


CRC = _table()


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def fixed32(field, value):
    return varint(field << 3 | 5) + struct.pack("<I", value)


def shape(*extents):
    return b"".join(message(2, number(1, extent)) for extent in extents)


def header(shards=1, endianness=0, producer=1, consumer=0):
    version = number(1, producer) + (number(2, consumer) if consumer else b"")
    return number(1, shards) + (number(2, endianness) if endianness else b"") + message(3, version)


def extent(start, length):
    return message(1, (number(1, start) if start else b"") + (b"" if length is None else number(2, length)))


def entry(dtype=FLOAT, extents=(2, 3), shard=0, offset=0, size=24, crc=None, slices=(), more=b""):
    out = number(1, dtype) + message(2, shape(*extents))
    out += number(3, shard) if shard else b""
    out += number(4, offset) if offset else b""
    out += number(5, size) if size else b""
    out += fixed32(6, crc) if crc is not None else b""
    for parts in slices:
        out += message(7, b"".join(extent(*part) for part in parts))
    return out + more


def ordered_text(text):
    return text.replace(b"\xff", b"\xff\x00").replace(b"\x00", b"\x00\xff") + b"\x00\x01"


def ordered_signed(value):
    rest = value if value >= 0 else ~value
    length = 1
    while rest >= 1 << (7 * length - 1):
        length += 1
    data = bytearray((value & (1 << 8 * length) - 1).to_bytes(length, "big"))
    for bit in range(length):
        data[bit // 8] ^= 128 >> bit % 8
    return bytes(data)


def slice_key(name, parts):
    rank = b"\x01" + bytes([len(parts)]) if parts else b"\x00"
    return b"\x00" + ordered_text(name) + rank + b"".join(ordered_signed(a) + ordered_signed(b) for a, b in parts)


def block(rows, kind=0, restarts=None, lie_crc=0):
    """Rows of (key, value), with complete keys. (shared, suffix, value) gives the shared length explicitly, even a wrong one."""
    data = b""
    for row in rows:
        shared, key, value = row if len(row) == 3 else (0, *row)
        data += varint(shared) + varint(len(key)) + varint(len(value)) + key + value
    data += struct.pack("<I", 0) + struct.pack("<I", 1 if restarts is None else restarts)
    return seal(data, kind, lie_crc)


def seal(data, kind=0, lie_crc=0):
    return data + bytes([kind]) + struct.pack("<I", masked(data + bytes([kind])) ^ lie_crc)


def handle(offset, size):
    return varint(offset) + varint(size)


def footer(meta, index, magic=MAGIC):
    return (meta + index).ljust(40, b"\x00") + struct.pack("<Q", magic)


def table(rows=(), blocks=None, index=None, magic=MAGIC, tail=b""):
    """A complete table. `blocks`: sealed data blocks; `index`: rows of the index block instead of the correct ones."""
    blocks = [block(sorted(rows))] if blocks is None else blocks
    out, places = b"", []
    for data in blocks:
        places.append((len(out), len(data) - 5))
        out += data
    meta = block([])
    meta_at = handle(len(out), len(meta) - 5)
    out += meta
    rows = [(b"k%05d" % i, handle(*place)) for i, place in enumerate(places)] if index is None else index
    sealed = rows if isinstance(rows, bytes) else block(rows)
    return out + sealed + footer(meta_at, handle(len(out), len(sealed) - 5), magic) + tail


DATA = struct.pack("<6f", 1, 2, 3, 4, 5, 6)


def good(**fields):
    return {b"": header(), b"w": entry(crc=masked(DATA), **fields)}


def bundle(rows=None, data=DATA, name="ckpt-1", shards=1, **more):
    """{file: bytes} of one checkpoint."""
    rows = good() if rows is None else rows
    files = {f"{name}.index": table(list(rows.items()), **more)}
    for i in range(shards):
        files[f"{name}.data-{i:05d}-of-{shards:05d}"] = data
    return files


def strings(texts, lie=0):
    lengths = b"".join(varint(len(text)) for text in texts)
    crc = crc32c(b"".join(struct.pack("<I", len(text)) for text in texts))
    check = struct.pack("<I", (((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF) ^ lie)
    whole = b"".join(struct.pack("<I", len(text)) for text in texts) + check + b"".join(texts)
    return lengths + check + b"".join(texts), masked(whole)
