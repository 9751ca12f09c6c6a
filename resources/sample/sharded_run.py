# SPDX-License-Identifier: Apache-2.0
"""Run a: four gloo processes, FSDP2, torch.distributed.checkpoint folders `step-100` to `step-400`.

The keys follow torchtitan: model parameters without a prefix, then `optimizer.*`, `lr_scheduler.*`, `train_state.*`.
Only the last step keeps the optimizer, so that the experiment stays under two megabytes.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.checkpoint import filesystem
from torch.distributed.checkpoint.state_dict import get_model_state_dict, get_optimizer_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

import tiny_llama

RANKS = 4
STEPS = 400
BATCH = 8
POISONED_STEP = 218
SETTINGS = {
    "name": "tiny-llama-a", "framework": "torch FSDP2", "optimizer": "AdamW", "lr": 4e-3, "min_lr_ratio": 0.1,
    "warmup_steps": 20, "max_steps": STEPS, "weight_decay": 0.1, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8,
    "max_grad_norm": 1.0, "batch_size": BATCH * RANKS, "sequence_length": tiny_llama.SEQUENCE, "world_size": RANKS,
    "seed": 11, "data_seed": 5, "dtype": "float32", "dataset": "sums-50", "schedule": "cosine",
}


def worker(rank: int, out: str, rendezvous: str) -> None:
    torch.set_num_threads(1)
    # save ids are random; the committed sample needs reproducible bytes
    filesystem._generate_uuid = lambda: "00000000-0000-4000-8000-0000000ca127"
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=RANKS)
    os.chdir(out)  # the checkpoint id is written into `.metadata`: it must not contain a path of this machine
    mesh = init_device_mesh("cpu", (RANKS,))
    model = tiny_llama.model(SETTINGS["seed"])
    for layer in model.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=SETTINGS["lr"], weight_decay=SETTINGS["weight_decay"],
                                  betas=(SETTINGS["beta1"], SETTINGS["beta2"]), eps=SETTINGS["eps"])
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: tiny_llama.schedule(step, SETTINGS["warmup_steps"], STEPS))
    data = tiny_llama.sequences(4096, SETTINGS["data_seed"])
    held_out = tiny_llama.sequences(64, SETTINGS["data_seed"] + 1)
    history = []
    for step in range(1, STEPS + 1):
        history.append(train_step(model, optimizer, scheduler, data, step, rank))
        if step % 25 == 0:
            history.append(evaluate(model, held_out, step, rank))
        if step % 100 == 0:
            save(model, optimizer, scheduler, step, history)
    if rank == 0:
        rows = [row for row in history if row["step"] % 2 == 0]
        Path("tiny-llama-a/metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    dist.barrier()
    dist.destroy_process_group()


def train_step(model, optimizer, scheduler, data, step, rank) -> dict:
    size = BATCH * RANKS
    first = ((step - 1) * size + rank * BATCH) % len(data)
    batch = data[first : first + BATCH]
    model.train()
    loss = model(input_ids=batch, labels=batch).loss
    if step == POISONED_STEP:
        loss = loss * math.nan
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), SETTINGS["max_grad_norm"]).full_tensor()
    if torch.isfinite(norm):
        optimizer.step()
    optimizer.zero_grad()
    rate = scheduler.get_last_lr()[0]
    scheduler.step()
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    return {"step": step, "epoch": round(step * size / len(data), 4), "loss": round(mean.item() / RANKS, 5),
            "grad_norm": round(norm.item(), 5), "learning_rate": round(rate, 8), "tokens": step * size * batch.shape[1]}


@torch.no_grad()
def evaluate(model, held_out, step, rank) -> dict:
    model.eval()
    part = held_out.chunk(RANKS)[rank]
    loss = model(input_ids=part, labels=part).loss.clone()
    dist.all_reduce(loss)
    return {"step": step, "epoch": round(step * BATCH * RANKS / 4096, 4), "eval_loss": round(loss.item() / RANKS, 5)}


def save(model, optimizer, scheduler, step, history) -> None:
    losses = [row["eval_loss"] for row in history if "eval_loss" in row]
    state = dict(get_model_state_dict(model))
    if step == STEPS:
        state["optimizer"] = get_optimizer_state_dict(model, optimizer)
    state["lr_scheduler"] = {"last_epoch": scheduler.last_epoch, "last_lr": scheduler.get_last_lr()[0]}
    train_rows = [row for row in history if "loss" in row]
    state["train_state"] = {"step": step, "epoch": train_rows[-1]["epoch"], "tokens": train_rows[-1]["tokens"],
                            "loss": train_rows[-1]["loss"], "eval_loss": losses[-1], "best_eval_loss": min(losses)}
    dcp.save(state, checkpoint_id=f"tiny-llama-a/step-{step}")


def run(out: Path, scratch: Path) -> None:
    folder = out / "tiny-llama-a"
    folder.mkdir(parents=True)
    settings = tiny_llama.config()
    settings.save_pretrained(folder)
    tiny_llama.tokenizer().save_pretrained(folder)
    (folder / "hparams.yaml").write_text("".join(f"{key}: {value}\n" for key, value in SETTINGS.items()))
    mp.spawn(worker, (str(out), str(scratch / "rendezvous")), nprocs=RANKS)
    (folder / "step-300" / "__2_0.distcp").unlink()  # the shard that is missing on purpose
