# SPDX-License-Identifier: Apache-2.0
"""Keras files and plain HDF5, written by Keras and h5py, compared with h5py: names, shapes, dtypes, elements."""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import tempfile
import unittest
import zipfile
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "torch")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import h5py
import keras
import numpy

from support import run


def model(policy: str = "float32"):
    keras.utils.set_random_seed(1)
    keras.config.set_dtype_policy(policy)
    layers = keras.layers
    made = keras.Sequential([layers.Input((8,)), layers.Dense(16, activation="relu"), layers.BatchNormalization(),
                             layers.Dropout(0.1), layers.Dense(3)])
    keras.config.set_dtype_policy("float32")
    return made


def trained():
    made = model()
    made.compile("adam", "mse")
    made.fit(numpy.random.rand(32, 8), numpy.random.rand(32, 3), epochs=2, batch_size=8, verbose=0)
    return made


def stored(file: h5py.File) -> dict:
    """name -> (dtype, shape, SHA-256 of the elements in C order, little-endian)."""
    found = {}

    def take(name: str, item) -> None:
        if not isinstance(item, h5py.Dataset):
            return
        if h5py.check_string_dtype(item.dtype):
            texts = [text.encode() if isinstance(text, str) else bytes(text) for text in item[()].reshape(-1)]
            data = b"".join(struct.pack("<Q", len(text)) + text for text in texts)
            found[name] = ("string", list(item.shape), hashlib.sha256(data).hexdigest())
            return
        dtype = item.attrs.get("dtype", item.dtype.name)
        values = numpy.ascontiguousarray(item[()])
        if values.dtype.byteorder == ">":
            values = values.astype(values.dtype.newbyteorder("<"))
        found[name] = (str(dtype), list(item.shape), hashlib.sha256(values.tobytes()).hexdigest())

    file.visititems(take)
    return found


def fill_random(file: h5py.File, random: numpy.random.Generator) -> None:
    """Datasets of any layout, some partly written or not at all: elements that were not written have the fill value."""
    types = ("i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", ">i2", ">f8", ">c16", "?")
    for number in range(12):
        shape = tuple(int(size) for size in random.integers(1, 20, random.integers(0, 4)))
        dtype = numpy.dtype(str(random.choice(types)))
        fill = int(random.integers(0, 2 if dtype == bool else 99))
        layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        kind = random.choice(["compact", "contiguous", "chunked", "chunked"]) if shape else "contiguous"
        if kind == "compact":
            layout.set_layout(h5py.h5d.COMPACT)
        if kind == "chunked":
            layout.set_chunk(tuple(int(random.integers(1, size + 1)) for size in shape))
            if random.random() < 0.5:
                layout.set_deflate(3)
        early = random.random() < 0.3  # without a fill value the library leaves old content of the file
        if early:
            layout.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        if early or random.random() < 0.5:
            layout.set_fill_value(numpy.array(fill, dtype))
        space = h5py.h5s.create_simple(shape, (h5py.h5s.UNLIMITED,) * len(shape) if kind == "chunked" else None) if shape \
            else h5py.h5s.create(h5py.h5s.SCALAR)
        made = h5py.Dataset(h5py.h5d.create(file.id, b"d%d" % number, h5py.h5t.py_create(dtype, logical=True), space, layout))
        written = random.choice(["never", "some", "all"])
        if written == "all":
            made[...] = random.integers(0, 2 if dtype == bool else 100, shape).astype(dtype)
        elif written == "some" and shape:
            made[tuple(int(random.integers(0, size)) for size in shape)] = dtype.type(1)
        if kind == "chunked" and random.random() < 0.4:
            made.resize(tuple(int(size) for size in random.integers(1, 25, len(shape))))


class Keras(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = Path(cls.holder.name)
        cls.model = trained()

    def hashes(self, path: Path) -> dict:
        shapes = {one["name"]: one for one in run("ls", path, "--json").json["tensors"]}
        answer = run("hash", path, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return {one["name"]: (shapes[one["name"]]["dtype"], shapes[one["name"]]["shape"], one["sha256"])
                for one in answer.json["tensors"]}

    def test_weights_file(self) -> None:
        path = self.folder / "a.weights.h5"
        self.model.save_weights(path)
        with h5py.File(path) as file:
            self.assertEqual(self.hashes(path), stored(file))
        info = run("info", path, "--json").json
        self.assertEqual((info["format"], info["framework"], info["step"], info["complete"]), ("keras", "keras", 8, "complete"))

    def test_keras_archive_and_folder(self) -> None:
        path = self.folder / "b.keras"
        self.model.save(path)
        with zipfile.ZipFile(path) as archive, h5py.File(io.BytesIO(archive.read("model.weights.h5"))) as file:
            wanted = stored(file)
            config = json.loads(archive.read("config.json"))
        self.assertEqual(self.hashes(path), wanted)
        self.assertEqual(run("info", path, "--json").json["values"]["config"]["class_name"], config["class_name"])
        self.assertEqual(run("check", path, "--json").code, 0)
        unpacked = self.folder / "unpacked"
        with zipfile.ZipFile(path) as archive:
            archive.extractall(unpacked)
        self.assertEqual(self.hashes(unpacked), wanted)

    def test_shards(self) -> None:
        path = self.folder / "c.weights.json"
        self.model.save_weights(path, max_shard_size=1e-6)
        wanted = {}
        shards = sorted(self.folder.glob("c_*.weights.h5"))
        self.assertGreater(len(shards), 1)
        for shard in shards:
            with h5py.File(shard) as file:
                wanted |= stored(file)
        self.assertEqual(self.hashes(path), wanted)
        shards[-1].rename(self.folder / "away")
        answer = run("info", path, "--json").json
        self.assertEqual(answer["complete"], "incomplete")
        self.assertIn(shards[-1].name, str(answer["why"]))

    def test_several_sharded_saves_in_one_folder(self) -> None:
        folder = self.folder / "several"
        folder.mkdir()
        for epoch in (1, 2, 10):
            self.model.save_weights(folder / f"m-{epoch:02d}.weights.json", max_shard_size=1e-6)
        self.model.save_weights(folder / "alone.weights.h5")
        shards = len(list(folder.glob("m-10_*.weights.h5")))
        runs = run("runs", folder, "--json").json["runs"]
        self.assertEqual(len(runs), 1)
        rows = {Path(row["path"]).name: row for row in runs[0]["checkpoints"]}
        self.assertEqual(set(rows), {"m-01.weights", "m-02.weights", "m-10.weights", "alone.weights.h5"})
        row = rows["m-10.weights"]
        self.assertEqual(row["bytes"], sum(file.stat().st_size for file in folder.glob("m-10*")))
        self.assertEqual(self.hashes(Path(row["path"])), self.hashes(folder / "m-10.weights.json"))
        info = run("info", row["path"], "--json").json
        self.assertEqual((info["complete"], len(info["files"])), ("complete", shards + 1))

    def test_keras_2_file(self) -> None:
        path = self.folder / "d.h5"
        self.model.save(path)
        with h5py.File(path) as file:
            self.assertEqual(self.hashes(path), stored(file))
        info = run("info", path, "--json").json
        self.assertEqual(info["values"]["model_config"]["class_name"], "Sequential")
        self.assertEqual(info["step"], 8)

    def test_bfloat16(self) -> None:
        path = self.folder / "e.weights.h5"
        model("bfloat16").save_weights(path)
        with h5py.File(path) as file:
            wanted = stored(file)
        self.assertIn("bfloat16", {dtype for dtype, _, _ in wanted.values()})
        self.assertEqual(self.hashes(path), wanted)

    def test_consolidated_weights_are_the_models(self) -> None:
        path, out = self.folder / "f.keras", self.folder / "f.safetensors"
        self.model.save(path)
        answer = run("consolidate", path, "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        from safetensors.numpy import load_file

        kept = load_file(out)
        self.assertEqual(len(kept), len(self.model.weights))
        for array in (weight.numpy() for weight in self.model.weights):
            self.assertTrue(any(numpy.array_equal(array, one) for one in kept.values()))

    def test_written_weights_are_loaded(self) -> None:
        """Keras loads what --to keras writes, with the optimizer, and trains on as before."""
        def continued(made, path: Path) -> list[float]:
            made.load_weights(path)
            return [made.train_on_batch(data, wanted) for _ in range(3)]
        data, wanted = numpy.random.default_rng(3).random((16, 8)), numpy.random.default_rng(4).random((16, 3))
        for policy in ("float32", "bfloat16", "mixed_bfloat16", "float16", "float64"):
            for ending in (".weights.h5", ".keras"):
                with self.subTest(policy=policy, ending=ending):
                    made = model(policy)
                    made.compile("adam", "mse")
                    made.fit(data, wanted, epochs=2, batch_size=8, verbose=0)
                    source = self.folder / f"source_{policy}{ending}"
                    made.save_weights(source) if ending == ".weights.h5" else made.save(source)
                    original = source
                    if ending == ".keras":
                        original = self.folder / f"original_{policy}.weights.h5"
                        original.write_bytes(zipfile.ZipFile(source).read("model.weights.h5"))
                    out = self.folder / f"written_{policy}{ending[:2]}.weights.h5"
                    answer = run("consolidate", source, "--only", "all", "--to", "keras", "-o", out, "--json")
                    self.assertEqual(answer.code, 0, answer.said())
                    with h5py.File(original) as before, h5py.File(out) as after:
                        self.assertEqual(stored(after), stored(before))
                    again = self.folder / f"again_{policy}{ending[:2]}.weights.h5"
                    self.assertEqual(run("consolidate", out, "--only", "all", "--to", "keras", "-o", again).code, 0)
                    self.assertEqual(again.read_bytes(), out.read_bytes())
                    def fresh():
                        other = model(policy)
                        other.compile("adam", "mse")
                        other.optimizer.build(other.trainable_variables)  # else Keras skips its state
                        return other
                    self.assertEqual(continued(fresh(), out), continued(fresh(), original))

    def test_written_datasets_of_every_type(self) -> None:
        """0-d, empty and large ones; h5py reads the same elements."""
        path = self.folder / "types.h5"
        random = numpy.random.default_rng(7)
        with h5py.File(path, "w") as file:
            for number, name in enumerate("f8 f4 f2 i1 u1 i2 u2 i4 u4 i8 u8 ? c8 c16".split()):
                for place, shape in enumerate(((), (0,), (3, 0, 2), (5,), (2, 3, 4), (300, 257))):
                    file[f"layers/l{number}/vars/{place}"] = random.integers(0, 2, shape).astype(name)
            for deep in range(300):
                file[f"layers/deep_{deep}/" + "sub/" * (deep % 7) + "vars/0"] = random.random(deep % 5).astype("f4")
        out = self.folder / "types.weights.h5"
        answer = run("consolidate", path, "--only", "all", "--to", "keras", "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        with h5py.File(path) as before, h5py.File(out) as after:
            self.assertEqual(stored(after), stored(before))
        for name in ("kernel", "layers/a/vars/x/0", "layers//vars/0", "vars"):
            with h5py.File(self.folder / "named.h5", "w") as file:
                file["layers/b/vars/0"] = numpy.ones(3)
            answer = run("consolidate", self.folder / "named.h5", "--only", "all", "--to", "keras", "--rename",
                         "layers/b/vars/0=" + name, "-o", self.folder / "refused.weights.h5", "--json")
            self.assertEqual((answer.code, answer.json["error"]["code"]), (4, "name-not-representable"), name)

    def test_plain_hdf5(self) -> None:
        random = numpy.random.default_rng(1)
        for libver in ("earliest", ("earliest", "v110"), ("v110", "v110")):
            path = self.folder / f"plain-{libver[-1]}{libver[0][0]}.h5"
            with h5py.File(path, "w", libver=libver) as file:
                for name in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f8", ">u2"):
                    file[f"types/{name}"] = random.integers(0, 100, (3, 5)).astype(name)
                file["bool"] = random.integers(0, 2, 9).astype(bool)
                file["scalar"], file["empty"] = numpy.float64(2.5), numpy.zeros((0, 3))
                file["texts"], file["bytes"] = ["one", "", "drei é"], numpy.array([b"ab", b"cde"])
                data = random.random((37, 23)).astype("f4")
                for name, options in {"plain": {}, "gzip": {"compression": "gzip"}, "sum": {"fletcher32": True},
                                      "all": {"compression": "gzip", "shuffle": True, "fletcher32": True}}.items():
                    file.create_dataset(f"chunks/{name}", data=data, chunks=(10, 7), **options)
                steps = numpy.arange(37 * 23, dtype="i4").reshape(37, 23) // 5  # random elements are stored uncompressed
                for name, options in {"plain": {}, "shuffled": {"shuffle": True}, "sum": {"fletcher32": True}}.items():
                    file.create_dataset(f"lzf/{name}", data=steps, chunks=(30, 20), compression="lzf", **options)
                for number in range(40):
                    file[f"many/{number}"] = number
            with self.subTest(libver), h5py.File(path) as file:
                self.assertEqual(self.hashes(path), stored(file))
                answer = run("show", path, "--tensor", "chunks/all", "--slice", "9:12,6:8", "--json").json
                self.assertEqual(numpy.array(answer["values"]).astype("f4").tolist(), file["chunks/all"][9:12, 6:8].tolist())

    def test_user_blocks_and_what_was_never_written(self) -> None:
        random = numpy.random.default_rng(7)
        for block in (0, 512, 512, 1024, 4096, 65536):
            path = self.folder / f"block-{block}.h5"
            with h5py.File(path, "w", libver=("earliest", "v110") if block % 1024 else "earliest", userblock_size=block) as file:
                fill_random(file, random)
            if block:
                with path.open("r+b") as raw:
                    raw.write(b"MATLAB 7.3 MAT-file".ljust(block, b" "))
            with self.subTest(block), h5py.File(path) as file:
                self.assertEqual(self.hashes(path), stored(file))
                self.assertEqual(run("check", path, "--json").json["verdict"], "healthy")

    def test_element_types_are_not_guessed(self) -> None:
        path = self.folder / "types.h5"
        with h5py.File(path, "w") as file:
            odd, short = h5py.h5t.IEEE_F32LE.copy(), h5py.h5t.STD_I16LE.copy()
            odd.set_ebias(100)
            short.set_precision(12)
            for name, kind in ((b"bias", odd), (b"short", short)):
                h5py.Dataset(h5py.h5d.create(file.id, name, kind, h5py.h5s.create_simple((3,))))[...] = [1, -2, 3]
            file.create_dataset("enum", data=numpy.array([0, 200], "u1"), dtype=h5py.enum_dtype({"A": 0, "B": 200}, basetype="u1"))
            file.create_dataset("swapped", data=numpy.array([0, 1], "i1"), dtype=h5py.enum_dtype({"FALSE": 1, "TRUE": 0}, basetype="i1"))
            rows = file.create_dataset("rows", shape=(3,), dtype=numpy.dtype((">f4", (2, 3))), chunks=(2,), maxshape=(None,))
            rows[0] = random_rows = numpy.arange(6, dtype="f4").reshape(2, 3)
            file["texts"] = numpy.array([b"a\0b", b"cd "], "S4")
            file.create_dataset("sequences", shape=(2,), dtype=h5py.vlen_dtype("i4"))[0] = [1, 2]
            file.create_dataset("scaled", data=numpy.arange(20, dtype="i4"), chunks=(8,), scaleoffset=0)
        found = {one["name"]: (one["dtype"], one["shape"]) for one in run("ls", path, "--json").json["tensors"]}
        self.assertEqual(found, {"bias": ("opaque", [3, 4]), "short": ("opaque", [3, 2]), "enum": ("uint8", [2]), "swapped": ("int8", [2]),
                                 "rows": ("float32", [3, 2, 3]), "texts": ("string", [2]), "scaled": ("int32", [20])})
        values = {name: run("show", path, "--tensor", name, "--json").json["values"] for name in ("rows", "texts")}
        self.assertEqual(values, {"rows": [random_rows.tolist(), [[0] * 3] * 2, [[0] * 3] * 2], "texts": ["a\0b", "cd "]})
        answer = run("check", path, "--json")
        self.assertEqual(answer.code, 1)
        self.assertLessEqual({"sequences", "scaled"}, {one["where"].get("tensor") for one in answer.json["findings"]
                                                      if one["severity"] == "error"})

    def test_many_links_and_attributes_are_read(self) -> None:
        """They are sorted, for which the C library queries the size of memory."""
        path = self.folder / "links-and-attributes.h5"
        for libver in (("earliest", "v110"), ("v108", "v108"), ("v110", "v110")):
            with h5py.File(path, "w", libver=libver) as file:
                for number in range(100):
                    file.create_dataset(f"layers/{number}/vars/0", data=numpy.arange(number + 1))
                tracked = file.create_group("tracked", track_order=True)
                for number in range(100):
                    tracked[f"{99 - number}"] = number
                for number in range(300):
                    file["layers"].attrs[f"note {number}"] = "text"
            with self.subTest(libver), h5py.File(path) as file:
                self.assertEqual(self.hashes(path), stored(file))

    def test_the_step_is_the_inner_optimizers(self) -> None:
        made = model()
        for name in ("sgd", "adam"):
            made.compile(keras.optimizers.LossScaleOptimizer(keras.optimizers.get(name)), "mse")
            made.fit(numpy.random.rand(32, 8), numpy.random.rand(32, 3), epochs=1, batch_size=8, verbose=0)
            self.assertEqual(int(made.optimizer.iterations), 4)
            for ending in (".keras", ".weights.h5", ".h5"):
                path = self.folder / f"scaled-{name}{ending}"
                made.save_weights(path) if ending == ".weights.h5" else made.save(path)
                with self.subTest(path.name):
                    self.assertEqual(run("info", path, "--json").json["step"], 4)

    def test_an_archive_that_is_cut_off_is_called_so(self) -> None:
        path = self.folder / "whole.keras"
        self.model.save(path)
        for name in ("cut.keras", "cut.zip", "cut"):
            cut = self.folder / name
            cut.write_bytes(path.read_bytes()[:3000])
            answer = run("info", cut, "--json")
            self.assertEqual(answer.code, 3, answer.said())
            self.assertIn("zip-no-directory", answer.said())

    def test_two_names_of_one_dataset(self) -> None:
        path = self.folder / "twice.h5"
        with h5py.File(path, "w") as file:
            file["a/one"] = numpy.arange(5.0)
            file["b"] = file["a/one"]
        listed = {one["name"]: one.get("alias_of") for one in run("ls", path, "--json").json["tensors"]}
        self.assertEqual(listed, {"a/one": None, "b": "a/one"})

    def test_links_to_other_files_are_not_followed(self) -> None:
        other, path = self.folder / "other.h5", self.folder / "links.h5"
        with h5py.File(other, "w") as file:
            file["secret"] = numpy.arange(7)
        with h5py.File(path, "w") as file:
            file["here"] = numpy.arange(3)
            file["soft"] = h5py.SoftLink("/here")
            file["outside"] = h5py.ExternalLink(str(other), "/secret")
            file.create_dataset("raw", shape=(4,), dtype="i4", external=[(str(other), 0, 16)])
            layout = h5py.VirtualLayout(shape=(7,), dtype="i8")
            layout[:] = h5py.VirtualSource(str(other), "secret", shape=(7,))
            file.create_virtual_dataset("virtual", layout)
        answer = run("ls", path, "--json").json
        self.assertEqual({one["name"]: one.get("alias_of") for one in answer["tensors"]}, {"here": None, "soft": "here"})
        self.assertEqual({one["code"] for one in answer["notices"]}, {"hdf5-link-not-followed"})
        self.assertEqual({one["where"]["tensor"] for one in answer["notices"]}, {"outside", "raw", "virtual"})

    def test_damage_is_an_error_or_told(self) -> None:
        path = self.folder / "g.weights.h5"
        self.model.save_weights(path)
        whole = path.read_bytes()
        random = numpy.random.default_rng(2)
        damaged = self.folder / "damaged.h5"
        for size in (0, 1, 8, 96, 600, 2000, len(whole) // 2, len(whole) - 1):
            damaged.write_bytes(whole[:size])
            answer = run("info", damaged, "--json")
            self.assertIn(answer.code, (0, 3), answer.said())
            if answer.code == 0:
                self.assertEqual(answer.json["complete"], "incomplete", size)
        for _ in range(60):
            broken = bytearray(whole)
            for at in random.integers(0, 4096, 8):
                broken[at] = random.integers(0, 256)
            damaged.write_bytes(bytes(broken))
            self.assertIn(run("ls", damaged, "--json").code, (0, 3))


if __name__ == "__main__":
    unittest.main()
