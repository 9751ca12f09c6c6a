# SPDX-License-Identifier: Apache-2.0
"""Makes Megatron checkpoints with megatron-core on the CPU: torch_dist folders by dist_checkpointing, and legacy folders.

    venv-megatron/bin/python tests/interop/megatron_folders.py build/interop-megatron [CASE...]

One model without tensor or pipeline parallelism is saved as torch_dist; every layout loads that by megatron-core's own
resharding and saves its ranks' states, as Megatron-LM's training/checkpointing.py does (that file is not in the wheel).
So a merged legacy folder must have the state of the unsplit model: <case>.expected.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import queue
import shutil
import socket
import sys
from pathlib import Path

import torch
import torch.multiprocessing

SEED = 7


@dataclasses.dataclass
class Case:
    tp: int = 1
    pp: int = 1
    vpp: int | None = None
    swiglu: bool = True
    groups: int = 2
    layers: int = 4
    hidden: int = 32
    tied: bool = False
    experts: int | None = None
    ep: int = 1
    bias: bool = False
    dtype: torch.dtype = torch.float32
    iteration: int = 10
    tower: bool = False  # like LLaVA: a vision model without gates, before a language model with gates
    shared: int | None = None  # width of the shared experts


CASES = {
    "tp1": Case(),
    "tp2_swiglu": Case(tp=2),
    "tp2_gelu_bias": Case(tp=2, swiglu=False, bias=True, groups=4),
    "pp2": Case(pp=2),
    "tp2_pp2": Case(tp=2, pp=2, dtype=torch.bfloat16, bias=True),
    "tp4_pp1": Case(tp=4, groups=4),
    "pp2_vpp2": Case(pp=2, vpp=2),
    "pp2_tied": Case(pp=2, tied=True),
    "ep2_moe": Case(experts=4, ep=2, layers=2),
    "small": Case(tp=2, pp=2, layers=2, hidden=16, dtype=torch.bfloat16),
    "small_moe": Case(pp=1, ep=2, experts=2, layers=1, hidden=16, dtype=torch.bfloat16),
    "pp2_ep2_moe": Case(pp=2, ep=2, experts=4, layers=2),
    "tp2_llava": Case(tp=2, layers=2, groups=4, tower=True),
    "tp2_moe_shared": Case(tp=2, layers=2, groups=4, experts=4, shared=24),
}


def model_of(case: Case, ranks: Case):
    """The parts of the model on this rank: one, or one for each virtual stage."""
    from megatron.core import parallel_state
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.transformer.transformer_config import TransformerConfig

    config = TransformerConfig(
        num_layers=case.layers, hidden_size=case.hidden, num_attention_heads=4, num_query_groups=case.groups, ffn_hidden_size=48,
        use_cpu_initialization=True, gated_linear_unit=case.swiglu, activation_func=torch.nn.functional.silu if case.swiglu else torch.nn.functional.gelu,
        add_bias_linear=case.bias, add_qkv_bias=case.bias, normalization="LayerNorm", bias_activation_fusion=False,
        pipeline_dtype=case.dtype, params_dtype=case.dtype, bf16=case.dtype is torch.bfloat16,
        tensor_model_parallel_size=ranks.tp, pipeline_model_parallel_size=ranks.pp, virtual_pipeline_model_parallel_size=ranks.vpp,
        num_moe_experts=case.experts, expert_model_parallel_size=ranks.ep, moe_router_topk=2, moe_grouped_gemm=False,
        moe_shared_expert_intermediate_size=case.shared)
    if case.tower:
        return [llava_of(config)]
    parts = []
    for chunk in range(ranks.vpp or 1):
        stage = parallel_state.get_pipeline_model_parallel_rank()
        first = stage == 0 and chunk == 0
        last = stage == ranks.pp - 1 and chunk == (ranks.vpp or 1) - 1
        parts.append(GPTModel(config, get_gpt_layer_local_spec(case.experts), vocab_size=60 + 4, max_sequence_length=16,
                              pre_process=first, post_process=last, position_embedding_type="learned_absolute",
                              share_embeddings_and_output_weights=case.tied, vp_stage=chunk if ranks.vpp else None))
    return parts


def llava_of(config):
    """Megatron's multimodal models: LLaVAModel itself needs a GPU, its parts do not."""
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.models.vision.clip_vit_model import CLIPViTModel
    from megatron.core.models.vision.multimodal_projector import MultimodalProjector
    from megatron.core.models.vision.vit_layer_specs import get_vit_layer_with_local_spec
    from megatron.core.tensor_parallel.layers import ColumnParallelLinear, RowParallelLinear
    from megatron.core.transformer.mlp import MLPSubmodules
    from megatron.core.transformer.torch_norm import WrappedTorchNorm

    class Model(torch.nn.Module):
        def sharded_state_dict(self):
            return {key: part for name, child in self.named_children() for key, part in child.sharded_state_dict(prefix=name + ".").items()}

        def state_dict_for_save_checkpoint(self):
            return self.state_dict()

    plain = {"gated_linear_unit": False, "activation_func": torch.nn.functional.gelu}
    model = Model()
    model.vision_model = CLIPViTModel(dataclasses.replace(config, ffn_hidden_size=64, add_bias_linear=True, **plain),
                                      get_vit_layer_with_local_spec(), ln_pre_impl=WrappedTorchNorm, ln_post_impl=WrappedTorchNorm,
                                      img_h=28, img_w=28, patch_dim=14)
    model.vision_projection = MultimodalProjector(dataclasses.replace(config, ffn_hidden_size=40, **plain),
                                                  MLPSubmodules(linear_fc1=ColumnParallelLinear, linear_fc2=RowParallelLinear), "mlp", 32)
    model.language_model = GPTModel(config, get_gpt_layer_local_spec(), vocab_size=64, max_sequence_length=16)
    return model


def args_of(case: Case) -> argparse.Namespace:
    return argparse.Namespace(
        tensor_model_parallel_size=case.tp, pipeline_model_parallel_size=case.pp, virtual_pipeline_model_parallel_size=case.vpp,
        num_layers=case.layers, hidden_size=case.hidden, ffn_hidden_size=48, num_attention_heads=4, kv_channels=case.hidden // 4, group_query_attention=case.groups != 4,
        num_query_groups=case.groups, padded_vocab_size=64, make_vocab_size_divisible_by=16, swiglu=case.swiglu, add_bias_linear=case.bias,
        untie_embeddings_and_output_weights=not case.tied, num_experts=case.experts, expert_model_parallel_size=case.ep,
        max_position_embeddings=16, params_dtype=case.dtype, iteration=case.iteration, lr=1e-4, seed=SEED, use_distributed_optimizer=False,
        bf16=case.dtype is torch.bfloat16, world_size=case.tp * case.pp * case.ep, data_parallel_size=1, transformer_impl="local",
        ckpt_format="torch", position_embedding_type="learned_absolute", normalization="LayerNorm")


def write_here(transforms, _, rank, buckets, results) -> None:
    """Replaces FileSystemWriterAsync.write_preloaded_data_multiproc: the same files by the same function, without forks."""
    from megatron.core.dist_checkpointing.strategies.filesystem_async import FileSystemWriterAsync

    written = {}
    for i, bucket in enumerate(buckets):
        local, count = queue.Queue(), queue.Queue()
        count.put(i)
        FileSystemWriterAsync.write_preloaded_data(transforms, i, bucket, local, count, use_fsync=False)
        written[i] = local.get()[1]
    results.put(written)


def start(rank: int, world: int, port: int, ranks: Case) -> None:
    from megatron.core import parallel_state

    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "RANK": str(rank), "WORLD_SIZE": str(world), "LOCAL_RANK": "0"}
    torch.distributed.init_process_group("gloo", rank=rank, world_size=world)
    parallel_state.initialize_model_parallel(
        ranks.tp, ranks.pp, virtual_pipeline_model_parallel_size=ranks.vpp, expert_model_parallel_size=ranks.ep)
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    from megatron.core.dist_checkpointing.strategies import filesystem_async

    filesystem_async._get_write_results_queue = queue.Queue
    filesystem_async.FileSystemWriterAsync.write_preloaded_data_multiproc = staticmethod(write_here)
    torch.cuda.current_device = lambda: torch.device("cpu")
    torch.Tensor.cuda = lambda tensor, *_, **__: tensor
    torch.cuda.synchronize = lambda *_: None  # megatron-core calls it before it writes; there is no GPU


def sharded(parts, optimizer_like: bool = False):
    from megatron.core.dist_checkpointing.mapping import ShardedObject

    state = {}
    for i, part in enumerate(parts):
        state[f"model{i}" if len(parts) > 1 else "model"] = part.sharded_state_dict()
    return state


def randomise(parts) -> None:
    """Makes all elements different, so that every permutation is detected (norms and biases start as constants)."""
    torch.manual_seed(SEED)
    for part in parts:
        for parameter in part.parameters():
            with torch.no_grad():
                parameter.copy_(torch.randn(parameter.shape).to(parameter.dtype))


def describe(tensor: torch.Tensor) -> dict:
    whole = tensor.detach().contiguous()
    raw = whole.reshape(-1).view(torch.uint8).numpy().tobytes()
    return {"dtype": str(whole.dtype).removeprefix("torch."), "shape": list(whole.shape), "sha256": hashlib.sha256(raw).hexdigest()}


def save_unsplit(rank: int, world: int, port: int, case: Case, folder: str) -> None:
    from megatron.core import dist_checkpointing

    start(rank, world, port, Case())
    parts = model_of(case, Case())
    randomise(parts)
    Path(folder, "whole").mkdir(parents=True)
    dist_checkpointing.save(sharded(parts), f"{folder}/whole")
    state = parts[0].state_dict_for_save_checkpoint()
    expected = {f"model.{name}": describe(tensor) for name, tensor in state.items() if torch.is_tensor(tensor)}
    Path(folder).with_suffix(".expected.json").write_text(json.dumps(
        {"path": f"{Path(folder).name}/legacy", "iteration": case.iteration, "ranks": case.tp * case.pp * case.ep, "tensors": expected}, indent=1))


def rank_folder(case: Case, tp: int, pp: int, ep: int) -> str:
    """Like get_checkpoint_name() of Megatron-LM's training/checkpointing.py."""
    name = f"mp_rank_{tp:02d}" if case.pp == 1 else f"mp_rank_{tp:02d}_{pp:03d}"
    return name if case.ep == 1 else f"{name}_{ep:03d}"


def save_split(rank: int, world: int, port: int, case: Case, folder: str) -> None:
    from megatron.core import dist_checkpointing, parallel_state

    start(rank, world, port, case)
    parts = model_of(case, case)
    loaded = dist_checkpointing.load(sharded(parts), f"{folder}/whole", strict="assume_ok_unexpected")
    for i, part in enumerate(parts):
        part.load_state_dict(loaded[f"model{i}" if len(parts) > 1 else "model"], strict=False)
    # torch_dist of the split model
    target = Path(folder, "torch_dist", f"iter_{case.iteration:07d}")
    if rank == 0:
        target.mkdir(parents=True)
    torch.distributed.barrier()
    state = sharded(parts) | {"args": args_of(case), "iteration": case.iteration, "checkpoint_version": 3.0}
    dist_checkpointing.save(state, str(target))
    # legacy
    tp, pp = parallel_state.get_tensor_model_parallel_rank(), parallel_state.get_pipeline_model_parallel_rank()
    ep = parallel_state.get_expert_model_parallel_rank()
    legacy = {"args": args_of(case), "checkpoint_version": 3.0, "iteration": case.iteration, "num_floating_point_operations_so_far": 12345}
    for i, part in enumerate(parts):
        legacy[f"model{i}" if len(parts) > 1 else "model"] = part.state_dict_for_save_checkpoint()
    parameters = [parameter for part in parts for parameter in part.parameters()]
    adam = torch.optim.Adam(parameters, lr=1e-4)
    for parameter in parameters:
        parameter.grad = torch.ones_like(parameter)
    before = [parameter.detach().clone() for parameter in parameters]
    adam.step()
    with torch.no_grad():
        for parameter, old in zip(parameters, before):
            parameter.copy_(old)
    legacy["optimizer"] = adam.state_dict()
    legacy["opt_param_scheduler"] = {"max_lr": 1e-4, "num_steps": case.iteration * 8}
    legacy["rng_state"] = [{"random_rng_state": __import__("random").getstate(), "np_rng_state": __import__("numpy").random.get_state(),
                            "torch_rng_state": torch.get_rng_state(), "cuda_rng_state": torch.zeros(16, dtype=torch.uint8),
                            "rng_tracker_states": {"model-parallel-rng": torch.zeros(16, dtype=torch.uint8)}}]
    root = Path(folder, "legacy")
    member = root / f"iter_{case.iteration:07d}" / rank_folder(case, tp, pp, ep)
    member.mkdir(parents=True, exist_ok=True)
    torch.save(legacy, member / "model_optim_rng.pt")
    torch.distributed.barrier()
    if rank == 0:
        for tree in (root, Path(folder, "torch_dist")):
            (tree / "latest_checkpointed_iteration.txt").write_text(str(case.iteration))
    torch.distributed.barrier()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def ranks(work, world: int, case: Case, folder: Path) -> None:
    """Forks, so that the frameworks are imported once."""
    torch.multiprocessing.start_processes(work, (world, free_port(), case, str(folder)), nprocs=world, start_method="fork")


def main() -> None:
    import megatron.core.dist_checkpointing.strategies.torch  # noqa: F401
    import megatron.core.models.gpt.gpt_model  # noqa: F401

    target = Path(sys.argv[1])
    for word in sys.argv[2:] or CASES:
        case = CASES[word]
        folder = target / word
        shutil.rmtree(folder, ignore_errors=True)
        ranks(save_unsplit, 1, case, folder)
        world = case.tp * case.pp * case.ep
        ranks(save_split, world, case, folder)
        print("made", word, flush=True)


if __name__ == "__main__":
    main()
