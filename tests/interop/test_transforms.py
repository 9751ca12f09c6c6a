# SPDX-License-Identifier: Apache-2.0
"""Casts, 8-bit weights with scales, averages, new names and bundles, compared bit by bit with expressions in torch."""

from __future__ import annotations

import json
import os
import shutil
import unittest
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from support import SAMPLE, case, files_under, run, temporary
from test_consolidate import logits_of

FLOATS = {"float64": torch.float64, "float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu)
# The NaNs that torch produces depend on the instruction set; Cairn's are those of torch with AVX2.
SAME_NAN = torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")


def bits(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().view({8: torch.int64, 4: torch.int32, 2: torch.int16, 1: torch.uint8}[tensor.element_size()])


def every_pattern() -> dict[str, torch.Tensor]:
    """Lengths are multiples of 64: torch converts NaN differently in the remainder of a tensor."""
    words = torch.arange(-32768, 32768, dtype=torch.int32).to(torch.int16)
    random = torch.Generator().manual_seed(7)
    floats = torch.randint(-(2**31), 2**31, (1 << 16,), generator=random, dtype=torch.int64).to(torch.int32)
    small = (torch.randint(0, 1 << 23, (1 << 14,), generator=random) | torch.randint(95, 116, (1 << 14,), generator=random) << 23)
    doubles = torch.randint(-(2**63), 2**63 - 1, (1 << 14,), generator=random, dtype=torch.int64)
    near = torch.randn(1 << 14, generator=random, dtype=torch.float64) * 10.0 ** torch.randint(-45, 40, (1 << 14,), generator=random)
    tensors = {"half": words.view(torch.float16), "bfloat": words.clone().view(torch.bfloat16), "float": floats.view(torch.float32),
               "small": small.to(torch.int32).view(torch.float32), "double": doubles.view(torch.float64), "near": near}
    for dtype in EIGHT_BITS:
        tensors[str(dtype).removeprefix("torch.")] = torch.arange(256, dtype=torch.int32).to(torch.uint8).view(dtype)
    return tensors


class Transforms(unittest.TestCase):
    def setUp(self) -> None:
        self.context = temporary()
        self.folder = Path(self.context.__enter__())

    def tearDown(self) -> None:
        self.context.__exit__(None, None, None)

    def made(self, *arguments: object) -> dict:
        answer = run(*arguments, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(answer.json["verified"])
        return answer.json

    def assert_bits(self, found: torch.Tensor, expected: torch.Tensor, what: str) -> None:
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape), what)
        same = bits(found) == bits(expected)
        if not SAME_NAN:
            same |= found.isnan() & expected.isnan()
        wrong = torch.nonzero(~same.flatten()).flatten()[:5].tolist()
        self.assertEqual(wrong, [], f"{what}: {[(hex(int(bits(found).flatten()[i])), hex(int(bits(expected).flatten()[i]))) for i in wrong]}")


class Casts(Transforms):
    def test_every_pattern_as_torch_casts_it(self) -> None:
        tensors = every_pattern()
        source = self.folder / "source.safetensors"
        save_file(tensors, source)
        for name, dtype in FLOATS.items():
            with self.subTest(name):
                out = self.folder / f"{name}.safetensors"
                report = self.made("consolidate", source, "-o", out, "--dtype", name, "--cast-all")
                found = load_file(out)
                for key, tensor in tensors.items():
                    self.assert_bits(found[key], tensor.to(dtype), f"{key} to {name}")
                self.assertEqual(report["cast"]["tensors"], sum(tensor.dtype != dtype for tensor in tensors.values()))

    def test_8_bits_as_torch_casts_to_them(self) -> None:
        """All 16-bit patterns; for float32, every exponent with the limits of rounding, and millions of random ones."""
        tensors = {name: tensor for name, tensor in every_pattern().items() if not name.startswith("float8")}
        high = torch.arange(1 << 17, dtype=torch.int64) << 15  # sign, exponent, the first eight digits
        borders = torch.stack([high, high + 1, high + 0x3FFF, high + 0x4000, high + 0x4001, high + 0x7FFF]).flatten()
        tensors["borders"] = borders.to(torch.int32).view(torch.float32)
        random = torch.Generator().manual_seed(11)
        tensors["random"] = torch.randint(-(2**31), 2**31, (4 << 20,), generator=random, dtype=torch.int64).to(torch.int32).view(torch.float32)
        exponents = torch.randint(100, 150, (4 << 20,), generator=random) << 23
        signs = torch.randint(-1, 1, (4 << 20,), generator=random) << 31
        tensors["usual"] = (exponents | torch.randint(0, 1 << 23, (4 << 20,), generator=random) | signs).to(torch.int32).view(torch.float32)
        source = self.folder / "source.safetensors"
        save_file(tensors, source)
        for dtype in EIGHT_BITS[:4]:
            name = str(dtype).removeprefix("torch.")
            with self.subTest(name):
                out = self.folder / f"{name}.safetensors"
                report = self.made("cast", source, "-o", out, "--dtype", name, "--cast-all")["cast"]
                found = load_file(out)
                beyond, zero = 0, 0
                for key, tensor in tensors.items():
                    self.assert_bits(found[key], tensor.to(dtype), f"{key} to {name}")
                    x, y = tensor.double().abs(), tensor.to(dtype).double().abs()
                    limit = {torch.float8_e4m3fn: 464.0}.get(dtype, torch.inf)  # a tie that is rounded down
                    beyond += int(((tensor.float().abs() > limit) | ~(x.isnan() | x.isinf() | y.isfinite()) |
                                   (x.isinf() & y.isnan())).sum())
                    zero += int(((y == 0) & (x != 0)).sum())
                self.assertEqual((report["overflowed"], report["became_zero"]), (beyond, zero), report)
                self.assertEqual(report["max_ulp"], 0.5)

    def test_the_report_tells_the_error(self) -> None:
        source, out = self.folder / "source.safetensors", self.folder / "out.pt"
        tensor = torch.randn(1000, 77, generator=torch.Generator().manual_seed(1)) * 100
        tensor[0, :6] = torch.tensor([1e6, -1e6, 1e-6, 1e-7, 1e-9, 0.0])
        save_file({"w": tensor}, source)
        cast = self.made("cast", source, "-o", out, "--dtype", "fp16", "--to", "torch")["cast"]
        half = torch.load(out, weights_only=True)["w"]
        self.assertTrue(torch.equal(half, tensor.half()))
        finite = half.isfinite()
        self.assertEqual(cast["max_abs"], (tensor.double() - half.double())[finite].abs().max().item())
        self.assertEqual((cast["elements"], cast["overflowed"]), (77000, 2))
        self.assertEqual(cast["became_zero"], int(((half == 0) & (tensor != 0)).sum()))
        self.assertEqual(cast["became_subnormal"], int(((half != 0) & (half.abs() < 2.0**-14)).sum()))
        self.assertLessEqual(cast["max_ulp"], 0.5)

    def test_what_is_protected(self) -> None:
        state = {"layers.0.w": torch.randn(4, 4), "layers.0.norm.weight": torch.ones(4), "steps": torch.tensor(7),
                 "mask": torch.tensor([True, False]), "head.w": torch.randn(4, 4), "code": torch.arange(8, dtype=torch.uint8)}
        source, out = self.folder / "s.pt", self.folder / "out.safetensors"
        torch.save(state, source)
        report = self.made("consolidate", source, "-o", out, "--dtype", "bf16", "--keep-fp32", "head.*")
        found = load_file(out)
        self.assertTrue(torch.equal(found["layers.0.w"], state["layers.0.w"].bfloat16()))
        for name in ("layers.0.norm.weight", "steps", "mask", "head.w", "code"):
            self.assertEqual(found[name].dtype, state[name].dtype, name)
            self.assertTrue(torch.equal(found[name], state[name]), name)
        what = {decision["what"] for decision in report["decisions"]}
        self.assertLessEqual({"dtype", "norms", "integers and flags", "float32"}, what)

    def test_a_sharded_checkpoint(self) -> None:
        one = case("dcp_fsdp2")
        kept, out = self.folder / "kept.safetensors", self.folder / "half.safetensors"
        self.made("consolidate", one.path, "-o", kept)
        self.made("consolidate", one.path, "-o", out, "--dtype", "fp16", "--cast-all")
        before, after = load_file(kept), load_file(out)
        self.assertEqual(set(before), set(after))
        for name, tensor in before.items():
            self.assert_bits(after[name], tensor.half() if tensor.is_floating_point() else tensor, name)
        self.assertEqual(run("verify", one.path, out, "--json").code, 0)
        name = next(name for name, tensor in after.items() if tensor.dtype == torch.float16)
        after[name].view(-1)[0] += 1
        out.unlink()
        save_file(after, out)
        self.assertEqual(run("verify", one.path, out, "--json").code, 1)


class Scales(Transforms):
    def expected(self, weight: torch.Tensor, scale: torch.Tensor, block: tuple[int, int], dtype: torch.dtype) -> torch.Tensor:
        rows, columns = weight.shape
        wide = scale.repeat_interleave(block[0], 0)[:rows].repeat_interleave(block[1], 1)[:, :columns]
        return (weight.to(torch.float32) * wide).to(dtype)

    def test_blocks_as_deepseek_stores_them(self) -> None:
        random = torch.Generator().manual_seed(3)
        weight = (torch.randn(300, 450, generator=random) * 60).to(torch.float8_e4m3fn)
        scale = torch.rand(3, 4, generator=random) * 0.01 + 1e-4
        source = self.folder / "source.safetensors"
        save_file({"q.weight": weight, "q.weight_scale_inv": scale, "norm.weight": torch.ones(5, dtype=torch.bfloat16)}, source)
        for name, dtype in (("keep", torch.bfloat16), ("fp32", torch.float32), ("fp16", torch.float16)):
            out = self.folder / f"{name}.safetensors"
            self.made("consolidate", source, "-o", out, "--dequantize", "--dtype", name)
            found = load_file(out)
            self.assertEqual(set(found), {"q.weight", "norm.weight"})
            self.assert_bits(found["q.weight"], self.expected(weight, scale, (128, 128), dtype), name)

    def test_one_scale_and_one_for_each_row(self) -> None:
        weight = (torch.randn(9, 14) * 60).to(torch.float8_e5m2)
        rows, one = torch.rand(9, 1), torch.tensor(0.03)
        source, out = self.folder / "source.safetensors", self.folder / "out.safetensors"
        save_file({"a.weight": weight, "a.weight_scale": rows, "a.input_scale": torch.tensor(1.0), "b.weight": weight.clone(),
                   "b.weight_scale": one}, source)
        self.made("cast", source, "-o", out, "--dtype", "bf16", "--dequantize")
        found = load_file(out)
        self.assertEqual(set(found), {"a.weight", "b.weight"})
        self.assert_bits(found["a.weight"], (weight.float() * rows).bfloat16(), "rows")
        self.assert_bits(found["b.weight"], (weight.float() * one).bfloat16(), "one")

    def test_without_being_asked_nothing_is_touched(self) -> None:
        source, out = self.folder / "source.safetensors", self.folder / "out.safetensors"
        tensors = {"q.weight": torch.randn(130, 130).to(torch.float8_e4m3fn), "q.weight_scale_inv": torch.rand(2, 2)}
        save_file(tensors, source)
        self.made("consolidate", source, "-o", out, "--dtype", "bf16")
        found = load_file(out)
        for name, tensor in tensors.items():
            self.assert_bits(found[name], tensor, name)


def words(rows: int, columns: int) -> torch.Tensor:
    return torch.randint(-(2**31), 2**31 - 1, (rows, columns), dtype=torch.int32)


def codes(*shape: int) -> torch.Tensor:
    return torch.randint(0, 255, shape, dtype=torch.uint8)


def numbers(*shape: int) -> torch.Tensor:
    return torch.randint(-127, 127, shape, dtype=torch.int8)


def float8(*shape: int) -> torch.Tensor:
    return torch.randn(*shape).to(torch.float8_e4m3fn)


# Layouts by the libraries that write them, with names, dtypes and shapes of theirs (core/families/quantised).
QUANTISED = {
    "gptq": lambda: {"l.qweight": words(8, 64), "l.qzeros": words(2, 8), "l.scales": torch.rand(2, 64).half(), "l.g_idx": torch.arange(64, dtype=torch.int32)},
    "float8 rows": lambda: {"l.weight": float8(64, 64), "l.weight_scale": torch.rand(64, 1)},
    "float8 tensor": lambda: {"l.weight": float8(64, 64), "l.weight_scale": torch.rand(1), "l.input_scale": torch.rand(1)},
    "float8 squares": lambda: {"l.weight": float8(256, 128), "l.weight_scale_inv": torch.rand(2, 1)},
    "modelopt": lambda: {"l.weight": float8(64, 64), "l.weight_scale": torch.rand(()), "l.input_scale": torch.rand(()), "l.k_scale": torch.rand(())},
    "comfyui": lambda: {"l.weight": float8(64, 64), "l.scale_weight": torch.rand(())},
    "int8": lambda: {"l.weight": numbers(64, 64), "l.weight_scale": torch.rand(64, 1)},
    "packed": lambda: {"l.weight_packed": words(64, 8), "l.weight_scale": torch.rand(64, 2).bfloat16(), "l.weight_shape": torch.tensor([64, 64])},
    "nvfp4": lambda: {"l.weight_packed": codes(64, 32), "l.weight_scale": torch.rand(64, 4).to(torch.float8_e4m3fn), "l.weight_global_scale": torch.rand(1)},
    "mxfp4": lambda: {"l.gate_up_proj_blocks": codes(2, 64, 2, 16), "l.gate_up_proj_scales": codes(2, 64, 2)},
    "bitsandbytes 8": lambda: {"l.weight": numbers(64, 64), "l.SCB": torch.rand(64), "l.weight_format": torch.tensor(0, dtype=torch.uint8)},
    "bitsandbytes 4": lambda: {"l.weight": codes(2048, 1), "l.weight.absmax": torch.rand(64), "l.weight.quant_map": torch.rand(16),
                               "l.weight.quant_state.bitsandbytes__nf4": codes(80)},
    "quanto": lambda: {"l.weight._data": numbers(64, 64), "l.weight._scale": torch.rand(64, 1), "l.input_scale": torch.ones(()), "l.output_scale": torch.ones(())},
    "hqq": lambda: {"l.W_q": codes(32, 64), "l.scale": torch.rand(64, 1), "l.zero": torch.rand(64, 1)},
    "eetq": lambda: {"l.weight": numbers(64, 64), "l.weight_scales": torch.rand(64).half()},
    "mlx": lambda: {"l.weight": words(64, 8).view(torch.uint32), "l.scales": torch.rand(64, 1).half(), "l.biases": torch.rand(64, 1).half()},
    "torchao": lambda: {"l.weight.qdata": float8(64, 64), "l.weight.scale": torch.rand(64, 1)},
    "torchao flattened": lambda: {"l._weight_qdata": numbers(64, 64), "l._weight_scale": torch.rand(64, 1)},
}
MULTIPLIED = {"float8 rows", "float8 tensor", "float8 squares", "modelopt", "comfyui"}
# Their numbers: test_dequantize.py. The config of GPTQ and MLX, and the description of bitsandbytes, are missing here.
UNPACKED = {"int8", "packed", "nvfp4", "mxfp4", "bitsandbytes 8", "quanto", "torchao", "torchao flattened"}


class Quantised(Transforms):
    def saved(self, name: str, seed: int) -> tuple[Path, dict[str, torch.Tensor]]:
        torch.manual_seed(seed)
        tensors = QUANTISED[name]()
        path = self.folder / f"{name.replace(' ', '_')}_{seed}.safetensors"
        save_file(tensors | {"norm.weight": torch.ones(4), "head.weight": torch.randn(8, 8)}, path)
        return path, tensors

    def test_their_codes_and_scales_are_not_averaged(self) -> None:
        for name in QUANTISED:
            with self.subTest(name):
                first, second = (self.saved(name, seed)[0] for seed in (1, 2))
                out = self.folder / "mean.safetensors"
                answer = run("average", first, second, "-o", out, "--json")
                self.assertEqual(answer.code, 3, answer.text)
                self.assertIn("quantised", answer.text)
                self.assertFalse(out.exists())

    def test_a_cast_leaves_all_of_their_parts_alone(self) -> None:
        for name in QUANTISED:
            for dtype in ("bf16", "fp16"):
                with self.subTest(name, dtype=dtype):
                    source, tensors = self.saved(name, 1)
                    out = self.folder / f"{name}_{dtype}.safetensors"
                    self.made("consolidate", source, "-o", out, "--dtype", dtype)
                    found = load_file(out)
                    self.assertEqual(found["head.weight"].dtype, FLOATS["bfloat16" if dtype == "bf16" else "float16"])
                    for part, tensor in tensors.items():
                        self.assertEqual(found[part].dtype, tensor.dtype, part)
                        self.assertTrue(torch.equal(found[part].view(torch.uint8), tensor.view(torch.uint8)) if tensor.dim() else
                                        torch.equal(found[part], tensor), part)

    def test_they_are_dequantised_or_refused_by_name(self) -> None:
        for name in QUANTISED:
            with self.subTest(name):
                source, tensors = self.saved(name, 1)
                out = self.folder / f"{name}_numbers.safetensors"
                answer = run("consolidate", source, "-o", out, "--dequantize", "--dtype", "fp32", "--json")
                if name in MULTIPLIED:
                    scale = next(tensors[end] for end in ("l.weight_scale", "l.weight_scale_inv", "l.scale_weight") if end in tensors)
                    block = (128, 128) if name == "float8 squares" else (1, 64) if scale.dim() == 2 else (64, 64)
                    wide = scale.reshape(-1, 1) if scale.dim() < 2 else scale
                    found = load_file(out)
                    self.assert_bits(found["l.weight"], self.expected(tensors["l.weight"], wide, block, torch.float32), name)
                    self.assertEqual(set(found), {"l.weight", "norm.weight", "head.weight"})
                elif name in UNPACKED:
                    self.assertEqual(answer.code, 0, answer.text)
                    weight = "l.gate_up_proj" if name == "mxfp4" else "l.weight"
                    self.assertEqual(set(load_file(out)), {weight, "norm.weight", "head.weight"})
                else:
                    self.assertEqual(answer.code, 3, answer.text)
                    self.assertIn("cannot be dequantised", answer.text)
                    self.assertFalse(out.exists())

    expected = Scales.expected

    def test_what_a_header_says_of_them_is_carried(self) -> None:
        """The recipe of torchao's tensors, which flatten_tensor_state_dict() writes: without it none loads."""
        recipe = {"tensor_names": json.dumps(["l.weight"]), "l.weight": json.dumps({"_type": "Int8Tensor"})}
        source = self.folder / "flattened.safetensors"
        save_file(QUANTISED["torchao flattened"](), source, metadata=recipe)
        for words, carried in (((), recipe), (("--dtype", "bf16"), recipe), (("--rename", "l.=m."), {})):
            with self.subTest(words):
                out = self.folder / f"out_{len(words)}_{words[-1:]}.safetensors"
                report = self.made("consolidate", source, "-o", out, *words)
                with safe_open(out, "pt") as file:
                    self.assertEqual(file.metadata(), carried | {"format": "pt"})
                said = [decision["value"] for decision in report["decisions"] if decision["id"] == "metadata"]
                self.assertEqual([sorted(value.removeprefix("left out: ").split(", ")) for value in said], [["l.weight", "tensor_names"]])
                self.assertEqual(said[0].startswith("left out: "), not carried)
                if not words:
                    self.assertEqual(run("verify", source, out, "--whole", "--json").code, 0)


class Averages(Transforms):
    def checkpoints(self, count: int, dtype: torch.dtype) -> list[tuple[Path, dict]]:
        made = []
        for i in range(count):
            state = {"w": torch.randn(33, 70).to(dtype), "bn.num_batches_tracked": torch.tensor(100 + i), "bn.running_mean": torch.rand(5)}
            path = self.folder / f"step-{i}.pt"
            torch.save(state, path)
            made.append((path, state))
        return made

    def test_equal_weights_and_given_ones(self) -> None:
        for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.float64):
            checkpoints = self.checkpoints(3, dtype)
            paths, states = zip(*checkpoints)
            for given in (None, (0.5, 0.3, 0.2)):
                with self.subTest(dtype=dtype, weights=given):
                    out = self.folder / f"out-{dtype}-{given is None}.safetensors"
                    weights = given or (1.0, 1.0, 1.0)
                    extra = () if given is None else ("--weights", ",".join(map(str, given)))
                    self.made("average", *paths, "-o", out, *extra)
                    total = torch.zeros(33, 70, dtype=torch.float64)
                    for weight, state in zip(weights, states):
                        total += state["w"].double() * weight
                    found = load_file(out)
                    expected = total / sum(weights)
                    self.assert_bits(found["w"], expected if dtype == torch.float64 else expected.float().to(dtype), "mean")
                    self.assertEqual(found["bn.num_batches_tracked"].item(), 102)
                    self.assertTrue(torch.equal(found["bn.running_mean"], states[-1]["bn.running_mean"]))

    def test_members_that_do_not_fit(self) -> None:
        (first, _), (second, state) = self.checkpoints(2, torch.float32)
        state["w"] = torch.randn(2, 2)
        torch.save(state, second)
        out = self.folder / "out.safetensors"
        answer = run("average", first, second, "-o", out, "--json")
        self.assertNotEqual(answer.code, 0)
        self.assertIn("a different shape", answer.json["error"]["message"])
        self.assertFalse(out.exists())
        self.assertEqual(run("average", first, "-o", out, "--json").code, 2)
        self.assertEqual(run("average", first, second, "-o", out, "--weights", "1", "--json").code, 2)


class Names(Transforms):
    def test_rules_presets_and_files(self) -> None:
        state = {f"module._orig_mod.model.layers.{i}.{kind}.weight": torch.randn(3, i + 1) for i in range(12) for kind in ("attn", "mlp")}
        source, rules = self.folder / "wrapped.pt", self.folder / "rules.txt"
        torch.save(state, source)
        rules.write_text("# for the other code base\nstrip-wrappers\n^model\\.layers\\.(\\d+)\\.attn=h.$1.attention\n")
        for given, name in ((["strip-prefixes"], "layers.3.attn.weight"), ([rules], "h.3.attention.weight"),
                            (["strip-wrappers", r"layers\.(\d+)=block\1"], "model.block3.attn.weight")):
            out = self.folder / f"{name}.safetensors"
            report = self.made("rename", source, "-o", out, "--to", "safetensors", *(word for each in given for word in ("--rename", each)))
            found = load_file(out)
            self.assertEqual(len(found), len(state))
            self.assertTrue(torch.equal(found[name], state["module._orig_mod.model.layers.3.attn.weight"]))
            self.assertEqual(run("verify", source, out, "--whole", "--json").code, 0)
            manifest = json.loads(Path(report["manifest"]).read_text())
            pairs = {tensor["name"]: tensor["source_name"] for tensor in manifest["output"]["tensors"]}
            self.assertEqual(pairs[name], "module._orig_mod.model.layers.3.attn.weight")

    def test_parts_and_rules_from_a_file_are_computed_again(self) -> None:
        """The manifest records the part and the rules themselves, so that `verify` needs neither the part nor the file."""
        path, rules, out = self.folder / "both.pt", self.folder / "rules.txt", self.folder / "bundle"
        states = {name: {"a.weight": torch.randn(8, 64), "b.weight": torch.randn(64, 8)} for name in ("model", "ema")}
        torch.save(states | {"step": 3}, path)
        (self.folder / "config.json").write_text(json.dumps({"model_type": "foo", "architectures": ["Foo"]}))
        rules.write_text("# comment\n\nmodel.a=x.a\n(.*)b\\.weight = $1y.weight ;# more\n")
        made = run("consolidate", f"{path}#model", "-o", out, "--bundle", "--dtype", "fp8", "--rename", rules, "--json")
        self.assertEqual(made.code, 0, made.said())
        options = json.loads((out / "MANIFEST.json").read_text())["options"]
        self.assertEqual((options["subtree"], options["rename"]), ("model", r"model.a=x.a;(.*)b\.weight = $1y.weight"))
        self.assertLessEqual({"a.weight", "y.weight"}, {tensor["name"] for tensor in run("ls", out, "--json").json["tensors"]})
        rules.unlink()
        for source in (path, f"{path}#model"):
            self.assertTrue(run("verify", source, out, "--json").json["verified"], source)
        for wrong in ("ema", "model.a"):
            answer = run("verify", f"{path}#{wrong}", out, "--json")
            self.assertEqual((answer.code, answer.json["error"]["code"]), (2, "invalid-argument"), answer.said())
        states["model"]["b.weight"][63, 7] += 1
        torch.save(states | {"step": 3}, path)
        self.assertEqual(run("verify", path, out, "--json").code, 1)

    def test_rules_as_other_systems_write_them(self) -> None:
        state = {"bert/enc/q.weight": torch.randn(8, 64), "bert/enc/b.weight": torch.randn(64, 8)}
        source, rules, out = self.folder / "s.pt", self.folder / "rules.txt", self.folder / "bundle"
        torch.save(state, source)
        (self.folder / "config.json").write_text(json.dumps({"model_type": "foo", "architectures": ["Foo"]}))
        rules.write_bytes(b"\xef\xbb\xbf# was bert/enc/=y/; bert/=z/\r\n^(bert)(/enc/q)(.*) = x$2$3\r\n")
        self.made("consolidate", source, "-o", out, "--bundle", "--dtype", "fp8", "--rename", rules)
        options = json.loads((out / "MANIFEST.json").read_text())["options"]
        self.assertEqual(options["rename"], "^(bert)(/enc/q)(.*) = x$2$3")
        found = load_file(out / "model.safetensors")
        self.assertLessEqual({"x/enc/q.weight", "bert/enc/b.weight"}, set(found))
        self.assertTrue(run("verify", source, out, "--json").json["verified"])
        self.assertEqual(run("rename", source, "-o", self.folder / "o.safetensors", "--to", "safetensors", "--rename",
                             "^bert=x$1", "--json").json["error"]["code"], "invalid-argument")
        utf16 = self.folder / "wide.txt"
        utf16.write_text("bert=x\n", encoding="utf-16")
        self.assertEqual(run("rename", source, "-o", self.folder / "o.safetensors", "--to", "safetensors", "--rename",
                             utf16, "--json").json["error"]["code"], "invalid-argument")

    def test_rules_that_separate_a_weight_from_its_scales_are_warned_of(self) -> None:
        source = self.folder / "s.pt"
        torch.save({"a.weight": torch.randn(64, 64), "b.weight": torch.randn(64, 64)}, source)
        for rule, warned in ((r"^(.*)\.weight$=$1.w", True), ("a.=c.", False), (r"(.*)\.weight=$1.w", False)):
            plan = run("plan", "consolidate", source, "-o", self.folder / "o.safetensors", "--to", "safetensors", "--dtype", "fp8",
                       "--rename", rule, "--json").json
            messages = [problem["message"] for problem in plan["problems"]]
            self.assertEqual(any("from its scales" in message for message in messages), warned, (rule, messages))

    def test_a_tensor_that_only_the_manifest_has_is_missing(self) -> None:
        source, out = self.folder / "s.pt", self.folder / "out.safetensors"
        torch.save({"module.a": torch.ones(3), "module.b": torch.zeros(3)}, source)
        self.made("rename", source, "-o", out, "--to", "safetensors", "--rename", "module.=m.")
        kept = load_file(out)
        self.assertEqual(run("verify", source, out, "--whole").code, 0)
        save_file({"m.a": kept["m.a"]}, out)
        answer = run("verify", source, out, "--whole", "--json")
        self.assertEqual((answer.code, [(each["what"], each["name"]) for each in answer.json["mismatches"]]), (1, [("missing", "module.b")]))

    def test_verify_follows_the_rules_for_tied_tensors_and_reused_names(self) -> None:
        tied, out = torch.randn(5, 3), self.folder / "tied.safetensors"
        torch.save({"emb.weight": tied, "lm_head.weight": tied, "n": torch.ones(2)}, self.folder / "tied.pt")
        self.made("rename", self.folder / "tied.pt", "-o", out, "--to", "safetensors", "--rename", "lm_head.=head.")
        answer = run("verify", self.folder / "tied.pt", out, "--whole", "--json")
        self.assertEqual((answer.code, answer.json["mismatches"]), (0, []))
        self.assertEqual(set(answer.json["compared"]), {"emb.weight", "head.weight", "n"})
        source, out = self.folder / "s.pt", self.folder / "out.safetensors"
        torch.save({"a": torch.zeros(3), "b": torch.ones(3)}, source)
        self.made("consolidate", source, "-o", out, "--to", "safetensors", "--only", "b", "--rename", "^b$=a")
        self.assertEqual(run("verify", source, out).code, 0)
        answer = run("verify", source, out, "--whole", "--json")
        self.assertEqual([(each["what"], each["name"]) for each in answer.json["mismatches"]], [("missing", "a")])

    def test_a_tied_name_does_not_take_that_of_another_tensor(self) -> None:
        from transformers import LlamaConfig, LlamaForCausalLM

        config = LlamaConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=2,
                             vocab_size=96, tie_word_embeddings=True, architectures=["LlamaForCausalLM"])
        config.save_pretrained(self.folder)
        source = self.folder / "model.pt"
        torch.save({name: tensor.clone() for name, tensor in LlamaForCausalLM(config).state_dict().items()}, source)
        answer = run("consolidate", source, "-o", self.folder / "out", "--bundle", "--rename", "lm_head.=model.norm.", "--json")
        self.assertEqual((answer.code, answer.json["error"]["code"]), (3, "duplicate-tensor"), answer.said())

    def test_a_part_whose_name_looks_like_a_path(self) -> None:
        source, out = self.folder / "s.pt", self.folder / "out"
        torch.save({"/tf/model": {"a.weight": torch.randn(64, 64)}, "other": {"a.weight": torch.zeros(64, 64)}}, source)
        self.made("consolidate", f"{source}#/tf/model", "-o", out, "--dtype", "fp8", "--max-shard-size", "1GB", "--to", "safetensors")
        self.assertEqual(json.loads((out / "MANIFEST.json").read_text())["options"]["subtree"], "/tf/model")
        self.assertTrue(run("verify", source, out, "--json").json["verified"])
        self.assertTrue(run("verify", f"{source}#/tf/model", out, "--json").json["verified"])

    def test_parts_of_equal_files_of_two_folders_are_not_mixed(self) -> None:
        out, plans = self.folder / "out", []
        for value, name in enumerate(("a", "b")):
            path = self.folder / name / "m.pt"
            path.parent.mkdir()
            torch.save({f"w{i}": torch.full((64, 64), float(value)) for i in range(4)}, path)
            os.utime(path, (0, 0))  # as archives and caches leave it
            plan = run("plan", "consolidate", path, "-o", out, "--to", "safetensors", "--max-shard-size", "20KB", "--json")
            plans.append(self.folder / f"{name}.json")
            plans[-1].write_bytes(plan.raw)
        for plan, part in ((plans[0], "1/2"), (plans[1], "2/2"), (plans[1], "1/2")):
            self.assertEqual(run("job", "run", plan, "--part", part, "--json").code, 0)
        values = {float(tensor[0, 0]) for file in out.glob("*.safetensors") for tensor in load_file(file).values()}
        self.assertEqual(values, {1.0})
        again = run("job", "run", plans[0], "--json")
        self.assertEqual(again.json["error"]["code"], "output-exists", again.said())

    def test_two_tensors_under_one_name(self) -> None:
        source, out = self.folder / "s.safetensors", self.folder / "out.safetensors"
        save_file({"a.w": torch.ones(2), "b.w": torch.zeros(2)}, source)
        answer = run("rename", source, "-o", out, "--rename", "^[ab]=c", "--json")
        self.assertEqual(answer.json["error"]["code"], "duplicate-tensor")
        self.assertEqual(files_under(self.folder), ["s.safetensors"])

    def test_a_torch_file_stays_one(self) -> None:
        source, out = self.folder / "s.pt", self.folder / "out.pt"
        torch.save({"module.a": torch.ones(2), "module.b": torch.zeros(3, dtype=torch.int64)}, source)
        self.made("rename", source, "-o", out, "--rename", "strip-wrappers")
        loaded = torch.load(out, weights_only=True)
        self.assertEqual(list(loaded), ["a", "b"])


class Strips(Transforms):
    def test_optimizer_ema_and_rng_stay_behind(self) -> None:
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4))
        optimizer = torch.optim.AdamW(model.parameters())
        model(torch.randn(2, 4)).sum().backward()
        optimizer.step()
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
        whole = {"epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "lr_scheduler": schedule.state_dict(),
                 "ema": {"weight": torch.randn(3)}, "rng_state": torch.get_rng_state(), "args": {"lr": 1e-3}}
        torch.save(whole, self.folder / "whole.pt")
        self.made("consolidate", self.folder / "whole.pt", "-o", self.folder / "some.pt", "--to", "torch", "--strip", "optimizer,rng")
        some = torch.load(self.folder / "some.pt", weights_only=True)
        self.assertEqual(list(some), ["epoch", "model", "lr_scheduler", "ema", "args"])
        self.assertEqual((some["lr_scheduler"], some["args"]), (whole["lr_scheduler"], whole["args"]))
        self.assertTrue(torch.equal(some["ema"]["weight"], whole["ema"]["weight"]))
        self.made("reshard", self.folder / "whole.pt", "-o", self.folder / "dcp", "--ranks", "2", "--strip", "optimizer,ema,rng")
        names = {tensor["name"] for tensor in run("ls", self.folder / "dcp", "--json").json["tensors"]}
        self.assertEqual(names, {f"model.{name}" for name in model.state_dict()})
        answer = run("consolidate", self.folder / "whole.pt", "-o", self.folder / "none.pt", "--strip", "optimiser", "--json")
        self.assertEqual((answer.code, answer.json["error"]["code"]), (2, "invalid-argument"))


class Bundles(Transforms):
    def bundle(self, source: Path, *options: object) -> tuple[Path, dict]:
        out = self.folder / f"bundle-{len(list(self.folder.iterdir()))}"
        return out, self.made("consolidate", source, "-o", out, "--bundle", *options)

    def checked(self, report: dict) -> dict[str, bool]:
        return {item["item"]: item["ok"] for item in report["checklist"]}

    def test_a_bundle_at_another_dtype_has_the_logits_of_the_model_at_it(self) -> None:
        from transformers import AutoModelForCausalLM

        source = case("hf_llama_untied").path
        folder = source if source.is_dir() else source.parent
        tokens = torch.arange(1, 13).reshape(2, 6)
        for name, dtype in (("bf16", torch.bfloat16), ("fp16", torch.float16), ("fp32", torch.float32)):
            out, report = self.bundle(source, "--dtype", name, "--cast-all", "--max-shard-size", "8KB")
            with torch.no_grad():
                expected = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).eval()(tokens).logits
            self.assertTrue(torch.equal(logits_of(out, tokens), expected), name)
            config = json.loads((out / "config.json").read_text())
            self.assertEqual(config.get("dtype", config.get("torch_dtype")), str(dtype).removeprefix("torch."))
            checked = self.checked(report)
            self.assertTrue(all(ok for item, ok in checked.items() if item != "tokenizer"), report["checklist"])
            self.assertTrue((out / "model.safetensors.index.json").is_file())

    def test_the_card_tells_what_was_made(self) -> None:
        out, report = self.bundle(SAMPLE / "tiny-llama-a" / "step-400", "--dtype", "bf16")
        card = (out / "README.md").read_text()
        self.assertIn("step-400", card)
        self.assertIn("bfloat16", card)
        self.assertIn("MANIFEST.json", card)
        self.assertTrue(self.checked(report)["weights"])
        self.assertEqual(run("verify", out, "--json").code, 0)

    def test_tied_weights_follow_the_config(self) -> None:
        state = {"embed.weight": torch.randn(6, 4)}
        state["head.weight"] = state["embed.weight"]
        for ties in (True, False):
            folder = self.folder / f"model-{ties}"
            folder.mkdir()
            torch.save(state, folder / "pytorch_model.bin")
            (folder / "config.json").write_text(json.dumps({"model_type": "llama", "tie_word_embeddings": ties}))
            out, report = self.bundle(folder)
            names = {name for file in out.glob("*.safetensors") for name in load_file(file)}
            self.assertEqual("head.weight" in names, not ties)
            self.assertTrue(self.checked(report)["tied weights"])

    def test_what_is_missing_fails_its_line(self) -> None:
        source = self.folder / "alone.safetensors"
        save_file({"a._orig_mod.w": torch.ones(2)}, source)
        answer = run("consolidate", source, "-o", self.folder / "refused", "--bundle", "--require", "loadable", "--json")
        self.assertEqual((answer.code, answer.json["error"]["code"]), (1, "verify-mismatch"))
        _, report = self.bundle(source)  # nothing is known of the model: not checked
        checked = self.checked(report)
        self.assertEqual([checked[item] for item in ("weights", "names", "config.json", "tokenizer")], [True, False, False, False])


if __name__ == "__main__":
    unittest.main()
