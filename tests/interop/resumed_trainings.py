# SPDX-License-Identifier: Apache-2.0
"""A tiny training in several trainers with the same arithmetic: the state after STEPS steps, how each trainer saves and loads it, and
the losses of the steps that follow. A tied head, a frozen layer, one that is not used so far, two groups with their own decay."""

from __future__ import annotations

import copy
import logging
import warnings
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
import transformers
from torch import nn
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict

STEPS, MORE = 8, 3
torch.set_num_threads(1)  # the same sums in the processes of ranks


#: The first two in all pairs of trainers; of the others, states that do not all have their parameter's shape.
OPTIMIZERS = {
    "adamw": lambda groups: torch.optim.AdamW(groups, lr=1e-2),
    "sgd": lambda groups: torch.optim.SGD(groups, lr=0.1, momentum=0.9),
    "adafactor": lambda groups: torch.optim.Adafactor(groups, lr=1e-2),
    "adafactor_rows": lambda groups: transformers.Adafactor(groups, lr=1e-2, relative_step=False, scale_parameter=False, beta1=0.9),
    "nadam": lambda groups: torch.optim.NAdam(groups, lr=1e-2),
    "asgd": lambda groups: torch.optim.ASGD(groups, lr=1e-2),
    "amsgrad": lambda groups: torch.optim.Adam(groups, lr=1e-2, amsgrad=True),
    "rmsprop": lambda groups: torch.optim.RMSprop(groups, lr=1e-2, momentum=0.9, centered=True),
    "adadelta": lambda groups: torch.optim.Adadelta(groups),
    "adagrad": lambda groups: torch.optim.Adagrad(groups, lr=1e-2),
    "rprop": lambda groups: torch.optim.Rprop(groups, lr=1e-2),
}


class Body:
    """The modules, for an nn.Module and for a LightningModule."""

    def build(self, spare: bool | str, tied: bool) -> None:
        self.emb = nn.Embedding(7, 4)
        self.norm = nn.LayerNorm(4)
        self.fc = nn.Linear(4, 5)
        self.back = nn.Linear(5, 4)
        if spare:
            self.frozen = nn.Linear(5, 5).requires_grad_(False)
            if spare != "frozen":
                self.unused = nn.Linear(2, 2)
        self.head = nn.Linear(4, 7, bias=False)
        if tied:
            self.head.weight = self.emb.weight

    def loss_of(self, step: int) -> torch.Tensor:
        generator = torch.Generator().manual_seed(step)
        x, y = torch.randint(0, 7, (2, 6), generator=generator)
        hidden = torch.relu(self.fc(self.norm(self.emb(x))))
        hidden = self.frozen(hidden) if hasattr(self, "frozen") else hidden
        return nn.functional.cross_entropy(self.head(self.back(hidden)), y)


class Net(nn.Module, Body):
    def __init__(self, spare: bool | str = True, tied: bool = True, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.build(spare, tied)

    def forward(self, step: int) -> torch.Tensor:
        return self.loss_of(step)


def make_optimizer(model, kind: str, named: bool):
    """Two groups; `named`: made from names and parameters, which torch then records. `kind`: of OPTIMIZERS, or "milestones", a schedule of
    which one is before and one after the save."""
    trained = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    pick = (lambda pair: pair) if named else (lambda pair: pair[1])
    groups = [{"params": [pick(pair) for pair in trained if pair[1].ndim > 1], "weight_decay": 0.1},
              {"params": [pick(pair) for pair in trained if pair[1].ndim < 2], "weight_decay": 0.0}]
    if kind == "milestones":
        optimizer = OPTIMIZERS["sgd"](groups)
        return optimizer, torch.optim.lr_scheduler.MultiStepLR(optimizer, [3, STEPS + 1])
    optimizer = OPTIMIZERS[kind](groups)
    return optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)


def advance(model, optimizer, scheduler, steps) -> list[float]:
    losses = []
    for step in steps:
        optimizer.zero_grad()
        loss = model(step)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def state_of(model, optimizer, scheduler) -> dict:
    """Everything that is compared, with parameters by name."""
    names = {id(p): name for name, p in model.named_parameters()}
    state = {f"model.{name}": value.clone() for name, value in model.state_dict().items()}
    for number, group in enumerate(optimizer.param_groups):
        for key, value in group.items():
            if key == "params":
                value = [names[id(p)] for p in value]
            state[f"group.{number}.{key}"] = value
    for parameter, kept in optimizer.state.items():
        for key, value in kept.items():
            state[f"state.{names[id(parameter)]}.{key}"] = value.clone() if torch.is_tensor(value) else value
    for key, value in scheduler.state_dict().items():
        state[f"scheduler.{key}"] = value
    return state


def check_position(saved: dict) -> None:
    """As far as the source recorded it: accelerate does not, and the Trainer's epochs have fractions."""
    assert saved.get("step", STEPS) == STEPS and 0 <= saved.get("epoch", 0) < 1, saved.keys()
    assert "step" in saved or "epoch" not in saved


def same(left, right) -> bool:
    if torch.is_tensor(left) or torch.is_tensor(right):
        return torch.is_tensor(left) and torch.is_tensor(right) and left.dtype == right.dtype and torch.equal(left, right)
    if isinstance(left, dict) and isinstance(right, dict):  # a Counter becomes a dict in DCP
        return dict(left) == dict(right)
    return type(left) is type(right) and left == right


class Training:
    """A training in a plain loop, and its two ends in every trainer."""

    def __init__(self, kind: str = "adamw", named: bool = True, spare: bool | str = True, tied: bool = True) -> None:
        self.kind, self.named, self.spare, self.tied = kind, named, spare, tied
        parts = self.fresh(0)
        advance(*parts, range(STEPS))
        self.parts = parts
        self.state = state_of(*parts)

    def fresh(self, seed: int):
        model = Net(self.spare, self.tied, seed)
        return model, *make_optimizer(model, self.kind, self.named)

    def continued(self) -> list[float]:
        """The losses of the next steps, of a copy."""
        parts = self.fresh(1)
        for own, stored in zip(parts, self.parts):
            own.load_state_dict(copy.deepcopy(stored.state_dict()))  # torch shares the tensors of the dict
        return advance(*parts, range(STEPS, STEPS + MORE))

    # Each saves the state after STEPS steps.

    def save_torch(self, path: Path) -> Path:
        model, optimizer, scheduler = self.parts
        torch.save({"model_state_dict": model.state_dict(), "optimizer_state_dict": optimizer.state_dict(),
                    "scheduler_state_dict": scheduler.state_dict(), "epoch": 0, "global_step": STEPS, "rng_state": torch.get_rng_state()}, path)
        return path

    def save_fsdp2(self, path: Path) -> Path:
        model, optimizer, scheduler = self.parts
        weights, states = get_state_dict(model, optimizer)
        with warnings.catch_warnings(action="ignore"):
            dcp.save({"model": weights, "optimizer": states, "scheduler": scheduler.state_dict(), "step": STEPS, "epoch": 0},
                     checkpoint_id=path, no_dist=True)
        return path

    def save_lightning(self, path: Path) -> Path:
        trainer, module = lightning_trainer(self, STEPS, path)
        trainer.fit(module, module.loader())
        return path

    def save_accelerate(self, path: Path) -> Path:
        accelerator, _ = self.accelerated(self.parts)
        accelerator.save_state(path)
        return path

    def save_trainer(self, path: Path) -> Path:
        model, trainer = transformers_trainer(self, STEPS, path, 0)
        trainer.train()
        return path / f"checkpoint-{STEPS}"

    # Each loads it into fresh parts and returns the state and the losses that follow.

    def load_torch(self, path: Path) -> tuple[dict, list[float]]:
        parts = self.fresh(1)
        saved = torch.load(path, weights_only=True)
        for own, key in zip(parts, ("model", "optimizer", "scheduler")):
            own.load_state_dict(saved[key])
        check_position(saved)
        return state_of(*parts), advance(*parts, range(STEPS, STEPS + MORE))

    def load_fsdp2(self, path: Path) -> tuple[dict, list[float]]:
        model, optimizer, scheduler = self.fresh(1)
        position = {"step", "epoch"} & set(dcp.FileSystemReader(path).read_metadata().state_dict_metadata)
        weights, states = get_state_dict(model, optimizer)  # makes zero moments for all parameters that are trained
        state = {"model": weights, "optimizer": states, "scheduler": scheduler.state_dict()} | {key: -1 for key in position}
        with warnings.catch_warnings(action="ignore"):
            dcp.load(state, checkpoint_id=path, no_dist=True, planner=DefaultLoadPlanner(allow_partial_load=self.spare))
        set_state_dict(model, optimizer, model_state_dict=state["model"], optim_state_dict=state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        check_position(state)
        found = state_of(model, optimizer, scheduler)
        found = {key: value for key, value in found.items() if not key.startswith("state.unused.")}
        return found, advance(model, optimizer, scheduler, range(STEPS, STEPS + MORE))

    def load_lightning(self, path: Path) -> tuple[dict, list[float]]:
        trainer, module = lightning_trainer(self, STEPS + MORE, path)
        trainer.fit(module, module.loader(), ckpt_path=path)
        assert trainer.global_step == STEPS + MORE
        return module.found, module.losses

    def accelerated(self, parts):
        import accelerate

        accelerator = accelerate.Accelerator(cpu=True)
        accelerator.prepare(*parts)
        return accelerator, parts

    def load_accelerate(self, path: Path) -> tuple[dict, list[float]]:
        accelerator, parts = self.accelerated(self.fresh(1))
        accelerator.load_state(path)
        return state_of(*parts), advance(*parts, range(STEPS, STEPS + MORE))

    def load_trainer(self, path: Path) -> tuple[dict, list[float]]:
        model, trainer = transformers_trainer(self, STEPS + MORE, path.parent / "more", 1)
        trainer.train(resume_from_checkpoint=str(path))
        assert trainer.state.global_step == STEPS + MORE
        return model.found, model.losses


def transformers_trainer(training: Training, steps: int, folder: Path, seed: int):
    import transformers

    class Looped(Net):
        def __init__(self) -> None:
            super().__init__(training.spare, training.tied, seed)
            self.losses: list[float] = []
            self.found: dict = {}

        def forward(self, step, labels=None):
            loss = self.loss_of(int(step))
            self.losses.append(loss.item())
            return {"loss": loss}

    class InOrder(transformers.Trainer):
        def _get_train_sampler(self, *_):
            return torch.utils.data.SequentialSampler(self.train_dataset)

    class Watch(transformers.TrainerCallback):
        def on_train_begin(self, *_, **__):
            model.found = state_of(model, *made)

    model = Looped()
    made = make_optimizer(model, training.kind, training.named)
    arguments = transformers.TrainingArguments(
        str(folder), max_steps=steps, save_steps=STEPS, per_device_train_batch_size=1, report_to=[], use_cpu=True, disable_tqdm=True,
        max_grad_norm=0.0, logging_strategy="no", save_strategy="steps" if steps == STEPS else "no")
    data = [{"step": torch.tensor(step), "labels": 0} for step in range(100)]
    return model, InOrder(model, arguments, train_dataset=data, optimizers=made, callbacks=[Watch()])


def lightning_trainer(training: Training, steps: int, path: Path, **options):
    """Saves after STEPS steps, if it does not resume."""
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint

    class Module(lightning.LightningModule, Body):
        def __init__(self) -> None:
            super().__init__()
            torch.manual_seed(0 if steps == STEPS else 1)
            self.build(training.spare, training.tied)
            self.losses: list[float] = []
            self.found: dict = {}
            self.state_of = lambda *parts: state_of(self, *parts)

        def loader(self):
            return torch.utils.data.DataLoader(range(100), batch_size=None)

        def configure_optimizers(self):
            self.made = make_optimizer(self, training.kind, training.named)
            return {"optimizer": self.made[0], "lr_scheduler": {"scheduler": self.made[1], "interval": "step"}}

        def on_train_start(self) -> None:
            self.found = self.state_of(*self.made)

        def training_step(self, batch, index):
            loss = self(index)
            self.losses.append(loss.item())
            return loss

        def forward(self, step: int) -> torch.Tensor:
            return self.loss_of(step)

    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    saves = [ModelCheckpoint(path.parent, path.stem, every_n_train_steps=STEPS)] if steps == STEPS else []
    trainer = lightning.Trainer(max_steps=steps, accelerator="cpu", logger=False, enable_checkpointing=bool(saves), callbacks=saves,
                                enable_progress_bar=False, enable_model_summary=False, default_root_dir=path.parent, **options)
    return trainer, Module()
