# SPDX-License-Identifier: Apache-2.0
"""torch.save of PyTorch 0.1.10, which cannot be installed any more: a tar of sys_info, pickle, tensors and storages.

Follows its torch/serialization.py (`_save`) and the layout written by `_write_file` and `_write_metadata` of its storages and
tensors; making an oracle includes loading the result with today's torch.load (`_legacy_load`'s legacy_load).
"""

from __future__ import annotations

import io
import pickle
import struct
import tarfile
from pathlib import Path

import torch

PROTOCOL = 2
KINDS = {torch.float64: "Double", torch.float32: "Float", torch.float16: "Half", torch.int64: "Long", torch.int32: "Int",
         torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte"}


class Global:
    """A class by its name, as pickle's GLOBAL has it."""

    def __init__(self, module: str, name: str) -> None:
        self.code = f"c{module}\n{name}\n".encode()


class Pickler(pickle._Pickler):  # the Python implementation: it can write a chosen GLOBAL
    def save(self, obj, save_persistent_id=True):
        return self.write(obj.code) if isinstance(obj, Global) else super().save(obj, save_persistent_id)


def dump(obj, out, persistent_id=None) -> None:
    pickler = Pickler(out, PROTOCOL)
    if persistent_id:
        pickler.persistent_id = persistent_id
    pickler.dump(obj)


def elements(storage: torch.UntypedStorage, dtype: torch.dtype) -> bytes:
    return torch.empty(0, dtype=dtype).set_(storage).numpy().tobytes() if len(storage) else b""


def save(obj, path: Path, views: dict[str, tuple[str, int, int]] = {}) -> None:
    """`views`: names of tensors in a dict whose storages were views of another one's: name -> (root's name, offset, elements)."""
    tensors: dict[int, torch.Tensor] = {}
    cdata = lambda number: 94_000_000_000_000 + 64 * number  # keys were addresses  # noqa: E731
    keys: dict[int, int] = {}
    storages: dict[int, tuple[torch.UntypedStorage, torch.dtype]] = {}

    def key_of(value) -> int:
        return keys.setdefault(value, cdata(len(keys)))

    def persistent_id(value):
        if isinstance(value, torch.Tensor):
            tensors[key_of(("tensor", id(value)))] = value
            return str(key_of(("tensor", id(value))))
        return None

    parts = {name: io.BytesIO() for name in ("sys_info", "pickle", "tensors", "storages")}
    dump({"protocol_version": 1000, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 8}}, parts["sys_info"])
    dump(obj, parts["pickle"], persistent_id)
    out = parts["tensors"]
    dump(len(tensors), out)
    viewed = {id(obj[name]): name for name in views}
    roots = []
    for key, tensor in tensors.items():
        storage = tensor.untyped_storage()
        storage_key, offset = key_of(("storage", storage._cdata)), tensor.storage_offset()
        if id(tensor) in viewed:
            name = viewed[id(tensor)]
            root, first, count = views[name]
            storage_key, offset = key_of(("view", name)), offset - first
            roots.append((storage_key, key_of(("storage", obj[root].untyped_storage()._cdata)), first, count))
        else:
            storages[storage_key] = (storage, tensor.dtype)
        dump((key, storage_key, Global("torch", f"{KINDS[tensor.dtype]}Tensor")), out)
        out.write(struct.pack("<q", tensor.dim()))
        out.write(struct.pack(f"<{2 * tensor.dim()}q", *tensor.shape, *tensor.stride()))
        out.write(struct.pack("<q", offset))
    out = parts["storages"]
    dump(len(storages), out)
    for key, (storage, dtype) in storages.items():
        dump((key, "cpu", Global("torch", f"{KINDS[dtype]}Storage")), out)
        data = elements(storage, dtype)
        out.write(struct.pack("<q", len(data) // torch.empty(0, dtype=dtype).element_size()) + data)
    dump(roots, out)
    with tarfile.open(path, "w:", format=tarfile.PAX_FORMAT) as tar:
        for name, part in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(part.getvalue())
            info.mtime = 1_490_000_000.25  # a float, as the files of tempfile had: a header of its own
            tar.addfile(info, io.BytesIO(part.getvalue()))


def sample() -> dict:
    from collections import OrderedDict

    generator = torch.Generator().manual_seed(11)
    weight = torch.randn(4, 6, generator=generator)
    model = OrderedDict([("conv.weight", torch.randn(3, 2, 3, 3, generator=generator)), ("fc.weight", weight), ("fc.bias", torch.randn(4, generator=generator)),
                         ("tied.weight", weight), ("transposed", weight.t()), ("row", weight[2]), ("columns", weight[:, 1:4])])
    kinds = {name.lower(): (torch.arange(6) * 3 - 5).to(dtype).reshape(2, 3) for dtype, name in KINDS.items()}
    return {"epoch": 7, "arch": "resnet18", "best_prec1": 71.5, "state_dict": model, "kinds": kinds,
            "optimizer": {"state": {0: {"step": 5, "momentum_buffer": torch.ones(4, 6)}}, "param_groups": [{"lr": 0.1, "params": [0]}]}}


def with_views() -> dict:
    root = torch.arange(24, dtype=torch.float32)
    return {"root": root, "part": root[6:18].reshape(3, 4), "other": torch.arange(5)}
