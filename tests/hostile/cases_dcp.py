# SPDX-License-Identifier: Apache-2.0
"""Hostile distributed checkpoints: index, shards, and the archives inside the shards."""
import os
import shutil
import struct

import archives
import pickles
from archives import Entry
from dcps import Dcp, dcp, high, index, item, new, second
from pickles import P
from table import error, finding, fine, job, notice

MAX = (1 << 63) - 1
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n"


def raw(data):
    return dcp(lambda d: setattr(d, "index", data))


def edit(change):
    return dcp(change)


def pipe(name):
    def then(place):
        (place.open / name).unlink()
        os.mkfifo(place.open / name)

    return dcp(then=then)


def link(name, target, **fields):
    def then(place):
        (place.open / name).unlink()
        os.symlink(target, place.open / name)

    return dcp(lambda d: d.second.update(fields), then=then)


def being_written(d):
    d.no_index = True
    d.files[".metadata.tmp"] = b"x"


def no_place(d):
    d.spec["values"]["other"] = {"path": "", "offset": 0, "length": 0}


def cyclic_state():
    p = new(P(), "Metadata").raw(b"q\x00").op("}").op("(").text("state_dict_metadata").op("]").text("self")
    return p.raw(b"h\x00").op("u").op("b").stop()


def indexes():
    whole, bad = index(Dcp().spec), "dcp-bad-metadata"
    return [
        error("index_empty", raw(b""), "empty-file"),
        error("index_zeros", raw(bytes(500)), "zero-filled"),
        error("index_lfs", raw(LFS), "lfs-pointer"),
        error("index_html", raw(b"<!doctype html><html></html>"), "html-page"),
        error("index_half", raw(whole[:len(whole) // 2]), "pickle-truncated"),
        error("index_less_one", raw(whole[:-1]), "pickle-truncated"),
        error("index_opcode", raw(b"\x80\x02\xff."), "pickle-bad-opcode"),
        error("index_underflow", raw(b"\x80\x02R."), "pickle-stack-underflow"),
        error("index_protocol", raw(b"\x80\x63N."), "pickle-bad-protocol"),
        error("index_text_2_60", raw(b"\x80\x04\x8d" + struct.pack("<Q", 1 << 60) + b"x"), "pickle-truncated"),
        error("index_is_dict", raw(b"\x80\x02}."), bad),
        error("index_is_number", raw(P().number(7).stop()), bad),
        error("index_cyclic", raw(b"\x80\x02]q\x00h\x00a."), bad),
        error("index_cyclic_state", raw(cyclic_state()), bad),
        error("index_deep", raw(pickles.deep(1_000_000)), bad),
        error("index_memo_bomb", raw(pickles.memo_bomb(60)), bad),
        error("index_is_torch_file", raw(archives.torch_file()), "pickle-bad-opcode"),
        error("index_gone", edit(lambda d: setattr(d, "no_index", True)), "dcp-no-metadata"),
        error("index_being_written", edit(being_written), "dcp-no-metadata"),
        error("index_is_pipe", pipe(".metadata"), "not-a-regular-file"),
        error("index_leads_out", link(".metadata", "../outside/secret"), "outside-folder"),
        error("index_loops", link(".metadata", ".metadata"), "outside-folder"),
        error("index_runs_system", dcp(then=lambda place: place.write(".metadata", pickles.system(place))), bad),
    ]


def chunks():
    bad, chunk = "dcp-bad-metadata", "dcp-bad-chunk"
    return [
        notice("chunk_outside", second(offsets=[3, 0]), chunk),
        notice("chunk_negative", second(offsets=[-1, 0]), chunk),
        notice("chunk_rank", second(offsets=[2]), chunk),
        notice("chunk_wraps", second(sizes=[MAX - 1, MAX]), chunk),
        notice("chunk_2_62", second(offsets=[1 << 62, 0]), chunk),
        notice("chunk_larger", second(sizes=[2, 4]), chunk),
        notice("overlap", second(offsets=[1, 0], sizes=[3, 3]), "coverage-overlap"),
        notice("overlap_and_hole", second(offsets=[1, 0]), "coverage-hole"),
        notice("hole", edit(lambda d: d.w["chunks"].pop()), "coverage-hole"),
        notice("no_chunks", edit(lambda d: d.w["chunks"].clear()), "coverage-hole"),
        notice("not_stored", second(unstored=True), "coverage-hole"),
        notice("unknown_dtype", edit(lambda d: d.w.update(dtype="float7")), "torch-unknown-dtype"),
        notice("size_overflows", edit(lambda d: d.w.update(size=[1 << 62, 1 << 62])), "limit-exceeded"),
        notice("size_bytes_overflow", edit(lambda d: d.w.update(size=[1 << 62, 3])), "limit-exceeded"),
        notice("size_negative", edit(lambda d: d.w.update(size=[-4, 3])), bad),
        notice("rank_65", edit(lambda d: d.w.update(size=[1] * 65)), bad),
        notice("value_not_stored", edit(no_place), bad),
        job("hole_not_written", edit(lambda d: d.w["chunks"].pop()), "coverage-hole"),
        job("overlap_not_written", second(offsets=[1, 0], sizes=[3, 3]), "coverage-overlap"),
        fine("name_escapes", edit(lambda d: d.spec["tensors"].update({"\x1b[31m\u202e": d.spec["tensors"].pop("w")})),
             verb="ls"),
    ]


def places():
    beyond, out, irregular = "dcp-item-beyond-file", "outside-folder", "not-a-regular-file"
    climb = "../outside/secret"
    return [
        notice("beyond_by_one", edit(lambda d: d.second.update(length=d.second["length"] + 1)), beyond),
        notice("beyond_2_63", second(offset=MAX), beyond),
        notice("length_2_63", second(length=MAX), beyond),
        notice("shard_cut", edit(lambda d: d.files.update({"__1_0.distcp": d.files["__1_0.distcp"][:100]})), beyond),
        notice("shard_empty", edit(lambda d: d.files.update({"__1_0.distcp": b""})), beyond),
        notice("shard_lfs", edit(lambda d: d.files.update({"__1_0.distcp": LFS})), beyond),
        notice("offset_negative", second(offset=-5), "dcp-bad-metadata"),
        notice("length_negative", second(length=-5), "dcp-bad-metadata"),
        notice("shard_missing", edit(lambda d: d.files.pop("__1_0.distcp")), "missing-shard"),
        finding("shard_missing_checked", edit(lambda d: d.files.pop("__1_0.distcp")), "missing-shard"),
        job("shard_missing_not_written", edit(lambda d: d.files.pop("__1_0.distcp")), "missing-shard"),
        notice("path_up", second(path=climb), out),
        notice("path_up_far", second(path="../" * 30 + "etc/passwd"), out),
        notice("path_up_and_down", second(path="x/../../outside/secret"), "missing-shard"),
        notice("path_absolute", second(path="/etc/passwd"), out),
        notice("path_proc", second(path="/proc/self/environ"), out),
        notice("path_folder", second(path="."), irregular),
        notice("path_long", second(path="x" * 5000), "io-error"),
        notice("path_empty", second(path=""), "dcp-bad-metadata"),
        notice("path_nul", second(path="__1_0.distcp\0x"), out),
        notice("path_escapes", second(path="\x1b[31m.distcp"), "missing-shard"),
        job("path_up_not_written", second(path=climb), "missing-shard"),
        job("path_absolute_not_written", second(path="/etc/passwd"), "missing-shard"),
        notice("shard_is_pipe", pipe("__1_0.distcp"), irregular),
        notice("shard_link_out", link("__1_0.distcp", climb), out),
        notice("shard_link_absolute", link("__1_0.distcp", "/etc/passwd"), out),
        notice("shard_link_loop", link("__1_0.distcp", "__1_0.distcp"), out),
        job("shard_link_not_written", link("__1_0.distcp", climb), "missing-shard"),
        notice("shard_stray", edit(lambda d: d.files.update({"__7_0.distcp": b"x"})), "stray-file"),
        notice("save_in_progress", edit(lambda d: d.files.update({".metadata.tmp": b"x"})), "being-written"),
        notice("transform_unknown", second(transforms=["stream.lzma/1"]), "dcp-unknown-transform"),
        notice("transform_newer", second(transforms=["stream.zstd/2"]), "dcp-unknown-transform"),
        notice("sub_folder_link_out", sub_folder_link(), out),
    ]


def sub_folder_link():
    def then(place):
        shutil.move(place.open / "__1_0.distcp", place.outside / "__1_0.distcp")
        os.symlink("../outside", place.open / "sub")

    return dcp(lambda d: d.second.update(path="sub/__1_0.distcp"), then=then)


def zstd_frame(data, size=None):
    """One frame of run-length blocks: 128 KiB from four bytes each. `size`: the declared size, eight bytes."""
    out = b"\x28\xb5\x2f\xfd" + (b"\xe0" + struct.pack("<Q", size) if size is not None else b"\x00\x58")
    return out + data


def zstd_bomb(blocks, size=None):
    rle = struct.pack("<I", (131072 << 3) | 2)[:3] + b"\0"
    return zstd_frame(rle * (blocks - 1) + struct.pack("<I", (131072 << 3) | 3)[:3] + b"\0", size)


def packed(data):
    def change(d):
        d.set_high(data)
        d.second["transforms"] = ["stream.zstd/1"]

    return dcp(change)


def items():
    other, small = "dcp-item-mismatch", "torch-storage-too-small"
    good = item(6)
    window = b"\x28\xb5\x2f\xfd\x00\xf8" + b"\x01\x00\x00"  # declares a window of 2 TiB
    twice = archives.build([Entry("archive/data.pkl", pickles.tensor(P()).stop())] * 2 + archives.records()[1:])
    return [
        finding("item_other_dtype", high(item(storage="IntStorage")), other),
        finding("item_larger", high(item(data=bytes(36), shape=(3, 3), count=9)), other),
        finding("item_other_rank", high(item(shape=(6,), stride=(1,))), other),
        finding("item_number", high(item(pickle=P().number(4).stop())), other),
        finding("item_text", high(b"x" * 600), other),
        finding("item_zeros", high(bytes(600)), other),
        finding("item_empty", edit(lambda d: d.second.update(length=0)), other),
        finding("item_cut", high(good[:200]), "zip-no-directory"),
        finding("item_storage_short", high(item(data=bytes(20))), small),
        finding("item_offset_far", high(item(pickle=pickles.tensor(P(), first=1 << 60).stop())), small),
        finding("item_strides_2_63", high(item(stride=(MAX, MAX))), "torch-bad-tensor"),
        finding("item_record_missing", high(item(key="9")), "torch-missing-record"),
        finding("item_record_climbs", high(item(key="../../secret")), "torch-missing-record"),
        finding("item_id", high(item(tag="module")), "torch-bad-persistent-id"),
        finding("item_pickle_twice", high(twice), "zip-duplicate-name"),
        finding("item_pickle_cut", high(item(pickle=pickles.tensor(P()).stop()[:40])), "pickle-truncated"),
        finding("item_bit_flip", high(good.replace(struct.pack("<f", 7), struct.pack("<f", 7.5), 1)), "bad-checksum"),
        finding("zstd_noise", packed(b"z" * 400), "bad-encoding"),
        finding("zstd_cut", packed(zstd_bomb(3)[:9]), "truncated"),
        finding("zstd_bomb_8_gib", packed(zstd_bomb(65536)), "limit-exceeded"),
        finding("zstd_bomb_declared", packed(zstd_bomb(65536, 65536 * 131072)), "bad-encoding"),
        finding("zstd_declares_2_62", packed(zstd_bomb(2, 1 << 62)), "bad-encoding"),
        finding("zstd_window_2_tib", packed(window), "bad-encoding"),
        job("item_larger_not_written", high(item(data=bytes(36), shape=(3, 3), count=9)), other),
        job("item_bit_flip_not_written", high(good.replace(struct.pack("<f", 7), struct.pack("<f", 7.5), 1)),
            "bad-checksum"),
        fine("item_runs_system", dcp(then=lambda place: value_that_runs(place))),
        fine("schedule_of_2_60_paths", edit(lambda d: set_value(d, "lr_scheduler", pickles.memo_bomb(60)))),
        fine("whole", dcp(), verb="check"),
    ]


def set_value(made, name, pickle):
    value = archives.torch_file(pickle, b"")
    made.files["__2_0.distcp"] = value
    made.spec["values"][name] = {"path": "__2_0.distcp", "offset": 0, "length": len(value)}
    made.spec["planner"][name] = [name]


def value_that_runs(place):
    made = Dcp()
    set_value(made, "step", pickles.system(place))
    made.write(place)


def cases():
    return indexes() + chunks() + places() + items()
