# SPDX-License-Identifier: Apache-2.0
"""The states that the four ranks save: real models under FSDP2, HSDP, FSDP+TP and TP after a real AdamW step, and tensors
cut so unevenly that some ranks have no elements."""

from __future__ import annotations

import numpy
import torch
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, get_optimizer_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

from tiny_models import TinyTransformer, trained

BLOCK_PLAN = {"up": ColwiseParallel(), "down": RowwiseParallel()}


def extras() -> dict:
    """Everything that is not a DTensor."""
    return {
        "epoch": 1, "step": 2, "lr": 0.01, "loss": float("nan"), "name": "run é", "flag": True, "nothing": None,
        "numbers": [1, 2.5, 3], "words": ["a", "b"], "mixed": [torch.tensor([1.0, 2.0]), {"deep": 5, "t": torch.tensor(6)}],
        "pair": (1, "two"), "tensor_pair": (torch.arange(3), 4), "array": numpy.arange(5.0), "scalar": torch.tensor(3.25), "counter": torch.tensor(7), "empty": torch.empty(0, 3),
        "nested": {"a": {"b": {"c": 1, "t": torch.arange(4)}}, "list_of_dicts": [{"x": 1}, {"x": 2}]},
        "rng": torch.get_rng_state()[:64].clone(), "replicated": torch.arange(30, dtype=torch.int16).reshape(5, 6),
    }


def sharded_model(mesh, tensor_parallel=None):
    torch.manual_seed(3)
    model = TinyTransformer()
    if tensor_parallel is not None:
        for layer in model.layers:
            parallelize_module(layer, tensor_parallel, BLOCK_PLAN)
    if mesh is not None:
        for layer in model.layers:
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
    return model


def with_optimizer(model) -> dict:
    model, optimizer, _, _ = trained(model, 1)
    return {"model": get_model_state_dict(model), "optimizer": get_optimizer_state_dict(model, optimizer)}


def fsdp2() -> dict:
    return with_optimizer(sharded_model(init_device_mesh("cpu", (4,)))) | extras()


def hsdp() -> dict:
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
    return with_optimizer(sharded_model(mesh)) | {"step": 2, "epoch": 0}


def fsdp_tp() -> dict:
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    return with_optimizer(sharded_model(mesh["dp"], mesh["tp"]))


def tp() -> dict:
    return with_optimizer(sharded_model(None, init_device_mesh("cpu", (4,))))


def flat() -> dict:
    """Only top-level keys, as required by flatten_state_dict=False."""
    model, optimizer, _, _ = trained(sharded_model(init_device_mesh("cpu", (4,))), 1)
    options = StateDictOptions(flatten_optimizer_state_dict=True)
    return get_model_state_dict(model) | get_optimizer_state_dict(model, optimizer, options=options) | {"step": 3}


def torchtitan() -> dict:
    model, optimizer, scheduler, _ = trained(sharded_model(init_device_mesh("cpu", (4,))), 1)
    options = StateDictOptions(flatten_optimizer_state_dict=True)
    return dict(get_model_state_dict(model)) | {
        "optimizer": get_optimizer_state_dict(model, optimizer, options=options),
        "lr_scheduler": {"last_epoch": scheduler.last_epoch}, "train_state": {"step": 20, "ntokens_seen": 2**40}}


def cut(shape: tuple[int, ...], placements, mesh, dtype=torch.float32) -> DTensor:
    count = 1
    for extent in shape:
        count *= extent
    return distribute_tensor(torch.arange(count).to(dtype).reshape(shape), mesh, placements)


def uneven() -> dict:
    line = init_device_mesh("cpu", (4,))
    square = init_device_mesh("cpu", (2, 2), mesh_dim_names=("x", "y"))
    state = {f"rows_{n}": cut((n, 3), [Shard(0)], line) for n in (1, 2, 3, 5, 6, 7, 10, 13)}
    state |= {f"columns_{n}": cut((2, n), [Shard(1)], line, torch.bfloat16) for n in (1, 3, 7, 10)}
    state |= {
        "middle": cut((3, 5, 7), [Shard(1)], line, torch.int64), "last": cut((2, 3, 10), [Shard(2)], line, torch.float16),
        "both": cut((7, 10), [Shard(0), Shard(1)], square), "twice": cut((10, 3), [Shard(0), Shard(0)], square),
        "half_replicated": cut((7, 3), [Replicate(), Shard(0)], square), "replicated": cut((3, 3), [Replicate()], line),
        "vector": cut((3,), [Shard(0)], line, torch.float64), "nothing": cut((0, 4), [Shard(0)], line),
    }
    return state


def small() -> dict:
    line = init_device_mesh("cpu", (4,))
    return {"model": {"w": cut((7, 6), [Shard(0)], line), "v": cut((3, 10), [Shard(1)], line, torch.bfloat16),
                      "scale": torch.tensor(0.5)}, "step": 1, "note": "small", "list": [1, 2]}


def hugging_face() -> dict:
    line = init_device_mesh("cpu", (4,))
    return {"rows.weight": cut((9, 4), [Shard(0)], line), "columns.weight": cut((4, 10), [Shard(1)], line, torch.bfloat16),
            "norm.weight": torch.arange(5.0), "both.weight": cut((6, 8), [Shard(0), Shard(1)], init_device_mesh("cpu", (2, 2)))}


def replicated() -> dict:
    """Replicated DTensors: one rank's file is the complete model."""
    line = init_device_mesh("cpu", (4,))
    return {"w": cut((7, 6), [Replicate()], line), "v": cut((3, 10), [Replicate()], line, torch.bfloat16), "plain": torch.arange(4)}


def strided() -> dict:
    """A linear layer cut by tensor parallelism first and by FSDP2 then: strided shards; 6 and 10 do not divide evenly."""
    from torch import nn

    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    torch.manual_seed(5)
    model = nn.Sequential(nn.Linear(6, 10), nn.Linear(10, 6))
    parallelize_module(model, mesh["tp"], {"0": ColwiseParallel(), "1": RowwiseParallel()})
    fully_shard(model, mesh=mesh["dp"])
    return {"model": get_model_state_dict(model)}


def sharded_tensors() -> dict:
    """The ShardedTensors of FSDP1."""
    from torch.distributed._shard import sharded_tensor
    from torch.distributed._shard.sharding_spec import ChunkShardingSpec

    state = {"step": 3, "plain": torch.arange(5)}
    for rows in (7, 8):
        spec = ChunkShardingSpec(dim=0, placements=[f"rank:{rank}/cpu" for rank in range(4)])
        tensor = sharded_tensor.empty(spec, rows, 3)
        whole = torch.arange(rows * 3.0).reshape(rows, 3)
        for shard in tensor.local_shards():
            first, count = shard.metadata.shard_offsets[0], shard.metadata.shard_sizes[0]
            shard.tensor.copy_(whole[first:first + count])
        state[f"rows_{rows}"] = tensor
    return state


def plain() -> dict:
    torch.manual_seed(3)
    model, optimizer, scheduler, loss = trained(TinyTransformer(), 2)
    return {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(), "step": 5,
            "loss": loss, "words": ["x", "y"]}
