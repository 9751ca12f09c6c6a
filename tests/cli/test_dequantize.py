#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantised weights whose parts contradict each other are refused, and never crash. Standard library only; what the weights are is
held to the libraries in tests/interop/test_dequantize.py.

    CAIRN_CLI=build/dev/bin/cairn-cli CAIRN_RANDOM=2000 python3 tests/cli/test_dequantize.py

CAIRN_RANDOM sets the number of random checkpoints (default 150), CAIRN_RANDOM_SEED the random seed (1)."""

from __future__ import annotations

import json
import math
import os
import random
import struct
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest, run
from made_files import floats, safetensors

COUNT = int(os.environ.get("CAIRN_RANDOM", "150"))
SEED = int(os.environ.get("CAIRN_RANDOM_SEED", "1"))
SIZES = {"F32": 4, "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "I64": 8, "I8": 1, "U8": 1, "F8_E4M3": 1}

# The parts of a weight [8, 64] or [64, 8]: dtype and shape.
LAYOUTS = {
    "gptq": {"l.qweight": ("I32", [8, 8]), "l.qzeros": ("I32", [2, 1]), "l.scales": ("F16", [2, 8]), "l.g_idx": ("I32", [64])},
    "awq": {"l.qweight": ("I32", [64, 1]), "l.qzeros": ("I32", [2, 1]), "l.scales": ("F16", [2, 8])},
    "packed": {"l.weight_packed": ("I32", [8, 8]), "l.weight_scale": ("BF16", [8, 2]), "l.weight_shape": ("I64", [2]), "l.weight_zero_point": ("I32", [1, 2])},
    "fp4": {"l.weight_packed": ("U8", [8, 32]), "l.weight_scale": ("F8_E4M3", [8, 4]), "l.weight_global_scale": ("F32", [1])},
    "mxfp4": {"l.weight_packed": ("U8", [8, 32]), "l.weight_scale": ("U8", [8, 2])},
    "mxfp8": {"l.weight": ("F8_E4M3", [8, 64]), "l.weight_scale": ("U8", [8, 2])},
    "int8": {"l.weight": ("I8", [8, 64]), "l.weight_scale": ("F32", [8, 4]), "l.weight_zero_point": ("I8", [8, 4])},
    "experts": {"e_blocks": ("U8", [2, 8, 2, 16]), "e_scales": ("U8", [2, 8, 2])},
    "rows": {"l.weight": ("I8", [8, 64]), "l.SCB": ("F32", [8])},
    "nf4": {"l.weight": ("U8", [256, 1]), "l.weight.absmax": ("F32", [8]), "l.weight.quant_map": ("F32", [16]), "l.weight.quant_state.bitsandbytes__nf4": ("U8", [0])},
    "mlx": {"l.weight": ("U32", [8, 8]), "l.scales": ("F16", [8, 2]), "l.biases": ("F16", [8, 2])},
    "quanto": {"l.weight._data": ("I8", [8, 64]), "l.weight._scale": ("F32", [8, 1])},
    "torchao": {"l.weight.qdata": ("I8", [8, 64]), "l.weight.scale": ("F32", [8, 2]), "l.weight.zero_point": ("I8", [8, 2])},
    "flattened": {"l._weight_qdata": ("F8_E4M3", [8, 64]), "l._weight_scale": ("F32", [8, 1])},
    "hqq": {"l.W_q": ("U8", [8, 32]), "l.scale": ("F16", [16, 1]), "l.zero": ("F16", [16, 1]), "l.nbits": ("I32", []), "l.shape": ("I64", [2]), "l.packing": ("U8", [7]),
            "l.compute_dtype": ("U8", [13]), "l.view_as_float": ("U8", [])},
    "float8": {"l.weight": ("F8_E4M3", [8, 64]), "l.weight_scale_inv": ("F32", [1, 1])},
}
CONFIGS = {"gptq": {"quantization_config": {"quant_method": "gptq"}}, "awq": {"quantization_config": {"quant_method": "awq"}},
           "mlx": {"quantization": {"bits": 4, "group_size": 32}}}


def content(name: str, dtype: str, shape: list[int]) -> bytes:
    if name == "l.g_idx":
        return struct.pack("<64i", *(i // 32 for i in range(64)))
    if name in ("l.weight_shape", "l.shape"):
        return struct.pack("<2q", 8, 64)
    if name in ("l.nbits", "l.packing", "l.compute_dtype", "l.view_as_float"):
        return {"l.nbits": struct.pack("<i", 4), "l.packing": b"4bit_u8", "l.compute_dtype": b"torch.float16", "l.view_as_float": b"\0"}[name]
    if "quant_state" in name:
        return json.dumps({"blocksize": 64, "dtype": "float16", "shape": [8, 64]}).encode()
    count = math.prod(shape)
    return floats(*([0.5] * count)) if dtype == "F32" else bytes([0x3C]) * (count * SIZES[dtype])


class Dequantize(CliTest):
    def write(self, layout: str, changed: dict | None = None, config: dict | None = None) -> Path:
        parts = {}
        for name, (dtype, shape) in LAYOUTS[layout].items():
            data = content(name, dtype, shape)
            parts[name] = (dtype, [len(data)] if "quant_state" in name else shape, data)
        for name, part in (changed or {}).items():
            if part is None:
                parts.pop(name)
            else:
                parts[name] = part
        folder = self.folder / f"{layout}{len(list(self.folder.iterdir()))}"
        safetensors(folder / "model.safetensors", parts | {"norm.weight": ("F32", [2], floats(1, 2))})
        (folder / "config.json").write_text(json.dumps({"model_type": "llama"} | (config if config is not None else CONFIGS.get(layout, {}))))
        return folder

    def dequantize(self, folder: Path):
        self.out = self.home / f"{folder.name}.safetensors"
        return run("consolidate", folder, "-o", self.out, "--dequantize", "--json", cwd=self.folder, env=self.environment)

    def test_each_layout_is_carried_out(self) -> None:
        for layout in LAYOUTS:
            with self.subTest(layout):
                answer = self.dequantize(self.write(layout))
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual([each["value"].split(":")[0] for each in answer.json["decisions"] if each["id"] == "dequantised"], ["1 weights"], answer.text)

    def test_parts_that_contradict_each_other_are_refused(self) -> None:
        words = bytes(256)
        state = lambda **more: json.dumps({"blocksize": 64, "dtype": "float16", "shape": [8, 64]} | more).encode()
        described = "l.weight.quant_state.bitsandbytes__nf4"
        for layout, changed, config in (
            ("gptq", {"l.g_idx": ("I32", [64], struct.pack("<64i", *([0] * 63 + [2])))}, None),
            ("gptq", {"l.g_idx": ("I32", [64], struct.pack("<64i", *([0] * 63 + [-1])))}, None),
            ("gptq", {"l.g_idx": ("I32", [8], bytes(32))}, None),
            ("gptq", {"l.qzeros": None}, None),
            ("gptq", {}, {}),
            ("gptq", {}, {"quantization_config": {"quant_method": "gptq", "checkpoint_format": "marlin"}}),
            ("awq", {}, {"quantization_config": {"quant_method": "gptq"}}),
            ("awq", {}, {"quantization_config": {"quant_method": "awq", "version": "gemv"}}),
            ("packed", {"l.weight_shape": ("I64", [2], struct.pack("<2q", 8, 1 << 40))}, None),
            ("packed", {"l.weight_shape": ("I64", [2], struct.pack("<2q", -8, 64))}, None),
            ("packed", {"l.weight_shape": ("I64", [2], struct.pack("<2q", 16, 64))}, None),
            ("packed", {"l.weight_shape": None}, None),
            ("packed", {"l.weight_zero_point": ("I32", [2, 2], bytes(16))}, None),
            ("packed", {"l.weight_g_idx": ("I32", [64], words)}, None),
            ("packed", {"l.weight": ("F32", [1], floats(1))}, None),
            ("fp4", {"l.weight_global_scale": None}, None),
            ("fp4", {"l.weight_global_scale": ("F32", [2], floats(1, 2))}, None),
            ("int8", {"l.weight_zero_point": ("I8", [8], bytes(8))}, None),
            ("int8", {"l.weight_scale": ("F32", [3, 5], bytes(60))}, None),
            ("rows", {"l.weight_format": ("U8", [1], b"\1")}, None),
            ("nf4", {described: ("U8", [3], b"{}}")}, None),
            ("nf4", {described: ("U8", [len(state(shape=[9, 64]))], state(shape=[9, 64]))}, None),
            ("nf4", {described: ("U8", [len(state(shape=[-8, -64]))], state(shape=[-8, -64]))}, None),
            ("nf4", {described: ("U8", [len(state(blocksize=0))], state(blocksize=0))}, None),
            ("nf4", {described: ("U8", [len(state(dtype="int8"))], state(dtype="int8"))}, None),
            ("nf4", {described: None}, None),
            ("mlx", {}, {}),
            ("mlx", {}, {"quantization": {"bits": 4, "group_size": 64}}),
            ("mlx", {}, {"quantization": {"bits": 3, "group_size": 32}}),
            ("mlx", {"l.biases": None}, None),
            ("torchao", {"l.weight.zero_point": ("F32", [8, 2], bytes(64))}, None),  # Int4Tensor, whose codes are packed
            ("torchao", {"l.weight.zero_point": ("I8", [8, 1], bytes(8))}, None),
            ("torchao", {"l.weight.scale": ("F32", [8, 3], bytes(96))}, None),
            ("torchao", {"l.weight.scale": ("F8_E4M3", [8, 2], bytes(16))}, None),
            ("torchao", {"l.weight.act_pre_scale": ("F32", [64], bytes(256))}, None),  # the model divides its inputs by it
            ("flattened", {"l.weight": ("F32", [1], floats(1))}, None),
            ("hqq", {"l.nbits": ("I32", [], struct.pack("<i", 3))}, None),
            ("hqq", {"l.nbits": ("I32", [], struct.pack("<i", 2))}, None),
            ("hqq", {"l.nbits": ("I32", [2], bytes(8))}, None),
            ("hqq", {"l.packing": ("U8", [7], b"2bit_u8")}, None),
            ("hqq", {"l.compute_dtype": ("U8", [13], b"torch.float32")}, None),
            ("hqq", {"l.compute_dtype": None}, None),
            ("hqq", {"l.view_as_float": ("U8", [], b"\1")}, None),
            ("hqq", {"l.shape": ("I64", [2], struct.pack("<2q", 16, 64))}, None),
            ("hqq", {"l.shape": ("I64", [2], struct.pack("<2q", -8, -64))}, None),
            ("hqq", {"l.zero": ("F32", [16, 1], bytes(64))}, None),
            ("float8", {"l.weight": ("F8_E4M3", [192, 192], bytes(192 * 192)), "l.weight_scale_inv": ("F32", [2, 2], floats(1, 2, 3, 4))}, None),
        ):
            with self.subTest(layout, changed={name: part and part[:2] for name, part in changed.items()}, config=config):
                folder = self.write(layout, changed, config)
                answer = self.dequantize(folder)
                self.assertIn(answer.code, (2, 3), answer.said())
                self.assertFalse(self.out.exists())

    def ask(self, *words: object, code: int = 0) -> dict:
        answer = run(*words, "--json", cwd=self.folder, env=self.environment)
        self.assertEqual(answer.code, code, answer.said())
        return answer.json

    def test_weights_are_compared_and_measured_as_numbers(self) -> None:
        for layout in LAYOUTS:
            with self.subTest(layout):
                folder = self.write(layout)
                self.assertEqual(self.dequantize(folder).code, 0)
                weight, shape = next((row["name"], row["shape"]) for row in self.ask("ls", self.out)["tensors"] if row["name"] != "norm.weight")
                count = math.prod(shape)
                summary = self.ask("diff", folder / "model.safetensors", self.out, "--values")["summary"]
                self.assertEqual([summary[key] for key in ("quantised_as_numbers", "quantised_as_codes", "matched", "changed", "only_left")], [1, 0, 2, 0, 0])
                rows = {row["name"]: row for row in self.ask("stats", folder)["tensors"]}
                self.assertEqual((rows[weight]["count"], rows[weight]["quantised"]["kind"]), (count, "weight"))
                self.assertEqual({row["quantised"]["kind"] for name, row in rows.items() if name not in (weight, "norm.weight")}, {"part"})
                together = self.ask("stats", folder)["together"]
                self.assertEqual(together["count"], count + 2)  # without scales
                shown = self.ask("show", folder, "--tensor", weight)
                self.assertEqual((math.prod(shown["shape"]), shown["quantised"]["kind"]), (count, "weight"))

    def test_codes_without_a_recipe_are_said_to_be_codes(self) -> None:
        folder = self.write("gptq", config={})
        rows = {row["name"]: row for row in self.ask("stats", folder)["tensors"]}
        self.assertEqual(rows["l.qweight"]["quantised"]["kind"], "codes")
        self.assertIn("config.json", rows["l.qweight"]["quantised"]["why"])
        other = self.write("gptq", {"l.qweight": ("I32", [8, 8], bytes(256))}, config={})
        answer = self.ask("diff", folder, other, "--values", "--atol", "1e30", code=1)
        changed = {row["name"]: row for row in answer["changed"]}
        self.assertEqual((changed["l.qweight"]["count_changed"], changed["l.qweight"]["max_abs"]), (64, None))
        self.assertEqual((answer["summary"]["quantised_as_codes"], answer["summary"]["max_abs"]), (1, 0))

    def test_the_same_codes_with_other_scales_are_other_weights(self) -> None:
        """Codes in a file of both checkpoints, under hard links, and scales beside them."""
        folders = []
        for scale in (0.5, 2.0):
            folder = self.folder / f"linked{scale}"
            folders.append(folder)
            folder.mkdir()
            codes = folder / "model-00001-of-00002.safetensors"
            if len(folders) == 1:
                safetensors(codes, {"l.weight": ("I8", [8, 64], bytes(range(256)) * 2)})
            else:
                os.link(folders[0] / codes.name, codes)
            safetensors(folder / "model-00002-of-00002.safetensors", {"l.weight_scale": ("F32", [8, 1], floats(*([scale] * 8)))})
            names = {"l.weight": codes.name, "l.weight_scale": "model-00002-of-00002.safetensors"}
            (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 544}, "weight_map": names}))
        changed = {row["name"]: row for row in self.ask("diff", *folders, "--values", code=1)["changed"]}
        self.assertEqual((changed["l.weight"]["by"], changed["l.weight"]["max_abs"]), ("values", 192.0))

    def test_parts_of_a_class_are_no_bundle(self) -> None:
        folder = self.write("torchao")
        answer = run("consolidate", folder, "-o", self.home / "bundle", "--bundle", "--json", cwd=self.folder, env=self.environment)
        self.assertEqual(answer.code, 3, answer.said())
        self.assertIn("--dequantize", answer.text)

    def test_what_the_header_of_a_folder_records_is_carried(self) -> None:
        """transformers writes torchao's recipe into the header of model.safetensors, beside config.json."""
        folder = self.write("flattened")
        parts = {name: (dtype, shape, content(name, dtype, shape)) for name, (dtype, shape) in LAYOUTS["flattened"].items()}
        recipe = {"tensor_names": '["l.weight"]', "l.weight": '{"_type": "Float8Tensor"}', "format": "pt"}
        safetensors(folder / "model.safetensors", parts, recipe)
        for options, carried in (((), recipe), (("--dequantize",), {"format": "pt"})):
            out = self.home / f"carried{len(options)}.safetensors"
            answer = self.ask("consolidate", folder, "-o", out, *options)
            data = out.read_bytes()
            header = json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])
            self.assertEqual(header["__metadata__"], carried)
            self.assertIn("metadata", [each["id"] for each in answer["decisions"]])  # carried, or left out

    def test_what_the_headers_of_shards_record_is_carried_if_they_agree(self) -> None:
        for indexed in (False, True):
            folder = self.home / f"shards{indexed}"
            texts = {"recipe": "a", "format": "pt"} | {f"key{number}": "b" for number in range(1500)}
            for number, more in ((1, {"step": "1"}), (2, {"step": "2", "only": "here"})):
                safetensors(folder / f"model-{number:05}-of-00002.safetensors", {f"w{number}": ("F32", [1], floats(number))}, texts | more)
            if indexed:
                names = {f"w{number}": f"model-{number:05}-of-00002.safetensors" for number in (1, 2)}
                (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 8}, "weight_map": names}))
            out = self.home / f"joined{indexed}.safetensors"
            answer = self.ask("consolidate", folder, "-o", out)
            data = out.read_bytes()
            header = json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])
            self.assertEqual(header["__metadata__"], texts)
            said = {each["value"]: each["why"] for each in answer["decisions"] if each["id"] == "metadata"}
            self.assertEqual(said["left out: step, only"], "The source's files differ in it")
            self.assertIn("recipe, key0, key1, and 1498 more", said)
            metadata = self.ask("info", folder)["values"]["__metadata__"]
            self.assertEqual(metadata["step"], {"model-00001-of-00002.safetensors": "1", "model-00002-of-00002.safetensors": "2"})
            told = self.ask("consolidate", folder, "-o", self.home / f"joined{indexed}.pt", "--to", "torch")
            self.assertIn("left out: recipe, key0, key1, and 1498 more", [each["value"] for each in told["decisions"] if each["id"] == "metadata"])

    def test_random_parts_never_crash(self) -> None:
        chance = random.Random(SEED)
        codes: dict[int, int] = {}
        for _ in range(COUNT):
            layout = chance.choice(list(LAYOUTS))
            changed = {}
            for name, (dtype, shape) in LAYOUTS[layout].items():
                if chance.random() < 0.5:
                    dtype = chance.choice(list(SIZES)) if chance.random() < 0.4 else dtype
                    shape = [max(0, extent + chance.choice((-1, 0, 0, 1, extent, -extent))) for extent in shape]
                    shape = shape[: chance.randint(0, len(shape))] if chance.random() < 0.2 else shape
                    changed[name] = (dtype, shape, chance.randbytes(math.prod(shape) * SIZES[dtype]))
            answer = self.dequantize(self.write(layout, changed))
            codes[answer.code] = codes.get(answer.code, 0) + 1
            self.assertIn(answer.code, (0, 2, 3), (layout, {name: part[:2] for name, part in changed.items()}, answer.said()))
        print(f"{COUNT} random checkpoints by exit code: {codes}")
        self.assertGreater(min(codes.get(0, 0), codes.get(3, 0)), 0)


if __name__ == "__main__":
    unittest.main()
