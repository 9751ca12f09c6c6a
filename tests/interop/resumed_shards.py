# SPDX-License-Identifier: Apache-2.0
"""The training of resumed_trainings.py on several ranks: what torchtitan and Lightning's strategies save and load, each in processes of
its own that are forked from the test's. All ranks have the same batches, so that their mean is the gradient of one."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import sys
import traceback
import warnings
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, get_state_dict, set_model_state_dict, set_optimizer_state_dict
from torch.distributed.fsdp import fully_shard

from resumed_trainings import MORE, STEPS, advance, lightning_trainer, make_optimizer


def on_ranks(ranks: int, folder: Path, body):
    """What rank 0's `body()` returns; each rank is a fork with a gloo group."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    result = folder / "rank-0.pt"
    result.unlink(missing_ok=True)
    children = []
    for rank in range(ranks):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(ranks), "RANK": str(rank),
                               "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(ranks), "GROUP_RANK": "0", "TORCHELASTIC_RUN_ID": "resume"}
                torch.set_num_threads(1)
                warnings.simplefilter("ignore")
                found = body()
                if rank == 0:
                    torch.save(found, result)
                if dist.is_initialized():
                    dist.barrier()
                    dist.destroy_process_group()
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if any(codes):
        raise RuntimeError(f"ranks ended with {codes}")
    return torch.load(result, weights_only=False)


def whole_state(model, optimizer, scheduler) -> dict:
    """As state_of(), of a model in shards."""
    weights, states = get_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    state = {f"model.{name}": value.clone() for name, value in weights.items()}
    if dist.get_rank() != 0:
        return {}
    for number, group in enumerate(states["param_groups"]):
        state |= {f"group.{number}.{key}": value for key, value in group.items() if key != "param_names"}
    for name, kept in states["state"].items():
        state |= {f"state.{name}.{key}": value.clone() for key, value in kept.items()}
    return state | {f"scheduler.{key}": value for key, value in scheduler.state_dict().items()}


class Sharded:
    """Beside Training: a world of `ranks`."""

    def __init__(self, training, ranks: int, folder: Path) -> None:
        self.training, self.ranks, self.folder = training, ranks, folder

    # torchtitan's checkpoints: the model's names at the root, the optimizer flat.

    def titan_parts(self, seed: int):
        dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=60))
        model = self.training.fresh(seed)[0]
        if self.ranks > 1:
            fully_shard(model, mesh=dist.init_device_mesh("cpu", (self.ranks,)))
        return model, *make_optimizer(model, self.training.kind, False)  # torch's flat form cannot load names of groups

    @staticmethod
    def titan_state(model, optimizer, scheduler, step: int) -> dict:
        weights, states = get_state_dict(model, optimizer, options=StateDictOptions(flatten_optimizer_state_dict=True))
        return dict(weights) | {"optimizer": states, "lr_scheduler": {"last_epoch": scheduler.last_epoch},
                          "train_state": {"step": step, "ntokens_seen": 12 * step}}

    def save_torchtitan(self, path: Path) -> Path:
        def body():
            parts = self.titan_parts(0)
            advance(*parts, range(STEPS))
            dcp.save(self.titan_state(*parts, STEPS), checkpoint_id=path)

        on_ranks(self.ranks, self.folder, body)
        return path

    def load_torchtitan(self, path: Path) -> tuple[dict, list[float]]:
        def body():
            model, optimizer, scheduler = self.titan_parts(1)
            state = self.titan_state(model, optimizer, scheduler, -1)
            dcp.load(state, checkpoint_id=path)
            names = set(get_model_state_dict(model))
            set_model_state_dict(model, {name: value for name, value in state.items() if name in names})
            set_optimizer_state_dict(model, optimizer, state["optimizer"], options=StateDictOptions(flatten_optimizer_state_dict=True))
            assert state["train_state"]["step"] == STEPS
            scheduler.last_epoch = state["lr_scheduler"]["last_epoch"]
            scheduler._step_count = scheduler.last_epoch + 1
            scheduler._last_lr = [group["lr"] for group in optimizer.param_groups]
            return whole_state(model, optimizer, scheduler), advance(model, optimizer, scheduler, range(STEPS, STEPS + MORE))

        return on_ranks(self.ranks, self.folder, body)

    # Lightning's folders, by its ModelParallelStrategy.

    def lightning_run(self, steps: int, path: Path):
        from lightning.pytorch.strategies import ModelParallelStrategy

        trainer, module = lightning_trainer(self.training, steps, path, devices=self.ranks, use_distributed_sampler=False,
                                            strategy=ModelParallelStrategy(process_group_backend="gloo"))
        module.configure_model = lambda: fully_shard(module, mesh=module.device_mesh["data_parallel"])
        if steps != STEPS:  # get_state_dict() makes an update of zeros, which would count
            module.state_of = lambda *parts: whole_state(module, *parts)
        return trainer, module

    def save_lightning_fsdp(self, path: Path) -> Path:
        def body():
            trainer, module = self.lightning_run(STEPS, path)
            trainer.fit(module, module.loader())

        on_ranks(self.ranks, self.folder, body)
        saved = next(each for each in path.parent.iterdir() if each.name.startswith(path.stem) and (each / "meta.pt").exists())
        return saved

    def load_lightning_fsdp(self, path: Path) -> tuple[dict, list[float]]:
        def body():
            trainer, module = self.lightning_run(STEPS + MORE, path)
            trainer.fit(module, module.loader(), ckpt_path=path)
            assert trainer.global_step == STEPS + MORE
            return module.found, module.losses

        return on_ranks(self.ranks, self.folder, body)

    def read_fsdp(self, path: Path) -> dict:
        """What FSDPStrategy reads. FSDP itself does not run without a GPU."""
        from torch.distributed.checkpoint.optimizer import load_sharded_optimizer_state_dict

        def body():
            dist.init_process_group("gloo")
            model = self.training.fresh(1)[0]
            state = {"model": model.state_dict()}
            dcp.load(state, checkpoint_id=path)
            read = load_sharded_optimizer_state_dict(state["model"], "optimizer_0", dcp.FileSystemReader(path))["optimizer_0"]
            found = {f"model.{name}": value for name, value in state["model"].items()}
            for name, kept in read["state"].items():
                found |= {f"state.{name}.{key}": value.local_tensor() if hasattr(value, "local_tensor") else value for key, value in kept.items()}
            for number, group in enumerate(read["param_groups"]):
                found |= {f"group.{number}.{key}": value for key, value in group.items()}
            return found

        return on_ranks(1, self.folder, body)
