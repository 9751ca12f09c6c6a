# SPDX-License-Identifier: Apache-2.0
"""`python generate_quantised.py`: writes the folder `quantised` beside this file, a model whose weights are tensors of
torchao's classes (torch 2.13, torchao 0.18), and `quantised.oracle` as generate.py does: the parts of each weight under
its name, as the same state dict in a file of torch.save has them.

torchao is not in the environment of the interop tests; run this where it is installed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from generate import describe
from torchao.quantization import Float8WeightOnlyConfig, Int8WeightOnlyConfig, quantize_

HERE = Path(__file__).parent


def model() -> torch.nn.Module:
    torch.manual_seed(11)
    linear = torch.nn.Linear
    # The item of the weight of 28 x 28 is about as long as that of a plain one.
    made = torch.nn.Sequential(linear(64, 32), linear(28, 28), linear(32, 8), torch.nn.LayerNorm(8)).bfloat16()
    quantize_(made[:2], Int8WeightOnlyConfig())
    quantize_(made[2], Float8WeightOnlyConfig())
    return made


def main() -> None:
    folder = HERE / "quantised"
    shutil.rmtree(folder, ignore_errors=True)
    state = model().state_dict()
    dcp.save(state, checkpoint_id=str(folder), no_dist=True)
    lines: list[str] = []
    for name, tensor in state.items():
        if hasattr(tensor, "__tensor_flatten__"):
            parts, _ = tensor.__tensor_flatten__()
            for part in parts:
                describe(f"{name}.{part}", bits(getattr(tensor, part)), lines)
        else:
            describe(name, bits(tensor), lines)
    (HERE / "quantised.oracle").write_text("\n".join(lines) + "\n")


def bits(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().contiguous()


if __name__ == "__main__":
    main()
