# SPDX-License-Identifier: Apache-2.0
"""Writes pickles of NumPy arrays that are not plain numbers, joblib's and Paddle's, and adds what they hold to expected.json. Needs joblib,
scikit-learn and paddlepaddle (last made with joblib 1.6.0, scikit-learn 1.9.1, paddlepaddle 3.3.1, NumPy 2.4.6): python generate_arrays.py;
each of them is left out where its package is missing."""
import contextlib
import hashlib
import json
import pathlib
import pickle
import struct

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
RNG = np.random.default_rng(5)


def row(array):
    """As Cairn shows it: text with its length, other types than numbers as the bytes of their elements."""
    array = np.asarray(array)
    if array.dtype.kind in "SU":
        items = [item if isinstance(item, bytes) else str(item).encode() for item in array.reshape(-1).tolist()]
        return ["string", list(array.shape), hashlib.sha256(b"".join(struct.pack("<Q", len(item)) + item for item in items)).hexdigest()]
    raw = np.ascontiguousarray(array).tobytes()
    number = array.dtype.kind in "biufc" and array.dtype.itemsize <= 16 and array.dtype != np.longdouble
    shape = list(array.shape) + ([] if number else [array.dtype.itemsize])
    return [str(array.dtype) if number else "opaque", shape, hashlib.sha256(raw).hexdigest()]


def tensors(tree, prefix=""):
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        if isinstance(value, np.ma.MaskedArray):
            yield f"{prefix}{key}.data", row(value.data)
            yield f"{prefix}{key}.mask", row(np.ma.getmaskarray(value))
        elif isinstance(value, (dict, list)):
            yield from tensors(value, f"{prefix}{key}.")
        elif isinstance(value, np.ndarray) and value.dtype != object:
            yield f"{prefix}{key}", row(value)


def kinds():
    masked = np.ma.masked_array(np.arange(6.0).reshape(2, 3), mask=[[0, 1, 0], [1, 0, 0]], fill_value=-1)
    arrays = {
        "bytes": np.array([b"ab", b"c\0d", b""]), "text": np.array([["a", "\u00e4\u00e4"], ["", "x\0y"]]), "big_text": np.array(["be", "x"]).astype(">U2"),
        "fortran_text": np.asfortranarray(np.array([["a", "b", "c"], ["d", "e", "f"]])), "record": np.array([(1, 2.5), (3, 4.5)], dtype=[("i", "<i4"), ("f", "<f8")]),
        "fortran_record": np.asfortranarray(np.arange(6, dtype="<i4").view([("i", "<i2"), ("j", "<i2")]).reshape(2, 3)),
        "dates": np.array(["2020-01-01", "NaT"], dtype="M8[D]"), "spans": np.array([5, -3], dtype="m8[ms]"), "masked": masked,
        "fortran_masked": np.ma.masked_array(np.asfortranarray(masked.data), mask=np.asfortranarray(masked.mask)), "unmasked": np.ma.masked_array([1, 2, 3]),
        "weight": np.ones((2, 2), "f4"),
    }
    values = {
        "text": np.str_("hi"), "date": np.datetime64("2020-02-03"), "time": np.datetime64("2020-02-03T04:05:06.000000007"), "hour": np.datetime64("2020-02-03T04", "h"),
        "month": np.datetime64("2020-02", "M"), "year": np.datetime64("1969", "Y"), "week": np.datetime64("2020-02-03", "W"), "none": np.datetime64("NaT"),
        "span": np.timedelta64(5, "ms"), "old": np.datetime64("1901-01-01T23:59:59", "s"), "counted": np.timedelta64(2, "25s"),
    }
    return {"k": arrays, "v": values}


def write(expected, name, tree, dump, loaded, values=None):
    dump(HERE / name)
    expected[name] = {"aliases": {}, "tensors": dict(tensors(loaded(HERE / name))), "values": values or {}}


def unpickled(path):
    return pickle.loads(path.read_bytes())


def main():
    expected = json.loads((HERE / "expected.json").read_text())
    tree = kinds()
    printed = {f"v.{key}": str(value) for key, value in tree["v"].items()}
    for protocol in (2, 5):
        write(expected, f"kinds{protocol}.pkl", tree, lambda path, p=protocol: path.write_bytes(pickle.dumps(tree, p)), unpickled, printed)
    with contextlib.suppress(ImportError):
        import joblib

        arrays = {"a": RNG.standard_normal((7, 5)).astype("f4"), "f": np.asfortranarray(RNG.standard_normal((4, 6))), "scalar": np.array(7.0), "empty": np.ones((2, 0)),
                  "later": [np.arange(5), np.array([b"ab", b"c"]), np.array([(1, 2.5)], dtype=[("i", "<i4"), ("f", "<f8")])], "objects": np.array([1, "x", None], dtype=object),
                  "end": np.arange(3, dtype="i2")}
        for protocol in (2, 4):
            write(expected, f"arrays{protocol}.joblib", arrays, lambda path, p=protocol: joblib.dump(arrays, path, protocol=p), joblib.load)
    with contextlib.suppress(ImportError):
        import paddle

        paddle.seed(0)
        layer = paddle.nn.Linear(3, 4)
        layer.to(dtype="bfloat16")
        for name, tree, prefix in (("bfloat16.pdparams", layer.state_dict(), ""), ("nested.pdckpt", {"model": layer.state_dict(), "epoch": 3}, "model.")):
            paddle.save(tree, str(HERE / name))
            loaded = paddle.load(str(HERE / name))
            loaded = loaded.get("model", loaded)
            expected[name] = {"aliases": {}, "values": {}, "framework": "paddle", "tensors": {
                prefix + key: ["bfloat16", list(value.shape), hashlib.sha256(value.numpy().tobytes()).hexdigest()] for key, value in loaded.items()
                if str(value.dtype) == "paddle.bfloat16"}}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
