# SPDX-License-Identifier: Apache-2.0
"""Random quantised saves, judged by the weights that their libraries make of them: dequantised, averaged, cast, compared, measured
and bundled, each is right or refused. The saves: quantised_saves.py."""

from __future__ import annotations

import json
import os
import unittest
from collections import Counter
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file

from support import ROOT, run
from test_transforms import Transforms

DATA = Path(os.environ.get("CAIRN_QUANTISED_DATA", ROOT / "build" / "interop-quantised"))
CASES = sorted(path.parent for path in DATA.glob("*/case.json")) if DATA.exists() else []
PLAIN = ("norm.weight", "head.weight")
DTYPES = {"torch.float32": "fp32", "torch.float16": "fp16", "torch.bfloat16": "bf16"}


class Case:
    def __init__(self, folder: Path) -> None:
        self.folder, self.__dict__ = folder, {"folder": folder} | json.loads((folder / "case.json").read_text())
        self.a, self.b = (next((folder / side).glob("model.*")) for side in "ab")
        self.weights = [load_file(folder / f"{side}.safetensors") for side in "ab"]
        self.as_stored = ("--dtype", DTYPES[self.dtype]) if self.any_dtype else ()


def stored(path: Path) -> dict[str, str]:
    """The hash of each tensor."""
    return {each["name"]: each["sha256"] for each in run("hash", path, "--json").json["tensors"]}


@unittest.skipUnless(CASES, f"no quantised saves in {DATA}")
class Quantised(Transforms):
    def each(self, check) -> None:
        outcomes = Counter()
        for folder in CASES:
            case = Case(folder)
            with self.subTest(folder.name):
                outcomes["right" if check(case, self.folder / folder.name) else "refused"] += 1
        print(f"{len(CASES)} saves: {dict(outcomes)}")

    def done(self, case: Case, *arguments: object) -> bool:
        """Whether it was carried out; if not, the refusal names the layout."""
        answer = run(*arguments, "--json")
        if answer.code == 0:
            self.assertTrue(answer.json["verified"])
            return True
        self.assertEqual(answer.code, 3, answer.said())
        self.assertTrue(case.named, f"{case.folder.name}: {answer.said()}")
        return False

    def test_dequantised(self) -> None:
        def check(case: Case, out: Path) -> bool:
            out = out.with_suffix(".safetensors")
            if not self.done(case, "consolidate", case.a, "-o", out, "--dequantize", *case.as_stored):
                self.assertFalse(out.exists())
                return False
            found = load_file(out)
            self.assertEqual(set(found), {case.name, *PLAIN})
            self.assert_bits(found[case.name], case.weights[0][case.name], case.folder.name)
            with safe_open(out, "pt") as file:
                self.assertEqual(file.metadata(), {"format": "pt"})  # no recipe of what is not there
            return True

        self.each(check)

    def test_averaged(self) -> None:
        def check(case: Case, out: Path) -> bool:
            out = out.with_suffix(".safetensors")
            self.assertEqual(run("average", case.a, case.b, "-o", out, "--json").code, 3)
            if not self.done(case, "average", case.a, case.b, "-o", out, "--dequantize", "--dtype", "fp32"):
                return False
            found = load_file(out)
            self.assertEqual(set(found), {case.name, *PLAIN})
            if not case.any_dtype or case.dtype == "torch.float32":  # else the members are float32 here
                mean = (0 + case.weights[0][case.name].double() + case.weights[1][case.name].double()) / 2
                self.assert_bits(found[case.name], mean.float(), case.folder.name)
            return True

        self.each(check)

    def test_cast_leaves_codes_and_their_parts(self) -> None:
        def check(case: Case, out: Path) -> bool:
            out = out.with_suffix(case.a.suffix)
            answer = run("consolidate", case.a, "-o", out, "--dtype", "bf16", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            before, after = stored(case.a), stored(out)
            self.assertEqual(set(before), set(after))
            changed = {name for name in before if before[name] != after[name]}
            self.assertLessEqual(changed, set(PLAIN), case.folder.name)
            return True

        self.each(check)

    def test_compared_with_the_weights(self) -> None:
        def check(case: Case, _out: Path) -> bool:
            plain = case.folder / "a.safetensors"
            answer = run("diff", case.a, plain, "--values", "--json")
            tensors = answer.json["summary"]
            if case.named:
                self.assertEqual(answer.code, 1, answer.said())
                return False
            self.assertEqual(tensors["quantised_as_numbers"], 1, answer.text)
            self.assertEqual((tensors["changed"], answer.json["only_right"], set(answer.json["only_left"])), (0, [], set()), answer.text)
            return True

        self.each(check)

    def test_compared_with_each_other(self) -> None:
        def check(case: Case, _out: Path) -> bool:
            answer = run("diff", case.a, case.b, "--values", "--json")
            self.assertEqual(answer.code, 1, answer.said())
            rows = {row["name"]: row for row in answer.json["changed"]}
            if case.named:
                self.assertEqual(answer.json["summary"]["quantised_as_numbers"], 0)
                self.assertTrue(all(row["max_abs"] is None for name, row in rows.items() if name not in PLAIN), rows)
                return False
            left, right = (each[case.name] for each in case.weights)
            self.assertNotIn(case.name, rows) if torch.equal(left, right) else self.assertIn(case.name, rows)
            if case.name in rows and (not case.any_dtype or case.dtype == "torch.float32"):
                largest = (left.double() - right.double()).abs().max().item()
                self.assertAlmostEqual(rows[case.name]["max_abs"], largest, delta=1e-9 * max(largest, 1))
            return True

        self.each(check)

    def test_measured(self) -> None:
        def check(case: Case, _out: Path) -> bool:
            answer = run("stats", case.a, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            rows = {row["name"]: row for row in answer.json["tensors"]}
            if case.named:
                self.assertIn("codes", [row["quantised"]["kind"] for row in rows.values() if "quantised" in row], answer.text)
                return False
            row, weight = rows[case.name], case.weights[0][case.name].double()
            self.assertEqual((row["quantised"]["kind"], row["count"]), ("weight", weight.numel()))
            if not case.any_dtype or case.dtype == "torch.float32":
                self.assertEqual((row["min"], row["max"]), (weight.min().item(), weight.max().item()))
            return True

        self.each(check)

    def test_bundled(self) -> None:
        """As stored: every byte and what the header records; as numbers: the weights, and no config of a quantisation."""

        def check(case: Case, out: Path) -> bool:
            source = case.a.parent if case.a.suffix == ".safetensors" else case.a
            answer = run("consolidate", source, "-o", out, "--bundle", "--json")
            if case.a.suffix == ".pt":  # parts of a class without what the class needs
                self.assertNotEqual(answer.code, 0, answer.said())
                self.assertIn("--dequantize", answer.text)
            elif answer.code == 0 or "torchao" in case.folder.name:
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual(stored(case.a), stored(out / "model.safetensors"))
                with safe_open(case.a, "pt") as before, safe_open(out / "model.safetensors", "pt") as after:
                    self.assertEqual(before.metadata(), after.metadata())
            numbers = out.with_name(out.name + "-numbers")
            if not self.done(case, "consolidate", source, "-o", numbers, "--bundle", "--dequantize", "--force", *case.as_stored):
                return False
            self.assert_bits(load_file(numbers / "model.safetensors")[case.name], case.weights[0][case.name], case.folder.name)
            if (numbers / "config.json").exists():
                self.assertFalse({"quantization", "quantization_config"} & set(json.loads((numbers / "config.json").read_text())))
            return True

        self.each(check)


if __name__ == "__main__":
    unittest.main()
