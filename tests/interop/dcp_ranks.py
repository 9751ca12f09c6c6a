# SPDX-License-Identifier: Apache-2.0
"""Loads a distributed checkpoint into DTensors of several gloo ranks and compares every rank's part with the complete tensors; saves
the local parts of DTensors as plain tensors."""

from __future__ import annotations

from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor, zeros
from torch.distributed.tensor._utils import compute_local_shape_and_global_offset


def placement(tensor: torch.Tensor, dim: int):
    return [Shard(dim % tensor.dim())] if tensor.dim() > max(dim, 0) else [Replicate()]


def bits(tensor: torch.Tensor) -> list[int]:
    return tensor.contiguous().flatten().view(torch.uint8).tolist()


def worker(rank: int, ranks: int, folder: str, whole_file: str, rendezvous: str, dim: int, bad) -> None:
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=ranks)
    try:
        mesh = init_device_mesh("cpu", (ranks,))
        whole = torch.load(whole_file, weights_only=True)
        state = {name: zeros(*tensor.shape, dtype=tensor.dtype, device_mesh=mesh, placements=placement(tensor, dim))
                 for name, tensor in whole.items()}
        dcp.load(state, checkpoint_id=folder)
        for name, tensor in whole.items():
            shape, offset = compute_local_shape_and_global_offset(tensor.shape, mesh, placement(tensor, dim))
            expected = tensor[tuple(slice(at, at + extent) for at, extent in zip(offset, shape))]
            found = state[name].to_local()
            same = found.dtype == expected.dtype and found.shape == expected.shape and bits(found) == bits(expected)
            bad[rank] += not same
    finally:
        dist.destroy_process_group()


def differences(folder: Path, whole_file: Path, ranks: int, dim: int) -> int:
    """Number of local parts that differ from those that torch would produce."""
    rendezvous = folder.parent / f"rendezvous-{ranks}"
    bad = mp.get_context("spawn").Array("i", ranks)
    mp.spawn(worker, (ranks, str(folder), str(whole_file), str(rendezvous), dim, bad), nprocs=ranks)
    return sum(bad)


def save_local_parts(rank: int, ranks: int, folder: str, rendezvous: str, cut: bool) -> None:
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=ranks)
    try:
        mesh = init_device_mesh("cpu", (ranks,))
        where = [Shard(0)] if cut else [Replicate()]
        whole = {"w": torch.arange(24.0).reshape(6, 4), "uneven": torch.arange(5, dtype=torch.bfloat16), "norm": torch.ones(3)}
        model = {name: distribute_tensor(tensor, mesh, [Replicate()] if name == "norm" else where).to_local()
                 for name, tensor in whole.items()}
        rng = torch.full((16,), rank, dtype=torch.uint8)
        torch.save({"model": model, "step": torch.tensor(7), "rng": rng, "view": torch.arange(10.0 + rank)[2:6]},
                   Path(folder) / f"ckpt_rank{rank}.pt")
    finally:
        dist.destroy_process_group()


def with_local_parts(folder: Path, ranks: int, cut: bool) -> list[dict]:
    """The tensors that torch loads from each rank's file after saving DTensor.to_local(); not `cut`: every rank has everything."""
    folder.mkdir()
    mp.spawn(save_local_parts, (ranks, str(folder), str(folder.parent / f"rendezvous-{folder.name}"), cut), nprocs=ranks)
    return [torch.load(folder / f"ckpt_rank{rank}.pt", weights_only=True) for rank in range(ranks)]
