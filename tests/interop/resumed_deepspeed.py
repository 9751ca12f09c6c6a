# SPDX-License-Identifier: Apache-2.0
"""The training of resumed_trainings.py in DeepSpeed, in an environment with requirements-deepspeed.txt:
`resumed_deepspeed.py save|load FOLDER RANKS STAGE KIND SPARE RESULT`. `load` reads a universal checkpoint, `save` trains and saves an
ordinary one; both write DeepSpeed's own state and the losses of the next steps, as torch.save of {"state", "losses"}."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

os.environ.update(DS_ACCELERATOR="cpu", DS_BUILD_OPS="0", OMP_NUM_THREADS="1", DEEPSPEED_LOG_LEVEL="error")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch
from resumed_trainings import MORE, STEPS, Net, make_optimizer


def engine_of(kind: str, spare, stage: int, seed: int, universal: bool):
    import deepspeed

    model = Net(spare, True, seed)
    optimizer, scheduler = make_optimizer(model, kind, False)
    config = {"train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 1, "steps_per_print": 10**9, "gradient_clipping": 0.0,
              "zero_allow_untested_optimizer": True, "zero_force_ds_cpu_optimizer": False, "zero_optimization": {"stage": stage}, "checkpoint": {"load_universal": universal}}
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, lr_scheduler=scheduler, config=config, dist_init_required=False)
    return engine


def advance(engine, steps) -> list[float]:
    losses = []
    for step in steps:
        loss = engine(step)
        engine.backward(loss)
        engine.step()
        losses.append(loss.item())
    return losses


def state_of(engine, kind: str) -> dict:
    """Masters and moments, gathered from all ranks by DeepSpeed."""
    from deepspeed.utils import safe_get_full_fp32_param, safe_get_full_optimizer_state

    state = {}
    for name, parameter in engine.module.named_parameters():
        if not parameter.requires_grad:
            continue
        state[f"model.{name}"] = safe_get_full_fp32_param(parameter).detach().clone()
        for key in ("momentum_buffer",) if kind == "sgd" else ("exp_avg", "exp_avg_sq"):  # gathered: all ranks ask for the same
            state[f"state.{name}.{key}"] = safe_get_full_optimizer_state(parameter, key).detach().clone()
    for number, group in enumerate(engine.optimizer.param_groups):
        for key, value in group.items():
            if key not in ("params", "param_names"):
                state[f"group.{number}.{key}"] = value
    state["steps"] = [float(kept["step"]) if "step" in kept else None for kept in engine.optimizer.optimizer.state.values()]
    state |= {f"scheduler.{key}": value for key, value in engine.lr_scheduler.state_dict().items()}
    return state


def worker(rank: int, arguments: list[str], port: int) -> None:
    what, folder, ranks, stage, kind, spare, result = arguments
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=ranks, LOCAL_SIZE=ranks, MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    import deepspeed
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=int(ranks))
    deepspeed.init_distributed(dist_backend="gloo")
    engine = engine_of(kind, {"none": False}.get(spare, spare), int(stage), 1 if what == "load" else 0, what == "load")
    if what == "save":
        advance(engine, range(STEPS))
        engine.save_checkpoint(folder, client_state={"epoch": 0})
    else:
        files = Path(folder)
        module = torch.load(files / (files / "latest_universal").read_text() / "mp_rank_00_model_states.pt", weights_only=True)["module"]
        for name, parameter in engine.module.named_parameters():  # DeepSpeed does not load them
            if name in module:
                parameter.data.copy_(module[name])
        loaded, client = engine.load_checkpoint(folder)
        assert loaded is not None and engine.global_steps == STEPS and client.get("epoch") == 0, client.keys()
    found = {"state": state_of(engine, kind)} if what == "load" else {}
    found["losses"] = advance(engine, range(STEPS, STEPS + MORE))
    if rank == 0:
        torch.save(found, result)
    dist.barrier()
    dist.destroy_process_group()


def main() -> None:
    import torch.multiprocessing

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    try:
        torch.multiprocessing.spawn(worker, args=(sys.argv[1:], port), nprocs=int(sys.argv[3]), join=True)
    finally:  # DeepSpeed leaves 64 MiB of shared memory per rank
        for buffer in Path("/dev/shm").glob(f"deepspeed_allreduce_buffer_*_{port}_*"):
            buffer.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
