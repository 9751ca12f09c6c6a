# SPDX-License-Identifier: Apache-2.0
"""Hostile NumPy files, archives of them, and folders of shards."""
import json
import os
import struct

import archives
from archives import Entry
from table import error, file, finding, fine, folder, notice, verdict

FLOATS = struct.pack("<6f", *range(6))


def npy(descr="'<f4'", fortran="False", shape="(2, 3)", data=FLOATS, version=(1, 0), text=None, length=None, pad=0):
    header = (text if text is not None else f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}")
    header = (header if isinstance(header, bytes) else header.encode()) + b" " * pad + b"\n"
    size = len(header) if length is None else length
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", size) + header + data


def one(**more):
    return file("x.npy", npy(**more))


def raw(data):
    return file("x.npy", data)


def npz(*entries, **more):
    return file("x.npz", archives.build(list(entries), **more))


def member(name="w.npy", **more):
    return Entry(name, npy(**more))


def headers():
    bad, unknown = "npy-bad-header", "npy-unknown-dtype"
    return [
        error("npy_magic_only", raw(b"\x93NUMPY"), "truncated"),
        error("npy_nine_bytes", raw(npy()[:9]), "truncated"),
        error("npy_header_cut", raw(npy()[:40]), "truncated"),
        error("npy_v2_cut", raw(npy(version=(2, 0))[:11]), "truncated"),
        error("npy_version_0", one(version=(0, 1)), bad),
        error("npy_version_4", one(version=(4, 0)), bad),
        error("npy_version_1_1", one(version=(1, 1)), bad),
        error("npy_length_4_gib", one(version=(2, 0), length=0xFFFFFFFF), bad),
        error("npy_length_2_mib", one(version=(2, 0), length=1 << 21), bad),
        error("npy_length_past_end", one(length=60_000), "truncated"),
        error("npy_length_zero", one(length=0), bad),
        error("npy_length_short", one(length=20), bad),
        error("npy_named_only", raw(b"this is no array at all"), bad),
        error("npy_call", one(text="__import__('os').system('touch canary')"), bad),
        error("npy_expression", one(shape="(1 + 1,)"), bad),
        error("npy_comprehension", one(shape="tuple(x for x in (2, 3))"), bad),
        error("npy_f_string", one(descr="f'<f4'"), bad),
        error("npy_comment", one(text="{'descr': '<f4', # '\n 'fortran_order': False, 'shape': (2, 3)}"), bad),
        error("npy_list", one(text="['<f4', False, (2, 3)]"), bad),
        error("npy_empty_dict", one(text="{}"), bad),
        error("npy_no_descr", one(text="{'fortran_order': False, 'shape': (2, 3)}"), bad),
        error("npy_no_shape", one(text="{'descr': '<f4', 'fortran_order': False}"), bad),
        error("npy_more_keys", one(text="{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}"), bad),
        error("npy_key_twice", one(text="{'descr': '<f4', 'shape': (1,), 'shape': (2, 3)}"), bad),
        error("npy_fortran_1", one(fortran="1"), bad),
        error("npy_fortran_text", one(fortran="'False'"), bad),
        error("npy_open_text", one(descr="'<f4"), bad),
        error("npy_not_utf8", one(descr=None, text=b"{'descr': '\xff\xfe', 'fortran_order': False, 'shape': (2, 3)}"), unknown),
        error("npy_deep", one(version=(2, 0), shape="(" * 100_000), bad),
        error("npy_deep_lists", one(version=(2, 0), descr="[" * 100_000 + "]" * 100_000), bad),
        error("npy_deep_records", one(version=(2, 0), descr="[('a', " * 200 + "'<f4'" + ")]" * 200), bad),
        error("npy_many_fields", one(version=(2, 0), descr="[" + "('a','<f4')," * 60_000 + "]"), bad),
        error("npy_surrogate", one(descr="'\\ud800'"), bad),
        error("npy_escape", one(descr="'\\N{DIGIT ONE}'"), bad),
        error("npy_zero_byte", one(text="{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\0"), bad),
    ]


def kinds():
    bad, unknown = "npy-bad-header", "npy-unknown-dtype"
    return [
        error("npy_type_unknown", one(descr="'<q9'"), unknown),
        error("npy_type_empty", one(descr="''"), unknown),
        error("npy_type_float3", one(descr="'<f3'"), unknown),
        error("npy_type_huge", one(descr="'|S99999999999999999999'"), unknown),
        error("npy_type_number", one(descr="4"), bad),
        error("npy_type_none", one(descr="None"), bad),
        error("npy_record_empty", one(descr="[]"), bad),
        error("npy_field_alone", one(descr="[('a',)]"), bad),
        error("npy_field_shape_negative", one(descr="[('a', '<f4', (-1,))]"), bad),
        error("npy_field_shape_wraps", one(descr="[('a', '<f4', (4294967296, 4294967296))]"), bad),
        error("npy_record_wraps", one(descr="[" + "('a', '|V2147483647')," * 8 + "]"), bad),
        error("npy_shape_negative", one(shape="(-2, 3)"), bad),
        error("npy_shape_float", one(shape="(2.0, 3)"), bad),
        error("npy_shape_text", one(shape="'(2, 3)'"), bad),
        error("npy_shape_number", one(shape="6"), bad),
        error("npy_shape_65", one(shape="(" + "1," * 65 + ")"), bad),
        error("npy_shape_wraps", one(shape="(4294967296, 4294967296, 4)"), bad),
        error("npy_shape_2_63", one(shape="(9223372036854775808,)"), bad),
        error("npy_bytes_wrap", one(shape="(4611686018427387904,)"), bad),
        error("npy_item_wraps", one(descr="'|V2147483647'", shape="(9223372036854775807,)"), bad),
        notice("npy_data_cut", one(data=FLOATS[:20]), "truncated"),
        notice("npy_data_gone", one(data=b""), "truncated"),
        notice("npy_shape_of_terabytes", one(shape="(1000000, 1000000)"), "truncated"),
        notice("npy_trailing", one(data=FLOATS + b"more"), "npy-trailing-bytes"),
        fine("npy_two_arrays", raw(npy() + npy()), "check"),
        notice("npy_stream_junk_behind", raw(npy() + npy() + b"\x93NUM"), "npy-trailing-bytes"),
        notice("npy_stream_header_cut", raw(npy() + npy()[:30]), "truncated"),
        notice("npy_stream_bad_header", raw(npy() + npy(text="{}") + npy()), "npy-bad-header"),
        notice("npy_stream_elements_cut", raw(npy() + npy() + npy()[:-1]), "truncated"),
        notice("npy_stream_sizes_lie", raw(npy(shape="(2, 3)") + npy(shape=f"({1 << 60},)")), "truncated"),
        notice("npy_stream_objects_inside", raw(npy() + npy(descr="'|O'", data=b"cos\nsystem\n(S'touch canary'\ntR.") + npy()), "npy-python-objects"),
        fine("npy_stream_of_empty_arrays", raw(npy(shape="(0,)", data=b"") * 20_000)),
        fine("npy_line_before", file("x.eqx", b'{"a": 1}\n' + npy() + npy())),
        notice("npy_line_no_json", file("x.eqx", b"{'a': 1}\n" + npy() + npy()), "json-syntax"),
        error("npy_line_alone", file("x.eqx", b'{"a": 1}\n'), "npy-bad-header"),
        error("npy_line_without_end", file("x.eqx", b'{"' + b"a" * 3_000_000), "npy-bad-header"),
        error("npy_line_array_cut", file("x.eqx", b'{"a": 1}\n' + npy()[:12]), "truncated"),
        notice("npy_zero_width", one(descr="'|V0'", shape="(1000000000,)", data=b""), "npy-unknown-dtype"),
        fine("npy_empty_wide", one(shape="(0, 9223372036854775807)", data=b"")),
        fine("npy_rank_64", one(shape="(" + "1," * 64 + ")", data=FLOATS[:4])),
        fine("npy_python2", one(shape="(2L, 3L)")),
        notice("npy_objects", one(descr="'|O'", shape="(1,)", data=b"\x80\x04cos\nsystem\n(X\x02\x00\x00\x00idtR."),
               "npy-python-objects"),
        verdict("npy_objects_scanned", one(descr="'|O'", shape="(1,)", data=b"\x80\x02cos\nsystem\n(X\x02\x00\x00\x00idtR."),
                "would-run-code"),
        notice("npy_objects_in_records", one(descr="[('a', '<f4'), ('b', '|O')]", data=b"garbage"), "npy-python-objects"),
        finding("npy_text_no_unicode", one(descr="'<U1'", shape="(1,)", data=b"\xff\xff\xff\xff"), "bad-encoding"),
    ]


def archive_cases():
    bad = "npy-bad-header"
    good = Entry("good.npy", npy())
    return [
        error("npz_cut", file("x.npz", archives.build([member()])[:-30]), "zip-no-directory"),
        error("npz_one_bad_member", npz(member(descr="'<q9'")), "npy-unknown-dtype"),
        notice("npz_bad_beside_good", npz(member(descr="'<q9'"), good), "npy-unknown-dtype"),
        notice("npz_no_magic", npz(Entry("w.npy", b"hello, hello, hello"), good), bad),
        notice("npz_empty_member", npz(Entry("w.npy", b""), good), bad),
        notice("npz_other_member", npz(good, Entry("readme.txt", b"hello")), "stray-file"),
        error("npz_only_text", npz(Entry("readme.txt", b"hello")), "not-a-checkpoint"),
        error("npz_name_twice", npz(member(), member()), "zip-duplicate-name"),
        notice("npz_name_twice_without_suffix", npz(member("w.npy"), member("w")), "duplicate-tensor"),
        notice("npz_encrypted", npz(Entry("w.npy", npy(), flags=1), good), "zip-encrypted"),
        notice("npz_method", npz(Entry("w.npy", npy(), method=14), good), "zip-bad-method"),
        notice("npz_bomb", npz(Entry("w.npy", archives.deflated("w", npy()).data, size=4_000_000_000, method=8), good), "zip-bomb"),
        notice("npz_member_cut", npz(member(data=FLOATS[:8]), good), "truncated"),
        notice("npz_deflated_cut", npz(archives.deflated("w.npy", npy(data=FLOATS[:8])), good), "truncated"),
        notice("npz_deflated_broken", npz(Entry("w.npy", b"\xff" * 60, size=152, method=8), good), "zip-bad-data"),
        finding("npz_deflated_tail", npz(Entry("w.npy", archives.deflated("w", npy(shape="(4096,)", data=bytes(16384))).data[:-3],
                                               size=len(npy(shape="(4096,)", data=bytes(16384))), method=8)), "zip-bad-data"),
        finding("npz_crc", npz(Entry("w.npy", npy(), crc=12345)), "bad-checksum"),
        error("npz_deflated_crc", npz(Entry("w.npy", archives.deflated("w", npy()).data, size=len(npy()), crc=99, method=8)),
                "bad-checksum"),
        notice("npz_climbing_name", npz(Entry("../../outside/secret.npy", b"x"), good), bad),
        fine("npz_climbing_array", npz(member("../../outside/secret.npy"))),
        fine("npz_control_name", npz(member("a\x1b[31mred\x07.npy"))),
        notice("npz_header_past_member", npz(Entry("w.npy", npy(length=60_000)), good), "truncated"),
        fine("npz_many", npz(*[member(f"t{i}.npy", shape="(0,)", data=b"") for i in range(3000)])),
    ]


def shards(manifest=None, files=None, **more):
    rows = {"shard_0.npz": archives.build([member()]), "shard_1.npz": archives.build([member()])} if files is None else files
    if manifest is not None:
        rows = rows | {"manifest.json": manifest if isinstance(manifest, (str, bytes)) else json.dumps(manifest)}
    return folder(rows, **more)


def tensor(**words):
    return {"tensors": {"w": words}}


def folders():
    both = [{"file": "shard_0.npz"}, {"file": "shard_1.npz"}]
    bad = "bad-index"
    return [
        notice("set_alike", shards(), "shards-not-joined"),
        notice("set_gap", shards(files={"shard_0.npy": npy(), "shard_999999.npy": npy()}), "missing-shard"),
        notice("set_count", shards(files={"w-00001-of-99999.npy": npy()}), "missing-shard"),
        notice("set_one_broken", shards(files={"shard_0.npy": npy(), "shard_1.npy": b"\x93NUMPY"}), "truncated"),
        error("set_all_broken", shards(files={"shard_0.npy": b"\x93NUMPY", "shard_1.npy": b"\x93NUMPY"}), "truncated"),
        notice("set_empty_file", shards(files={"shard_0.npy": npy(), "shard_1.npy": b""}), "empty-file"),
        notice("manifest_no_json", shards("{files: 1}"), "json-syntax"),
        notice("manifest_deep", shards("[" * 100_000), "json-too-deep"),
        notice("manifest_not_utf8", shards(b'{"files": ["\xff"]}'), "bad-encoding"),
        notice("manifest_missing", shards({"files": ["shard_0.npz", "shard_1.npz", "shard_2.npz"]}), "missing-shard"),
        notice("manifest_stray", shards({"files": ["shard_0.npz"]}), "stray-file"),
        notice("manifest_climbs", shards({"files": ["shard_0.npz", "../outside/secret.npz"]}), "outside-folder"),
        notice("manifest_absolute", shards({"files": ["shard_0.npz", "/etc/passwd.npz"]}), "outside-folder"),
        notice("manifest_other_kind", shards(tensor(file="../outside/secret")), bad),
        notice("manifest_itself", shards(tensor(parts=[{"file": "."}, {"file": "shard_0.npz"}])), bad),
        notice("manifest_twice", shards(tensor(axis=0, parts=[{"file": "shard_0.npz"}, {"file": "twin.npz"}]),
                                        then=lambda place: os.link(place.open / "shard_0.npz", place.open / "twin.npz")), bad),
        notice("manifest_size", shards({"files": [{"file": "shard_0.npz", "size": 7}, {"file": "shard_1.npz"}]}), bad),
        notice("manifest_longer", shards({"files": [{"file": "shard_0.npz", "size": 1 << 40}, {"file": "shard_1.npz"}]}),
               "truncated"),
        finding("manifest_sha256", shards({"files": [{"file": "shard_0.npz", "sha256": "0" * 64}, {"file": "shard_1.npz"}]}),
                "bad-checksum"),
        finding("manifest_md5_map", shards({"md5": {"shard_0.npz": "1" * 32}}), "bad-checksum"),
        finding("sums_file", shards(files={"shard_0.npy": npy(), "SHA256SUMS": "0" * 64 + "  shard_0.npy\n"}), "bad-checksum"),
        notice("manifest_origin_outside", shards(tensor(shape=[4, 3], parts=[
            {"file": "shard_0.npz", "offset": [0, 0]}, {"file": "shard_1.npz", "offset": [3, 0]}])), bad),
        notice("manifest_origin_wraps", shards(tensor(parts=[
            {"file": "shard_0.npz", "offset": [0, 0]}, {"file": "shard_1.npz", "offset": [(1 << 63) - 1, 0]}])), bad),
        notice("manifest_origin_rank", shards(tensor(parts=[
            {"file": "shard_0.npz", "offset": [0]}, {"file": "shard_1.npz", "offset": [2]}])), bad),
        finding("manifest_hole", shards(tensor(shape=[8, 3], parts=[
            {"file": "shard_0.npz", "offset": [0, 0]}, {"file": "shard_1.npz", "offset": [4, 0]}])), "coverage-hole"),
        finding("manifest_overlap", shards(tensor(shape=[3, 3], parts=[
            {"file": "shard_0.npz", "offset": [0, 0]}, {"file": "shard_1.npz", "offset": [1, 0]}])), "coverage-overlap", exit=0),
        notice("manifest_shape", shards(tensor(shape=[5, 3], axis=0, parts=both)), "coverage-hole"),
        notice("manifest_rank", shards(tensor(shape=[4, 3, 1], axis=0, parts=both)), bad),
        notice("manifest_axis_9", shards(tensor(axis=9, parts=both)), "shards-not-joined"),
        notice("manifest_axis_negative", shards(tensor(axis=-9, parts=both)), "shards-not-joined"),
        fine("manifest_axis_last", shards(tensor(axis=-1, parts=both))),
        notice("manifest_no_place", shards(tensor(parts=both)), "shards-not-joined"),
        notice("manifest_no_array", shards(tensor(file="shard_0.npz", key="nothing")
                                           | {"files": ["shard_0.npz", "shard_1.npz"]},
                                           files={"shard_0.npz": archives.build([member("a.npy"), member("b.npy")]),
                                                  "shard_1.npz": archives.build([member()])}), bad),
        notice("manifest_dtype", shards(tensor(axis=0, dtype="float64", parts=both)), bad),
        notice("manifest_extent", shards(tensor(axis=0, parts=[{**both[0], "shape": [9, 9]}, both[1]])), bad),
        notice("manifest_shape_huge", shards(tensor(shape=[1 << 62, 1 << 62], axis=0, parts=both)), "limit-exceeded"),
        notice("manifest_other_dtypes", shards(tensor(axis=0, parts=both),
                                               files={"shard_0.npz": archives.build([member()]),
                                                      "shard_1.npz": archives.build([member(descr="'<i4'")])}), bad),
        notice("manifest_lost_part", shards(tensor(shape=[6, 3], axis=0, parts=both + [{"file": "shard_2.npz"}])), "missing-shard"),
        notice("manifest_nonsense_words", shards({"files": 3, "tensors": "all", "axes": [[]], "checksums": 1.5,
                                                "shards": {"shard_0.npz": None, "shard_1.npz": True}}), "shards-not-joined"),
        fine("manifest_empty", shards("{}", files={"shard_0.npy": npy()})),
    ]


def cases():
    return headers() + kinds() + archive_cases() + folders()
