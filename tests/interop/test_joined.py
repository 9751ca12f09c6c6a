# SPDX-License-Identifier: Apache-2.0
"""The joined curve of a training's files, and its consequences: scores, the best checkpoint, the winner of a comparison.

CAIRN_JOINED_RUNS and CAIRN_JOINED_SEED set the number of random runs and the seed.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import time
import unittest
from pathlib import Path

import joined_runs
import training_runs
from support import run, temporary


class Joined(unittest.TestCase):
    def setUp(self) -> None:
        folder = temporary()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def test_random_runs(self) -> None:
        runs = self.root / "runs"
        joined_runs.make(runs, int(os.environ.get("CAIRN_JOINED_RUNS", "50")), int(os.environ.get("CAIRN_JOINED_SEED", "1")))
        listed = {each["name"]: each for each in run("runs", runs, "--json").json["runs"]}
        again = {each["name"]: each for each in run("runs", runs, "--json").json["runs"]}
        self.assertEqual(listed, again, "what the cache gives back")
        undecided = 0
        for folder in sorted(runs.iterdir()):
            files = joined_runs.written(folder)
            curves = {metric: joined_runs.joined(files, metric) for metric in ("loss", "eval_loss")}
            self.assertCurves(folder, {metric: curve for metric, curve in curves.items() if curve[0]})
            saved = joined_runs.saved_steps(folder)
            judge = next((metric for metric in ("eval_loss", "loss") if curves[metric][0]), None)
            if saved and judge:
                undecided += self.scores(listed[folder.name], judge, joined_runs.scores(*curves[judge][:2], saved))
        self.assertLess(undecided, len(listed) / 3)  # rows that were logged again may be of other weights

    def assertCurves(self, folder: Path, wanted: dict) -> None:
        metrics = run("history", folder, "--json").json["metrics"]
        for name, (steps, values, replaced) in wanted.items():
            shown = metrics[name]
            self.assertEqual((shown["steps"], shown["values"]), (steps, values), (folder, name))
            gone = set(zip(shown["replaced"]["steps"], shown["replaced"]["values"]))
            self.assertLessEqual(replaced, gone, (folder, name))
            self.assertEqual(shown["others"], [], (folder, name))

    def scores(self, listed: dict, metric: str, wanted: dict[int, float]) -> bool:
        """Whether it is undecided what the rows count; then no checkpoint has a value, and none is the best."""
        shown = {each["step"]: each["metrics"][metric] for each in listed["checkpoints"] if metric in each["metrics"]}
        if not shown and wanted and listed["undecided_metric"] == metric:
            self.assertIsNone(listed["best"], listed["name"])
            return True
        self.assertEqual(shown, wanted, (listed["name"], metric))
        best = [each["step"] for each in listed["checkpoints"] if each["best"]]
        expected = joined_runs.best(wanted)
        self.assertEqual(best, [] if expected is None else [expected], listed["name"])
        return False


class Frameworks(unittest.TestCase):
    """Runs that were stopped and continued by the frameworks themselves."""

    def setUp(self) -> None:
        folder = temporary()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def metrics(self, folder: Path) -> dict:
        return run("history", folder, "--json").json["metrics"]

    def assertJoined(self, shown: dict, files: list[list[dict]], metric: str) -> None:
        steps, values, replaced = joined_runs.joined(files, metric)
        self.assertEqual((shown["steps"], shown["values"]), (steps, values), metric)
        self.assertLessEqual(replaced, set(zip(shown["replaced"]["steps"], shown["replaced"]["values"])), metric)
        self.assertTrue(shown["restarts"] and shown["replaced"]["steps"], "the run was to go back")

    def test_trainer(self) -> None:
        """Resumed from a checkpoint that is not the last, with another learning rate; and the differences between two runs."""
        train = training_runs.trainer_of
        train(self.root / "a", 1e-2, 12).train()
        resumed = train(self.root / "a", 3e-3, 10, seed=5)
        resumed.train(resume_from_checkpoint=str(self.root / "a" / "checkpoint-4"))
        files = joined_runs.written(self.root / "a")
        metrics = self.metrics(self.root / "a")
        for metric in ("loss", "eval_loss", "eval_accuracy"):
            self.assertJoined(metrics[metric], files, metric)
        train(self.root / "b", 3e-3, 12).train()
        train(self.root / "c", 1e-2, 12).train()
        config = run("compare", self.root / "b", self.root / "c", "--json", "--ignore", "{output_dir,logging_dir,run_name}").json["config"]
        self.assertEqual({each["key"]: (each["left"], each["right"]) for each in config["different"]}, {"learning_rate": (3e-3, 1e-2)})
        self.assertEqual(config["different"][0]["left_sources"], ["checkpoint-12/training_args"])
        self.assertEqual((config["only_left"], config["only_right"]), ([], []))

    def test_trainer_told_that_less_is_better(self) -> None:
        """For an unknown metric, and for one whose known direction is different."""
        for word, greater in (("zork", False), ("accuracy", False)):
            trainer = training_runs.trainer_of(self.root / word, 1e-2, 8, metric=word, greater=greater)
            trainer.train()
            best = Path(trainer.state.best_model_checkpoint)
            rows = {row["step"]: row[f"eval_{word}"] for row in trainer.state.log_history if f"eval_{word}" in row}
            self.assertEqual(trainer.state.best_metric, min(rows.values()))
            shutil.rmtree(best)  # the recorded checkpoint is missing: the scores decide, in the Trainer's direction
            left = {step: rows[step] for step in joined_runs.saved_steps(self.root / word)}
            listed = run("runs", self.root / word, "--json").json["runs"][0]
            marked = [each["step"] for each in listed["checkpoints"] if each["best"]]
            self.assertEqual(marked, [joined_runs.best(left)], word)

    def test_lightning(self) -> None:
        import lightning
        from lightning.pytorch.callbacks import ModelCheckpoint
        from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        from lightning_runs import loader, module_of

        def fit(epochs: int, resume=None) -> None:
            keep = ModelCheckpoint(dirpath=self.root / "checkpoints", monitor="val_loss", save_top_k=-1)
            loggers = [CSVLogger(self.root / "csv"), TensorBoardLogger(self.root / "tb", name="lightning_logs")]
            trainer = lightning.Trainer(max_epochs=epochs, accelerator="cpu", logger=loggers, log_every_n_steps=1, callbacks=[keep],
                                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
            trainer.fit(module_of(), loader(), loader(), ckpt_path=resume)

        fit(3)
        fit(5, next((self.root / "checkpoints").glob("*step=8.ckpt")))
        versions = [self.root / "csv" / "lightning_logs" / f"version_{version}" for version in (0, 1)]
        files = [joined_runs.rows_of(version / "metrics.csv") for version in versions]
        for metric in ("train_loss", "val_loss"):
            self.assertJoined(self.metrics(self.root / "csv")[metric], files, metric)
        files = []
        for version in (0, 1):
            events = EventAccumulator(str(self.root / "tb" / "lightning_logs" / f"version_{version}")).Reload()
            files.append([{"step": each.step, "train_loss": each.value} for each in events.Scalars("train_loss")])
        self.assertJoined(self.metrics(self.root / "tb")["train_loss"], files, "train_loss")

    def test_tensorboard(self) -> None:
        """A writer with purge_step: TensorBoard's own reader is the reference."""
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
        from torch.utils.tensorboard import SummaryWriter

        for purge, steps in ((None, range(10)), (6, range(6, 9)), (3, range(4, 6))):
            with SummaryWriter(self.root, purge_step=purge) as writer:
                for step in steps:
                    writer.add_scalar("loss", step + (purge or 0) / 8, step)
                    if purge is None:
                        writer.add_scalar("early", -step, step)
            time.sleep(1.1)  # names of event files count seconds
        metrics = self.metrics(self.root)
        kept = EventAccumulator(str(self.root)).Reload()
        for name in ("loss", "early"):
            told = [(each.step, each.value) for each in kept.Scalars(name)]
            self.assertEqual([*zip(metrics[name]["steps"], metrics[name]["values"])], told, name)
            written = 15 if name == "loss" else 10
            self.assertEqual(len(told) + len(metrics[name]["replaced"]["steps"]), written, name)

    def test_wandb(self) -> None:
        """Segments of one id; a separate x axis; a table is not a metric; a goal is a direction."""
        import wandb

        os.environ |= {"WANDB_MODE": "offline", "WANDB_SILENT": "true"}
        files = []
        for steps, factor in ((range(10), 1.0), (range(6, 15), 2.0)):
            segment = wandb.init(project="p", id="abc", resume="allow", dir=str(self.root), config={"lr": 0.1})
            segment.define_metric("global_step")
            segment.define_metric("*", step_metric="global_step", step_sync=True)
            segment.define_metric("zork", step_metric="global_step", goal="maximize")
            segment.define_metric("blip", step_metric="global_step", summary="min")
            files.append([{"step": 10 * step, "zork": factor / (step + 1), "blip": factor * step} for step in steps])
            for row in files[-1]:
                segment.log({"global_step": row["step"], "zork": row["zork"], "blip": row["blip"],
                             "rows": wandb.Table(columns=["a"], data=[[1]])})
            segment.finish()
            time.sleep(1.1)  # names of folders count seconds
        document = run("history", self.root, "--json").json
        for metric in ("zork", "blip"):
            self.assertJoined(document["metrics"][metric], files, metric)
        self.assertIs(document["metrics"]["zork"]["larger_is_better"], True)
        self.assertIs(document["metrics"]["blip"]["larger_is_better"], False)
        self.assertFalse([name for name in document["metrics"] if name.startswith("rows")])

    def test_keras(self) -> None:
        os.environ["KERAS_BACKEND"] = "torch"
        import keras
        import numpy

        x = numpy.random.default_rng(0).normal(size=(40, 3)).astype("float32")
        for rate in (0.03, 0.3):
            folder = self.root / str(rate)
            folder.mkdir()
            keras.utils.set_random_seed(1)
            model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
            model.compile(keras.optimizers.Adam(rate), "mse", metrics=["mae"])
            for first, last in ((0, 5), (3, 8)):
                log = keras.callbacks.CSVLogger(str(folder / "log.csv"), append=first > 0)
                save = keras.callbacks.ModelCheckpoint(str(folder / "m.{epoch:02d}.keras"))
                model.fit(x, x[:, :1], epochs=last, initial_epoch=first, validation_split=0.25, verbose=0, callbacks=[log, save])
            rows = [{**row, "step": row["epoch"]} for row in joined_runs.rows_of(folder / "log.csv")]
            shown = self.metrics(folder)["val_loss"]
            self.assertJoined(shown, [rows], "val_loss")
            self.assertEqual((shown["steps_from"], shown["epochs"]), ("epoch", shown["steps"]))
        config = run("compare", self.root / "0.03", self.root / "0.3", "--json").json["config"]
        self.assertEqual([each["key"] for each in config["different"]], ["optimizer.learning_rate"])

    def test_lightning_with_two_optimizers(self) -> None:
        """Lightning counts the steps of both, its loggers count batches: resumed in a new folder it is one run, and each checkpoint
        has the value of its epoch."""
        import lightning
        import torch
        from lightning.pytorch.callbacks import ModelCheckpoint
        from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger

        from lightning_runs import loader

        class Gan(lightning.LightningModule):
            def __init__(self) -> None:
                super().__init__()
                self.parts = torch.nn.ModuleList(torch.nn.Linear(9, 1) for _ in range(2))
                self.automatic_optimization = False

            def training_step(self, batch, _):
                for optimizer, part, name in zip(self.optimizers(), self.parts, ("g_loss", "d_loss")):
                    loss = part(batch.float()).square().mean()
                    optimizer.zero_grad()
                    self.manual_backward(loss)
                    optimizer.step()
                    self.log(name, loss)

            def validation_step(self, batch, _):
                self.log("val_loss", float((5, 3, 1, 2, 4, 6)[self.current_epoch]))

            def configure_optimizers(self):
                return [torch.optim.SGD(part.parameters(), lr=1e-5) for part in self.parts], []

        def fit(root: Path, logger, epochs: int, resume=None) -> Path:
            keep = ModelCheckpoint(save_top_k=-1)
            trainer = lightning.Trainer(max_epochs=epochs, accelerator="cpu", logger=logger(root), log_every_n_steps=1, callbacks=[keep],
                                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
            trainer.fit(Gan(), loader(), loader(), ckpt_path=resume)
            return max(Path(keep.dirpath).glob("*.ckpt"), key=lambda path: path.stat().st_mtime_ns)

        for name, logger in (("csv", CSVLogger), ("tb", TensorBoardLogger)):
            root = self.root / name
            fit(root, logger, 6, fit(root, logger, 3))
            listed = run("runs", root, "--json").json["runs"]
            self.assertEqual(len(listed), 1, [each["path"] for each in listed])
            self.assertEqual([each["step"] for each in listed[0]["checkpoints"]], [8, 16, 24, 32, 40, 48], name)
            self.assertEqual([each["metrics"].get("val_loss") for each in listed[0]["checkpoints"]], [5, 3, 1, 2, 4, 6], name)
            self.assertEqual([each["step"] for each in listed[0]["checkpoints"] if each["best"]], [24], name)

    def test_lightning_folders(self) -> None:
        """A training that was resumed in a new folder is one run; a second training, and a branch from an older save, are not."""
        import lightning
        from lightning.pytorch.callbacks import ModelCheckpoint
        from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger

        from lightning_runs import loader, module_of

        def fit(root: Path, logger, epochs: int, resume=None) -> list[Path]:
            keep = ModelCheckpoint(save_top_k=-1)
            trainer = lightning.Trainer(max_epochs=epochs, accelerator="cpu", logger=logger(root), log_every_n_steps=1, callbacks=[keep],
                                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
            trainer.fit(module_of(), loader(), loader(), ckpt_path=resume)
            return sorted(Path(keep.dirpath).glob("*.ckpt"))

        for name, logger in (("csv", CSVLogger), ("tb", TensorBoardLogger)):
            resumed, anew, branch = (self.root / name / kind for kind in ("resumed", "anew", "branch"))
            fit(resumed, logger, 5, fit(resumed, logger, 3)[-1])
            fit(anew, logger, 3), fit(anew, logger, 3)
            fit(branch, logger, 5, fit(branch, logger, 3)[1])
            runs = {each["path"]: each for each in run("runs", self.root / name, "--json").json["runs"]}
            found = runs[str(resumed / "lightning_logs/version_0")]
            self.assertEqual([each["step"] for each in found["checkpoints"]], [4, 8, 12, 16, 20], name)
            self.assertEqual([(each["path"], each["because"][0]["strength"]) for each in found["resumed_in"]],
                             [(str(resumed / "lightning_logs/version_1"), "recorded")])
            self.assertEqual(sum("resumed" in path for path in runs), 1)
            self.assertEqual([sum(kind in path for path in runs) for kind in ("anew", "branch")], [2, 2], name)
            files = [[(row["step"], row["val_loss"]) for row in joined_runs.rows_of(resumed / f"lightning_logs/version_{version}/metrics.csv")
                      if "val_loss" in row] for version in (0, 1)] if name == "csv" else []
            values = [value for rows in files for _, value in rows]
            if values:
                self.assertEqual([each["metrics"]["val_loss"] for each in found["checkpoints"]], values)


class Directions(unittest.TestCase):
    # Where the library contradicts the metric's definition, or itself.
    DOUBTED = {"DaviesBouldinScore", "PerceptualPathLength", "SpectralDistortionIndex", "WordInfoPreserved"}

    def test_torchmetrics(self) -> None:
        """`higher_is_better` of every class: the program's table agrees or has no entry."""
        import torchmetrics

        told = {}
        for module in pkgutil.walk_packages(torchmetrics.__path__, "torchmetrics."):
            try:
                content = vars(importlib.import_module(module.name))
            except Exception:  # an extra that is not installed
                continue
            for name, kind in content.items():
                if isinstance(kind, type) and issubclass(kind, torchmetrics.Metric) and kind.higher_is_better in (True, False):
                    told[name] = kind.higher_is_better
        with temporary() as folder:
            path = Path(folder)
            (path / "metrics.csv").write_text(",".join(["step", *told]) + "\n" + ",".join("1" for _ in range(len(told) + 1)) + "\n")
            shown = {name: each["larger_is_better"] for name, each in run("history", path, "--json").json["metrics"].items()}
        wrong = {name: shown[name] for name in told if shown[name] is not None and shown[name] != told[name]}
        self.assertEqual(set(wrong) - self.DOUBTED, set())
        known = [name for name in told if shown[name] is not None]
        self.assertGreater(len(known), 0.8 * len(told), sorted(set(told) - set(known)))


if __name__ == "__main__":
    unittest.main()
