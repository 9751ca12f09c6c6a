#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden NumPy files: here, in ../npy and in ../numpy-shards, each with expected.json.

Made with numpy 2.4.6, ml_dtypes 0.6.0 and mlx 0.32.4; run again only when a case is added. The
expected tensors are the result of numpy.load (for the bfloat16 of ml_dtypes and MLX: what was saved).
"""
import hashlib
import json
import shutil
import struct
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np

HERE = Path(__file__).parent
NPY = HERE.parent / "npy"
SHARDS = HERE.parent / "numpy-shards"
EXPECTED = {HERE: {}, NPY: {}, SHARDS: {}}


def content(array):
    """(dtype, shape, bytes) with Cairn's names of dtypes."""
    kind = array.dtype.kind
    if kind == "U" or kind == "S":
        items = [(x.encode() if kind == "U" else bytes(x)) for x in array.ravel().tolist()]
        return "string", array.shape, b"".join(struct.pack("<Q", len(x)) + x for x in items)
    if array.dtype.names or kind in "MmV" and array.dtype.name not in ("bfloat16",) or array.dtype.char in "gG":
        if array.dtype.name.startswith(("float8", "int4")):
            return "opaque", array.shape, array.tobytes()
        return "opaque", array.shape + (array.dtype.itemsize,), np.ascontiguousarray(array).tobytes()
    little = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">":
        little = little.astype(array.dtype.newbyteorder("<"))
    return array.dtype.name, array.shape, little.tobytes()


def note(folder, name, arrays):
    EXPECTED[folder][name] = rows = []
    for key, array in arrays.items():
        dtype, shape, data = content(np.asarray(array))
        rows.append({"name": key, "dtype": dtype, "shape": list(shape), "sha256": hashlib.sha256(data).hexdigest()})


def check(loaded, arrays):
    for name, array in arrays.items():
        got = loaded[name]
        assert got.tobytes() == np.asarray(array).tobytes() and got.shape == np.asarray(array).shape, name


def npy(name, array, **more):
    np.save(NPY / name, array, **more)
    check({name: np.load(NPY / name, max_header_size=1 << 20)}, {name: array})
    note(NPY, name, {name[:-4]: array})


def by_hand(name, descr, shape, data, fortran="False", version=1, extra=""):
    text = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}{extra}}}".encode() + b" \n"
    start = b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text))
    (NPY / name).write_bytes(start + text + data)


def arrays_of_all_kinds():
    every = {}
    for code in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"):
        dtype = np.dtype(code)
        raw = (np.arange(6 * dtype.itemsize, dtype=np.uint8) % (2 if code == "?" else 251)).tobytes()
        every[dtype.name] = np.frombuffer(raw, dtype).reshape(2, 3)
    every["fortran"] = np.asfortranarray(np.arange(24, dtype="<f4").reshape(2, 3, 4))
    every["fortran.big"] = np.asfortranarray(np.arange(12, dtype=">i4").reshape(3, 4))
    every["big/float64"] = np.arange(5, dtype=">f8")
    every["big.complex"] = np.array([1 + 2j, 3 - 4j], dtype=">c8")
    every["scalar"] = np.array(7, dtype="<i8")
    every["empty"] = np.zeros((0, 3), dtype="<f4")
    every["a/b/c"] = np.ones(3, dtype="<f2")
    return every


def odd_kinds():
    return {
        "record": np.array([(1, 2.5, (3, 4)), (5, 6.5, (7, 8))], dtype=[("a", "<i4"), ("b", "<f8"), ("c", "<i2", (2,))]),
        "dates": np.array(["2024-01-02", "2025-03-04"], dtype="M8[D]"),
        "spans": np.array([1, 2, 3], dtype="m8[s]"),
        "long": np.arange(3, dtype="g"),
        "text": np.array([["weights", "b\u00e9ta"], ["", "\U0001f600"]]),
        "big_text": np.array(["ab", "c"], dtype=">U2"),
        "bytes": np.array([b"abc", b"", b"x\x00y"], dtype="S4"),
        "fortran_text": np.asfortranarray(np.array([["a", "bb", "c"], ["dd", "e", "ff"]])),
        "raw": np.frombuffer(b"0123456789", dtype="V5"),
        "float8": np.arange(4).astype(ml_dtypes.float8_e4m3fn),
    }


def single_arrays():
    npy("plain.npy", np.arange(15, dtype="<f4").reshape(3, 5))
    npy("fortran.npy", np.asfortranarray(np.arange(24, dtype="<f8").reshape(2, 3, 4)))
    npy("big_endian.npy", np.arange(6, dtype=">i2").reshape(2, 3))
    npy("scalar.npy", np.array(-3, dtype="<i4"))
    npy("wide_record.npy", np.zeros(2, dtype=[(f"field_{i:05d}", "<i2") for i in range(2800)]))
    npy("unicode_fields.npy", np.ones(2, dtype=[("\u0436\u20ac", "<f4"), ("b", "|u1")]))
    assert (NPY / "wide_record.npy").read_bytes()[6] == 2 and (NPY / "unicode_fields.npy").read_bytes()[6] == 3
    bf16 = np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16)
    np.save(NPY / "bfloat16.npy", bf16)
    note(NPY, "bfloat16.npy", {"bfloat16": bf16})
    fp8 = np.arange(6).astype(ml_dtypes.float8_e5m2)  # "<f1", which numpy.load refuses
    np.save(NPY / "float8_e5m2.npy", fp8)
    note(NPY, "float8_e5m2.npy", {"float8_e5m2": fp8})
    data = np.arange(10, dtype="<i4")
    by_hand("python2.npy", "'<i4'", "(10L,)", data.tobytes())
    note(NPY, "python2.npy", {"python2": data})


def streamed(path, arrays):
    """Like a zip that was written to a pipe: flag bit 3, sizes only in the directory."""

    class Pipe:
        def __init__(self, file):
            self.file = file

        def write(self, data):
            return self.file.write(data)

        def flush(self):
            self.file.flush()

    with open(path, "wb") as file, zipfile.ZipFile(Pipe(file), "w") as archive:
        for name, array in arrays.items():
            with archive.open(name + ".npy", "w") as member:
                np.lib.format.write_array(member, array)


def archives():
    every = arrays_of_all_kinds()
    np.savez(HERE / "stored.npz", **every)
    np.savez_compressed(HERE / "deflated.npz", **every)
    for name in ("stored.npz", "deflated.npz"):
        check(np.load(HERE / name), every)
        note(HERE, name, every)
    odd = odd_kinds()
    np.savez(HERE / "odd_kinds.npz", **odd)
    np.savez_compressed(HERE / "odd_deflated.npz", **odd)
    note(HERE, "odd_kinds.npz", odd)
    note(HERE, "odd_deflated.npz", odd)
    few = {"w": np.arange(6, dtype="<f4").reshape(2, 3), "b": np.arange(3, dtype="<f4")}
    streamed(HERE / "streamed.npz", few)
    check(np.load(HERE / "streamed.npz"), few)
    note(HERE, "streamed.npz", few)
    np.savez(HERE / "no_arrays.npz")
    note(HERE, "no_arrays.npz", {})


def mlx_archives():
    import mlx.core as mx

    tree = {"layers.0.w": mx.arange(12, dtype=mx.float32).reshape(3, 4), "layers.0.b": mx.ones((4,), dtype=mx.bfloat16),
            "half": mx.arange(6, dtype=mx.float16).reshape(2, 3), "turned": mx.arange(6, dtype=mx.int8).reshape(2, 3).T,
            "count": mx.array(3), "c": mx.array([1 + 2j])}
    mx.savez(str(HERE / "mlx.npz"), **tree)
    plain = {name: np.array(array.astype(mx.float32)).astype(ml_dtypes.bfloat16) if array.dtype == mx.bfloat16
             else np.array(array) for name, array in tree.items()}
    note(HERE, "mlx.npz", plain)
    mx.savez_compressed(str(HERE / "mlx_compressed.npz"), **tree)
    note(HERE, "mlx_compressed.npz", plain)


def fresh(name):
    folder = SHARDS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def shard_sets():
    w = np.arange(60, dtype="<f4").reshape(12, 5)
    e = np.arange(24, dtype="<i4").reshape(4, 6)
    b = np.arange(5, dtype="<f8")
    # different keys in each: the union
    folder = fresh("union")
    np.savez(folder / "weights-00001-of-00002.npz", **{"layer.w": w})
    np.savez(folder / "weights-00002-of-00002.npz", **{"layer.b": b, "step": np.array(120)})
    note(SHARDS, "union", {"layer.w": w, "layer.b": b, "step": np.array(120)})
    # the same keys in each and no manifest: shown separately
    folder = fresh("alike")
    for rank in range(3):
        np.savez(folder / f"model_shard_{rank:04d}.npz", w=w[rank * 4:rank * 4 + 4], b=b)
    note(SHARDS, "alike", {f"shard_{r:04d}.{k}": a for r in range(3) for k, a in (("w", w[r * 4:r * 4 + 4]), ("b", b))})
    # a map of axes, checksums
    folder = fresh("axes")
    for rank in range(3):
        np.savez(folder / f"rank_{rank}.npz", w=w[:, [0, 1] if rank == 0 else [2] if rank == 1 else [3, 4]], b=b,
                 e=e[rank:rank + 1] if rank < 2 else e[2:])
    files = sorted(folder.glob("*.npz"))
    manifest = {"step": 300, "axes": {"w": 1, "e": 0, "b": None},
                "files": [{"file": f.name, "sha256": hashlib.sha256(f.read_bytes()).hexdigest(),
                           "size": f.stat().st_size} for f in files]}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))
    note(SHARDS, "axes", {"w": w, "b": b, "e": e})
    # a grid by offsets, deflated, one array a file, bfloat16 as uint16
    folder = fresh("grid")
    half = w.astype(ml_dtypes.bfloat16)
    parts = []
    for i, rows in enumerate((slice(0, 5), slice(5, 12))):
        for j, columns in enumerate((slice(0, 3), slice(3, 5))):
            name = f"part_{i}{j}.npz"
            np.savez_compressed(folder / name, w=half[rows, columns].view(np.uint16))
            parts.append({"file": name, "key": "w", "offset": [rows.start, columns.start]})
    np.save(folder / "bias.npy", b)
    (folder / "shards.json").write_text(json.dumps({"tensors": {
        "model.w": {"dtype": "bfloat16", "shape": [12, 5], "parts": parts},
        "model.b": {"dtype": "float64", "shape": [5], "file": "bias.npy"}}}))
    note(SHARDS, "grid", {"model.w": half, "model.b": b})
    # one array per file
    folder = fresh("arrays")
    for name, array in (("layers.0.weight", w), ("layers.0.bias", b), ("embed", np.asfortranarray(e))):
        np.save(folder / f"{name}.npy", array)
    (folder / "config.json").write_text('{"hidden": 5}')
    note(SHARDS, "arrays", {"layers.0.weight": w, "layers.0.bias": b, "embed": e})
    # two kinds of shards, and MLX's name for weights
    folder = fresh("kinds")
    for i in range(2):
        np.savez(folder / f"model_shard_{i}.npz", **{f"w{i}": w[i:i + 2]})
        np.savez(folder / f"optimizer_shard_{i}.npz", **{f"w{i}.m": w[i:i + 1]})
    note(SHARDS, "kinds", {"w0": w[0:2], "w1": w[1:3], "optimizer.w0.m": w[0:1], "optimizer.w1.m": w[1:2]})


def main():
    single_arrays()
    archives()
    mlx_archives()
    shard_sets()
    for folder, rows in EXPECTED.items():
        (folder / "expected.json").write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")


main()
