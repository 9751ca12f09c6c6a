# SPDX-License-Identifier: Apache-2.0
"""Trainings of megatron-core on the CPU, for test_resume_megatron.py; runs in the environment of requirements-megatron.txt.

    venv-megatron/bin/python tests/interop/resumed_megatron.py save|load FOLDER FAMILY RANKS VOCABULARY fp32|bf16 RESULT.pt

save: trains STEPS steps, saves by dist_checkpointing as Megatron-LM's training/checkpointing.py does, and goes on.
load: loads the newest iteration with RANKS tensor-parallel ranks, saves what the model and the optimizer then have beside RESULT.pt as
`again`, and goes on. RESULT.pt: the losses of the next steps, the optimizer's groups, its steps, and the schedule.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

import torch

import megatron_families as families
import megatron_folders as folders

STEPS, MORE, LR, DECAY = 4, 3, 1e-2, 0.1
FAMILIES = ("llama", "gpt2", "qwen2", "qwen3", "llama_bias")
OWN = {"llama_bias": families.DENSE | {"add_bias_linear": True, "num_query_groups": 4}}
TIED = {"gpt2", "qwen2"}


def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
    ids = (torch.arange(26).reshape(2, 13) * 7 + step * 5) % 60
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def model_of(family: str, ranks: int, vocabulary: int, kind: str):
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.transformer.transformer_config import TransformerConfig

    options = dict(OWN.get(family) or families.FAMILIES[family])
    config = TransformerConfig(
        num_layers=3, hidden_size=32, num_attention_heads=4, use_cpu_initialization=True, bias_activation_fusion=False,
        params_dtype=torch.bfloat16 if kind == "bf16" else torch.float32, bf16=kind == "bf16", attention_dropout=0.0, hidden_dropout=0.0, bias_dropout_fusion=False, apply_rope_fusion=False,
        masked_softmax_fusion=False, tensor_model_parallel_size=ranks, **options)
    spec = get_gpt_layer_local_spec(None, False, options.get("qk_layernorm", False), False, normalization=config.normalization)
    return GPTModel(config, spec, vocab_size=vocabulary, max_sequence_length=32, share_embeddings_and_output_weights=family in TIED,
                    position_embedding_type="learned_absolute" if family == "gpt2" else "rope", rotary_base=10000)


def start(rank: int, ranks: int, port: int) -> None:
    folders.start(rank, ranks, port, folders.Case(tp=ranks))
    from megatron.core.tensor_parallel import random

    random.initialize_rng_tracker()
    random._CUDA_RNG_STATE_TRACKER.fork = lambda *_: contextlib.nullcontext()  # random numbers of the GPU, which is not there
    kind = torch.Tensor.type
    torch.Tensor.type = lambda tensor, *args, **kwargs: kind(tensor, *args, **kwargs) if args else kind(tensor).replace("torch.", "torch.cuda.")
    plain = torch.tensor
    torch.tensor = lambda *args, **kwargs: plain(*args, **kwargs | ({"device": "cpu"} if kwargs.get("device") == "cuda" else {}))


def optimizer_of(model, kind: str):
    from megatron.core.optimizer import OptimizerConfig, _get_param_groups
    from megatron.core.optimizer.optimizer import FP32Optimizer, Float16OptimizerWithFloat16Params
    from megatron.core.optimizer_param_scheduler import OptimizerParamScheduler

    config = OptimizerConfig(optimizer="adam", lr=LR, min_lr=0.0, weight_decay=DECAY, adam_beta1=0.9, adam_beta2=0.95, adam_eps=1e-8, clip_grad=0.0, bf16=kind == "bf16")
    groups = _get_param_groups([model], config, None)
    adam = torch.optim.AdamW(groups, lr=LR, weight_decay=DECAY, betas=(0.9, 0.95), eps=1e-8)

    def begin(inner, _=None):
        for group in inner.param_groups:
            for parameter in group["params"]:
                if not inner.state[parameter]:
                    inner.state[parameter] = {"exp_avg": torch.full_like(parameter, 7.0), "exp_avg_sq": torch.full_like(parameter, 7.0)}

    optimizer = Float16OptimizerWithFloat16Params(adam, config, None, begin) if kind == "bf16" else FP32Optimizer(adam, config, begin)
    schedule = OptimizerParamScheduler(optimizer, 0.0, LR, 0.0, 0, 1000, "constant", DECAY, DECAY, 0, "constant")
    return optimizer, schedule


def train(model, optimizer, schedule, first: int, count: int) -> list[float]:
    losses = []
    mask = torch.triu(torch.ones(1, 1, 12, 12, dtype=torch.bool), 1)
    for step in range(first, first + count):
        ids, labels = batch(step)
        loss = model(ids, torch.arange(12).expand(2, 12), mask, labels=labels).mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.main_grad = parameter.grad  # as DistributedDataParallel keeps it
        optimizer.step()
        schedule.step(2)
        losses.append(loss.item())
    return losses


def args_of(family: str, ranks: int, vocabulary: int) -> argparse.Namespace:
    options = dict(OWN.get(family) or families.FAMILIES[family])
    known = {key: value for key, value in options.items() if not callable(value)}
    groups = known.pop("num_query_groups", 4)
    return argparse.Namespace(**known, num_layers=3, hidden_size=32, num_attention_heads=4, group_query_attention=groups != 4, num_query_groups=groups,
                              swiglu=options["gated_linear_unit"], untie_embeddings_and_output_weights=family not in TIED,
                              padded_vocab_size=vocabulary, vocab_size=min(vocabulary, 64), norm_epsilon=options["layernorm_epsilon"], rotary_base=10000,
                              rotary_percent=1.0, position_embedding_type="learned_absolute" if family == "gpt2" else "rope",
                              max_position_embeddings=32, tensor_model_parallel_size=ranks, pipeline_model_parallel_size=1,
                              consumed_train_samples=2 * STEPS, transformer_impl="local")


def save(model, optimizer, schedule, target: Path, args: argparse.Namespace, iteration: int, rank: int) -> None:
    from megatron.core import dist_checkpointing

    state = {"args": args, "checkpoint_version": 3.0, "iteration": iteration, "model": model.sharded_state_dict()}
    state["optimizer"] = optimizer.sharded_state_dict(state)
    state["opt_param_scheduler"] = schedule.state_dict()
    folder = target / f"iter_{iteration:07d}"
    if rank == 0:
        folder.mkdir(parents=True)
    torch.distributed.barrier()
    dist_checkpointing.save(state, str(folder), content_metadata={"singleton_local_shards": False, "chained_optim_avoid_prefix": True})
    if rank == 0:
        (target / "latest_checkpointed_iteration.txt").write_text(str(iteration))


def work(rank: int, what: str, port: int, folder: str, family: str, ranks: int, vocabulary: int, kind: str, result: str) -> None:
    from megatron.core import dist_checkpointing

    start(rank, ranks, port)
    model = model_of(family, ranks, vocabulary, kind)
    if kind == "bf16":
        model.bfloat16()  # as Float16Module does, norms too
    torch.manual_seed(folders.SEED + rank)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.randn(parameter.shape) * (0.2 if parameter.dim() > 1 else 0.1) + (1.0 if "norm" in name and "bias" not in name else 0.0))
            if not getattr(parameter, "tensor_model_parallel", False):  # a copy on each rank
                torch.distributed.broadcast(parameter.data, 0)
    optimizer, schedule = optimizer_of(model, kind)
    root, first = Path(folder), 0
    args = args_of(family, ranks, vocabulary)
    if what == "save":
        train(model, optimizer, schedule, 0, STEPS)
        save(model, optimizer, schedule, root, args, STEPS, rank)
        first = STEPS
    else:
        first = int((root / "latest_checkpointed_iteration.txt").read_text())
        place = str(root / f"iter_{first:07d}")
        common = dist_checkpointing.load_common_state_dict(place)
        metadata = dist_checkpointing.load_content_metadata(preloaded_state_dict=common)
        state = {"model": model.sharded_state_dict(metadata=metadata)}
        state["optimizer"] = optimizer.sharded_state_dict(state, is_loading=True, metadata=metadata)
        loaded = dist_checkpointing.load(state, place, strict=os.environ.get("CAIRN_STRICT", "assume_ok_unexpected"))
        assert loaded["iteration"] == first
        for name in ("num_layers", "hidden_size", "num_attention_heads"):  # check_checkpoint_args()
            assert getattr(loaded["args"], name) == getattr(args, name), name
        assert getattr(loaded["args"], "no_save_rng")
        model.load_state_dict(loaded["model"])
        optimizer.load_state_dict(loaded["optimizer"])
        schedule.load_state_dict(loaded["opt_param_scheduler"])
        save(model, optimizer, schedule, Path(result).parent / "again", args, first, rank)
    inner = optimizer.optimizer
    groups = [{key: value for key, value in group.items() if key != "params"} | {"names": len(group["params"])} for group in inner.param_groups]
    steps = sorted({float(state["step"]) for state in inner.state.values()})
    scheduled = schedule.state_dict()
    losses = train(model, optimizer, schedule, first, MORE)
    if rank == 0:
        torch.save({"losses": losses, "groups": groups, "steps": steps, "schedule": scheduled, "args": vars(args)}, result)
    torch.distributed.barrier()


def main() -> None:
    import megatron.core.dist_checkpointing.strategies.torch  # noqa: F401
    import megatron.core.models.gpt.gpt_model  # noqa: F401

    what, folder, family, ranks, vocabulary, kind, result = sys.argv[1:]
    torch.multiprocessing.start_processes(work, (what, folders.free_port(), folder, family, int(ranks), int(vocabulary), kind, result), nprocs=int(ranks),
                                          start_method="fork")


if __name__ == "__main__":
    main()
