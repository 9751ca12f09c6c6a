# SPDX-License-Identifier: Apache-2.0
"""Hostile GGUF files."""
import struct

from gguf_files import (ARCH, ARRAY, BOOL, F32, I32, TEXT, U16, U32, U64, U8, arr, gguf, info, kv, split, text)
from table import error, file, fine, finding, folder, notice

MAX = (1 << 64) - 1


def one(data):
    return file("x.gguf", data)


def key(kind, value, name="k"):
    return one(gguf(kvs=(ARCH, kv(name, kind, value))))


def u32(value):
    return struct.pack("<I", value)


def heads():
    bad, cut = "gguf-bad-header", "truncated"
    return [
        error("three_bytes", one(b"GGU"), cut),
        error("magic_only", one(b"GGUF"), cut),
        error("magic_wrong", one(b"GGUX" + gguf()[4:]), bad),
        error("magic_lower", one(b"gguf" + gguf()[4:]), bad),
        error("before_gguf", one(b"tjgg" + gguf()[4:]), "unsupported"),
        error("before_gguf_first", one(b"lmgg" + gguf()[4:]), "unsupported"),
        error("version_0", one(gguf(version=0)), "unsupported"),
        error("version_4", one(gguf(version=4)), "unsupported"),
        error("version_max", one(gguf(version=0xFFFFFFFF)), "unsupported"),
        error("version_big_endian_9", one(gguf(version=0x09000000)), "unsupported"),
        error("says_big_endian", one(gguf(version=0x03000000)), cut),
        error("head_cut_in_counts", one(gguf()[:12]), cut),
        error("head_cut_in_keys", one(gguf()[:40]), cut),
        error("head_cut_in_infos", one(gguf()[:75]), cut),
        error("tensors_max", one(gguf(tensors=MAX)), cut),
        error("tensors_2_60", one(gguf(tensors=1 << 60)), cut),
        error("tensors_2_32", one(gguf(tensors=1 << 32)), cut),
        error("tensors_one_more", one(gguf(tensors=2, data=b"")), cut),
        error("keys_max", one(gguf(keys=MAX)), cut),
        error("keys_one_more", one(gguf(keys=2)), cut),
        notice("keys_fewer", one(gguf(kvs=(ARCH, kv("a", U32, u32(1))), keys=1)), "gguf-bad-tensor"),
        error("version_1_of_3", one(gguf(version=1)), "gguf-bad-tensor"),
        fine("no_tensors", one(gguf(infos=[], data=b""))),
        fine("nothing_at_all", one(gguf(infos=[], kvs=(), data=b""))),
    ]


def metadata():
    bad, cut = "gguf-bad-metadata", "truncated"
    deep = b"".join(arr(ARRAY, 1) for _ in range(5000)) + arr(U8, 0)
    many = arr(ARRAY, 30_000, arr(U8, 0) * 30_000)
    return [
        error("key_length_max", one(gguf(kvs=(text("k", MAX) + u32(U8) + b"\1",))), cut),
        error("key_length_past_end", one(gguf(kvs=(text("k", 10_000),))), cut),
        error("key_too_long", one(gguf(kvs=(kv("k" * 70_000, U8, b"\1"),))), "limit-exceeded"),
        error("type_13", key(13, b"\0" * 8), bad),
        error("type_max", key(0xFFFFFFFF, b"\0" * 8), bad),
        error("text_length_max", key(TEXT, text("x", MAX)), cut),
        error("text_length_wraps", key(TEXT, text("x", MAX - 7)), cut),
        error("array_type_unknown", key(ARRAY, arr(99, 1, b"\0")), bad),
        error("array_count_max", key(ARRAY, arr(U8, MAX)), cut),
        error("array_count_wraps", key(ARRAY, arr(U64, 1 << 61)), cut),
        error("array_of_texts_2_40", key(ARRAY, arr(TEXT, 1 << 40)), cut),
        error("array_text_past_end", key(ARRAY, arr(TEXT, 2, text("a") + text("b", 1 << 50))), cut),
        error("array_of_arrays_max", key(ARRAY, arr(ARRAY, MAX)), cut),
        error("arrays_5000_deep", key(ARRAY, deep), bad),
        error("arrays_17_deep", key(ARRAY, b"".join(arr(ARRAY, 1) for _ in range(17)) + arr(U8, 0)), bad),
        fine("arrays_empty", key(ARRAY, arr(TEXT, 0))),
        fine("arrays_30000_in_one", key(ARRAY, many)),
        fine("array_million_bytes", key(ARRAY, arr(U8, 1_000_000, bytes(1_000_000)))),
        fine("array_200000_texts", key(ARRAY, arr(TEXT, 200_000, text("") * 200_000))),
        fine("text_17_mb", key(TEXT, text("x" * (17 << 20)))),
        fine("truth_is_7", key(BOOL, b"\7")),
        fine("text_is_escape", key(TEXT, text("\x1b[31mred\x07\u202e"))),
        notice("key_twice", one(gguf(kvs=(ARCH, kv("k", U8, b"\1"), kv("k", U8, b"\2")))), bad),
        notice("key_not_utf8", one(gguf(kvs=(ARCH, kv(b"\xff\xfe", U8, b"\1")))), "bad-encoding"),
        fine("text_not_utf8", key(TEXT, text(b"\xff\xfe\x00"))),
        fine("architecture_is_number", one(gguf(kvs=(kv("general.architecture", U32, u32(1)),)))),
        fine("architecture_is_long", one(gguf(kvs=(kv("general.architecture", TEXT, text("x" * 5000)),)))),
        error("alignment_zero", key(U32, u32(0), "general.alignment"), "gguf-bad-header"),
        error("alignment_48", key(U32, u32(48), "general.alignment"), "gguf-bad-header"),
        error("alignment_is_text", key(TEXT, text("32"), "general.alignment"), "gguf-bad-header"),
        error("alignment_is_u64", key(U64, struct.pack("<Q", 32), "general.alignment"), "gguf-bad-header"),
        notice("alignment_2_31", key(U32, u32(1 << 31), "general.alignment"), "gguf-bad-header"),
        notice("alignment_1", one(gguf(kvs=(ARCH, kv("general.alignment", U32, u32(1))), align=1, infos=[
            info("a", (1,)), info("b", (2,), offset=3)])), "coverage-overlap"),
    ]


def tensors():
    bad, cut = "gguf-bad-tensor", "truncated"
    return [
        error("name_length_max", one(gguf(infos=[text("w", MAX)])), cut),
        error("name_too_long", one(gguf(infos=[info("w" * 70_000)])), "limit-exceeded"),
        error("rank_max", one(gguf(infos=[info(rank=0xFFFFFFFF)])), bad),
        error("rank_past_end", one(gguf(infos=[info(rank=60)])), bad),
        notice("rank_65", one(gguf(infos=[info(dims=(1,) * 65)])), bad),
        notice("rank_5", one(gguf(infos=[info(dims=(1,) * 5)])), bad),
        notice("dim_max", one(gguf(infos=[info(dims=(MAX,))])), bad),
        notice("dim_2_63", one(gguf(infos=[info(dims=(1 << 63,))])), bad),
        notice("dims_product_wraps", one(gguf(infos=[info(dims=(1 << 32, 1 << 32))])), bad),
        notice("dims_product_wraps_to_6", one(gguf(infos=[info(dims=(MAX // 2, 3))])), bad),
        notice("bytes_wrap", one(gguf(infos=[info(dims=(1 << 61,))])), bad),
        notice("dims_2_40", one(gguf(infos=[info(dims=(1 << 40,))])), cut),
        fine("dims_zero", one(gguf(infos=[info(dims=(0, 5))]))),
        fine("rank_0", one(gguf(infos=[info(dims=())]))),
        notice("type_4_removed", one(gguf(infos=[info(kind=4)])), "gguf-unknown-type"),
        notice("type_38_removed", one(gguf(infos=[info(kind=38)])), "gguf-unknown-type"),
        notice("type_of_tensor_max", one(gguf(infos=[info(kind=0xFFFFFFFF)])), "gguf-unknown-type"),
        notice("type_unknown_past_end", one(gguf(infos=[info(kind=99, offset=1 << 62)])), "gguf-unknown-type"),
        notice("row_is_no_block", one(gguf(infos=[info(dims=(33,), kind=2)])), bad),
        notice("rows_are_no_blocks", one(gguf(infos=[info(dims=(16, 2), kind=2)])), bad),
        notice("scalar_block", one(gguf(infos=[info(dims=(), kind=12)])), bad),
        notice("blocks_past_end", one(gguf(infos=[info(dims=(256, 4), kind=12)])), cut),
        notice("offset_max", one(gguf(infos=[info(offset=MAX)])), cut),
        notice("offset_wraps_back", one(gguf(infos=[info(offset=MAX - 31)])), cut),
        notice("offset_past_end", one(gguf(infos=[info(offset=1 << 20)])), cut),
        notice("offset_one_too_far", one(gguf(infos=[info(offset=32)])), cut),
        notice("offset_unaligned", one(gguf(infos=[info(offset=4)], data=bytes(40))), bad),
        notice("name_twice", one(gguf(infos=[info("w"), info("w", offset=32)], data=bytes(64))), "duplicate-tensor"),
        notice("name_not_utf8", one(gguf(infos=[info(b"\xff\xfe")])), "bad-encoding"),
        fine("name_empty", one(gguf(infos=[info("")]))),
        fine("name_climbs", one(gguf(infos=[info("../../outside/secret")]))),
        fine("name_is_escape", one(gguf(infos=[info("\x1b]0;x\x07\u202e")]))),
        fine("same_place_same_shape", one(gguf(infos=[info("a"), info("b")]))),
        notice("same_place_other_type", one(gguf(infos=[info("a"), info("b", kind=26)])), "coverage-overlap"),
        notice("overlap_by_half", one(gguf(infos=[info("a", (16,)), info("b", (8,), offset=32)], data=bytes(64))),
               "coverage-overlap"),
        notice("overlap_inside", one(gguf(infos=[info("a", (64,)), info("b", (1,), offset=64), info("c", (1,), offset=128)],
                                          data=bytes(256))), "coverage-overlap"),
        notice("data_missing", one(gguf(data=b"")), cut),
        notice("data_cut", one(gguf(data=bytes(23))), cut),
        finding("data_cut_found", one(gguf(data=bytes(23))), cut),
        fine("ten_thousand_empty", one(gguf(infos=[info("t%d" % i, (0,)) for i in range(10_000)]))),
        finding("scale_is_nan", one(gguf(infos=[info(dims=(32,), kind=2)], data=b"\x00\x7e" + bytes(16))), "non-finite"),
    ]


def names(count, make):
    return {"m-%05d-of-%05d.gguf" % (i + 1, count): make(i) for i in range(count)}


def splits():
    two = names(2, lambda i: split(i, 2))
    first, second = two
    return [
        fine("two_files", folder(two)),
        notice("second_missing", folder({first: two[first]}), "missing-shard"),
        notice("first_missing", folder({second: two[second]}), "missing-shard"),
        notice("second_broken", folder({**two, second: b"GGUF"}), "truncated"),
        notice("second_is_no_gguf", folder({**two, second: b"hello"}), "gguf-bad-header"),
        error("both_broken", folder({first: b"GGUF", second: b"GGUF"}), "truncated"),
        notice("second_is_the_first", folder({**two, second: two[first]}), "stale-shard"),
        notice("second_of_another_count", folder({**two, second: split(1, 7)}), "stale-shard"),
        notice("tensors_count_differs", folder(names(2, lambda i: split(i, 2, total=9))), "bad-index"),
        notice("two_sets", folder({**two, "x-00001-of-00001.gguf": gguf()}), "stray-file"),
        notice("count_100000", folder({"m-00001-of-100000.gguf": split(0, 2)}), "missing-shard"),
        notice("split_without_number", file("model.gguf", split(0, 3)), "missing-shard"),
        notice("split_count_65535", file("m-00001-of-65535.gguf", split(0, 65535)), "missing-shard"),
        notice("split_links_out", lambda place: linked_out(place, two), "outside-folder"),
    ]


def linked_out(place, two):
    first, second = two
    place.write(first, two[first])
    (place.outside / "b.gguf").write_bytes(two[second])
    (place.open / second).symlink_to(place.outside / "b.gguf")
    return place.open


def cases():
    return heads() + metadata() + tensors() + splits()
