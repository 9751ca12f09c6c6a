#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes two_worlds: one model by FSDP2 on two gloo ranks, and another run of it on one, with verl's file names.

Written with torch 2.13.0. Each rank's file contains DTensors; the first element of `norm.weight` differs between the runs.
"""

import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

OUT = Path(__file__).parent / "two_worlds"


def save(rank: int, world: int, rendezvous: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=world)
    torch.manual_seed(1 + 10 * world)
    model = nn.ModuleDict({"embed": nn.Embedding(17, 8), "l1": nn.Linear(8, 10), "norm": nn.LayerNorm(10),
                           "head": nn.Linear(10, 17, bias=False)})
    fully_shard(model, mesh=init_device_mesh("cpu", (world,)))
    torch.save(model.state_dict(), OUT / f"model_world_size_{world}_rank_{rank}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    for ranks in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            mp.spawn(save, (ranks, f"{folder}/rendezvous"), nprocs=ranks)
