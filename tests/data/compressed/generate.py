# SPDX-License-Identifier: Apache-2.0
"""Writes compressed files of other formats, and what their writers read back. Needs joblib, torch, numpy (last made with joblib 1.6.0,
torch 2.13.0, NumPy 2.4.6): python generate.py. expected.json: {file: [{dtype, name, sha256 of the elements in C order, shape}]}."""
import bz2
import gzip
import hashlib
import io
import json
import lzma
import pathlib
import pickle

import joblib
import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
RNG = np.random.default_rng(5)
PARAMS = {"dense": {"kernel": RNG.standard_normal((6, 4)).astype("f4"), "bias": np.arange(4, dtype="f4")}, "step": np.array(7)}
ARRAYS = {**PARAMS, "columns": np.asfortranarray(RNG.standard_normal((3, 5))), "names": ["a", "b"]}


def rows(tree, prefix=""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from rows(value, f"{prefix}{key}.")
        elif isinstance(value, (np.ndarray, torch.Tensor)):
            array = np.ascontiguousarray(value).reshape(np.shape(value))
            yield {"dtype": str(array.dtype), "name": prefix + key, "sha256": hashlib.sha256(array.tobytes()).hexdigest(), "shape": list(array.shape)}


def main():
    expected = {}
    openers = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open, "lzma": lambda path, mode: lzma.open(path, mode, format=lzma.FORMAT_ALONE)}
    for ending, opener in openers.items():
        with opener(HERE / f"params.pkl.{ending}", "wb") as stream:
            pickle.dump(PARAMS, stream)
        with opener(HERE / f"params.pkl.{ending}", "rb") as stream:
            expected[f"params.pkl.{ending}"] = list(rows(pickle.load(stream)))
    for method in ("zlib", "gzip", "xz"):
        joblib.dump(ARRAYS, HERE / f"{method}.joblib", compress=(method, 3))
        expected[f"{method}.joblib"] = list(rows(joblib.load(HERE / f"{method}.joblib")))
    state = torch.nn.Linear(4, 3).state_dict()
    buffer = io.BytesIO()
    torch.save(state, buffer)
    (HERE / "linear.pt.gz").write_bytes(gzip.compress(buffer.getvalue()))
    expected["linear.pt.gz"] = list(rows(torch.load(gzip.open(HERE / "linear.pt.gz"))))
    buffer = io.BytesIO()
    np.save(buffer, PARAMS["dense"]["kernel"])
    (HERE / "kernel.npy.gz").write_bytes(gzip.compress(buffer.getvalue()))
    expected["kernel.npy.gz"] = list(rows({"kernel": np.load(gzip.open(HERE / "kernel.npy.gz"))}))
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
