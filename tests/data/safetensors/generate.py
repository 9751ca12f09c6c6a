#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden safetensors files beside this script and expected.json with their tensors.

Made with torch 2.13 and safetensors 0.8; run again only when a case is added.
"""
import hashlib
import json
import struct
from pathlib import Path

import torch
from safetensors.torch import save_file, save_model

HERE = Path(__file__).parent
EXPECTED = {}

# torch's name of the dtype is also Cairn's
PLAIN = [torch.bool, torch.uint8, torch.int8, torch.uint16, torch.int16, torch.uint32, torch.int32,
         torch.uint64, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64,
         torch.complex64, torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz,
         torch.float8_e5m2fnuz, torch.float8_e8m0fnu]


def values(dtype, count=6):
    raw = torch.arange(1, 1 + count * dtype.itemsize, dtype=torch.uint8)
    if dtype == torch.bool:
        raw = raw % 2
    return raw.view(dtype)


def describe(name, dtype, shape, data):
    return {"name": name, "dtype": dtype, "shape": list(shape), "sha256": hashlib.sha256(data).hexdigest()}


def note(file, tensors):
    EXPECTED[file] = [describe(name, str(t.dtype).removeprefix("torch."), t.shape,
                               bytes(t.contiguous().reshape(-1).view(torch.uint8).tolist()) if t.numel() else b"")
                      for name, t in tensors.items()]


def by_hand(file, header, data, pad=0):
    text = (header if isinstance(header, str) else json.dumps(header, separators=(",", ":"))).encode() + b" " * pad
    (HERE / file).write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    tensors = {str(d).removeprefix("torch."): values(d).reshape(2, 3) for d in PLAIN}
    tensors |= {"scalar": torch.tensor(2.5), "empty": torch.empty(0, 5), "\u00e9.weight": torch.ones(2),
                "quote\"back\\slash": torch.zeros(1)}
    save_file(tensors, HERE / "dtypes.safetensors", metadata={"format": "pt", "note": "all dtypes"})
    note("dtypes.safetensors", tensors)

    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = torch.nn.Embedding(4, 3)
            self.head = torch.nn.Linear(3, 4, bias=False)
            torch.nn.init.constant_(self.embed.weight, 0.5)
            self.head.weight = self.embed.weight

    model = Tied()
    save_model(model, HERE / "tied.safetensors", metadata={"format": "pt"})
    note("tied.safetensors", {"embed.weight": model.embed.weight.detach(), "head.weight": model.head.weight.detach()})

    # 4-bit elements: the header's shape counts elements, torch's counts bytes
    packed = torch.arange(8, dtype=torch.uint8).reshape(2, 4).view(torch.float4_e2m1fn_x2)
    save_file({"q": packed}, HERE / "float4.safetensors", metadata={"format": "pt"})
    EXPECTED["float4.safetensors"] = [describe("q", "float4_e2m1fn_x2", [2, 4], bytes(range(8)))]

    # 6-bit elements can be read, not written by the reference
    by_hand("float6.safetensors", {"s": {"dtype": "F6_E2M3", "shape": [2, 4], "data_offsets": [0, 6]}}, bytes(range(6)))
    EXPECTED["float6.safetensors"] = [describe("s", "float6_e2m3", [2, 4], bytes(range(6)))]

    # MLX and old writers do not pad the header: nothing is aligned
    by_hand("unaligned.safetensors", {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
                                      "b": {"dtype": "I8", "shape": [3], "data_offsets": [8, 11]}},
            struct.pack("<2f", 1.0, -2.0) + bytes([1, 2, 3]))
    EXPECTED["unaligned.safetensors"] = [
        describe("a", "float32", [2], struct.pack("<2f", 1.0, -2.0)), describe("b", "int8", [3], bytes([1, 2, 3]))]

    by_hand("no_tensors.safetensors", {}, b"")
    EXPECTED["no_tensors.safetensors"] = []

    per_rank()
    (HERE / "expected.json").write_text(json.dumps(EXPECTED, indent=1) + "\n")


def per_rank():
    """Like torch's HuggingFaceStorageWriter with save_distributed: each rank writes its parts."""
    folder = HERE / "per_rank"
    folder.mkdir(exist_ok=True)
    rows = torch.arange(20.0).reshape(5, 4)
    norm = torch.arange(3, dtype=torch.int64)
    for rank, (begin, end) in enumerate(((0, 3), (3, 5))):
        places = {"rows.weight": {"saved_offsets": [begin, 0]}}
        part = {"rows.weight": rows[begin:end].contiguous()}
        if rank == 1:
            places["norm.weight"] = {"saved_offsets": [0]}
            part["norm.weight"] = norm
        save_file(part, folder / f"shard-{rank + 1:05}-model-00001-of-00001.safetensors",
                  metadata={"format": "pt", "DCP_VERSION": "1.0", "DCP_SHARDING_INFO": json.dumps(places)})
    note("per_rank", {"rows.weight": rows, "norm.weight": norm})


if __name__ == "__main__":
    main()
