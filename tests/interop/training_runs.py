# SPDX-License-Identifier: Apache-2.0
"""Folders of runs written by real trainers, each with the best and last checkpoint according to the trainer."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch

from tiny_models import TinyTransformer, trained


@dataclass
class Trained:
    """The state of the trainer's objects after training."""

    path: Path
    best: str
    metric: str
    value: float


def hugging_face(folder: Path, metric: str, greater: bool) -> Trained:
    """A Trainer with load_best_model_at_end; `metric` is its metric_for_best_model."""
    from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

    from hf_folders import gpt2

    class Lines(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 16

        def __getitem__(self, index: int) -> dict:
            tokens = torch.randint(3, 50, (12,), generator=torch.Generator().manual_seed(index))
            return {"input_ids": tokens, "labels": tokens}

    class Mishap(TrainerCallback):
        """Damages the weights after step 6, so that the best is not the last."""

        def on_step_end(self, args, state, control, model=None, **rest):
            if state.global_step > 6:
                with torch.no_grad():
                    for weight in model.parameters():
                        weight.add_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(state.global_step)))

    arguments = TrainingArguments(output_dir=str(folder), max_steps=10, save_steps=2, eval_strategy="steps", eval_steps=2,
                                  logging_steps=1, use_cpu=True, per_device_train_batch_size=4, report_to=[], seed=1,
                                  learning_rate=1e-2, disable_tqdm=True, load_best_model_at_end=True,
                                  metric_for_best_model=metric, greater_is_better=greater)

    def accuracy(answers) -> dict:
        logits, labels = answers
        return {"accuracy": float((logits[:, :-1].argmax(-1) == labels[:, 1:]).mean())}

    trainer = Trainer(model=gpt2(), args=arguments, train_dataset=Lines(), eval_dataset=Lines(), compute_metrics=accuracy,
                      callbacks=[Mishap()])
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return Trained(folder, Path(trainer.state.best_model_checkpoint).name, f"eval_{metric.removeprefix('eval_')}",
                   trainer.state.best_metric)


def trainer_of(folder: Path, rate: float, steps: int, seed: int = 1, metric: str = "accuracy", greater: bool = True):
    """A Trainer that evaluates each second step, saves each fourth, and selects the best by `metric`."""
    from transformers import PrinterCallback, Trainer, TrainingArguments

    from hf_folders import gpt2

    class Lines(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 16

        def __getitem__(self, index: int) -> dict:
            tokens = torch.randint(3, 50, (12,), generator=torch.Generator().manual_seed(index))
            return {"input_ids": tokens, "labels": tokens}

    def measured(answers) -> dict:
        logits, labels = answers
        return {metric: float((logits[:, :-1].argmax(-1) == labels[:, 1:]).mean()) + float(abs(logits).mean()) / 8}

    arguments = TrainingArguments(output_dir=str(folder), max_steps=steps, save_steps=4, eval_strategy="steps", eval_steps=2,
                                  logging_steps=1, use_cpu=True, per_device_train_batch_size=4, report_to=[], seed=seed,
                                  learning_rate=rate, disable_tqdm=True, load_best_model_at_end=True,
                                  metric_for_best_model=metric, greater_is_better=greater)
    trainer = Trainer(model=gpt2(), args=arguments, train_dataset=Lines(), eval_dataset=Lines(), compute_metrics=measured)
    trainer.remove_callback(PrinterCallback)
    return trainer


def lightning_short_epochs(folder: Path, batches: int, optimizers: int) -> dict[int, float]:
    """Four epochs of so many batches, each with a checkpoint; returns the validation loss of each epoch."""
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint
    from lightning.pytorch.loggers import CSVLogger

    class Short(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.layer, self.truth = torch.nn.Linear(2, 1), {}
            self.automatic_optimization = False

        def training_step(self, batch, index):
            for optimizer in [self.optimizers()] if optimizers == 1 else self.optimizers():
                optimizer.zero_grad()
                self.manual_backward(self.layer(batch).pow(2).mean())
                optimizer.step()
            self.log("train_loss", self.layer(batch).pow(2).mean())

        def validation_step(self, batch, index):
            self.log("val_loss", self.layer(batch).pow(2).mean())

        def on_validation_epoch_end(self):
            self.truth[self.current_epoch] = float(self.trainer.callback_metrics["val_loss"])

        def configure_optimizers(self):
            return [torch.optim.SGD(self.parameters(), lr=0.05) for _ in range(optimizers)]

    lightning.seed_everything(3, verbose=False)
    module = Short()
    data = torch.utils.data.DataLoader(torch.randn(2 * batches, 2), batch_size=2)
    runner = lightning.Trainer(max_epochs=4, accelerator="cpu", logger=CSVLogger(folder, name="", version=""), log_every_n_steps=1,
                               callbacks=[ModelCheckpoint(dirpath=folder / "checkpoints", save_top_k=-1)], num_sanity_val_steps=0,
                               enable_progress_bar=False, enable_model_summary=False)
    runner.fit(module, data, data)
    return module.truth


def lightning_run(folder: Path, last: bool | str, top: int = -1) -> Trained:
    """ModelCheckpoint on a validation loss; `last`: value of save_last. Writes to lightning_logs/version_0."""
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint
    from lightning.pytorch.loggers import CSVLogger

    from lightning_runs import loader, module_of

    lightning.seed_everything(3, verbose=False)
    keep = ModelCheckpoint(monitor="val_loss", mode="min", save_top_k=top, save_last=last)
    runner = lightning.Trainer(max_epochs=4, accelerator="cpu", logger=CSVLogger(folder), log_every_n_steps=1, callbacks=[keep],
                               enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    runner.fit(module_of(), loader(), loader())
    return Trained(folder / "lightning_logs" / "version_0", Path(keep.best_model_path).name, "val_loss",
                   float(keep.best_model_score))


def dcp_steps(folder: Path, names: list[str]) -> None:
    """torch.distributed.checkpoint.save for each of `names`; the step is in the name and in the state."""
    import torch.distributed.checkpoint as dcp

    for name in names:
        step = int("".join(filter(str.isdigit, name)))
        model, optimizer, _, _ = trained(TinyTransformer(), 1)
        dcp.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, checkpoint_id=folder / name)


def plain_loop(folder: Path, losses: list[float]) -> None:
    """Like a hand-written loop: one file per epoch, copies of the best and the last one."""
    folder.mkdir(parents=True)
    model = TinyTransformer()
    for epoch, loss in enumerate(losses):
        state = {"epoch": epoch, "step": (epoch + 1) * 10, "model": model.state_dict(), "val_loss": loss,
                 "best_val_loss": min(losses[:epoch + 1])}
        torch.save(state, folder / f"checkpoint_epoch_{epoch}.pt")
        torch.save(state, folder / "last.pt")
        if loss == state["best_val_loss"]:
            shutil.copy(folder / f"checkpoint_epoch_{epoch}.pt", folder / "best.pt")


def deepspeed_like(folder: Path) -> None:
    """The layout of DeepSpeed's save_checkpoint (one rank) with its pointer `latest`; DeepSpeed itself needs a GPU build."""
    for step in (10, 20):
        model, optimizer, _, _ = trained(TinyTransformer(), 1)
        inner = folder / f"global_step{step}"
        inner.mkdir(parents=True)
        torch.save({"module": model.state_dict(), "global_steps": step, "optimizer": optimizer.state_dict()},
                   inner / "mp_rank_00_model_states.pt")
        (folder / "latest").write_text(inner.name)


def age(path: Path, seconds: float = 86400.0) -> None:
    """Makes the files a day old."""
    for each in [path, *path.rglob("*")] if path.is_dir() else [path]:
        if not each.is_symlink():
            time = each.stat().st_mtime - seconds
            os.utime(each, (time, time))
