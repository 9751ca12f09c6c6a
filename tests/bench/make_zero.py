# SPDX-License-Identifier: Apache-2.0
"""Writes a ZeRO-3 save like DeepSpeed's of the model of make_dcp.py: fp32 master weights and two moments, four ranks.

    python make_zero.py FOLDER [GIB]

GIB is the size of the 16-bit weights. Written with torch in DeepSpeed's layout, without training; tests/interop uses
folders written by DeepSpeed.
"""

import collections
import sys
from pathlib import Path

import torch
from make_dcp import RANKS, shapes


def main() -> None:
    folder = Path(sys.argv[1])
    step = folder / "global_step1"
    step.mkdir(parents=True)
    all_shapes = collections.OrderedDict((name, torch.Size(shape)) for name, shape in shapes(float(sys.argv[2]) if len(sys.argv) > 2 else 0.5).items())
    share = sum(-(-shape.numel() // RANKS) for shape in all_shapes.values())
    for rank in range(RANKS):
        model = {"module": {name: torch.empty(0, dtype=torch.bfloat16) for name in all_shapes}, "buffer_names": [], "param_shapes": [all_shapes],
                 "frozen_param_shapes": None, "shared_params": {}, "frozen_param_fragments": None, "global_steps": 1, "skipped_steps": 0,
                 "dp_world_size": RANKS, "mp_world_size": 1, "ds_version": "0.19.8"}
        torch.save(model, step / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt")
        generator = torch.Generator().manual_seed(rank)
        weights, first, second = (torch.randn(share, generator=generator) for _ in range(3))
        optimizer = {"state": {0: {"step": 1, "exp_avg": first, "exp_avg_sq": second}}, "param_groups": []}
        torch.save({"optimizer_state_dict": {"zero_stage": 3, "partition_count": RANKS, "fp32_flat_groups": [weights], "optimizer_state_dict": optimizer}},
                   step / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")
    (folder / "latest").write_text(step.name)


if __name__ == "__main__":
    main()
