#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`runs`, `compare` and `stats --timeline` of the real cairn-cli: the best checkpoint and the reason, unusual folders. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_runs.py
"""

from __future__ import annotations

import html.parser
import json
import os
import pickle
import shutil
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from decision_lines import DECISIONS, decision_lines, expected_decisions
from driver import ROOT, SAMPLE, Answer, CliTest, run
from made_files import floats as packed, safetensors
from torch_files import Tensor, torch_zip


def floats(path: Path, **tensors: list[float]) -> None:
    safetensors(path, {name: ("F32", [len(values)], packed(*values)) for name, values in tensors.items()})


class WithFolder(CliTest):
    def run_cli(self, *arguments: object) -> Answer:
        return run(*arguments, env=self.environment)

    def ask(self, *arguments: object, code: int = 0) -> dict:
        return self.call(*arguments, code=code)


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

    def test_logs_that_a_limit_cuts_name_no_best(self) -> None:
        count = 505
        for i in range(1, count + 1):
            folder = self.folder / "run" / f"checkpoint-{i}"
            folder.mkdir(parents=True)
            floats(folder / "model.safetensors", w=[i])
            (folder / "config.json").write_text("{}")
            rows = [{"step": i, "epoch": i / 10, "eval_loss": 0.5 if i == 2 else 1 + i / 1000}]
            (folder / "trainer_state.json").write_text(json.dumps({"global_step": i, "epoch": i / 10, "log_history": rows}))
        for _ in range(2):  # the second time from the cache
            run = self.ask("runs", self.folder / "run")["runs"][0]
            self.assertIsNone(run["best"], "the true one is in a state that was not read")
            self.assertIn("logs-not-read", [each["id"] for each in run["rows_against"]])
            self.assertEqual(run["checkpoints"][-1]["metrics"], {"eval_loss": 1 + count / 1000}, "values that are known remain")
        self.assertIn("no checkpoint is the best by eval_loss: the logs were not read completely", self.run_cli("runs", self.folder / "run").text)
        for i in range(3, 10):
            shutil.rmtree(self.folder / "run" / f"checkpoint-{i}")
        run = self.ask("runs", self.folder / "run")["runs"][0]
        self.assertEqual((run["best"]["value"], [each["name"] for each in run["checkpoints"] if each["best"]]), (0.5, ["checkpoint-2"]))

    def test_steps_that_doubles_do_not_tell_apart(self) -> None:
        first = 2**53
        for number, step in enumerate((first + 1, first)):  # the earlier one is the newer file
            path = self.folder / "run" / f"step-{step}.safetensors"
            path.parent.mkdir(exist_ok=True)
            floats(path, w=[step - first])
            os.utime(path, (1000 + number, 1000 + number))
        listed = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual([(each["step"], each["latest"]) for each in listed["checkpoints"]], [(first, False), (first + 1, True)])
        plan = self.ask("prune", self.folder / "run", "--keep-last", 1)
        self.assertNotIn("the same position", json.dumps(plan))
        for run, rows in (("a", (1, 2)), ("b", (3, 4))):
            (self.folder / "logs" / run).mkdir(parents=True)
            lines = [json.dumps({"step": first + i, "loss": value}) for i, value in enumerate(rows)]
            (self.folder / "logs" / run / "metrics.jsonl").write_text("\n".join(lines) + "\n")
        warnings = self.ask("history", self.folder / "logs", "--aggregate", "mean")["warnings"]
        self.assertTrue(any("rounded" in json.dumps(each) for each in warnings), warnings)
        exact = self.ask("history", self.folder / "logs", "--aggregate", "mean", "--axis", "first-step")
        self.assertEqual(exact["groups"][0]["metrics"]["loss"]["mean"], [2, 3])
        self.assertEqual(exact["warnings"], [])

    def test_compressed_pickles_are_checkpoints(self) -> None:
        data = ROOT / "tests/data/compressed"
        for name, source in (("step_1.pkl.bz2", "params.pkl.bz2"), ("step_2.pkl.xz", "params.pkl.xz"), ("step_3.joblib", "xz.joblib")):
            (self.folder / "run").mkdir(exist_ok=True)
            shutil.copy(data / source, self.folder / "run" / name)
        listed = self.ask("runs", self.folder)["runs"]
        self.assertEqual(sorted(each["name"] for run in listed for each in run["checkpoints"]), ["step_1.pkl.bz2", "step_2.pkl.xz", "step_3.joblib"])

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
        log.write_text("step,val_loss\n0,5\n1,4\n2,1\n3,2\n4,3\n5,4\n")  # step 2 is row 2, or row 1 of a loop that counts from 0
        self.assertEqual([each["id"] for each in self.ask("runs", self.folder)["runs"][0]["rows_against"]], ["step-column", "counted-from-0"])
        log.write_text("step,val_loss\n1,4\n2,1\n3,2\n4,3\n5,4\n")
        run = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual((run["best"]["value"], run["undecided_metric"]), (1, None))
        self.assertEqual([(each["strength"], each["id"]) for each in run["rows_because"]], [("recorded", "step-column")])
        because = run["checkpoints"][0]["because"][0]
        self.assertEqual((because["strength"], because["id"]), ("named", "step-in-name"))
        self.assertEqual(because["where"]["file"], str(self.folder / "step-2.safetensors"))

    def test_a_trainer_that_evaluated_once(self) -> None:
        rows = [{"step": 100, "epoch": 1.0, "eval_loss": 0.5}]
        for step in (50, 100, 150):
            folder = self.folder / f"checkpoint-{step}"
            floats(folder / "model.safetensors", w=[1])
            (folder / "config.json").write_text("{}")
            state = {"global_step": step, "epoch": step / 100, "log_history": rows if step >= 100 else []}
            (folder / "trainer_state.json").write_text(json.dumps(state))
        run = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual([each["metrics"].get("eval_loss") for each in run["checkpoints"]], [None, 0.5, None], run["rows_against"])
        self.assertIn(("recorded", "declared-step"), [(each["strength"], each["id"]) for each in run["rows_because"]])
        self.assertEqual([(each["strength"], each["id"]) for each in run["rows_against"]], [("named", "beyond-end")])
        self.assertEqual(run["headline"]["metric"], "eval_loss")

    def test_integers_beyond_those_of_a_double(self) -> None:
        steps = [2**53 + i for i in range(4)] + [2**63 - 1, 2**64 - 1]
        rows = [f'"step": {step}, "tokens_loss": {step + 2**20}, "time_acc": NaN' for step in steps[:-2]]
        rows += [f'"step": {step}, "tokens_loss": {step}, "time_acc": NaN' for step in steps[-2:]]
        (self.folder / "metrics.jsonl").write_text("".join(f"{{{row}}}\n" for row in rows))
        (self.folder / "args.json").write_text(json.dumps({"seed": 2**53 + 1, "entropy": 2**100 + 1}))
        answer = self.ask("history", self.folder)
        self.assertEqual(answer["metrics"]["tokens_loss"]["steps"], steps)
        self.assertEqual(answer["metrics"]["tokens_loss"]["values"][:4], [step + 2**20 for step in steps[:4]])
        (self.folder / "log.csv").write_text("step,csv_loss\n" + "".join(f"{step},{step}\n" for step in reversed(steps[:4])))
        (self.folder / "metrics.jsonl").unlink()
        curve = self.ask("history", self.folder)["metrics"]["csv_loss"]
        self.assertEqual((curve["steps"], curve["values"]), (steps[:4], steps[:4]))
        for _ in range(2):  # the second time from the cache
            row = self.ask("runs", self.folder, "--table")["rows"][0]
            best = row["metrics"]["csv_loss"]
            self.assertEqual([best[key] for key in ("best", "best_step", "last", "last_step")], [2**53, 2**53, 2**53 + 3, 2**53 + 3])
            self.assertEqual((row["step"], row["settings"]["seed"], row["settings"]["entropy"]), (2**53 + 3, 2**53 + 1, 2**100 + 1))
        for words, count in (
            (f"seed == {2**53 + 1}", 1), (f"seed == {2**53}", 0), (f"seed > {2**53}", 1), (f"seed in [{2**53}, {2**53 + 2}]", 0),
            (f"seed in [{2**53 + 1}]", 1), (f"entropy == {2**100 + 1}", 1), (f"entropy == {2**100}", 0), (f"entropy > {2**100}", 1),
            (f"step == {2**53 + 3}", 1), (f"step == {2**53 + 4}", 0), (f"step < {2**53 + 4}", 1), (f"csv_loss.last == {2**53 + 3}", 1),
            (f"csv_loss.last != {2**53 + 4}", 1),
        ):  # fmt: skip
            self.assertEqual(len(self.ask("runs", self.folder, "--table", "--filter", words)["rows"]), count, words)

    def test_an_aim_repository_is_said_with_what_exports_it(self) -> None:
        (self.folder / ".aim/seqs/chunks").mkdir(parents=True)
        answer = self.ask("runs", self.folder)
        self.assertEqual((answer["runs"], [each["code"] for each in answer["notices"]]), ([], ["unsupported"]))
        lines = answer["notices"][0]["hint"].partition("with import aim: ")[2]
        compile(lines, "hint", "exec")
        self.assertIn("m.context", lines)  # else the losses of several parts would be one metric

    def test_steps_beyond_those_of_a_double_are_matched(self) -> None:
        first, step = 2**53 + 1, lambda index: 2**53 + 1 + 2 * index
        for index in range(4):
            torch_zip(self.folder / f"save-{'abcd'[index]}.pt", {"model": {"w": Tensor("0", (1,))}, "step": step(index)}, {"0": bytes(4)})
        (self.folder / "metrics.csv").write_text("step,val_loss\n" + "".join(f"{first + i},{8 - i}\n" for i in range(8)))
        for _ in range(2):  # the second time from the cache
            run = self.ask("runs", self.folder)["runs"][0]
            found = [(each["step"], each["metrics"].get("val_loss"), each["score_from"]["step"]) for each in run["checkpoints"]]
            self.assertEqual(found, [(step(index), 8 - 2 * index, step(index)) for index in range(4)])
            self.assertEqual(run["best"]["value"], 2)
        # Of saves in place of steps, each value beside another row.
        (self.folder / "metrics.csv").write_text("step,val_loss\n" + "".join(f"{first + 2 * i + 1},{8 - i}\n" for i in range(4)))
        run = self.ask("runs", self.folder)["runs"][0]
        self.assertEqual([each["metrics"].get("val_loss") for each in run["checkpoints"]], [None, 8, 7, 6])

    def test_the_same_long_step_from_every_source(self) -> None:
        step = 2**53 + 1
        archive = {"experiment.json": {"offline_id": "a" * 32}, "messages.json": None}
        comet = json.dumps({"type": "metric_msg", "payload": {"metric": {"metricName": "loss", "metricValue": step, "step": step}}}) + "\n"
        with zipfile.ZipFile(self.folder / f"{'a' * 32}.zip", "w") as out:
            for name, value in archive.items():
                out.writestr(name, comet if value is None else json.dumps(value))
        journal = [{"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1]},
                   {"op_code": 4, "worker_id": "w", "study_id": 0, "datetime_start": "2026-01-01T00:00:00"},
                   {"op_code": 7, "worker_id": "w", "trial_id": 0, "step": step, "intermediate_value": 0.5}]
        sources = {
            f"comet/{'a' * 32}.zip": (self.folder / f"{'a' * 32}.zip").read_bytes(),
            "optuna/study.log": "".join(json.dumps(each) + "\n" for each in journal).encode(),
            "keras/history.json": json.dumps({"step": [step, step + 1], "loss": [0.5, 0.25]}).encode(),
            "console/train.log": f"step {step}: train loss 2.1, val loss 2.2\nstep {step + 1}: train loss 2.0, val loss 2.1\n".encode(),
            "printed/train.log": f"{{'loss': 2.5, 'step': {step}, 'epoch': 0.5}}\n{{'loss': 2.4, 'step': {step + 1}, 'epoch': 0.6}}\n".encode(),
            "neptune/.neptune/offline/run__abc__1__x/data-1.log":
                json.dumps({"obj": {"type": "LogFloats", "path": ["loss"], "values": [{"value": 3.0, "step": step, "ts": 1767312000}]}, "version": 1, "at": 1.5}).encode() + b"\n",
        }  # fmt: skip
        (self.folder / f"{'a' * 32}.zip").unlink()
        for name, data in sources.items():
            file = self.folder / name
            file.parent.mkdir(parents=True)
            file.write_bytes(data)
            (file.parent / "last_put_version").write_text("1")  # of Neptune
            metrics = self.ask("history", self.folder / name.split("/")[0])["metrics"]
            self.assertTrue(metrics, name)
            for curve in metrics.values():
                self.assertEqual(curve["steps"][0], step, name)

    def test_the_decisions_of_every_face(self) -> None:
        self.maxDiff = None
        for _ in range(2):  # the second time from the cache
            self.assertEqual(decision_lines(self.ask("runs", DECISIONS)["runs"]), expected_decisions())

    def test_names_that_contradict_each_other(self) -> None:
        chain = self.ask("runs", DECISIONS / "contradicting", "--why", "best_acc.safetensors")["chain"]
        why = {each["question"]: each for each in chain}
        self.assertIn("contradicts itself", why["which metric decides"]["answer"])
        self.assertIn("undecided", why["why not best"]["answer"])
        self.assertEqual(why["why not best"]["from"].count("recorded: the trainer's name"), 2, why)

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


class Trackers(WithFolder):
    """Logs of trackers alone, and beside checkpoints; the files in tests/data/history are of the trackers themselves."""

    DATA = Path(__file__).resolve().parents[1] / "data/history"

    def rows(self, folder: Path, *options: str) -> dict[str, dict]:
        return {row["name"]: row for row in self.ask("runs", folder, "--table", *options)["rows"]}

    def metrics(self, run: Path) -> dict:
        return self.ask("history", run)["metrics"]

    def test_ray_tune(self) -> None:
        rows = self.rows(self.DATA / "ray_tune")
        self.assertEqual(sorted(rows), ["trial_plain", "trial_restored"])
        self.assertEqual([rows[name]["settings"]["lr"] for name in sorted(rows)], [0.25, 0.5])
        self.assertEqual(rows["trial_plain"]["settings"]["model.act"], "relu")
        loss = self.metrics(self.DATA / "ray_tune/trial_plain")["loss"]
        self.assertEqual(loss["steps"], [1, 2, 3, 4, 5, 6])
        self.assertFalse([name for name in self.metrics(self.DATA / "ray_tune/trial_plain") if "config" in name])
        answer = self.ask("compare", self.DATA / "ray_tune/trial_plain", self.DATA / "ray_tune/trial_restored")
        self.assertEqual([each["key"] for each in answer["config"]["different"]], ["lr"])

    def test_the_settings_of_a_trial_are_not_a_checkpoint(self) -> None:
        trial = self.folder / "train_a_00000"
        (trial / "checkpoint_000000").mkdir(parents=True)
        floats(trial / "checkpoint_000000/model.safetensors", w=[0])
        (trial / "params.pkl").write_bytes(pickle.dumps({"lr": 0.1}))
        (trial / "params.json").write_text('{"lr": 0.1}')
        (trial / "result.json").write_text('{"loss": 1, "training_iteration": 1, "trial_id": "a_00000", "config": {"lr": 0.1}}\n')
        self.assertEqual([each["name"] for each in self.ask("runs", self.folder)["runs"][0]["checkpoints"]], ["checkpoint_000000"])
        (trial / "params.json").unlink()
        self.assertEqual(len(self.ask("runs", self.folder)["runs"][0]["checkpoints"]), 2, "alone it may be a model")

    def test_fairseq_in_a_file_of_its_own(self) -> None:
        shutil.copy(self.DATA / "console/fairseq_file.log", self.folder / "train.log")
        metrics = self.metrics(self.folder)
        self.assertEqual((metrics["loss"]["steps"], metrics["loss"]["values"]), ([2, 4, 6, 8], [2.667, 1.6, 1.143, 0.889]))
        self.assertEqual((metrics["valid_loss"]["steps"], metrics["valid_loss"]["values"]), ([4, 8], [2.6, 1.889]))
        self.assertEqual((metrics["train_loss"]["steps"], metrics["train_lr"]["values"]), ([4, 8], [0.0004, 0.0008]))
        for step in (4, 8):  # two numbers after a save say of neither that it is the step
            floats(self.folder / f"checkpoint_{step // 4}_{step}.safetensors", w=[step])
        (run,) = self.ask("runs", self.folder)["runs"]
        self.assertEqual([(each["step"], each["epoch"], each["metrics"]) for each in run["checkpoints"]], [(None, None, {})] * 2)

    def test_a_save_count_of_ray_is_not_a_step(self) -> None:
        trial = self.folder / "exp/train_a_00000_0_lr=0.1"
        trial.mkdir(parents=True)
        saved = {4: "checkpoint_000000", 8: "checkpoint_000001"}
        lines = [json.dumps({"loss": 9 - i, "training_iteration": i, "trial_id": "a_00000", "config": {"lr": 0.1},
                             "checkpoint_dir_name": saved.get(i)}) for i in range(1, 9)]
        (trial / "result.json").write_text("\n".join(lines) + "\n")
        for count in (0, 1):
            (trial / f"checkpoint_{count:06}").mkdir()
            floats(trial / f"checkpoint_{count:06}/model.safetensors", w=[count])
        (run,) = self.ask("runs", self.folder)["runs"]
        self.assertEqual([each.get("step") for each in run["checkpoints"]], [None, None])
        self.assertEqual([each["metrics"] for each in run["checkpoints"]], [{"loss": 5}, {"loss": 1}])
        self.assertEqual([each["best"] for each in run["checkpoints"]], [False, True])
        self.assertTrue(self.ask("info", trial)["path"].endswith("checkpoint_000001"), "saves are in order")
        self.assertEqual(self.ask("runs", self.folder)["runs"][0]["checkpoints"], run["checkpoints"], "from the cache")
        (trial / "result.json").write_text("\n".join(line.replace("checkpoint_00", "another_") for line in lines) + "\n")
        (run,) = self.ask("runs", self.folder)["runs"]
        self.assertEqual([each["metrics"] for each in run["checkpoints"]], [{}, {}], "undecided")
        self.assertEqual(self.metrics(trial)["loss"]["steps"], list(range(1, 9)))

    def test_a_save_count_in_a_table_of_ray_is_not_a_step(self) -> None:
        trial = self.folder / "exp/train_a_00000_0_lr=0.1"
        saved = {3: "checkpoint_000000", 6: "checkpoint_000001", 9: "checkpoint_000002"}
        columns = "loss,timestamp,checkpoint_dir_name,done,training_iteration,trial_id,date,pid,hostname"
        rows = [f"{abs(i - 7)}.5,{1795936245 + i},{saved.get(i, '')},False,{i},fe014_00000,2026-11-29_07-10-45,7,vm" for i in range(1, 11)]
        for count in range(3):
            (trial / f"checkpoint_{count:06}").mkdir(parents=True)
            floats(trial / f"checkpoint_{count:06}/model.safetensors", w=[count])
        (trial / "progress.csv").write_text("\n".join([columns, *rows]) + "\n")
        (run,) = self.ask("runs", self.folder)["runs"]
        self.assertEqual([each.get("step") for each in run["checkpoints"]], [None] * 3)
        self.assertEqual([each["metrics"] for each in run["checkpoints"]], [{"loss": 4.5}, {"loss": 1.5}, {"loss": 2.5}])
        self.assertEqual([each["best"] for each in run["checkpoints"]], [False, True, False])
        self.assertEqual(self.metrics(trial).keys(), {"loss"})
        # Older tables do not record the saves.
        (trial / "progress.csv").write_text("\n".join([columns, *rows]).replace("checkpoint_dir_name", "note") + "\n")
        (run,) = self.ask("runs", self.folder)["runs"]
        self.assertEqual([(each.get("step"), each["metrics"], each["best"]) for each in run["checkpoints"]], [(None, {}, False)] * 3)

    def test_stable_baselines3(self) -> None:
        (run,) = self.ask("runs", self.DATA / "stable_baselines3")["runs"]
        self.assertEqual((run["id"], run["checkpoints"]), ("ppo", []))
        metrics = self.metrics(self.DATA / "stable_baselines3/ppo")
        self.assertEqual(metrics["eval/mean_reward"]["steps"], [256, 512, 768, 1024])
        self.assertIn("r [env 1]", metrics)

    def test_optuna(self) -> None:
        rows = self.rows(self.DATA / "optuna/storage")
        self.assertEqual(rows.keys(), self.rows(self.DATA / "optuna/journal").keys())
        self.assertEqual(sorted(rows), ["both/0", "both/1", "both/2", *(f"tune/{number}" for number in range(6))])
        self.assertIn(rows["tune/0"]["settings"]["optimizer"], ("adamw", "sgd", None, 3))
        trial = self.DATA / "optuna/storage/study.db/trial_id=1"
        self.assertEqual(self.metrics(trial)["intermediate_value"]["steps"], [0, 10, 20, 30, 40])
        self.assertIs(self.metrics(trial)["value"]["larger_is_better"], False)
        self.assertTrue(self.metrics(trial)["value"]["direction_from"].endswith("study.db"))

    def test_trackio(self) -> None:
        rows = self.rows(self.DATA / "trackio")
        self.assertEqual(sorted(rows), ["calls", "steps", "trainer"])
        self.assertEqual(rows["calls"]["settings"]["model.hidden"], 2)

    def test_dvclive(self) -> None:
        (run,) = self.ask("runs", self.DATA / "dvclive")["runs"]
        self.assertEqual(run["id"], "live/dvclive")
        (row,) = self.rows(self.DATA / "dvclive").values()
        self.assertEqual(row["settings"]["model.act"], "relu")
        self.assertEqual(row["metrics"]["train/loss"]["last"], 1 / 9)

    def test_swanlab(self) -> None:
        rows = self.rows(self.DATA / "swanlab")
        self.assertEqual(sorted(rows), ["calls", "steps"])
        self.assertEqual([rows[name]["settings"]["model.hidden"] for name in sorted(rows)], [2, 2])
        (run,) = self.ask("runs", self.DATA / "swanlab/calls")["runs"]
        self.assertEqual(len(run["histories"]), 1, "logs/ and files/ are parts of it")

    def test_clearml(self) -> None:
        shutil.copytree(self.DATA / "clearml", self.folder / "offline")
        (archive,) = (self.folder / "offline/archived").glob("*.zip")
        shutil.copyfile(archive, self.folder / "offline" / archive.name)  # beside the folder that it is a copy of
        runs = self.ask("runs", self.folder / "offline")["runs"]
        self.assertEqual([each["name"] for each in runs], ["train a", "train a"], "the folder, and the archive that lies alone")
        self.assertEqual(self.rows(self.folder / "offline")["train a"]["settings"]["General.lr"], 0.25)
        for run in runs:
            loss = self.metrics(run["path"])["loss/train"]
            self.assertEqual((loss["steps"], loss["values"][1]), ([10 * i for i in range(20)], 0.5))
            self.assertEqual(self.metrics(run["path"])["Summary/final"]["steps_from"], "count")
        data = archive.read_bytes()
        (self.folder / archive.name).write_bytes(data[: len(data) // 2])
        answer = self.ask("history", self.folder / archive.name)
        self.assertTrue(answer["warnings"], "a truncated archive is named")

    def test_comet(self) -> None:
        (archive,) = (self.DATA / "comet").glob("*.zip")
        for name in (archive.name, "0" * 32 + ".zip"):
            shutil.copyfile(archive, self.folder / name)
        (self.folder / ("1" * 32 + ".zip")).write_bytes(b"PK")  # of another program
        runs = self.ask("runs", self.folder)["runs"]
        self.assertEqual([each["name"] for each in runs], ["train a", "train a"])
        for run in runs:
            metrics = self.metrics(run["path"])
            self.assertEqual(metrics["val_loss"]["steps"], [0, 50, 100, 150])
            self.assertEqual(metrics["unplaced"]["steps_from"], "count")
        floats(self.folder / "beside/step-100.safetensors", w=[1])
        floats(self.folder / "beside/step-150.safetensors", w=[2])
        shutil.copyfile(archive, self.folder / "beside" / archive.name)
        runs = {each["id"]: each for each in self.ask("runs", self.folder)["runs"]}
        self.assertEqual([each["metrics"] for each in runs["beside"]["checkpoints"]], [{"val_loss": 2 / 11}, {"val_loss": 2 / 16}])
        self.assertEqual(len(runs), 3, "beside checkpoints it is not a run")

    def test_trackers_that_are_not_read_are_named(self) -> None:
        (self.folder / ".aim/meta").mkdir(parents=True)
        for verb, notices in (("runs", "notices"), ("history", "warnings")):
            found = [each for each in self.ask(verb, self.folder)[notices] if each["code"] == "unsupported"]
            self.assertEqual(len(found), 1, (verb, found))
        self.assertIn("reindex", self.run_cli("runs", self.folder).errors + self.run_cli("runs", self.folder).text)

    def test_offline_runs_of_neptune(self) -> None:
        offline = self.folder / ".neptune/offline"
        for name in ("run__a", "run__b"):
            shutil.copytree(self.DATA / "neptune/run__abc", offline / name)
        runs = self.ask("runs", self.folder)["runs"]
        self.assertEqual([(run["id"], run["name"]) for run in runs], [(f".neptune/offline/{name}", "train a") for name in ("run__a", "run__b")])
        self.assertEqual(self.metrics(runs[0]["path"])["train/loss"]["steps"], [10 * i for i in range(8)])
        self.assertEqual(self.metrics(runs[0]["path"])["val/acc"]["steps_from"], "count")
        shutil.rmtree(offline / "run__b")
        for step in (30, 70):
            floats(self.folder / f"step-{step}.safetensors", w=[step])
        (run,) = self.ask("runs", self.folder)["runs"]
        self.assertEqual([Path(each["path"]).name for each in run["histories"]], ["run__a"])
        self.assertEqual(run["undecided_metric"], "val/acc", "Neptune's own count is not the step")

    def test_logs_beside_checkpoints_are_of_their_run(self) -> None:
        for source in ("dvclive/live/dvclive", "ray_tune/trial_plain/result.json", "stable_baselines3/ppo/evaluations.npz"):
            run = self.folder / source.split("/")[0]
            run.mkdir()
            floats(run / "step-1.safetensors", w=[1])
            kept = self.DATA / source
            (shutil.copytree if kept.is_dir() else shutil.copyfile)(kept, run / kept.name)
        answer = self.ask("runs", self.folder)["runs"]
        self.assertEqual([each["id"] for each in answer], ["dvclive", "ray_tune", "stable_baselines3"])
        self.assertEqual([len(each["histories"]) for each in answer], [1, 1, 1])

    def test_logs_of_a_run_are_not_another_run_whatever_the_folder_is_called(self) -> None:
        for name in ("a", "b"):
            (self.folder / "checkpoints" / name).mkdir(parents=True)
            floats(self.folder / "checkpoints" / name / "step-1.safetensors", w=[1])
            (self.folder / "logs" / name).mkdir(parents=True)
            (self.folder / "logs" / name / "metrics.csv").write_text("step,loss\n1,0.5\n2,0.25\n")
        for named in (self.folder, "."):
            runs = self.ask("runs", named)["runs"]
            self.assertEqual([run["id"] for run in runs], ["checkpoints/a", "checkpoints/b"], named)
            self.assertEqual([run["histories"][0]["path"] for run in runs],
                             [os.path.join(named, "logs", name, "metrics.csv") for name in ("a", "b")])

    def test_segments_of_one_wandb_run(self) -> None:
        kept = next((self.DATA / "wandb").rglob("*.wandb"))
        for segment in ("offline-run-20260101_000000-abc", "offline-run-20260102_000000-abc", "offline-run-20260102_000000-def"):
            (self.folder / "wandb" / segment).mkdir(parents=True)
            shutil.copyfile(kept, self.folder / "wandb" / segment / f"run-{segment[-3:]}.wandb")
        runs = self.ask("runs", self.folder)["runs"]
        self.assertEqual(len(runs), 2)
        segments = sorted(len(self.ask("runs", self.folder)["runs"][i]["histories"]) for i in range(2))
        self.assertEqual(segments, [1, 2])

    def test_checkpoints_in_a_folder_of_the_run_s_id(self) -> None:
        """A sweep: each run has its folder of checkpoints, named by the id that W&B gave it."""
        kept = next((self.DATA / "wandb").rglob("*.wandb"))
        for number in ("1", "2"):
            segment = self.folder / f"wandb/offline-run-2026010{number}_000000-sweep{number}"
            segment.mkdir(parents=True)
            shutil.copyfile(kept, segment / f"run-sweep{number}.wandb")
            (self.folder / f"checkpoints/sweep{number}").mkdir(parents=True)
            floats(self.folder / f"checkpoints/sweep{number}/step-5.safetensors", w=[1])
        runs = self.ask("runs", self.folder)["runs"]
        self.assertEqual([run["id"] for run in runs], ["checkpoints/sweep1", "checkpoints/sweep2"])
        self.assertEqual([Path(run["histories"][0]["path"]).name for run in runs], ["run-sweep1.wandb", "run-sweep2.wandb"])
        (self.folder / "checkpoints/sweep2").rename(self.folder / "checkpoints/other")
        self.assertEqual(len(self.ask("runs", self.folder)["runs"]), 3, "another name is no evidence")

    def test_a_run_whose_newest_checkpoint_has_a_damaged_file(self) -> None:
        for step in (1, 2):
            folder = self.folder / f"checkpoint-{step}"
            folder.mkdir()
            floats(folder / "model.safetensors", w=[step])
            (folder / "config.json").write_text("{}")
            (folder / "trainer_state.json").write_text(json.dumps({"global_step": step, "log_history": []}))
            for file in (*folder.iterdir(), folder):
                os.utime(file, (1_700_000_000 + step, 1_700_000_000 + step))
        self.assertEqual(self.run_cli("check", self.folder).code, 0)
        file = self.folder / "checkpoint-2/model.safetensors"
        data = bytearray(file.read_bytes())
        data[10] = 0xFF
        file.write_bytes(data)
        os.utime(file, (1_700_000_002, 1_700_000_002))
        states = [each["state"] for each in self.ask("runs", self.folder)["runs"][0]["checkpoints"]]
        self.assertEqual(states, ["complete", "damaged"])
        self.assertEqual(self.run_cli("check", self.folder).code, 1)
        self.assertEqual(self.run_cli("consolidate", self.folder, "--output", self.folder / "out.safetensors").code, 3)


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

    def report(self, *arguments: object, code: int = 0) -> tuple[str, str]:
        """One HTML file that needs nothing else, and Markdown."""
        page_file, markdown = self.folder / "out.html", self.folder / "out.md"
        done = self.run_cli(*arguments, "--html", page_file, "--markdown", markdown)
        self.assertEqual(done.code, code, done.said())
        page = page_file.read_text()
        parser = Page()
        parser.feed(page)
        parser.close()
        self.assertEqual(parser.open, [], "every element is closed")
        self.assertFalse({"script", "link", "img", "iframe", "object"} & parser.seen)
        self.assertFalse([each for each in parser.attributes if each[0] in ("href", "src") or each[0].startswith("on")])
        self.assertNotIn("url(", page)
        self.assertEqual(self.run_cli(*arguments, "--html", page_file).code, 4, "nothing is overwritten")
        self.assertEqual(page_file.read_text(), page)
        printed = self.run_cli(*arguments, "--markdown", "-")
        self.assertEqual((printed.code, printed.text), (code, markdown.read_text()))
        page_file.unlink()
        text = markdown.read_text()
        markdown.unlink()
        return page, text

    def test_reports_of_comparisons(self) -> None:
        runs = sorted(self.root.iterdir())
        hostile = self.root / "a <b> & | \x1b[31m"
        runs[2].rename(hostile)
        runs[2] = hostile
        for chosen in (runs[:2], runs):
            answer = self.ask("compare", *chosen)
            page, markdown = self.report("compare", *chosen)
            self.assertIn(answer["summary"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), page)
            self.assertEqual(page.count("<svg "), len([each for each in ("eval_loss", "weird")]))
            self.assertIn("| eval_loss | A lr0.01-seed1 | 0.5 at 1 | 0.75 at 2 | 3 |", markdown)
            self.assertIn("optimizer.lr", markdown)
            self.assertNotIn("\x1b", page + markdown)
        self.assertIn("a &lt;b&gt; &amp;", page)

    def test_a_report_of_the_table(self) -> None:
        page, markdown = self.report("runs", self.root, "--sort", "eval_loss")
        self.assertIn("the best one by eval_loss is lr0.01-seed1 with 0.5", page.replace("\\", ""))
        rows = [line for line in markdown.splitlines() if line.startswith("| lr")]
        self.assertEqual([row.split("|")[1].strip() for row in rows], ["lr0.01-seed1", "lr0.1-seed1", "lr0.1-seed2"])
        self.assertEqual(page.count("<tr>"), 4)

    def test_a_report_of_health(self) -> None:
        path = self.folder / "nan.safetensors"
        floats(path, w=[1, float("nan")], b=[2, 3])
        self.assertEqual(self.ask("check", path, code=1)["verdict"], "damaged")
        page, markdown = self.report("check", path, code=1)
        self.assertIn('<p class="bad">damaged</p>', page)
        self.assertIn("| error | non-finite |", markdown)


class Page(html.parser.HTMLParser):
    """Which elements a page has, and whether they are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attributes
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attributes

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (self.open, tag)
        self.open.pop()


if __name__ == "__main__":
    unittest.main()
