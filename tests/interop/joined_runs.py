# SPDX-License-Identifier: Apache-2.0
"""Random runs with restarts, gaps and ties, written in the formats of trainers, and a reference implementation of the joined curves.

`python joined_runs.py FOLDER COUNT [SEED]` makes COUNT runs.
"""

from __future__ import annotations

import bisect
import csv
import json
import math
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from made_files import safetensors_bytes

KINDS = ("jsonl", "csv", "trainer_state")


# ---- the reference --------------------------------------------------------------------------------------------------


def written(run: Path) -> list[list[dict]]:
    """The rows of every file, oldest file first."""
    files = sorted([*run.glob("metrics*"), *run.glob("*/trainer_state.json")], key=lambda file: file.stat().st_mtime_ns)
    return [rows_of(file) for file in files]


def rows_of(file: Path) -> list[dict]:
    if file.suffix == ".csv":
        with open(file, newline="") as text:
            return [{name: float(cell) for name, cell in row.items() if cell} for row in csv.DictReader(text)]
    return json.loads(file.read_text())["log_history"] if file.suffix == ".json" else [json.loads(line) for line in file.read_text().splitlines()]


def joined(files: list[list[dict]], metric: str) -> tuple[list[float], list[float], set]:
    """Steps, values and the other columns: a later write wins."""
    points: dict[float, float] = {}
    written = set()
    for row in (row for rows in files for row in rows if metric in row):
        written.add((row["step"], row[metric]))
        points[row["step"]] = row[metric]
    steps = sorted(points)
    return steps, [points[step] for step in steps], written - points.items()


def scores(steps: list[float], values: list[float], saved: list[int]) -> dict[int, float]:
    """The value at a checkpoint's step, else the last one before it, if that is closer than any two checkpoints are. Nothing
    beyond the end of a log, which a single row does not show to go on, except to the next step: rows may count from 0."""
    reach = min((b - a for a, b in zip(saved, saved[1:])), default=math.inf)
    end = steps[-1] + max((b - a for a, b in zip(steps, steps[1:])), default=1) if steps else 0
    found = {}
    for step in saved:
        at = bisect.bisect_right(steps, step) - 1
        if at >= 0 and step - steps[at] < reach and (at + 1 < len(steps) or step <= end):
            found[step] = values[at]
    return found


def best(found: dict[int, float]) -> int | None:
    finite = [step for step in sorted(found) if math.isfinite(found[step])]
    return min(finite, key=lambda step: found[step], default=None)


# ---- the runs -------------------------------------------------------------------------------------------------------


def weights() -> bytes:
    return safetensors_bytes({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, bytes(4))


class Run:
    """Trains in attempts, each from a checkpoint of an earlier one."""

    def __init__(self, folder: Path, kind: str, dice: random.Random) -> None:
        self.folder, self.kind, self.dice = folder, kind, dice
        self.time = 1_700_000_000
        self.log: list[dict] = []
        folder.mkdir(parents=True)

    def write(self, file: Path, text: str, append: bool = False) -> None:
        file.parent.mkdir(exist_ok=True)
        with open(file, "a" if append else "w") as out:
            out.write(text)
        self.time += 1
        os.utime(file, (self.time, self.time))

    def note(self, attempt: int, rows: list[dict]) -> None:
        if self.kind == "trainer_state":
            self.log += rows
            return
        name = f"metrics_{attempt}" if self.apart and attempt else "metrics"
        if self.kind == "jsonl":
            self.write(self.folder / f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows), True)
            return
        file = self.folder / f"{name}.csv"
        names = ["step", "loss", "eval_loss"]
        head = "" if file.exists() else ",".join(names) + "\n"
        self.write(file, head + "".join(",".join(str(row.get(name, "")) for name in names) + "\n" for row in rows), True)

    def save(self, step: int) -> None:
        if self.kind == "trainer_state":
            folder = self.folder / f"checkpoint-{step}"
            folder.mkdir(exist_ok=True)
            (folder / "model.safetensors").write_bytes(weights())
            (folder / "config.json").write_text('{"model_type": "gpt2"}')
            self.write(folder / "trainer_state.json", json.dumps({"global_step": step, "log_history": self.log}, indent=2))
        else:
            (self.folder / f"step-{step}.safetensors").write_bytes(weights())

    def train(self) -> None:
        dice = self.dice
        self.apart = dice.random() < 0.5
        every, evaluates, saves = dice.choice((1, 2, 5)), dice.choice((2, 5, 10)), dice.choice((5, 10, 15))
        saved = {0: []}
        for attempt in range(dice.choice((1, 1, 2, 3, 4))):
            start = dice.choice(sorted(saved)) if attempt else 0
            self.log = list(saved[start])
            for step in range(start + 1, start + dice.randint(1, 60)):
                rows = []
                if step % every == 0 and dice.random() < 0.9:
                    rows.append({"step": step, "loss": dice.randint(1, 40) / 8})
                if step % evaluates == 0 and dice.random() < 0.9:
                    rows.append({"step": step, "eval_loss": dice.randint(1, 12) / 4})
                self.note(attempt, rows)
                if step % saves == 0:
                    self.save(step)
                    saved[step] = list(self.log)


def make(folder: Path, count: int, seed: int) -> None:
    dice = random.Random(seed)
    for index in range(count):
        Run(folder / f"run{index:04}", dice.choice(KINDS), dice).train()


def saved_steps(run: Path) -> list[int]:
    return sorted(int(each.name.partition("-")[2].partition(".")[0]) for each in [*run.glob("step-*"), *run.glob("checkpoint-*")])


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
