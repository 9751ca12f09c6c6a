# SPDX-License-Identifier: Apache-2.0
"""A decoder of Cairn's archives that shares no code with the program: written only from core/codec/archive/README.md and
core/codec/planes/README.md, with zstandard and numpy, to test that the two texts are sufficient."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy
import zstandard

MAGIC = b"CAIRNZ\r\n"


def _table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _table()


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class Bytes:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, code: str):
        value, = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def text(self) -> str:
        length = self.take("I")
        self.at += length
        if self.at > len(self.data):
            raise ValueError("a text ends beyond its section")
        return self.data[self.at - length:self.at].decode()


@dataclass
class Tensor:
    name: str
    dtype: str
    role: str
    kind: int  # 0 own, 1 alias, 2 delta
    width: int
    rotated: bool
    shape: list[int]
    shares: int = -1
    bytes: int = 0
    chunks: list[tuple[bytes, int]] = field(default_factory=list)  # stored, and after applying a delta


def section(stored: bytes, raw: int) -> bytes:
    data = stored if len(stored) == raw else zstandard.ZstdDecompressor().decompress(stored, max_output_size=raw)
    if len(data) != raw:
        raise ValueError("a section of another length")
    return data


def planes(chunk: bytes, width: int, elements: int) -> numpy.ndarray:
    """The elements' bytes, one row per element."""
    heads = [struct.unpack_from("<BI", chunk, 5 * k) for k in range(width)]
    at, rows = 5 * width, numpy.empty((elements, width), "u1")
    for k, (mode, length) in enumerate(heads):
        stored = chunk[at:at + length]
        at += length
        if mode == 2:
            rows[:, k] = stored[0]
        else:
            plain = stored if mode == 0 else zstandard.ZstdDecompressor().decompress(stored, max_output_size=elements)
            rows[:, k] = numpy.frombuffer(plain, "u1")
    if at != len(chunk):
        raise ValueError("bytes left over in a chunk")
    return rows


class Archive:
    def __init__(self, path: Path) -> None:
        self.path = path
        data = path.read_bytes()
        if data[:16] != MAGIC + struct.pack("<II", 1, 0) or data[-8:] != MAGIC:
            raise ValueError("no archive of version 1")
        foot = data[-64:]
        values, values_stored, values_raw, index_stored, index_raw, values_crc, index_crc, version, foot_crc = struct.unpack("<5Q4I", foot[:56])
        if version != 1 or crc32c(foot[:52]) != foot_crc:
            raise ValueError("the foot is damaged")
        if values + values_stored + index_stored + 64 != len(data):
            raise ValueError("bytes that belong to no part")
        stored_values, stored_index = data[values:values + values_stored], data[values + values_stored:-64]
        if crc32c(stored_values) != values_crc or crc32c(stored_index) != index_crc:
            raise ValueError("a section is damaged")
        self.values = section(stored_values, values_raw)
        self._read(Bytes(section(stored_index, index_raw)), data[16:values])

    def _read(self, index: Bytes, packed: bytes) -> None:
        self.format, self.framework = index.text(), index.text()
        flags = index.take("B")
        step, epoch, world = index.take("q"), index.take("d"), index.take("q")
        self.step, self.epoch, self.world = (value if flags & bit else None for value, bit in ((step, 1), (epoch, 2), (world, 4)))
        earlier = index.text()
        self.earlier = earlier if flags & 8 else None
        self.chain, self.chunk_bytes = index.take("I"), index.take("Q")
        self.completeness, self.reasons, self.notices = "unknown", [], []
        if flags & 16:
            self.completeness = index.text()
            self.reasons = [index.text() for _ in range(index.take("I"))]
            self.notices = [(index.take("B"), *(index.text() for _ in range(8))) for _ in range(index.take("I"))]
        tensors, chunks = index.take("Q"), index.take("Q")
        self.tensors = [self._tensor(index) for _ in range(tensors)]
        at = 0
        for tensor in self.tensors:
            for _ in range(0 if tensor.kind == 1 else -(-tensor.bytes // self.chunk_bytes)):
                stored, crc, wanted = index.take("I"), index.take("I"), index.take("I")
                chunk = packed[at:at + stored]
                at, chunks = at + stored, chunks - 1
                if stored == 0 or crc32c(chunk) != crc:
                    raise ValueError(f"{tensor.name}: a damaged chunk")
                tensor.chunks.append((chunk, wanted))
        if chunks != 0 or at != len(packed) or index.at != len(index.data):
            raise ValueError("the index does not account for every byte")

    @staticmethod
    def _tensor(index: Bytes) -> Tensor:
        tensor = Tensor(index.text(), index.text(), index.text(), index.take("B"), index.take("B"), bool(index.take("B")), [])
        tensor.shape = [index.take("q") for _ in range(index.take("B"))]
        if tensor.kind == 1:
            tensor.shares = index.take("I")
        else:
            tensor.bytes = index.take("Q")
        return tensor

    def elements(self, name: str) -> bytes:
        tensor = next(each for each in self.tensors if each.name == name)
        if tensor.kind == 1:
            return self.elements(self.tensors[tensor.shares].name)
        before = Archive(self.path.parent / self.earlier).elements(name) if tensor.kind == 2 else b""
        out = bytearray()
        for chunk, wanted in tensor.chunks:
            size = min(self.chunk_bytes, tensor.bytes - len(out))
            old = before[len(out):len(out) + size]
            part = old if tensor.kind == 2 and chunk == b"\xff" else self._unpacked(tensor, chunk, size, old)
            if tensor.kind == 2 and crc32c(part) != wanted:
                raise ValueError(f"{name}: what came out is not what was packed")
            out += part
        return bytes(out)

    @staticmethod
    def _unpacked(tensor: Tensor, chunk: bytes, size: int, old: bytes) -> bytes:
        rows = planes(chunk, tensor.width, size // tensor.width)
        if tensor.width not in (1, 2, 4, 8):
            return rows.tobytes()
        bits = 8 * tensor.width
        words = rows.view(f"<u{tensor.width}").ravel()
        one, last = words.dtype.type(1), words.dtype.type(bits - 1)
        if tensor.rotated:
            words = words >> one | words << last
        if tensor.kind == 2:  # 0, 1, 2, 3 … are 0, -1, 1, -2 …
            step = words >> one ^ (0 - (words & one)).astype(words.dtype)
            words = numpy.frombuffer(old, words.dtype) + step
        return words.tobytes()
