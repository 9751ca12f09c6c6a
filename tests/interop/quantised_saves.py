# SPDX-License-Identifier: Apache-2.0
"""Random saves of quantised weights, each with the weights that the library itself makes of it.

    quantised_saves.py FOLDER [COUNT [SEED]]

A save is FOLDER/NNN-layout/a and b, two checkpoints of one model, beside a.safetensors and b.safetensors with their weights, and
case.json: the weight's name, whether its library gives it in any dtype, and whether no more than the library's name is expected of
Cairn ("named"). The environment: requirements-quantised.txt."""

from __future__ import annotations

import ast
import functools
import importlib.util
import json
import random
import shutil
import sys
import types
from pathlib import Path

import torch
from safetensors.torch import save_file

import test_dequantize
from test_dequantize import Made, packed

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


class Library(Made):
    """`metadata` of the safetensors file; `pickle`: what torch.save stores instead; `named`: only the library unpacks it."""

    def __init__(self, parts: dict, weight: torch.Tensor | None, config: dict | None = None, *, name: str = "l.weight", any_dtype: bool = False,
                 metadata: dict | None = None, pickle: dict | None = None, named: bool = False) -> None:
        super().__init__(parts, weight, config, name)
        self.any_dtype, self.metadata, self.pickle, self.named = any_dtype, metadata, pickle, named


def linear(chance: random.Random, columns: int = 32, rows: int = 4) -> torch.Tensor:
    return torch.randn(chance.randint(1, 20) * rows, columns * chance.randint(1, 5)).to(chance.choice(FLOATS))


def torchao(chance: random.Random) -> Library:
    from torchao.prototype.safetensors.safetensors_support import flatten_tensor_state_dict
    from torchao.quantization import Float8WeightOnlyConfig, Int8WeightOnlyConfig, IntxWeightOnlyConfig, PerAxis, PerGroup, PerRow, quantize_

    module = torch.nn.ModuleDict({"l": torch.nn.Linear(4, 4)})
    module["l"].weight = torch.nn.Parameter(linear(chance), requires_grad=False)
    module["l"].bias = None
    module["l"].out_features, module["l"].in_features = module["l"].weight.shape
    quantize_(module, chance.choice((
        Int8WeightOnlyConfig(), Int8WeightOnlyConfig(granularity=PerGroup(32)), Float8WeightOnlyConfig(),
        IntxWeightOnlyConfig(weight_dtype=chance.choice((torch.int8, torch.int4, torch.int2)), granularity=chance.choice((PerGroup(16), PerAxis(0)))))))
    state = module.state_dict()
    weight = state["l.weight"].dequantize()
    if chance.random() < 0.5:
        return Library({}, weight, any_dtype=True, pickle=state)
    parts, metadata = flatten_tensor_state_dict(state)
    return Library(parts, weight, {"quantization_config": {"quant_method": "torchao"}}, any_dtype=True, metadata=metadata)


def hqq(chance: random.Random) -> Library:
    from hqq.core.quantize import BaseQuantizeConfig, HQQLinear

    weight = linear(chance, 64)
    layer = torch.nn.Linear(*reversed(weight.shape), bias=False)
    layer.weight = torch.nn.Parameter(weight.float())
    bits, axis = chance.choice((8, 4, 2, 3, 1)), chance.choice((0, 1))
    dtype = weight.dtype
    made = HQQLinear(layer, BaseQuantizeConfig(nbits=bits, group_size=chance.choice((16, 32, 64)), axis=axis), compute_dtype=dtype, device="cpu")
    return Library({f"l.{name}": part for name, part in made.state_dict().items()}, made.dequantize(), named=bits in (3, 1))


def bitsandbytes_4(chance: random.Random) -> Library:
    from bitsandbytes import functional
    from bitsandbytes.backends.default.ops import _dequantize_4bit_compute

    weight = linear(chance)
    kind = chance.choice(("nf4", "fp4"))
    codes, state = functional.quantize_4bit(weight, blocksize=chance.choice((64, 128, 256)), compress_statistics=chance.random() < 0.5, quant_type=kind)
    parts = {"l.weight": codes} | {f"l.weight.{name}": part for name, part in state.as_dict(packed=True).items()}
    # By the library's generic code: its kernel for the CPU begins a block with each row, which quantize_4bit() does not, so that it is
    # wrong where a row is not a whole number of blocks.
    maxima = functional.dequantize_blockwise(state.absmax, state.state2) + state.offset if state.nested else state.absmax
    return Library(parts, _dequantize_4bit_compute(codes.reshape(-1), maxima, state.code, state.blocksize, state.shape, state.dtype))


def bitsandbytes_8(chance: random.Random) -> Library:
    from bitsandbytes import functional

    codes, maxima, _ = functional.int8_vectorwise_quant(linear(chance).half())
    parts = {"l.weight": codes, "l.SCB": maxima, "l.weight_format": torch.tensor(0, dtype=torch.uint8)}
    return Library(parts, functional.int8_vectorwise_dequant(codes, maxima), any_dtype=True)


def quanto(chance: random.Random) -> Library:
    from optimum import quanto as library

    weight = linear(chance, 128, 16)
    kind = chance.choice((library.qint8, library.qfloat8_e4m3fn, library.qfloat8_e5m2, library.qint4, library.qint2))
    module = torch.nn.ModuleDict({"l": torch.nn.Linear(*reversed(weight.shape), bias=False, dtype=weight.dtype)})
    module["l"].weight = torch.nn.Parameter(weight)
    library.quantize(module, weights=kind)
    library.freeze(module)
    state = {name: part for name, part in module.state_dict().items() if isinstance(part, torch.Tensor)}
    return Library(state, module["l"].weight.dequantize(), named=kind in (library.qint4, library.qint2))


def modelopt(chance: random.Random) -> Library:
    from modelopt.torch.quantization.qtensor import NVFP4QTensor

    weight = linear(chance)
    made, scales, second = NVFP4QTensor.quantize(weight, 16)
    parts = {"l.weight": made._quantized_data, "l.weight_scale": scales, "l.weight_scale_2": second}
    given = made.dequantize(dtype=torch.float32, scale=scales, double_scale=second, block_sizes={-1: 16})
    return Library(parts, given, any_dtype=True)


def awq(chance: random.Random) -> Library:
    """By AutoAWQ's own code, loaded without the package, which needs a GPU's tools."""
    where = next(Path(each) / "awq/utils/packing_utils.py" for each in sys.path if (Path(each) / "awq/utils/packing_utils.py").exists())
    spec = importlib.util.spec_from_file_location("awq_packing", where)
    library = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(library)
    made = test_dequantize.awq(chance)
    parts = made.parts
    size = parts["l.qweight"].shape[0] // parts["l.scales"].shape[0]
    given = library.dequantize_gemm(parts["l.qweight"], parts["l.qzeros"], parts["l.scales"], 4, size)
    return Library(parts, given.T.contiguous(), made.config)


def from_source(path: str, names: tuple[str, ...], given: dict) -> dict:
    """Functions and methods of a file of a library whose package needs more than they do."""
    where = next(Path(each) / path for each in sys.path if (Path(each) / path).exists())
    tree = ast.parse(where.read_text())
    space = {"t": torch, "torch": torch, "nn": torch.nn, "annotations": None, **given}
    taken = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in names]
    future = ast.parse("from __future__ import annotations").body
    exec(compile(ast.fix_missing_locations(ast.Module(future + taken, [])), str(where), "exec"), space)
    return space


class GptqModule:
    """What GPTQModel's functions ask of a layer."""

    planar, pack_dtype, wf_unsqueeze_zero, wf_unsqueeze_neg_one = False, torch.int32, None, None

    def _init_wf_unsqueeze_buffers(self) -> None:
        self.wf_unsqueeze_zero = torch.arange(0, 32, self.bits, dtype=torch.int32).reshape(1, 1, -1)
        self.wf_unsqueeze_neg_one = self.wf_unsqueeze_zero.reshape(1, -1, 1)

    def qzero_format(self, format: int) -> None:
        pass


def gptq(chance: random.Random) -> Library:
    """Packed here; the formats of zero points and the weights are GPTQModel's own (nn_modules/qlinear, utils/model.py)."""
    layer = from_source("gptqmodel/nn_modules/qlinear/__init__.py", ("_torch_right_shift", "dequantize_weight", "_dequantize_from_codes"), {})
    log = types.SimpleNamespace(info=types.SimpleNamespace(once=lambda text: None))
    formats = from_source("gptqmodel/utils/model.py", ("convert_gptq_v1_to_v2_format_module", "convert_gptq_v2_to_v1_format_module"),
                          {"BaseQuantLinear": GptqModule, "QuantizeConfig": object, "log": log})
    made = test_dequantize.gptq(chance)
    module = GptqModule()
    module.bits, module.maxq = made.config["quantization_config"]["bits"], 2 ** made.config["quantization_config"]["bits"] - 1
    module.pack_factor, module.dequant_dtype = 32 // module.bits, torch.int16 if module.bits == 8 else torch.int8
    module.scales, module.qweight = made.parts["l.scales"], made.parts["l.qweight"]
    module.in_features = module.qweight.shape[0] * module.pack_factor
    groups = module.scales.shape[0]
    module.g_idx = made.parts.get("l.g_idx", torch.arange(module.in_features) // (module.in_features // groups))
    module._dequantize_from_codes = functools.partial(layer["_dequantize_from_codes"], module)
    words = torch.randint(-(1 << 31), 1 << 31, made.parts["l.qzeros"].shape).to(torch.int32)  # any zero points
    module.qzeros = words.clone()
    weight = layer["dequantize_weight"](module)
    settings = dict(made.config["quantization_config"])
    settings.pop("checkpoint_format", None)
    stored = chance.choice(("gptq", "gptq_v2"))
    if stored == "gptq":
        formats["convert_gptq_v2_to_v1_format_module"](module, types.SimpleNamespace(bits=module.bits, pack_dtype=torch.int32))
        made.parts["l.qzeros"] = module.qzeros.clone()
        formats["convert_gptq_v1_to_v2_format_module"](module, module.bits, torch.int32)
        assert torch.equal(module.qzeros, words) and torch.equal(layer["dequantize_weight"](module), weight)
    else:
        made.parts["l.qzeros"] = words
    keys = chance.choice((("format",), ("checkpoint_format",), ("format", "checkpoint_format")))
    return Library(made.parts, weight.T.contiguous(), {"quantization_config": settings | {key: stored for key in keys}})


def comfy(chance: random.Random) -> Library:
    """ComfyUI multiplies by `scale_weight` in the dtype that it computes in."""
    weight = linear(chance)
    scale = weight.abs().max().float() / 448
    codes = (weight.float() / scale).to(torch.float8_e4m3fn)
    parts = {"l.weight": codes, "l.scale_weight": scale, "scaled_fp8": torch.empty(0, dtype=torch.float8_e4m3fn)}
    return Library(parts, codes.float() * scale, any_dtype=True)


def named(chance: random.Random) -> Library:
    """Layouts whose libraries need a GPU: with the names, dtypes and shapes that they store."""
    return Library(chance.choice((
        {"l.weight": torch.randint(-127, 128, (64, 32), dtype=torch.int8), "l.weight_scales": torch.rand(32).half()},
        {"l.codes": torch.randint(-100, 100, (8, 4, 1), dtype=torch.int8), "l.codebooks": torch.randn(1, 256, 1, 8).half(), "l.scales": torch.rand(8, 1, 1, 1).half()},
        {"l.indices": torch.randint(0, 99, (1, 8, 4), dtype=torch.int32), "l.centroids.weight": torch.randn(1, 512).half(), "l.weight_scale": torch.rand(32).half(),
         "l.weight_bias": torch.rand(32).half()},
        {"l.weight": torch.randint(0, 99, (8, 32), dtype=torch.int16), "l.scales": torch.rand(8, 4).half(), "l.tables": torch.randn(16, 2).half()},
        {"l.q_weight": torch.randint(0, 99, (8, 32), dtype=torch.int32), "l.q_scale": torch.randint(0, 99, (2, 4), dtype=torch.int32), "l.q_scale_max": torch.rand(2).half(),
         "l.q_groups": torch.zeros(4, dtype=torch.int16), "l.q_invperm": torch.zeros(8, dtype=torch.int32)},
        {"l.trellis": torch.randint(0, 99, (4, 4, 64), dtype=torch.int16), "l.suh": torch.rand(64).half(), "l.svh": torch.rand(64).half()},
    )), None, named=True)


def of_other_tests(chance: random.Random) -> Library:
    """By compressed-tensors, transformers and MLX, and GPTQ's expression."""
    layout = chance.choice((test_dequantize.integers, test_dequantize.words, test_dequantize.float4, test_dequantize.exponents, test_dequantize.experts,
                            test_dequantize.mlx, test_dequantize.gptq))
    made = layout(chance)
    return Library(made.parts, made.weight, made.config, name=made.name)


LAYOUTS = (torchao, hqq, bitsandbytes_4, bitsandbytes_8, quanto, modelopt, awq, gptq, comfy, named, of_other_tests)


def write(made: Library, folder: Path, seed: int) -> None:
    """The save, with plain weights beside the quantised one."""
    generator = torch.Generator().manual_seed(seed)
    plain = {"norm.weight": torch.rand(8, generator=generator), "head.weight": torch.randn(8, 8, generator=generator)}
    folder.mkdir(parents=True)
    if made.pickle is not None:
        torch.save(made.pickle | plain, folder / "model.pt")
    else:
        parts = {name: part.detach().clone().contiguous() for name, part in made.parts.items()}
        metadata = made.metadata
        if metadata is not None:
            names = json.loads(metadata["tensor_names"]) + list(plain)
            metadata = metadata | {name: json.dumps({"_type": "Tensor"}) for name in plain} | {"tensor_names": json.dumps(names)}
        save_file(parts | plain, folder / "model.safetensors", metadata=(metadata or {}) | {"format": "pt"})
        (folder / "config.json").write_text(json.dumps({"model_type": "of-a-test"} | (made.config or {})))
    weights = plain if made.weight is None else plain | {made.name: made.weight.detach().contiguous()}
    save_file(weights, folder.with_name(folder.name + ".safetensors"))


def main() -> None:
    root, count, seed = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40, int(sys.argv[3]) if len(sys.argv) > 3 else 1
    shutil.rmtree(root, ignore_errors=True)
    for number in range(count):
        layout = LAYOUTS[number % len(LAYOUTS)]
        place = root / f"{number:03}-{layout.__name__}"
        for side in range(2):
            torch.manual_seed(seed * 100_000 + number * 2 + side)
            made = layout(random.Random(seed * 1000 + number))
            write(made, place / "ab"[side], side)
        case = {"name": made.name, "any_dtype": made.any_dtype, "named": made.named, "dtype": None if made.weight is None else str(made.weight.dtype)}
        (place / "case.json").write_text(json.dumps(case))


if __name__ == "__main__":
    main()
