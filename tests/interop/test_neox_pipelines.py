# SPDX-License-Identifier: Apache-2.0
"""Pipelines with GPT-NeoX's layers and a tied embedding, saved by DeepSpeed (neox_pipelines.py): one embedding, from whichever stages have it.

Skipped if they were not made: DeepSpeed needs a separate environment (requirements-deepspeed.txt).
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import re
import shutil
import sys
import types
import unittest
from pathlib import Path

import torch
from neox_pipelines import LAYERS, PIPELINES, Pipeline
from safetensors.torch import load_file
from support import ROOT, run, temporary
from transformers import GPTNeoXForCausalLM

DATA = Path(os.environ.get("CAIRN_NEOX_PIPELINES", ROOT / "build" / "interop-neox-pipelines")).resolve()
MADE = [name for name in PIPELINES if (DATA / name / ".done").exists()]
ROWS = ("attention.dense.weight", "mlp.dense_4h_to_h.weight")
SUMS = ("attention.dense.bias", "mlp.dense_4h_to_h.bias")


class Stub(types.ModuleType):
    """A module of DeepSpeed, which is not there: its classes are stored again as they were."""

    __path__: list = []

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)

        def new(cls, *values):
            made = object.__new__(cls)
            made._values = values
            return made

        made = type(name, (), {"__module__": self.__name__, "__new__": new, "__init__": lambda self, *_: None, "__reduce__": lambda self: (
            type(self), self._values, {key: value for key, value in vars(self).items() if key != "_values"} or None)})
        setattr(self, name, made)
        return made


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] == "deepspeed" else None

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module) -> None:
        pass


def edit(file: Path, change) -> None:
    """As torch.save wrote it: the folder in its archive is named after the file."""
    finder = Stubs()
    sys.meta_path.append(finder)
    try:
        state = torch.load(file, weights_only=False)
        change(state)
        torch.save(state, file)
    finally:
        sys.meta_path.remove(finder)


def model_of(save: Path) -> dict[str, torch.Tensor]:
    """The 16-bit model in the layers' files, joined as convert_neox_to_hf.py does."""
    found = {}
    for number in sorted({path.name[6:8] for path in save.glob("layer_*")}):
        slices = [torch.load(path, weights_only=True) for path in sorted(save.glob(f"layer_{number}-*"))]
        for name in slices[0]:
            values = [each[name] for each in slices]
            if name in ROWS:
                whole = torch.cat(values, dim=1)
            elif name in SUMS:
                whole = sum(values)
            elif "norm." in name:
                whole = sum(values) / len(values)
            else:
                whole = torch.cat(values, dim=0)
            layer = int(number) - 2
            place = {"word_embeddings.weight": "gpt_neox.embed_in.weight", "norm.weight": "gpt_neox.final_layer_norm.weight",
                     "norm.bias": "gpt_neox.final_layer_norm.bias"}.get(name, f"gpt_neox.layers.{layer}.{name}")
            if place in found:
                assert torch.equal(found[place], whole), place  # DeepSpeed keeps them equal
            found[place] = whole
    return found


@unittest.skipUnless(MADE, f"no pipelines of GPT-NeoX in {DATA}")
class Pipelines(unittest.TestCase):
    def setUp(self) -> None:
        place = temporary()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def save(self, name: str) -> Path:
        shutil.copytree(DATA / name, self.folder / name)
        return next((self.folder / name).glob("global_step*"))

    def layer(self, save: Path, number: int, rank: int = 0) -> Path:
        return save / f"layer_{number:02}-model_{rank:02}-model_states.pt"

    def test_all_were_made(self) -> None:
        self.assertEqual(MADE, list(PIPELINES))

    def test_the_files_are_those_that_are_described(self) -> None:
        """The head is in a file of its own only if it is a layer."""
        for name in MADE:
            with self.subTest(name):
                save = next((DATA / name).glob("global_step*"))
                self.assertEqual(self.layer(save, LAYERS + 4).exists(), not PIPELINES[name].function)

    def each(self, name: str, case: Pipeline) -> None:
        save = self.save(name)
        self.assertEqual(run("check", save, "--json").code, 0)
        output = self.folder / "out"
        answer = run("consolidate", save, "-o", output, "--bundle", "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(run("verify", save, output, "--json").json["verified"])
        found = load_file(output / "model.safetensors")
        wanted = model_of(save)
        self.assertEqual(sorted(found), sorted(wanted))
        for key, tensor in wanted.items():
            if case.slices > 1 and re.search(r"norm|dense.bias|4h_to_h.bias", key):
                continue  # sums of masters, not of their roundings
            self.assertTrue(torch.equal(found[key].to(tensor.dtype), tensor), key)
        loaded, info = GPTNeoXForCausalLM.from_pretrained(output, output_loading_info=True)
        self.assertFalse(any(info.values()), info)
        self.assertTrue(torch.equal(loaded.lm_head.weight, found["gpt_neox.embed_in.weight"]))
        plan = run("plan", "consolidate", save, "-o", self.folder / "planned", "--bundle", "--json").json
        tied = [each["value"] for each in plan["decisions"] if each["what"] == "tied tensors"]
        stored = not case.function and case.dtype == "fp32"  # no masters: the layers' files are the weights
        self.assertEqual(any("embed_out.weight" in value for value in tied), stored, tied)

    def refused(self, save: Path, *words: str) -> None:
        output = self.folder / "refused"
        answer = run("consolidate", save, "-o", output, "--bundle", "--json")
        self.assertNotEqual(answer.code, 0, answer.said())
        for word in words:
            self.assertIn(word, answer.said())
        self.assertFalse(output.exists())

    def test_copies_that_differ(self) -> None:
        """Of weights without masters."""
        for name in ("layer_z0_fp32", "layer_z0_slices"):
            with self.subTest(name):
                save = self.save(name)
                edit(self.layer(save, LAYERS + 4), lambda state: state["word_embeddings.weight"][3, 2].add_(1))
                self.refused(save, "layer_00-model_00", f"layer_{LAYERS + 4:02}-model_00")

    def test_copies_of_a_master_that_differ(self) -> None:
        """The last stage's file has something else; the masters are written all the same."""
        for name, other in (("layer_z1_bf16", "optim_states"), ("layer_z0_fp16", "mp_rank_00_model_states")):
            with self.subTest(name):
                save = self.save(name)
                edit(self.layer(save, LAYERS + 4), lambda state: state["word_embeddings.weight"][3, 2].add_(1))
                answer = run("check", save)
                self.assertEqual(answer.code, 1, answer.said())
                self.assertIn(f"layer_{LAYERS + 4:02}-model_00", answer.said())
                self.assertIn(other, answer.said())

    def test_masters_that_differ(self) -> None:
        for name in ("layer_z1_bf16", "neox_z1_bf16", "layer_z1_copies"):
            with self.subTest(name):
                shutil.rmtree(self.folder / name, ignore_errors=True)
                save = self.save(name)
                for file in save.glob("*_mp_rank_01_optim_states.pt"):
                    def change(state):
                        flat = state["optimizer_state_dict"]["single_partition_of_fp32_groups"][0]
                        flat.data[:5] += 1

                    edit(file, change)
                self.refused(save, "mp_rank_01_optim_states", "mp_rank_00_optim_states")

    def test_masters_that_the_order_of_sums_sets_apart(self) -> None:
        """The first stage's is written, which DeepSpeed gives to all when it loads."""
        for name in ("layer_z1_bf16", "neox_z1_bf16"):
            with self.subTest(name):
                save = self.save(name)
                before = self.folder / f"{name}.before"
                self.assertEqual(run("consolidate", save, "-o", before, "--bundle").code, 0)
                for file in save.glob("*_mp_rank_01_optim_states.pt"):
                    edit(file, lambda state: state["optimizer_state_dict"]["single_partition_of_fp32_groups"][0].data.mul_(1 + 1e-6))
                self.assertEqual(run("check", save).code, 0)
                after = self.folder / f"{name}.after"
                answer = run("consolidate", save, "-o", after, "--bundle", "--json")
                self.assertEqual(answer.code, 0, answer.said())
                embeddings = [load_file(each / "model.safetensors")["gpt_neox.embed_in.weight"] for each in (before, after)]
                self.assertTrue(torch.equal(*embeddings))


for each, kind in PIPELINES.items():
    if each in MADE:
        setattr(Pipelines, f"test_{each}", lambda self, name=each, kind=kind: self.each(name, kind))

if __name__ == "__main__":
    unittest.main()
