# SPDX-License-Identifier: Apache-2.0
"""Random adapters, judged by PEFT: `fold` gives what merge_and_unload() gives, up to the last bits of its arithmetic, or, where tied
tensors make that merge differ from the model with its adapter, what that model computes; `average` gives an adapter whose change is
the mean of the changes. CAIRN_ADAPTERS=200 generates so many instead of a few, and CAIRN_ADAPTERS_SEED others."""

from __future__ import annotations

import json
import os
import random
import shutil
import unittest
from collections import Counter
from pathlib import Path

import torch

import random_adapters
from random_adapters import Sample
from support import run, temporary

COUNT = int(os.environ.get("CAIRN_ADAPTERS", "24"))
SEED = int(os.environ.get("CAIRN_ADAPTERS_SEED", "1"))
LAST_BITS = 4  # of the largest number that an element has met
# What is refused, by a word of the message and a reason that the sample must show.
REFUSALS = {
    "DoRA of an embedding": lambda sample, _: sample.settings.get("use_dora"),
    "may be tied": lambda sample, _: sample.tied or sample.settings.get("bias") == "all",  # also of two tied biases
    "Two tensors of the same shape": lambda _, saved: saved.get("target_parameters"),
}
REFUSED_MEANS = {word: lambda *_: True for word in (
    "with DoRA", "this trained bias", "Only some of the adapters replace", "Settings of the adapters differ", "different ranks or alphas")}


def saved_settings(sample: Sample) -> dict:
    return json.loads((sample.folder / "adapter" / "adapter_config.json").read_text())


class RandomAdapters(unittest.TestCase):
    def refused(self, said: str, sample: Sample, known: dict) -> None:
        reasons = [holds for word, holds in known.items() if word in said]
        self.assertTrue(reasons and reasons[0](sample, saved_settings(sample)), said)

    def compare(self, sample: Sample) -> str:
        found, expected, base = (random_adapters.tensors(sample.folder / name) for name in ("out", "merged", "base"))
        self.assertEqual(sorted(found), sorted(expected))
        worst = 0.0
        for name, tensor in expected.items():
            if tensor.dtype != found[name].dtype:  # computed in more bits than are stored
                self.assertEqual(found[name].dtype, base[name].dtype, name)
                tensor = tensor.to(found[name].dtype)
            self.assertEqual(found[name].shape, tensor.shape, name)
            if not torch.equal(found[name], tensor):
                worst = max(worst, random_adapters.furthest(found[name], tensor, base.get(name)))
        self.assertLessEqual(worst, LAST_BITS)
        return "equal" if worst == 0 else "last bits"

    def judge(self, sample: Sample) -> str:
        try:
            model = random_adapters.with_adapter(sample)
            expected = random_adapters.logits(model) if sample.tied else None
            model.merge_and_unload().save_pretrained(sample.folder / "merged")
        except Exception:  # noqa: BLE001: PEFT cannot merge what it saved
            return "not judged"
        answer = run("fold", sample.folder / "base", "--adapter", sample.folder / "adapter", "-o", sample.folder / "out")
        if answer.code:
            self.refused(answer.said(), sample, REFUSALS)
            return "refused"
        if not sample.tied:
            return self.compare(sample)
        found = random_adapters.logits(sample.kind.from_pretrained(sample.folder / "out", dtype=sample.dtype).eval())
        furthest = float((found.double() - expected.double()).abs().max() / expected.double().abs().max())
        self.assertLess(furthest, 1e-4 if sample.dtype == torch.float32 else 5e-2)
        return "tied"

    def test_folds(self) -> None:
        with temporary() as folder:
            results: Counter[str] = Counter()
            for sample in random_adapters.generate(Path(folder), COUNT, SEED):
                with self.subTest(sample.label, folder=sample.folder.name):
                    results[self.judge(sample)] += 1
                shutil.rmtree(sample.folder)
            print(f"{COUNT} random adapters folded: {dict(results)}")
            self.assertGreater(results["equal"], COUNT // 2)

    def changes(self, sample: Sample, adapter: str) -> dict[str, torch.Tensor]:
        base = sample.kind.from_pretrained(sample.folder / "base", dtype=sample.dtype).state_dict()
        merged = random_adapters.with_adapter(sample, adapter).merge_and_unload().state_dict()
        return {name: merged[name].double() - tensor.double() for name, tensor in base.items()
                if tensor.is_floating_point() and name in merged and merged[name].shape == tensor.shape}

    def judge_mean(self, sample: Sample, others: list[str]) -> str:
        names = ["adapter", *others]
        weights = random.Random(sample.label).choice([[1.0] * len(names), [1.0, 3.0, 2.0][: len(names)], [0.3, 0.7, 0.25][: len(names)]])
        answer = run("average", *(sample.folder / name for name in names), "-o", sample.folder / "mean", "--weights", ",".join(map(str, weights)))
        if answer.code:
            self.refused(answer.said(), sample, REFUSED_MEANS)
            return "refused"
        try:
            changes = [self.changes(sample, name) for name in names]
        except Exception:  # noqa: BLE001: PEFT cannot merge what it saved
            return "not judged"
        found = self.changes(sample, "mean")
        base = sample.kind.from_pretrained(sample.folder / "base", dtype=sample.dtype).state_dict()
        for name, change in found.items():
            expected = sum(weight / sum(weights) * each[name] for weight, each in zip(weights, changes))
            size = max(float(each.abs().max()) for each in (base[name].double(), expected, *(own[name] for own in changes)))
            self.assertLessEqual(float((change - expected).abs().max()), 8 * torch.finfo(sample.dtype).eps * max(size, 1e-12), name)
        self.assertGreater(max(float(change.abs().max()) for change in found.values()), 0)
        return "right"

    def test_means(self) -> None:
        with temporary() as folder:
            results: Counter[str] = Counter()
            count = max(COUNT // 2, 8)
            for sample, others in random_adapters.members(Path(folder), count, SEED):
                with self.subTest(sample.label, folder=sample.folder.name):
                    results[self.judge_mean(sample, others)] += 1
                shutil.rmtree(sample.folder)
            print(f"{count} means of random adapters: {dict(results)}")
            self.assertGreater(results["right"], count // 3)


if __name__ == "__main__":
    unittest.main()
