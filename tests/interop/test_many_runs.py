# SPDX-License-Identifier: Apache-2.0
"""Many runs: aggregates against NumPy on random curves, the table of runs against what the real loggers wrote.

CAIRN_MANY_CASES and CAIRN_MANY_SEED set the number of random metrics and the seed.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import random
import unittest
import warnings
from pathlib import Path

import numpy as np

import histories_binary
from support import run, temporary



def quantile(values: np.ndarray, part: float) -> float:
    """NumPy's, except that it subtracts infinities: here the result next to one is infinite."""
    at = (len(values) - 1) * part
    low, high = (float(np.sort(values)[int(rounded)]) for rounded in (math.floor(at), math.ceil(at)))
    if low == high or math.isfinite(low) and math.isfinite(high):
        return low if low == high else float(np.quantile(values, part))
    return math.nan if math.isinf(low) and math.isinf(high) else low if math.isinf(low) else high


AGGREGATES = {
    "mean": lambda values: np.mean(values),
    "std": lambda values: np.std(values, ddof=1),
    "sem": lambda values: np.std(values, ddof=1) / np.sqrt(len(values)),
    "min": lambda values: np.min(values),
    "max": lambda values: np.max(values),
    "median": lambda values: np.median(values),
    "q25": lambda values: quantile(values, 0.25),
    "q75": lambda values: quantile(values, 0.75),
}
RUNS = 12


def random_rows(source: random.Random, metrics: list[str]) -> list[dict]:
    """Rows in the order of writing: gaps, NaN, infinities, restarts from an earlier step, its own spacing of steps."""
    step, spacing = source.randrange(0, 20), source.choice([1, 1, 3, 10])
    rows = []
    for _ in range(source.randrange(1, 25)):
        row: dict = {"step": step}
        for metric in metrics:
            drawn = source.random()
            if drawn < 0.75:
                row[metric] = source.gauss(0, 1) * 10.0 ** source.randrange(-3, 4)
            elif drawn < 0.82:
                row[metric] = math.nan
            elif drawn < 0.83:
                row[metric] = math.inf
        rows.append(row)
        step += spacing
        if source.random() < 0.08:
            step = max(0, step - spacing * source.randrange(2, 6))
    return rows


def read_numbers(metric: dict, key: str) -> list[float]:
    """Non-finite numbers are null and named."""
    names = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
    other = metric.get("nonfinite", {})
    return [names[other[f"{key}.{i}"]] if value is None else value for i, value in enumerate(metric[key])]


def expected(curves: list[tuple[list[float], list[float]]]) -> dict[str, list]:
    """A run counts between its first and last point, with its last value at or before x; a NaN is no value."""
    xs = sorted({x for steps, _ in curves for x in steps})
    result: dict[str, list] = {"x": xs, "n": [], "nan": []} | {name: [] for name in AGGREGATES}
    for x in xs:
        at = [values[np.searchsorted(steps, x, side="right") - 1] for steps, values in curves if steps[0] <= x <= steps[-1]]
        known = np.array([value for value in at if not math.isnan(value)])
        result["n"].append(len(known))
        result["nan"].append(len(at) - len(known))
        for name, function in AGGREGATES.items():
            few = len(known) < (2 if name in ("std", "sem") else 1)
            result[name].append(math.nan if few else float(function(known)))
    return result


class Aggregates(unittest.TestCase):
    def test_random_curves_equal_numpy(self) -> None:
        count, seed = int(os.environ.get("CAIRN_MANY_CASES", "1000")), int(os.environ.get("CAIRN_MANY_SEED", "1"))
        metrics = [f"metric_{index:04}" for index in range(count)]
        source = random.Random(seed)
        folder = temporary()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        for number in range(RUNS):
            path = root / f"run-{number}"
            path.mkdir()
            mine = [metric for metric in metrics if source.random() < 0.8]
            # Parts of the metrics have x of their own.
            for part in range(10):
                rows = random_rows(source, mine[part::10])
                with (path / ("metrics.jsonl" if part == 0 else f"metrics_{part}.jsonl")).open("w") as out:
                    out.writelines(json.dumps(row) + "\n" for row in rows)
        curves: dict[str, list] = {}
        for number in range(RUNS):
            for name, metric in run("history", root / f"run-{number}", "--json").json["metrics"].items():
                curves.setdefault(name, []).append((metric["steps"], read_numbers(metric, "values")))
        answer = run("history", root, "--aggregate", ",".join(AGGREGATES), "--json").json
        (group,) = answer["groups"]
        self.assertEqual(group["n"], RUNS)
        self.assertEqual(set(group["metrics"]), set(curves))
        worst = 0.0
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for name, shown in group["metrics"].items():
                wanted = expected(curves[name])
                for key in ("x", "n", "nan"):
                    self.assertEqual(shown[key], wanted[key], (name, key))
                for key in AGGREGATES:
                    worst = max(worst, self.distance(read_numbers(shown, key), wanted[key], (name, key)))
        self.assertLessEqual(worst, 1.0, "units in the last place")

    def distance(self, shown: list[float], wanted: list[float], place: object) -> float:
        worst = 0.0
        for a, b in zip(shown, wanted, strict=True):
            if math.isfinite(b):
                self.assertTrue(math.isfinite(a), place)
                worst = max(worst, abs(a - b) / math.ulp(b))
            else:
                self.assertTrue(a == b or (math.isnan(a) and math.isnan(b)), (place, a, b))
        return worst


class Tables(unittest.TestCase):
    """One row a run, whatever wrote it."""

    def setUp(self) -> None:
        folder = temporary()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def curve(self, rate: float, seed: int) -> list[float]:
        return [2 / (step + 1) + 100 * rate + seed / 100 + (step == 7) for step in range(8)]

    def lightning_csv(self, folder: Path, rate: float, seed: int) -> None:
        from lightning.pytorch.loggers import CSVLogger

        logger = CSVLogger(folder, name="", version="")
        logger.log_hyperparams({"lr": rate, "seed": seed, "optimizer": {"name": "adamw"}})
        for step, value in enumerate(self.curve(rate, seed)):
            logger.log_metrics({"eval_loss": value}, step)
        logger.save()

    def tensorboard(self, folder: Path, rate: float, seed: int) -> None:
        from lightning.pytorch.loggers import TensorBoardLogger

        logger = TensorBoardLogger(folder, name="", version="", default_hp_metric=False)
        logger.log_hyperparams({"lr": rate, "seed": seed})
        for step, value in enumerate(self.curve(rate, seed)):
            logger.log_metrics({"eval_loss": value}, step)
        logger.save()
        logger.finalize("success")

    def wandb(self, folder: Path, rate: float, seed: int) -> None:
        def log(run) -> None:
            for value in self.curve(rate, seed):
                run.log({"eval_loss": value})

        histories_binary.run_wandb(folder, folder.name, {"lr": rate, "seed": seed}, log)

    def mlflow(self, folder: Path, rate: float, seed: int) -> None:
        from mlflow.entities import Metric, Param

        client = histories_binary.mlflow_client((folder / "mlruns").as_uri())
        experiment = client.create_experiment("many", artifact_location="mlflow-artifacts:/many")
        number = client.create_run(experiment, run_name=folder.name, start_time=1_700_000_000_000).info.run_id
        points = [Metric("eval_loss", value, 1_700_000_000_000 + step, step) for step, value in enumerate(self.curve(rate, seed))]
        client.log_batch(number, points, [Param("lr", str(rate)), Param("seed", str(seed))])

    def write(self) -> dict[str, tuple[float, int]]:
        written = {}
        for kind in ("lightning_csv", "tensorboard", "wandb", "mlflow"):
            for rate, seed in ((1e-3, 1), (1e-3, 2), (3e-4, 1), (3e-4, 2)):
                folder = self.root / f"{kind}-{rate}-{seed}"
                folder.mkdir()
                getattr(self, kind)(folder, rate, seed)
                written[folder.name] = (rate, seed)
        return written

    def test_loggers(self) -> None:
        written = self.write()
        answer = run("runs", self.root, "--table", "--json").json
        rows = {row["id"].split("/")[0]: row for row in answer["rows"]}
        self.assertEqual(set(rows), set(written))
        self.assertLessEqual({"lr", "seed", "eval_loss"}, set(answer["columns"]))
        for name, (rate, seed) in written.items():
            row, values = rows[name], self.curve(rate, seed)
            if name.startswith("tensorboard"):
                values = [float(np.float32(value)) for value in values]
            self.assertEqual((float(row["settings"]["lr"]), int(row["settings"]["seed"])), (rate, seed), name)
            shown = row["metrics"]["eval_loss"]
            self.assertEqual((shown["last"], shown["best"], shown["best_step"]), (values[-1], min(values), 6), name)
        self.check_selection(written)
        self.check_groups(written)
        self.check_csv(written)

    def ids(self, *options: str) -> list[str]:
        return [row["id"].split("/")[0] for row in run("runs", self.root, "--table", "--json", *options).json["rows"]]

    def check_selection(self, written: dict) -> None:
        wanted = {name for name, (rate, seed) in written.items() if rate < 5e-4}
        self.assertEqual(set(self.ids("--filter", "lr < 5e-4")), wanted)
        self.assertEqual(set(self.ids("--filter", "lr < 5e-4 and optimizer.name == AdamW")), {"lightning_csv-0.0003-1", "lightning_csv-0.0003-2"})
        by_loss = self.ids("--sort", "eval_loss")
        self.assertEqual([written[name][0] for name in by_loss[:8]], [3e-4] * 8, "the lower rate has the lower loss")
        refused = run("runs", self.root, "--table", "--filter", "eval_los < 3")
        self.assertEqual(refused.code, 2)
        self.assertIn("eval_loss", refused.errors)

    def check_groups(self, written: dict) -> None:
        rows = run("runs", self.root, "--table", "--json", "--group-by", "lr").json["rows"]
        self.assertEqual([(float(row["group"]["lr"]), row["n"]) for row in rows], [(3e-4, 8), (1e-3, 8)])
        best = [min(self.curve(rate, seed)) for rate, seed in written.values() if rate == 1e-3]
        self.assertAlmostEqual(rows[1]["metrics"]["eval_loss"]["mean"], float(np.mean(best)), places=6)
        self.assertAlmostEqual(rows[1]["metrics"]["eval_loss"]["std"], float(np.std(best, ddof=1)), places=6)
        groups = run("history", self.root, "--group-by", "lr", "--aggregate", "mean,max", "--json").json["groups"]
        self.assertEqual([len(group["runs"]) for group in groups], [8, 8])
        self.assertEqual(groups[1]["metrics"]["eval_loss"]["n"], [8] * 8)
        explained = run("runs", self.root, "--explain", "eval_loss", "--json").json["explain"]["settings"]
        self.assertEqual(explained[0]["key"], "lr", explained)
        self.assertLess(explained[0]["p"], 0.05)

    def check_csv(self, written: dict) -> None:
        text = run("runs", self.root, "--table", "--csv", "--columns", "lr,seed,eval_loss,eval_loss.last").raw.decode()
        self.assertTrue(text.endswith("\r\n"))
        for row in csv.DictReader(io.StringIO(text, newline="")):
            name = row["name"].split("/")[0]
            self.assertEqual((float(row["lr"]), int(row["seed"])), written[name])
            self.assertAlmostEqual(float(row["eval_loss"]), min(self.curve(*written[name])), places=6)

    def test_trainer(self) -> None:
        """Settings from training_args.bin in the checkpoints, metrics from the Trainer's log."""
        import training_runs

        for rate, seed in ((1e-2, 1), (1e-4, 2)):
            training_runs.trainer_of(self.root / f"r{seed}", rate, 4, seed).train()
        rows = {row["id"]: row for row in run("runs", self.root, "--table", "--json").json["rows"]}
        for rate, seed in ((1e-2, 1), (1e-4, 2)):
            row = rows[f"r{seed}"]
            self.assertEqual((row["settings"]["learning_rate"], row["settings"]["seed"]), (rate, seed))
            log = json.loads((self.root / f"r{seed}" / "checkpoint-4" / "trainer_state.json").read_text())["log_history"]
            losses = [entry["eval_loss"] for entry in log if "eval_loss" in entry]
            self.assertEqual(row["metrics"]["eval_loss"]["last"], losses[-1])
            self.assertEqual(row["metrics"]["eval_loss"]["best"], min(losses))
            self.assertEqual((row["checkpoints"], row["state"], row["step"]), (1, "complete", 4))
        answer = run("compare", self.root / "r1", self.root / "r2", "--json").json
        self.assertIn("learning_rate 0.01 → 0.0001", answer["summary"])
        self.assertEqual(len(answer["runs"]), 2)
        three = run("compare", self.root / "r1", self.root / "r2", self.root / "r1", "--json").json
        self.assertEqual((len(three["runs"]), len(three["pairs"])), (3, 2))
        self.assertEqual(three["pairs"][0]["metrics"], answer["metrics"])


if __name__ == "__main__":
    unittest.main()
