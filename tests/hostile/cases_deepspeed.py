# SPDX-License-Identifier: Apache-2.0
"""Hostile DeepSpeed folders: flat vectors, shapes, ranks, saves, pointers."""
import os

import deepspeeds
from deepspeeds import EXPERTS, MODEL, T, expert_rank, experts, folder3, model, model3, name, optimizer, optimizer3, torch_file, universal, without_zero
from table import error, finding, fine, folder, job, notice

HUGE = 1 << 62


def files(**changes):
    return folder(deepspeeds.folder(**changes))


def third(models=None, optimizers=None):
    return folder(folder3(models, optimizers))


def shapes(*groups, **more):
    return files(model=model(param_shapes=list(groups), **more))


def rank1(**more):
    return files(rank1=optimizer(1, **more))


def root(latest, tags=("global_step3",), then=None, **more):
    whole = {f"{tag}/{file}": data for tag in tags for file, data in deepspeeds.folder().items()}
    whole |= {} if latest is None else {"latest": latest}
    return folder(whole | more, then)


def link_to(target):
    def change(place):
        os.symlink(target, place.open / name(1))

    return folder(deepspeeds.folder(rank1=None), change)


def latest_link(place):
    (place.open / "latest").unlink()
    os.symlink("../outside/secret", place.open / "latest")


def pipe(place):
    os.mkfifo(place.open / name(1))


def flat(values, **how):
    return optimizer(1, T(values, **how))


def sliced(info=None, second=None, then=None, **more):
    """Two tensor parallel ranks whose save records how they were cut."""
    told = {"dp_world_size": 1, "mp_world_size": 2, "universal_checkpoint_info": RULES if info is None else info} | more
    parts = {f"mp_rank_{rank:02d}_model_states.pt": model(**(told | (second or {} if rank else {}))) for rank in (0, 1)}
    parts |= {f"zero_pp_rank_0_mp_rank_{rank:02d}_optim_states.pt": optimizer(0, range(9), partition_count=[1]) for rank in (0, 1)}
    return folder(parts, then)


def ruled(**lists):
    return sliced(RULES | lists)


RULES = {"tp_replicated_parameter_patterns": ["b"], "parameter_with_row_parallelism_patterns": ["a"]}
ROWS = "parameter_with_row_parallelism_patterns"
TWO = "parameter_with_2_sub_params_cat_dim_0"


def lost_slice(place):
    for file in place.open.glob("*mp_rank_01*"):
        file.unlink()


def slices():
    apart = "shards-not-joined"
    return [
        fine("slices", sliced()),
        fine("slices_rows", ruled(**{ROWS: []})),
        fine("slices_two", ruled(**{ROWS: [], TWO: ["a"]})),
        notice("slices_no_rules", sliced({}), apart),
        notice("slices_rules_text", sliced("rules"), apart),
        notice("slices_rules_list", sliced([1, 2]), apart),
        notice("slices_rules_tensor", sliced(T(range(3))), apart),
        notice("slices_pattern_number", ruled(**{ROWS: [7]}), apart),
        fine("slices_patterns_text", ruled(**{ROWS: "a"})),
        notice("slices_pattern_group", ruled(**{ROWS: ["(a+)+$"]}), apart),
        notice("slices_pattern_class", ruled(**{ROWS: ["[a-z]"]}), apart),
        notice("slices_pattern_cut", ruled(**{ROWS: ["a\\"]}), apart),
        notice("slices_pattern_long", ruled(**{ROWS: ["a" * 100_000]}), apart),
        fine("slices_pattern_slow", ruled(**{ROWS: ["a*" * 400 + "b"]})),
        notice("slices_patterns_many", ruled(**{ROWS: ["x"] * 5000}), apart),
        notice("slices_affine_map", ruled(affine_map={"version": 1, "params": {"a": {}}}), apart),
        fine("slices_sub_params", ruled(parameter_with_sub_params=[{"patterns": ["a"], "shape": (HUGE, -1), "partition_dim": 9}])),
        notice("slices_average", ruled(**{ROWS: [], "parameter_to_average_patterns": ["a"]}), apart),
        notice("slices_columns_of_vector", ruled(**{ROWS: ["b"], "tp_replicated_parameter_patterns": []}), apart),
        notice("slices_two_odd", ruled(**{ROWS: [], TWO: ["b"], "tp_replicated_parameter_patterns": []}), apart),
        notice("slices_shapes_differ", sliced(second={"param_shapes": [{"a": (3, 2), "b": (3,)}],
                                                      "module": {"a": T(range(6), (3, 2)), "b": T(range(6, 9))}}), apart),
        notice("slices_names_differ", sliced(second={"param_shapes": [{"c": (2, 3), "b": (3,)}],
                                                     "module": {"c": T(range(6), (2, 3)), "b": T(range(6, 9))}}), apart),
        notice("slices_dtype_differs", sliced(second={"module": {"a": T(range(6), (2, 3), "IntStorage"), "b": T(range(3))}}), apart),
        notice("slices_one_lost", sliced(then=lost_slice), "missing-shard"),
        job("slices_one_lost_refused", sliced(then=lost_slice), None),
        notice("slices_three_told", sliced(mp_world_size=3), "missing-shard"),
        fine("slices_many_told", sliced(mp_world_size=HUGE)),
        fine("slices_name_takes_prefix", sliced(param_shapes=[{"mp_rank_01.a": (2, 3), "b": (3,)}],
                                                module={"mp_rank_01.a": T(range(6), (2, 3)), "b": T(range(6, 9))})),
    ]


def ranks_of_experts(rank1=..., **more):
    """`rank1`: the content of that rank's optimizer file."""
    files = {} if rank1 is ... else {expert_rank(1): torch_file({"optimizer": rank1})}
    return folder(experts(more.pop("files", {}) | files, **more))


def expert_file(number):
    return f"layer_0_expert_{number}_mp_rank_00_model_states.pt"


def of_experts():
    missing = "missing-shard"
    long = list(range(200))
    shared = {"params": long, "moe": True}
    return [
        fine("experts", ranks_of_experts()),
        fine("experts_with_zero", ranks_of_experts(None, optimizer=None, files={expert_rank(0): torch_file({"optimizer": None})})),
        notice("experts_rank_missing", ranks_of_experts(files={expert_rank(1): None}), missing),
        job("experts_rank_missing_refused", ranks_of_experts(files={expert_rank(1): None}), None, options=("--only", "weights")),
        notice("experts_first_rank_missing_of_two", ranks_of_experts(optimizer=None, files={expert_rank(0): None}), missing),
        notice("experts_rank_cut", ranks_of_experts(files={expert_rank(1): torch_file({"optimizer": without_zero(1)})[:300]}), None),
        notice("experts_rank_beyond", ranks_of_experts(files={expert_rank(7): torch_file({"optimizer": without_zero(7)})}), "stale-shard"),
        notice("experts_rank_huge", ranks_of_experts(files={expert_rank(999999999): torch_file({"optimizer": without_zero(7)})}), "stale-shard"),
        notice("experts_other_step", ranks_of_experts(without_zero(1, step=7)), "stale-shard"),
        finding("experts_other_step_found", ranks_of_experts(without_zero(1, step=7)), "stale-shard"),
        fine("experts_step_nan", ranks_of_experts(without_zero(1, step=float("nan")))),
        fine("experts_one_too_many", ranks_of_experts(without_zero(1, experts=3))),
        fine("experts_none", ranks_of_experts(without_zero(1, experts=0))),
        notice("experts_one_lost", ranks_of_experts(files={expert_file(2): None}), missing),
        notice("experts_two_lost", ranks_of_experts(files={expert_file(0): None, expert_file(2): None}), missing),
        fine("experts_name_huge", ranks_of_experts(files={expert_file(3): torch_file({f"{EXPERTS}{HUGE}.w": T(range(2))})}, num_experts=None)),
        fine("experts_name_none", ranks_of_experts(files={expert_file(3): torch_file({"w": T(range(2))})}, num_experts=None)),
        fine("experts_shape_differs", ranks_of_experts(files={expert_file(3): torch_file({f"{EXPERTS}3.w": T(range(2), (2, 1))})})),
        fine("experts_flat_number", ranks_of_experts(without_zero(1, fp32_groups_flat=[5, 6]))),
        fine("experts_flat_short", ranks_of_experts(without_zero(1, fp32_groups_flat=[T(range(9)), T(range(3))]))),
        fine("experts_groups_text", ranks_of_experts({"state": "none", "param_groups": "all"})),
        fine("experts_groups_long", ranks_of_experts({"state": {}, "param_groups": [shared] * 40})),
        fine("experts_moe_text", ranks_of_experts({"state": {}, "param_groups": [{"params": [0], "moe": "yes"}]})),
    ]


LAYER = "layer_00-model_states.pt"


def named(*slices, layer=None, rank1=(), **more):
    """A pipeline of one stage without ZeRO: the optimizers' mappings name the masters 0.a and 0.b."""
    mapping = [{name: {"numel": count, "start": start} for name, count, start in each} for each in (slices, rank1)]
    parts = {MODEL: model(module=None, param_shapes=None, dp_world_size=2, **more),
             LAYER: torch_file({"a": T(range(6), (2, 3)), "b": T(range(6, 9))} if layer is None else layer)}
    parts |= {name(rank, "bf16_"): optimizer(rank, zero_stage=..., param_slice_mappings=[mapping[rank]]) for rank in (0, 1)}
    return folder(parts)


REST = (("0.a", 1, 0), ("0.b", 3, 1))


def of_mappings():
    return [
        fine("mapping", named(("0.a", 5, 0), rank1=REST)),
        notice("mapping_of_a_lost_layer", named(("9.a", 5, 0), rank1=(("9.a", 1, 0), ("9.b", 3, 1))), "missing-shard"),
        notice("mapping_huge", named(("0.a", HUGE, 0), rank1=REST), "bad-index"),
        notice("mapping_negative", named(("0.a", -5, 0), rank1=REST), "bad-index"),
        notice("mapping_with_a_gap", named(("0.a", 5, 3), rank1=REST), "bad-index"),
        notice("mapping_text", named(("0.a", "five", 0), rank1=REST), "bad-index"),
        notice("mapping_long", named(("0.a", 5, 0), rank1=(("0.a", 1, 0), ("0.b", 1 << 40, 1))), "bad-index"),
        notice("mapping_sum_wraps", named(("0.a", (1 << 60) - 1, 0), rank1=(("0.a", (1 << 60) - 1, 0),)), "bad-index"),
        notice("mapping_shape_differs", named(("0.a", 5, 0), rank1=REST, layer={"a": T(range(4)), "b": T(range(3))}), "stale-shard"),
    ]


def cases():
    missing = "missing-shard"
    stale = "stale-shard"
    index = "bad-index"
    pointer = "dangling-pointer"
    return [
        # correct
        fine("whole", files()),
        *slices(),
        *of_experts(),
        *of_mappings(),
        fine("whole_zero3", third()),
        fine("whole_universal", folder(universal())),
        fine("whole_root", root("global_step3\n")),
        # files
        notice("rank_missing", files(rank1=None), missing),
        finding("rank_missing_found", files(rank1=None), missing),
        job("rank_missing_refused", files(rank1=None), None, options=("--only", "weights")),
        notice("model_missing", files(model=None), missing),
        notice("rank_empty", files(rank1=b""), "empty-file"),
        notice("rank_zeros", files(rank1=bytes(4000)), "zero-filled"),
        notice("rank_text", files(rank1=b"not a pickle at all, just words"), None),
        notice("rank_cut", files(rank1=optimizer(1)[:300]), None),
        notice("model_cut", files(model=model()[:300]), None),
        error("everything_empty", files(model=b"", rank0=b"", rank1=b""), None),
        error("rank_link_outside", link_to("../outside/secret"), "outside-folder"),
        error("rank_link_absolute", link_to("/etc/passwd"), "outside-folder"),
        notice("rank_pipe", folder(deepspeeds.folder(rank1=None), pipe), None),
        notice("rank_folder", files(rank1=None, files={name(1) + "/x": b""}), None),
        notice("temporary", files(files={name(0) + ".tmp": b"x"}), "stray-file"),
        notice("two_prefixes", files(files={name(0, "bf16_"): optimizer(0)}), stale),
        notice("huge_rank_number", files(files={name(999999999): optimizer(0)}), stale),
        fine("overlong_rank_number", files(files={name(99999999999999999999): b"x"})),
        # ranks and saves
        notice("other_world", rank1(partition_count=[7]), stale),
        notice("world_one_million", files(model=model(dp_world_size=1000000), rank0=optimizer(0, partition_count=[1000000]),
                                          rank1=optimizer(1, partition_count=[1000000])), missing),
        notice("world_huge", files(model=model(dp_world_size=HUGE), rank0=optimizer(0, partition_count=[HUGE])), None),
        notice("world_negative", files(model=model(dp_world_size=-2), rank0=optimizer(0, partition_count=[-2]),
                                       rank1=optimizer(1, partition_count=[-2])), None),
        notice("parts_huge", files(model=model(mp_world_size=1000000)), missing),
        fine("parts_text", files(model=model(mp_world_size="two"))),
        notice("partition_count_small", files(rank0=optimizer(0, partition_count=[2, 1]),
                                              model=model(param_shapes=[{"a": (2, 3), "b": (3,)}, {"e": (9,)}])), None),
        notice("other_step", rank1(step=7), stale),
        finding("other_step_found", rank1(step=7), stale),
        job("other_step_refused", rank1(step=7), None, options=("--only", "weights")),
        fine("step_text", rank1(step="many")),
        fine("step_nan", rank1(step=float("nan"))),
        fine("step_huge", files(model=model(global_steps=HUGE, skipped_steps=-HUGE))),
        # shapes
        notice("shape_negative", shapes({"a": (-2, 3), "b": (3,)}), index),
        notice("shape_product_wraps", shapes({"a": (1 << 32, 1 << 32), "b": (3,)}), index),
        notice("shape_product_large", shapes({"a": (1 << 30, 1 << 29), "b": (3,)}), index),
        notice("shape_text", shapes({"a": "2, 3", "b": (3,)}), index),
        notice("shape_deep", shapes({"a": (1,) * 65, "b": (3,)}), index),
        notice("sum_wraps", shapes({f"p{i}": (1 << 59,) for i in range(40)}), index),
        notice("too_long", shapes({"a": (20, 3), "b": (3,)}), index),
        notice("too_short", shapes({"a": (1, 1)}, dp_world_size=1), None),
        notice("group_too_many", shapes({"a": (2, 3), "b": (3,)}, {"c": (4,)}), None),
        notice("shapes_number", files(model=model(param_shapes=7)), None),
        fine("shapes_one_dict", files(model=model(param_shapes={"a": (2, 3), "b": (3,)}))),
        fine("parameter_without_elements", shapes({"a": (2, 3), "e": (0, 9), "b": (3,)})),
        notice("paddings_huge", files(rank0=optimizer(0, param_alignment_paddings=[[HUGE, HUGE]])), index),
        fine("paddings_negative", files(rank0=optimizer(0, param_alignment_paddings=[[-4, -9]]))),
        fine("paddings_of_others", files(rank0=optimizer(0, param_alignment_paddings=[[1], [2], [3]]))),
        # flat vectors
        notice("flat_is_matrix", files(rank1=flat(range(4), shape=(2, 2))), None),
        notice("flat_is_number", rank1(single_partition_of_fp32_groups=[5]), None),
        notice("flat_record_short", files(rank1=flat(range(4), count=9, shape=(9,))), None),
        notice("flat_halves", files(rank1=flat(range(4), storage="HalfStorage")), None),
        notice("no_flat", rank1(single_partition_of_fp32_groups=...), None),
        notice("no_optimizer_state", files(rank1=optimizer(1, outer={"other": 1})), None),
        fine("moments_number", rank1(base_optimizer_state=5)),
        finding("moments_short", rank1(moments=T(range(2))), "coverage-hole"),
        fine("stage_text", rank1(zero_stage="two")),
        # ZeRO 3
        notice("zero3_rank_missing", third(optimizers={1: None}), missing),
        notice("zero3_model_missing", third(models={1: None}), missing),
        notice("zero3_short", third(optimizers={1: optimizer3(1, [T(range(2))])}), index),
        notice("zero3_other_step", third(models={1: model3(1, global_steps=9)}), stale),
        notice("zero3_models_of_another_save", folder({f"global_step9/{file}": data for file, data in folder3(
            optimizers={rank: optimizer3(rank, optimizer_state_dict={"state": {i: {"step": 9, "exp_avg": T(range(3 - i))} for i in (0, 1)}})
                        for rank in (0, 1)}).items()} | {"latest": "global_step9"}), stale),
        notice("zero3_other_world", third(optimizers={1: optimizer3(1, count=9)}), stale),
        notice("zero3_frozen_short", third(models={0: model3(0, frozen_param_shapes={"f": (4, 4)},
                                                             frozen_param_fragments={"f": T(range(3))})}), "coverage-hole"),
        finding("zero3_frozen_missing", third(models={0: model3(0, frozen_param_shapes={"f": (4, 4)})}), "coverage-hole"),
        # names
        fine("shared_with_nobody", files(model=model(shared_params={"x": "nobody", "y": "y"}))),
        fine("shared_twice", files(model=model(shared_params={"x": "a", "a": "x", "b": "a"}))),
        fine("odd_names", shapes({"\x1b[31m\u202e../../a": (2, 3), "": (3,)})),
        notice("same_name_twice", shapes({"a": (2, 3)}, {"a": (3,)}), None),
        # universal
        notice("universal_empty_parameter", folder(universal(zero__c__x_txt=b"")), "being-written"),
        notice("universal_parameter_lost", folder({file: data for file, data in universal().items() if "/b/" not in file}), missing),
        notice("universal_state_lost", folder({file: data for file, data in universal().items() if "optimizer_state" not in file}), missing),
        notice("universal_master_lost", folder(universal(zero__b__exp_avg_pt=b"") | {"zero/b/fp32.pt": b""}), None),
        notice("universal_cut", folder(universal(**{"zero__c__fp32.pt": torch_file({"param": T(range(3))})[:200]})), None),
        fine("universal_of_text", folder(universal(**{"zero__c__fp32.pt": torch_file({"param": "none"})}))),
        # the parent folder
        notice("latest_nowhere", root("global_step99"), pointer),
        notice("latest_climbs", root("../outside"), pointer),
        notice("latest_absolute", root("/etc"), pointer),
        notice("latest_itself", root("."), None),
        notice("latest_link_outside", root("x", then=latest_link), pointer),
        notice("latest_huge", root("x" * 10000), pointer),
        notice("latest_bytes", root(b"\xff\x00\x1b[31m"), pointer),
        error("latest_only", folder({"latest": "global_step1", "zero_to_fp32.py": "pass"}), "not-a-checkpoint"),
        notice("newer_save", root("global_step3", ("global_step3", "global_step9")), "being-written"),
        notice("newest_half", root("global_step9", ("global_step3",), **{f"global_step9/{MODEL}": model()}), "being-written"),
    ]
