# SPDX-License-Identifier: Apache-2.0
"""Compares `diff` with torch in double precision, also on real checkpoints of one model in several formats and shardings."""

from __future__ import annotations

import math
import os
import unittest
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch.distributed.checkpoint import DefaultLoadPlanner, FileSystemReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from torch.distributed.checkpoint.state_dict_loader import _load_state_dict

import random_tensors
from random_tensors import as_double, bits
from support import ask, case, run, temporary


def expected(left: torch.Tensor, right: torch.Tensor) -> dict[str, float]:
    l, r = as_double(left), as_double(right)
    equal = (l == r) | (l.isnan() & r.isnan())
    finite = torch.isfinite(l) & torch.isfinite(r)
    l, r = l[finite], r[finite]
    distance = (l - r).abs()
    norm = lambda x: x.abs().square().sum().sqrt()  # noqa: E731  (pairwise, unlike vector_norm)
    dot = (l.conj() * r).real.sum() if l.is_complex() else (l * r).sum()
    return {
        "identical": left.dtype == right.dtype and bool((bits(left) == bits(right)).all()),
        "count_changed": int((~equal).sum()),
        "max_abs": distance.max().item(), "mean_abs": distance.mean().item(), "rms": distance.square().mean().sqrt().item(),
        "rel_l2": (norm(distance) / norm(l)).item(), "cosine": (dot / (norm(l) * norm(r))).item(),
    }


def perturbed(tensor: torch.Tensor) -> torch.Tensor:
    """Changes every third element."""
    other = random_tensors.values(tensor.dtype, tensor.numel(), 77)
    places = torch.arange(tensor.numel()) % 3 == 0
    out = tensor.clone()
    bits(out)[places] = bits(other)[places]
    return out


def load(path: Path, prefix: str) -> dict[str, torch.Tensor]:
    """Complete tensors of a sharded DCP folder, loaded by torch."""
    storage = FileSystemReader(str(path))
    state = {
        name: torch.empty(entry.size, dtype=entry.properties.dtype)
        for name, entry in storage.read_metadata().state_dict_metadata.items()
        if isinstance(entry, TensorStorageMetadata) and name.startswith(prefix)
    }
    _load_state_dict(state, storage_reader=storage, planner=DefaultLoadPlanner(flatten_state_dict=False), no_dist=True)
    return state


class Held(unittest.TestCase):
    def compare(self, got: dict, wanted: dict[str, float]) -> None:
        for key, value in wanted.items():
            if key in ("identical", "count_changed", "max_abs"):
                self.assertEqual(got[key], value, key)
            else:
                self.assertTrue(math.isclose(got[key], value, rel_tol=1e-12, abs_tol=1e-13), f"{key}: {got[key]} and {value}")

    def ask(self, left: Path, right: Path, code: int, *options: object) -> dict:
        return ask("diff", left, right, *options, code=code)


class Figures(Held):
    def test_every_dtype(self) -> None:
        state = {str(dtype): random_tensors.values(dtype) for dtype in random_tensors.ALL if dtype != torch.uint64}
        for dtype in random_tensors.FLOATS + random_tensors.EIGHT_BITS:
            state[f"{dtype}_plain"] = torch.randn(random_tensors.COUNT, generator=random_tensors.seeded(9)).to(dtype)
        state |= {name + "_odd": tensor[:19].clone() for name, tensor in state.items()}
        other = {name: perturbed(tensor) for name, tensor in state.items()}
        with temporary() as folder:
            left, right = Path(folder) / "left.pt", Path(folder) / "right.pt"
            torch.save(state, left)
            torch.save(other, right)
            rows = {row["name"]: row for row in self.ask(left, right, 1, "--values")["changed"]}
            self.assertEqual(set(rows), set(state))
            for name in state:
                with self.subTest(name):
                    self.compare(rows[name], expected(state[name], other[name]))
            self.assertEqual(self.ask(left, left, 0, "--values")["same"], len(state))

    def test_between_dtypes(self) -> None:
        wide = {f"w{i}": random_tensors.values(torch.float32, 5001, i) for i in range(5)}
        dtypes = (torch.float64, torch.bfloat16, torch.float16, torch.float8_e4m3fn, torch.float8_e5m2)
        narrow = {name: tensor.to(dtype) for (name, tensor), dtype in zip(wide.items(), dtypes)}
        with temporary() as folder:
            left, right = Path(folder) / "left.pt", Path(folder) / "right.pt"
            torch.save(wide, left)
            torch.save(narrow, right)
            rows = {row["name"]: row for row in self.ask(left, right, 1, "--values")["changed"]}
            for name in wide:
                with self.subTest(name):
                    self.compare(rows[name], expected(wide[name], narrow[name]))
                    self.assertEqual(rows[name]["changed_after_cast"], 0)
                    self.assertEqual(rows[name]["differs"], "dtype")
            structure = self.ask(left, right, 1)
            self.assertEqual({row["name"] for row in structure["changed"]}, set(wide))
            self.assertIsNone(structure["changed"][0]["max_abs"])

    def test_tolerance_is_isclose(self) -> None:
        left = torch.randn(20_000, generator=random_tensors.seeded(1))
        right = left + torch.randn(20_000, generator=random_tensors.seeded(2)) * 1e-3
        with temporary() as folder:
            paths = Path(folder) / "left.safetensors", Path(folder) / "right.safetensors"
            for path, tensor in zip(paths, (left, right)):
                save_file({"w": tensor}, path)
            row = self.ask(*paths, 1, "--rtol", 1e-3, "--atol", 1e-4)["changed"][0]
            near = torch.isclose(left.double(), right.double(), rtol=1e-3, atol=1e-4)
            self.assertEqual(row["beyond_tolerance"], int((~near).sum()))
            self.assertEqual(self.ask(*paths, 0, "--atol", 1)["same"], 1)

    def test_bits_and_values_are_told_apart(self) -> None:
        with temporary() as folder:
            left, right = Path(folder) / "left.pt", Path(folder) / "right.pt"
            torch.save({"zero": torch.tensor([0.0, 1.0]), "nan": torch.tensor([0x7FC00001], dtype=torch.int32).view(torch.float32)}, left)
            torch.save({"zero": torch.tensor([-0.0, 1.0]), "nan": torch.tensor([0x7FC00002], dtype=torch.int32).view(torch.float32)}, right)
            for row in self.ask(left, right, 1, "--values")["changed"]:
                self.assertEqual((row["identical"], row["count_changed"]), (False, 0), row)


class OneModel(Held):
    """A DCP save of four ranks, written again by torch as safetensors and as .pt."""

    def copies(self, folder: str) -> tuple[Path, Path, Path, dict[str, torch.Tensor]]:
        sharded = case("dcp_fsdp2").path
        state = {name.removeprefix("model."): tensor for name, tensor in load(sharded, "model.").items()}
        self.assertGreater(len(state), 10)
        flat, plain = Path(folder) / "model.safetensors", Path(folder) / "model.pt"
        save_file(state, flat, metadata={"format": "pt"})
        torch.save(state, plain)
        return Path(f"{sharded}#model"), flat, plain, state

    def test_three_formats_are_identical(self) -> None:
        with temporary() as folder:
            sharded, flat, plain, state = self.copies(folder)
            for left, right in ((sharded, flat), (flat, sharded), (sharded, plain), (flat, plain), (plain, sharded)):
                with self.subTest(f"{left.name} and {right.name}"):
                    body = self.ask(left, right, 0, "--values")
                    self.assertEqual((body["same"], body["changed"], body["only_left"], body["only_right"]),
                                     (len(state), [], [], []))

    def test_a_known_change_is_found(self) -> None:
        with temporary() as folder:
            sharded, flat, _, state = self.copies(folder)
            name = "layers.1.up.weight"
            noise = torch.randn(state[name].shape, generator=random_tensors.seeded(3)) * 1e-2
            changed = state | {name: state[name] + noise * (torch.arange(noise.numel()) % 5 == 0).view_as(noise)}
            save_file(changed, flat)
            body = self.ask(sharded, flat, 1, "--values")
            self.assertEqual(body["same"], len(state) - 1)
            (row,) = body["changed"]
            self.assertEqual(row["right_name"], name)
            self.compare(row, expected(state[name], changed[name]))

    def test_names_under_wrappers(self) -> None:
        with temporary() as folder:
            _, flat, _, state = self.copies(folder)
            wrapped, renamed = Path(folder) / "ddp.pt", Path(folder) / "renamed.safetensors"
            torch.save({"module._orig_mod." + name: tensor for name, tensor in state.items()}, wrapped)
            body = self.ask(wrapped, flat, 0, "--values")
            self.assertEqual((body["same"], len(body["renamed"])), (len(state), len(state)))
            save_file({name.replace("layers.", "blocks."): tensor for name, tensor in state.items()}, renamed)
            self.assertGreater(len(self.ask(flat, renamed, 1)["only_left"]), 0)
            self.ask(flat, renamed, 0, "--values", "--map", "layers.=blocks.")
            self.ask(flat, renamed, 0, "--values", "--map", r"re:^layers\.(\d+)=blocks.$1")

    def test_links_are_not_read_and_nothing_in_common_is_said(self) -> None:
        with temporary() as folder:
            _, flat, _, state = self.copies(folder)
            linked = Path(folder) / "linked.safetensors"
            os.link(flat, linked)
            self.assertEqual(self.ask(flat, linked, 0, "--values")["summary"]["same_file"], len(state))
            foreign = Path(folder) / "foreign.safetensors"
            save_file({"something": torch.zeros(3)}, foreign)
            self.assertIn("no tensor in common", self.ask(flat, foreign, 1, "--values")["summary"]["message"])
            self.assertIn("no tensor in common", run("diff", flat, foreign).text)

    def test_optimizer_and_values_take_part(self) -> None:
        with temporary() as folder:
            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
            paths = []
            for step in range(2):
                model(torch.ones(2, 4)).sum().backward()
                optimizer.step()
                paths.append(Path(folder) / f"step{step}.pt")
                torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": step}, paths[-1])
            body = self.ask(*paths, 1, "--values")
            self.assertIn({"key": "epoch", "left": 0, "right": 1}, body["values"]["changed"])
            self.assertTrue(any("exp_avg" in row["name"] for row in body["changed"]), body["changed"])


if __name__ == "__main__":
    unittest.main()
