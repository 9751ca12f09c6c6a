# SPDX-License-Identifier: Apache-2.0
"""Writes a sharded checkpoint of a Llama-like bf16 model with torch: four gloo ranks, DTensors, DCP.

    python make_dcp.py FOLDER {row,column} [GIB] [hf]

With "hf", each rank writes a safetensors file (HuggingFaceStorageWriter) instead of .distcp files.
"""

import sys
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard

RANKS = 4
HIDDEN, MLP, VOCAB = 2048, 5504, 32000


def shapes(gib: float) -> dict[str, tuple[int, ...]]:
    layer = {
        "self_attn.q_proj.weight": (HIDDEN, HIDDEN),
        "self_attn.k_proj.weight": (HIDDEN, HIDDEN),
        "self_attn.v_proj.weight": (HIDDEN, HIDDEN),
        "self_attn.o_proj.weight": (HIDDEN, HIDDEN),
        "mlp.gate_proj.weight": (MLP, HIDDEN),
        "mlp.up_proj.weight": (MLP, HIDDEN),
        "mlp.down_proj.weight": (HIDDEN, MLP),
        "input_layernorm.weight": (HIDDEN,),
        "post_attention_layernorm.weight": (HIDDEN,),
    }
    bytes_per_layer = sum(2 * torch.Size(shape).numel() for shape in layer.values())
    layers = max(1, round((gib * 2**30 - 4 * VOCAB * HIDDEN) / bytes_per_layer))
    all_shapes = {"model.embed_tokens.weight": (VOCAB, HIDDEN)}
    for i in range(layers):
        all_shapes |= {f"model.layers.{i}.{name}": shape for name, shape in layer.items()}
    return all_shapes | {"model.norm.weight": (HIDDEN,), "lm_head.weight": (VOCAB, HIDDEN)}


def shard(shape: tuple[int, ...], dim: int, rank: int, mesh, generator) -> DTensor:
    if len(shape) == 1:
        local = torch.arange(shape[0]).to(torch.bfloat16)
        return DTensor.from_local(local, mesh, [Replicate()], run_check=False)
    sizes = list(shape)
    sizes[dim] //= RANKS
    local = torch.randint(-(2**15), 2**15, sizes, dtype=torch.int16, generator=generator).view(torch.bfloat16)
    return DTensor.from_local(local, mesh, [Shard(dim)], run_check=False)


def write(rank: int, folder: str, dim: int, gib: float, hf: bool, port_file: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{port_file}", rank=rank, world_size=RANKS)
    mesh = init_device_mesh("cpu", (RANKS,))
    generator = torch.Generator().manual_seed(rank)
    state = {name: shard(shape, dim, rank, mesh, generator) for name, shape in shapes(gib).items()}
    if hf:
        dcp.save(state, storage_writer=dcp.HuggingFaceStorageWriter(folder, save_distributed=True))
    else:
        dcp.save({"model": state}, checkpoint_id=folder)
    dist.destroy_process_group()


def main() -> None:
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    gib = float(sys.argv[3]) if len(sys.argv) > 3 else 2.0
    folder.parent.mkdir(parents=True, exist_ok=True)
    port_file = folder.with_suffix(".rendezvous")
    mp.spawn(write, (str(folder), 0 if kind == "row" else 1, gib, sys.argv[4:] == ["hf"], str(port_file.absolute())), nprocs=RANKS)
    port_file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
