# SPDX-License-Identifier: Apache-2.0
"""Torch files with a hostile ZIP: two readers would see different content, or a reader would read outside the file."""
import struct
import zlib

import archives
import pickles
from archives import Entry, build, deflated, records, torch_file
from table import error, file, finding, fine, job, notice

GOOD = torch_file()


def one(data):
    return file("x.pt", data)


def lying(change, **more):
    """The good file with one changed entry."""
    made = records()
    change(made)
    return one(build(made, **more))


def set_entry(position, **fields):
    def change(made):
        for name, value in fields.items():
            setattr(made[position], name, value)

    return lying(change)


def zip64(entries=4, size=0, offset=0, locator=0):
    end = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, entries, entries, size, offset)
    place = GOOD.rfind(b"PK\x05\x06")
    head = GOOD[:place]
    return head + end + struct.pack("<IIQI", 0x07064B50, 0, len(head) + locator, 1) + struct.pack(
        "<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)


def quoted_overlap():
    """Two entries, the second one's local header inside the first one's data."""
    made = records()
    inner = build([Entry("archive/data/1", b"x" * 24)]).split(b"PK\x01\x02")[0]
    made[2].data = inner + b"y" * 24
    return build([*made, Entry("archive/data/1", b"x" * 24, shift=-1000)])


def bomb(name="archive/data.pkl", megabytes=512, declared=None):
    zeros = bytes(1 << 20)
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(press.compress(zeros) for _ in range(megabytes)) + press.flush()
    crc = 0
    for _ in range(megabytes):
        crc = zlib.crc32(zeros, crc)
    entry = Entry(name, packed, size=megabytes << 20 if declared is None else declared, crc=crc, method=8)
    others = [e for e in records() if e.name != name]
    return build([entry, *others])


def directory():
    no, bad, entry = "zip-no-directory", "zip-bad-directory", "zip-bad-entry"
    end = GOOD.rfind(b"PK\x05\x06")
    start = GOOD.find(b"PK\x01\x02")
    return [
        error("cut_in_half", one(GOOD[:len(GOOD) // 2]), "not-a-checkpoint" if b"data.pkl" not in GOOD[:400] else no),
        error("cut_before_directory", one(GOOD[:start]), no),
        error("cut_in_directory", one(GOOD[:start + 60]), no),
        error("cut_before_end", one(GOOD[:end]), no),
        error("cut_in_end", one(GOOD[:-1]), no),
        error("end_size_plus", one(torch_file(size=1)), bad),
        error("end_size_huge", one(torch_file(size=0x7FFFFFFF)), bad),
        error("end_offset_minus", one(torch_file(offset=-1)), bad),
        error("end_offset_plus", one(torch_file(offset=7)), bad),
        error("end_offset_huge", one(torch_file(offset=0x7FFFFFF0)), bad),
        error("end_count_more", one(torch_file(count=1)), bad),
        error("end_count_less", one(torch_file(count=-1)), bad),
        error("end_disk", one(torch_file(disk=1)), "zip-multi-disk"),
        error("junk_before_end", one(torch_file(before_end=b"junk")), bad),
        notice("junk_after_end", one(torch_file(tail=b"junk" * 5)), bad),
        error("two_ends", one(GOOD + build([])), bad),
        error("zip64_entries_2_62", one(zip64(entries=1 << 62)), bad),
        error("zip64_offset_2_63", one(zip64(size=10, offset=(1 << 63) - 1)), bad),
        error("zip64_sum_wraps", one(zip64(size=(1 << 64) - 1, offset=2)), bad),
        error("zip64_locator_wrong", one(zip64(locator=1 << 40)), bad),
        error("central_signature", one(GOOD.replace(b"PK\x01\x02", b"PK\x01\x03", 1)), bad),
        error("disk_of_entry", set_entry(2, disk=3), "zip-multi-disk"),
        error("local_place_minus", set_entry(2, shift=-1), "zip-overlap"),
        error("local_place_beyond", set_entry(2, shift=0x70000000), entry),
        fine("extra_too_long", set_entry(2, extra=struct.pack("<HH", 1, 60000))),
    ]


def entries():
    twice = "zip-duplicate-name"
    return [
        error("pickle_twice", one(torch_file(more=[Entry("archive/data.pkl", b"\x80\x02N.")])), twice),
        error("storage_twice", one(torch_file(more=[Entry("archive/data/0", bytes(24))])), twice),
        error("two_entries_one_place", lying(lambda m: m.append(Entry("archive/data/1", b"", shift=-30))),
              "zip-overlap"),
        error("overlap_quoted", one(quoted_overlap()), "zip-bad-entry"),
        error("overlap_stored_size", set_entry(0, stored_size=5000, size=5000), "zip-bad-entry"),
        error("size_beyond_file", set_entry(3, stored_size=1 << 30, size=1 << 30), "zip-bad-entry"),
        error("size_4g", set_entry(2, stored_size=0xFFFFFFFE, size=0xFFFFFFFE), "zip-bad-entry"),
        notice("stored_sizes_differ", set_entry(2, size=25), "zip-bad-entry"),
        notice("stored_size_claims_more", set_entry(2, size=1000), "zip-bad-entry"),
        notice("stored_size_claims_none", set_entry(2, size=0), "zip-bad-entry"),
        error("pickle_sizes_differ", set_entry(0, size=25), "zip-bad-entry"),
        notice("deflated_size_claims_2_32", set_entry(2, method=8, size=0xFFFFFFF0), "zip-bomb"),
        error("encrypted", set_entry(0, flags=1), "zip-encrypted"),
        notice("encrypted_storage", set_entry(2, flags=1), "zip-encrypted"),
        notice("strong_encryption", set_entry(2, flags=0x40), "zip-encrypted"),
        error("method_bzip2", set_entry(0, method=12), "zip-bad-method"),
        notice("method_lzma", set_entry(2, method=14), "zip-bad-method"),
        notice("method_unknown", set_entry(2, method=99), "zip-bad-method"),
        notice("local_name_differs", set_entry(2, name="archive/data/7", central_name="archive/data/0"),
               "zip-local-mismatch"),
        notice("central_name_differs", set_entry(2, central_name="archive/data/7"), "torch-missing-record"),
        error("local_pickle_differs", set_entry(0, name="archive/data.pkx", central_name="archive/data.pkl"),
              "zip-local-mismatch"),
        error("central_pickle_differs", set_entry(0, central_name="archive/data.pkx"), "torch-no-data-pickle"),
        notice("name_absolute", one(torch_file(more=[Entry("/etc/passwd", b"x")])), "stray-file"),
        fine("name_climbs", one(torch_file(more=[Entry("archive/../../x", b"x")]))),
        error("name_with_nul", one(torch_file(more=[Entry("archive/data\0.pkl", b"x")])), "zip-bad-entry"),
        notice("name_backslash", one(torch_file(more=[Entry("archive\\..\\x", b"x")])), "stray-file"),
        error("name_empty", one(torch_file(more=[Entry("", b"x")])), "zip-bad-entry"),
        notice("other_folder", one(torch_file(more=[Entry("other/data/0", b"x")])), "stray-file"),
        notice("two_pickles", one(torch_file(more=[Entry("other/data.pkl", b"\x80\x02N.")])), "stray-file"),
        error("no_pickle", one(build([Entry("archive/data.pkl/x", b"1"), Entry("archive/data/0", bytes(24))])),
              "torch-no-data-pickle"),
        error("byteorder_middle", one(torch_file(order=b"middle")), "torch-bad-byte-order"),
        error("byteorder_long", one(torch_file(order=b"little" * 99)), "limit-exceeded"),
        fine("name_with_escapes", one(torch_file(more=[Entry("archive/\x1b[31m\x07", b"x")]))),
        fine("comment", one(torch_file(comment=b"a comment"))),
        fine("byteorder_big", one(torch_file(order=b"big"))),
    ]


def contents():
    flat = [e if e.name != "archive/data/0" else deflated(e.name, e.data) for e in records()]
    broken = [e if e.name != "archive/data/0" else Entry(e.name, b"\xff" * 20, size=24, method=8) for e in records()]
    packed = zlib.compress(b"x")
    return [
        fine("storage_deflated", one(build(flat)), verb="check"),
        finding("storage_broken_deflate", one(build(broken)), "zip-bad-data"),
        finding("storage_crc", set_entry(2, crc=123456), "bad-checksum"),
        finding("pickle_crc", set_entry(0, crc=123456), "bad-checksum"),
        error("pickle_broken_deflate", set_entry(0, method=8, data=b"\xff" * 20, size=100), "zip-bad-data"),
        error("pickle_zlib_not_raw", set_entry(0, method=8, data=packed, size=1), "zip-bad-data"),
        error("bomb_pickle", one(lambda place: bomb()), "zip-bomb"),
        error("bomb_says_small", one(lambda place: bomb(megabytes=64, declared=100)), "zip-bomb"),
        error("bomb_says_2_32", one(lambda place: bomb(megabytes=1, declared=0xFFFFFFF0)), "zip-bomb"),
        fine("bomb_storage", one(lambda place: bomb("archive/data/0", 64)), verb="check"),
        notice("record_missing", one(torch_file(pickles.one_tensor(key="1"))), "torch-missing-record"),
        notice("record_short", one(torch_file(data=bytes(23))), "torch-storage-too-small"),
        notice("record_empty", one(torch_file(data=b"")), "torch-storage-too-small"),
        notice("record_climbs", one(torch_file(pickles.one_tensor(key="../data.pkl"))), "torch-missing-record"),
        notice("record_absolute", one(torch_file(pickles.one_tensor(key="/etc/passwd"))), "torch-missing-record"),
        notice("record_with_nul", one(torch_file(pickles.one_tensor(key="0\0x"))), "torch-missing-record"),
        job("record_missing_not_written", one(torch_file(pickles.one_tensor(key="1"))), "torch-missing-record"),
        job("record_climbs_not_written", one(torch_file(pickles.one_tensor(key="../../outside/secret"))),
            "torch-missing-record"),
    ]


def cases():
    return directory() + entries() + contents()
