# SPDX-License-Identifier: Apache-2.0
"""Quantised outputs against gguf.quants bit by bit, and forecasts of their errors against NumPy and torch."""

from __future__ import annotations

import importlib.util
import json
import unittest
from pathlib import Path

import gguf
import numpy as np
import torch
import torch.distributed.checkpoint as dcp
from gguf import GGMLQuantizationType as Q
from safetensors.torch import load_file, save_file

from support import run, temporary

KINDS = {"q8_0": Q.Q8_0, "q4_0": Q.Q4_0}


def noise(*shape: int, dtype=torch.float32, seed: int = 0, size: float = 0.02) -> torch.Tensor:
    return (torch.randn(*shape, generator=torch.Generator().manual_seed(seed + sum(shape)), dtype=torch.float64) * size).to(dtype)


def hard(dtype) -> torch.Tensor:
    """Zeros, huge and tiny scales, one large element a block, ties of rounding; a block of each exponent."""
    blocks = [torch.zeros(32), -torch.zeros(32), torch.full((32,), 3.0), torch.arange(-16, 16) * 0.5, torch.arange(32) * 4.0 - 64]
    for exponent in range(-44, 38):
        blocks.append(noise(32, seed=exponent + 100, size=1.0) * 10.0**exponent)
        spike = noise(32, seed=exponent, size=1.0)
        spike[exponent % 32] = (-1) ** exponent * 10.0**exponent
        blocks.append(spike)
    return torch.stack(blocks).to(dtype).nan_to_num(0, 0, 0).reshape(-1, 32).repeat(1, 8)[:, :256]


def blocks_of(tensor: torch.Tensor, kind: Q) -> np.ndarray:
    with np.errstate(all="ignore"):
        return gguf.quants.quantize(tensor.to(torch.float32).numpy(), kind)


def squares(scale: torch.Tensor, shape) -> torch.Tensor:
    return scale.repeat_interleave(128, 0)[: shape[0]].repeat_interleave(128, 1)[:, : shape[1]]


def scales_of(name: str, weight: torch.Tensor) -> torch.Tensor:
    """As the outputs store them: the largest magnitudes of the groups become 448, or 127.5; normal numbers, 1 for zeros."""
    magnitudes = weight.float().abs()
    if name in ("fp8", "int8"):
        most = magnitudes.amax(1, keepdim=True)
    elif name == "fp8_tensor":
        most = magnitudes.amax().reshape(1)
    else:
        padded = torch.nn.functional.pad(magnitudes, (0, -weight.shape[1] % 128, 0, -weight.shape[0] % 128))
        most = padded.reshape(padded.shape[0] // 128, 128, padded.shape[1] // 128, 128).amax((1, 3))
    scale = (most / (127.5 if name == "int8" else 448)).clamp(min=torch.finfo(torch.float32).tiny)
    return torch.where(most > 0, scale, 1)


class Folders(unittest.TestCase):
    def setUp(self) -> None:
        self.context = temporary()
        self.folder = Path(self.context.__enter__())

    def tearDown(self) -> None:
        self.context.__exit__(None, None, None)

    def done(self, *arguments: object) -> dict:
        answer = run(*arguments, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json



class Precision(Folders):
    def read(self, path: Path) -> dict:
        return {t.name: t for t in gguf.GGUFReader(path).tensors}

    def model(self, dtype) -> dict[str, torch.Tensor]:
        return {"model.embed_tokens.weight": noise(301, 64, dtype=dtype), "model.layers.0.mlp.down_proj.weight": noise(64, 96, dtype=dtype),
                "model.layers.0.mlp.experts.up.weight": noise(5, 24, 64, dtype=dtype), "model.layers.0.mlp.gate.weight": noise(5, 64, dtype=dtype),
                "model.layers.0.odd.weight": noise(64, 100, dtype=dtype), "model.layers.0.input_layernorm.weight": noise(64, dtype=dtype),
                "model.layers.0.mlp.down_proj.bias": noise(64, dtype=dtype), "hard.weight": hard(dtype), "large.weight": noise(4099, 1024, dtype=dtype),
                "lm_head.weight": noise(301, 64, dtype=dtype), "ids": torch.arange(64)}

    def test_blocks_are_those_of_gguf(self) -> None:
        for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.float64):
            model = self.model(dtype)
            source = self.folder / f"{dtype}.safetensors"
            save_file(model, source)
            for name, kind in KINDS.items():
                with self.subTest(dtype=dtype, kind=name):
                    out = self.folder / f"{dtype}-{name}.gguf"
                    report = self.done("consolidate", source, "-o", out, "--dtype", name, "--names", "keep")
                    self.assertTrue(report["verified"])
                    found = self.read(out)
                    self.assertEqual(set(found), set(model))
                    for key in ("model.embed_tokens.weight", "model.layers.0.mlp.down_proj.weight", "model.layers.0.mlp.experts.up.weight",
                                "hard.weight", "large.weight"):
                        self.assertEqual(found[key].tensor_type, kind, key)
                        np.testing.assert_array_equal(found[key].data, blocks_of(model[key], kind), key)
                    head = found["lm_head.weight"]
                    self.assertEqual(head.tensor_type, Q.Q8_0)
                    np.testing.assert_array_equal(head.data, blocks_of(model["lm_head.weight"], Q.Q8_0))
                    self.assertEqual(found["model.layers.0.odd.weight"].tensor_type, Q.F16)
                    for key in ("model.layers.0.mlp.gate.weight", "model.layers.0.input_layernorm.weight", "model.layers.0.mlp.down_proj.bias"):
                        self.assertNotEqual(found[key].tensor_type, kind, key)
                    fields = gguf.GGUFReader(out).fields
                    self.assertEqual(fields["general.file_type"].contents(), {"q8_0": 7, "q4_0": 2}[name])
                    self.assertEqual(fields["general.quantization_version"].contents(), gguf.GGML_QUANT_VERSION)
                    self.assertEqual(run("verify", source, out).code, 0)

    def test_a_sharded_source_gives_the_same_blocks(self) -> None:
        """Pieces end inside blocks: the elements of each are in six files."""
        weight = noise(96, 320)
        parts = {f"p{i}.weight": part.contiguous() for i, part in enumerate(weight.split(50, dim=1))}
        dcp.save({"w.weight": weight, **parts}, checkpoint_id=self.folder / "dcp")
        for name, kind in KINDS.items():
            out = self.folder / f"{name}.gguf"
            self.done("consolidate", self.folder / "dcp", "-o", out, "--dtype", name, "--names", "keep", "--only", "w.weight")
            np.testing.assert_array_equal(self.read(out)["w.weight"].data, blocks_of(weight, kind))

    def test_what_is_not_finite_stays_so(self) -> None:
        weight = noise(8, 64)
        weight[1, 3] = torch.nan
        weight[2, 40] = torch.inf
        weight[3, 40] = -torch.inf
        save_file({"w.weight": weight}, self.folder / "m.safetensors")
        for name, kind in KINDS.items():
            out = self.folder / f"{name}.gguf"
            report = self.done("consolidate", self.folder / "m.safetensors", "-o", out, "--dtype", name, "--names", "keep")
            with np.errstate(all="ignore"):
                found = gguf.quants.dequantize(self.read(out)["w.weight"].data, kind)
                expected = gguf.quants.dequantize(blocks_of(weight, kind), kind)
            np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
            np.testing.assert_array_equal(found[~np.isnan(found)], expected[~np.isnan(expected)])
            self.assertGreater(report["cast"]["overflowed"], 0)

    def test_quantised_tensors_are_kept(self) -> None:
        writer = gguf.GGUFWriter(self.folder / "mixed.gguf", "llama")
        old, new = noise(8, 256).numpy(), noise(16, 256)
        writer.add_tensor("old.weight", gguf.quants.quantize(old, Q.Q5_0), raw_dtype=Q.Q5_0)
        writer.add_tensor("new.weight", new.numpy())
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        self.done("consolidate", self.folder / "mixed.gguf", "-o", self.folder / "out.gguf", "--dtype", "q8_0")
        found = self.read(self.folder / "out.gguf")
        self.assertEqual(found["old.weight"].tensor_type, Q.Q5_0)
        np.testing.assert_array_equal(found["old.weight"].data, gguf.quants.quantize(old, Q.Q5_0))
        np.testing.assert_array_equal(found["new.weight"].data, blocks_of(new, Q.Q8_0))

    def test_dequantised_weights_are_quantised(self) -> None:
        weight = noise(256, 256)
        scale = torch.rand(2, 2, generator=torch.Generator().manual_seed(1)) + 0.5
        small = weight.to(torch.float8_e4m3fn)
        save_file({"w.weight": small, "w.weight_scale_inv": scale}, self.folder / "m.safetensors")
        out = self.folder / "out.gguf"
        self.done("consolidate", self.folder / "m.safetensors", "-o", out, "--dtype", "q8_0", "--names", "keep", "--dequantize")
        product = small.float() * scale.repeat_interleave(128, 0).repeat_interleave(128, 1)
        np.testing.assert_array_equal(self.read(out)["w.weight"].data, blocks_of(product, Q.Q8_0))

    def reference(self, name: str, weight: torch.Tensor) -> torch.Tensor:
        weight = weight.float()
        if name in KINDS:
            return torch.from_numpy(gguf.quants.dequantize(blocks_of(weight, KINDS[name]), KINDS[name]))
        scale = scales_of(name, weight)
        scale = squares(scale, weight.shape) if name == "fp8_block" else scale
        if name == "int8":
            return (weight / scale).round().clamp(-128, 127) * scale
        return (weight / scale).clamp(-448, 448).to(torch.float8_e4m3fn).float() * scale

    def test_forecasts(self) -> None:
        weights = {"a.weight": noise(256, 384, dtype=torch.bfloat16), "b.weight": noise(96, 128)}
        weights["b.weight"][77, 3] = 3.0
        save_file({**weights, "model.norm.weight": torch.ones(64), "lm_head.weight": noise(256, 64), "bias": noise(32)}, self.folder / "m.safetensors")
        for name in ("q8_0", "q4_0", "fp8", "fp8_tensor", "fp8_block", "int8"):
            with self.subTest(name):
                out = self.folder / "none"
                plan = self.done("plan", "consolidate", self.folder / "m.safetensors", "-o", out, "--dtype", name, "--names", "keep")
                self.assertFalse(out.exists())
                forecast = plan["precision"]
                self.assertEqual(forecast["dtype"], name)
                found = {t["name"]: t for t in forecast["tensors"]}
                self.assertEqual({"a.weight", "b.weight"}, set(found) - {"lm_head.weight"})
                self.assertEqual("lm_head.weight" in found, name in KINDS)
                for key, weight in weights.items():
                    back = self.reference(name, weight).double()
                    errors = (weight.double() - back).square()
                    tensor = found[key]
                    self.assertEqual(tensor["rows_sampled"], weight.shape[0])
                    self.assertAlmostEqual(tensor["rmse"] / errors.mean().sqrt().item(), 1, places=6)
                    cosine = torch.nn.functional.cosine_similarity(weight.double().flatten(), back.flatten(), dim=0)
                    self.assertAlmostEqual(tensor["cosine"], cosine.item(), places=9)
                    rows = errors.mean(1).sqrt()
                    self.assertEqual(tensor["worst_row"]["index"], int(rows.argmax()))
                    self.assertAlmostEqual(tensor["worst_row"]["rmse"] / rows.max().item(), 1, places=6)
                kept = {key for each in forecast["kept"] for key in each["tensors"]}
                self.assertLessEqual({"model.norm.weight", "bias"}, kept)
                again = self.done("plan", "cast", self.folder / "m.safetensors", "-o", out, "--dtype", name, "--names", "keep")
                self.assertEqual(again["precision"]["tensors"], forecast["tensors"])

    def test_what_is_only_forecast_is_not_written(self) -> None:
        save_file({"a.weight": noise(64, 256)}, self.folder / "m.safetensors")
        for name in ("q4_k", "int8"):
            plan = self.done("plan", "consolidate", self.folder / "m.safetensors", "-o", self.folder / "out", "--dtype", name, "--names", "keep")
            self.assertFalse(plan["runnable"])
            self.assertGreater(plan["precision"]["tensors"][0]["cosine"], 0.99)
            answer = run("consolidate", self.folder / "m.safetensors", "-o", self.folder / "out", "--dtype", name, "--names", "keep")
            self.assertNotEqual(answer.code, 0)
            self.assertFalse((self.folder / "out").exists())



class Fp8(Folders):
    """8-bit floats with separate scales, in the layouts that vLLM reads."""

    def weights(self, dtype) -> dict[str, torch.Tensor]:
        every = torch.arange(-32768, 32768, dtype=torch.int32).to(torch.int16).view(torch.bfloat16).nan_to_num(0, 0, 0)
        odd = noise(100, 64, dtype=dtype)
        odd[3] = 0
        odd[4] = 1e-30
        odd[5, 7] = 100
        return {"model.layers.0.a.weight": noise(256, 384, dtype=dtype), "model.layers.0.b.weight": odd,
                "model.layers.0.every.weight": (every.clamp(-1e30, 1e30) if dtype != torch.float16 else every.clamp(-6e4, 6e4)).to(dtype).reshape(256, 256),
                "model.layers.0.wide.weight": noise(16, 128 * 2100, dtype=dtype)}

    def kept(self, dtype) -> dict[str, torch.Tensor]:
        return {"model.embed_tokens.weight": noise(256, 128, dtype=dtype), "lm_head.weight": noise(256, 128, dtype=dtype),
                "model.layers.0.mlp.gate.weight": noise(8, 128, dtype=dtype), "model.layers.0.mlp.experts.w.weight": noise(4, 128, 128, dtype=dtype),
                "model.layers.0.input_layernorm.weight": noise(128, dtype=dtype), "model.layers.0.a.bias": noise(256, dtype=dtype)}

    def test_numbers_and_scales(self) -> None:
        for dtype in (torch.bfloat16, torch.float32, torch.float16, torch.float64):
            weights, kept = self.weights(dtype), self.kept(dtype)
            source = self.folder / f"{dtype}.safetensors"
            save_file({**weights, **kept}, source)
            for name in ("fp8", "fp8_tensor", "fp8_block"):
                with self.subTest(dtype=dtype, name=name):
                    out = self.folder / f"{dtype}-{name}.safetensors"
                    report = self.done("consolidate", source, "-o", out, "--dtype", name)
                    self.assertTrue(report["verified"])
                    self.assertEqual(report["cast"]["overflowed"], 0)
                    found = load_file(out)
                    suffix = "_scale_inv" if name == "fp8_block" else "_scale"
                    self.assertEqual(set(found), set(weights) | set(kept) | {key + suffix for key in weights})
                    largest = 0.0
                    for key, weight in weights.items():
                        scale = scales_of(name, weight)
                        torch.testing.assert_close(found[key + suffix], scale, rtol=0, atol=0)
                        spread = squares(scale, weight.shape) if name == "fp8_block" else scale
                        codes = (weight.float() / spread).clamp(-448, 448).to(torch.float8_e4m3fn)
                        self.assertEqual(found[key].dtype, torch.float8_e4m3fn)
                        self.assertTrue(torch.equal(found[key].view(torch.uint8), codes.view(torch.uint8)), key)
                        largest = max(largest, (weight.double() - codes.double() * spread).abs().max().item())
                    self.assertAlmostEqual(report["cast"]["max_abs"] / largest, 1, places=5)
                    for key, tensor in kept.items():
                        self.assertTrue(torch.equal(found[key], tensor), key)
                    back = self.folder / f"{dtype}-{name}-back.safetensors"
                    self.done("consolidate", out, "-o", back, "--dequantize", "--dtype", "fp32")
                    numbers = load_file(back)
                    for key in weights:
                        scale = found[key + suffix]
                        spread = squares(scale, weights[key].shape) if name == "fp8_block" else scale
                        self.assertTrue(torch.equal(numbers[key], found[key].float() * spread), key)

    def test_what_is_not_finite_is_counted(self) -> None:
        weight = noise(8, 64)
        weight[1, 3], weight[2, 40] = torch.nan, torch.inf
        save_file({"w.weight": weight}, self.folder / "m.safetensors")
        report = self.done("consolidate", self.folder / "m.safetensors", "-o", self.folder / "o.safetensors", "--dtype", "fp8")
        self.assertEqual(report["cast"]["overflowed"], 1)
        found = load_file(self.folder / "o.safetensors")
        self.assertTrue(found["w.weight"].float()[1, 3].isnan())
        self.assertTrue(torch.isfinite(found["w.weight_scale"]).all())

    def test_a_sharded_source(self) -> None:
        weight = noise(300, 513)
        dcp.save({"w.weight": weight}, checkpoint_id=self.folder / "dcp")
        save_file({"w.weight": weight}, self.folder / "m.safetensors")
        for source in ("dcp", "m.safetensors"):
            self.done("consolidate", self.folder / source, "-o", self.folder / f"{source}.out", "--dtype", "fp8")
        a, b = (load_file(self.folder / f"{source}.out") for source in ("dcp", "m.safetensors"))
        for key in ("w.weight", "w.weight_scale"):
            self.assertTrue(torch.equal(a[key].view(torch.uint8), b[key].view(torch.uint8)))

    def test_sizes_that_others_misread_are_kept(self) -> None:
        save_file({"a.weight": noise(192, 128), "b.weight": noise(128, 128)}, self.folder / "m.safetensors")
        self.done("consolidate", self.folder / "m.safetensors", "-o", self.folder / "o.safetensors", "--dtype", "fp8_block")
        found = load_file(self.folder / "o.safetensors")
        self.assertEqual(set(found), {"a.weight", "b.weight", "b.weight_scale_inv"})
        self.assertEqual(found["a.weight"].dtype, torch.float32)

    def test_verify_computes_scales_and_codes_again(self) -> None:
        source = self.folder / "m.safetensors"
        weights = self.weights(torch.bfloat16)
        save_file(weights, source)
        name = "model.layers.0.a.weight"
        for precision in ("fp8", "fp8_tensor", "fp8_block"):
            with self.subTest(precision=precision):
                out = self.folder / f"{precision}.safetensors"
                self.done("consolidate", source, "-o", out, "--dtype", precision)
                answer = self.done("verify", source, out)
                self.assertTrue(answer["verified"])
                self.assertIn(precision, answer["basis"])
                self.assertEqual(len(answer["compared"]), 2 * len(weights))
                found = load_file(out)
                scale = name + ("_scale_inv" if precision == "fp8_block" else "_scale")

                def other_scale(state) -> None:  # the codes fit it, but it is not that of the largest magnitude
                    state[scale] = state[scale] * 1.125
                    spread = squares(state[scale], weights[name].shape) if precision == "fp8_block" else state[scale]
                    state[name] = (weights[name].float() / spread).to(torch.float8_e4m3fn)

                def other_code(state) -> None:
                    state[name].view(torch.uint8)[5, 7] ^= 1

                def lacking(state) -> None:
                    del state[scale]

                for change in (other_scale, other_code, lacking):
                    state = {key: value.clone() for key, value in found.items()}
                    change(state)
                    save_file(state, out)
                    answer = run("verify", source, out, "--json")
                    self.assertEqual((answer.code, answer.json["verified"]), (1, False), (precision, change))
                    self.assertTrue({each["name"] for each in answer.json["mismatches"]} <= {name, scale}, answer.json["mismatches"])

    def test_verify_of_blocks(self) -> None:
        source = self.folder / "m.safetensors"
        save_file({"blk.0.attn_q.weight": noise(64, 256, dtype=torch.bfloat16), "output_norm.weight": noise(256)}, source)
        for precision in ("q8_0", "q4_0"):
            with self.subTest(precision=precision):
                out = self.folder / f"{precision}.gguf"
                self.done("consolidate", source, "-o", out, "--to", "gguf", "--names", "keep", "--dtype", precision)
                self.assertTrue(self.done("verify", source, out)["verified"])
                data = bytearray(out.read_bytes())
                data[-256 * 4 - 100] ^= 16
                out.write_bytes(data)
                self.assertEqual(run("verify", source, out, "--json").code, 1)

    def test_scales_lie_beside_their_weights(self) -> None:
        """A .pt file is written flat, since the nesting of the source has no place for scales."""
        model = {"layers.0.a.weight": noise(64, 96), "layers.0.norm.weight": torch.ones(96)}
        torch.save({"model": model, "step": 5, "extra": {"w": noise(4, 4)}}, self.folder / "c.pt")
        self.done("cast", self.folder / "c.pt", "-o", self.folder / "o.pt", "--dtype", "fp8")
        found = torch.load(self.folder / "o.pt", weights_only=True)
        self.assertLessEqual({"model.layers.0.a.weight", "model.layers.0.a.weight_scale", "model.layers.0.norm.weight"}, set(found))

    def test_transposed_matrices_are_refused(self) -> None:
        (self.folder / "model").mkdir()
        (self.folder / "model" / "config.json").write_text(json.dumps({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_layer": 1}))
        save_file({"h.0.mlp.c_fc.weight": noise(32, 128)}, self.folder / "model" / "model.safetensors", {"format": "pt"})
        answer = run("consolidate", self.folder / "model", "-o", self.folder / "o", "--dtype", "fp8", "--bundle")
        self.assertNotEqual(answer.code, 0)
        self.assertIn("transposed", answer.said())

    def test_a_second_quantisation_changes_nothing(self) -> None:
        save_file({"a.weight": noise(128, 128)}, self.folder / "m.safetensors")
        self.done("consolidate", self.folder / "m.safetensors", "-o", self.folder / "o.safetensors", "--dtype", "fp8")
        again = self.done("consolidate", self.folder / "o.safetensors", "-o", self.folder / "p.safetensors", "--dtype", "fp8")
        self.assertIsNone(again["cast"])
        first, second = load_file(self.folder / "o.safetensors"), load_file(self.folder / "p.safetensors")
        for key, tensor in first.items():
            self.assertTrue(torch.equal(tensor.view(torch.uint8), second[key].view(torch.uint8)))


@unittest.skipUnless(importlib.util.find_spec("compressed_tensors"), "no compressed-tensors here")
class Fp8Models(Folders):
    """Bundles of a tiny model, loaded by transformers."""

    def bundle(self, name: str) -> tuple[Path, dict[str, torch.Tensor], object]:
        from transformers import LlamaConfig, LlamaForCausalLM

        torch.manual_seed(0)
        config = LlamaConfig(hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1, vocab_size=96)
        model = LlamaForCausalLM(config).to(torch.bfloat16)
        model.save_pretrained(self.folder / "model")
        out = self.folder / name
        answer = self.done("consolidate", self.folder / "model", "-o", out, "--dtype", name, "--bundle", "--require", "loadable")
        self.assertTrue(answer["verified"])
        return out, load_file(out / "model.safetensors"), model

    def numbers(self, name: str, found: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        made = {}
        for key, tensor in found.items():
            if tensor.dtype == torch.float8_e4m3fn:
                scale = found[key + ("_scale_inv" if name == "fp8_block" else "_scale")]
                scale = squares(scale, tensor.shape) if name == "fp8_block" else scale
                made[key] = tensor.float() * scale
            elif "_scale" not in key:
                made[key] = tensor.float()
        return made

    def test_compressed_tensors(self) -> None:
        from compressed_tensors.quantization import QuantizationConfig
        from compressed_tensors.quantization.lifecycle.forward import dequantize
        from transformers import AutoModelForCausalLM

        for name, strategy in (("fp8", "channel"), ("fp8_tensor", "tensor")):
            with self.subTest(name):
                out, found, model = self.bundle(name)
                settings = QuantizationConfig.model_validate(json.loads((out / "config.json").read_text())["quantization_config"])
                group = settings.config_groups["group_0"]
                self.assertEqual((group.weights.strategy, group.weights.num_bits, settings.format), (strategy, 8, "float-quantized"))
                self.assertIn("lm_head", settings.ignore)
                numbers = self.numbers(name, found)
                for key, tensor in found.items():
                    if tensor.dtype == torch.float8_e4m3fn:
                        self.assertTrue(torch.equal(dequantize(tensor, found[key + "_scale"], args=group.weights), numbers[key]), key)
                self.assertEqual(sum(t.dtype == torch.float8_e4m3fn for t in found.values()), 14)
                loaded = AutoModelForCausalLM.from_pretrained(out)
                ids = torch.arange(40)[None]
                got = loaded(ids).logits.float()
                model.load_state_dict({key: tensor.to(torch.bfloat16) for key, tensor in numbers.items()}, strict=False)
                want = model(ids).logits.float()  # its activations are not quantised
                self.assertGreater(torch.nn.functional.cosine_similarity(got.flatten(), want.flatten(), dim=0).item(), 0.99)

    def test_squares(self) -> None:
        from transformers import AutoModelForCausalLM, FineGrainedFP8Config

        out, found, _ = self.bundle("fp8_block")
        settings = json.loads((out / "config.json").read_text())["quantization_config"]
        self.assertEqual((settings["quant_method"], settings["weight_block_size"]), ("fp8", [128, 128]))
        loaded = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32, quantization_config=FineGrainedFP8Config(dequantize=True))
        state = loaded.state_dict()
        for key, tensor in self.numbers("fp8_block", found).items():
            self.assertTrue(torch.equal(state[key].float(), tensor), key)


if __name__ == "__main__":
    unittest.main()
