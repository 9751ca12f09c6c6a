#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden histories of this folder with the real writers; run with the environment of tests/interop.

    generate_text.py [FOLDER]
"""
import argparse
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


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for make in (trainer_state,):
        folder = root / make.__name__
        shutil.rmtree(folder, ignore_errors=True)
        make(folder)
        print(folder)


if __name__ == "__main__":
    main()
