# SPDX-License-Identifier: Apache-2.0
"""Trains with TensorFlow, saves, has cairn-cli write the checkpoint again, and continues from both; run by test_tensorflow.py.

    build/venv-tf/bin/python tests/interop/tensorflow_restored.py FOLDER CAIRN_CLI

Prints one JSON object: {case: [losses after TensorFlow's checkpoint, losses after Cairn's]}.
"""
import json
import os
import pathlib
import subprocess
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402

rng = np.random.default_rng(5)
X, Y = rng.normal(size=[32, 6]).astype(np.float32), rng.normal(size=[32, 3]).astype(np.float32)


def layers(lib, dtype="float32"):
    return [lib.layers.Input((6,)), lib.layers.Dense(8, activation="relu", dtype=dtype), lib.layers.BatchNormalization(dtype=dtype),
            lib.layers.Dense(3, dtype=dtype)]


def keras_objects(lib, optimizer, dtype="float32"):
    def make():
        lib.utils.set_random_seed(3)
        model = lib.Sequential(layers(lib, dtype))
        model.compile(optimizer=optimizer(), loss="mse")
        return {"model": model, "optimizer": model.optimizer, "note": tf.Variable("text"), "epoch": tf.Variable(7, dtype=tf.int64)}
    def train(objects, steps):
        return [float(objects["model"].train_on_batch(X, Y)) for _ in range(steps)]
    return make, train


def plain_objects():
    """Variables and momentum of a loop of one's own, in nested containers."""
    class Loop(tf.Module):
        def __init__(self):
            super().__init__()
            generator = tf.random.Generator.from_seed(1)
            self.parts = {"w/1": tf.Variable(generator.normal([6, 3])), "b.2": tf.Variable(tf.zeros([3]))}
            self.momentum = [tf.Variable(tf.zeros([6, 3])), tf.Variable(tf.zeros([3]))]
            self.noise = tf.random.Generator.from_seed(9)
            self.table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 0.0)
            self.dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, -2, -3)
    def train(objects, steps):
        loop, losses = objects["loop"], []
        for _ in range(steps):
            with tf.GradientTape() as tape:
                out = X @ loop.parts["w/1"] + loop.parts["b.2"] + 0.01 * loop.noise.normal([32, 3])
                loss = tf.reduce_mean((out - Y) ** 2)
            variables = [loop.parts["w/1"], loop.parts["b.2"]]
            for variable, momentum, gradient in zip(variables, loop.momentum, tape.gradient(loss, variables)):
                momentum.assign(0.9 * momentum + gradient)
                variable.assign_sub(0.1 * momentum)
            loop.table.insert(tf.constant([f"seen {float(loop.table.size()):.0f}"]), tf.constant([float(loss)]))
            loop.dense.insert([loop.dense.size()], [7])
            losses.append(float(loss))
        losses.append([int(loop.table.size()), int(loop.dense.size()), float(tf.reduce_sum(loop.table.export()[1]))])
        return losses
    return (lambda: {"loop": Loop()}), train


CASES = {
    "adam": keras_objects(keras, lambda: keras.optimizers.Adam(0.01)),
    "sgd_momentum": keras_objects(keras, lambda: keras.optimizers.SGD(0.05, momentum=0.9)),
    "adafactor": keras_objects(keras, lambda: keras.optimizers.Adafactor(0.01)),
    "lion": keras_objects(keras, lambda: keras.optimizers.Lion(0.01)),
    "mixed_bfloat16": keras_objects(keras, lambda: keras.optimizers.AdamW(0.01), "mixed_bfloat16"),
    "keras2_adam": keras_objects(tf_keras, lambda: tf_keras.optimizers.Adam(0.01)),
    "keras2_legacy": keras_objects(tf_keras, lambda: tf_keras.optimizers.legacy.Adam(0.01)),
    "loop": plain_objects(),
}


def continued(make, train, prefix):
    objects = make()
    if "model" in objects:
        train(objects, 1)  # makes the variables of the optimizer
    tf.train.Checkpoint(**objects).restore(str(prefix)).assert_existing_objects_matched().assert_consumed()
    return train(objects, 3)


def main():
    root, cli = pathlib.Path(sys.argv[1]), sys.argv[2]
    results = {}
    for name, (make, train) in CASES.items():
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        objects = make()
        train(objects, 4)
        prefix = tf.train.Checkpoint(**objects).save(str(folder / "ckpt"))
        written = folder / "written"
        verb = ["consolidate", prefix, "--only", "all", "--to", "tensorflow"] if name == "loop" else ["convert", prefix, "--for", "tensorflow"]
        subprocess.run([cli, *verb, "-o", written], check=True, stdout=subprocess.DEVNULL)
        results[name] = [continued(make, train, prefix), continued(make, train, tf.train.latest_checkpoint(str(written)))]
        if name == "adam":  # the weights alone restore the model
            weights = folder / "weights"
            subprocess.run([cli, "consolidate", prefix, "--to", "tensorflow", "-o", weights], check=True, stdout=subprocess.DEVNULL)
            model = make()["model"]
            before = objects["model"].get_weights()
            tf.train.Checkpoint(model=model).restore(tf.train.latest_checkpoint(str(weights))).expect_partial()
            full = make()["model"]
            tf.train.Checkpoint(model=full).restore(prefix).expect_partial()
            results["weights"] = [[bool((a == b).all()) for a, b in zip(full.get_weights(), before)],
                                  [bool((a == b).all()) for a, b in zip(model.get_weights(), full.get_weights())]]
    print(json.dumps(results))


if __name__ == "__main__":
    main()
