# SPDX-License-Identifier: Apache-2.0
"""Two ranks train a model with FSDP2 and save twice, like verl and in one file per rank: python rank_saves.py FOLDER"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import torch

STEPS = (10, 20)


def train(rank: int, root: Path, port: int) -> None:
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2)
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.Linear(16, 4))
    fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 40)
    for step in range(1, max(STEPS) + 1):
        for _ in range(2):  # updates per step, like verl's mini-batches
            model(torch.ones(2, 16)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
        if step in STEPS:
            save(root, step, rank, model.state_dict(), optimizer.state_dict(), scheduler.state_dict())
    dist.barrier()
    dist.destroy_process_group()


def save(root: Path, step: int, rank: int, model: dict, optimizer: dict, scheduler: dict) -> None:
    verl, plain = root / f"verl{step}", root / f"ranks{step}"
    verl.mkdir(exist_ok=True)
    plain.mkdir(exist_ok=True)
    torch.save(model, verl / f"model_world_size_2_rank_{rank}.pt")
    torch.save(optimizer, verl / f"optim_world_size_2_rank_{rank}.pt")
    torch.save({"lr_scheduler": scheduler, "rng": {"cpu": torch.get_rng_state()}}, verl / f"extra_state_world_size_2_rank_{rank}.pt")
    torch.save({"model": model, "optimizer": optimizer, "step": step}, plain / f"rank{rank}.pt")


if __name__ == "__main__":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(train, (Path(sys.argv[1]), port), nprocs=2)
