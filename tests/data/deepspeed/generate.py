# SPDX-License-Identifier: Apache-2.0
"""Copies small folders written by DeepSpeed to this folder, with the tensors that DeepSpeed's own merge reads from them.

    python tests/interop/deepspeed_folders.py OUT && python tests/interop/deepspeed_oracle.py OUT
    python tests/data/deepspeed/generate.py OUT [name …]
"""

import json
import shutil
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from deepspeed_oracle import load  # noqa: E402
from oracle import tensor_entry  # noqa: E402

HERE = Path(__file__).resolve().parent
SAMPLES = {"zero0": "z0_bf16_r2", "zero2": "z2_bf16_r2", "zero3": "z3_bf16_r2", "pipeline": "pp_bf16_r2", "slices": "tp_z2_fp16_r2",
           "experts": "moe_z0_fp16_r4", "zero0_frozen": "z0_bf16_r2_frozen", "zero0_pipeline": "pp_bf16_z0_r2"}


def steps(folder: Path) -> dict:
    """The optimizer's counters: tensors that belong to no parameter."""
    found = {}
    for number, mp in enumerate(sorted({file.name.split("_mp_rank_")[1][:2] for file in folder.glob("*zero_pp_rank_*_optim_states.pt")})):
        file = next(folder.glob(f"*zero_pp_rank_0_mp_rank_{mp}_optim_states.pt"))
        state = load(file)["optimizer_state_dict"]
        key = "base_optimizer_state" if "base_optimizer_state" in state else "optimizer_state_dict"
        for group, inner in state[key]["state"].items():
            prefix = f"mp_rank_{mp}." if number else ""
            found[f"{prefix}optimizer_state_dict.{key}.state.{group}.step"] = tensor_entry(inner["step"])
    if not found and any(folder.glob("expp_rank_*")):
        model = load(folder / "mp_rank_00_model_states.pt")
        shared = len(model["optimizer"]["fp32_groups"][0])  # these are repeated from the model's file
        files = {"": model} | {file.stem + ".": load(file) for file in folder.glob("expp_rank_*")}
        for prefix, content in files.items():
            for index, inner in content["optimizer"]["optimizer_state_dict"]["state"].items():
                if (index < shared) == (prefix == ""):
                    found[f"{prefix}optimizer.optimizer_state_dict.state.{index}.step"] = tensor_entry(inner["step"])
    elif not found:
        optimizer = load(folder / "mp_rank_00_model_states.pt")["optimizer"]["optimizer_state_dict"]
        for index, inner in optimizer["state"].items():
            found[f"optimizer.optimizer_state_dict.state.{index}.step"] = tensor_entry(inner["step"])
    return found


def walk(prefix: str, value) -> dict:
    """All tensors by their path."""
    if isinstance(value, torch.Tensor):
        return {prefix: tensor_entry(value)}
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    return {name: entry for key, inner in items for name, entry in walk(f"{prefix}.{key}", inner).items()}


def stages(folder: Path) -> dict:
    """Pipelines without ZeRO: the stages' optimizers are also in the model states."""
    found = {}
    for number, file in enumerate(sorted(folder.glob("mp_rank_*_model_states.pt"))):
        model = load(file)
        if model["param_shapes"] is None and any(folder.glob("*zero_pp_rank_*")):
            found |= walk(f"mp_rank_{file.name[8:10]}.optimizer" if number else "optimizer", model["optimizer"])
    return found


def main() -> None:
    made = Path(sys.argv[1])
    names = sys.argv[2:] or list(SAMPLES)
    expected = json.loads((HERE / "expected.json").read_text()) if sys.argv[2:] else {}
    for name in names:
        case = SAMPLES[name]
        folder = made / case / (made / case / "latest").read_text().strip()
        shutil.rmtree(HERE / name, ignore_errors=True)
        shutil.copytree(folder, HERE / name)
        read = json.loads((made / f"{case}.expected.json").read_text())
        copies = {f"module.{key}": entry for key, entry in read["copies"].items()}
        tensors = read["weights"] | read["moments"] | copies | steps(folder) | stages(folder)
        expected[name] = {"tensors": {key: [e["dtype"], e["shape"], e["sha256"]] for key, e in sorted(tensors.items())}}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1))


if __name__ == "__main__":
    main()
