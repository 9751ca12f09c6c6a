# SPDX-License-Identifier: Apache-2.0
"""Files around hostile pickles: arrays of objects, compressions, archives, models. See hostile_pickles.py."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
import torch

from hostile_pickles import Collection, load_pickle, load_torch, touch


def load_numpy(path):
    loaded = np.load(path, allow_pickle=True)
    return [loaded[name] for name in loaded.files] if hasattr(loaded, "files") else loaded


def load_numpy_twice(path):
    with open(path, "rb") as stream:
        return np.load(stream, allow_pickle=True), np.load(stream, allow_pickle=True)


def load_joblib(path):
    import joblib

    return joblib.load(path)


def load_pandas(path):
    import pandas

    return pandas.read_pickle(path)


def load_through(opener):
    def load(path):
        with opener(path) as stream:
            return pickle.load(stream)

    return load


def load_zstd(path):
    import zstandard

    with zstandard.open(path, "rb") as stream:
        return pickle.loads(stream.read())


def load_member(path):
    """The first member, through zipfile."""
    with zipfile.ZipFile(path) as archive:
        return pickle.loads(archive.read(archive.infolist()[0]))


def load_tar_member(path):
    with tarfile.open(path) as archive:
        for member in archive:
            stream = archive.extractfile(member)
            if stream is None:
                continue
            data = stream.read()
            if data[:2] in (b"\x1f\x8b", b"PK") or data[257:262] == b"ustar":
                with tarfile.open(fileobj=io.BytesIO(data)) as inner:
                    return pickle.loads(inner.extractfile(inner.next()).read())
            return pickle.loads(data)


def load_keras(path):
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras

    model = keras.saving.load_model(path, safe_mode=False)
    return model(np.zeros((1, 2), "float32"))


class Touch:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def numpy_files(c: Collection) -> None:
    def array(k):
        made = np.empty(1, dtype=object)
        made[0] = Touch(k)
        return made

    def npy(k, version=None, padding=0) -> bytes:
        out = io.BytesIO()
        np.lib.format.write_array(out, array(k), version=version)
        return out.getvalue()

    def numbers() -> bytes:
        out = io.BytesIO()
        np.save(out, np.arange(5))
        return out.getvalue()

    c.add("npy", load_numpy, lambda p, k: npy(k), ".npy")
    c.add("npy_v2", load_numpy, lambda p, k: npy(k, (2, 0)), ".npy")
    c.add("npy_v3", load_numpy, lambda p, k: npy(k, (3, 0)), ".bin")
    c.add("npy_by_hand", load_numpy, lambda p, k: npy(k)[:128] + b"N0" + touch(k) + b".", ".npy")

    def long_header(p, k):
        text = "{'descr': '|O', 'fortran_order': False, 'shape': (1,)" + " " * 200_000 + "}\n"
        return b"\x93NUMPY\2\0" + struct.pack("<I", len(text)) + text.encode() + b"]0" + touch(k) + b"."

    c.add("npy_long_header", load_numpy, long_header, ".npy")

    def structured(p, k):
        text = "{'descr': [('a', '<f4'), ('b', 'O')], 'fortran_order': False, 'shape': (1,)}\n"
        return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode() + touch(k) + b"."

    c.add("npy_structured", load_numpy, structured, ".npy")
    c.add("npy_second_array", load_numpy_twice, lambda p, k: numbers() + npy(k), ".npy")

    methods = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED, "bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}
    for name, method in methods.items():
        def npz(p, k, m=method):
            with zipfile.ZipFile(p, "w", m) as archive:
                archive.writestr("a.npy", numbers())
                archive.writestr("b.npy", npy(k))

        c.add(f"npz_{name}", load_numpy, npz, ".npz")
    c.add("np_load_of_a_pickle", load_numpy, lambda p, k: b"(1" + touch(k) + b".", ".npz")


def compressed(c: Collection) -> None:
    endings = {"gzip": (gzip.compress, gzip.open, ".gz"), "bz2": (bz2.compress, bz2.open, ".bz2"), "xz": (lzma.compress, lzma.open, ".xz"),
               "lzma_alone": (lambda b: lzma.compress(b, format=lzma.FORMAT_ALONE), lzma.open, ".lzma")}
    for name, (pack, opener, ending) in endings.items():
        c.add(f"{name}_file", load_through(opener), lambda p, k, f=pack: f(b"N0" + touch(k) + b"."), ending)
        c.add(f"{name}_odd_name", load_through(opener), lambda p, k, f=pack: f(touch(k) + b"."), ".bin")
        c.add(f"{name}_two_members", load_through(opener), lambda p, k, f=pack: f(b"N0") + f(touch(k) + b"."), ending)
        c.add(f"{name}_cut", load_through(opener), lambda p, k, f=pack: f(touch(k) + b"N0" * 300_000 + b".")[:-9], ending)
        c.add(f"{name}_then_zeros", load_through(opener), lambda p, k, f=pack: f(touch(k) + b"." + bytes(60_000_000)), ending)
    c.add("lzma_custom_properties", load_through(lzma.open),
          lambda p, k: lzma.compress(touch(k) + b".", format=lzma.FORMAT_ALONE, filters=[{"id": lzma.FILTER_LZMA1, "lc": 0, "lp": 2, "pb": 0, "dict_size": 65536}]), ".bin")
    c.add("gzip_in_gzip", lambda p: pickle.loads(gzip.decompress(gzip.decompress(p.read_bytes()))), lambda p, k: gzip.compress(gzip.compress(touch(k) + b".")), ".gz")

    def zstd(p, k):
        import zstandard

        return zstandard.compress(b"N0" + touch(k) + b".")

    c.add("zstd", load_zstd, zstd, ".zst")

    def joblib_file(compress, protocol=None):
        def make(p, k):
            import joblib

            joblib.dump({"a": np.arange(2000.0), "b": Touch(k)}, p, compress=compress, protocol=protocol)

        return make

    for name, compress in {"plain": 0, "zlib": ("zlib", 3), "gzip": ("gzip", 3), "bz2": ("bz2", 3), "lzma": ("lzma", 3), "xz": ("xz", 3)}.items():
        c.add(f"joblib_{name}", load_joblib, joblib_file(compress), ".joblib")
    c.add("joblib_protocol_2", load_joblib, joblib_file(0, 2), ".joblib")
    c.add("joblib_lz4", load_joblib, joblib_file(("lz4", 3)), ".joblib", known=False)

    def joblib_objects(p, k):
        import joblib

        array = np.empty(2, dtype=object)
        array[0] = Touch(k)
        joblib.dump([np.arange(9), array], p)

    c.add("joblib_object_array", load_joblib, joblib_objects, ".joblib")

    def zfile(p, k):
        import joblib

        data = touch(k) + b"."
        return b"ZF" + hex(len(data)).encode().ljust(19) + zlib.compress(data)

    c.add("joblib_zfile", load_joblib, zfile, ".z")

    def pandas_file(p, k):
        import pandas

        frame = {"a": Touch(k)}
        pandas.to_pickle(frame, p)

    for ending in (".pkl", ".gz", ".bz2", ".xz", ".zip", ".zst", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz"):
        c.add(f"pandas{ending.replace('.', '_')}", load_pandas, pandas_file, ending)


def archives(c: Collection) -> None:
    methods = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED, "bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}
    names = ["data.pkl", "x/data/0", "weights.bin", "folder/", "a.txt", "config.json"]
    for name, method in methods.items():
        for i, member in enumerate(names):
            def make(p, k, m=method, n=member):
                with zipfile.ZipFile(p, "w") as archive:
                    info = zipfile.ZipInfo(n)
                    info.compress_type = m
                    if n.endswith("/"):
                        info.filename = "folder_"
                    archive.writestr(info, b"N0" + touch(k) + b".")
                if n.endswith("/"):
                    p.write_bytes(p.read_bytes().replace(b"folder_", b"folder/"))

            if i < 2 or method in (zipfile.ZIP_STORED, zipfile.ZIP_LZMA):
                c.add(f"zip_{name}_{i}", load_member, make, ".zip")

    def prefixed(p, k):
        with zipfile.ZipFile(p, "w") as archive:
            archive.writestr("a", touch(k) + b".")
        p.write_bytes(b"#!/bin/sh\nexit 0\n" + p.read_bytes())

    c.add("zip_behind_bytes", load_member, prefixed, ".bin")

    def prefixed_right(p, k):
        with open(p, "wb") as out:
            out.write(b"\0" * 4096)
            with zipfile.ZipFile(out, "a") as archive:
                archive.writestr("a", touch(k) + b".")

    c.add("zip_appended", load_member, prefixed_right, ".bin")

    def nested_zip(p, k):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a", touch(k) + b".")
        with zipfile.ZipFile(p, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inner", inner.getvalue())

    c.add("zip_in_zip", lambda p: load_member(io.BytesIO(zipfile.ZipFile(p).read("inner"))), nested_zip, ".zip")

    def torch_zip(p, k):
        torch.save({"w": torch.ones(3), "x": Touch(k)}, p)

    c.add("torch_zip", load_torch, torch_zip, ".pt")

    def torch_deflated(p, k):
        torch_zip(p, k)
        with zipfile.ZipFile(p) as archive:
            records = [(info.filename, archive.read(info)) for info in archive.infolist()]
        with zipfile.ZipFile(p, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in records:
                archive.writestr(name, data)

    c.add("torch_zip_deflated", load_torch, torch_deflated, ".pt")

    def torch_odd(p, k):
        torch.save({"w": torch.ones(3)}, p)
        with zipfile.ZipFile(p) as archive:
            records = [(info.filename, archive.read(info)) for info in archive.infolist()]
        with zipfile.ZipFile(p, "w") as archive:
            for name, data in records:
                archive.writestr(name, (b"]0" + touch(k) + b".") if name.endswith("data.pkl") else data)

    c.add("torch_zip_no_proto", load_torch, torch_odd, ".bin")

    def tar(mode, name="a.bin", depth=0):
        def make(p, k):
            data = b"N0" + touch(k) + b"."
            for _ in range(depth):
                inner = io.BytesIO()
                with tarfile.open(fileobj=inner, mode="w") as archive:
                    info = tarfile.TarInfo("x")
                    info.size = len(data)
                    archive.addfile(info, io.BytesIO(data))
                data = inner.getvalue()
            with tarfile.open(p, mode) as archive:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))

        return make

    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        c.add(f"tar_{mode.replace(':', '_')}", load_tar_member, tar(mode), ".nemo")
    c.add("tar_long_name", load_tar_member, tar("w", "n" * 180), ".tar")
    c.add("tar_in_tar", load_tar_member, tar("w", depth=1), ".tar")

    def odd_type(p, k):
        data = touch(k) + b"."
        with tarfile.open(p, "w") as archive:
            info = tarfile.TarInfo("odd")
            info.size = len(data)
            info.type = b"Z"
            archive.addfile(info, io.BytesIO(data))

    c.add("tar_unknown_type", load_tar_member, odd_type, ".tar")

    def legacy_tar(p, k):
        with tarfile.open(p, "w", format=tarfile.PAX_FORMAT) as archive:
            for name, data in (("storages", touch(k) + b"0K\0."), ("tensors", b"K\0."), ("pickle", b"}.")):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))

    c.add("torch_tar", load_torch, legacy_tar, ".pth")

    def dcp(p, k):
        import torch.distributed.checkpoint as checkpoint

        folder = p.parent / "dcp"
        checkpoint.save({"w": torch.ones(2), "item": Touch(k)}, checkpoint_id=str(folder), no_dist=True)
        return folder

    def load_dcp(path):
        import torch.distributed.checkpoint as checkpoint

        state = {"w": torch.ones(2), "item": None}
        checkpoint.load(state, checkpoint_id=str(path), no_dist=True)

    c.add("dcp_item", load_dcp, dcp)

    def dcp_hidden(p, k):
        folder = p.parent / "dcp"
        import torch.distributed.checkpoint as checkpoint

        checkpoint.save({"w": torch.ones(2)}, checkpoint_id=str(folder), no_dist=True)
        (folder / "__1_0.distcp").write_bytes(b"N0" + touch(k) + b".")
        return folder / "__1_0.distcp"

    c.add("dcp_foreign_shard", load_pickle, dcp_hidden)
    c.samples[-1].scan = c.folder / "dcp_foreign_shard" / "dcp"

    def lambda_model(p, k):
        os.environ.setdefault("KERAS_BACKEND", "torch")
        import keras

        body = eval(f"lambda x: (__import__('os').system('touch {k}'), x)[1]")
        model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Lambda(body)])
        model.save(p)
        Path(k).unlink(missing_ok=True)

    c.add("keras_lambda", load_keras, lambda_model, ".keras")
    c.add("keras_lambda_h5", load_keras, lambda_model, ".h5")
