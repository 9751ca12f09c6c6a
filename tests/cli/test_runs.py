#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`runs`, `compare` and `stats --timeline` of the real cairn-cli: the best checkpoint and the reason, unusual folders. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_runs.py
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import ROOT, SAMPLE, Answer, CliTest, run
from made_files import floats as packed, safetensors


def floats(path: Path, **tensors: list[float]) -> None:
    safetensors(path, {name: ("F32", [len(values)], packed(*values)) for name, values in tensors.items()})


class WithFolder(CliTest):
    def run_cli(self, *arguments: object) -> Answer:
        return run(*arguments, env=self.environment)

    def ask(self, *arguments: object) -> dict:
        return self.call(*arguments)


class Runs(WithFolder):
    def test_the_sample(self) -> None:
        answer = self.ask("runs", SAMPLE)
        self.assertEqual(answer["schema"], "cairn/1")
        runs = {run["id"]: run for run in answer["runs"]}
        best = runs["tiny-llama-a"]["best"]
        self.assertEqual((best["from"], best["metric"]), ("history", "eval_loss"))
        self.assertEqual(best["source"], str(SAMPLE / "tiny-llama-a/metrics.jsonl"))
        self.assertIs(best["larger_is_better"], False)
        judged = [each for each in runs["tiny-llama-a"]["checkpoints"] if each["best"]]
        self.assertEqual([each["metrics"]["eval_loss"] for each in judged], [best["value"]])
        self.assertEqual(runs["lightning_logs/version_0"]["best"]["from"], "record")
        self.assertEqual(answer, self.ask("runs", SAMPLE), "the second time from the cache")
        text = self.run_cli("runs", SAMPLE).text
        self.assertIn("eval_loss, from the curve in metrics.jsonl", text)

    def test_the_record_of_mmengine(self) -> None:
        shutil.copytree(ROOT / "tests/data/history/mmengine", self.folder / "run")
        listed = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual((listed["best"]["from"], listed["best"]["value"]), ("record", 0.9))
        self.assertEqual([each["name"] for each in listed["checkpoints"] if each["best"]], ["best_acc_epoch_2.pth"])
        (self.folder / "run" / "best_acc_epoch_2.pth").unlink()
        listed = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual([each["name"] for each in listed["checkpoints"] if each["best"]], [])

    def test_exports(self) -> None:
        shutil.copytree(SAMPLE / "tiny-llama-a", self.folder / "run")
        before = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual(before["exports"], [])
        output = self.folder / "run" / "deploy.safetensors"
        self.assertEqual(self.run_cli("consolidate", self.folder / "run" / "step-400", "-o", output).code, 0)
        after = self.ask("runs", self.folder)["runs"][0]
        (export,) = after["exports"]
        self.assertEqual((export["path"], export["of"]), (str(output), "step-400"))
        self.assertTrue(export["because"])
        self.assertLessEqual({each["strength"] for each in export["because"]}, {"proven", "recorded"})
        self.assertTrue(all(each["where"]["file"] for each in export["because"]))
        best = [[each["path"] for each in run["checkpoints"] if each["best"]] for run in (before, after)]
        self.assertEqual(best[0], best[1])
        self.assertEqual([each["path"] for each in after["checkpoints"] if each["latest"]], [each["path"] for each in before["checkpoints"] if each["latest"]])

    def test_nobody_says_which_is_the_best(self) -> None:
        floats(self.folder / "step-1.safetensors", w=[1])
        run = self.ask("runs", self.folder)["runs"][0]
        self.assertIsNone(run["best"])
        self.assertEqual([each["latest"] for each in run["checkpoints"]], [True])

    def test_nothing(self) -> None:
        self.assertEqual(self.ask("runs", self.folder)["runs"], [])
        done = self.run_cli("runs", self.folder / "nowhere")
        self.assertEqual(done.code, 3)
        self.assertTrue(done.errors.startswith("cairn-cli: "))

    def test_a_metric_that_is_not_finite(self) -> None:
        for step in (1, 2):
            floats(self.folder / f"step-{step}.safetensors", w=[1])
        (self.folder / "metrics.csv").write_text("step,val_loss\n1,nan\n2,inf\n")
        self.assertIsNone(self.ask("runs", self.folder)["runs"][0]["best"])

    def test_rows_that_count_something_else(self) -> None:
        for step in (2, 4):
            floats(self.folder / f"step-{step}.safetensors", w=[1])
        log = self.folder / "metrics.csv"
        log.write_text(",val_loss\n0,5\n1,4\n2,1\n3,2\n4,3\n5,4\n")  # as DataFrame.to_csv() writes it
        run = self.ask("runs", self.folder)["runs"][0]
        self.assertIsNone(run["best"])
        self.assertEqual(run["undecided_metric"], "val_loss")
        self.assertEqual([(each["strength"], each["id"]) for each in run["rows_against"]], [("named", "other-count")])
        self.assertTrue(all("val_loss" not in each["metrics"] for each in run["checkpoints"]))
        self.assertEqual(run, self.ask("runs", self.folder)["runs"][0], "the second time from the cache")
        self.assertIn("val_loss is not matched with checkpoints", self.run_cli("runs", self.folder).text)
        chain = self.ask("runs", self.folder, "--why", "step-2.safetensors")["chain"]
        rows = next(each for each in chain if each["question"] == "what do the rows count")
        self.assertIn("undecided", rows["answer"])
        log.write_text("step,val_loss\n0,5\n1,4\n2,1\n3,2\n4,3\n5,4\n")
        run = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual((run["best"]["value"], run["undecided_metric"]), (1, None))
        self.assertEqual([(each["strength"], each["id"]) for each in run["rows_because"]], [("recorded", "step-column")])
        because = run["checkpoints"][0]["because"][0]
        self.assertEqual((because["strength"], because["id"]), ("named", "step-in-name"))
        self.assertEqual(because["where"]["file"], str(self.folder / "step-2.safetensors"))

    def test_names_that_are_no_text(self) -> None:
        name = b"step-1\xff\x1b[31m.safetensors"
        floats(self.folder / "plain.safetensors", w=[1])
        os.rename(self.folder / "plain.safetensors", os.fsencode(self.folder) + b"/" + name)
        for _ in range(2):
            run = self.ask("runs", self.folder)["runs"][0]
            self.assertEqual(run["checkpoints"][0]["step"], 1)
        self.assertNotIn(b"\x1b", self.run_cli("runs", self.folder).raw)

    def test_a_damaged_index_is_written_again_and_only_there(self) -> None:
        floats(self.folder / "step-1.safetensors", w=[1])
        before = sorted(self.folder.rglob("*"))
        listed = self.ask("runs", self.folder)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        indexes = {file: file.read_bytes() for file in (self.home / "cache").rglob("*.index")}
        self.assertTrue(indexes)
        for damage in (lambda good: good[:8] + bytes(100), lambda good: good[:-1], lambda good: good[:8] + bytes(len(good) - 8),
                       lambda good: good[:-1] + bytes([good[-1] ^ 1]), lambda good: b""):
            for file, good in indexes.items():
                file.write_bytes(damage(good))
            self.assertEqual(self.ask("runs", self.folder), listed)
            self.assertEqual({file: file.read_bytes() for file in indexes}, indexes, "written again")


class Compare(WithFolder):
    """Two runs of ten steps: 4/step, and the same a little higher, from step 7 on by 0.1."""

    def setUp(self) -> None:
        super().setUp()
        for name, seed, beta in (("a", 1, 0.9), ("b", 2, 0.95)):
            higher = (lambda step: 0) if name == "a" else lambda step: 0.1 if step > 6 else 0.002
            rows = [{"step": step, "train/loss": 4 / step + higher(step), "lr": 0.1} for step in range(1, 11)]
            (self.folder / name).mkdir()
            (self.folder / name / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            (self.folder / name / "config.json").write_text(json.dumps({"lr": 0.1, "seed": seed, "optimizer": {"beta": beta}}))

    def compare(self, *options: object) -> dict:
        return self.ask("compare", self.folder / "a", self.folder / "b", *options)

    def test_metric(self) -> None:
        self.assertEqual(sorted(self.compare()["metrics"]), ["lr", "train/loss"])
        self.assertEqual(list(self.compare("--metric", "*loss")["metrics"]), ["train/loss"])
        self.assertEqual(sorted(self.compare("--metric", "{l?,*/loss}")["metrics"]), ["lr", "train/loss"])
        text = self.run_cli("compare", self.folder / "a", self.folder / "b", "--metric", "lr").text
        self.assertTrue("lr" in text and "train/loss" not in text, text)

    def test_ignore(self) -> None:
        found = self.compare()["config"]
        self.assertEqual(([each["key"] for each in found["different"]], found["ignored_count"]), (["optimizer.beta", "seed"], 0))
        for glob, left in (("seed", ["optimizer.beta"]), ("beta", ["seed"]), ("{seed,optimizer.*}", []), ("nothing", ["optimizer.beta", "seed"])):
            found = self.compare("--ignore", glob)["config"]
            self.assertEqual(([each["key"] for each in found["different"]], found["ignored_count"]), (left, 2 - len(left)), glob)

    def test_threshold(self) -> None:
        loss = self.compare()["metrics"]["train/loss"]
        for side, goal, step in (("left", 0.5, 8), ("right", 0.4, None)):
            self.assertEqual((loss[side]["goal"], loss[side]["reaches"]), (goal, step), "without one: the other run's best")
        for value, left, right in ((1.0, 4, 5), (0.45, 9, None), (0.1, None, None), (100, 1, 1)):
            loss = self.compare("--threshold", value)["metrics"]["train/loss"]
            self.assertEqual((loss["left"]["goal"], loss["left"]["reaches"], loss["right"]["reaches"]), (value, left, right))

    def test_tolerance(self) -> None:
        for options, step in (((), 7), (("--tolerance", 0.01), 7), (("--tolerance", 0.0001), 1), (("--tolerance", 0.5), None)):
            metrics = self.compare(*options)["metrics"]
            self.assertEqual((metrics["train/loss"]["parting"], metrics["lr"]["parting"]), (step, None), options)
            self.assertEqual(metrics["train/loss"]["first_unequal"], 1, "whatever the tolerance")

    def test_what_is_no_number_or_glob(self) -> None:
        for option in ("--tolerance=x", "--tolerance=nan", "--tolerance=-1", "--threshold=x", "--threshold=", "--metric={a", "--ignore={a"):
            answer = self.run_cli("compare", self.folder / "a", self.folder / "b", option, "--json")
            self.assertEqual((answer.code, answer.json["error"]["code"]), (2, "invalid-argument"), option)


class Timeline(WithFolder):
    def setUp(self) -> None:
        super().setUp()
        for step, values in ((100, [3, 4]), (200, [3, 4]), (1000, [6, 8])):
            floats(self.folder / f"step-{step}.safetensors", **{"a.weight": values, "b.weight": [0, 1]})

    def test_json(self) -> None:
        answer = self.ask("stats", self.folder, "--timeline", "--change", "--tensor", "a.*")
        stops = answer["timeline"]
        self.assertEqual([stop["step"] for stop in stops], [100, 200, 1000])
        self.assertEqual([stop["l2"] for stop in stops], [5, 5, 10])
        self.assertEqual([stop["change"] for stop in stops], [None, 0, 1])
        self.assertEqual([stop["count"] for stop in stops], [2, 2, 2])
        self.assertEqual(answer["from_cache"], 0)
        again = self.ask("stats", self.folder, "--timeline", "--change", "--tensor", "a.*")
        self.assertEqual((again["from_cache"], again["timeline"]), (3, stops))

    def test_agrees_with_stats_of_one(self) -> None:
        stop = self.ask("stats", self.folder, "--timeline", "--tensor", "a.weight")["timeline"][2]
        one = self.ask("stats", self.folder / "step-1000.safetensors", "--tensor", "a.weight")["tensors"][0]
        for key in ("count", "min", "max", "mean", "std", "l1", "l2", "absmax", "zeros", "nan", "inf"):
            self.assertEqual(stop[key], one[key], key)

    def test_the_sample_counts_weights_alone(self) -> None:
        stops = self.ask("stats", SAMPLE / "tiny-llama-a", "--timeline", "--tensor", "*q_proj*")["timeline"]
        self.assertEqual(len({stop["tensors"] for stop in stops if "error" not in stop}), 1)
        self.assertEqual([stop["name"] for stop in stops if "error" in stop], ["step-300"])

    def test_text_and_usage(self) -> None:
        text = self.run_cli("stats", self.folder, "--timeline").text
        self.assertIn("step-1000.safetensors", text)
        self.assertEqual(self.run_cli("stats", self.folder, "--timeline", "--sample").code, 2)
        self.assertEqual(self.run_cli("stats", self.folder / "step-100.safetensors", "--change").code, 2)
        self.assertEqual(self.run_cli("stats", self.folder, "--timeline", "--tensor", "nothing").code,
                         self.run_cli("stats", self.folder / "step-100.safetensors", "--tensor", "nothing").code)


class Table(WithFolder):
    """One row a run or group: the form of the answer, files without frameworks."""

    def setUp(self) -> None:
        super().setUp()
        self.root = self.folder / "sweep"
        for lr, seed, losses in ((0.1, 1, [3, 1, 2]), (0.1, 2, [3, 2, 2.5]), (0.01, 1, [3, 0.5, 0.75])):
            folder = self.root / f"lr{lr}-seed{seed}"
            floats(folder / "step-2.safetensors", w=[1, 2])
            (folder / "args.json").write_text(json.dumps({"optimizer": {"lr": lr}, "seed": seed, "output_dir": str(folder), "fp16": True}))
            rows = [{"step": step, "eval_loss": loss, "weird": -step} for step, loss in enumerate(losses)]
            (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def table(self, *options: object) -> dict:
        return self.ask("runs", self.root, "--table", *options)

    def test_rows(self) -> None:
        answer = self.table()
        self.assertEqual(answer["columns"][:2], ["optimizer.lr", "seed"], "settings that differ are first")
        row = answer["rows"][0]
        self.assertEqual((row["id"], row["n"], row["checkpoints"], row["state"], row["step"]), ("lr0.01-seed1", 1, 1, "complete", 2))
        self.assertEqual(row["bytes"], (self.root / "lr0.01-seed1/step-2.safetensors").stat().st_size)
        self.assertEqual({key: row["settings"][key] for key in ("optimizer.lr", "seed", "fp16")},
                         {"optimizer.lr": 0.01, "seed": 1, "fp16": True})
        self.assertEqual({key: row["metrics"]["eval_loss"][key] for key in ("last", "best", "best_step")},
                         {"last": 0.75, "best": 0.5, "best_step": 1})
        self.assertIsNone(row["metrics"]["weird"]["best"], "no better direction is known")
        self.assertEqual(answer, self.table(), "the second time from the cache")

    def test_selection(self) -> None:
        ids = lambda *options: [row["id"] for row in self.table(*options)["rows"]]
        self.assertEqual(ids("--filter", "lr >= 0.1 and eval_loss < 1.5"), ["lr0.1-seed1"])
        self.assertEqual(ids("--filter", "nothing"), [])
        self.assertEqual(ids("--sort", "eval_loss"), ["lr0.01-seed1", "lr0.1-seed1", "lr0.1-seed2"])
        self.assertEqual(ids("--sort=-eval_loss"), ["lr0.1-seed2", "lr0.1-seed1", "lr0.01-seed1"])
        self.assertEqual(ids("--sort", "eval_loss desc"), ids("--sort=-eval_loss"))
        chosen = self.table("--columns", "seed,eval_*")
        self.assertEqual(chosen["columns"], ["seed", "eval_loss"])
        self.assertEqual((set(chosen["rows"][0]["settings"]), set(chosen["rows"][0]["metrics"])), ({"seed"}, {"eval_loss"}))
        for option, text in (("--filter", "sed == 1"), ("--columns", "sed"), ("--columns", "no*"), ("--sort", "sed"),
                             ("--group-by", "sed"), ("--group-by", "eval_loss"), ("--explain", "state"), ("--filter", "(seed")):
            self.assertEqual(self.run_cli("runs", self.root, option, text).code, 2, (option, text))

    def test_groups(self) -> None:
        rows = self.table("--group-by", "all but seed")["rows"]
        self.assertEqual([(row["id"], row["group"], row["n"]) for row in rows],
                         [("lr 0.01", {"optimizer.lr": 0.01}, 1), ("lr 0.1", {"optimizer.lr": 0.1}, 2)])
        loss = rows[1]["metrics"]["eval_loss"]
        self.assertEqual((loss["n"], loss["mean"], loss["best"], loss["best_run"]), (2, 1.5, 1, "lr0.1-seed1"))
        self.assertAlmostEqual(loss["std"], 0.5**0.5)
        self.assertEqual(rows[1]["settings"].get("fp16"), True)
        self.assertNotIn("seed", rows[1]["settings"], "not the same in both runs")
        (whole,) = self.table("--group-by", "")["rows"]
        self.assertEqual((whole["id"], whole["n"]), ("all", 3))

    def test_csv(self) -> None:
        done = self.run_cli("runs", self.root, "--csv", "--columns", "lr,eval_loss.last", "--sort", "seed")
        self.assertEqual(done.raw.decode(), "name,optimizer.lr,eval_loss.last\r\nlr0.01-seed1,0.01,0.75\r\n"
                                            "lr0.1-seed1,0.1,2\r\nlr0.1-seed2,0.1,2.5\r\n")

    def test_curves_of_groups(self) -> None:
        low, high = self.ask("history", self.root, "--group-by", "lr", "--aggregate", "mean,std,max")["groups"]
        self.assertEqual((low["key"], low["runs"], high["runs"]), ({"optimizer.lr": 0.01}, ["lr0.01-seed1"], ["lr0.1-seed1", "lr0.1-seed2"]))
        loss = high["metrics"]["eval_loss"]
        self.assertEqual((loss["x"], loss["n"], loss["mean"], loss["max"]), ([0, 1, 2], [2, 2, 2], [3, 1.5, 2.25], [3, 2, 2.5]))
        runs = sorted(self.root.iterdir())
        (both,) = self.ask("history", *runs, runs[0])["groups"]
        self.assertEqual(both["n"], 3, "a run that is given twice counts once")
        self.assertEqual(self.run_cli("history", *runs, "--aggregate", "average").code, 2)

    def test_several_runs(self) -> None:
        runs = sorted(self.root.iterdir())
        pair = self.ask("compare", runs[0], runs[1])
        self.assertEqual(pair["summary"], "B is worse: eval_loss 1 against 0.5 (+100 %). Differs: lr 0.01 → 0.1.")
        answer = self.ask("compare", *runs)
        self.assertEqual([each["name"] for each in answer["runs"]], [run.name for run in runs])
        self.assertEqual(answer["summary"], "A is best: eval_loss 0.5; B 1 (+100 %), C 2 (+300 %). Differs: lr 0.01, 0.1, 0.1; seed 1, 1, 2.")
        self.assertEqual(answer["pairs"][0], {key: value for key, value in pair.items() if key not in ("schema", "runs")})
        self.assertEqual(self.run_cli("compare", runs[0]).code, 2)


if __name__ == "__main__":
    unittest.main()
