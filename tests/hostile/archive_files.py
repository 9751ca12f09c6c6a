# SPDX-License-Identifier: Apache-2.0
"""Builds Cairn archives in which any field can be wrong. Byte map: core/codec/archive/README.md."""
import dataclasses
import struct

from ocdbts import crc32c

MAGIC = b"CAIRNZ\r\n"
OWN, ALIAS, DELTA = range(3)
STORED, ZSTD, CONSTANT = range(3)
SAME = b"\xff"
F32 = ("float32", 4, 1)


def u8(*numbers):
    return bytes(numbers)


def u32(number):
    return struct.pack("<I", number)


def u64(number):
    return struct.pack("<Q", number)


def text(data, length=None):
    data = data.encode() if isinstance(data, str) else data
    return u32(len(data) if length is None else length) + data


def frame(data, content=None):
    """A zstd frame of one raw block; `content`: the size that it declares."""
    size = len(data) if content is None else content
    return b"\x28\xb5\x2f\xfd\xa0" + u32(size) + struct.pack("<I", len(data) << 3 | 1)[:3] + data


def runs(byte, size, content=None):
    """A zstd frame of run-length blocks: small, and `size` bytes when unpacked."""
    out = b"\x28\xb5\x2f\xfd\xa0" + u32(size if content is None else content)
    while size > 0:
        part = min(size, 128 << 10)
        size -= part
        out += struct.pack("<I", part << 3 | 2 | (size == 0))[:3] + bytes([byte])
    return out


def shortened(data, byte):
    """A zstd frame of one run-length block: 1000 times `byte`."""
    before, after = data.split(byte * 1000)
    out = b"\x28\xb5\x2f\xfd\xa0" + u32(len(data))
    out += struct.pack("<I", len(before) << 3)[:3] + before + struct.pack("<I", 1000 << 3 | 2)[:3] + byte
    return out + struct.pack("<I", len(after) << 3 | 1)[:3] + after


def plane(mode, data, length=None):
    return u8(mode) + u32(len(data) if length is None else length), data


def chunk(*planes):
    return b"".join(head for head, _ in planes) + b"".join(data for _, data in planes)


def constant(width=4, byte=0):
    return chunk(*[plane(CONSTANT, bytes([byte]))] * width)


@dataclasses.dataclass
class Tensor:
    name: object = "w"
    shape: tuple = (2, 3)
    dtype: object = "float32"
    width: int = 4
    rotate: int = 1
    kind: int = OWN
    size: int | None = None
    alias: int = 0
    role: object = "weight"
    rank: int | None = None
    chunks: tuple = (constant(),)
    content: tuple = ()
    crcs: dict = dataclasses.field(default_factory=dict)
    stored: dict = dataclasses.field(default_factory=dict)

    def row(self):
        size = self.size
        if size is None:
            size = self.width
            for extent in self.shape:
                size *= extent
        dims = b"".join(struct.pack("<q", extent) for extent in self.shape)
        head = text(self.name) + text(self.dtype) + text(self.role) + u8(self.kind, self.width, self.rotate)
        head += u8(len(self.shape) if self.rank is None else self.rank) + dims
        return head + (u32(self.alias) if self.kind == ALIAS else u64(size))

    def rows(self):
        for i, data in enumerate(self.chunks):
            content = self.content[i] if i < len(self.content) else 0
            yield u32(self.stored.get(i, len(data))) + u32(self.crcs.get(i, crc32c(data))) + u32(content)


def head(format="safetensors", earlier=None, chain=0, chunk_bytes=1 << 20, flags=None):
    out = text(format) + text("") + u8((8 if earlier is not None else 0) if flags is None else flags) + bytes(24)
    return out + text(earlier or "") + u32(chain) + u64(chunk_bytes)


def index(tensors, counts=(None, None), behind=b"", **more):
    rows = [row for tensor in tensors for row in tensor.rows()]
    tensor_count = len(tensors) if counts[0] is None else counts[0]
    chunk_count = len(rows) if counts[1] is None else counts[1]
    body = b"".join(tensor.row() for tensor in tensors) + b"".join(rows)
    return head(**more) + u64(tensor_count) + u64(chunk_count) + body + behind


NO_VALUES = u32(1) + u64(0) + u8(0)


def value_node(kind=11, items=b"", count=None, name=""):
    data = name.encode()
    return u8(kind) + u64(len(data)) + data + u64(len(items) // 2 if count is None else count) + items


def values(root, nodes=(), count=None, version=1):
    return u32(version) + u64(len(nodes) if count is None else count) + b"".join(nodes) + root


def archive(tensors=(Tensor(),), raw_index=None, raw_values=NO_VALUES, sealed_index=None, sealed_values=None,
            first=MAGIC + u32(1) + u32(0), before=b"", foot=None, behind=b"", **more):
    """`foot`: fields of the foot to change; checksums are correct unless they are among them."""
    raw_index = index(tensors, **more) if raw_index is None else raw_index
    stored_values = raw_values if sealed_values is None else sealed_values
    stored_index = raw_index if sealed_index is None else sealed_index
    body = first + b"".join(data for tensor in tensors for data in tensor.chunks) + before
    told = {"offset": len(body), "values": len(stored_values), "raw_values": len(raw_values),
            "index": len(stored_index), "raw_index": len(raw_index), "values_crc": crc32c(stored_values),
            "index_crc": crc32c(stored_index), "version": 1, "magic": MAGIC, **(foot or {})}
    end = struct.pack("<QQQQQIII", *(told[key] for key in (
        "offset", "values", "raw_values", "index", "raw_index", "values_crc", "index_crc", "version")))
    end += u32(told.get("crc", crc32c(end))) + told["magic"]
    return body + stored_values + stored_index + end + behind
