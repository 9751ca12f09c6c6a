# SPDX-License-Identifier: Apache-2.0
"""The TensorFlow run of the sample: `python tensorflow_run.py OUT` writes OUT/tiny-gru-tf.

`tf.train.CheckpointManager` keeps the last three of four TensorBundle checkpoints and its `checkpoint` state file; `tf.summary`
writes the curves of training and of validation. Needs the packages pinned in tests/interop/requirements-tensorflow.txt.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import tensorflow as tf

import sums

STEPS, EVERY, BATCH, EMBEDDING, UNITS = 240, 60, 32, 12, 20


def small_model() -> tf.keras.Model:
    return tf.keras.Sequential(
        [tf.keras.Input((sums.SEQUENCE - 1,), dtype="int32"), tf.keras.layers.Embedding(64, EMBEDDING, name="embed"),
         tf.keras.layers.GRU(UNITS, return_sequences=True, name="gru"), tf.keras.layers.Dense(64, name="head")], name="tiny_gru")


def run(out: Path) -> None:
    tf.keras.utils.set_random_seed(11)
    tf.config.experimental.enable_op_determinism()
    folder = out / "tiny-gru-tf"
    model, optimizer = small_model(), tf.keras.optimizers.Adam(1e-2)
    optimizer.build(model.trainable_variables)
    step = tf.Variable(0, dtype=tf.int64, name="step")
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step, model=model, optimizer=optimizer), str(folder), max_to_keep=3, step_counter=step)
    writers = {part: tf.summary.create_file_writer(str(folder / part)) for part in ("train", "validation")}
    data, held_out = tf.constant(sums.rows(2048, 5)), tf.constant(sums.rows(64, 6))

    @tf.function
    def train_step(batch):
        with tf.GradientTape() as tape:
            loss = loss_of(batch[:, 1:], model(batch[:, :-1], training=True))
        gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, norm

    for number in range(1, STEPS + 1):
        first = (number - 1) * BATCH % len(data)
        loss, norm = train_step(data[first : first + BATCH])
        step.assign_add(1)
        if number % 4 == 0:
            with writers["train"].as_default(step=number):
                tf.summary.scalar("loss", loss)
                tf.summary.scalar("grad_norm", norm)
        if number % 20 == 0:
            with writers["validation"].as_default(step=number):
                tf.summary.scalar("loss", loss_of(held_out[:, 1:], model(held_out[:, :-1])))
        if number % EVERY == 0:
            manager.save(checkpoint_number=number)
    for part, writer in writers.items():
        writer.close()
        for events in (folder / part).iterdir():  # the name contains the host name and the process number
            events.rename(events.with_name(f"events.out.tfevents.{events.name.split('.')[3]}.sample.v2"))


if __name__ == "__main__":
    run(Path(sys.argv[1]))
