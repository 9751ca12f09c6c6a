# SPDX-License-Identifier: Apache-2.0
"""The arrays that TensorStore (used by Orbax) and flax.serialization read from a checkpoint, under the command line's names."""
import hashlib
import os

import numpy as np
import tensorstore as ts

MARKS = {".zarray": "zarr", "zarr.json": "zarr3"}


def row(name, array):
    array = np.asarray(array)
    return {"name": name, "dtype": array.dtype.name, "shape": list(array.shape),
            "sha256": hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()}


def stores_of(item):
    """name -> key-value store of each array below the folder of an item."""
    if os.path.exists(f"{item}/manifest.ocdbt"):
        base = {"driver": "ocdbt", "base": f"file://{item}/"}
        keys = [key.decode() for key in ts.KvStore.open(base).result().list().result()]
        return {key.rpartition("/")[0]: (MARKS[key.rpartition("/")[2]], {**base, "path": key.rpartition("/")[0] + "/"})
                for key in keys if key.rpartition("/")[2] in MARKS}
    found = {}
    for folder, _, files in os.walk(item):
        for mark, driver in MARKS.items():
            if mark in files:
                found[os.path.relpath(folder, item)] = (driver, {"driver": "file", "path": folder + "/"})
    return found


def items_of(root):
    """prefix -> folder of every tree below a step or item."""
    if any(os.path.exists(f"{root}/{name}") for name in ("manifest.ocdbt", "_METADATA")):
        return {"": root}
    folders = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    return {f"{folder}.{prefix}": place for folder in folders for prefix, place in items_of(f"{root}/{folder}").items()}


def orbax_rows(root):
    root = os.path.abspath(root)
    return sorted((row(prefix + name, ts.open({"driver": driver, "kvstore": store}, read=True).result().read().result())
                   for prefix, item in items_of(root).items()
                   for name, (driver, store) in stores_of(item).items()), key=lambda one: one["name"])


def leaves(tree, name=""):
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, f"{name}.{key}" if name else str(key))
    else:
        yield name, tree


def flax_rows(path):
    from flax import serialization
    with open(path, "rb") as file:
        tree = serialization.msgpack_restore(file.read())
    return [row(name, leaf) for name, leaf in leaves(tree) if hasattr(leaf, "dtype")]
