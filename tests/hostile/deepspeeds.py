# SPDX-License-Identifier: Apache-2.0
"""Builds DeepSpeed folders in which any value can be wrong: two ranks, one group, two parameters."""
import struct

import archives
import pickles

MODEL = "mp_rank_00_model_states.pt"
STEP = 3


class T:
    """A float tensor: `count` elements in the record, `shape` in the pickle."""

    def __init__(self, values=(), shape=None, storage="FloatStorage", first=0, count=None):
        self.values = list(values)
        self.shape = (len(self.values),) if shape is None else tuple(shape)
        self.storage = storage
        self.first = first
        self.count = len(self.values) if count is None else count


class Name:
    """A global."""

    def __init__(self, module, name):
        self.module, self.name = module, name


class Obj:
    """An object made by NEWOBJ and BUILD."""

    def __init__(self, module, name, state):
        self.module, self.name, self.state = module, name, state


class Call:
    """An object made by calling its class."""

    def __init__(self, module, name, *args):
        self.module, self.name, self.args = module, name, args


def dense(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return tuple(strides)


def write(p, value, tensors):
    if value is None:
        p.op("N")
    elif isinstance(value, bool):
        p.raw(b"\x88" if value else b"\x89")
    elif isinstance(value, int):
        p.number(value)
    elif isinstance(value, float):
        p.raw(b"G" + struct.pack(">d", value))
    elif isinstance(value, str):
        p.text(value)
    elif isinstance(value, Name):
        p.name(value.module, value.name)
    elif isinstance(value, Obj):
        write(p.name(value.module, value.name).op(")").op(0x81), value.state, tensors).op("b")
    elif isinstance(value, Call):
        write(p.name(value.module, value.name), value.args, tensors).op("R")
    elif isinstance(value, T):
        pickles.tensor(p, value.shape, dense(value.shape), value.first, str(len(tensors)), value.storage, count=value.count)
        tensors.append(value)
    elif isinstance(value, dict):
        p.op("}")
        for key, inner in value.items():
            write(p, key, tensors)
            write(p, inner, tensors)
            p.op("s")
    elif isinstance(value, list):
        p.op("]")
        for inner in value:
            write(p, inner, tensors)
            p.op("a")
    elif isinstance(value, tuple):
        p.op("(")
        for inner in value:
            write(p, inner, tensors)
        p.op("t")
    else:
        p.raw(value)
    return p


def torch_file(value):
    tensors = []
    pickle = write(pickles.P(), value, tensors).stop()
    records = [archives.Entry("archive/data.pkl", pickle), archives.Entry("archive/version", b"3\n")]
    for number, tensor in enumerate(tensors):
        data = b"".join(struct.pack("<f", element) for element in tensor.values)
        records.append(archives.Entry(f"archive/data/{number}", data))
    return archives.build(records)


def model(**more):
    """Parameters a [2, 3] and b [3]."""
    state = {"module": {"a": T(range(6), (2, 3)), "b": T(range(6, 9))}, "buffer_names": [],
             "param_shapes": [{"a": (2, 3), "b": (3,)}], "frozen_param_shapes": None, "shared_params": {},
             "frozen_param_fragments": None, "global_steps": STEP, "skipped_steps": 0, "dp_world_size": 2, "mp_world_size": 1}
    return torch_file(state | more)


def optimizer(rank, values=None, moments=None, step=STEP, outer=None, **more):
    """Rank 0: 0 … 4, rank 1: 5 … 8."""
    values = list(range(5) if rank == 0 else range(5, 9)) if values is None else values
    flat = values if isinstance(values, T) else T(values)
    moments = T(flat.values) if moments is None else moments
    state = {"base_optimizer_state": {"state": {0: {"step": step, "exp_avg": moments}}, "param_groups": []},
             "single_partition_of_fp32_groups": [flat], "zero_stage": 2, "partition_count": [2]}
    state = {key: value for key, value in (state | more).items() if value is not ...}
    return torch_file({"optimizer_state_dict": state} if outer is None else outer)


def name(rank, prefix=""):
    return f"{prefix}zero_pp_rank_{rank}_mp_rank_00_optim_states.pt"


def folder(**changes):
    """The complete folder; `model`, `rank0`, `rank1` replace a file, None omits it, other keys add files."""
    files = {MODEL: changes.pop("model", ""), name(0): changes.pop("rank0", ""), name(1): changes.pop("rank1", "")}
    made = {MODEL: model, name(0): lambda: optimizer(0), name(1): lambda: optimizer(1)}
    whole = {file: made[file]() if data == "" else data for file, data in files.items() if data is not None}
    return whole | changes.pop("files", {})


def model3(rank, **more):
    return model(**({"module": {"a": T((), (0,)), "b": T((), (0,))}} | more))


def optimizer3(rank, groups=None, count=2, **more):
    groups = [T(range(3)), T(range(2))] if groups is None else groups
    state = {"zero_stage": 3, "partition_count": count, "fp32_flat_groups": groups,
             "optimizer_state_dict": {"state": {i: {"step": STEP, "exp_avg": T(g.values)} for i, g in enumerate(groups)}}} | more
    return torch_file({"optimizer_state_dict": state})


def folder3(models=None, optimizers=None):
    files = {}
    for rank in range(2):
        files[f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt"] = (models or {}).get(rank, model3(rank))
        files[name(rank)] = (optimizers or {}).get(rank, optimizer3(rank))
    return {file: data for file, data in files.items() if data is not None}


EXPERTS = "m.deepspeed_experts."


def moments(count, step=STEP):
    return {"step": step, "exp_avg": T(range(count))}


def without_zero(rank, experts=2, step=STEP, **more):
    """The optimizer file of one of two ranks: a, b and w of two of the four experts."""
    masters = [[T(range(6), (2, 3)), T(range(6, 9))], [T([rank, expert]) for expert in range(experts)]]
    states = {0: {"step": step, "exp_avg": T(range(6), (2, 3))}, 1: moments(3, step)}
    states |= {2 + expert: moments(2, step) for expert in range(experts)}
    groups = [{"params": [0, 1]}, {"params": [2 + expert for expert in range(experts)], "moe": True}]
    return {"optimizer_state_dict": {"state": states, "param_groups": groups}, "fp32_groups": masters} | more


def expert_rank(rank):
    return f"expp_rank_{rank}_mp_rank_00_optim_states.pt"


def experts(files=None, **more):
    """Trained without ZeRO by two ranks with two experts each; `files` replaces files, None omits one."""
    told = {"param_shapes": None, "num_experts": [4], "optimizer": without_zero(0)} | more
    whole = {MODEL: model(**told)} | {expert_rank(rank): torch_file({"optimizer": without_zero(rank)}) for rank in range(2)}
    for expert in range(4):
        whole[f"layer_0_expert_{expert}_mp_rank_00_model_states.pt"] = torch_file({f"{EXPERTS}{expert}.w": T([expert // 2, expert % 2])})
    return {file: data for file, data in (whole | (files or {})).items() if data is not None}


def universal(**files):
    whole = {MODEL: model(), "zero/a/fp32.pt": torch_file({"cat_dim": 0, "param": T(range(6), (2, 3))}),
             "zero/a/step.pt": torch_file(3), "zero/b/fp32.pt": torch_file({"param": T(range(6, 9))}),
             "zero/b/step.pt": torch_file(3), "zero/optimizer_state.pt": torch_file({"loss_scaler": 1})}
    return whole | {key.replace("__", "/"): value for key, value in files.items()}
