# SPDX-License-Identifier: Apache-2.0
"""The tensors that DeepSpeed's own code reads from the folders of deepspeed_folders.py: `deepspeed_oracle.py OUT` writes OUT/<case>.expected.json.

- `weights`: `get_fp32_state_dict_from_zero_checkpoint`, if that can read the folder; otherwise the masters as the optimizer
  would load them (BF16_Optimizer: the same merge with the stage inserted; no ZeRO, pipelines, experts: see below);
- `copies`: the module's tensors of rank 0, except ZeRO-3 placeholders;
- slices of tensor parallelism: the result of `ds_to_universal` for the same save;
- `moments`: DeepSpeed's merge applied to the optimizer's flat states instead of the masters.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path

os.environ.update(DS_ACCELERATOR="cpu", DS_BUILD_OPS="0")

import torch  # noqa: E402
from deepspeed.utils import zero_to_fp32 as merge  # noqa: E402

from deepspeed_folders import CASES, Case  # noqa: E402
from oracle import tensor_entry  # noqa: E402


def load(file: Path) -> dict:
    return torch.load(file, map_location="cpu", weights_only=False)


def optimizer_files(folder: Path) -> list[Path]:
    return [Path(name) for name in merge.get_optim_files(str(folder))]


def flat_lists(files: list[Path], key: str | None) -> list[list[torch.Tensor]]:
    """Per rank, per group: the masters, or one of the optimizer's states."""
    ranks = []
    for file in files:
        state = load(file)["optimizer_state_dict"]
        if key is None:
            ranks.append(state.get("single_partition_of_fp32_groups", state.get("fp32_flat_groups")))
        else:
            inner = state.get("base_optimizer_state", state.get("optimizer_state_dict"))["state"]
            ranks.append([inner[group][key] for group in sorted(inner)])
    return ranks


def merged(folder: Path, key: str | None) -> dict[str, torch.Tensor]:
    files = optimizer_files(folder)
    first = load(files[0])["optimizer_state_dict"]
    stage = int(first.get("zero_stage", 1))
    models = merge.parse_model_states(merge.get_model_state_files(str(folder)))
    world = first["partition_count"]
    world = max(world) if isinstance(world, list) else world
    result: dict[str, torch.Tensor] = {}
    if stage <= 2:
        merge._zero2_merge_trainable_params(result, world, flat_lists(files, key), models, first.get("param_alignment_paddings"))
    else:
        merge._zero3_merge_trainable_params(result, world, flat_lists(files, key), models)
    return {name: tensor.contiguous() for name, tensor in result.items()}


def read_zero(case: Case, folder: Path, tag: str) -> dict:
    step = folder / tag
    if case.dtype == "bf16_optimizer":
        weights = merged(step, None)
        model = load(step / "mp_rank_00_model_states.pt")
        weights |= {name: model["module"][name].float() if model["module"][name].is_floating_point() else model["module"][name]
                    for name in model["buffer_names"]}
        weights |= {alias: weights[name] for alias, name in model["shared_params"].items()}
    else:
        weights = dict(merge.get_fp32_state_dict_from_zero_checkpoint(str(folder), tag))
    moments = {f"{name}.{key}": tensor for key in ("exp_avg", "exp_avg_sq") for name, tensor in merged(step, key).items()}
    model = load(Path(merge.get_model_state_files(str(step))[0]))
    if case.stage == 1 and case.frozen:  # DeepSpeed's merge omits these: they are only in the module
        weights |= {name: tensor for name, tensor in model["module"].items() if name not in weights}
    copies = {name: tensor for name, tensor in model["module"].items() if tensor.numel() or case.stage < 3}
    return {"weights": weights, "copies": copies, "moments": moments}


def read_without(case: Case, folder: Path, tag: str) -> dict:
    module = load(folder / tag / "mp_rank_00_model_states.pt")["module"]
    live = load(folder / "live_0.pt")  # taken from the optimizer: the files only have the parameters' numbers
    first = {tensor.data_ptr(): name for name, tensor in module.items() if name in live["weights"]}
    tied = {name: live["weights"][first[tensor.data_ptr()]] for name, tensor in module.items() if tensor.data_ptr() in first}
    return {"weights": dict(module) | tied | live["weights"], "copies": module, "moments": live["moments"]}


def read_pipeline(case: Case, folder: Path, tag: str) -> dict:
    step = folder / tag
    copies = {f"{int(file.name[6:8])}.{name}": tensor for file in sorted(step.glob("layer_*")) for name, tensor in load(file).items()}
    weights, moments = {}, {}
    for file in sorted(step.glob("mp_rank_*_model_states.pt")):
        model = load(file)
        stage = file.name[8:10]
        ranks = sorted(step.glob(f"*zero_pp_rank_*_mp_rank_{stage}_optim_states.pt"))
        groups = model["param_shapes"] or (lengths_of(ranks, copies) if ranks else [])
        for key in (None, "exp_avg", "exp_avg_sq") if groups else ():
            flats = [torch.cat(parts) for parts in zip(*flat_lists(ranks, key))]
            for shapes, flat in zip(groups, flats):
                offset = 0
                for name, shape in shapes.items():
                    into = weights if key is None else moments
                    into.setdefault(name if key is None else f"{name}.{key}", flat.narrow(0, offset, shape.numel()).view(shape))
                    offset += shape.numel()
    for file in sorted(folder.glob("live_*.pt")):  # without ZeRO the files only have the parameters' numbers
        live = load(file)
        weights |= live["weights"]
        moments |= live["moments"]
    return {"weights": weights or copies, "copies": copies, "moments": moments}


def lengths_of(ranks: list[Path], copies: dict) -> list[dict[str, torch.Size]]:
    """BF16_Optimizer without ZeRO: each rank records to which parameter its elements belong (also used by ds_to_universal)."""
    mappings = [load(file)["optimizer_state_dict"]["param_slice_mappings"] for file in ranks]
    groups = []
    for parts in zip(*mappings):
        lengths: dict[str, int] = {}
        for part in parts:
            for name, address in part.items():
                lengths[name] = lengths.get(name, 0) + address.numel
        groups.append({name: copies["0.weight"].shape if name.startswith("tied_modules.") else copies[name].shape for name in lengths})
        assert all(shape.numel() == lengths[name] for name, shape in groups[-1].items())
    return groups


def read_experts(case: Case, folder: Path, tag: str) -> dict:
    """With ZeRO the masters are checked against the 16-bit copies, which have the global names."""
    step = folder / tag
    copies = dict(load(step / "mp_rank_00_model_states.pt")["module"])
    for file in sorted(step.glob("layer_*_expert_*")):
        copies |= load(file)
    if case.stage:
        return {"weights": None, "copies": copies, "moments": {}}
    weights, moments = {}, {}
    for file in sorted(folder.glob("live_*.pt")):  # without ZeRO: taken from each rank's optimizer
        live = load(file)
        weights |= live["weights"]
        moments |= live["moments"]
    return {"weights": weights, "copies": copies, "moments": moments}


def read_universal(case: Case, folder: Path, tag: str) -> dict:
    """The masters; other tensors of the module are as in the converted save."""
    step = folder / (tag + "_universal")
    whole = read_zero(case, folder, tag)
    weights, moments = dict(whole["weights"]), {}
    for file in sorted(step.glob("zero/*/*.pt")):
        value = load(file)
        value = value["param"] if isinstance(value, dict) else value
        name = file.parent.name
        if not isinstance(value, torch.Tensor) or (file.stem == "fp32" and name not in weights):
            continue
        if value.dim() == 1 and name in weights:
            value = value.view(weights[name].shape)
        if file.stem != "fp32":
            moments[f"{name}.{file.stem}"] = value
        elif weights[name].is_floating_point() and value.dtype == torch.float32:
            weights[name] = value
    return {"weights": weights, "copies": {}, "moments": moments}


def read_slices(case: Case, folder: Path, tag: str) -> dict:
    """Tensor parallel ranks, merged by ds_to_universal; the 16-bit copies are the rounded masters."""
    weights, moments = {}, {}
    for file in sorted((folder / (tag + "_universal")).glob("zero/*/*.pt")):
        value = load(file)
        if file.stem == "fp32":
            weights[file.parent.name] = value["param"]
        elif isinstance(value, dict):
            moments[f"{file.parent.name}.{file.stem}"] = value["param"]
    dtype = {"fp16": torch.float16}.get(case.dtype, torch.bfloat16)
    return {"weights": weights, "copies": {name: tensor.to(dtype) for name, tensor in weights.items()}, "moments": moments}


def entries(tensors: dict | None) -> dict | None:
    return None if tensors is None else {name: tensor_entry(tensor) for name, tensor in tensors.items()}


def main() -> int:
    out = Path(sys.argv[1]).resolve()
    for case in CASES:
        folder = out / case.name
        if not (folder / ".done").exists():
            continue
        tag = (folder / "latest").read_text().strip()
        read = {"pipeline": read_pipeline, "moe": read_experts}.get(case.kind, read_zero if case.stage else read_without)
        jobs = [(case.name, read, folder)]
        if case.kind in ("tensor", "both"):
            jobs = [(case.name, read_slices, folder)] if case.universal else []
        elif case.universal:
            jobs.append((case.name + "_universal", read_universal, folder))
        for name, reader, path in jobs:
            with contextlib.redirect_stdout(io.StringIO()):
                parts = reader(case, path, tag)
            document = {"path": str(path.relative_to(out)) + (f"/{tag}_universal" if name.endswith("_universal") else ""),
                        "ranks": case.ranks, "step": case.steps * case.keep, "epoch": case.keep}
            document |= {part: entries(tensors) for part, tensors in parts.items()}
            (out / f"{name}.expected.json").write_text(json.dumps(document, indent=1, sort_keys=True))
            print("read", name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
