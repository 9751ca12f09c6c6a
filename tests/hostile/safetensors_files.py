# SPDX-License-Identifier: Apache-2.0
"""Builds safetensors files and folders of them."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from made_files import safetensors_bytes


def entry(shape=(2, 3), dtype="F32", at=(0, 24)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(at)}


def st(header=None, data=bytes(range(24)), length=None):
    """`length`: written as the header's length instead of the correct value."""
    return safetensors_bytes({"w": entry()} if header is None else header, data, length)


def index(weight_map, **more):
    return json.dumps({"metadata": {"total_size": 48}, "weight_map": weight_map, **more}).encode()


def sharded(index_text=None, **files):
    """A folder of two shards with "a" and "b"; keyword arguments replace files (None: omitted)."""
    made = {
        "model.safetensors.index.json": index_text or index({"a": "model-00001-of-00002.safetensors",
                                                             "b": "model-00002-of-00002.safetensors"}),
        "model-00001-of-00002.safetensors": st({"a": entry()}),
        "model-00002-of-00002.safetensors": st({"b": entry()}),
        "config.json": b'{"hidden_size": 3}',
    }
    names = {"first": "model-00001-of-00002.safetensors", "second": "model-00002-of-00002.safetensors",
             "config": "config.json"}
    for key, data in files.items():
        made[names[key]] = data
    return {name: data for name, data in made.items() if data is not None}
