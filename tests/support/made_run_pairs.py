#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random pairs of runs, FOLDER/<seed>/a and FOLDER/<seed>/b: settings in checkpoints and in files, metrics in logs or only in
checkpoints, other shapes, other spellings, saves at other steps, values that are not finite. Standard library only.

    python3 made_run_pairs.py FOLDER COUNT
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from made_files import floats, safetensors
from torch_files import Tensor, torch_zip

METRICS = (("loss", "train_loss", "train/loss"), ("eval_loss", "val_loss", "Eval/Loss"), ("val_accuracy", "eval_accuracy"),
           ("learning_rate", "lr"), ("eval/m1",), ("grad_norm",))


class Run:
    """One run: decides what it records, then writes it."""

    def __init__(self, dice: random.Random, folder: Path, shared: dict) -> None:
        self.dice, self.folder = dice, folder
        self.every = shared["every"] * dice.choice((1, 1, 1, 2))
        self.saves = dice.randint(1, 6)
        self.names = [dice.choice(spelled) for spelled in METRICS if dice.random() < 0.7]
        self.shape = (dice.choice((2, 2, 3)), shared["width"])
        self.settings = {"lr": dice.choice((0.1, 0.01, 1e-05)), "seed": dice.randint(0, 3), "name": folder.name,
                         "optimizer": {"name": dice.choice(("adam", "sgd")), "betas": [0.9, dice.choice((0.95, 0.999))]}}
        self.place = dice.choice(("log", "log", "checkpoints", "both"))
        self.form = dice.choice(("pt", "pt", "safetensors"))
        if self.form == "safetensors":
            self.place = "log"

    def value(self, name: str, step: int) -> float:
        if self.dice.random() < 0.03:
            return float("nan")
        falls = 4 / (1 + step / 100) + self.dice.random() / 4
        return round(1 - falls / 8 if "acc" in name else falls, 6)

    def write(self) -> None:
        self.folder.mkdir(parents=True)
        rows: dict[int, dict[str, float]] = {}
        for step in range(self.every // 2, self.every * self.saves + 1, max(1, self.every // 2)):
            rows[step] = {name: self.value(name, step) for name in self.names}
        self.write_log(rows)
        self.write_settings()
        for save in range(1, self.saves + 1):
            self.write_save(save, rows.get(save * self.every, {}))

    def write_log(self, rows: dict[int, dict[str, float]]) -> None:
        if self.place == "checkpoints" or not self.names:
            return
        steps = sorted(rows)[: max(1, len(rows) - self.dice.choice((0, 0, 2)))]
        if self.dice.random() < 0.5:
            lines = ["step," + ",".join(self.names)]
            lines += [f"{step}," + ",".join(str(rows[step][name]) for name in self.names) for step in steps]
            (self.folder / "metrics.csv").write_text("\n".join(lines) + "\n")
        else:
            key = self.dice.choice(("step", "global_step"))
            (self.folder / "metrics.jsonl").write_text("".join(json.dumps({key: step, **rows[step]}) + "\n" for step in steps))

    def write_settings(self) -> None:
        if self.form == "safetensors" or self.dice.random() < 0.4:
            (self.folder / "config.json").write_text(json.dumps(self.settings))

    def write_save(self, save: int, held: dict[str, float]) -> None:
        step = save * self.every
        count = self.shape[0] * self.shape[1]
        data = floats(*(self.dice.random() for _ in range(count)))
        if self.form == "safetensors":
            safetensors(self.folder / f"step-{step}.safetensors", {"w": ("F32", list(self.shape), data)})
            return
        values: dict = {"model": {"w": Tensor("0", self.shape)}, "step": step, "epoch": save - 1, "args": self.settings}
        if self.place in ("checkpoints", "both"):
            values |= held
        torch_zip(self.folder / f"checkpoint_{step}.pt", values, {"0": data})


def write_pair(folder: Path, seed: int) -> None:
    dice = random.Random(seed)
    shared = {"every": dice.choice((10, 100, 500)), "width": dice.randint(1, 4)}
    for name in ("a", "b"):
        Run(dice, folder / name, shared).write()


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    for seed in range(count):
        write_pair(folder / str(seed), seed)


if __name__ == "__main__":
    main()
