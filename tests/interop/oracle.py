# SPDX-License-Identifier: Apache-2.0
"""The content of a checkpoint according to the framework that wrote it, with the names of the command line.

`Oracle.add(name, object)` walks what `torch.load`, a DCP load or safetensors returned:
- `tensors[name] = {dtype, shape, sha256}`: elements in C order, little-endian, at the stored dtype;
- `values[name]`: plain numbers, strings, booleans and None (0-d tensors too, as numbers);
- `opaque`: paths whose form is not specified (sparse parts, sets, objects with tensors inside): a reader may show anything there.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
from pathlib import Path

import numpy
import torch

SPARSE = (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)
PACKED_BITS = {torch.quint4x2: 4, torch.quint2x4: 2}


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """The logical elements in C order."""
    tensor = tensor.detach().cpu()
    if tensor.is_quantized:
        if tensor.dtype not in PACKED_BITS:
            return tensor_bytes(tensor.int_repr())
        return storage_bytes(tensor, (tensor.numel() * PACKED_BITS[tensor.dtype] + 7) // 8)  # the rest of the storage is not part of the tensor
    tensor = tensor.resolve_conj().resolve_neg()
    if tensor.numel() == 0:
        return b""
    if not tensor.is_contiguous():
        tensor = tensor.contiguous()
    return storage_bytes(tensor, tensor.numel() * tensor.element_size())


def storage_bytes(tensor: torch.Tensor, count: int) -> bytes:
    return ctypes.string_at(tensor.data_ptr(), count) if count else b""


def tensor_entry(tensor: torch.Tensor) -> dict:
    return {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
            "sha256": hashlib.sha256(tensor_bytes(tensor)).hexdigest()}


def array_entry(array: numpy.ndarray) -> dict:
    little = numpy.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    return {"dtype": array.dtype.name, "shape": list(array.shape), "sha256": hashlib.sha256(little.tobytes()).hexdigest()}


def is_dtensor(value) -> bool:
    return type(value).__name__ == "DTensor"


class Oracle:
    def __init__(self) -> None:
        self.tensors: dict[str, dict] = {}
        self.values: dict[str, object] = {}
        self.opaque: list[str] = []

    def add(self, name: str, value: object) -> None:
        if isinstance(value, torch.nn.Module):
            for key, inner in value.state_dict().items():
                self.add(join(name, key), inner)
        elif isinstance(value, torch.Tensor):
            self.add_tensor(name, value)
        elif isinstance(value, (numpy.ndarray, numpy.generic)):
            self.add_numpy(name, value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                self.add(join(name, str(key)), inner)
        elif isinstance(value, (list, tuple)) and type(value) in (list, tuple, torch.Size):
            for index, inner in enumerate(value):
                self.add(join(name, str(index)), inner)
        elif value is None or isinstance(value, (bool, int, float, str)):
            self.add_plain(name, value)
        else:
            self.add_object(name, value)

    def add_tensor(self, name: str, tensor: torch.Tensor) -> None:
        if is_dtensor(tensor):
            tensor = tensor.full_tensor()
        if tensor.layout in SPARSE:
            self.opaque.append(name)
            return
        self.tensors[name] = tensor_entry(tensor)
        if tensor.dim() == 0 and not tensor.is_complex() and not tensor.is_quantized:
            self.add_plain(name, tensor.item())

    def add_numpy(self, name: str, value) -> None:
        if isinstance(value, numpy.generic):
            self.opaque.append(name)  # a NumPy scalar may be a number or a 0-d tensor
            if value.dtype.kind in "iufb":
                self.add_plain(name, value.item())
        elif value.dtype.kind in "iufcb" and value.dtype.names is None:
            self.tensors[name] = array_entry(value)
        else:
            self.opaque.append(name)

    def add_plain(self, name: str, value) -> None:
        if type(value) not in (bool, int, float, str) and value is not None:
            value = value.value if hasattr(value, "value") else str(value)  # an enum of strings
        if isinstance(value, float) and not math.isfinite(value):
            value = None
        elif isinstance(value, int) and not -(2**63) <= value < 2**64:
            value = str(value)
        self.values[name] = value

    def add_object(self, name: str, value) -> None:
        kind = type(value)
        self.opaque.append(name)
        if kind.__module__ not in ("builtins", "torch"):
            self.values[join(name, "$class")] = f"{kind.__module__}.{kind.__qualname__}"
        if kind.__name__ == "Namespace":
            inner = Oracle()
            inner.add(join(name, "$state"), vars(value))
            self.values |= inner.values

    def document(self, path: str, hint: str, facts: dict) -> dict:
        return {"path": path, "format_hint": hint, "tensors": self.tensors, "values": self.values,
                "opaque": self.opaque, "complete": "complete"} | facts

    def write(self, file: Path, path: str, hint: str, facts: dict) -> None:
        document = self.document(path, hint, facts)
        for name in facts.get("blind", ()):  # known to differ, with the reason
            document["values"].pop(name, None)
        text = json.dumps(document, indent=1, sort_keys=True, allow_nan=False)
        temporary = file.with_suffix(".tmp")
        temporary.write_text(text)
        temporary.rename(file)


def join(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
