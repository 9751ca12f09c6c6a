# SPDX-License-Identifier: Apache-2.0
"""Trains with Keras 3, saves, has cairn-cli convert the state, loads it and continues; run by test_resume_keras.py.

    build/venv-tf/bin/python tests/interop/resumed_keras.py FOLDER CAIRN_CLI [CASE…]

Each case goes from TensorFlow's checkpoint to Keras' file, back, and from Keras' file to Keras' file. Prints one JSON object:
{case: {way: "equal" or what is not}}. "Equal": the variables of model and optimizer bit for bit, and the next three losses.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0", KERAS_BACKEND="tensorflow")
import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import layers, optimizers  # noqa: E402

rng = np.random.default_rng(5)
X, Y = rng.normal(size=[32, 6]).astype(np.float32), rng.normal(size=[32, 3]).astype(np.float32)
WORDS = rng.integers(0, 11, size=[32, 6])


def dense():
    return keras.Sequential([layers.Input((6,)), layers.Dense(8, activation="relu"), layers.BatchNormalization(), layers.Dense(8),
                             layers.Dense(8), layers.Dense(3)])


def wide():
    """A shared layer, a nested model, a frozen layer whose variables have one shape, dropout, names of the user's own."""
    inputs = keras.Input((6,))
    shared = layers.Dense(6, name="shared")
    inner = keras.Sequential([layers.Input((6,)), layers.Dense(4), layers.BatchNormalization(name="norm.1"), layers.Dense(4)], name="inner")
    frozen = layers.BatchNormalization(name="frozen")
    frozen.trainable = False
    out = inner(layers.Dropout(0.2)(frozen(shared(shared(inputs)))))
    return keras.Model(inputs, layers.Dense(3)(out))


def sequence():
    words = keras.Input((6,), dtype="int64")
    x = layers.Embedding(11, 8)(words)
    x = x + layers.MultiHeadAttention(2, 4)(x, x)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x))
    x = layers.Conv1D(4, 3, padding="same")(x)
    x = layers.Bidirectional(layers.LSTM(3))(x) + layers.GRU(6)(x)
    return keras.Model(words, layers.Dense(3)(x))


class Custom(layers.Layer):
    """Variables of one shape, of which the second is not trained."""
    def build(self, shape):
        self.scale = self.add_weight(shape=(6,), initializer="ones", name="scale")
        self.seen = self.add_weight(shape=(6,), initializer="zeros", trainable=False, name="seen")
        self.shift = self.add_weight(shape=(6,), initializer="zeros", name="shift")
        self.empty = self.add_weight(shape=(0, 3), initializer="zeros", name="empty")
    def call(self, inputs):
        self.seen.assign(self.seen + tf.reduce_mean(inputs, axis=0))
        return inputs * self.scale + self.shift


class Blocks(keras.Model):
    """Subclassed: layers in a list, in a dict and in an attribute; a variable of its own."""
    def __init__(self):
        super().__init__()
        self.custom = Custom()
        self.blocks = [layers.Dense(6), layers.Dense(6)]
        self.heads = {"a": layers.Dense(3), "b": layers.Dense(3)}
        self.bias = self.add_weight(shape=(3,), initializer="zeros", name="own")
    def call(self, inputs):
        x = self.custom(inputs)
        for block in self.blocks:
            x = block(x) + x
        return self.heads["a"](x) - self.heads["b"](x) + self.bias


def blocks():
    model = Blocks()
    model(X)
    return model


def twins():
    """Two nested models whose layers have the same names."""
    inputs = keras.Input((6,))
    parts = [keras.Sequential([layers.Input((6,)), layers.Dense(4, name="same")], name=name) for name in ("left", "right")]
    return keras.Model(inputs, layers.Dense(3)(layers.Add()([part(inputs) for part in parts])))


class Pair(keras.Model):
    """Two models with an optimizer each, trained by the program's own step."""
    def __init__(self):
        super().__init__()
        self.maker = keras.Sequential([layers.Input((6,)), layers.Dense(6, name="made"), layers.Dense(6, name="out")], name="maker")
        self.judge = keras.Sequential([layers.Input((6,)), layers.Dense(3, name="judged")], name="judge")
        self.maker_optimizer = optimizers.Adam(0.01, name="maker_adam")
        self.judge_optimizer = optimizers.SGD(0.05, momentum=0.9, name="judge_sgd")
    def call(self, inputs):
        return self.judge(self.maker(inputs))


def part(norm, fixed):
    """A layer of which one of two parameters of one shape is not trained."""
    model = keras.Sequential([layers.Input((6,)), layers.Dense(8), norm(), layers.Dense(3)])
    getattr(model.layers[1], fixed).trainable = False
    return model


def multi():
    return optimizers.MultiOptimizer(optimizers.OptimizerMap(optimizers.SGD(0.05, momentum=0.9), {"dense.*": optimizers.Adam(0.01)}))


CASES = {
    "adam": (dense, lambda: optimizers.Adam(0.01)),
    "amsgrad": (dense, lambda: optimizers.Adam(0.01, amsgrad=True)),
    "adamw": (dense, lambda: optimizers.AdamW(0.01, weight_decay=0.1)),
    "nadam": (dense, lambda: optimizers.Nadam(0.01)),
    "adamax": (dense, lambda: optimizers.Adamax(0.01)),
    "sgd": (dense, lambda: optimizers.SGD(0.05)),
    "sgd_momentum": (dense, lambda: optimizers.SGD(0.05, momentum=0.9, nesterov=True)),
    "rmsprop": (dense, lambda: optimizers.RMSprop(0.01, momentum=0.5, centered=True)),
    "lion": (dense, lambda: optimizers.Lion(0.01)),
    "adafactor": (dense, lambda: optimizers.Adafactor(0.01)),
    "adagrad": (dense, lambda: optimizers.Adagrad(0.01)),
    "ftrl": (dense, lambda: optimizers.Ftrl(0.01)),
    "lamb": (dense, lambda: optimizers.Lamb(0.01)),
    "ema": (dense, lambda: optimizers.Adam(0.01, use_ema=True, ema_momentum=0.9)),
    "accumulated": (dense, lambda: optimizers.Adam(0.01, gradient_accumulation_steps=2)),
    "schedule": (dense, lambda: optimizers.Adam(optimizers.schedules.ExponentialDecay(0.01, 2, 0.5))),
    "mixed_float16": (dense, lambda: optimizers.Adam(0.01)),
    "mixed_bfloat16": (dense, lambda: optimizers.AdamW(0.01)),
    "bfloat16": (dense, lambda: optimizers.SGD(0.05, momentum=0.9)),
    "multi": (dense, multi),
    "wide": (wide, lambda: optimizers.Adam(0.01)),
    "sequence": (sequence, lambda: optimizers.AdamW(0.01)),
    "blocks": (blocks, lambda: optimizers.Adam(0.01)),
    "fixed_gamma": (lambda: part(layers.LayerNormalization, "gamma"), lambda: optimizers.Adam(0.01)),
    "fixed_beta": (lambda: part(layers.BatchNormalization, "beta"), lambda: optimizers.Adam(0.01)),
    "twins": (twins, lambda: optimizers.Adam(0.01)),
    "pair": (Pair, None),
}
POLICIES = ("mixed_float16", "mixed_bfloat16", "bfloat16")


class Run:
    """A program: always the same objects, as in a process of its own."""
    def __init__(self, name, seed):
        build, optimizer = CASES[name]
        keras.utils.clear_session()
        keras.utils.set_random_seed(seed)
        keras.config.set_dtype_policy(name if name in POLICIES else "float32")
        self.model = build()
        self.inputs = WORDS if name == "sequence" else X
        if optimizer is None:
            self.model(X)
            self.own = [(self.model.maker_optimizer, self.model.maker), (self.model.judge_optimizer, self.model.judge)]
        else:
            self.model.compile(optimizer(), "mse", metrics=["mae"], run_eagerly=True)
            self.own = []
        for each, part in self.own or [(self.model.optimizer, self.model)]:
            each.build(part.trainable_variables)
        keras.config.set_dtype_policy("float32")

    def train(self, steps):
        if not self.own:
            return [float(np.ravel(self.model.train_on_batch(self.inputs, Y, return_dict=False))[0]) for _ in range(steps)]
        losses = []
        for _ in range(steps):
            for optimizer, part in self.own:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((self.model(X) - Y) ** 2)
                optimizer.apply(tape.gradient(loss, part.trainable_variables), part.trainable_variables)
            losses.append(float(loss))
        return losses

    def variables(self):
        optimizer_variables = [each for optimizer, _ in self.own or [(self.model.optimizer, None)] for each in optimizer.variables]
        return [each for each in self.model.variables + optimizer_variables if "seed_generator" not in each.path]

    def checkpoint(self):
        own = {f"optimizer_{i}": optimizer for i, (optimizer, _) in enumerate(self.own)}
        return tf.train.Checkpoint(model=self.model, **(own or {"optimizer": self.model.optimizer}))

    def seeds(self):
        return [each for each in self.model.variables if "seed_generator" in each.path]


def compared(trained, state, losses, seeds, loaded):
    """Of `trained` as it was: its variables, the losses that followed, the state of its random generators."""
    found = loaded.variables()
    if [each.path for each in found] != [path for path, _, _ in state]:
        return "other variables"
    wrong = [path for (path, dtype, value), each in zip(state, found)
             if each.dtype != dtype or np.asarray(each).tobytes() != value]
    if wrong:
        return f"not equal: {wrong[:5]} of {len(wrong)}"
    for variable, value in zip(loaded.seeds(), seeds):  # neither of the two stores them
        variable.assign(value)
    again = loaded.train(3)
    return "equal" if again == losses else f"losses {again}, expected {losses}"


def convert(cli, *arguments):
    done = subprocess.run([cli, "convert", *map(str, arguments), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stderr.strip()[:400]}"
    return ""


def ways(folder, cli, name):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fresh = Run(name, 77)
    like_file, like_tf = folder / "like.weights.h5", None
    fresh.model.save_weights(like_file)
    like_tf = fresh.checkpoint().save(str(folder / "like/ckpt"))
    trained = Run(name, 3)
    trained.train(4)
    file, checkpoint = folder / "trained.weights.h5", trained.checkpoint().save(str(folder / "tf/ckpt"))
    trained.model.save_weights(file)
    state = [(each.path, each.dtype, np.asarray(each).tobytes()) for each in trained.variables()]
    seeds = [np.asarray(each) for each in trained.seeds()]
    losses = trained.train(3)

    def loaded_file(path):
        run = Run(name, 99)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run.model.load_weights(path)
        return run

    def loaded_tf(path):
        run = Run(name, 99)
        run.checkpoint().restore(tf.train.latest_checkpoint(str(path))).assert_existing_objects_matched()
        return run

    results = {}
    for way, source, options, load in (
            ("keras to keras", file, ["--for", "keras"], loaded_file),
            ("tensorflow to keras", checkpoint, ["--for", "keras", "--like", like_file], loaded_file),
            ("keras to tensorflow", file, ["--for", "tensorflow", "--like", like_tf], loaded_tf)):
        out = folder / (way.replace(" ", "-") + (".weights.h5" if way.endswith("keras") else ""))
        results[way] = convert(cli, source, *options, "-o", out, "--require", "resumable") or compared(trained, state, losses, seeds, load(out))
    # The output is a file like Keras' own: it relates the names as well.
    again = folder / "again"
    if results["tensorflow to keras"] == "equal":
        results["back"] = convert(cli, folder / "tensorflow-to-keras.weights.h5", "--for", "tensorflow", "--like", like_tf, "-o", again,
                                  "--require", "resumable") or compared(trained, state, losses, seeds, loaded_tf(again))
    if name == "adam":
        results["not built"] = not_built(folder, cli)
    return results


def not_built(folder, cli):
    """An optimizer without moments is half a state: Keras' file of it is refused where all must resume."""
    model = dense()
    model.compile(optimizers.Adam(0.01), "mse")
    file = folder / "unbuilt.weights.h5"
    model.save_weights(file)
    found = convert(cli, file, "--for", "keras", "-o", folder / "half.weights.h5", "--require", "resumable")
    return "equal" if found.startswith("exit 1") and "moments" in found else f"not refused: {found}"


def main():
    root, cli, names = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:] or list(CASES)
    results = {}
    for name in names:
        try:
            results[name] = ways(root / name, cli, name)
        except Exception as error:  # each case is reported
            results[name] = {"failed": f"{type(error).__name__}: {str(error)[:400]}"}
        print(name, results[name], file=sys.stderr)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
