# SPDX-License-Identifier: Apache-2.0
"""Compares `history` with the results of the readers of TensorBoard, W&B and MLflow for files of their own writers: every metric,
step, value and time, bit by bit; and the user's folder is not changed.

The cases that need TensorFlow are skipped if it is not installed; files written by it are in tests/data/history and are compared
by the unit tests."""

from __future__ import annotations

import importlib.util
import math
import unittest
from pathlib import Path

import histories_binary
from support import run, temporary

NONFINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def column(metric: dict, name: str) -> list[float]:
    """A column with its non-finite numbers restored."""
    values = [math.nan if value is None else float(value) for value in metric[name]]
    for place, word in metric.get("nonfinite", {}).items():
        where, _, index = place.partition(".")
        if where == name:
            values[int(index)] = NONFINITE[word]
    return values


def same(a: list[float], b: list[float]) -> bool:
    return len(a) == len(b) and all(x.hex() == y.hex() or (math.isnan(x) and math.isnan(y)) for x, y in zip(a, b))


def flat(settings: dict, prefix: str = "") -> dict[str, object]:
    """Dotted keys, as the oracle has them."""
    found: dict[str, object] = {}
    for key, value in settings.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) and value else {prefix + key: value}
    return found


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Histories(unittest.TestCase):
    def compare(self, case: histories_binary.History) -> None:
        with temporary() as name:
            folder = Path(name)
            path = case.write(folder)
            facts = case.read(path)
            before = snapshot(folder)
            answer = run("history", path, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual(snapshot(folder), before, "the user's folder was changed")
            metrics = answer.json["metrics"]
            self.assertEqual(sorted(metrics), sorted(facts.curves))
            self.assertTrue(facts.curves)
            for name, points in facts.curves.items():
                with self.subTest(metric=name):
                    metric = metrics[name]
                    written = len(points)
                    points = sorted({point[0]: point for point in points}.values(), key=lambda point: point[0])
                    self.assertEqual(len(metric["replaced"]["steps"]), written - len(points), "no point is dropped")
                    self.assertEqual([int(step) for step in metric["steps"]], [step for step, _, _ in points])
                    self.assertTrue(same(column(metric, "values"), [value for _, value, _ in points]), metric["values"][:5])
                    wall = [wall for _, _, wall in points]
                    if not all(map(math.isnan, wall)):
                        self.assertTrue(same(column(metric, "wall"), wall), (metric["wall"][:5], wall[:5]))
            if facts.settings:
                (settings,) = answer.json["settings"].values()
                self.assertEqual(flat(settings), facts.settings)


def add_case(case: histories_binary.History) -> None:
    def test(self: Histories) -> None:
        if case.needs and not importlib.util.find_spec(case.needs):
            self.skipTest(f"{case.needs} is not installed; its files in tests/data/history are compared by the unit tests")
        self.compare(case)

    setattr(Histories, f"test_{case.name}", test)


for one in histories_binary.CASES.values():
    add_case(one)


class Damage(unittest.TestCase):
    def read(self, path: Path) -> dict:
        answer = run("history", path, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json

    def test_a_cut_event_file_gives_the_points_before(self) -> None:
        with temporary() as name:
            folder = Path(name)
            path = histories_binary.tensorboard_torch_tensors(folder)
            path.write_bytes(path.read_bytes()[:-20])
            document = self.read(path)
            self.assertEqual(len(document["metrics"]["loss64"]["steps"]), 19)
            self.assertEqual(len(document["metrics"]["loss"]["steps"]), 20)
            self.assertTrue(document["warnings"])

    def test_a_torn_wandb_log_gives_the_rows_around(self) -> None:
        with temporary() as name:
            folder = Path(name)
            path = histories_binary.wandb_plain(folder)
            whole = histories_binary.read_wandb(path).curves["train/loss"]
            content = bytearray(path.read_bytes())
            middle = len(content) // 2
            content[middle:middle + 800] = b"\xa5" * 800  # several records
            path.write_bytes(content)
            document = self.read(path)
            steps = document["metrics"]["train/loss"]["steps"]
            self.assertLess(len(steps), len(whole))
            self.assertGreater(len(steps), 5)
            self.assertTrue(document["warnings"])


if __name__ == "__main__":
    unittest.main()
