# SPDX-License-Identifier: Apache-2.0
"""Writes the sample experiment: `python generate.py [OUT]`, by default into `experiment/` next to this file.

Real training steps of a tiny model with the real frameworks; the README.md there describes each part. Needs the packages pinned
in tests/interop/requirements.txt and about a minute on two cores. The runs of TensorFlow and JAX are not changed: tensorflow_run.py
and orbax_run.py write them, in separate environments.
"""

from __future__ import annotations

import csv
import math
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

import sharded_run
import tiny_llama

EPOCHS = 3
STEPS_PER_EPOCH = 128
BATCH = 32
SETTINGS = {
    "name": "tiny-llama-b", "framework": "torch", "optimizer": "AdamW", "lr": 1e-3, "min_lr_ratio": 0.1,
    "warmup_steps": 40, "max_steps": EPOCHS * STEPS_PER_EPOCH, "weight_decay": 0.1, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8,
    "max_grad_norm": 1.0, "batch_size": BATCH, "sequence_length": tiny_llama.SEQUENCE, "world_size": 1,
    "seed": 11, "data_seed": 5, "dtype": "float32", "dataset": "sums-50", "schedule": "cosine",
}


def plain_run(out: Path) -> None:
    """Run b: one process, one `.pt` per epoch, a CSV of metrics."""
    folder = out / "tiny-llama-b"
    folder.mkdir(parents=True)
    tiny_llama.config().save_pretrained(folder)
    (folder / "hparams.yaml").write_text("".join(f"{key}: {value}\n" for key, value in SETTINGS.items()))
    model = tiny_llama.model(SETTINGS["seed"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=SETTINGS["lr"], weight_decay=SETTINGS["weight_decay"],
                                  betas=(SETTINGS["beta1"], SETTINGS["beta2"]), eps=SETTINGS["eps"])
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: tiny_llama.schedule(step, SETTINGS["warmup_steps"], SETTINGS["max_steps"]))
    data = tiny_llama.sequences(EPOCHS * STEPS_PER_EPOCH * BATCH // 3, SETTINGS["data_seed"])
    held_out = tiny_llama.sequences(64, SETTINGS["data_seed"] + 1)
    rows, step, best = [], 0, math.inf
    for epoch in range(1, EPOCHS + 1):
        for first in range(0, len(data), BATCH):
            step += 1
            rate = scheduler.get_last_lr()[0]
            loss, norm = plain_step(model, optimizer, scheduler, data[first : first + BATCH])
            row = {"step": step, "epoch": epoch, "loss": round(loss, 5), "grad_norm": round(norm, 5),
                   "learning_rate": round(rate, 8)}
            if step % 32 == 0:
                with torch.no_grad():
                    row["eval_loss"] = round(model(input_ids=held_out, labels=held_out).loss.item(), 5)
                best = min(best, row["eval_loss"])
            if step % 2 == 0:
                rows.append(row)
        torch.save({"epoch": epoch, "step": step, "loss": loss, "best_eval_loss": best, "lr": rate, "config": SETTINGS,
                    "model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": {"last_epoch": step}},
                   folder / f"checkpoint_epoch_{epoch}.pt")
    with open(folder / "metrics.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["step", "epoch", "loss", "grad_norm", "learning_rate", "eval_loss"])
        writer.writeheader()
        writer.writerows(rows)


def plain_step(model, optimizer, scheduler, batch) -> tuple[float, float]:
    loss = model(input_ids=batch, labels=batch).loss
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), SETTINGS["max_grad_norm"])
    optimizer.step()
    optimizer.zero_grad()
    scheduler.step()
    return loss.item(), norm.item()


def hugging_face_export(out: Path) -> None:
    """The weights of run a's last step in bfloat16, written by save_pretrained."""
    import torch.distributed.checkpoint as dcp

    model = tiny_llama.model(0)
    state = model.state_dict()
    dcp.load(state, checkpoint_id=out / "tiny-llama-a" / "step-400")
    model.load_state_dict(state)
    model.to(torch.bfloat16).save_pretrained(out / "hf-export", max_shard_size="12KB")
    tiny_llama.tokenizer().save_pretrained(out / "hf-export")


def lightning_run(out: Path) -> None:
    """A Lightning Trainer with its CSV logger and its ModelCheckpoint, on the one-layer model."""
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint
    from lightning.pytorch.loggers import CSVLogger

    class SumsModule(lightning.LightningModule):
        def __init__(self, lr: float = 5e-3, weight_decay: float = 0.01, batch_size: int = 32):
            super().__init__()
            self.save_hyperparameters()
            self.model = tiny_llama.model(23, tiny_llama.small_config())

        def training_step(self, batch, index):
            loss = self.model(input_ids=batch, labels=batch).loss
            self.log("train_loss", loss)
            return loss

        def validation_step(self, batch, index):
            self.log("val_loss", self.model(input_ids=batch, labels=batch).loss)

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr, weight_decay=self.hparams.weight_decay)

    # ModelCheckpoint stores absolute paths; the committed sample has paths relative to the experiment's root
    remembered = ModelCheckpoint.state_dict

    def relative(self):
        prefix = f"{os.path.realpath(out)}/"
        plain = lambda value: value.replace(prefix, "") if isinstance(value, str) else value
        state = {key: plain(value) for key, value in remembered(self).items()}
        state["best_k_models"] = {plain(key): value for key, value in state["best_k_models"].items()}
        return state

    ModelCheckpoint.state_dict = relative
    lightning.seed_everything(23, verbose=False)
    loaders = [torch.utils.data.DataLoader(tiny_llama.sequences(count, seed), batch_size=32)
               for count, seed in ((1024, 7), (64, 8))]
    trainer = lightning.Trainer(
        max_epochs=4, accelerator="cpu", logger=CSVLogger(out), log_every_n_steps=2, enable_progress_bar=False,
        enable_model_summary=False, callbacks=[ModelCheckpoint(monitor="val_loss", save_top_k=1)])
    trainer.fit(SumsModule(), *loaders)
    ModelCheckpoint.state_dict = remembered


def main() -> None:
    committed = Path(__file__).resolve().parent / "experiment"
    target = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else committed
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "experiment"
        out.mkdir()
        sharded_run.run(out, Path(scratch))
        plain_run(out)
        hugging_face_export(out)
        lightning_run(out)
        shutil.copy(committed / "README.md", out / "README.md")  # written by hand, kept next to the files that it describes
        for other in ("tiny-gru-tf", "tiny-mlp-jax"):
            shutil.copytree(committed / other, out / other)
        if target.exists():
            shutil.rmtree(target)
        shutil.move(out, target)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True, warn_only=True)
    main()
