# SPDX-License-Identifier: Apache-2.0
"""Makes the folders that megatron-core wrote until 0.14: `zarr` folders, and `torch_dist` folders with flattened optimizer states.

    venv-megatron-old/bin/python tests/interop/megatron_old_folders.py build/interop-megatron-old [CASE...]

Every rank saves its model and the moments and masters of a distributed optimizer, cut as DistributedOptimizer's
sharded_param_state_fs_model_space() and _fs_bucket_space() cut them (the optimizer itself needs a GPU). The expected tensors
are the result of megatron-core's own load_plain_tensors() for the folder: <case>.expected.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import torch
import torch.distributed.checkpoint.filesystem

from megatron_folders import describe, randomise, ranks, start, write_here


@dataclasses.dataclass
class Case:
    backend: str = "zarr"
    tp: int = 1
    pp: int = 1
    dp: int = 1
    vpp: int | None = None
    ep: int = 1
    hidden: int = 16
    layers: int = 2
    swiglu: bool = True
    experts: int | None = None
    dtype: torch.dtype = torch.float32
    optimizer: str = "model"  # "model", "bucket" or "none"
    kinds: tuple[str, ...] = ("exp_avg", "exp_avg_sq", "fp32_param")
    iteration: int = 20


CASES = {
    "zarr_tp2": Case(tp=2),
    "zarr_tp2_pp2_dp2": Case(tp=2, pp=2, dp=2, dtype=torch.bfloat16),
    "zarr_bucket": Case(dp=2, optimizer="bucket"),
    "zarr_plain": Case(optimizer="none", dtype=torch.float16, layers=1, hidden=8),
    "flat_dp2": Case("torch_dist", dp=2),
    "flat_tp2_dp2": Case("torch_dist", tp=2, dp=2, dtype=torch.bfloat16),
    "flat_tp2_pp2_dp2": Case("torch_dist", tp=2, pp=2, dp=2, swiglu=False),
    "flat_dp3": Case("torch_dist", dp=3),
    "flat_small": Case("torch_dist", tp=2, dp=2, layers=1, hidden=8, kinds=("exp_avg",)),
    "zarr_small": Case(tp=2, dp=2, layers=1, hidden=8, dtype=torch.bfloat16, kinds=("exp_avg",)),
}


def model_of(case: Case):
    from megatron.core import parallel_state
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.transformer.transformer_config import TransformerConfig

    config = TransformerConfig(
        num_layers=case.layers, hidden_size=case.hidden, num_attention_heads=4, num_query_groups=2, ffn_hidden_size=24,
        use_cpu_initialization=True, gated_linear_unit=case.swiglu, activation_func=torch.nn.functional.silu, add_bias_linear=False,
        normalization="LayerNorm", bias_activation_fusion=False, pipeline_dtype=case.dtype, params_dtype=case.dtype,
        bf16=case.dtype is torch.bfloat16, fp16=case.dtype is torch.float16,
        tensor_model_parallel_size=case.tp, pipeline_model_parallel_size=case.pp)
    stage = parallel_state.get_pipeline_model_parallel_rank()
    return GPTModel(config, get_gpt_layer_local_spec(case.experts), vocab_size=32, max_sequence_length=8, pre_process=stage == 0,
                    post_process=stage == case.pp - 1, position_embedding_type="learned_absolute",
                    share_embeddings_and_output_weights=False)


def dp_part(elements: int, case: Case) -> slice:
    """A data-parallel rank's part of a flattened parameter: cut anywhere, at the boundaries of buckets."""
    from megatron.core import parallel_state

    rank = parallel_state.get_data_parallel_rank()
    borders = [0, *(elements * i // case.dp + (1 if elements > 8 else 0) for i in range(1, case.dp)), elements]
    return slice(borders[rank], borders[rank + 1])


def in_model_space(model_state: dict, case: Case) -> dict:
    from megatron.core.dist_checkpointing.dict_utils import nested_values
    from megatron.core.dist_checkpointing.mapping import ShardedTensor, ShardedTensorFactory

    optimizer = {}
    for number, entry in enumerate(nested_values(model_state)):
        if not isinstance(entry, (ShardedTensor, ShardedTensorFactory)):
            continue
        part = dp_part(entry.data.numel(), case)
        for kind in case.kinds:
            factor = {"exp_avg": 0.5, "exp_avg_sq": 0.25, "fp32_param": 1.0}[kind]
            values = (entry.data.detach().float() * factor).flatten()[part].clone()
            changes = {"key": f"optimizer.state.{kind}.{entry.key}", "data": values, "flattened_range": part,
                       "replica_id": (*entry.replica_id[:2], 0)}
            if isinstance(entry, ShardedTensor):
                changes["dtype"] = values.dtype
            optimizer[f"{number}.{kind}"] = replace(entry, **changes)
    return optimizer


def in_bucket_space(case: Case) -> dict:
    from megatron.core import parallel_state
    from megatron.core.dist_checkpointing.mapping import ShardedTensor

    local, rank = 50, parallel_state.get_data_parallel_rank()
    optimizer = {}
    for kind in ("param", "exp_avg", "exp_avg_sq"):
        values = torch.randn(local * case.dp)[rank * local : (rank + 1) * local].clone()
        for number, (first, end) in enumerate(((0, 13), (13, 44), (44, 50))):
            optimizer[f"{kind}.{number}"] = ShardedTensor(
                f"optimizer.distributed.dp_group_idx_0.gbuf_idx_0.dtype_(torch.bfloat16, torch.float32).bucket_idx_0.{kind}",
                values[first:end], torch.float32, (local,), (case.dp * local,), (rank * local,), (case.dp,),
                flattened_range=slice(first, end), allow_shape_mismatch=True)
    return optimizer


def without_forks() -> None:
    """The same files by the same functions, in this process: a fork of a process that is itself forked hangs.

    And torch's _write_item has one more argument now."""
    from megatron.core.dist_checkpointing.strategies import filesystem_async
    from megatron.core.dist_checkpointing.strategies.filesystem_async import FileSystemWriterAsync
    from megatron.core.dist_checkpointing.strategies.torch import TorchDistSaveShardedStrategy

    filesystem_async._write_item = functools.partial(
        filesystem_async._write_item, serialization_format=torch.distributed.checkpoint.filesystem.SerializationFormat.TORCH_SAVE)
    FileSystemWriterAsync.write_preloaded_data_multiproc = staticmethod(
        lambda transforms, rank, buckets, results: write_here(transforms, None, rank, buckets, results))
    TorchDistSaveShardedStrategy.save = lambda self, state, folder: self.async_save(state, folder).execute_sync()


def save(rank: int, world: int, port: int, case: Case, folder: str) -> None:
    from megatron.core import dist_checkpointing
    from megatron.core.dist_checkpointing.serialization import get_default_save_sharded_strategy

    start(rank, world, port, case)
    without_forks()
    model = model_of(case)
    randomise([model])
    state = {"model": model.sharded_state_dict()}
    if case.optimizer == "model":
        state["optimizer"] = in_model_space(state["model"], case)
    elif case.optimizer == "bucket":
        state["optimizer"] = in_bucket_space(case)
    state |= {"args": argparse.Namespace(tensor_model_parallel_size=case.tp, pipeline_model_parallel_size=case.pp,
                                         num_layers=case.layers, hidden_size=case.hidden, lr=1e-4, dist_ckpt_format=case.backend),
              "iteration": case.iteration, "checkpoint_version": 3.0, "opt_param_scheduler": {"max_lr": 1e-4, "num_steps": 160}}
    target = Path(folder, f"iter_{case.iteration:07d}")
    if rank == 0:
        target.mkdir(parents=True)
    torch.distributed.barrier()
    dist_checkpointing.save(state, str(target), get_default_save_sharded_strategy(case.backend, 1))
    torch.distributed.barrier()
    if rank == 0:
        (target.parent / "latest_checkpointed_iteration.txt").write_text(str(case.iteration))


def load(rank: int, world: int, port: int, case: Case, folder: str) -> None:
    from megatron.core import dist_checkpointing

    start(rank, world, port, Case())
    saved = Path(folder, f"iter_{case.iteration:07d}")
    target = Path(folder, "loaded")  # load_tensors_metadata() fails on the lock folders that zarr's writer leaves
    shutil.copytree(saved, target, ignore=shutil.ignore_patterns("*.sync"))
    shapes = dist_checkpointing.load_tensors_metadata(str(target))
    tensors = dist_checkpointing.load_plain_tensors(str(target))  # and the common state
    expected = {name: describe(tensor.reshape(shapes[name].global_shape)) for name, tensor in tensors.items() if name in shapes}
    Path(folder).with_suffix(".expected.json").write_text(json.dumps(
        {"path": f"{Path(folder).name}/{saved.name}", "iteration": case.iteration, "backend": case.backend, "tensors": expected}, indent=1))
    shutil.rmtree(target)


def main() -> None:
    import megatron.core.dist_checkpointing.strategies.torch
    import megatron.core.dist_checkpointing.strategies.zarr
    import megatron.core.models.gpt.gpt_model  # noqa: F401

    target = Path(sys.argv[1]).resolve()
    for word in sys.argv[2:] or CASES:
        case = CASES[word]
        folder = target / word
        shutil.rmtree(folder, ignore_errors=True)
        ranks(save, case.tp * case.pp * case.dp, case, folder)
        ranks(load, 1, case, folder)
        print("made", word, flush=True)


if __name__ == "__main__":
    main()
