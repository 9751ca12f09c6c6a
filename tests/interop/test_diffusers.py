# SPDX-License-Identifier: Apache-2.0
"""LoRA files of diffusers and kohya, folded into pipelines, against load_lora_weights() and fuse_lora(); their means; pipelines and
training checkpoints as bundles. The pipelines are made by diffusers_pipelines.py in an environment of its own."""

from __future__ import annotations

import json
import os
import shutil
import unittest
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from support import ROOT, run, temporary

DATA = Path(os.environ.get("CAIRN_DIFFUSERS_DATA", ROOT / "build" / "interop-diffusers")).resolve()
CASES = sorted(path.parent for path in DATA.glob("*/case.json"))


def tensors(folder: Path) -> dict[str, torch.Tensor]:
    found = {}
    for path in sorted(folder.rglob("*.safetensors")):
        found |= {f"{path.parent.relative_to(folder)}/{name}": tensor for name, tensor in load_file(path).items()}
    return found


@unittest.skipUnless(CASES, f"no pipelines in {DATA}")
class Diffusers(unittest.TestCase):
    def setUp(self) -> None:
        place = temporary()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def equal(self, found: Path, expected: Path) -> None:
        left, right = tensors(found), tensors(expected)
        self.assertEqual(sorted(left), sorted(right))
        others = [name for name, tensor in right.items() if left[name].dtype != tensor.dtype or not torch.equal(left[name], tensor)]
        self.assertEqual(others, [])

    def beside(self, found: Path, expected: Path) -> None:
        """The small files are those of the pipeline."""
        for path in expected.rglob("*"):
            if path.is_file() and path.suffix != ".safetensors":
                copy = found / path.relative_to(expected)
                self.assertEqual(json.loads(copy.read_text()) if path.suffix == ".json" else copy.read_text(),
                                 json.loads(path.read_text()) if path.suffix == ".json" else path.read_text(), copy)

    def folded(self, base: Path, adapters: list[str], name: str) -> Path:
        out = self.folder / name
        answer = run("fold", base, *(word for each in adapters for word in ("--adapter", each)), "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(answer.json["verified"])
        return out

    def test_folds(self) -> None:
        for case in CASES:
            with self.subTest(case.name):
                told = json.loads((case / "case.json").read_text())
                base = DATA / told["base"]
                adapters = [f"{case / name}={scale}" for name, scale in zip(told["adapters"], told["scales"])]
                out = self.folded(base, adapters, case.name)
                self.equal(out, case / "fused")
                self.beside(out, base)
        print(f"{len(CASES)} folds")

    def test_a_component_alone(self) -> None:
        case = DATA / "diffusers"
        out = self.folded(DATA / "bases/sd/unet", [str(case / "adapter0.safetensors")], "unet")
        self.equal(out, case / "fused" / "unet")
        answer = run("fold", DATA / "bases/sd/unet", "--adapter", DATA / "kohya/adapter0.safetensors", "-o", self.folder / "lost")
        self.assertEqual(answer.code, 3, "the text encoder's part would be lost")

    def test_the_mean(self) -> None:
        for case, base in (("kohya", "sd"), ("diffusers", "sd"), ("xl_stability", "xl")):
            with self.subTest(case):
                first, second, mean = DATA / case / "adapter0.safetensors", self.folder / f"{case}.safetensors", self.folder / f"{case}_mean.safetensors"
                save_file({name: tensor if name.endswith("alpha") else tensor.flip(0) for name, tensor in load_file(first).items()}, second)
                self.assertEqual(run("average", first, second, "-o", mean, "--weights", "3,1").code, 0)
                apart = self.folded(DATA / "bases" / base, [f"{first}=0.75", f"{second}=0.25"], case + "_apart")
                joined = self.folded(DATA / "bases" / base, [str(mean)], case + "_joined")
                left, right = tensors(apart), tensors(joined)
                worst = max(float((left[name].float() - right[name].float()).abs().max()) for name in left)
                self.assertLess(worst, 2e-6)

    def test_pipelines(self) -> None:
        for name in ("sd", "xl", "flux"):
            with self.subTest(name):
                base, out = DATA / "bases" / name, self.folder / name
                self.assertEqual(run("consolidate", base, "-o", out, "--bundle", "--max-shard-size", "1MB").code, 0)
                self.equal(out, base)
                self.beside(out, base)
                self.assertEqual(run("check", out).code, 0)
                self.assertTrue(run("verify", base, out, "--json").json["verified"])

    def test_a_training_checkpoint(self) -> None:
        base, step = DATA / "bases/sd", self.folder / "checkpoint-10"
        shutil.copytree(DATA / "diffusers/fused/unet", step / "unet")
        torch.save({"state": {}, "param_groups": []}, step / "optimizer.bin")
        torch.save({"last_epoch": 10}, step / "scheduler.bin")
        torch.save({"step": 10}, step / "random_states_0.pkl")
        out, alone = self.folder / "out", self.folder / "alone"
        answer = run("consolidate", step, "-o", out, "--bundle", "--like", base)
        self.assertEqual(answer.code, 0, answer.said())
        self.equal(out, DATA / "diffusers/fused")
        self.beside(out / "unet", step / "unet")
        for name in ("vae", "text_encoder", "tokenizer", "scheduler"):
            self.beside(out / name, base / name)
        answer = run("consolidate", step, "-o", alone, "--bundle")
        self.assertEqual(answer.code, 0, answer.said())
        self.equal(alone, step / "unet")
        self.assertEqual(json.loads((alone / "config.json").read_text())["_class_name"], "UNet2DConditionModel")

    def test_what_is_refused(self) -> None:
        sd = DATA / "bases/sd"
        kohya, metadata = load_file(DATA / "kohya/adapter0.safetensors"), DATA / "metadata/adapter0.safetensors"
        down = next(name for name in kohya if name.endswith("to_q.lora_down.weight"))
        stem = down.removesuffix(".lora_down.weight")
        damages = {
            "half of a pair": {name: tensor for name, tensor in kohya.items() if name != stem + ".lora_up.weight"},
            "another module": {name.replace(stem, stem + "x"): tensor for name, tensor in kohya.items()},
            "another rank": kohya | {down: kohya[down][:2].contiguous()},
            "some alphas": {name: tensor for name, tensor in kohya.items() if name != stem + ".alpha"},
            "not a number": kohya | {stem + ".alpha": torch.tensor(float("nan"))},
            "DoRA": kohya | {stem + ".dora_scale": torch.ones(64, 1)},
            "another method": kohya | {stem + ".hada_w1_a": torch.ones(4, 4)},
        }
        for name, tensors_ in damages.items():
            with self.subTest(name):
                file = self.folder / "damaged.safetensors"
                save_file(tensors_, file)
                answer = run("fold", sd, "--adapter", file, "-o", self.folder / "out")
                self.assertEqual(answer.code, 3, f"{name}: {answer.said()}")
        for arguments in (("rename", metadata, "--rename", "unet=other"), ("consolidate", metadata, "--to", "torch")):
            answer = run(*arguments, "-o", self.folder / "renamed")
            self.assertNotEqual(answer.code, 0, "its scale is in the metadata")
        self.assertEqual(run("fold", DATA / "bases/xl", "--adapter", DATA / "kohya/adapter0.safetensors", "-o", self.folder / "xl").code, 3)


if __name__ == "__main__":
    unittest.main()
