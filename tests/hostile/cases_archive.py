# SPDX-License-Identifier: Apache-2.0
"""Damaged and hostile Cairn archives."""
from archive_files import (ALIAS, CONSTANT, DELTA, MAGIC, NO_VALUES, SAME, STORED, ZSTD, Tensor, archive, chunk, constant,
                           frame, index, plane, runs, shortened, text, u32, u64, u8, value_node, values)
from ocdbts import crc32c
from table import error, file, fine, finding, folder, notice

MAX = (1 << 64) - 1
BAD, CUT, SUM, MUCH = "bad-encoding", "truncated", "bad-checksum", "limit-exceeded"


def one(data):
    return file("x.cairnz", data)


def packed(*tensors, **more):
    return one(archive(tensors, **more))


def files():
    good = archive()
    foot = lambda **told: one(archive(foot=told))
    return [
        fine("whole", one(good), "check"),
        error("magic_only", one(MAGIC), CUT),
        error("head_only", one(good[:16]), CUT),
        error("no_foot", one(good[:-64]), CUT),
        error("foot_cut", one(good[:-1]), CUT),
        error("more_behind", one(good + b"\0"), CUT),
        error("two_files_joined", one(good + good), BAD),
        error("line_ends_changed", one(good.replace(b"\r\n", b"\n")), "not-a-checkpoint"),
        error("version_2_in_head", one(archive(first=MAGIC + u32(2) + u32(0))), "unsupported"),
        error("version_2_in_foot", foot(version=2), "unsupported"),
        error("foot_magic", foot(magic=b"CAIRNZ\r\r"), CUT),
        error("foot_checksum", foot(crc=1), SUM),
        error("values_before_head", foot(offset=8), BAD),
        error("values_beyond", foot(offset=1 << 40), BAD),
        error("values_offset_wraps", foot(offset=MAX - 3), BAD),
        error("values_length_wraps", foot(values=MAX), BAD),
        error("index_length_short", foot(index=3), BAD),
        error("index_length_wraps", foot(index=MAX), BAD),
        error("index_raw_smaller", foot(raw_index=3), MUCH),
        error("index_raw_2_64", foot(raw_index=MAX), MUCH),
        error("index_raw_100_times", one(archive(foot={"raw_index": 1 << 27})), MUCH),
        error("values_raw_2_64", foot(raw_values=MAX), MUCH),
        error("index_checksum", foot(index_crc=7), SUM),
        error("hole_before_values", one(archive(before=b"hole")), BAD),
        error("index_frame_is_none", one(archive(foot={"raw_index": 4000})), BAD),
    ]


def sections():
    raw = index((Tensor(),))
    t = Tensor(role="k" * 1000)
    sealed = lambda data, told=None: one(archive(raw_index=raw, sealed_index=data, foot={} if told is None else {"raw_index": told}))
    bomb = runs(0, 1 << 20)
    return [
        fine("index_in_frame", one(archive((t,), sealed_index=shortened(index((t,)), b"k"))), "check"),
        error("index_frame_holds_less", sealed(frame(raw[:50]), 600), BAD),
        error("index_bomb_in_limits", sealed(bomb, 1 << 20), BAD),
        error("index_bomb_says_less", sealed(bomb, 4096), MUCH),
        error("index_bomb_says_more", sealed(runs(0, 1 << 20), (1 << 20) - 1), MUCH),
    ]


def rows():
    t = Tensor
    bad = lambda name, code=BAD, **more: error(name, packed(t(**more)), code)
    return [
        error("index_empty", one(archive(raw_index=b"")), CUT),
        error("index_cut_in_head", one(archive(raw_index=index(())[:20])), CUT),
        error("index_cut_in_row", one(archive(raw_index=index((t(),))[:-20])), CUT),
        error("index_more_behind", one(archive(raw_index=index((t(),), behind=b"x"))), BAD),
        error("tensors_2_64", packed(t(), counts=(MAX, None)), MUCH),
        error("tensors_4_million", packed(t(), counts=(4_000_000, None)), BAD),
        error("chunks_2_64", packed(t(), counts=(None, MAX)), BAD),
        error("chunks_two_of_one", packed(t(), counts=(None, 2)), BAD),
        error("chunk_bytes_0", packed(t(), chunk_bytes=0), BAD),
        error("chunk_bytes_3", packed(t(), chunk_bytes=3), BAD),
        error("chunk_bytes_1g", packed(t(), chunk_bytes=1 << 30), BAD),
        error("chunk_bytes_2_64", packed(t(), chunk_bytes=MAX - 15), BAD),
        error("name_length_2_32", one(archive(raw_index=index((t(),)).replace(text("w"), text("w", (1 << 32) - 1)))), CUT),
        bad("rank_255_of_two", rank=255),
        bad("dtype_unknown", dtype="float33"),
        bad("width_3", width=3),
        bad("width_0", width=0, size=24),
        bad("rotate_2", rotate=2),
        bad("kind_9", kind=9),
        bad("rank_65", shape=(1,) * 65, size=4),
        bad("negative_dimension", shape=(-2, 3), size=24),
        bad("shape_overflows", shape=(1 << 40, 1 << 40), size=24),
        bad("size_is_more", size=28),
        bad("size_is_less", size=20),
        bad("size_no_elements", size=22),
        bad("size_2_63_one_chunk", size=1 << 63, shape=(1 << 61,)),
        bad("petabyte_of_one_chunk", shape=(1 << 48,)),
        bad("chunk_of_no_bytes", stored={0: 0}),
        bad("chunk_longer", stored={0: 4000}),
        bad("chunk_shorter", stored={0: 5}),
        bad("chunk_2_32", stored={0: (1 << 32) - 1}),
        bad("delta_of_nothing", kind=DELTA),
        error("alias_of_itself", packed(t(kind=ALIAS, chunks=())), BAD),
        error("alias_beyond", packed(t(), t(name="v", kind=ALIAS, alias=9, chunks=())), BAD),
        error("alias_of_alias", packed(t(), t(name="v", kind=ALIAS, chunks=()), t(name="u", kind=ALIAS, alias=1, chunks=())), BAD),
        error("alias_of_other_shape", packed(t(), t(name="v", kind=ALIAS, shape=(6,), chunks=())), BAD),
        fine("alias", packed(t(), t(name="v", kind=ALIAS, chunks=())), "check"),
        notice("name_twice", packed(t(), t()), "duplicate-tensor"),
        fine("no_tensors", packed()),
        fine("name_with_escape", packed(t(name="w\x1b[31m\u202e")), "check"),
        fine("format_with_escape", packed(t(), format="\x1b]0;x\x07"), "check"),
        fine("role_unknown", packed(t(role="king")), "check"),
        error("chain_too_long", packed(t(), chain=99), MUCH),
    ]


def chunks():
    def at(name, data, code=BAD, **more):
        return error(name, packed(Tensor(chunks=(data,), **more)), code, "hash")

    low = [plane(CONSTANT, b"\0")] * 3
    one_byte = dict(width=1, rotate=0, dtype="uint8", shape=(1 << 20,))
    return [
        at("checksum", constant(), SUM, crcs={0: 1}),
        finding("checksum_found_by_check", packed(Tensor(crcs={0: 1})), SUM),
        at("shorter_than_head", b"\0" * 19, CUT),
        at("mode_3", chunk(*low, plane(3, b"\0"))),
        at("mode_255", chunk(*low, plane(255, b"\0"))),
        at("plane_beyond_chunk", chunk(*low, plane(STORED, b"\0" * 6, 700)), CUT),
        at("plane_2_32", chunk(*low, plane(STORED, b"\0" * 6, (1 << 32) - 1)), CUT),
        at("first_plane_takes_all", chunk(plane(CONSTANT, b"\0", 4), *low)),
        at("bytes_behind", constant() + b"\0"),
        at("stored_short", chunk(*low, plane(STORED, b"\0" * 5))),
        at("stored_long", chunk(*low, plane(STORED, b"\0" * 7))),
        at("constant_of_two", chunk(*low, plane(CONSTANT, b"\0\0"))),
        at("constant_of_none", chunk(*low, plane(CONSTANT, b""))),
        at("frame_is_none", chunk(*low, plane(ZSTD, b"not a frame"))),
        at("frame_empty", chunk(*low, plane(ZSTD, b""))),
        at("frame_cut", chunk(*low, plane(ZSTD, frame(bytes(6))[:-2]))),
        at("frame_holds_more", chunk(*low, plane(ZSTD, frame(bytes(7))))),
        at("frame_holds_less", chunk(*low, plane(ZSTD, frame(bytes(5))))),
        at("frame_says_2_32", chunk(*low, plane(ZSTD, frame(bytes(6), (1 << 32) - 1)))),
        at("frame_says_less", chunk(*low, plane(ZSTD, frame(bytes(6), 2)))),
        at("frame_bomb", chunk(*low, plane(ZSTD, runs(0, 1 << 28)))),
        at("frame_twice", chunk(*low, plane(ZSTD, frame(bytes(3)) * 3))),
        fine("frame_whole", packed(Tensor(chunks=(chunk(*low, plane(ZSTD, frame(bytes(6)))),))), "check"),
        fine("run_of_a_mebibyte", packed(Tensor(chunks=(chunk(plane(ZSTD, runs(7, 1 << 20))),), **one_byte)), "check"),
        at("same_mark_without_delta", SAME, CUT),
    ]


def trees():
    v = lambda root, nodes=(), **more: one(archive(raw_values=values(root, nodes, **more)))
    none, node = u8(0), lambda number: u8(9) + u64(number)
    deep = [value_node(11)] + [value_node(8, none + node(i), 1) for i in range(1200)]
    bad = lambda name, build, code=BAD: notice(name, build, code)
    return [
        bad("values_empty", one(archive(raw_values=b"")), CUT),
        bad("values_version", one(archive(raw_values=values(none, version=9)))),
        bad("values_checksum", one(archive(foot={"values_crc": 5})), SUM),
        bad("values_cut", v(b""), CUT),
        bad("values_more_behind", v(none + none)),
        bad("values_tag_77", v(u8(77))),
        bad("values_text_2_64", v(u8(5) + u64(MAX)), CUT),
        bad("values_bytes_2_40", v(u8(7) + u64(1 << 40)), CUT),
        bad("values_nodes_2_64", v(none, count=MAX), MUCH),
        bad("values_nodes_more", v(none, count=5)),
        bad("values_items_2_64", v(node(0), [value_node(8, none + none, MAX)]), MUCH),
        bad("values_node_of_itself", v(node(0), [value_node(8, none + node(0), 1)])),
        bad("values_node_to_come", v(node(0), [value_node(8, none + node(1), 1), value_node()])),
        bad("values_tensor_beyond", v(u8(8) + u32(1))),
        bad("values_kind_of_number", v(node(0), [value_node(2)])),
        bad("values_kind_99", v(node(0), [value_node(99)])),
        bad("values_too_deep", v(node(1200), deep), MUCH),
        fine("values_shared", v(node(1), [value_node(8), value_node(8, (none + node(0)) * 3, 3)])),
    ]


def deltas():
    same = lambda earlier, **more: archive((Tensor(kind=DELTA, chunks=(SAME,), content=(crc32c(bytes(24)),)),), earlier=earlier, **more)
    wrong = archive((Tensor(kind=DELTA, chunks=(SAME,), content=(9,)),), earlier="base.cairnz")
    base = archive()
    other = archive((Tensor(shape=(3, 2)),))
    pick = lambda files, name="x.cairnz": lambda place: (folder(files)(place), place.open / name)[1]
    ring = {"x.cairnz": same("y.cairnz", chain=1), "y.cairnz": same("x.cairnz", chain=1)}
    far = {"x.cairnz": same("a.cairnz"), **{f"{c}.cairnz": same(f"{chr(ord(c) + 1)}.cairnz") for c in "abcdefgh"}, "i.cairnz": base}
    return [
        fine("delta_of_base", pick({"x.cairnz": same("base.cairnz"), "base.cairnz": base}), "check"),
        fine("delta_beside_though_told_below", pick({"x.cairnz": same("far/base.cairnz"), "base.cairnz": base}), "check"),
        notice("delta_base_missing", one(same("base.cairnz")), "missing-shard"),
        error("delta_base_missing_read", one(same("base.cairnz")), "missing-shard", "hash"),
        notice("delta_base_above", one(same("../outside/secret")), "outside-folder"),
        error("delta_base_above_read", one(same("../outside/secret")), "outside-folder", "hash"),
        error("delta_base_absolute", one(same("/etc/passwd")), "outside-folder", "hash"),
        error("delta_base_empty", one(same("")), "outside-folder", "hash"),
        error("delta_base_up_within", one(same("a/../../outside/secret")), "outside-folder", "hash"),
        error("delta_base_of_zeros", pick({"x.cairnz": same("base"), "base": bytes(4096)}), "zero-filled", "hash"),
        error("delta_base_other_content", pick({"x.cairnz": wrong, "base.cairnz": base}), SUM, "hash"),
        error("delta_base_other_shape", pick({"x.cairnz": same("base.cairnz"), "base.cairnz": other}), SUM, "hash"),
        error("delta_base_other_name", pick({"x.cairnz": same("base.cairnz"), "base.cairnz": archive((Tensor(name="v"),))}), SUM, "hash"),
        error("delta_of_itself", one(same("x.cairnz")), MUCH, "hash"),
        error("delta_ring", pick(ring), MUCH, "hash"),
        error("delta_chain_of_nine", pick(far), MUCH, "hash"),
    ]


def cases():
    return files() + sections() + rows() + chunks() + trees() + deltas()
