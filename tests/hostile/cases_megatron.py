# SPDX-License-Identifier: Apache-2.0
"""Hostile Megatron folders: args, ranks, stages, cuts, trackers, tar archives around weights."""
import gzip
import os
import struct

import dcps
from deepspeeds import Obj, T, torch_file
from table import error, finding, fine, folder, job, notice

HUGE = 1 << 62
FILE = "model_optim_rng.pt"
SAVE = "iter_0000010"


def args(**more):
    told = {"tensor_model_parallel_size": 2, "pipeline_model_parallel_size": 1, "num_layers": 2, "swiglu": True,
            "hidden_size": 2, "padded_vocab_size": 8, "num_attention_heads": 2, "kv_channels": 1}
    return Obj("argparse", "Namespace", {key: value for key, value in (told | more).items() if value is not ...})


def weights(layers=(0, 1), **more):
    state = {"embedding.word_embeddings.weight": T(range(8), (4, 2))}
    for layer in layers:
        state |= {f"decoder.layers.{layer}.mlp.linear_fc1.weight": T(range(8), (4, 2)),
                  f"decoder.layers.{layer}.mlp.linear_fc2.weight": T(range(4), (2, 2)),
                  f"decoder.layers.{layer}.input_layernorm.weight": T(range(2))}
    return {key: value for key, value in (state | more).items() if value is not ...}


def rank(told=None, model=None, **more):
    state = {"model": weights() if model is None else model, "args": args() if told is None else told, "iteration": 10,
             "checkpoint_version": 3.0, "optimizer": {"state": {0: {"exp_avg": T(range(3))}}}, "rng_state": [T(range(2))]} | more
    return torch_file({key: value for key, value in state.items() if value is not ...})


def save(zero=None, one=None, then=None, files=None, **told):
    """A folder of two tensor parallel ranks; None: the correct file, False: missing."""
    made = {}
    for number, data in enumerate((zero, one)):
        if data is not False:
            made[f"mp_rank_{number:02d}/{FILE}"] = rank(args(**told)) if data is None else data
    return folder(made | (files or {}), then)


def both(**told):
    return save(**told)


def model(**more):
    changed = rank(model=weights(**more))
    return save(changed, changed)


def stages(first, second, **told):
    told = args(tensor_model_parallel_size=1, pipeline_model_parallel_size=2, **told)
    return folder({f"mp_rank_00_{number:03d}/{FILE}": rank(told, weights(layers))
                   for number, layers in enumerate((first, second)) if layers is not None})


def root(tracker, saves=(SAVE,), then=None, **files):
    made = {f"{name}/mp_rank_{number:02d}/{FILE}": rank() for name in saves for number in (0, 1)}
    return folder(made | {"latest_checkpointed_iteration.txt": tracker} | files, then)


def linked(place):
    os.symlink("../../outside/secret", place.open / "mp_rank_01" / FILE)


def link_folder(place):
    (place.open / "mp_rank_01" / FILE).unlink()
    (place.open / "mp_rank_01").rmdir()
    os.symlink("../outside", place.open / "mp_rank_01")


def pipe(place):
    os.mkfifo(place.open / "mp_rank_01" / FILE)


def empty_folder(place):
    (place.open / "mp_rank_01").mkdir()


def tar_header(name, size, kind=b"0", sum_is=None, size_is=None):
    head = bytearray(512)
    head[:len(name)] = name
    head[100:108] = b"0000644\0"
    head[124:136] = b"%011o\0" % size if size_is is None else size_is
    head[156:157] = kind
    head[257:265] = b"ustar\x0000"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % (sum(head) if sum_is is None else sum_is)
    return bytes(head)


def tar(*members, end=bytes(1024)):
    out = b""
    for name, data, more in members:
        out += tar_header(name, len(data), **more) + data + bytes(-len(data) % 512)
    return out + end


STATE = torch_file({"w": T(range(6), (2, 3))})


def nemo(*members, **how):
    return folder({"x.nemo": tar(*members, **how)}, None)


def archive(data):
    def build(place):
        return place.write("x.nemo", data)

    return build


def distributed(change=None, members=lambda names: names, end=bytes(1024), prefix="./model_weights/"):
    """A distributed checkpoint in a tar; `change(dcp)` is called before it is written, `members(list)` with the tar's members."""

    def build(place):
        made = dcps.Dcp()
        if change:
            change(made)
        files = made.files if made.no_index else made.files | {".metadata": dcps.index(made.spec) if made.index is None else made.index}
        listed = [(b"./model_config.yaml", b"name: net\n", {})] + [((prefix + name).encode(), data, {}) for name, data in files.items()]
        return place.write("x.nemo", tar(*members(listed), end=end))

    return build


def in_tar():
    beyond, out = "dcp-item-beyond-file", "outside-folder"
    second = lambda **fields: distributed(lambda d: d.second.update(fields))  # noqa: E731
    lost = distributed(lambda d: d.files.pop("__1_0.distcp"))
    deep = b"path=%s\n" % (b"d/" * 10_000 + b"x")
    return [
        fine("tar_whole", distributed()),
        fine("tar_plain_names", distributed(prefix="model_weights/")),
        fine("tar_odd_names", distributed(prefix=".//model_weights/./")),
        fine("tar_absolute", distributed(prefix="/model_weights/")),
        fine("tar_one_folder", distributed(members=lambda all: [(b"net/" + name.removeprefix(b"./"), data, how) for name, data, how in all])),
        fine("tar_no_config", distributed(members=lambda all: all[1:])),
        fine("tar_twice", distributed(members=lambda all: [*all, all[1]])),
        fine("tar_later_counts", distributed(members=lambda all: [(all[1][0], b"", {}), *all])),
        fine("tar_links_beside", distributed(members=lambda all: [*all, (b"model_weights/__1_0.distcp", b"", {"kind": b"2"})])),
        notice("tar_no_end", distributed(end=b""), "truncated"),
        error("tar_climbs", distributed(prefix="../model_weights/"), "not-a-checkpoint"),
        error("tar_no_index", distributed(lambda d: setattr(d, "no_index", True)), "dcp-no-metadata"),
        error("tar_index_words", distributed(lambda d: setattr(d, "index", b"words")), None),
        error("tar_index_empty", distributed(lambda d: setattr(d, "index", b"")), None),
        notice("tar_shard_lost", lost, "missing-shard"),
        finding("tar_shard_lost_checked", lost, "missing-shard"),
        job("tar_shard_lost_not_written", lost, "missing-shard"),
        notice("tar_shard_empty", distributed(lambda d: d.files.update({"__1_0.distcp": b""})), beyond),
        notice("tar_item_in_next_member", distributed(lambda d: d.second.update(length=d.second["length"] + 600)), beyond),
        notice("tar_item_far", second(offset=(1 << 63) - 1), beyond),
        notice("tar_path_up", second(path="../model_config.yaml"), out),
        notice("tar_path_up_far", second(path="../" * 30 + "etc/passwd"), out),
        notice("tar_path_absolute", second(path="/etc/passwd"), out),
        notice("tar_path_nul", second(path="__1_0.distcp\0x"), "missing-shard"),
        notice("tar_path_folder", second(path="."), "missing-shard"),
        notice("tar_stray", distributed(lambda d: d.files.update({"__7_0.distcp": b"x"})), "stray-file"),
        error("tar_folder_is_file", archive(tar((b"model_config.yaml", b"x", {}), (b"model_weights", b"x", {}))), None),
        error("tar_zarr_words", archive(tar((b"model_config.yaml", b"x", {}), (b"model_weights/w/.zarray", b"words", {}))), None),
        error("tar_in_tar", archive(tar((b"model_config.yaml", b"x", {}), (b"model_weights/x.nemo", tar((b"a", b"", {})), {}))), None),
        error("tar_deep", archive(tar((b"PaxHeader", b"%d %s" % (len(deep) + 6, deep), {"kind": b"x"}), (b"y", b"", {}))), "not-a-checkpoint"),
    ]


def cases():
    split = "shards-not-joined"
    missing = "missing-shard"
    index = "bad-index"
    pointer = "dangling-pointer"
    tensor = "tensor_model_parallel_size"
    weight = (b"./model_weights.ckpt", STATE, {})
    pax = lambda text: (b"PaxHeader", text, {"kind": b"x"})  # noqa: E731
    return [
        fine("whole", both()),
        fine("whole_root", root("10\n")),
        fine("whole_stages", stages((0,), (0,))),
        # files
        notice("rank_missing", save(one=False), missing),
        finding("rank_missing_found", save(one=False), missing),
        job("rank_missing_refused", save(one=False), None, options=("--only", "weights")),
        notice("rank_folder_empty", save(one=False, then=empty_folder), missing),
        notice("rank_empty", save(one=b""), "empty-file"),
        notice("rank_zeros", save(one=bytes(5000)), "zero-filled"),
        notice("rank_text", save(one=b"just words, no checkpoint"), None),
        notice("rank_cut", save(one=rank()[:500]), None),
        error("all_empty", save(b"", b""), None),
        error("no_known_file", folder({"mp_rank_00/other.pt": STATE}), "not-a-checkpoint"),
        notice("rank_link_outside", save(one=False, files={"mp_rank_01/x": b""}, then=linked), None),
        notice("rank_folder_link", save(then=link_folder), None),
        notice("rank_pipe", save(one=False, files={"mp_rank_01/x": b""}, then=pipe), None),
        notice("rank_beyond", save(files={f"mp_rank_07/{FILE}": rank()}), split),
        notice("rank_number_huge", save(files={f"mp_rank_999999/{FILE}": rank()}), split),
        fine("rank_number_overlong", save(files={f"mp_rank_99999999999999999999/{FILE}": rank()})),
        notice("rank_with_stage", save(one=False, files={f"mp_rank_01_004/{FILE}": rank()}), split),
        fine("four_numbers", save(files={f"mp_rank_00_000_000_000/{FILE}": rank()})),
        # args
        notice("no_args", save(rank(...), rank(...)), split),
        notice("args_text", save(rank("two"), rank("two")), split),
        notice("args_empty", save(rank({}), rank({})), split),
        fine("args_dict", save(rank({tensor: 2, "num_layers": 2, "swiglu": True}), rank({tensor: 2, "num_layers": 2, "swiglu": True}))),
        notice("ranks_zero", both(**{tensor: 0}), split),
        notice("ranks_negative", both(**{tensor: -2}), split),
        notice("ranks_huge", both(**{tensor: HUGE}), split),
        notice("ranks_text", both(**{tensor: "2"}), split),
        notice("ranks_65536", both(**{tensor: 65536}), missing),
        notice("ranks_cubed", both(**{tensor: 65536, "pipeline_model_parallel_size": 65536, "expert_model_parallel_size": 65536}), split),
        notice("ranks_one", both(**{tensor: 1}), split),
        notice("ranks_differ", save(one=rank(args(**{tensor: 4}))), split),
        notice("chunks_huge", both(virtual_pipeline_model_parallel_size=HUGE), split),
        fine("chunks_many", both(virtual_pipeline_model_parallel_size=60000)),
        notice("layers_other", both(num_layers=7), split),
        notice("layers_negative", both(num_layers=-1), split),
        notice("layers_huge", both(num_layers=HUGE), split),
        fine("layers_text", both(num_layers="two")),
        notice("vocabulary_other", both(padded_vocab_size=9), split),
        notice("vocabulary_negative", both(padded_vocab_size=-8), split),
        notice("hidden_other", both(hidden_size=3), split),
        fine("heads_negative", both(num_attention_heads=-1, kv_channels=-1)),
        fine("version_text", save(rank(checkpoint_version="three"), rank(checkpoint_version="three"))),
        fine("iteration_text", save(rank(iteration="ten"), rank(iteration="ten"))),
        fine("iteration_huge", save(rank(iteration=HUGE), rank(iteration=HUGE))),
        fine("world_negative", both(world_size=-3)),
        notice("experts_zero", save(rank(args(expert_model_parallel_size=2, num_experts=0)), False), None),
        # cuts
        notice("rows_odd_gate", model(**{"decoder.layers.0.mlp.linear_fc1.weight": T(range(6), (3, 2))}), split),
        notice("parts_differ", save(one=rank(model=weights(**{"embedding.word_embeddings.weight": T(range(6), (3, 2))}))), split),
        notice("dtype_differs", save(one=rank(model=weights(**{"embedding.word_embeddings.weight": T(range(8), (4, 2), "IntStorage")}))), split),
        fine("no_rule_but_alike", model(**{"decoder.strange.weight": T(range(4), (2, 2))})),
        notice("no_rule", save(rank(model=weights(**{"decoder.strange.weight": T(range(4), (2, 2))})),
                               rank(model=weights(**{"decoder.strange.weight": T(range(1, 5), (2, 2))}))), split),
        notice("columns_of_vector", model(**{"decoder.layers.0.mlp.linear_fc2.weight": T(range(2))}), split),
        notice("rows_of_scalar", model(**{"embedding.word_embeddings.weight": T((1,), ())}), split),
        notice("shape_wraps", model(**{"embedding.word_embeddings.weight": T(range(4), (HUGE, 2))}), None),
        notice("shape_wraps_merged", model(**{"output_layer.weight": T((), (HUGE, 0))}), split),
        notice("storage_short", model(**{"output_layer.weight": T(range(4), (4, 2), count=8)}), None),
        notice("only_on_one_rank", save(one=rank(model=weights(**{"extra.norm.weight": T(range(2))}))), split),
        fine("empty_part", model(**{"decoder.extra_layernorm.weight": T((), (0,))})),
        fine("model_is_number", save(rank(model=7), rank(model=7))),
        fine("model_chunk_huge", save(rank(model4294967295={"a.norm.weight": T(range(2))}), None)),
        # stages
        notice("layers_from_one", stages((1,), (0,)), split),
        notice("layers_gap", stages((0, 2), (0,)), split),
        notice("layers_too_many", stages((0, 1), (0, 1)), split),
        notice("layer_huge", stages((0, HUGE), (0,)), split),
        fine("layer_overlong", stages((0, 10 ** 30), (0,))), # not a number: a name
        notice("stage_missing", stages(None, (0,)), missing),
        notice("stage_missing_uneven", stages(None, (0,), num_layers=5), split),
        fine("stage_without_layers", stages((0, 1), ())),
        # trackers
        finding("tracker_nowhere", root("20"), pointer),
        finding("tracker_climbs", root("../outside"), pointer),
        finding("tracker_absolute", root("/etc"), pointer),
        notice("tracker_empty", root(""), pointer),
        notice("tracker_long", root("9" * 5000), pointer),
        finding("tracker_zeros", root(b"\0\0\0\0"), pointer),
        error("tracker_alone", folder({"latest_checkpointed_iteration.txt": "10"}), "not-a-checkpoint"),
        error("tracker_to_empty", folder({"latest_checkpointed_iteration.txt": "10", f"{SAVE}/x": b""}), None),
        # tar archives around weights
        fine("nemo", archive(tar(weight))),
        notice("nemo_no_end", archive(tar(weight, end=b"")), "truncated"),
        fine("nemo_gzip", archive(gzip.compress(tar(weight)))),
        error("nemo_gzip_cut", archive(gzip.compress(tar(weight))[:-100]), None),
        error("nemo_gzip_words", archive(b"\x1f\x8b" + b"just words" * 50), None),
        error("nemo_gzip_bomb", archive(gzip.compress(bytes(200 << 20))), "unsupported"),
        error("nemo_gzip_size_lies", archive(gzip.compress(tar(weight))[:-4] + b"\xff" * 4), None),
        error("nemo_gzip_of_gzip", archive(gzip.compress(gzip.compress(tar(weight)))), None),
        error("nemo_gzip_of_words", archive(gzip.compress(b"just words" * 200)), None),
        error("nemo_no_weights", archive(tar((b"a", b"b", {}))), "not-a-checkpoint"),
        error("nemo_torch_0_1", archive(tar((b"storages", b"", {}), (b"tensors", b"", {}), (b"pickle", b"", {}))), "unsupported"),
        error("nemo_distributed", archive(tar((b"model_weights/.metadata", b"x", {}))), None),
        error("nemo_cut", archive(tar(weight)[:900]), "truncated"),
        error("nemo_member_beyond", archive(tar((b"model_weights.ckpt", b"", {"size_is": b"77777777777\0"}))), "truncated"),
        error("nemo_size_base256", archive(tar((b"model_weights.ckpt", b"", {"size_is": b"\x80" + b"\xff" * 11}))), index),
        error("nemo_size_text", archive(tar((b"model_weights.ckpt", b"", {"size_is": b"many       \0"}))), index),
        error("nemo_sum_second", archive(tar((b"a", b"", {}), (b"b", b"", {"sum_is": 1}))), index),
        error("nemo_sparse", archive(tar((b"model_weights.ckpt", b"x", {"kind": b"S"}))), "unsupported"),
        error("nemo_link", archive(tar((b"model_weights.ckpt", b"", {"kind": b"2"}))), "not-a-checkpoint"),
        error("nemo_pax_broken", archive(tar(pax(b"99 path=x\n"), weight)), index),
        error("nemo_pax_size", archive(tar(pax(b"31 size=9999999999999999999999\n"), weight)), index),
        error("nemo_pax_beyond", archive(tar(pax(b"21 size=999999999999\n"), weight)), "truncated"),
        error("nemo_pax_huge", archive(tar(pax(b"x" * 70000), weight)), "limit-exceeded"),
        error("nemo_weights_words", archive(tar((b"model_weights.ckpt", b"no zip at all" * 50, {}))), None),
        error("nemo_weights_empty", archive(tar((b"model_weights.ckpt", b"", {}))), None),
        fine("nemo_name_climbs", archive(tar((b"../../mp_rank_00/model_weights.ckpt", STATE, {})))),
        notice("nemo_twice", archive(tar(weight, weight)), "duplicate-tensor"),
        error("nemo_many_members", archive(tar_header(b"a", 0) * 100_100), "limit-exceeded"),
    ] + in_tar()
