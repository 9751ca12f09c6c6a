#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden histories of this folder with the real writers; run with the environment of tests/interop.

    generate_text.py [FOLDER]
"""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent


def trainer_state(root):
    """Three checkpoints of one run; the newest was resumed without the first one's log, and one loss is NaN."""
    from transformers.trainer_callback import TrainerState

    def row(step):
        return {"loss": 2.0 / step if step != 30 else float("nan"), "grad_norm": float("inf") if step == 30 else 0.5,
                "learning_rate": 1e-3 * (60 - step) / 60, "epoch": step / 20, "step": step}

    rows = [row(step) for step in range(10, 70, 10)]
    evaluation = {"eval_loss": 0.125, "eval_accuracy": 0.75, "eval_runtime": 0.5, "epoch": 2.0, "step": 40}
    states = {20: rows[:2], 40: rows[:4] + [evaluation], 60: rows[2:4] + [evaluation] + rows[4:]}
    for step, log in states.items():
        folder = root / f"checkpoint-{step}"
        folder.mkdir(parents=True)
        state = TrainerState(epoch=step / 20, global_step=step, max_steps=60, num_train_epochs=3, logging_steps=10,
                             log_history=log)
        if step >= 40:
            state.best_metric = 0.125
            state.best_global_step = 40
            state.best_model_checkpoint = "out/checkpoint-40"
        state.save_to_json(str(folder / "trainer_state.json"))


def csv_lightning(root):
    """Rows of training and validation apart, a column that comes later, NaN and infinity; settings with Python objects."""
    import argparse

    from lightning.pytorch.loggers import CSVLogger

    logger = CSVLogger(root, name="lightning_logs", version=0, flush_logs_every_n_steps=2)
    logger.log_hyperparams({"lr": 1e-3, "sizes": (1, 2), "name": "tiny", "optimizer": {"betas": [0.9, 0.999], "fused": None},
                            "args": argparse.Namespace(seed=7), "path": pathlib.PurePosixPath("/data/x"), "flag": True})
    for step in range(0, 60, 10):
        loss = {20: float("nan"), 30: float("inf")}.get(step, 2.0 / (step + 1))
        logger.log_metrics({"train_loss": loss, "epoch": step // 20}, step)
        if step % 20 == 10:
            logger.log_metrics({"val_loss": 3.0 / step, "epoch": step // 20}, step)
            logger.save()
    logger.log_metrics({"val,\"acc\"": 0.5, "epoch": 3}, 60)
    logger.save()


def keras_run(root):
    """CSVLogger twice into one file, as a run that was started again, and the history as JSON."""
    import os

    os.environ["KERAS_BACKEND"] = "torch"
    import keras
    import numpy

    keras.utils.set_random_seed(1)
    x = numpy.linspace(-1, 1, 64, dtype="float32").reshape(32, 2)
    model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.05), "mse", metrics=["mae"])
    root.mkdir(parents=True)
    for _ in range(2):
        history = model.fit(x, x[:, :1] * 2 + 1, epochs=3, validation_split=0.25, verbose=0,
                            callbacks=[keras.callbacks.CSVLogger(str(root / "training.log"), append=True)])
    with open(root / "history.json", "w") as out:
        json.dump({name: [float(value) for value in values] for name, values in history.history.items()}, out)


def jsonl(root):
    """What loops write by hand: one object a line, nested metrics, text, NaN, keys that come later, a restart."""
    root.mkdir(parents=True)
    with open(root / "metrics.jsonl", "w") as out:
        for step in [1, 2, 3, 4, 3, 4, 5]:
            row = {"step": step, "loss": 4.0 / step if step != 2 else float("nan"), "lr": 1e-4, "phase": "train",
                   "tokens": 2**63 + step, "_timestamp": 1.7e9 + step / 4}
            if step >= 4:
                row["eval"] = {"loss": 0.1 * step, "by_task": {"a": step}}
            if step == 5:
                row["grad_norm"] = float("-inf")
            out.write(json.dumps(row) + "\n")


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for make in (trainer_state, csv_lightning, keras_run, jsonl):
        folder = root / make.__name__
        shutil.rmtree(folder, ignore_errors=True)
        make(folder)
        print(folder)


if __name__ == "__main__":
    main()
