# SPDX-License-Identifier: Apache-2.0
"""`runs` on folders written by real trainers: order, best, latest, links, pointers, states.

The expected best checkpoint, metric and value are those of the trainer's own objects; steps are those in the files.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy
import torch

import histories_binary
import training_runs
from support import ask, driver, files_under, run

NAMES = ("name", "step", "best", "latest", "link_to")


def asked(path: Path, *options: str) -> dict:
    return ask("runs", path, *options)


def only(path: Path) -> dict:
    runs = asked(path)["runs"]
    assert len(runs) == 1, [each["id"] for each in runs]
    return runs[0]


def named(listed: dict, name: str) -> dict:
    return next(each for each in listed["checkpoints"] if each["name"] == name)


def marked(listed: dict, mark: str) -> list[str]:
    return [each["name"] for each in listed["checkpoints"] if each[mark]]


def saved_step(file: Path) -> int:
    return torch.load(file, weights_only=False, map_location="cpu")["global_step"]


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="cairn-runs-")
        cls.root = Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def assertJudged(self, listed: dict, told: training_runs.Trained) -> None:
        self.assertEqual(marked(listed, "best"), [told.best])
        self.assertEqual(listed["best"]["from"], "record")
        self.assertEqual(listed["best"]["metric"], told.metric)
        self.assertEqual(listed["best"]["value"], told.value)

    def test_trainer_by_loss(self) -> None:
        told = training_runs.hugging_face(self.root / "hf" / "by_loss", "loss", False)
        listed = only(told.path)
        steps = [each["step"] for each in listed["checkpoints"]]
        states = [json.loads((told.path / f"checkpoint-{step}" / "trainer_state.json").read_text()) for step in steps]
        self.assertEqual(steps, [2, 4, 6, 8, 10])
        self.assertEqual(steps, [state["global_step"] for state in states])
        self.assertEqual([each["epoch"] for each in listed["checkpoints"]], [state["epoch"] for state in states])
        self.assertTrue(all(each["step_from"] == "values" for each in listed["checkpoints"]))
        self.assertEqual(marked(listed, "latest"), ["checkpoint-10"])
        self.assertNotEqual(told.best, "checkpoint-10", "the case shall tell the best from the last")
        self.assertJudged(listed, told)
        rows = {row["step"]: row["eval_loss"] for row in states[-1]["log_history"] if "eval_loss" in row}
        for each in listed["checkpoints"]:
            self.assertEqual(each["metrics"]["eval_loss"], rows[each["step"]])
        self.assertTrue(all(each["state"] == "complete" for each in listed["checkpoints"]), listed)
        # A second call uses the cache and gives the same result; nothing was written next to the run.
        self.assertEqual(only(told.path), listed)
        self.assertFalse([name for name in files_under(told.path) if "cairn" in name or name.endswith(".index")])
        # save_total_limit: the recorded checkpoint may have been removed.
        shutil.rmtree(told.path / told.best)
        left = only(told.path)
        self.assertEqual((left["best"]["from"], left["best"]["metric"]), ("history", "eval_loss"))
        del rows[6]
        self.assertEqual(marked(left, "best"), [f"checkpoint-{min(rows, key=rows.get)}"])

    def test_trainer_by_accuracy(self) -> None:
        told = training_runs.hugging_face(self.root / "hf_accuracy", "accuracy", True)
        self.assertJudged(only(told.path), told)
        # Without the trainer's record the loss curve decides; without that there is no best.
        losses = {}
        for state_file in told.path.glob("checkpoint-*/trainer_state.json"):
            state = json.loads(state_file.read_text())
            losses |= {row["step"]: row["eval_loss"] for row in state["log_history"] if "eval_loss" in row}
            state["best_model_checkpoint"] = None
            state_file.write_text(json.dumps(state))
        listed = only(told.path)
        self.assertEqual(listed["best"]["from"], "history")
        self.assertEqual(listed["best"]["metric"], "eval_loss")
        self.assertEqual(listed["best"]["value"], min(losses.values()))
        self.assertFalse(listed["best"]["larger_is_better"])
        self.assertTrue(listed["best"]["source"].endswith("trainer_state.json"), listed["best"])
        self.assertEqual(marked(listed, "best"), [f"checkpoint-{min(losses, key=losses.get)}"])

    def test_lightning_last_is_a_copy(self) -> None:
        told = training_runs.lightning_run(self.root / "lightning_copy", True)
        listed = only(self.root / "lightning_copy")
        self.assertEqual(listed["id"], "lightning_logs/version_0")
        self.assertJudged(listed, told)
        for each in listed["checkpoints"]:
            if not each["link_to"]:
                self.assertEqual(each["step"], saved_step(Path(each["path"])))
                self.assertEqual(each["step_from"], "values")
        self.assertEqual([each["step"] for each in listed["checkpoints"]], [4, 8, 12, 16, 16])
        self.assertEqual(named(listed, "last.ckpt")["step"], 16)
        self.assertEqual(len(marked(listed, "latest")), 1)

    def test_lightning_last_is_a_link(self) -> None:
        told = training_runs.lightning_run(self.root / "lightning_link", "link")
        listed = only(self.root / "lightning_link")
        self.assertJudged(listed, told)
        self.assertEqual([each["name"] for each in listed["checkpoints"]],
                         ["epoch=0-step=4.ckpt", "epoch=1-step=8.ckpt", "epoch=2-step=12.ckpt", "epoch=3-step=16.ckpt", "last.ckpt"])
        self.assertEqual(named(listed, "last.ckpt")["link_to"], "epoch=3-step=16.ckpt")
        self.assertEqual(marked(listed, "latest"), ["epoch=3-step=16.ckpt"])

    def test_lightning_with_a_batch_an_epoch(self) -> None:
        """Its loggers count each batch one less than its checkpoints: the next row would be that of the next epoch."""
        for batches, optimizers in ((1, 1), (1, 2), (3, 1), (3, 2)):
            folder = self.root / f"lightning_{batches}_{optimizers}"
            truth = training_runs.lightning_short_epochs(folder, batches, optimizers)
            listed = only(folder)
            found = {each["epoch"]: each["metrics"]["val_loss"] for each in listed["checkpoints"]}
            self.assertEqual(sorted(found), sorted(truth))
            for epoch, value in found.items():
                self.assertAlmostEqual(value, truth[epoch], 6, listed["rows_because"])

    def test_dcp_steps_with_a_link(self) -> None:
        folder = self.root / "dcp"
        training_runs.dcp_steps(folder, ["step-900", "step-1000", "step-10000"])
        (folder / "latest").symlink_to("step-10000")
        listed = only(folder)
        self.assertEqual([each["name"] for each in listed["checkpoints"]], ["step-900", "step-1000", "step-10000", "latest"])
        self.assertEqual(named(listed, "latest")["link_to"], "step-10000")
        self.assertEqual(marked(listed, "latest"), ["step-10000"])
        self.assertTrue(all(each["state"] == "complete" for each in listed["checkpoints"][:3]), listed)
        self.assertTrue(all(each["format"] == "dcp" for each in listed["checkpoints"]), listed)

    def test_megatron_pointer(self) -> None:
        folder = self.root / "megatron"
        training_runs.dcp_steps(folder, ["iter_0000500", "iter_0001000"])
        (folder / "latest_checkpointed_iteration.txt").write_text("500")
        listed = only(folder)
        self.assertEqual([each["step"] for each in listed["checkpoints"]], [500, 1000])
        self.assertEqual(named(listed, "iter_0000500")["pointed_by"], ["latest_checkpointed_iteration.txt"])
        self.assertEqual(named(listed, "iter_0001000")["pointed_by"], [])
        (folder / "latest_checkpointed_iteration.txt").write_text("2000")
        answer = asked(folder)
        self.assertTrue(any("pointer" in notice["message"].lower() for notice in answer["notices"]), answer["notices"])

    def test_deepspeed_pointer(self) -> None:
        folder = self.root / "deepspeed"
        training_runs.deepspeed_like(folder)
        listed = only(folder)
        self.assertEqual([each["step"] for each in listed["checkpoints"]], [10, 20])
        self.assertEqual(listed["checkpoints"][1]["pointed_by"], ["latest"])
        self.assertEqual(marked(listed, "latest"), [listed["checkpoints"][1]["name"]])

    def test_plain_loop(self) -> None:
        folder = self.root / "loop"
        training_runs.plain_loop(folder, [3.0, 1.5, 2.0, 1.5])
        listed = only(folder)
        epochs = [each for each in listed["checkpoints"] if each["name"].startswith("checkpoint_epoch_")]
        self.assertEqual([each["epoch"] for each in epochs], [0, 1, 2, 3])
        self.assertEqual([each["step"] for each in epochs], [10, 20, 30, 40])
        self.assertEqual([each["metrics"]["val_loss"] for each in epochs], [3.0, 1.5, 2.0, 1.5])
        self.assertEqual(listed["best"]["metric"], "val_loss")
        self.assertEqual(listed["best"]["value"], 1.5)
        self.assertEqual(listed["best"]["from"], "name", "the loop's own choice: of two the last")
        self.assertEqual(marked(listed, "best"), ["best.pt"])
        (folder / "best.pt").unlink()
        listed = only(folder)
        self.assertEqual(listed["best"]["from"], "history")
        self.assertEqual(listed["best"]["value"], 1.5)
        self.assertEqual([named(listed, name)["step"] for name in marked(listed, "best")], [20], "of two the first")
        self.assertEqual([named(listed, name)["step"] for name in marked(listed, "latest")], [40])

    def test_states(self) -> None:
        folder = self.root / "states"
        training_runs.dcp_steps(folder / "dcp", ["step-1", "step-2", "step-3", "step-4"])
        shard = next((folder / "dcp" / "step-2").glob("*.distcp"))
        shard.unlink()
        (folder / "dcp" / "step-3" / ".metadata").unlink()
        (folder / "dcp" / "step-4" / ".metadata").unlink()
        for name in ("step-1", "step-2", "step-3"):
            training_runs.age(folder / "dcp" / name)
        training_runs.plain_loop(folder / "files", [3.0, 2.0, 1.0])
        for name, old in (("checkpoint_epoch_0.pt", True), ("checkpoint_epoch_1.pt", False)):
            file = folder / "files" / name
            with open(file, "r+b") as stream:
                stream.truncate(file.stat().st_size // 2)
            if old:
                training_runs.age(file)
        shutil.copy(folder / "files" / "last.pt", folder / "files" / "checkpoint_epoch_3.pt.tmp")
        answer = asked(folder)
        found = {each["name"]: each for listed in answer["runs"] for each in listed["checkpoints"]}
        states = {name: each["state"] for name, each in found.items()}
        self.assertEqual(states["step-1"], "complete")
        self.assertEqual(states["step-2"], "incomplete")
        self.assertIn(shard.name, found["step-2"]["reason"])
        self.assertEqual(states["step-3"], "incomplete")
        self.assertEqual(states["step-4"], "being-written")
        self.assertEqual(states["checkpoint_epoch_0.pt"], "damaged")
        self.assertEqual(states["checkpoint_epoch_1.pt"], "being-written")
        self.assertEqual(states["checkpoint_epoch_3.pt.tmp"], "being-written")
        for name in ("step-2", "step-3", "step-4", "checkpoint_epoch_0.pt", "checkpoint_epoch_1.pt", "checkpoint_epoch_3.pt.tmp"):
            self.assertTrue(found[name]["reason"], name)
        latest = [each["name"] for each in found.values() if each["latest"]]
        self.assertEqual(len(latest), 2)
        self.assertIn("step-1", latest, "the others are not whole")

    def headline(self, path: Path) -> tuple[dict, dict]:
        document = run("info", path, "--json").json
        self.assertEqual(sorted(document["headline"]), sorted(document["headline_from"]))
        return document["headline"], document["headline_from"]

    def why(self, folder: Path, checkpoint: Path | str) -> dict[str, dict]:
        answer = run("runs", folder, "--why", checkpoint, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return {each["question"]: each for each in answer.json["chain"]}

    def test_headline_is_at_the_step(self) -> None:
        told = training_runs.hugging_face(self.root / "hf" / "headline", "loss", False)
        for step in (2, 6, 10):
            file = told.path / f"checkpoint-{step}" / "trainer_state.json"
            log = json.loads(file.read_text())["log_history"]
            numbers, places = self.headline(file.parent)
            for name in ("loss", "eval_loss", "learning_rate"):
                rows = [at for at, row in enumerate(log) if name in row and row["step"] <= step]
                if not rows:
                    continue
                self.assertEqual(numbers[name], log[rows[-1]][name], (step, name))
                if log[rows[-1]]["step"] == step:
                    self.assertEqual((places[name]["file"], places[name]["row"], places[name]["step"]), (str(file), rows[-1], step))
            self.assertNotIn("best_metric", numbers)

    def test_headline_of_a_loop(self) -> None:
        folder = self.root / "headline_loop"
        training_runs.plain_loop(folder, [3.0, 1.5, 2.0])
        for epoch, loss in enumerate([3.0, 1.5, 2.0]):
            numbers, places = self.headline(folder / f"checkpoint_epoch_{epoch}.pt")
            self.assertEqual(numbers["val_loss"], loss)
            self.assertEqual((places["val_loss"]["field"], places["val_loss"]["step"]), ("val_loss", 10 * (epoch + 1)))

    def test_a_log_from_one_and_checkpoints_from_zero(self) -> None:
        """As Ultralytics writes them: results.csv has epoch + 1, best.pt and last.pt have the epoch and their own metrics."""
        folder = self.root / "yolo"
        (folder / "weights").mkdir(parents=True)
        losses = [2 - 0.05 * epoch if epoch < 10 else 1.5 + 0.05 * (epoch - 10) for epoch in range(20)]
        rows = "".join(f"{epoch + 1},{10 * epoch},{loss:.6g}\n" for epoch, loss in enumerate(losses))
        (folder / "results.csv").write_text("epoch,time,val/box_loss\n" + rows)
        for name, epoch in (("best", 11), ("last", 19)):
            values = {"epoch": epoch, "model": {"w": torch.ones(3)}}
            torch.save({**values, "train_metrics": {"val/box_loss": losses[epoch]}}, folder / f"weights/{name}.pt")
        listed = only(folder)
        self.assertEqual([each["metrics"]["val/box_loss"] for each in listed["checkpoints"]], [losses[11], losses[19]])
        self.assertEqual({each["id"] for each in listed["rows_because"]}, {"values-equal"})
        for name, epoch in (("best", 11), ("last", 19)):  # without the proof there is no value
            torch.save({"epoch": epoch, "model": {"w": torch.ones(3)}}, folder / f"weights/{name}.pt")
        listed = only(folder)
        self.assertEqual([each["metrics"] for each in listed["checkpoints"]], [{}, {}])
        self.assertEqual(listed["undecided_metric"], "val/box_loss")

    def test_numbers_of_saves(self) -> None:
        """As accelerate's automatic names: the fourth save after 40 steps of the optimizer."""
        folder = self.root / "saves"
        layer = torch.nn.Linear(4, 1)
        optimizer = torch.optim.AdamW(layer.parameters())
        for step in range(40):
            layer(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            if step % 10 == 9:
                save = folder / f"checkpoint_{step // 10}.pt"
                save.parent.mkdir(exist_ok=True)
                torch.save({"model": layer.state_dict(), "optimizer": optimizer.state_dict()}, save)
        (folder / "metrics.csv").write_text("step,eval_loss\n" + "".join(f"{step},{40 - step}\n" for step in range(40)))
        listed = only(folder)
        self.assertEqual([each["step"] for each in listed["checkpoints"]], [None] * 4)
        self.assertEqual({each["id"] for each in listed["checkpoints"][3]["against"]}, {"optimizer-count", "step-in-name"})
        self.assertEqual(marked(listed, "latest"), ["checkpoint_3.pt"])
        self.assertIsNone(listed["best"])

    def test_why(self) -> None:
        told = training_runs.hugging_face(self.root / "hf" / "why", "loss", False)
        chain = self.why(told.path, told.path / told.best)
        self.assertEqual(list(chain), ["what is its step", "is it complete", "which metric decides", "what do the rows count", "what is its value", "why best",
                                       "why not latest"])
        self.assertIn("record", chain["why best"]["answer"])
        self.assertIn("eval_loss", chain["which metric decides"]["answer"])
        self.assertIn("checkpoint-10", self.why(told.path, "checkpoint-10")["why latest"]["from"] + self.why(told.path, "checkpoint-10")["is it complete"]["from"])
        loop = self.root / "why_loop"
        training_runs.plain_loop(loop, [3.0, 1.5, 2.0])
        self.assertIn("best.pt", self.why(loop, "best.pt")["why best"]["answer"])
        (loop / "best.pt").unlink()
        (best,) = marked(only(loop), "best")
        chain = self.why(loop, best)
        self.assertIn("lowest val_loss", chain["why best"]["answer"])
        self.assertIn("1.5", chain["what is its value"]["answer"])
        self.assertIn(best, chain["what is its value"]["from"])
        nothing = self.root / "why_nothing"
        training_runs.dcp_steps(nothing, ["step-1", "step-2"])
        self.assertIn("no record", self.why(nothing, "step-1")["why not best"]["answer"])
        (nothing / "best").symlink_to("step-1")
        self.assertIn("name", self.why(nothing, nothing / "step-1")["why best"]["answer"])
        self.assertEqual(run("runs", nothing, "--why", "step-7").code, 3)

    def opens_the_latest(self, folder: Path, others: int) -> dict:
        """Every verb that reads a checkpoint opens the one that `runs` marks as latest, and reports that."""
        latest = [each["path"] for listed in asked(folder)["runs"] for each in listed["checkpoints"] if each["latest"]]
        document = run("info", folder, "--json").json
        self.assertEqual([document["path"]], latest)
        self.assertEqual(document["chosen_from"], {"path": str(folder), "checkpoints": others + 1})
        notice = document["notices"][0]["message"]
        self.assertIn(Path(latest[0]).name, notice)
        self.assertIn(str(others + 1), notice)
        listed = {each["name"]: each["sha256"] for each in run("hash", latest[0], "--json").json["tensors"]}
        for verb in ("ls", "tree", "stats", "check", "placement"):
            self.assertLess(run(verb, folder, "--json").code, 2, verb)
        self.assertEqual({each["name"]: each["sha256"] for each in run("hash", folder, "--json").json["tensors"]}, listed)
        self.assertEqual(run("diff", folder, latest[0]).code, 0)
        return document

    def test_a_folder_of_loose_files(self) -> None:
        folder = self.root / "loose"
        training_runs.plain_loop(folder, [3.0, 1.5, 2.0])
        os.remove(folder / "last.pt")
        self.opens_the_latest(folder, 3)
        out = self.root / "loose.safetensors"
        answer = run("consolidate", folder, "-o", out, "--only", "weights", "--json")
        self.assertEqual((answer.code, answer.json["verified"]), (0, True), answer.said())

    def test_a_trainers_output(self) -> None:
        told = training_runs.hugging_face(self.root / "hf" / "output", "loss", False)
        self.opens_the_latest(told.path, 4)
        shutil.copy(told.path / "checkpoint-10" / "config.json", told.path)
        shutil.copy(told.path / "checkpoint-10" / "model.safetensors", told.path)
        listed = only(told.path)
        self.assertEqual(marked(listed, "latest"), ["checkpoint-10"])
        self.assertTrue(named(listed, told.path.name)["is_export"])
        document = run("info", told.path, "--json").json
        self.assertEqual(document["path"], str(told.path))
        self.assertIn("checkpoint-8", json.dumps(document["notices"]))

    def test_a_data_set_beside_a_model(self) -> None:
        folder = self.root / "data"
        folder.mkdir()
        torch.save(torch.nn.Linear(4, 4).state_dict(), folder / "model.pth")
        for name, keys in (("train.pkl", "data labels"), ("cifar.pkl", "images targets")):
            (folder / name).write_bytes(pickle.dumps({key: numpy.zeros((4, 3)) for key in keys.split()}))
        os.utime(folder / "model.pth", (1_000_000_000, 1_000_000_000))
        self.assertEqual(run("info", folder, "--json").json["path"], str(folder / "model.pth"))
        self.assertEqual(marked(only(folder), "latest"), ["model.pth"])

    def test_keras_saves(self) -> None:
        os.environ.setdefault("KERAS_BACKEND", "torch")
        import keras
        folder = self.root / "keras"
        folder.mkdir()
        model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        x = numpy.arange(64.0).reshape(16, 4) / 64
        model.fit(x, x.sum(1, keepdims=True), validation_split=0.25, epochs=3, verbose=0,
                  callbacks=[keras.callbacks.ModelCheckpoint(str(folder / "model.{epoch:02d}-{val_loss:.4f}.keras")),
                             keras.callbacks.ModelCheckpoint(str(folder / "best.weights.h5"), save_weights_only=True, save_best_only=True)])
        self.opens_the_latest(folder, 3)

    def test_several_runs_are_named(self) -> None:
        folder = self.root / "several"
        for name in ("a", "b"):
            training_runs.plain_loop(folder / name, [2.0, 1.0])
        answer = run("info", folder)
        self.assertEqual(answer.code, 2, answer.said())
        for name in ("a/", "b/"):
            self.assertIn(name, answer.errors)

    def test_nothing_complete_is_said(self) -> None:
        folder = self.root / "broken"
        training_runs.dcp_steps(folder, ["step-1", "step-2"])
        for name in ("step-1", "step-2"):
            next((folder / name).glob("*.distcp")).unlink()
            training_runs.age(folder / name)
        answer = run("ls", folder)
        self.assertEqual(answer.code, 3, answer.said())
        self.assertIn("step-1 (incomplete)", answer.errors)

    def test_an_unreadable_folder_is_said(self) -> None:
        folder = self.root / "closed"
        training_runs.dcp_steps(folder, ["step-1", "step-2"])
        self.root.chmod(0o755)
        os.chmod(folder / "step-2", 0)
        self.addCleanup(os.chmod, folder / "step-2", 0o755)
        document = driver.run_as_nobody("info", folder, "--json").json
        self.assertTrue(document["path"].endswith("step-1"))
        self.assertIn("step-2", json.dumps(document["notices"]))

    def test_logs_alone_are_runs(self) -> None:
        folder = self.root / "logs_alone"
        histories_binary.write_mlflow(f"file://{folder}/mlruns", 2)
        histories_binary.tensorboard_torch(folder / "tb" / "first")
        histories_binary.wandb_plain(folder / "wb")
        listed = asked(folder)["runs"]
        self.assertTrue(all(each["checkpoints"] == [] and each["histories"] for each in listed), listed)
        stores = [each for each in listed if "mlruns" in each["id"]]
        self.assertEqual(len(stores), 2)
        for each in stores:
            self.assertEqual(each["name"], (Path(each["path"]) / "tags" / "mlflow.runName").read_text())
            self.assertTrue(run("history", each["path"], "--json").json["metrics"])
        self.assertEqual([each["name"] for each in listed if "wb" in each["id"]], ["plain"])
        answer = run("compare", stores[0]["path"], stores[1]["path"], "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(answer.json["metrics"])

    def test_its_own_cache_is_no_checkpoint(self) -> None:
        folder = self.root / "loop_and_cache"
        training_runs.plain_loop(folder / "run", [2.0, 1.0])
        before, os.environ["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"], str(folder / "cache")
        try:
            asked(folder)
            self.assertEqual([each["id"] for each in asked(folder)["runs"]], ["run"])
        finally:
            os.environ["XDG_CACHE_HOME"] = before

    def test_an_experiment_of_all(self) -> None:
        """Runs in neighbouring folders are not mixed."""
        folder = self.root / "all"
        training_runs.plain_loop(folder / "team" / "loop", [2.0, 1.0])
        training_runs.lightning_run(folder / "team" / "lightning", "link", top=1)
        training_runs.dcp_steps(folder / "dcp", ["step-1"])
        listed = {each["id"]: each for each in asked(folder)["runs"]}
        self.assertEqual(sorted(listed), ["dcp", "team/lightning/lightning_logs/version_0", "team/loop"])
        self.assertEqual(len(listed["dcp"]["histories"]), 0)
        self.assertEqual({Path(each["path"]).name for each in listed["team/lightning/lightning_logs/version_0"]["histories"]}
                         & {"metrics.csv"}, {"metrics.csv"})
        quick = asked(folder, "--quick")
        self.assertEqual([each["id"] for each in quick["runs"]], [each["id"] for each in asked(folder)["runs"]])


if __name__ == "__main__":
    unittest.main()
