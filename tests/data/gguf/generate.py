#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden GGUF files beside this script, expected.json with what gguf.GGUFReader reads, and numbers.json with the
SHA-256 of the float32 numbers that gguf.quants.dequantize makes of quantised tensors.

Made with gguf 0.19; run again only when a case is added.
"""
import hashlib
import json
import struct
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Q

HERE = Path(__file__).parent
EXPECTED = {}
NUMBERS = {}
NAMES = {Q.F32: "float32", Q.F16: "float16", Q.BF16: "bfloat16", Q.F64: "float64", Q.I8: "int8", Q.I16: "int16",
         Q.I32: "int32", Q.I64: "int64"}
C_ONLY = {Q.Q8_1}  # the package uses 40 bytes per block, ggml 36
RNG = np.random.default_rng(6)
# position of the half-precision scales; mxfp4, nvfp4 and iq1_m have other scales
SCALES = {Q.Q1_0: [0], Q.Q4_0: [0], Q.Q4_1: [0, 2], Q.Q5_0: [0], Q.Q5_1: [0, 2], Q.Q8_0: [0], Q.Q2_K: [80, 82],
          Q.Q3_K: [108], Q.Q4_K: [0, 2], Q.Q5_K: [0, 2], Q.Q6_K: [208], Q.IQ1_S: [0], Q.IQ2_XXS: [0], Q.IQ2_XS: [0],
          Q.IQ2_S: [0], Q.IQ3_XXS: [0], Q.IQ3_S: [0], Q.IQ4_NL: [0], Q.IQ4_XS: [0], Q.TQ1_0: [52], Q.TQ2_0: [64]}


def sha(data):
    return hashlib.sha256(data).hexdigest()


def blocks(kind, rows, columns):
    """Random blocks with scales that are typical for weights."""
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    data = RNG.integers(0, 256, (rows * columns // elements, size), dtype=np.uint8)
    for at in SCALES.get(kind, []):
        scales = RNG.uniform(0.002, 0.02, data.shape[0]).astype(np.float16)
        data[:, at:at + 2] = scales.view(np.uint8).reshape(-1, 2)
    if kind == Q.Q8_K:
        data[:, :4] = RNG.uniform(0.002, 0.02, data.shape[0]).astype(np.float32).view(np.uint8).reshape(-1, 4)
    if kind == Q.IQ1_M:
        data[:, 49::2] = data[:, 49::2] & 0x0F | np.array([0x60, 0x30, 0x20, 0x20], np.uint8)[:data[:, 49::2].shape[1]]
    return data.reshape(rows, -1)


def describe(reader):
    listed = []
    for t in reader.tensors:
        data = t.data
        if data.dtype.byteorder == ">" or reader.byte_order == "S":
            data = data.astype(data.dtype.newbyteorder("<"))
        raw = data.tobytes()
        if reader.byte_order == "S" and t.tensor_type == Q.BF16:
            raw = np.frombuffer(raw, ">u2").astype("<u2").tobytes()
        listed.append({"name": t.name, "dtype": NAMES.get(t.tensor_type, t.tensor_type.name.lower()),
                       "shape": [int(n) for n in reversed(t.shape.tolist())], "sha256": sha(raw)})
    return listed


def note(file, readers):
    EXPECTED[file] = [row for reader in readers for row in describe(reader)]
    for reader in readers:
        for t in reader.tensors:
            if t.tensor_type in gguf.quants._type_traits and t.tensor_type != Q.BF16:
                numbers = gguf.quants.dequantize(np.ascontiguousarray(t.data), t.tensor_type)
                NUMBERS.setdefault(file, {})[t.name] = sha(numbers.astype("<f4").tobytes())


def write(name, tensors, arch="llama", endianess=gguf.GGUFEndian.LITTLE, setup=None, **more):
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    writer = gguf.GGUFWriter(path, arch, endianess=endianess, **more)
    if setup:
        setup(writer)
    for tensor, (data, kind) in tensors.items():
        writer.add_tensor(tensor, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def plain():
    return {"token_embd.weight": (RNG.standard_normal((6, 4)).astype(np.float32), None),
            "blk.0.attn_q.weight": (RNG.standard_normal((3, 5)).astype(np.float16), None),
            "blk.0.ffn_gate_exps.weight": (RNG.standard_normal((2, 3, 4)).astype(np.float64), None),
            "blk.0.ffn.bias": (np.arange(-3, 4, dtype=np.int8), None),
            "ids16": (np.arange(5, dtype=np.int16).reshape(5, 1), None),
            "ids32": (np.arange(24, dtype=np.int32).reshape(2, 3, 2, 2), None),
            "ids64": (np.array([2**40, -1]), None)}


def metadata(writer):
    writer.add_name("every kind of value")
    for kind, value in {"uint8": 255, "int8": -128, "uint16": 65535, "int16": -32768, "uint32": 2**32 - 1,
                        "int32": -2**31, "uint64": 2**64 - 1, "int64": -2**63}.items():
        getattr(writer, "add_" + kind)("test." + kind, value)
    writer.add_float32("test.float32", 0.1)
    writer.add_float64("test.float64", 0.1)
    writer.add_bool("test.bool", True)
    writer.add_string("test.text", "na\u00efve \U0001F999\n")
    writer.add_array("test.texts", ["a", "", "\u00e9"])
    writer.add_array("test.integers", [1, -2, 3])
    writer.add_array("test.floats", [0.5, -1.5])
    writer.add_array("test.truths", [True, False])
    writer.add_array("test.nested", [[1, 2], [3, 4]])
    writer.add_token_list([f"tok{i}" for i in range(400)])
    writer.add_token_scores([-float(i) for i in range(400)])


def quantised(kind, rows=2, columns=512):
    return blocks(kind, rows, columns), kind


def swap_scales(data, kind):
    data = data.copy().reshape(-1, gguf.GGML_QUANT_SIZES[kind][1])
    for at in SCALES[kind]:
        data[:, [at, at + 1]] = data[:, [at + 1, at]]
    return data


def main():
    note("plain.gguf", [gguf.GGUFReader(write("plain.gguf", plain()))])
    note("metadata.gguf", [gguf.GGUFReader(write("metadata.gguf", {"w": (np.ones(3, np.float32), None)}, setup=metadata))])
    kinds = [k for k in gguf.GGML_QUANT_SIZES if gguf.GGML_QUANT_SIZES[k][0] > 1 and k not in C_ONLY]
    types = {k.name.lower(): quantised(k) for k in kinds}
    types["bf16"] = (RNG.integers(0, 255, (2, 12), dtype=np.uint8), Q.BF16)
    note("types.gguf", [gguf.GGUFReader(write("types.gguf", types))])
    note("aligned.gguf", [gguf.GGUFReader(write("aligned.gguf", plain(), setup=lambda w: w.add_custom_alignment(128)))])
    note("no_tensors.gguf", [gguf.GGUFReader(write("no_tensors.gguf", {}, setup=metadata))])

    big = gguf.GGUFEndian.BIG
    some = plain() | {"q8_0": quantised(Q.Q8_0), "q4_k": quantised(Q.Q4_K)}
    note("big_endian.gguf", [gguf.GGUFReader(write("big_endian.gguf", some, endianess=big, setup=metadata))])
    # ggml on a big-endian machine, and the package's own converter, swap the scales; shown as the little-endian blocks
    kept = {k.name.lower(): quantised(k) for k in (Q.Q4_0, Q.Q8_0, Q.Q4_K, Q.Q6_K)}
    swapped = {n: (swap_scales(d, k).reshape(d.shape), k) for n, (d, k) in kept.items()}
    note("big_endian_scales.gguf", [gguf.GGUFReader(write("little.gguf", kept))])
    (HERE / "little.gguf").unlink()
    write("big_endian_scales.gguf", swapped, endianess=big)

    path = write("split/model.gguf", {f"blk.{i}.weight": (RNG.standard_normal((4, 8)).astype(np.float32), None) for i in range(7)}
                 | {"output.weight": quantised(Q.Q4_0)}, setup=metadata, split_max_tensors=3)
    note("split", [gguf.GGUFReader(p) for p in sorted((HERE / "split").glob("*.gguf"))])

    # The second part does not state the alignment.
    write("moved/model.gguf", {name: (np.full((6, 3), number, np.float32), None) for number, name in ((1, "first"), (2, "second"))},
          setup=lambda w: w.add_custom_alignment(4096), split_max_tensors=1)

    three = bytearray((HERE / "plain.gguf").read_bytes())
    three[4:8] = struct.pack("<I", 2)  # the same layout
    (HERE / "version2.gguf").write_bytes(three)
    EXPECTED["version2.gguf"] = EXPECTED["plain.gguf"]
    version1()
    (HERE / "expected.json").write_text(json.dumps(EXPECTED, indent=1) + "\n")
    (HERE / "numbers.json").write_text(json.dumps(NUMBERS, indent=1) + "\n")


def version1():
    """Written by hand, because no package writes it any more. Counts, lengths and dims have 32 bits."""
    data = np.arange(6, dtype=np.float32)
    text = lambda s: struct.pack("<I", len(s)) + s.encode()
    head = b"GGUF" + struct.pack("<III", 1, 1, 2)
    head += text("general.architecture") + struct.pack("<I", 8) + text("llama")
    head += text("tokenizer.ggml.tokens") + struct.pack("<III", 9, 8, 2) + text("a") + text("b")
    head += text("w") + struct.pack("<IIIIQ", 2, 3, 2, 0, 0)
    head += bytes(-len(head) % 32)
    (HERE / "version1.gguf").write_bytes(head + data.tobytes())
    EXPECTED["version1.gguf"] = [{"name": "w", "dtype": "float32", "shape": [2, 3], "sha256": sha(data.tobytes())}]


if __name__ == "__main__":
    main()
