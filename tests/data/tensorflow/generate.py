# SPDX-License-Identifier: Apache-2.0
"""Writes the golden files with TensorFlow, and the tensors that tf.train.load_checkpoint() reads from them.

    build/venv-tf/bin/python tests/data/tensorflow/generate.py [FOLDER]        # tensorflow-cpu 2.18, tf_keras 2.18

expected.json: {case: {"tensors": {name: [dtype, shape, sha256]}}}, as the conformance suite reads it. The object graph
is a string tensor like any other.
"""
import hashlib
import json
import os
import pathlib
import shutil
import struct
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

v1 = tf.compat.v1


def canonical(value):
    """Bytes that `hash` covers: C order, little-endian; of strings u64 length and bytes each."""
    value = np.asarray(value, dtype=object) if isinstance(value, (bytes, str)) else np.asarray(value)
    if value.dtype == object:
        texts = [item if isinstance(item, bytes) else str(item).encode() for item in value.reshape(-1)]
        return b"".join(struct.pack("<Q", len(text)) + text for text in texts)
    return np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()


def dtype_name(dtype):
    name = tf.dtypes.as_dtype(dtype).name
    return {"half": "float16"}.get(name, name)


def oracle(prefix):
    """Everything in a checkpoint, according to TensorFlow's own reader."""
    reader = tf.train.load_checkpoint(str(prefix))
    rows = []
    dtypes = reader.get_variable_to_dtype_map()
    for name, shape in sorted(reader.get_variable_to_shape_map().items()):
        try:
            value = reader.get_tensor(name)
        except tf.errors.UnimplementedError:  # some dtypes of V1 files; the restore op can read them
            value = tf.raw_ops.Restore(file_pattern=str(prefix), tensor_name=name, dt=tf.dtypes.as_dtype(dtypes[name])).numpy()
        except tf.errors.InternalError:  # variant: no numpy dtype
            continue
        data = canonical(value)
        rows.append((name, dtype_name(dtypes[name]), list(shape), hashlib.sha256(data).hexdigest()))
    return rows


def graph_of(build, devices=1):
    graph = tf.Graph()
    with graph.as_default(), v1.Session(graph=graph, config=v1.ConfigProto(device_count={"CPU": devices})) as session:
        build(session)


DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "half", "bfloat16",
          "float32", "float64", "complex64", "complex128", "float8_e5m2", "float8_e4m3fn", "int4", "uint4"]
QUANTIZED = ["qint8", "quint8", "qint32", "qint16", "quint16"]


def dtypes(folder):
    """Every dtype that a variable may have, through the op that all savers use."""
    numbers = np.arange(-3, 9).reshape(3, 4)
    names, tensors = [], []
    for name in DTYPES:
        dtype = tf.dtypes.as_dtype(name)
        small = np.abs(numbers) % 8 if "4" == name[-1] else numbers
        value = np.abs(small) if name.startswith("u") else small
        if name.startswith("complex"):
            value = value + 1j * (value + 1)
        if name == "int4":
            value = numbers % 8 - 4
        tensor = tf.constant((value > 0) if name == "bool" else value.astype(dtype.as_numpy_dtype), dtype=dtype)
        names.append("d/" + name)
        tensors.append(tensor)
    for name in QUANTIZED:
        dtype = tf.dtypes.as_dtype(name)
        bits = {"qint8": tf.int8, "quint8": tf.uint8, "qint32": tf.int32, "qint16": tf.int16, "quint16": tf.uint16}[name]
        tensors.append(tf.bitcast(tf.constant(np.abs(numbers) + 1, dtype=bits), dtype))
        names.append("d/" + name)
    texts = [["", "a"], ["длинное слово", "x" * 300], [b"\xff\x00\x01", "tab\t"]]
    names += ["strings/matrix", "strings/scalar", "strings/empty", "zero/f32", "scalar/step"]
    tensors += [tf.constant(texts), tf.constant("hello"), tf.zeros([0], tf.string), tf.zeros([0, 3]),
                tf.constant(41, tf.int64)]
    tf.raw_ops.SaveV2(prefix=str(folder / "all-3"), tensor_names=names, shape_and_slices=[""] * len(names),
                      tensors=tensors)
    return folder / "all-3"


def manager(folder):
    """Keep-N: two checkpoints in one folder, objects and an optimizer."""
    import tf_keras as keras
    tf.random.set_seed(7)
    model = keras.Sequential([keras.layers.Dense(5, input_shape=(4,), name="first"),
                              keras.layers.BatchNormalization(name="norm"),
                              keras.layers.Dense(3, name="second")])
    optimizer = keras.optimizers.Adam(0.01)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, epoch=tf.Variable(0, dtype=tf.int64))
    keep = tf.train.CheckpointManager(checkpoint, str(folder), max_to_keep=2)
    inputs, targets = tf.random.normal([8, 4]), tf.random.normal([8, 3])
    for _ in range(3):
        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(inputs, training=True) - targets) ** 2)
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
        checkpoint.epoch.assign_add(1)
        keep.save()
    return folder / "ckpt-3"


def partitioned(folder):
    """Saver V2 with a partitioner: one logical variable in slices, over two shards."""
    def build(session):
        with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(3, axis=0)):
            v1.get_variable("rows", shape=[7, 5], initializer=v1.random_normal_initializer(seed=1))
        with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2, axis=1)):
            v1.get_variable("columns", shape=[4, 6], initializer=v1.random_normal_initializer(seed=2))
        v1.get_variable("bias", shape=[6], initializer=v1.random_normal_initializer(seed=3))
        v1.train.create_global_step()
        session.run(v1.global_variables_initializer())
        session.run(v1.assign(v1.train.get_global_step(), 1200))
        v1.train.Saver(sharded=True).save(session, str(folder / "model.ckpt"), global_step=1200, write_meta_graph=False)
    graph_of(build)
    return folder / "model.ckpt-1200"


def saver_v1(folder):
    """The old table files: no .index, values inside the table."""
    def build(session):
        with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2, axis=0)):
            v1.get_variable("rows", shape=[5, 3], initializer=v1.random_normal_initializer(seed=1))
        v1.get_variable("bias", shape=[6], initializer=v1.random_normal_initializer(seed=3))
        for name in ["float64", "int32", "int64", "bool", "uint8", "int8", "int16", "complex64", "complex128"]:
            dtype = tf.dtypes.as_dtype(name)
            value = (np.arange(-2, 4).reshape(2, 3) if name[0] != "u" else np.arange(6).reshape(2, 3))
            value = value + 0.5j if name.startswith("complex") else value
            v1.get_variable("d_" + name, initializer=tf.constant((value > 0) if name == "bool" else value.astype(dtype.as_numpy_dtype), dtype=dtype))
        v1.get_variable("words", initializer=tf.constant(["one", "", "three"]))
        v1.get_variable("constant", initializer=tf.fill([40], 2.5))
        v1.train.create_global_step()
        session.run(v1.global_variables_initializer())
        v1.train.Saver(write_version=v1.train.SaverDef.V1).save(session, str(folder / "old.ckpt"), global_step=7, write_meta_graph=False)
    graph_of(build)
    return folder / "old.ckpt-7"


def old_shards(folder):
    """A sharded Saver in the old table format: one file per device, no index; the state file contains a pattern."""
    def build(session):
        for device, names in {"/cpu:0": ["a", "global_step"], "/cpu:1": ["b", "c"]}.items():
            with tf.device(device):
                for name in names:
                    value = 7 if name == "global_step" else np.full((3, 2), ord(name), "f4")
                    v1.get_variable(name, initializer=tf.constant(value, tf.int64 if name == "global_step" else tf.float32))
        session.run(v1.global_variables_initializer())
        saver = v1.train.Saver(sharded=True, write_version=v1.train.SaverDef.V1, save_relative_paths=True)
        saver.save(session, str(folder / "m.ckpt"), global_step=7, write_meta_graph=False)
    graph_of(build, devices=2)
    return folder / "m.ckpt-7-?????-of-00002"


def saved_model(folder):
    class Module(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(np.arange(12, dtype=np.float32).reshape(3, 4), name="w")
            self.names = tf.Variable(["cat", "dog"], name="names")

        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def __call__(self, x):
            return x @ self.w
    tf.saved_model.save(Module(), str(folder))
    return folder / "variables/variables"


def keras_weights(folder):
    import tf_keras as keras
    tf.random.set_seed(9)
    model = keras.Sequential([keras.layers.Embedding(11, 4, input_length=3, name="words"), keras.layers.LSTM(3, name="rnn")])
    model.build((None, 3))
    model.save_weights(str(folder / "weights"))
    return folder / "weights"


def keras3(folder):
    """A program of Keras 3 after three steps: a shared layer, a nested model, a frozen layer whose variables have one shape, dropout. As
    files of Keras beside it: the same state (program.weights.h5), and the program before its first step (program_new.weights.h5)."""
    import keras
    files = pathlib.Path(__file__).parents[1] / "keras"
    inputs = np.random.default_rng(4).normal(size=[8, 4]).astype(np.float32)

    def program(seed):
        keras.utils.clear_session()
        keras.utils.set_random_seed(seed)
        begin = keras.Input((4,))
        shared = keras.layers.Dense(4, name="shared")
        frozen = keras.layers.BatchNormalization(name="frozen")
        frozen.trainable = False
        inner = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3), keras.layers.BatchNormalization()], name="inner")
        out = inner(keras.layers.Dropout(0.1)(frozen(shared(shared(begin)))))
        model = keras.Model(begin, out)
        model.compile(keras.optimizers.AdamW(0.01), "mse", metrics=["mae"])
        model.optimizer.build(model.trainable_variables)
        return model

    program(8).save_weights(files / "program_new.weights.h5")
    model = program(7)
    for _ in range(3):
        model.train_on_batch(inputs, inputs[:, :3])
    model.save_weights(files / "program.weights.h5")
    return pathlib.Path(tf.train.Checkpoint(model=model, optimizer=model.optimizer).save(str(folder / "ckpt")))


def merged_shards(folder, count, keep_parts=None):
    """Like sharded savers: every worker writes its own bundle, then they are merged."""
    parts = folder / "ckpt-9_temp"
    parts.mkdir()
    prefixes = [str(parts / f"part-{i:05d}-of-{count:05d}") for i in range(count)]
    for i, prefix in enumerate(prefixes):
        tf.raw_ops.SaveV2(prefix=prefix, tensor_names=[f"layer_{i}/w", "table", f"layer_{i}/names"],
                          shape_and_slices=["", f"{2 * count} 4 {2 * i},2:0,4", ""],
                          tensors=[tf.random.stateless_normal([5, 3 + i], [1, i]),
                                   tf.reshape(tf.range(8 * i, 8 * i + 8), [2, 4]), tf.constant([f"w{i}", "ü" * i])])
    if keep_parts:
        shutil.copytree(parts, keep_parts / "ckpt-9_temp")
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=prefixes, destination_prefix=str(folder / "ckpt-9"), delete_old_dirs=True)
    return folder / "ckpt-9"


def two_shards(folder):
    return merged_shards(folder, 2)


CASES = [dtypes, manager, partitioned, saver_v1, old_shards, saved_model, keras_weights, keras3, two_shards]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    expected = {}
    for case in CASES:
        folder = root / case.__name__
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        prefix = case(folder)
        rows = oracle(prefix)
        name = case.__name__
        if case is saver_v1:  # a single file
            name = prefix.name
            shutil.move(prefix, root / name)
            shutil.rmtree(folder)
        expected[name] = {"tensors": {name: [dtype, shape, sha] for name, dtype, shape, sha in rows}}
        print(name, len(rows))
    (root / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
