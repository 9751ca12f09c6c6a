# SPDX-License-Identifier: Apache-2.0
"""Hostile TensorFlow checkpoints: tables, entries, slices, strings, folders, old files."""
import os
import struct

import bundles as b
from table import error, file, finding, fine, folder, notice

BAD = "bad-index"
HUGE = 1 << 62


def index(data):
    """A folder of one checkpoint with these bytes as index; the index is opened."""
    def build(place):
        place.write("ckpt-1.data-00000-of-00001", b.DATA)
        return place.write("ckpt-1.index", data)
    return build


def rows(more, data=b.DATA, header=None):
    return folder(b.bundle({**b.good(), **({b"": header} if header else {}), **more}, data))


def w(**fields):
    return folder(b.bundle({b"": b.header(), b"w": b.entry(**fields)}))


def cut(count):
    return lambda place: index(b.table(list(b.good().items()))[:count])(place)


def tables():
    whole = b.table(list(b.good().items()))
    def flip(at, bit=1):
        data = bytearray(whole)
        data[at] ^= bit
        return bytes(data)
    first = b.block(sorted(b.good().items()))
    return [
        error("empty", index(b""), "empty-file"),
        error("zeros", index(bytes(300)), "zero-filled"),
        error("footer_only_magic", index(struct.pack("<Q", b.MAGIC)), "truncated"),
        error("no_magic", index(b.table(list(b.good().items()), magic=1)), "bad-encoding"),
        error("cut_in_footer", index(whole[:-20]), "bad-encoding"),
        error("cut_in_block", index(whole[:60]), "bad-encoding"),
        error("bytes_after_footer", index(whole + b"x" * 9), "bad-encoding"),
        error("footer_offset_huge", index(b.block([]) + b.footer(b.handle(0, 8), b.handle(HUGE, 8))), "truncated"),
        error("footer_size_huge", index(b.block([]) + b.footer(b.handle(0, 8), b.handle(0, (1 << 64) - 1))), "truncated"),
        error("footer_varint_open", index(b.block([]) + b"\xff" * 40 + struct.pack("<Q", b.MAGIC)), "bad-encoding"),
        error("index_block_bit", index(flip(len(whole) - 60)), "bad-checksum"),
        error("data_block_bit", index(flip(20)), "bad-checksum"),
        error("index_is_data", index(b.table(list(b.good().items()), index=[(b"k", b"\xff\xff")])), "bad-encoding"),
        error("same_block_twice", index(b.table(blocks=[first], index=[(b"a", b.handle(0, len(first) - 5))] * 1 + [(b"b", b.handle(0, len(first) - 5))])), "bad-encoding"),
        error("blocks_backwards", index(b.table(blocks=[first, first], index=[(b"a", b.handle(len(first), len(first) - 5)), (b"b", b.handle(0, len(first) - 5))])), "bad-encoding"),
        error("block_outside", index(b.table(blocks=[first], index=[(b"a", b.handle(10_000, 50))])), "bad-encoding"),
        error("index_cycle", index(b.table(blocks=[first], index=[(b"a", b.handle(0, 1 << 40))])), "bad-encoding"),
        error("restarts_huge", index(b.table(blocks=[b.block(sorted(b.good().items()), restarts=0xFFFFFFFF)])), "bad-encoding"),
        error("block_too_short", index(b.table(blocks=[b.seal(b"\x00")])), "bad-encoding"),
        error("shares_too_much", index(b.table(blocks=[b.block([(5, b"x", b"y")])])), "bad-encoding"),
        error("suffix_past_block", index(b.table(blocks=[b.seal(b"\x00\xff\xff\x7f\x00" + struct.pack("<II", 0, 1))])), "bad-encoding"),
        error("unknown_compression", index(b.table(blocks=[b.block(sorted(b.good().items()), kind=7)])), "unsupported"),
        error("snappy_garbage", index(b.table(blocks=[b.seal(b"\x0a\xff\xff\xff\xff", 1)])), "bad-encoding"),
        error("snappy_bomb", index(b.table(blocks=[b.seal(b"\xff\xff\xff\xff\x0f" + b"x" * 30, 1)])), "limit-exceeded"),
        error("snappy_claims_much", index(b.table(blocks=[b.seal(b"\x80\x80\x40" + b"x" * 30, 1)])), "limit-exceeded"),
        error("leveldb_of_others", index(b.table([(b"key", b"value")])), "not-a-checkpoint"),
        error("empty_table", index(b.table([])), "not-a-checkpoint"),
        notice("second_block_bit", index(b.table(blocks=[first, b.block([(b"x", b.entry())], lie_crc=1)])), "bad-checksum"),
        notice("keys_fall", index(b.table(blocks=[b.block([(b"", b.header()), (b"w", b.entry()), (b"a", b.entry())])])), "bad-encoding"),
        notice("key_twice", index(b.table(blocks=[b.block([(b"", b.header()), (b"w", b.entry()), (b"w", b.entry())])])), "bad-encoding"),
        notice("key_grows", index(b.table(blocks=[b.block([(b"", b.header())] + [(0 if i == 0 else i * 2000, b"a" * 2000, b.entry()) for i in range(400)])])), "limit-exceeded"),
    ]


def entries():
    return [
        error("header_cut", index(b.table([(b"", b.header()[:-1])])), "not-a-checkpoint"),
        error("header_is_text", index(b.table([(b"", b"hello")])), "not-a-checkpoint"),
        error("header_group", index(b.table([(b"", b"\x0b" * 50)])), "not-a-checkpoint"),
        error("no_shards", rows({}, header=b.header(shards=0)), BAD),
        error("shards_huge", rows({}, header=b.header(shards=HUGE)), BAD),
        error("version_later", rows({}, header=b.header(consumer=9)), "unsupported"),
        error("endianness_unknown", rows({}, header=b.header(endianness=7)), "not-a-checkpoint"),
        notice("shards_of_which_none", rows({}, header=b.header(shards=99_999)), "missing-shard"),
        notice("entry_cut", rows({b"x": b.entry()[:-1]}), BAD),
        notice("entry_garbage", rows({b"x": b"\xff" * 40}), BAD),
        notice("entry_groups", rows({b"x": b"\x0b" * 4000}), BAD),
        notice("entry_length_past", rows({b"x": b"\x12\xff\x7f"}), BAD),
        notice("dtype_unknown", w(dtype=77), "unsupported"),
        notice("dtype_variant", w(dtype=b.VARIANT), "unsupported"),
        notice("dtype_zero", w(dtype=0), "unsupported"),
        notice("size_too_small", w(size=20), BAD),
        notice("size_too_large", w(size=28), BAD),
        notice("size_huge", w(size=HUGE), BAD),
        notice("shape_wraps", w(extents=(1 << 32, 1 << 32, 1 << 32), size=24), BAD),
        notice("shape_wraps_to_size", w(extents=(HUGE, 4, 6), size=24), BAD),
        notice("shape_negative", w(extents=(-1, 6)), BAD),
        notice("shape_unknown_rank", folder(b.bundle({b"": b.header(), b"w": b.number(1, 1) + b.message(2, b.number(3, 1)) + b.number(5, 24)})), BAD),
        notice("shape_deep", w(extents=(1,) * 200, size=4), BAD),
        notice("shard_beyond", w(shard=5), BAD),
        notice("shard_negative", w(shard=-1), BAD),
        notice("offset_past_end", w(offset=1000), "truncated"),
        notice("offset_huge", w(offset=HUGE), "truncated"),
        notice("offset_negative", w(offset=-8), BAD),
        notice("one_byte_short", rows({}, data=b.DATA[:-1]), "truncated"),
        notice("shard_empty", rows({}, data=b""), "truncated"),
        finding("bit_in_data", rows({}, data=bytes([b.DATA[0] ^ 1]) + b.DATA[1:]), "bad-checksum"),
        finding("crc_wrong", w(crc=1), "bad-checksum"),
        fine("no_crc", w(), verb="ls"),
        notice("shard_missing", folder(lambda place: {**b.bundle(rows={b"": b.header(shards=2), b"w": b.entry(shard=1)}, shards=2), "ckpt-1.data-00001-of-00002": b"x"}, then=lambda place: (place.open / "ckpt-1.data-00001-of-00002").unlink()), "missing-shard"),
        notice("many_bad_entries", rows({b"x%06d" % i: b"\xff" for i in range(20_000)}), BAD),
        fine("names_of_control", rows({b"\x1b[31mred\n": b.entry(), b"../../etc/passwd": b.entry()}), verb="ls"),
        fine("name_not_utf8", rows({b"\xff\xfe\xfd": b.entry()}), verb="ls"),
        fine("name_long", rows({b"n" * 60_000: b.entry()}), verb="ls"),
    ]


def slices():
    part = [(0, 1), (0, 3)]
    other = [(1, 1), (0, 3)]
    whole = b.entry(size=0, slices=[part, other])
    half = b.entry(extents=(1, 3), size=12)
    half2 = b.entry(extents=(1, 3), size=12, offset=12)
    def sliced(more, full=whole):
        return folder(b.bundle({b"": b.header(), **more, b"w": full}))
    return [
        fine("two_slices", sliced({b.slice_key(b"w", part): half, b.slice_key(b"w", other): half2}), verb="hash"),
        notice("slice_missing", sliced({b.slice_key(b"w", part): half}), BAD),
        notice("no_slices", sliced({}), BAD),
        notice("slice_outside", sliced({b.slice_key(b"w", part): half, b.slice_key(b"w", [(2, 1), (0, 3)]): half2}), BAD),
        notice("slice_negative", sliced({b.slice_key(b"w", part): half, b.slice_key(b"w", [(-1, 1), (0, 3)]): half2}), BAD),
        notice("slice_of_other_rank", sliced({b.slice_key(b"w", part): half, b.slice_key(b"w", [(1, 1)]): half2}), BAD),
        notice("slice_of_other_dtype", sliced({b.slice_key(b"w", part): half, b.slice_key(b"w", other): b.entry(dtype=b.INT32, extents=(1, 3), size=12)}), BAD),
        notice("slice_size_wrong", sliced({b.slice_key(b"w", part): half, b.slice_key(b"w", other): b.entry(extents=(1, 3), size=4)}), BAD),
        finding("slices_overlap", sliced({b.slice_key(b"w", [(0, 2), (0, 3)]): b.entry(), b.slice_key(b"w", other): half2}), "coverage-overlap", exit=0),
        notice("slice_key_cut", sliced({b.slice_key(b"w", part)[:-1]: half}), BAD),
        notice("slice_key_open", sliced({b"\x00w": half}), BAD),
        notice("slice_key_rank", sliced({b"\x00w\x00\x01\x08" + b"\xff" * 8: half}), BAD),
        notice("slice_key_numbers", sliced({b"\x00w\x00\x01\x01\x02" + b"\xff" * 40: half}), BAD),
        notice("extent_huge", sliced({b.slice_key(b"w", [(0, HUGE), (0, 3)]): half}), BAD),
    ]


def texts():
    good, crc = b.strings([b"one", b"", b"three"])
    def text(data, extents=(3,), size=None, crc=None):
        return folder(b.bundle({b"": b.header(), b"t": b.entry(dtype=b.STRING, extents=extents, size=len(data) if size is None else size, crc=crc)}, data))
    lying, _ = b.strings([b"one", b"", b"three"], lie=1)
    return [
        fine("strings", text(good, crc=crc), verb="hash"),
        finding("lengths_checksum", text(lying), "bad-checksum"),
        finding("strings_checksum", text(good[:-1] + b"E", crc=crc), "bad-checksum"),
        finding("strings_fewer", text(good, extents=(2,)), "bad-encoding"),
        finding("strings_more", text(good, extents=(4,)), "bad-encoding"),
        finding("string_past_end", text(b"\x7f\x00\x05" + good[3:]), "bad-encoding"),
        finding("string_length_huge", text(b"\xff" * 9 + b"\x01" + good, extents=(1,)), "bad-encoding"),
        finding("string_length_open", text(b"\xff" * 30, extents=(2,)), "bad-encoding"),
        notice("strings_of_a_trillion", text(good, extents=(1 << 40,)), BAD),
        fine("strings_none", text(b"", extents=(0,), size=0), verb="hash"),
        finding("graph_is_garbage", folder(b.bundle({b"": b.header(), b"_CHECKPOINTABLE_OBJECT_GRAPH": b.entry(dtype=b.STRING, extents=(), size=len(good))}, good)), "bad-encoding"),
        finding("graph_in_groups", folder(lambda place: graph(b"\x0b" * 5000)), "bad-encoding"),
        fine("graph_nested", folder(lambda place: graph(nested(3000)))),
    ]


def nested(depth):
    data = b""
    for _ in range(depth):
        data = b.message(1, data)
    return data


def graph(data):
    stored, crc = b.strings([data])
    return b.bundle({b"": b.header(), b"_CHECKPOINTABLE_OBJECT_GRAPH": b.entry(dtype=b.STRING, extents=(), size=len(stored), crc=crc)}, stored)


def link_out(place):
    (place.open / "ckpt-1.data-00000-of-00001").unlink()
    os.symlink(place.outside / "secret", place.open / "ckpt-1.data-00000-of-00001")


def link_pipe(place):
    (place.open / "ckpt-1.data-00000-of-00001").unlink()
    os.mkfifo(place.open / "ckpt-1.data-00000-of-00001")


def folders():
    whole = b.bundle()
    state = 'model_checkpoint_path: "%s"\n'
    return [
        notice("shard_is_link_out", folder(whole, then=link_out), "outside-folder"),
        notice("shard_is_pipe", folder(whole, then=link_pipe), "not-a-regular-file"),
        fine("state_absolute", folder({**whole, "checkpoint": state % "/etc/passwd/ckpt-1"})),
        notice("state_climbs", folder({**whole, "checkpoint": state % "../outside/secret"}), "dangling-pointer"),
        fine("state_garbage", folder({**whole, "checkpoint": b"\xff\x00" * 500})),
        fine("state_open_quote", folder({**whole, "checkpoint": 'model_checkpoint_path: "ckpt'})),
        fine("state_escapes", folder({**whole, "checkpoint": 'model_checkpoint_path: "\\143kpt-1\\'})),
        fine("state_many", folder({**whole, "checkpoint": state % "ckpt-1" + 'all_model_checkpoint_paths: "x"\n' * 50_000})),
        notice("state_of_older", folder({**whole, **b.bundle(name="ckpt-2"), "checkpoint": state % "ckpt-1"}), "stray-file"),
        fine("newest_is_damaged", folder({**whole, "ckpt-2.index": b"x" * 99, "ckpt-2.data-00000-of-00001": b"x"})),
        error("shard_alone", file("ckpt-1.data-00000-of-00001", b.DATA), "missing-shard"),
        notice("stale_shards", folder({**whole, "ckpt-1.data-00000-of-00002": b"x"}), "stale-shard"),
        notice("parts_unmerged", folder({"part-00000-of-00002.index": b.table(list(b.good().items())), "part-00000-of-00002.data-00000-of-00001": b.DATA}), "being-written"),
        notice("parts_garbage", folder({"part-00000-of-00002.index": b"garbage"}), "being-written"),
        fine("saved_model_bare", folder({"saved_model.pb": b"\x08\x01", "fingerprint.pb": b"x"})),
        error("saved_model_index_zero", folder({"saved_model.pb": b"x", "variables/variables.index": bytes(100)}), "bad-encoding"),
        notice("interrupted", folder({**whole, "ckpt-1.index.tempstate12345": b"x"}), "stray-file"),
    ]


def v1_slice(name, parts, dtype, values):
    proto = b.number(1, dtype) + values
    saved = b.message(1, name) + b.message(3, proto)
    return b.slice_key(name, parts), b.message(2, saved)


def v1(metas, slices):
    meta = b"".join(b.message(1, m) for m in metas)
    return file("model.ckpt-7", b.table([(b"", b.message(1, meta)), *slices]))


def meta(name=b"w", extents=(2, 3), dtype=b.FLOAT):
    return b.message(1, name) + b.message(2, b.shape(*extents)) + b.number(3, dtype)


def old():
    part = [(0, -1), (0, -1)]
    floats = b.message(5, b.DATA)
    return [
        fine("v1", v1([meta()], [v1_slice(b"w", part, b.FLOAT, floats)]), verb="hash"),
        finding("v1_too_few", v1([meta()], [v1_slice(b"w", part, b.FLOAT, b.message(5, b.DATA[:-4]))]), "bad-encoding"),
        finding("v1_too_many", v1([meta()], [v1_slice(b"w", part, b.FLOAT, b.message(5, b.DATA * 2))]), "bad-encoding"),
        finding("v1_other_field", v1([meta()], [v1_slice(b"w", part, b.FLOAT, b.message(7, b"\x01" * 6))]), "bad-encoding"),
        finding("v1_varints_open", v1([meta(dtype=b.INT64)], [v1_slice(b"w", part, b.INT64, b.message(10, b"\xff" * 60))]), "bad-encoding"),
        finding("v1_groups", v1([meta()], [(b.slice_key(b"w", part), b"\x0b" * 500)]), "bad-encoding"),
        finding("v1_no_slice", v1([meta()], []), "coverage-hole"),
        notice("v1_unknown_variable", v1([meta()], [v1_slice(b"x", part, b.FLOAT, floats)]), BAD),
        notice("v1_slice_outside", v1([meta()], [v1_slice(b"w", [(5, 1), (0, -1)], b.FLOAT, floats)]), BAD),
        notice("v1_dtype_unknown", v1([meta(dtype=99)], []), BAD),
        notice("v1_shape_negative", v1([meta(extents=(-4,))], []), BAD),
        error("v1_meta_damaged", file("model.ckpt-7", b.table([(b"", b.message(1, b"\x0a\x7f"))])), "not-a-checkpoint"),
        fine("v1_strings", v1([meta(extents=(2,), dtype=b.STRING)], [v1_slice(b"w", [(0, -1)], b.STRING, b.message(8, b"a") + b.message(8, b""))]), verb="hash"),
    ]


def cases():
    return tables() + entries() + slices() + texts() + folders() + old()
