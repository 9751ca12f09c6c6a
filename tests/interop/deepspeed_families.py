# SPDX-License-Identifier: Apache-2.0
"""Writes tiny models of transformers' families with DeepSpeed, ZeRO-2 and ZeRO-3 on two gloo ranks: `deepspeed_families.py OUT [model …]`.

OUT/<class>.zero<stage>/step-3 has the save, config.json beside it. Needs deepspeed and transformers (requirements-deepspeed.txt).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import test_expected
from deepspeed_folders import free_port

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("CAIRN_DEEPSPEED_FAMILIES", ROOT / "build" / "interop-deepspeed-families")).resolve()
STAGES = (2, 3)
#: every class, and Llama with a tied head, too, which its config does not have by default
TIED = "LlamaForCausalLM-tied"
MODELS = (*test_expected.FAMILIES, TIED)


def model_of(name: str):
    if name != TIED:
        return test_expected.built(name)
    import torch
    import transformers

    config = test_expected.built("LlamaForCausalLM").config.to_dict() | {"tie_word_embeddings": True}
    torch.manual_seed(2)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig.from_dict(config)).eval()


def saves(name: str, data: Path = DATA) -> dict[str, Path]:
    """Those of a class that were made, by packing."""
    found = {f"zero{stage}": data / f"{name}.zero{stage}" / "step-3" for stage in STAGES}
    return {packing: path for packing, path in found.items() if (path.parent / ".done").exists()}


def worker(rank: int, out: Path, names: list[str], port: int) -> None:
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", LOCAL_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    import deepspeed
    import torch

    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    deepspeed.init_distributed("gloo")
    for name in names:
        for stage in STAGES:
            folder = out / f"{name}.zero{stage}"
            if (folder / ".done").exists():
                continue
            test_expected.built.cache_clear()  # ZeRO-3 takes the parameters apart
            model = model_of(name)
            model.config.architectures = None
            if rank == 0:
                model.config.save_pretrained(folder)
            config = {"train_micro_batch_size_per_gpu": 1, "steps_per_print": 10**9, "zero_allow_untested_optimizer": True,
                      "zero_force_ds_cpu_optimizer": False, "zero_optimization": {"stage": stage}}
            if stage == 3:
                config["zero_optimization"]["stage3_param_persistence_threshold"] = 4
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.0, weight_decay=0.0)  # the weights stay those of the model
            engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=config, dist_init_required=False)
            engine.save_checkpoint(str(folder / "step-3"))
            torch.distributed.barrier()
            if rank == 0:
                (folder / ".done").touch()
                print("made", folder.name, flush=True)
    torch.distributed.destroy_process_group()


def main() -> int:
    import torch.multiprocessing

    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    port = free_port()
    try:
        torch.multiprocessing.spawn(worker, args=(out, sys.argv[2:] or list(MODELS), port), nprocs=2, join=True)
    finally:  # DeepSpeed leaves 64 MiB of shared memory per rank (csrc/cpu/comm/shm.cpp)
        for buffer in Path("/dev/shm").glob(f"deepspeed_allreduce_buffer_*_{port}_*"):
            buffer.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
