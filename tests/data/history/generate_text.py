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
    """Separate rows of training and validation, a column that appears later, NaN and infinity; settings with Python objects."""
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
    """CSVLogger writing twice to one file, like a run that was restarted, and the history as JSON."""
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
    """JSON lines of hand-written loops: nested metrics, text, NaN, keys that appear later, a restart."""
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


def torchtitan_lines():
    """MetricsProcessor's own log() and log_validation(), without GPU and configuration: needs torchtitan 0.3.0
    unpacked on PYTHONPATH (pip download torchtitan==0.3.0 --no-deps); its other imports are replaced by stubs."""
    import io
    import logging
    import types
    from unittest import mock

    for name in ("torchtitan.components.optimizer", "torchtitan.config", "torchtitan.distributed"):
        sys.modules.setdefault(name, mock.MagicMock(Configurable=type("Configurable", (), {"Config": type("Config", (), {})})))
    from torchtitan.components import metrics
    from torchtitan.tools import utils

    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("[titan] %(asctime)s - %(name)s - %(levelname)s - %(message)s"))  # tools/logging.py
    handler.formatter.formatTime = lambda record, datefmt=None: f"2026-03-01 12:00:{len(out.getvalue().splitlines()):02},250"
    metrics.logger.addHandler(handler)
    metrics.logger.setLevel(logging.INFO)
    memory = metrics.DeviceMemStats(9.5, 11.9, 10.25, 12.87, 0, 0)
    one = metrics.MetricsProcessor.__new__(metrics.MetricsProcessor)
    vars(one).update(logger=mock.MagicMock(), parallel_dims=types.SimpleNamespace(non_data_parallel_size=1), color=utils.Color(),
                     config=types.SimpleNamespace(log_freq=10), device_memory_monitor=mock.MagicMock(get_peak_stats=lambda: memory),
                     gpu_peak_flops=1e15, num_flops_per_token=2e9, has_quantization=False, data_loading_times=[0.01])
    metrics.logger.info("Starting job: Llama 3 debug training")
    with mock.patch.object(metrics.time, "perf_counter", lambda: 100.0):
        for step in (1, 10, 20, 30):
            vars(one).update(time_last_log=99.0, ntokens_since_last_log=12345 * step, data_loading_times=[0.01],
                             has_quantization=step == 30)
            one.log(step, {10: float("nan"), 20: float("inf")}.get(step, 8.0 / step), 9.0, 1234.5 / step)
            if step % 20 == 0:
                vars(one).update(time_last_log=99.0, ntokens_since_last_log=4321)
                one.log_validation(0.75, step)
    return out.getvalue()


def megatron_lines():
    """The output of training_log() and evaluate_and_print_results() of Megatron-LM's megatron/training/training.py, with the same format strings."""
    lines = ["using world size: 2, data-parallel size: 2, tensor-model-parallel size: 1",
             "------------------------ arguments ------------------------", "  lr .............................. 0.0001"]
    for iteration in (10, 20, 30, 40):
        skipped = iteration == 30
        text = f" [2026-03-01 12:00:{iteration:02}.500000]"
        text += " iteration {:8d}/{:8d} |".format(iteration, 40)
        text += " consumed samples: {:12d} |".format(iteration * 32)
        text += " elapsed time per iteration (ms): {:.1f} |".format(123.45)
        text += f" throughput per GPU (TFLOP/s/GPU): {98.7:.1f} |"
        text += f" learning rate: {1e-4 * iteration:.6E} |"
        text += f" global batch size: {32:5d} |"
        if not skipped:
            text += " {}: {:.6E} |".format("lm loss", float("nan") if iteration == 20 else 103.6 / iteration)
        text += f" loss scale: {65536.0:.1f} |"
        if not skipped:
            text += f" grad norm: {float('inf') if iteration == 20 else 2.345:.3f} |"
        text += " number of skipped iterations: {:3d} |".format(skipped)
        text += " number of nan iterations: {:3d} |".format(iteration == 20)
        lines.append(text)
        if iteration == 20:
            lines.append("-" * 100)
            lines.append(" validation loss at iteration 20 | lm loss value: 5.180000E+00 | lm loss PPL: 1.776828E+02 | ")
    lines.append(" validation loss at iteration 40 on validation set | lm loss value: 2.590000E+00 | lm loss PPL: 1.332977E+01 | ")
    lines.append(" validation loss at iteration 40 on test set | lm loss value: 2.600000E+00 | lm loss PPL: 1.346374E+01 | ")
    return "\n".join(lines) + "\n"


def console(root):
    root.mkdir(parents=True)
    (root / "megatron.log").write_text(megatron_lines())
    (root / "torchtitan.log").write_text(torchtitan_lines())


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for make in (trainer_state, csv_lightning, keras_run, jsonl, console):
        folder = root / make.__name__
        shutil.rmtree(folder, ignore_errors=True)
        make(folder)
        print(folder)


if __name__ == "__main__":
    main()
