# SPDX-License-Identifier: Apache-2.0
"""Compares `history` with the results of the writers' own readers for text files, value for value: transformers' TrainerState,
Lightning's CSVLogger, hparams.yaml and ModelCheckpoint, Keras' CSVLogger and History, JSON lines, and plain torch.save loops."""

from __future__ import annotations

import csv
import json
import math
import os
import struct
import unittest
from pathlib import Path

import support


def curves(path: Path, *more: object) -> dict:
    """The JSON of `history` with its non-finite numbers restored."""
    answer = support.run("history", path, "--json", *more)
    if answer.code != 0:
        raise AssertionError(answer.said())
    document = answer.json
    for metric in document["metrics"].values():
        for each in [metric, *metric["others"]]:
            for place, what in each.pop("nonfinite", {}).items():
                column, index = place.split(".")
                each[column][int(index)] = float(what)
    return document


def bits(numbers) -> list[bytes]:
    """As bytes, so that NaN equals NaN and -0 differs from 0."""
    return ["nan" if math.isnan(number) else struct.pack("<d", number) for number in map(float, numbers)]


def rows_as_curves(rows: list[dict], step: str) -> dict[str, tuple[list, list]]:
    """The columns of a table: steps and values of the non-empty cells."""
    result: dict[str, tuple[list, list]] = {}
    for row in rows:
        for name, value in row.items():
            if name != step and value not in ("", None):
                steps, values = result.setdefault(name, ([], []))
                steps.append(float(row[step]))
                values.append(float(value))
    return result


class Texts(unittest.TestCase):
    def setUp(self) -> None:
        holder = support.temporary()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def same(self, wanted: dict[str, tuple[list, list]], metrics: dict, kind: str) -> None:
        told = {name: each for name, metric in metrics.items() for each in [metric, *metric["others"]] if each["kind"] == kind}
        self.assertEqual(set(told), set(wanted))
        for name, (steps, values) in wanted.items():
            last = dict(zip(steps, values))  # for a step that was written again
            self.assertEqual(bits(told[name]["steps"]), bits(sorted(last)), name)
            self.assertEqual(bits(told[name]["values"]), bits(last[step] for step in sorted(last)), name)
            self.assertEqual(len(told[name]["replaced"]["steps"]), len(steps) - len(last), name)

    def test_trainer_state(self) -> None:
        from transformers.trainer_callback import TrainerState

        log = []
        for step in range(1, 200):
            value = [math.nan, math.inf, -math.inf, 5e-324, 1 / step, -0.0][step % 6]
            log.append({"loss": value, "grad_norm": value * 3, "learning_rate": 1e-4 / step, "epoch": step / 7, "step": step})
            if step % 50 == 0:
                log.append({"eval_loss": value, "eval_runtime": 0.25, "epoch": step / 7, "step": step})
        path = self.folder / "checkpoint-199" / "trainer_state.json"
        path.parent.mkdir()
        TrainerState(global_step=199, epoch=28.4, log_history=log, best_metric=math.nan).save_to_json(str(path))
        rows = TrainerState.load_from_json(str(path)).log_history
        document = curves(self.folder)
        wanted = rows_as_curves([{name: value for name, value in row.items() if name != "epoch"} for row in rows], "step")
        self.same(wanted, document["metrics"], "trainer_state")
        self.assertEqual(bits(document["metrics"]["loss"]["epochs"]), bits(row["epoch"] for row in rows if "loss" in row))
        self.assertNotIn("global_step", document["settings"]["checkpoint-199/trainer_state.json"], "a result is no setting")

    def test_lightning(self) -> None:
        """A real run: the logger's table, its settings, and ModelCheckpoint's state in the checkpoints."""
        import lightning
        import torch
        import yaml
        from lightning.pytorch.callbacks import ModelCheckpoint
        from lightning.pytorch.loggers import CSVLogger

        class Model(lightning.LightningModule):
            def __init__(self, lr: float = 0.05, sizes: tuple = (1, 2), note: str = "a: b", nested: dict | None = None) -> None:
                super().__init__()
                self.save_hyperparameters()
                self.net = torch.nn.Linear(3, 1)

            def training_step(self, batch, index):
                loss = self.net(batch[0]).square().mean()
                self.log("train_loss", loss)
                if self.current_epoch == 1:  # a column that appears later
                    self.log("late", loss * (math.nan if index == 1 else 2))
                return loss

            def validation_step(self, batch, index):
                self.log("val_loss", self.net(batch[0]).abs().mean())

            def configure_optimizers(self):
                return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)

        data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(12, 3)), batch_size=4)
        keep = ModelCheckpoint(monitor="val_loss", save_top_k=-1, filename="{epoch}-{step}")
        trainer = lightning.Trainer(max_epochs=3, accelerator="cpu", logger=CSVLogger(self.folder), log_every_n_steps=1,
                                    callbacks=[keep], enable_progress_bar=False, enable_model_summary=False)
        trainer.fit(Model(nested={"a": [1, None, True], "b": 1e-5}), data, data)
        run = self.folder / "lightning_logs" / "version_0"
        document = curves(run)
        with open(run / "metrics.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        wanted = rows_as_curves([{name: value for name, value in row.items() if name != "epoch"} for row in rows], "step")
        self.assertIn("late", wanted)
        self.same(wanted, document["metrics"], "csv")
        settings = yaml.unsafe_load((run / "hparams.yaml").read_text())
        self.assertEqual(document["settings"]["hparams.yaml"], json.loads(json.dumps(settings)))
        held = {}
        for path in (run / "checkpoints").glob("*.ckpt"):
            state = torch.load(path, weights_only=False)
            score = next(each["current_score"] for name, each in state["callbacks"].items() if name.startswith("ModelCheckpoint"))
            optimizer = state["optimizer_states"][0]
            held[state["global_step"]] = (score.item(), optimizer["param_groups"][0]["lr"], optimizer["state"][0]["step"].item())
        steps = sorted(held)
        metrics = document["metrics"]
        values = [each for each in metrics["val_loss"]["others"] if each["kind"] == "checkpoint_values"]
        self.assertEqual(len(values), 1, metrics["val_loss"])
        self.assertEqual(bits(values[0]["steps"]), bits(steps))
        self.assertEqual(bits(values[0]["values"]), bits(held[step][0] for step in steps))
        self.assertEqual(bits(metrics["lr"]["values"]), bits(held[step][1] for step in steps))
        self.assertEqual(bits(metrics["optimizer step"]["values"]), bits(held[step][2] for step in steps))

    def test_keras(self) -> None:
        os.environ["KERAS_BACKEND"] = "torch"
        import keras
        import numpy

        x = numpy.linspace(-1, 1, 60, dtype="float32").reshape(20, 3)
        model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(50.0), "mse", metrics=["mae"])  # it diverges: inf and nan
        table = self.folder / "training.log"
        history = model.fit(x, x[:, :1], epochs=60, validation_split=0.25, verbose=0,
                            callbacks=[keras.callbacks.CSVLogger(str(table), separator=";")]).history
        kept = {name: [float(value) for value in values] for name, values in history.items()}
        (self.folder / "history.json").write_text(json.dumps(kept))
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file, delimiter=";"))
        self.assertTrue(any(not math.isfinite(float(row["loss"])) for row in rows), "it was to diverge")
        self.same(rows_as_curves(rows, "epoch"), curves(table)["metrics"], "csv")
        read = json.loads((self.folder / "history.json").read_text())
        own = {name: (list(range(60)), values) for name, values in read.items()}
        self.same(own, curves(self.folder / "history.json")["metrics"], "keras_json")
        self.assertEqual([len(metric["others"]) for metric in curves(self.folder)["metrics"].values()], [0] * 4, "both are the same curves")

    def test_keras_scores(self) -> None:
        """Names count epochs from 1, the log from 0, the optimizer makes two steps per epoch: the scores are those of History."""
        os.environ["KERAS_BACKEND"] = "torch"
        import keras
        import numpy

        random = numpy.random.default_rng(0)
        x, y = random.normal(size=(40, 3)), random.normal(size=(40, 1))
        for name in ("model.{epoch:02d}-{val_loss:.4f}.keras", "model_epoch_{epoch:02d}.keras", "w.{epoch:02d}-{val_loss:.2f}.weights.h5"):
            folder = self.folder / name.partition("{")[0]
            folder.mkdir()
            keras.utils.set_random_seed(1)
            model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
            model.compile(keras.optimizers.Adam(0.3), "mse")
            save = keras.callbacks.ModelCheckpoint(str(folder / name), save_weights_only="weights" in name)
            told = model.fit(x, y, validation_split=0.5, batch_size=10, epochs=6, verbose=0,
                             callbacks=[save, keras.callbacks.CSVLogger(str(folder / "log.csv"))]).history["val_loss"]
            best = told.index(min(told))
            self.assertNotEqual(best, 5, "the last is kept anyway")
            run = support.run("runs", folder, "--json").json["runs"][0]
            files = sorted(each["name"] for each in run["checkpoints"])
            self.assertEqual({each["name"]: each["metrics"]["val_loss"] for each in run["checkpoints"]},
                             dict(zip(files, map(float, told))), name)
            self.assertEqual([each["name"] for each in run["checkpoints"] if each["best"]], [files[best]], name)
            plan = support.run("prune", folder, "--keep-last", 1, "--keep-best", 1, "--json").json
            self.assertEqual({Path(each["path"]).name for each in plan["keep"]}, {files[best], files[-1]}, name)

    def test_json_lines(self) -> None:
        path = self.folder / "metrics.jsonl"
        with open(path, "w") as out:
            for step in range(500):
                row = {"step": step % 400, "loss": 1 / (step + 1), "tokens": step * 10**17, "eval": {"acc": step / 3}, "text": "é\n\""}
                if step % 9 == 0:
                    row = {"step": step % 400, "odd": [math.nan, math.inf, -math.inf, 1e308 * 10, -0.0, 10**400 // 10**395][step % 6]}
                out.write(json.dumps(row) + "\n")
        rows = []
        for line in path.read_text().splitlines():
            row = json.loads(line)
            row.pop("text", None)
            if "eval" in row:
                row["eval.acc"] = row.pop("eval")["acc"]
            rows.append(row)
        document = curves(self.folder)
        self.same(rows_as_curves(rows, "step"), document["metrics"], "jsonl")
        self.assertEqual(document["metrics"]["loss"]["restarts"], [0])
        only = curves(self.folder, "--metric", "eval*")["metrics"]
        self.assertEqual(list(only), ["eval.acc"])

    def test_values_in_checkpoints(self) -> None:
        import torch

        for epoch in (1, 2, 10):
            weight = torch.nn.Parameter(torch.ones(2))
            optimizer = torch.optim.Adam([weight], lr=0.1 / epoch)
            for _ in range(epoch):
                weight.square().sum().backward()
                optimizer.step()
            torch.save({"epoch": epoch, "model": {"w": weight.detach()}, "optimizer": optimizer.state_dict(),
                        "loss": torch.tensor(1 / epoch), "best_accuracy": 0.5 + epoch / 100,
                        "metrics": {"val_f1": math.nan if epoch == 2 else epoch / 16}},
                       self.folder / f"checkpoint_epoch_{epoch}.pt")
        wanted: dict[str, tuple[list, list]] = {}
        for epoch in (1, 2, 10):
            state = torch.load(self.folder / f"checkpoint_epoch_{epoch}.pt")
            values = {"loss": state["loss"].item(), "best_accuracy": state["best_accuracy"], "val_f1": state["metrics"]["val_f1"],
                      "lr": state["optimizer"]["param_groups"][0]["lr"],
                      "optimizer step": state["optimizer"]["state"][0]["step"].item()}
            for name, value in values.items():
                steps, numbers = wanted.setdefault(name, ([], []))
                steps.append(epoch)
                numbers.append(value)
        self.same(wanted, curves(self.folder)["metrics"], "checkpoint_values")

    def test_damage_is_told_and_the_rest_is_read(self) -> None:
        (self.folder / "metrics.jsonl").write_text('{"step": 1, "loss": 2}\n{"st\n{"step": 2, "loss": 1}\n{"step": 3, "lo')
        (self.folder / "metrics.csv").write_bytes(b"step,acc\n1,0.5\n2,\"x\n3,0.75\n4,0.8")
        document = curves(self.folder)
        self.assertEqual(document["metrics"]["loss"]["values"], [2, 1])
        self.assertEqual(document["metrics"]["acc"]["values"], [0.5, 0.75])
        codes = sorted((Path(each["where"]["file"]).name, each["code"]) for each in document["warnings"])
        self.assertEqual(codes, [("metrics.csv", "history-bad-row"), ("metrics.csv", "truncated"),
                                 ("metrics.jsonl", "history-bad-row"), ("metrics.jsonl", "truncated")])


if __name__ == "__main__":
    unittest.main()
