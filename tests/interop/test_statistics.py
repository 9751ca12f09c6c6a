# SPDX-License-Identifier: Apache-2.0
"""Compares `stats` with torch in double precision, for every dtype."""

from __future__ import annotations

import math
import unittest
from pathlib import Path

import torch

import random_tensors
from support import ask, run, temporary

EXACT = ("count", "zeros", "nan", "inf", "min", "max", "absmax")


def expected(tensor: torch.Tensor) -> dict[str, float]:
    x = random_tensors.as_double(tensor)
    x = x.abs() if x.is_complex() else x
    finite = x[torch.isfinite(x)]
    return {
        "count": tensor.numel(), "nan": int(x.isnan().sum()), "inf": int(x.isinf().sum()), "zeros": int((x == 0).sum()),
        "min": finite.min().item(), "max": finite.max().item(), "absmax": finite.abs().max().item(),
        "mean": finite.mean().item(), "std": finite.std(correction=0).item(),
        "l1": finite.abs().sum().item(), "l2": finite.square().sum().sqrt().item(),
    }


def digits(dtype: torch.dtype) -> float:
    """Eight of these at a time are added in single precision."""
    return 1e-6 if dtype in (torch.bfloat16, torch.float16) else 1e-12


class Statistics(unittest.TestCase):
    def compare(self, got: dict, wanted: dict[str, float], scale: float, digits: float = 1e-12) -> None:
        for key, value in wanted.items():
            if key in EXACT:
                self.assertEqual(got[key], value, key)
            elif key == "mean":  # of both signs: error relative to the values, not to the sum
                self.assertLessEqual(abs(got[key] - value), digits / 10 * scale, key)
            else:
                self.assertTrue(math.isclose(got[key], value, rel_tol=digits), f"{key}: {got[key]} and {value}")

    def ask(self, path: Path, *options: str) -> dict[str, dict]:
        return {row["name"]: row for row in ask("stats", path, *options)["tensors"]}

    def test_every_dtype(self) -> None:
        state = {str(dtype).removeprefix("torch."): random_tensors.values(dtype) for dtype in random_tensors.ALL}
        state |= {name + "_plain": torch.randn(random_tensors.COUNT, generator=random_tensors.seeded(9)).to(getattr(torch, name))
                  for name in state if name.startswith(("float", "bfloat"))}
        state |= {name + "_odd": tensor[:17].clone() for name, tensor in state.items()}
        with temporary() as folder:
            path = Path(folder) / "all.pt"
            torch.save(state, path)
            rows = self.ask(path)
            self.assertEqual(set(rows), set(state))
            for name, tensor in state.items():
                with self.subTest(name):
                    wanted = expected(tensor)
                    self.compare(rows[name], wanted, wanted["l1"] / tensor.numel(), digits(tensor.dtype))

    def test_all_together(self) -> None:
        """One row for all tensors: compared with torch on their concatenation, with tied ones once."""
        torch.manual_seed(1)
        state = {"a": torch.randn(3, 50_000), "b": torch.randn(70_001) * 3 + 5, "c": torch.zeros(0)}
        state["tied"] = state["a"]
        with temporary() as folder:
            path = Path(folder) / "several.pt"
            torch.save(state, path)
            answer = run("stats", path, "--json")
            wanted = expected(torch.cat([state["a"].flatten(), state["b"]]).double())
            self.compare(answer.json["together"], wanted, wanted["l1"] / wanted["count"])
            one = run("stats", path, "--json", "--tensor", "b")
            self.assertNotIn("together", one.json)

    def test_random_patterns(self) -> None:
        """Exponents over the complete range: sums are dominated by the largest, counts and extremes are exact."""
        state = {str(dtype): random_tensors.patterns(dtype, 20_001, 5) for dtype in
                 (*random_tensors.FLOATS[1:], *random_tensors.EIGHT_BITS)}
        with temporary() as folder:
            path = Path(folder) / "patterns.pt"
            torch.save(state, path)
            rows = self.ask(path)
            for name, tensor in state.items():
                with self.subTest(name):
                    wanted = expected(tensor)
                    self.compare(rows[name], wanted, wanted["l1"] / tensor.numel(), digits(tensor.dtype))

    def test_sixteen_bits_keep_six_digits(self) -> None:
        """A mean far above the deviation, subnormal and huge values, mixed exponents, an outlier, a constant."""
        noise = torch.randn(200_003, generator=random_tensors.seeded(4))
        exponents = torch.randint(-12, 12, noise.shape, generator=random_tensors.seeded(5))
        kinds = {
            "weights": noise * 0.02, "far": noise + 100, "near": noise + 1.7, "subnormal": noise * 1e-6, "mixed": torch.ldexp(noise, exponents),
            "constant": torch.full_like(noise, 0.3), "positive": noise.abs() + 0.5,
        }
        kinds["outlier"] = torch.where(torch.arange(noise.numel()) == 77, 3e4, noise * 1e-4)
        state = {f"{name} {dtype}": values.to(dtype) for name, values in kinds.items() for dtype in (torch.bfloat16, torch.float16)}
        for name, scale in (("subnormal", 1e-39), ("small", 1e-25), ("large", 1e15), ("huge", 1e35)):
            state[f"{name} of bfloat16"] = (noise.double() * scale).to(torch.bfloat16)
        with temporary() as folder:
            path = Path(folder) / "sixteen.pt"
            torch.save(state, path)
            rows = self.ask(path)
            for name, tensor in state.items():
                with self.subTest(name):
                    wanted = expected(tensor)
                    if name.startswith("constant"):
                        self.assertEqual(rows[name]["std"], 0)
                        del wanted["std"]  # torch's result is only rounding error
                    self.compare(rows[name], wanted, wanted["l1"] / tensor.numel(), 1e-6)

    def test_histogram(self) -> None:
        state = {str(dtype): random_tensors.values(dtype, 30_001) for dtype in random_tensors.ALL}
        with temporary() as folder:
            path = Path(folder) / "histogram.pt"
            torch.save(state, path)
            for name, row in self.ask(path, "--histogram").items():
                with self.subTest(name):
                    x = random_tensors.as_double(state[name])
                    x = x.abs() if x.is_complex() else x
                    finite = x[torch.isfinite(x)]
                    self.assertEqual(sum(count for _, _, count in row["histogram"]), finite.numel())
                    for low, high, count in row["histogram"]:
                        low, high = (-math.inf if low is None else low), (math.inf if high is None else high)
                        if low == high:
                            inside = finite == 0
                        elif low >= 0:
                            inside = (finite >= low) & (finite < high) & (finite != 0)
                        else:
                            inside = (finite > low) & (finite <= high) & (finite != 0)
                        self.assertEqual(int(inside.sum()), count, (low, high))

    def test_a_sample_is_labelled_and_near(self) -> None:
        torch.manual_seed(0)
        tensor = torch.randn(40_000_000, dtype=torch.float16)  # 80 MB
        with temporary() as folder:
            path = Path(folder) / "large.pt"
            torch.save({"w": tensor, "small": tensor[:5].clone()}, path)
            sampled = self.ask(path, "--sample")
            self.assertTrue(sampled["w"]["sampled"])
            self.assertNotIn("sampled", sampled["small"])
            self.assertLess(sampled["w"]["count"], tensor.numel())
            self.assertAlmostEqual(sampled["w"]["std"], 1.0, delta=0.01)
            exact = self.ask(path)["w"]
            self.assertEqual(exact["count"], tensor.numel())
            self.compare(exact, expected(tensor), 1.0, digits(tensor.dtype))


if __name__ == "__main__":
    unittest.main()
