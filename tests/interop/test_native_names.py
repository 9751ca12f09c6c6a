# SPDX-License-Identifier: Apache-2.0
"""Names of Meta, torchtune, torchtitan and LitGPT: a bundle has the tensors that save_pretrained writes of the same model, bit by bit."""

from __future__ import annotations

import json
import shutil
import unittest
from pathlib import Path

import torch
from safetensors.torch import load_file

from support import ROOT, run, temporary

DATA = ROOT / "build" / "interop-native"
CASES = sorted(folder.name for folder in DATA.iterdir()) if DATA.exists() else []


@unittest.skipUnless(CASES, f"no checkpoints with native names in {DATA}")
class NativeNames(unittest.TestCase):
    def source(self, case: str) -> Path:
        return next(path for path in (DATA / case / "run").iterdir() if path.suffix != ".json")

    def check(self, case: str) -> None:
        with temporary() as folder:
            answer = run("consolidate", self.source(case), "-o", Path(folder) / "out", "--bundle", "--force", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            found = load_file(Path(folder) / "out" / "model.safetensors")
            config = json.loads((Path(folder) / "out" / "config.json").read_text())
        expected = load_file(DATA / case / "published" / "model.safetensors")
        if config["tie_word_embeddings"]:
            found.pop("lm_head.weight", None)
        self.assertEqual(sorted(found), sorted(expected))
        for name, tensor in expected.items():
            self.assertTrue(torch.equal(found[name], tensor), name)
        published = json.loads((DATA / case / "published" / "config.json").read_text())
        for field in ("model_type", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "vocab_size"):
            self.assertEqual(config.get(field), published.get(field), field)

    def check_back(self, case: str, names: str, others: dict[str, str]) -> None:
        """From the library's names to the framework's: what its own conversion makes; and to the library's again. `others`: newer names."""
        stored = {entry["name"].removeprefix("model."): entry["sha256"] for entry in run("hash", self.source(case), "--json").json["tensors"]}
        for newer, name in others.items():
            stored = {each.replace(newer, name): digest for each, digest in stored.items()}
        stored.pop("rope.freqs", None)
        published = DATA / case / "published"
        if json.loads((published / "config.json").read_text())["tie_word_embeddings"]:
            stored.pop("lm_head.weight", None)
        with temporary() as folder:
            folder = Path(folder)
            answer = run("convert", published, "-o", folder / "there", "--names", names, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual({entry["name"]: entry["sha256"] for entry in run("hash", folder / "there", "--json").json["tensors"]}, stored)
            answer = run("convert", folder / "there", "-o", folder / "back", "--names", "hf", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            there = (folder / "back" / "model.safetensors").read_bytes()
            answer = run("convert", published, "-o", folder / "same", "--names", "hf", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual({name: tensor.tolist() for name, tensor in load_file(folder / "back" / "model.safetensors").items()},
                             {name: tensor.tolist() for name, tensor in load_file(folder / "same" / "model.safetensors").items()})
            self.assertEqual(len(there), (folder / "same" / "model.safetensors").stat().st_size)

    def test_heads_that_contradict_the_tensors_are_refused(self) -> None:
        with temporary() as folder:
            folder = Path(folder)
            for field, value in (("num_attention_heads", 5), ("head_dim", 12), ("num_key_value_heads", 3)):
                shutil.copytree(self.source("torchtitan_llama").parent, folder / field)
                config = json.loads((folder / field / "config.json").read_text())
                config[field] = value
                (folder / field / "config.json").write_text(json.dumps(config))
                answer = run("consolidate", folder / field / "step-3", "-o", folder / "out", "--bundle")
                self.assertNotEqual(answer.code, 0)
                self.assertFalse((folder / "out").exists())


NEWER = {"lm_head.weight": "output.weight", "attention.qkv_linear.": "attention.", "moe.expert_bias_E": "moe.expert_bias"}
BACK = {"meta_llama": ("native", {}), "torchtitan_llama": ("native", NEWER), "torchtitan_qwen3": ("native", NEWER),
        "torchtitan_qwen3_moe": ("native", NEWER), "torchtitan_deepseek_v3": ("native", NEWER), "torchtune_llama": ("torchtune", {}),
        "torchtune_qwen2": ("torchtune", {}), "litgpt_gpt_neox": ("litgpt", {})}

for each in CASES:
    if each in BACK:
        setattr(NativeNames, f"test_{each}_back", lambda self, case=each: self.check_back(case, *BACK[case]))
    setattr(NativeNames, f"test_{each}", lambda self, case=each: self.check(case))

if __name__ == "__main__":
    unittest.main()
