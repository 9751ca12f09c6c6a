# SPDX-License-Identifier: Apache-2.0
"""Compares with NumPy and MLX: arrays, archives and shard sets written by hand, and Cairn's output."""

from __future__ import annotations

import hashlib
import json
import struct
import unittest
from pathlib import Path

import ml_dtypes
import mlx.core as mlx
import numpy

import support


RANDOM = numpy.random.default_rng(7)
NUMBERS = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")


def array(code, shape):
    dtype = numpy.dtype(code)
    if dtype.kind == "b":
        return RANDOM.integers(0, 2, shape).astype(dtype)
    count = int(numpy.prod(shape))
    return numpy.frombuffer(RANDOM.bytes(count * dtype.itemsize), dtype).reshape(shape).copy()


def row(value):
    """dtype, shape and SHA-256 of an array, in the form of the command line."""
    value = numpy.asarray(value)
    if value.dtype.kind in "US":
        items = [x.encode() if value.dtype.kind == "U" else bytes(x) for x in value.ravel().tolist()]
        data = b"".join(struct.pack("<Q", len(item)) + item for item in items)
        return "string", list(value.shape), hashlib.sha256(data).hexdigest()
    little = numpy.ascontiguousarray(value)
    if value.dtype.byteorder == ">":
        little = little.astype(value.dtype.newbyteorder("<"))
    return value.dtype.name, list(value.shape), hashlib.sha256(little.tobytes()).hexdigest()


def tree():
    made = {f"layers.{i}.{name}": array("f4", shape)
            for i in range(4) for name, shape in (("w", (12, 8)), ("b", (8,)), ("norm", (8,)))}
    return made | {"embed": array("f2", (24, 8)), "step": numpy.array(400)}


class NumpyTest(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.temporary = support.temporary()
        self.folder = Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def holds(self, path, arrays):
        said = support.run("hash", path, "--json")
        self.assertEqual(said.code, 0, said.said())
        listed = support.run("ls", path, "--json").json["tensors"]
        hashes = {tensor["name"]: tensor["sha256"] for tensor in said.json["tensors"]}
        found = {tensor["name"]: (tensor["dtype"], tensor["shape"], hashes[tensor["name"]]) for tensor in listed}
        self.assertEqual(found, {name: row(value) for name, value in arrays.items()})

    def check(self, path, code=0):
        said = support.run("check", path, "--json")
        self.assertEqual(said.code, code, said.said())
        return said.json

    def test_every_value_of_small_types(self):
        """All codes of the types of ml_dtypes with 8 bits or fewer."""
        sizes = {"float8_e4m3b11fnuz": 8, "float8_e4m3fn": 8, "float8_e4m3fnuz": 8, "float8_e5m2": 8,
                 "float8_e5m2fnuz": 8, "float8_e8m0fnu": 8, "int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
        arrays = {name: numpy.arange(1 << bits, dtype="u1").view(getattr(ml_dtypes, name)) for name, bits in sizes.items()}
        path = self.folder / "small.npy"
        numpy.save(path, arrays)
        self.holds(path, arrays)
        stats = {each["name"]: each for each in support.run("stats", path, "--json").json["tensors"]}
        for name, value in arrays.items():
            exact = value.astype("f8")
            finite = exact[numpy.isfinite(exact)]
            said = stats[name]
            self.assertEqual((said["min"], said["max"], said["nan"], said["inf"], said["zeros"]),
                             (finite.min(), finite.max(), numpy.isnan(exact).sum(), numpy.isinf(exact).sum(), (exact == 0).sum()), name)
            shown = support.run("show", path, "--tensor", name, "--json").json["values"]
            self.assertEqual([each is None for each in shown], (~numpy.isfinite(exact)).tolist(), name)
            nearest = [finite[numpy.abs(finite - each).argmin()] for each in shown if each is not None]
            self.assertEqual(nearest, finite.tolist(), name)
        rest_of_types = ("float8_e3m4", "float8_e4m3", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int1", "uint1")
        rest = {name: numpy.arange(2, dtype="u1").view(getattr(ml_dtypes, name)) for name in rest_of_types}
        numpy.save(path, {"record": numpy.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f4")])})
        self.assertEqual([(each["dtype"], each["shape"]) for each in support.run("ls", path, "--json").json["tensors"]], [("opaque", [2, 8])])
        numpy.save(path, rest)  # one byte an element, which no dtype of Cairn has: carried as bytes
        self.assertEqual([each["dtype"] for each in support.run("ls", path, "--json").json["tensors"]], ["opaque"] * 7)
        self.assertEqual(support.run("scan", path, "--json").json["verdict"], "inert")
        data = path.read_bytes()
        path.write_bytes(data.replace(b"uint1", b"uint7"))  # a type of a later release: no array is lost without a word
        self.assertEqual(len(support.run("ls", path, "--json").json["tensors"]), 6)
        found = self.check(path, code=1)
        self.assertIn("ml_dtypes.uint7", [each.get("found") for each in found["findings"]])

    def test_arrays_in_objects(self):
        """numpy.save of a dict: one element without dimensions, a pickle."""
        dict_of = {"conv1": {"weights": array("f4", (3, 2)), "biases": array("<f8", (2,))}, "list": [array("i4", (2,)), array("f2", (3,))],
                   "step": 5, "turned": numpy.asfortranarray(array("f4", (4, 3)))}
        path = self.folder / "vgg16.npy"
        numpy.save(path, dict_of)
        loaded = numpy.load(path, allow_pickle=True).item()
        ragged = numpy.empty(2, dtype=object)
        ragged[:] = [array("f4", (3,)), array("f4", (4,))]
        numpy.save(self.folder / "ragged.npy", ragged)
        expected = {"conv1.weights": loaded["conv1"]["weights"], "conv1.biases": loaded["conv1"]["biases"],
                    "list.0": loaded["list"][0], "list.1": loaded["list"][1], "turned": loaded["turned"]}
        self.holds(path, expected)
        self.holds(self.folder / "ragged.npy", {"0": ragged[0], "1": ragged[1]})
        info = support.run("info", path, "--json").json
        self.assertEqual((info["complete"], info["step"], info["values"]["step"]), ("complete", 5, 5))

    def test_archives_of_all_kinds(self):
        arrays = {code: array(code, (5, 7)) for code in NUMBERS}
        arrays |= {f"big.{code}": array(">" + code, (3, 4)) for code in ("i2", "u4", "i8", "f2", "f4", "f8", "c8", "c16")}
        arrays |= {f"fortran/{code}": numpy.asfortranarray(array(code, (3, 4, 5))) for code in ("?", "i2", ">f4", "c16")}
        arrays |= {"text": numpy.array([["a", "b\u00e9\u4e2d", ""]]), "bytes": numpy.array([b"x\0y", b""]),
                   "empty": numpy.zeros((0, 4)), "scalar": numpy.array(2.5), "long name with spaces": array("u1", (1,)),
                   "large": array("f4", (700, 300))}
        for save in (numpy.savez, numpy.savez_compressed):
            with self.subTest(save.__name__):
                path = self.folder / f"{save.__name__}.npz"
                save(path, **arrays)
                self.holds(path, arrays)
                self.check(path, 1 if self.spoiled(arrays) else 0)

    @staticmethod
    def spoiled(arrays):
        return any(value.dtype.kind in "fc" and not numpy.isfinite(value).all() for value in arrays.values())

    def test_single_arrays(self):
        for name, value in {"c": array("f4", (3, 5)), "f": numpy.asfortranarray(array("i8", (3, 5, 2))),
                            "big": array(">f8", (4,)), "zero": array("u2", ())}.items():
            numpy.save(self.folder / f"{name}.npy", value)
            self.holds(self.folder / f"{name}.npy", {name: value})

    def test_bfloat16_keeps_its_name(self):
        value = array("f4", (6, 3)).astype(ml_dtypes.bfloat16)
        numpy.savez(self.folder / "x.npz", w=value)
        self.holds(self.folder / "x.npz", {"w": value})

    def test_slices_of_turned_and_deflated_arrays(self):
        value = numpy.asfortranarray(numpy.arange(60, dtype=">f4").reshape(5, 12))
        numpy.savez_compressed(self.folder / "x.npz", w=value)
        said = support.run("show", self.folder / "x.npz", "--tensor", "w", "--slice", "1:4,2:9", "--json").json
        self.assertEqual(said["values"], value[1:4, 2:9].tolist())

    def test_files_of_mlx(self):
        made = {"w": mlx.random.normal((6, 5)), "h": mlx.random.normal((4, 3)).astype(mlx.bfloat16),
                "f": mlx.random.normal((7,)).astype(mlx.float16), "t": mlx.arange(12, dtype=mlx.int16).reshape(3, 4).T,
                "s": mlx.array(3), "u": mlx.arange(5, dtype=mlx.uint64), "c": mlx.array([1 + 2j])}
        plain = {name: numpy.array(value.astype(mlx.float32)).astype(ml_dtypes.bfloat16)
                 if value.dtype == mlx.bfloat16 else numpy.array(value) for name, value in made.items()}
        mlx.savez(str(self.folder / "x.npz"), **made)
        mlx.savez_compressed(str(self.folder / "z.npz"), **made)
        mlx.save_safetensors(str(self.folder / "x.safetensors"), made, {"step": "7"})
        for name in ("x.npz", "z.npz", "x.safetensors"):
            with self.subTest(name):
                self.holds(self.folder / name, plain)
        mlx.save(str(self.folder / "t.npy"), made["t"])
        self.holds(self.folder / "t.npy", {"t": plain["t"]})

    def test_rows_joined_by_a_manifest(self):
        arrays = tree()
        cut = {name: value for name, value in arrays.items() if value.ndim == 2}
        folder = self.folder / "rows"
        folder.mkdir()
        rows, sums = [], {}
        for rank in range(4):
            name = f"model_shard_{rank:04d}.npz"
            own = {key: numpy.array_split(value, 4)[rank] for key, value in cut.items()}
            own |= {key: value for key, value in arrays.items() if value.ndim < 2 and len(key) % 4 == rank}
            numpy.savez(folder / name, **own)
            sums[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            rows.append(name)
        tensors = {key: {"shape": list(value.shape), "dtype": value.dtype.name, "axis": 0,
                         "parts": [{"file": name} for name in rows]} for key, value in cut.items()}
        (folder / "manifest.json").write_text(json.dumps({"files": rows, "sha256": sums, "tensors": tensors}))
        self.holds(folder, arrays)
        self.assertEqual(support.run("info", folder, "--json").json["complete"], "complete")
        self.assertEqual(self.check(folder, 1 if self.spoiled(arrays) else 0)["checked"]["checksums"] >= 4, True)
        data = bytearray((folder / rows[2]).read_bytes())
        data[data.index(b"\x93NUMPY") + 130] ^= 1  # in the first array's elements
        (folder / rows[2]).write_bytes(data)
        self.assertIn("bad-checksum", [one["code"] for one in self.check(folder, 1)["findings"]])
        (folder / rows[1]).unlink()
        self.assertIn("missing-shard", [one["code"] for one in self.check(folder, 1)["findings"]])

    def test_grid_and_columns_joined_by_a_manifest(self):
        w, v = array("f4", (10, 9)), array("i4", (4, 12))
        parts = []
        for i, r in enumerate(numpy.array_split(numpy.arange(10), 3)):
            for j, c in enumerate(numpy.array_split(numpy.arange(9), 2)):
                rank = 2 * i + j
                numpy.savez(self.folder / f"rank_{rank}.npz", w=w[r[0]:r[-1] + 1, c[0]:c[-1] + 1],
                            v=numpy.array_split(v, 6, axis=1)[rank])
                parts.append({"file": f"rank_{rank}.npz", "offset": [int(r[0]), int(c[0])]})
        for manifest in ({"tensors": {"w": {"shape": [10, 9], "parts": parts}, "v": {"axis": 1}}},
                         {"tensors": {"w": {"parts": parts[::-1]}}, "axes": {"v": -1}}):
            (self.folder / "manifest.json").write_text(json.dumps(manifest))
            with self.subTest(manifest=json.dumps(manifest)[:60]):
                self.holds(self.folder, {"w": w, "v": v})

    def test_keys_spread_over_shards(self):
        arrays = tree()
        for i, name in enumerate(arrays):
            numpy.savez(self.folder / f"weights-{i + 1:05d}-of-{len(arrays):05d}.npz", **{name: arrays[name]})
        self.holds(self.folder, arrays)
        self.assertEqual(support.run("info", self.folder, "--json").json["complete"], "complete")

    def test_equal_keys_are_never_guessed(self):
        for rank in range(3):
            numpy.savez(self.folder / f"model_shard_{rank:04d}.npz", w=array("i4", (4, 4)))
        said = support.run("ls", self.folder, "--json").json
        self.assertEqual([tensor["name"] for tensor in said["tensors"]], [f"shard_{rank:04d}.w" for rank in range(3)])
        self.assertIn("shards-not-joined", [notice["code"] for notice in said["notices"]])
        place = support.temporary()
        self.addCleanup(place.cleanup)
        out = Path(place.name) / "out.safetensors"
        self.assertNotEqual(support.run("consolidate", self.folder, "-o", out).code, 0)
        self.assertFalse(out.exists())

    def test_order_is_by_numbers_or_not_at_all(self):
        """Lists the shards of an array in any order: if joined, the result is the array; ambiguous lists are refused."""
        joined = refused = 0
        for case in range(24):
            folder = self.folder / f"case{case}"
            folder.mkdir()
            axis, count = case % 2, 9 + case % 4
            whole = array("i4", (13, 14))
            names = [f"shard_{i + case % 2}.npz" for i in range(count)]
            for name, part in zip(names, numpy.array_split(whole, count, axis=axis)):
                numpy.savez(folder / name, w=part)
            rows = [{"file": name, "rank": i} for i, name in enumerate(names)]
            orders = [names, sorted(names), list(RANDOM.permutation(names))]
            listed, certain = orders[case // 2 % 3], case // 2 % 3 < 2
            manifest = [{"files": listed, "axes": {"w": axis}},
                        {"tensors": {"w": {"axis": axis, "parts": [{"file": name} for name in listed]}}},
                        {"files": [rows[names.index(name)] for name in listed], "axis": axis}][case % 3]
            (folder / "manifest.json").write_text(json.dumps(manifest))
            if certain or case % 3 == 2:
                self.holds(folder, {"w": whole})
                joined += 1
            else:
                said = support.run("consolidate", folder, "-o", self.folder / f"out{case}.npz")
                self.assertNotEqual(said.code, 0, manifest)
                refused += 1
        self.assertGreater(min(joined, refused), 2)

    def test_numpy_loads_what_cairn_writes(self):
        arrays = tree() | {"fortran": numpy.asfortranarray(array("i4", (7, 5))), "empty": numpy.zeros((0, 2), "f4")}
        source = self.folder / "source.npz"
        numpy.savez_compressed(source, **arrays)
        out = self.folder / "out.npz"
        said = support.run("consolidate", source, "-o", out, "--to", "npz", "--only", "all", "--json")
        self.assertEqual(said.code, 0, said.said())
        loaded = numpy.load(out)
        self.assertEqual(sorted(loaded.files), sorted(arrays))
        for name, value in arrays.items():
            self.assertEqual(row(loaded[name]), row(value), name)
        part = self.folder / "part.npz"
        said = support.run("export", source, "--tensor", "layers.1.*", "-o", part, "--json")
        self.assertEqual(said.code, 0, said.said())
        self.assertEqual(sorted(numpy.load(part).files), ["layers.1.b", "layers.1.norm", "layers.1.w"])

    def test_shard_sets_that_cairn_writes(self):
        arrays = tree() | {"half": array("f4", (40, 6)).astype(ml_dtypes.bfloat16)}
        source, out = self.folder / "source.npz", self.folder / "shards"
        numpy.savez(source, **arrays)
        said = support.run("consolidate", source, "-o", out, "--to", "numpy-shards", "--only", "all",
                           "--max-shard-size", "300", "--json")
        self.assertEqual(said.code, 0, said.said())
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertEqual(manifest["num_shards"], len(list(out.glob("*.npz"))))
        for name, value in arrays.items():
            spec = manifest["tensors"][name]
            whole = numpy.zeros(spec["shape"], value.dtype)
            for part in spec["parts"]:
                stored = numpy.load(out / part["file"])[name].view(value.dtype)
                whole[tuple(slice(o, o + n) for o, n in zip(part["offset"], part["shape"]))] = stored
            self.assertEqual(row(whole), row(value), name)
        self.holds(out, arrays)
        refused = support.run("consolidate", source, "-o", self.folder / "no.npz", "--to", "npz", "--only", "all", "--json")
        self.assertNotEqual(refused.code, 0)

    def test_runs_of_archives_and_of_shard_sets(self):
        for step in (100, 200):
            numpy.savez(self.folder / f"ckpt_{step}.npz", **tree() | {"step": numpy.array(step)})
        numpy.save(self.folder / "train_losses.npy", numpy.ones(9))
        numpy.savez(self.folder / "metrics.npz", loss=numpy.ones(9))
        said = support.run("runs", self.folder, "--json").json["runs"]
        self.assertEqual([one["step"] for run in said for one in run["checkpoints"]], [100, 200])
        other = self.folder / "sets"
        for step in (100, 200):
            (other / f"step_{step}").mkdir(parents=True)
            for rank in range(2):
                numpy.savez(other / f"step_{step}" / f"model_shard_{rank}.npz", **{f"w{rank}": array("f4", (3,))})
        said = support.run("runs", other, "--json").json["runs"]
        self.assertEqual([(one["step"], one["format"]) for run in said for one in run["checkpoints"]],
                         [(100, "numpy-shards"), (200, "numpy-shards")])


if __name__ == "__main__":
    unittest.main()
