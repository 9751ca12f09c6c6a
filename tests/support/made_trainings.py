#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random trainings, FOLDER/<seed>: what a log counts, what labels of checkpoints count, restarts under the same or other save
numbers, retention, values that repeat. The truth of each is known: the value that was measured last on a checkpoint's own
weights. Standard library only.

    python3 made_trainings.py FOLDER COUNT [FIRST_SEED]
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from made_files import safetensors_bytes
from torch_files import Tensor, torch_zip

# What a row's number counts.
AXES = ("done", "done-1", "epoch", "epoch+1", "done+epoch", "calls", "none", "tokens", "micro", "optimizers", "epoch-as-step", "evals")
# What identifies a checkpoint: a step or epoch in its name or in its values, the number of the save, micro-batches.
LABELS = ("step-name", "save-name", "epoch-name", "values", "epoch-values", "micro-name")
KEYS = ("step", "step", "global_step", "iter", "iteration")
WEIGHTS = safetensors_bytes({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, bytes(4))


class Training:
    """Trains in attempts, each from a checkpoint of an earlier one; `truth`: file name -> value."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = dice = random.Random(seed)
        self.folder = folder
        self.axis, self.label, self.key = dice.choice(AXES), dice.choice(LABELS), dice.choice(KEYS)
        if self.axis in ("done", "done-1", "done+epoch", "optimizers") and self.label == "micro-name":
            self.key = "step"  # one word for two counts is a defect of the script
        self.per_epoch = dice.choice((1, 4, 10, 25))
        self.first_epoch = (dice.randint(0, 1), dice.randint(0, 1))  # of the log, of the checkpoints
        self.micro, self.optimizers = dice.choice((2, 4, 8)), dice.choice((1, 2))
        self.by_epoch = self.label in ("epoch-name", "epoch-values") or dice.random() < 0.3
        self.evaluates = self.per_epoch if self.by_epoch or dice.random() < 0.5 else dice.choice((1, 2, 5, 10))
        self.saves = self.per_epoch * dice.choice((1, 1, 2)) if self.by_epoch else dice.choice((5, 10, 15))
        self.holds = dice.choice(("", "", "own", "stale"))
        self.digits = dice.choice((1, 2, 6))
        self.form = dice.choice(("jsonl", "csv"))
        self.apart = dice.random() < 0.4  # a file for each attempt
        self.misses = dice.choice((0, 0, 0.1))
        self.is_sparse_first = dice.random() < 0.3  # the first row, then none for a while
        self.keeps_times = dice.random() < 0.7  # else a copy has been made
        self.time, self.rows, self.calls, self.evals, self.count = 1_700_000_000, 0, 0, 0, 0
        self.truth: dict[str, float] = {}
        self.held: dict[str, float] = {}
        folder.mkdir(parents=True)

    def value(self, done: int) -> float:
        away = abs(done - self.turn) / self.turn
        return round(1 + away + self.dice.random() / 5, self.digits)

    def numbers(self, done: int) -> dict:
        """What a row records of its place."""
        epoch = (done - 1) // self.per_epoch + self.first_epoch[0]
        return {"done": {self.key: done}, "done-1": {self.key: done - 1}, "epoch": {"epoch": epoch}, "epoch+1": {"epoch": epoch + 1},
                "done+epoch": {self.key: done, "epoch": epoch}, "calls": {"": self.calls}, "none": {},
                "tokens": {"tokens": done * 1024}, "micro": {self.key: done * self.micro},
                "optimizers": {self.key: done * self.optimizers}, "epoch-as-step": {"step": epoch},
                "evals": {"step": self.evals}}[self.axis]

    def log(self, attempt: int, done: int, value: float) -> None:
        row = {**self.numbers(done), "val_loss": value}
        self.calls += 1
        self.evals += 1
        name = f"metrics_{attempt}" if self.apart and attempt else "metrics"
        file = self.folder / f"{name}.{self.form}"
        if self.form == "jsonl":
            text = json.dumps({name or "_step": cell for name, cell in row.items()}) + "\n"
        else:
            head = "" if file.exists() else ",".join(row) + "\n"
            text = head + ",".join(str(cell) for cell in row.values()) + "\n"
        with open(file, "a") as out:
            out.write(text)
        self.stamp(file)

    def stamp(self, file: Path) -> None:
        self.time += 10
        if self.keeps_times:
            os.utime(file, (self.time, self.time))

    def save(self, done: int, last: float | None, stale: float | None) -> str:
        epoch = (done - 1) // self.per_epoch + self.first_epoch[1]
        names = {"step-name": f"step_{done}", "save-name": f"checkpoint_{self.count}", "epoch-name": f"epoch_{epoch}",
                 "values": f"model_{done}", "epoch-values": f"model_e{epoch}", "micro-name": f"iter_{done * self.micro}"}
        name = names[self.label]
        self.count += 1
        held = {"own": last, "stale": stale, "": None}[self.holds]
        if self.label in ("values", "epoch-values") or held is not None:
            values: dict = {"model": {"w": Tensor("0", (1,))}}
            if self.label == "values":
                key = "step" if self.axis in ("micro", "optimizers") else self.key  # likewise
                values[key] = done
                values["epoch"] = epoch
            if self.label == "epoch-values":
                values["epoch"] = epoch
            if held is not None:
                values["val_loss"] = held
            file = torch_zip(self.folder / f"{name}.pt", values, {"0": bytes(4)})
        else:
            file = self.folder / f"{name}.safetensors"
            file.write_bytes(WEIGHTS)
        self.stamp(file)
        self.held[file.name] = held
        return file.name

    def train(self) -> None:
        dice = self.dice
        length = dice.randint(3, 14) * max(self.saves, self.per_epoch)
        self.turn = max(1, int(length * dice.choice((0.4, 0.6, 0.9))))
        # done -> the value before it, the one before that, and the number of saves
        saved: dict[int, tuple] = {0: (None, None, 0)}
        # In every attempt, and neither the first of the log nor one of the last.
        missed = {done for done in range(self.evaluates + 1, length // 2) if dice.random() < self.misses}
        if self.is_sparse_first and self.evaluates == 1:
            missed |= set(range(2, self.saves * dice.randint(1, 3) + 1))
        for attempt in range(dice.choice((1, 1, 1, 2, 3))):
            start = dice.choice(sorted(saved)) if attempt else 0
            last, stale, count = saved[start]
            if dice.random() < 0.7:
                self.count = count  # the numbers of saves are used again
            if dice.random() < 0.5:
                self.calls = 0
            if dice.random() < 0.5:
                self.evals = start // self.evaluates
            if attempt and dice.random() < 0.3 and not self.by_epoch:
                self.saves = dice.choice((5, 10, 15))
            for done in range(start + 1, start + max(2, int(length * (dice.random() if attempt or dice.random() < 0.4 else 1)))):
                if done % self.evaluates == 0 and done not in missed:
                    last, stale = self.value(done), last
                    self.log(attempt, done, last)
                if done % self.saves == 0:
                    name = self.save(done, last, stale)
                    for other in self.folder.glob(name.rpartition(".")[0] + ".*"):
                        if other.name != name:
                            other.unlink()
                            self.truth.pop(other.name, None)
                    self.truth[name] = last
                    saved[done] = (last, stale, self.count)
        self.retain()
        if not self.keeps_times:
            for file in sorted(self.folder.iterdir()):
                self.time += 1
                os.utime(file, (self.time, self.time))

    def retain(self) -> None:
        kept = list(self.truth)
        rule = self.dice.choice(("all", "all", "newest", "third", "best"))
        if rule == "newest":
            kept = kept[-self.dice.randint(1, 3):]
        elif rule == "third":
            kept = kept[::3]
        elif rule == "best":
            measured = [name for name in kept if self.truth[name] is not None]
            kept = [*kept[-1:], *([min(measured, key=self.truth.__getitem__)] if measured else [])]
        for name in set(self.truth) - set(kept):
            (self.folder / name).unlink()
            del self.truth[name]


def make(folder: Path, count: int, first: int) -> dict[str, Training]:
    made = {}
    for seed in range(first, first + count):
        training = Training(folder / str(seed), seed)
        training.train()
        made[str(seed)] = training
    return made


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
