# SPDX-License-Identifier: Apache-2.0
"""Builds ZIP archives and torch files in which any field can be wrong."""
import dataclasses
import struct
import zlib

import pickles

FLOATS = struct.pack("<6f", *range(6))


@dataclasses.dataclass
class Entry:
    name: str
    data: bytes = b""        # as stored in the file
    size: int | None = None  # as declared
    crc: int | None = None
    method: int = 0
    flags: int = 0
    stored_size: int | None = None
    central_name: str | None = None
    shift: int = 0           # added to the offset of the local header
    disk: int = 0
    extra: bytes = b""       # in the directory
    local_extra: bytes = b""

    def sizes(self):
        size = len(self.data) if self.size is None else self.size
        crc = zlib.crc32(self.data) if self.crc is None else self.crc
        return crc, len(self.data) if self.stored_size is None else self.stored_size, size


def deflated(name, data, **more):
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = press.compress(data) + press.flush()
    return Entry(name, packed, size=len(data), crc=zlib.crc32(data), method=8, **more)


def build(entries, count=0, size=0, offset=0, disk=0, comment=b"", before_end=b"", head=b"", tail=b""):
    """`count`, `size` and `offset` are added to the correct values of the end record."""
    out, directory = head, b""
    for entry in entries:
        place = len(out) + entry.shift
        name = entry.name.encode("utf-8", "surrogateescape")
        central = name if entry.central_name is None else entry.central_name.encode()
        crc, stored, full = entry.sizes()
        out += struct.pack("<IHHHIIIIHH", 0x04034B50, 20, entry.flags, entry.method, 0, crc, stored, full, len(name),
                           len(entry.local_extra)) + name + entry.local_extra + entry.data
        directory += struct.pack("<IHHHHIIIIHHHHHII", 0x02014B50, 20, 20, entry.flags, entry.method, 0, crc, stored,
                                 full, len(central), len(entry.extra), 0, entry.disk, 0, 0,
                                 place & 0xFFFFFFFF) + central + entry.extra
    end = struct.pack("<IHHHHIIH", 0x06054B50, disk, disk, len(entries) + count & 0xFFFF, len(entries) + count & 0xFFFF,
                      len(directory) + size & 0xFFFFFFFF, len(out) + offset & 0xFFFFFFFF, len(comment))
    return out + directory + before_end + end + comment + tail


def records(pickle=None, data=FLOATS, order=b"little", more=()):
    return [Entry("archive/data.pkl", pickles.one_tensor() if pickle is None else pickle),
            Entry("archive/byteorder", order), Entry("archive/data/0", data), Entry("archive/version", b"3\n"), *more]


def torch_file(pickle=None, data=FLOATS, order=b"little", more=(), **lies):
    return build(records(pickle, data, order, more), **lies)


def legacy_head(magic=b"\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"):
    return b"\x80\x02" + magic + b".\x80\x02M\xe9\x03.\x80\x02}."


def legacy_file(pickle=None, keys=("0",), counts=(6,), data=FLOATS, head=None):
    p = pickles.P().op("]")
    for key in keys:
        p.text(key).op("a")
    body = b"".join(struct.pack("<q", count) + data for count in counts)
    whole = pickles.one_tensor(view=b"N") if pickle is None else pickle
    return (legacy_head() if head is None else head) + whole + p.stop() + body
