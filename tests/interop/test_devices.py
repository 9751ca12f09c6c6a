# SPDX-License-Identifier: Apache-2.0
"""Compares the libtorch lane with the processor's kernels, through the program: the same bytes and counts; and the results that only
libtorch computes with expressions in torch. On libtorch's CPU device ("torch-cpu"); skipped where Cairn is built
without the module."""

from __future__ import annotations

import math
import unittest
from pathlib import Path

import torch
from safetensors.torch import save_file

from support import ask, run, temporary
from test_transforms import every_pattern

HAS_MODULE = run("--version", "--json").json["libtorch"] is not None
NEEDS_MODULE = unittest.skipUnless(HAS_MODULE, "built without the libtorch module")


class Devices(unittest.TestCase):
    def setUp(self) -> None:
        self.context = temporary()
        self.folder = Path(self.context.__enter__())

    def tearDown(self) -> None:
        self.context.__exit__(None, None, None)

    def saved(self, name: str, tensors: dict[str, torch.Tensor]) -> Path:
        path = self.folder / f"{name}.safetensors"
        save_file(tensors, path)
        return path

    def decision(self, plan: dict) -> dict:
        return next(each for each in plan["decisions"] if each["what"] == "device")

    def assert_same_bytes(self, *job: object) -> None:
        """The job on either device writes the same files."""
        made = {}
        for device in ("cpu", "torch-cpu"):
            report = ask(*job, "-o", self.folder / f"{device}.safetensors", "--device", device)
            self.assertTrue(report["verified"])
            self.assertEqual(self.decision(report)["value"], device)
            made[device] = [file["sha256"] for file in report["files"]]
            (self.folder / f"{device}.safetensors").unlink()
            for manifest in self.folder.glob(f"{device}.safetensors*.json"):
                manifest.unlink()
        self.assertEqual(made["cpu"], made["torch-cpu"], job)


class Jobs(Devices):
    @NEEDS_MODULE
    def test_casts_of_every_pattern(self) -> None:
        source = self.saved("source", every_pattern())
        for dtype in ("float64", "float32", "float16", "bfloat16"):
            with self.subTest(dtype):
                self.assert_same_bytes("consolidate", source, "--dtype", dtype, "--cast-all")

    @NEEDS_MODULE
    def test_weights_with_scales(self) -> None:
        random = torch.Generator().manual_seed(3)
        weight = torch.randn(300, 500, generator=random).to(torch.float8_e4m3fn)
        scale = torch.rand(3, 4, generator=random) * 0.01 + 1e-4
        source = self.saved("source", {"q.weight": weight, "q.weight_scale_inv": scale})
        for dtype in ("bf16", "fp32", "fp16"):
            with self.subTest(dtype):
                self.assert_same_bytes("cast", source, "--dequantize", "--dtype", dtype)

    @NEEDS_MODULE
    def test_averages(self) -> None:
        random = torch.Generator().manual_seed(5)
        members = [self.saved(f"step-{i}", {"a": torch.randn(700, 900, generator=random).to(dtype), "n": torch.arange(5)})
                   for i, dtype in enumerate((torch.float32, torch.float32, torch.bfloat16))]
        self.assert_same_bytes("average", *members, "--weights", "0.2,0.5,0.3")

    def test_auto_says_why(self) -> None:
        source = self.saved("source", {"a": torch.randn(64, 64)})
        copied = ask("plan", "consolidate", source, "-o", self.folder / "out.safetensors")
        self.assertEqual(copied["device"], "cpu")
        self.assertIn("only copied", self.decision(copied)["why"])
        cast = ask("plan", "cast", source, "-o", self.folder / "out.safetensors", "--dtype", "bf16")
        self.assertEqual((cast["device"], self.decision(cast)["value"]), ("cpu", "cpu"))
        self.assertNotIn("only copied", self.decision(cast)["why"])

    def test_what_is_no_device(self) -> None:
        source = self.saved("source", {"a": torch.randn(64, 64)})
        error = ask("cast", source, "-o", self.folder / "out.safetensors", "--dtype", "bf16", "--device", "gpu", code=2)["error"]
        self.assertEqual((error["code"], error["found"]), ("invalid-argument", "gpu"))

    @unittest.skipIf(torch.cuda.is_available(), "this machine has a CUDA device")
    def test_a_device_that_is_not_there(self) -> None:
        source = self.saved("source", {"a": torch.randn(64, 64)})
        for verb in (("cast", source, "-o", self.folder / "out.safetensors", "--dtype", "bf16"),
                     ("consolidate", source, "-o", self.folder / "out.safetensors"), ("stats", source), ("diff", source, source, "--values")):
            with self.subTest(verb[0]):
                answer = run(*verb, "--device", "cuda:0", "--json")
                self.assertEqual(answer.code, 3, answer.said())
                self.assertEqual(answer.json["error"]["code"], "not-found")
                self.assertTrue(answer.json["error"]["hint"], "says what to do")
                if HAS_MODULE:
                    self.assertIn("libtorch", answer.json["error"]["found"])
        self.assertFalse((self.folder / "out.safetensors").exists())


class Measures(Devices):
    def tensors(self) -> dict[str, torch.Tensor]:
        random = torch.Generator().manual_seed(11)
        made = every_pattern() | {"long": torch.randint(-(2**62), 2**62, (9999,), generator=random), "flag": torch.rand(77) > 0.5,
                                  "complex": torch.randn(500, dtype=torch.complex64), "large": torch.randn(3000, 2000, generator=random)}
        return {name: tensor for name, tensor in made.items() if name != "double"}  # its squares exceed the range of a double

    @NEEDS_MODULE
    def test_statistics(self) -> None:
        source = self.saved("source", self.tensors())
        here = ask("stats", source, "--device", "cpu")
        there = ask("stats", source, "--device", "torch-cpu")
        self.assertEqual((here["device"], there["device"]), ("cpu", "torch-cpu"))
        for left, right in zip(here["tensors"], there["tensors"], strict=True):
            with self.subTest(left["name"]):
                for figure in ("name", "count", "zeros", "nan", "inf"):
                    self.assertEqual(left[figure], right[figure], figure)
                for figure in ("min", "max", "absmax", "std", "l1", "l2"):
                    self.assertTrue(math.isclose(left[figure], right[figure], rel_tol=1e-6), (figure, left[figure], right[figure]))
                self.assertLessEqual(abs(left["mean"] - right["mean"]), 1e-6 * left["l1"] / max(1, left["count"]))

    @NEEDS_MODULE
    def test_differences(self) -> None:
        tensors = self.tensors()
        left = self.saved("left", tensors)
        changed = {name: tensor.clone() for name, tensor in tensors.items()}
        for tensor in changed.values():
            tensor.view(torch.uint8)[..., 3::101] ^= 1
        changed["large"] = changed["large"].to(torch.bfloat16)
        right = self.saved("right", changed)
        for tolerance in ((), ("--rtol", "1e-3", "--atol", "1e-5")):
            code = 1
            here = ask("diff", left, right, "--values", *tolerance, "--device", "cpu", code=code)
            there = ask("diff", left, right, "--values", *tolerance, "--device", "torch-cpu", code=code)
            self.assertEqual([row["name"] for row in here["changed"]], [row["name"] for row in there["changed"]])
            for one, other in zip(here["changed"], there["changed"], strict=True):
                for figure, value in one.items():
                    if isinstance(value, float):
                        self.assertTrue(math.isclose(value, other[figure], rel_tol=1e-6, abs_tol=1e-12), (one["name"], figure, value, other[figure]))
                    else:
                        self.assertEqual(value, other[figure], (one["name"], figure))


def cka(left: torch.Tensor, right: torch.Tensor) -> float:
    x, y = (each.flatten(1).double() - each.flatten(1).double().mean(0, keepdim=True) for each in (left, right))
    return ((y.T @ x).norm() ** 2 / ((x.T @ x).norm() * (y.T @ y).norm())).item()


class Matrices(Devices):
    @NEEDS_MODULE
    def test_spectra(self) -> None:
        random = torch.Generator().manual_seed(1)
        low = torch.randn(400, 3, generator=random) @ torch.randn(3, 300, generator=random)
        tensors = {"tall": torch.randn(2500, 64, generator=random), "wide": torch.randn(64, 2500, generator=random),
                   "low": low, "bf16": torch.randn(200, 200, generator=random).bfloat16(), "conv": torch.randn(40, 30, 3, 3, generator=random),
                   "bytes": torch.randint(0, 255, (30, 40), generator=random, dtype=torch.uint8), "vector": torch.randn(8), "zero": torch.zeros(4, 5)}
        source = self.saved("source", tensors)
        rows = {row["name"]: row["spectrum"] for row in ask("stats", source, "--spectrum")["tensors"]}
        self.assertIsNone(rows.pop("vector"), "a vector has no singular values")
        zero = rows.pop("zero")
        self.assertEqual((zero["largest"], zero["condition"], zero["effective_rank"], zero["stable_rank"]), (0, None, 0, 0))
        for name, found in rows.items():
            with self.subTest(name):
                matrix = tensors[name].double().flatten(1)
                values = torch.linalg.svdvals(matrix)
                shares = values / values.sum()
                entropy = -torch.special.xlogy(shares, shares).sum()
                self.assertEqual((found["rows"], found["columns"]), tuple(matrix.shape))
                self.assertTrue(math.isclose(found["largest"], values[0].item(), rel_tol=1e-12))
                self.assertLessEqual(abs(found["smallest"] - values[-1].item()), 1e-13 * values[0].item() * len(values))
                self.assertTrue(math.isclose(found["effective_rank"], entropy.exp().item(), rel_tol=1e-9))
                self.assertTrue(math.isclose(found["stable_rank"], ((values / values[0]) ** 2).sum().item(), rel_tol=1e-12))
        self.assertLess(rows["low"]["effective_rank"], 3.01)

    @NEEDS_MODULE
    def test_what_has_no_spectrum(self) -> None:
        broken = torch.randn(30, 30)
        broken[3, 4] = math.nan
        source = self.saved("source", {"a": broken, "b": torch.randn(30, 30)})
        rows = {row["name"]: row["spectrum"] for row in ask("stats", source, "--spectrum")["tensors"]}
        self.assertIn("non-finite", rows["a"]["error"]["found"])
        self.assertGreater(rows["b"]["largest"], 0, "the others go on")

    @NEEDS_MODULE
    def test_similarity_of_layers(self) -> None:
        random = torch.Generator().manual_seed(2)
        wide, tall = torch.randn(100, 900, generator=random) + 1, torch.randn(900, 100, generator=random)
        turned, _ = torch.linalg.qr(torch.randn(900, 900, generator=random))
        left = {"wide": wide, "tall": tall, "turned": wide, "bias": torch.randn(5), "conv": torch.randn(8, 4, 3, 3, generator=random)}
        right = {"wide": wide + torch.randn(100, 900, generator=random), "tall": torch.randn(900, 100, generator=random).double(),
                 "turned": 3 * wide @ turned, "bias": torch.randn(5), "conv": torch.randn(8, 4, 3, 3, generator=random)}
        answer = ask("diff", self.saved("left", {k: v.clone() for k, v in left.items()}), self.saved("right", right), "--cka", code=1)
        found = {row["name"]: row["cka"] for row in answer["layers"]}
        self.assertEqual(set(found), {"wide", "tall", "turned", "conv"})
        for name, value in found.items():
            self.assertTrue(math.isclose(value, cka(left[name], right[name]), rel_tol=1e-9), (name, value))
        self.assertGreater(found["turned"], 0.999999)
        self.assertLess(found["tall"], 0.5)

    @unittest.skipIf(HAS_MODULE, "the libtorch module is there")
    def test_without_the_module(self) -> None:
        source = self.saved("source", {"a": torch.randn(6, 6)})
        error = ask("stats", source, "--spectrum", code=3)["error"]
        self.assertIn("libtorch", error["message"])
        self.assertTrue(error["hint"])


if __name__ == "__main__":
    unittest.main()
