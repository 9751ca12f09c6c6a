# SPDX-License-Identifier: Apache-2.0
"""Quantised weights as numbers, bit by bit as their libraries compute them: compressed-tensors, transformers and MLX themselves;
bitsandbytes, AutoAWQ, GPTQ, ModelOpt and quanto by their expressions in torch (they need a GPU, or a compiler, to be installed)."""

from __future__ import annotations

import json
import math
import random
import unittest
from pathlib import Path

import gguf
import numpy
import torch
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

from support import run
from test_transforms import Transforms

HALVES = (torch.bfloat16, torch.float16)
FP4 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


class Made:
    """A weight as it is stored, the weight that its library gives, and what config.json says."""

    def __init__(self, parts: dict[str, torch.Tensor], weight: torch.Tensor, config: dict | None = None, name: str = "l.weight") -> None:
        self.parts, self.weight, self.config, self.name = parts, weight, config, name


def compressed(form: str, weights: dict, scale: torch.Tensor, zeros: torch.Tensor | None, shape: tuple[int, int], **more: torch.Tensor) -> Made:
    """By compressed-tensors."""
    scheme = QuantizationScheme(targets=["Linear"], weights=QuantizationArgs(**weights))
    state = {"weight": torch.randn(*shape).to(scale.dtype), "weight_scale": scale, **more}
    if zeros is not None:
        state["weight_zero_point"] = zeros
    compressor = BaseCompressor.get_value_from_registry(form)
    stored = compressor.compress(state, scheme)
    weight = compressor.decompress(stored, scheme)["weight"]
    return Made({f"l.{name}": tensor.detach() for name, tensor in stored.items()}, weight)


def integers(chance: random.Random) -> Made:
    dtype, rows, groups = chance.choice((*HALVES, torch.float32)), chance.randint(1, 9), chance.choice((0, 1, 4))
    columns = max(groups, 1) * chance.choice((8, 32, 40))
    symmetric = chance.random() < 0.5
    grid = (1,) if groups == 0 else (rows, groups)
    strategy = {"strategy": "tensor"} if groups == 0 else {"strategy": "channel"} if groups == 1 else {"strategy": "group", "group_size": columns // groups}
    zeros = None if symmetric else torch.randint(-100, 100, grid, dtype=torch.int8)
    return compressed("int-quantized", {"num_bits": 8, "type": "int", "symmetric": symmetric, **strategy}, (torch.rand(grid) + 0.1).to(dtype), zeros, (rows, columns))


def words(chance: random.Random) -> Made:
    dtype, rows, groups, bits = chance.choice(HALVES), chance.randint(1, 40), chance.choice((1, 3, 4)), chance.choice((2, 4, 8))
    columns = groups * chance.choice((32, 64, 128)) if groups > 1 else chance.choice((33, 70, 129))
    symmetric = chance.random() < 0.5
    most = 1 << bits - 1
    zeros = None if symmetric else torch.randint(-most, most, (rows, groups), dtype=torch.int8)
    strategy = {"strategy": "channel"} if groups == 1 else {"strategy": "group", "group_size": columns // groups}
    return compressed("pack-quantized", {"num_bits": bits, "type": "int", "symmetric": symmetric, **strategy}, (torch.rand(rows, groups) + 0.1).to(dtype), zeros, (rows, columns))


def float4(chance: random.Random) -> Made:
    rows, groups = chance.randint(1, 40), chance.randint(1, 5)
    if chance.random() < 0.5:
        scale = 2.0 ** torch.randint(-9, 9, (rows, groups)).float()
        return compressed("mxfp4-pack-quantized", {"num_bits": 4, "type": "float", "strategy": "group", "group_size": 32}, scale.bfloat16(), None, (rows, groups * 32))
    scale = (torch.rand(rows, groups) * 400 + 1).to(torch.float8_e4m3fn).float()
    return compressed("nvfp4-pack-quantized", {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16}, scale, None,
                      (rows, groups * 16), weight_global_scale=torch.rand(1) * 1000 + 1)


def exponents(chance: random.Random) -> Made:
    rows, groups = chance.randint(1, 40), chance.randint(1, 5)
    return compressed("mxfp8-quantized", {"num_bits": 8, "type": "float", "strategy": "group", "group_size": 32, "scale_dtype": torch.uint8},
                      2.0 ** torch.randint(-9, 9, (rows, groups)).float(), None, (rows, groups * 32))


def experts(chance: random.Random) -> Made:
    count, rows, blocks = chance.randint(1, 3), chance.choice((2, 33, 64)), chance.randint(1, 40)
    codes = torch.randint(0, 256, (count, rows, blocks, 16), dtype=torch.uint8)
    scales = torch.randint(110, 140, (count, rows, blocks), dtype=torch.uint8)
    return Made({"mlp.gate_up_proj_blocks": codes, "mlp.gate_up_proj_scales": scales}, convert_moe_packed_tensors(codes, scales), name="mlp.gate_up_proj")


def mlx(chance: random.Random) -> Made:
    import mlx.core as mx

    bits, group, dtype = chance.choice((2, 4, 8)), chance.choice((32, 64, 128)), chance.choice((mx.float16, mx.bfloat16, mx.float32))
    weight = mx.random.normal((chance.randint(1, 40), group * chance.randint(1, 4)), key=mx.random.key(chance.randrange(1 << 30))).astype(dtype)
    codes, scales, biases = mx.quantize(weight, group_size=group, bits=bits)
    given = mx.dequantize(codes, scales, biases, group_size=group, bits=bits)
    kinds = {mx.float16: torch.float16, mx.bfloat16: torch.bfloat16, mx.float32: torch.float32}

    def torch_of(array: mx.array) -> torch.Tensor:
        if array.dtype == mx.uint32:
            return torch.tensor(array.tolist(), dtype=torch.int64).to(torch.uint32)
        return torch.tensor(array.astype(mx.float32).tolist()).to(kinds[array.dtype])

    settings = {"group_size": group, "bits": bits}
    if chance.random() < 0.5:  # another one for this module
        settings = {"group_size": 32 if group != 32 else 64, "bits": 4, "l": settings}
    return Made({"l.weight": torch_of(codes), "l.scales": torch_of(scales), "l.biases": torch_of(biases)}, torch_of(given), {"quantization": settings})


def packed(values: torch.Tensor, bits: int, dim: int, order: list[int] | None = None) -> torch.Tensor:
    """In 32-bit words along a dimension; `order`: which element is at which place."""
    moved = values.long().movedim(dim, -1).unflatten(-1, (-1, 32 // bits))
    moved = moved[..., order] if order else moved
    folded = (moved << (torch.arange(32 // bits) * bits)).sum(-1)
    return torch.where(folded >= 1 << 31, folded - (1 << 32), folded).to(torch.int32).movedim(-1, dim).contiguous()


def gptq(chance: random.Random) -> Made:
    bits, groups, dtype = chance.choice((2, 4, 8)), chance.randint(1, 4), chance.choice(HALVES)
    inputs, outputs = groups * chance.choice((32, 64)), chance.choice((16, 32, 80))
    codes = torch.randint(0, 1 << bits, (inputs, outputs))
    zeros = torch.randint(0, 1 << bits, (groups, outputs))
    scales = torch.rand(groups, outputs).to(dtype)
    order = torch.arange(inputs) // (inputs // groups)
    if chance.random() < 0.5:
        order = order[torch.randperm(inputs, generator=torch.Generator().manual_seed(chance.randrange(1 << 30)))]
    second = chance.random() < 0.5
    weight = (scales[order] * (codes - zeros[order]).to(dtype)).T
    stored = packed(zeros, bits, 1)
    if not second:  # GPTQModel's first format: one less in each code, of whole words, so that 0 borrows from the next code
        stored = (stored.long() - sum(1 << shift for shift in range(0, 32, bits))).to(torch.int32)
    parts = {"l.qweight": packed(codes, bits, 0), "l.qzeros": stored, "l.scales": scales}
    if chance.random() < 0.8 or not torch.equal(order, order.sort().values):
        parts["l.g_idx"] = order.to(torch.int32)
    return Made(parts, weight, {"quantization_config": {"quant_method": "gptq", "bits": bits} | ({"checkpoint_format": "gptq_v2"} if second else {})})


def awq(chance: random.Random) -> Made:
    groups, outputs, dtype = chance.randint(1, 4), chance.choice((16, 32, 80)), chance.choice(HALVES)
    inputs = groups * chance.choice((32, 64))
    codes, zeros = torch.randint(0, 16, (inputs, outputs)), torch.randint(0, 16, (groups, outputs))
    scales = torch.rand(groups, outputs).to(dtype)
    size, order = inputs // groups, [0, 2, 4, 6, 1, 3, 5, 7]
    weight = ((codes - zeros.repeat_interleave(size, 0)).to(dtype) * scales.repeat_interleave(size, 0)).T
    return Made({"l.qweight": packed(codes, 4, 1, order), "l.qzeros": packed(zeros, 4, 1, order), "l.scales": scales}, weight,
                {"quantization_config": {"quant_method": "awq", "bits": 4, "version": "gemm"}})


def rows_of_int8(chance: random.Random) -> Made:
    codes, maxima = torch.randint(-127, 128, (chance.randint(1, 40), chance.randint(1, 90)), dtype=torch.int8), None
    maxima = torch.rand(codes.shape[0]) + 0.1
    parts = {"l.weight": codes, "l.SCB": maxima} | ({"l.weight_format": torch.tensor(0, dtype=torch.uint8)} if chance.random() < 0.5 else {})
    return Made(parts, codes * maxima.view(-1, 1) * 7.874015718698502e-3)


def four_bits(chance: random.Random) -> Made:
    dtype, block, shape = chance.choice((*HALVES, torch.float32)), chance.choice((64, 128)), (chance.randint(1, 33), chance.choice((64, 100, 256)))
    count = shape[0] * shape[1]
    blocks = math.ceil(count / block)
    table = torch.sort(torch.randn(16)).values
    codes = torch.randint(0, 16, (count + count % 2,))
    state = {"quant_type": "nf4", "blocksize": block, "dtype": str(dtype).removeprefix("torch."), "shape": list(shape)}
    parts = {"l.weight": (codes[::2] << 4 | codes[1::2]).to(torch.uint8).unsqueeze(1), "l.weight.quant_map": table}
    if chance.random() < 0.5:
        inner, quantised, offset = torch.sort(torch.randn(256)).values, torch.randint(0, 256, (blocks,), dtype=torch.uint8), chance.random()
        scales = torch.rand(math.ceil(blocks / 256)) + 0.5
        maxima = inner[quantised.long()] * scales.repeat_interleave(256)[:blocks] + offset
        parts |= {"l.weight.absmax": quantised, "l.weight.nested_absmax": scales, "l.weight.nested_quant_map": inner}
        state |= {"nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": offset}
    else:
        maxima = torch.rand(blocks) + 0.1
        parts["l.weight.absmax"] = maxima
    parts["l.weight.quant_state.bitsandbytes__nf4"] = torch.tensor(list(json.dumps(state).encode()), dtype=torch.uint8)
    weight = (table[codes[:count]] * maxima.repeat_interleave(block)[:count]).reshape(shape).to(dtype)
    return Made(parts, weight)


def modelopt(chance: random.Random) -> Made:
    rows, groups = chance.randint(1, 40), chance.randint(1, 5)
    codes = torch.randint(0, 256, (rows, groups * 8), dtype=torch.uint8)
    scales, second = (torch.rand(rows, groups) * 400).to(torch.float8_e4m3fn), torch.rand(()) + 0.01
    numbers = (FP4 + 0)[torch.stack((codes & 15, codes >> 4), -1).long()].reshape(rows, groups, 16)  # its table has no -0
    return Made({"l.weight": codes, "l.weight_scale": scales, "l.weight_scale_2": second},
                (numbers * (scales.float() * second).unsqueeze(-1)).reshape(rows, groups * 16))


def quanto(chance: random.Random) -> Made:
    dtype, rows = chance.choice((*HALVES, torch.float32)), chance.randint(1, 40)
    codes = torch.randint(-127, 128, (rows, chance.randint(1, 90)), dtype=torch.int8)
    codes = codes if chance.random() < 0.5 else torch.randn(codes.shape).to(torch.float8_e4m3fn)
    scale = (torch.rand(rows, 1) if chance.random() < 0.5 else torch.rand(())).to(dtype)
    return Made({"l.weight._data": codes, "l.weight._scale": scale}, scale * codes.to(dtype))


# What the library gives in any dtype is float32 here, as --dtype fp32 makes it.
ANY_DTYPE = {rows_of_int8, modelopt}
LAYOUTS = (integers, words, float4, exponents, experts, mlx, gptq, awq, rows_of_int8, four_bits, modelopt, quanto)


class Large(random.Random):
    """Weights of millions of elements, which are computed in several tiles."""

    def randint(self, least: int, most: int) -> int:
        return super().randint(max(least, 2), most) * 29


class Dequantized(Transforms):
    def saved(self, made: Made, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir()
        save_file(made.parts | {"norm.weight": torch.ones(4), "head.weight": torch.randn(8, 8)}, folder / "model.safetensors")
        if made.config is not None:
            (folder / "config.json").write_text(json.dumps({"model_type": "llama"} | made.config))
        return folder / "model.safetensors"

    def test_each_layout_gives_the_weights_of_its_library(self) -> None:
        for layout in LAYOUTS:
            for seed in range(9):
                with self.subTest(layout.__name__, seed=seed):
                    torch.manual_seed(seed)
                    made = layout(random.Random(seed) if seed < 8 else Large(0))
                    source, out = self.saved(made, f"{layout.__name__}-{seed}"), self.folder / f"{layout.__name__}-{seed}.safetensors"
                    extra = ("--dtype", "fp32") if layout in ANY_DTYPE else ()
                    self.made("consolidate", source, "-o", out, "--dequantize", *extra)
                    found = load_file(out)
                    self.assertEqual(set(found), {made.name, "norm.weight", "head.weight"})
                    self.assert_bits(found[made.name], made.weight.contiguous(), str({name: (part.dtype, part.shape) for name, part in made.parts.items()}))
                    self.assertEqual(run("verify", source, out, "--json").code, 0)

    def test_means_are_those_of_the_numbers(self) -> None:
        for layout in LAYOUTS:
            with self.subTest(layout.__name__):
                members = []
                for number in range(2):
                    torch.manual_seed(number)
                    members.append(layout(random.Random(3)))
                paths = [self.saved(made, f"{layout.__name__}-{number}") for number, made in enumerate(members)]
                out = self.folder / f"{layout.__name__}.safetensors"
                self.assertEqual(run("average", *paths, "-o", out, "--json").code, 3)
                self.made("average", *paths, "-o", out, "--dequantize", "--dtype", "fp32")
                found = load_file(out)
                self.assertEqual(set(found), {members[0].name, "norm.weight", "head.weight"})
                mean = (torch.zeros(1, dtype=torch.float64) + members[0].weight.double() + members[1].weight.double()) / 2
                self.assert_bits(found[members[0].name], mean.float().contiguous(), "mean")

    def test_means_of_ggml_blocks(self) -> None:
        random, paths, wanted = numpy.random.default_rng(5), [], []
        for number in range(2):
            paths.append(self.folder / f"{number}.gguf")
            writer = gguf.GGUFWriter(paths[-1], "llama")
            codes = gguf.quants.quantize(random.normal(size=(6, 64)).astype(numpy.float32), gguf.GGMLQuantizationType.Q8_0)
            writer.add_tensor("blk.0.attn_q.weight", codes, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
            writer.close()
            wanted.append(gguf.quants.dequantize(codes, gguf.GGMLQuantizationType.Q8_0).astype(numpy.float64))
        out = self.folder / "mean.safetensors"
        answer = run("average", *paths, "-o", out, "--json")
        self.assertEqual(answer.code, 3, answer.said())
        self.assertIn("--dequantize", answer.text)
        self.made("average", *paths, "-o", out, "--dequantize", "--dtype", "fp32")
        self.assert_bits(load_file(out)["blk.0.attn_q.weight"], torch.tensor((0 + wanted[0] + wanted[1]) / 2).float(), "mean")

    def test_what_the_config_says_must_be_there(self) -> None:
        for layout in (mlx, gptq, awq):
            with self.subTest(layout.__name__):
                torch.manual_seed(1)
                made = layout(random.Random(1))
                made.config = None
                source = self.saved(made, layout.__name__)
                answer = run("consolidate", source, "-o", self.folder / "out.safetensors", "--dequantize", "--json")
                self.assertEqual(answer.code, 3, answer.text)
                self.assertIn("config.json", answer.text)

    def test_the_config_decides_the_size_of_blocks(self) -> None:
        torch.manual_seed(2)
        codes, scales = torch.randn(192, 192).to(torch.float8_e4m3fn), torch.rand(2, 2)
        for size in (96, 128, None):
            with self.subTest(size):
                made = Made({"l.weight": codes, "l.weight_scale_inv": scales}, codes, size and {"quantization_config": {"quant_method": "fp8", "weight_block_size": [size] * 2}})
                source, out = self.saved(made, f"blocks-{size}"), self.folder / f"blocks-{size}.safetensors"
                if size is None:  # 96 divides the weight, and 128 is what most use
                    self.assertEqual(run("consolidate", source, "-o", out, "--dequantize", "--json").code, 3)
                    continue
                self.made("consolidate", source, "-o", out, "--dequantize", "--dtype", "fp32")
                wide = scales.repeat_interleave(size, 0)[:192].repeat_interleave(size, 1)[:, :192]
                self.assert_bits(load_file(out)["l.weight"], codes.float() * wide, str(size))

    def quantised_model(self) -> tuple[Path, dict[str, torch.Tensor]]:
        """A folder of a Llama with packed weights, and its weights as compressed-tensors gives them."""
        torch.manual_seed(3)
        config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, vocab_size=96, dtype="bfloat16")
        model = LlamaForCausalLM(config).to(torch.bfloat16)
        weights = {"num_bits": 4, "type": "int", "symmetric": True, "strategy": "group", "group_size": 32}
        scheme = QuantizationScheme(targets=["Linear"], weights=QuantizationArgs(**weights))
        compressor = BaseCompressor.get_value_from_registry("pack-quantized")
        stored, wanted = {}, {}
        for name, tensor in model.state_dict().items():
            stem = name.removesuffix(".weight")
            if not name.endswith("_proj.weight"):
                stored[name] = wanted[name] = tensor
                continue
            scale = tensor.float().unflatten(1, (-1, 32)).abs().amax(-1).div(7).bfloat16()
            parts = compressor.compress({"weight": tensor, "weight_scale": scale}, scheme)
            wanted[name] = compressor.decompress(parts, scheme)["weight"]
            stored |= {f"{stem}.{part}": each.detach().contiguous() for part, each in parts.items()}
        folder = self.folder / "quantised"
        model.config.save_pretrained(folder)
        described = json.loads((folder / "config.json").read_text()) | {"architectures": ["LlamaForCausalLM"]}
        described["quantization_config"] = {"quant_method": "compressed-tensors", "format": "pack-quantized", "quantization_status": "compressed",
                                            "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}}, "ignore": ["lm_head"]}
        (folder / "config.json").write_text(json.dumps(described))
        save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
        return folder, wanted

    def assert_loads(self, folder: Path, wanted: dict[str, torch.Tensor]) -> None:
        loaded, problems = LlamaForCausalLM.from_pretrained(folder, output_loading_info=True)
        self.assertFalse(any(problems.values()), problems)
        self.assertNotIn("quantization_config", json.loads((folder / "config.json").read_text()))
        self.assertEqual(loaded.dtype, torch.bfloat16)
        for name, tensor in loaded.state_dict().items():
            self.assert_bits(tensor, wanted[name], name)

    def test_a_bundle_is_a_model_of_plain_weights(self) -> None:
        folder, wanted = self.quantised_model()
        self.made("consolidate", folder, "-o", self.folder / "deployed", "--bundle", "--dequantize")
        self.assert_loads(self.folder / "deployed", wanted)
        out, again = self.folder / "q.gguf", self.folder / "again.gguf"
        self.made("consolidate", folder, "-o", out, "--to", "gguf", "--names", "keep", "--dtype", "q8_0", "--dequantize")
        self.made("consolidate", self.folder / "deployed", "-o", again, "--to", "gguf", "--names", "keep", "--dtype", "q8_0")
        compared = run("diff", out, again, "--values", "--json").json["summary"]
        self.assertEqual((compared["matched"], compared["count_changed"]), (21, 0))

    def test_an_adapter_is_folded_into_the_numbers(self) -> None:
        """As PEFT merges it into the model of plain weights."""
        folder, wanted = self.quantised_model()
        plain, adapter, out = self.folder / "plain", self.folder / "adapter", self.folder / "folded"
        self.made("consolidate", folder, "-o", plain, "--bundle", "--dequantize")
        model = get_peft_model(LlamaForCausalLM.from_pretrained(plain), LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj", "down_proj"]))
        for name, tensor in model.named_parameters():
            if "lora_B" in name:
                tensor.data = torch.randn_like(tensor) * 0.1
        model.save_pretrained(adapter)
        answer = run("fold", folder, "--adapter", adapter, "-o", out, "--json")
        self.assertEqual(answer.code, 3, answer.said())
        self.assertIn("--dequantize", answer.text)
        self.made("fold", folder, "--adapter", adapter, "-o", out, "--dequantize")
        self.assert_loads(out, model.merge_and_unload().state_dict())


if __name__ == "__main__":
    unittest.main()
