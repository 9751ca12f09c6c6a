# SPDX-License-Identifier: Apache-2.0
"""Writes checkpoints with TensorFlow, and for each the result of its own reader; run by test_tensorflow.py.

    build/venv-tf/bin/python tests/interop/tensorflow_checkpoints.py FOLDER

<case>.json: {"path": what to open, "tensors": {name: [dtype, shape, sha256]}}.
"""
import importlib.util
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("goldens", HERE.parent / "data/tensorflow/generate.py")
goldens = importlib.util.module_from_spec(spec)
spec.loader.exec_module(goldens)
tf, np, v1 = goldens.tf, goldens.np, goldens.v1


def three_shards(folder):
    return goldens.merged_shards(folder, 3, keep_parts=folder / "unmerged")


def slots_by_name(folder):
    """The names of TF 1: Adam's slots next to their variables, averages, a step."""
    def build(session):
        w = v1.get_variable("dense/kernel", shape=[4, 3], initializer=v1.random_normal_initializer(seed=1))
        b = v1.get_variable("dense/bias", shape=[3])
        step = v1.train.create_global_step()
        average = tf.train.ExponentialMovingAverage(0.9)
        with tf.control_dependencies([v1.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w) + tf.reduce_sum(b), global_step=step)]):
            train = average.apply([w, b])
        session.run(v1.global_variables_initializer())
        for _ in range(17):
            session.run(train)
        v1.train.Saver().save(session, str(folder / "model.ckpt"), global_step=step)
    goldens.graph_of(build)
    return folder / "model.ckpt-17"


def objects(folder):
    """Containers, names that need escapes, a generator, hash tables, several optimizers."""
    class Thing(tf.Module):
        def __init__(self):
            super().__init__()
            self.items = [tf.Variable([1.0, 2.0]), tf.Variable(3)]
            self.by_name = {"with/slash": tf.Variable(4.0), "with.dot": tf.Variable([[5]])}
            self.nested = {"a": [tf.Variable("text"), {"b": tf.Variable([True, False])}]}
    import keras
    thing = Thing()
    net = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3), keras.layers.LayerNormalization()])
    optimizer = keras.optimizers.AdamW(0.01)
    net.compile(optimizer=optimizer, loss="mse")
    net.fit(np.ones([8, 4], np.float32), np.ones([8, 3], np.float32), epochs=2, verbose=0)
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    table.insert(tf.constant(["x", "yy"]), tf.constant([1, 2], tf.int64))
    data = iter(tf.data.Dataset.range(10).batch(2))
    next(data)
    checkpoint = tf.train.Checkpoint(thing=thing, net=net, generator_optimizer=optimizer, table=table, data=data,
                                     rng=tf.random.Generator.from_seed(5), step=tf.Variable(123, dtype=tf.int64))
    return checkpoint.save(str(folder / "ckpt"))


def legacy_optimizer(folder):
    """tf.keras.optimizers.legacy: slots below .OPTIMIZER_SLOT."""
    import tf_keras
    model = tf_keras.Sequential([tf_keras.layers.Dense(4, input_shape=(3,)), tf_keras.layers.Dense(2)])
    optimizer = tf_keras.optimizers.legacy.Adam(0.01)
    model.compile(optimizer=optimizer, loss="mse")
    model.fit(np.ones([4, 3], np.float32), np.ones([4, 2], np.float32), epochs=3, verbose=0)
    return tf.train.Checkpoint(model=model, optimizer=optimizer).save(str(folder / "ckpt"))


def keras_callback(folder):
    """ModelCheckpoint(save_weights_only) in TensorFlow's format, several epochs."""
    import tf_keras
    model = tf_keras.Sequential([tf_keras.layers.Dense(4, input_shape=(3,))])
    model.compile("sgd", "mse")
    model.fit(np.ones([4, 3], np.float32), np.ones([4, 4], np.float32), epochs=3, verbose=0,
              callbacks=[tf_keras.callbacks.ModelCheckpoint(str(folder / "cp-{epoch:04d}.ckpt"), save_weights_only=True)])
    return folder / "cp-0003.ckpt"


def large(folder):
    """Several data blocks, several chunks."""
    names = [f"block_{i:04d}/attention/output/dense/kernel_{'x' * (i % 30)}" for i in range(6000)]
    tensors = [tf.fill([1 + i % 7, 3], float(i)) for i in range(len(names))]
    tensors[0] = tf.random.stateless_normal([1500, 1000], [1, 2])
    tf.raw_ops.SaveV2(prefix=str(folder / "big"), tensor_names=names, shape_and_slices=[""] * len(names), tensors=tensors)
    return folder / "big"


def strings(folder):
    """Many strings, long ones, empty ones."""
    words = [f"word{i}" * (i % 9) for i in range(3000)]
    tf.raw_ops.SaveV2(prefix=str(folder / "words"), tensor_names=["many", "long", "none", "cube"],
                      shape_and_slices=[""] * 4,
                      tensors=[tf.constant(words), tf.constant(["a" * 200_000, "", "b" * 70_000]),
                               tf.constant([], tf.string), tf.reshape(tf.constant(words[:24]), [2, 3, 4])])
    return folder / "words"


def v1_sharded(folder):
    """Saver V1 with sharded=True."""
    def build(session):
        with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(4, axis=1)):
            v1.get_variable("wide", shape=[3, 10], initializer=v1.random_normal_initializer(seed=1))
        v1.get_variable("bias", shape=[6], initializer=v1.random_normal_initializer(seed=3))
        session.run(v1.global_variables_initializer())
        v1.train.Saver(write_version=v1.train.SaverDef.V1, sharded=True).save(session, str(folder / "old.ckpt"), global_step=3)
    goldens.graph_of(build)
    return next(path for path in folder.iterdir() if "-of-" in path.name and not path.name.endswith(".meta"))


CASES = [*goldens.CASES, three_shards, slots_by_name, objects, legacy_optimizer, keras_callback, large, strings, v1_sharded]


def main():
    root = pathlib.Path(sys.argv[1])
    for case in CASES:
        done = root / (case.__name__ + ".json")
        if done.exists():
            continue
        folder = root / case.__name__
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        prefix = pathlib.Path(case(folder))
        rows = goldens.oracle(prefix if case is not v1_sharded else str(prefix).rsplit("-", 3)[0] + "-?????-of-?????")
        # For shards in the old format, TensorFlow returns a pattern.
        path = folder if case in (goldens.saved_model,) else pathlib.Path(str(prefix).split("-?????-of-")[0])
        done.write_text(json.dumps({"path": str(path.relative_to(root)), "tensors": {name: [dtype, shape, sha] for name, dtype, shape, sha in rows}}))
        print(case.__name__, len(rows))


if __name__ == "__main__":
    main()
