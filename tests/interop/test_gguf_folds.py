# SPDX-License-Identifier: Apache-2.0
"""Folds and averages straight to GGUF: equal to the steps one by one, and to llama.cpp's converter on PEFT's own merge."""

from __future__ import annotations

import json
import shutil
import unittest
from pathlib import Path

import gguf_models
import torch
import transformers
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from support import run, temporary
from test_gguf_models import CASES, DATA, DESCRIBING, STORED, fields, tensors

QKV = ["q_proj", "k_proj", "v_proj", "o_proj"]
MLP = ["gate_proj", "up_proj", "down_proj"]
# What is permuted, stacked, transposed, tied, shifted by one, or replaced.
ADAPTERS = {
    "llama3": {"target_modules": QKV + MLP},
    "llama2": {"target_modules": QKV, "use_dora": True},
    "llama2_json": {"target_modules": QKV, "bias": "all"},
    "llama3_untied": {"target_modules": ["q_proj"], "modules_to_save": ["lm_head", "embed_tokens"]},
    "mixtral": {"target_modules": QKV, "target_parameters": ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]},
    "gemma2": {"target_modules": QKV + MLP, "modules_to_save": ["input_layernorm", "norm"]},
    "gemma3": {"target_modules": QKV},
    "gpt2": {"target_modules": ["c_attn", "c_proj", "c_fc"], "fan_in_fan_out": True},
    "phi3": {"target_modules": ["qkv_proj", "gate_up_proj"]},
    "qwen2": {"target_modules": QKV, "trainable_token_indices": {"embed_tokens": [3, 17]}},
}


def loaded(model: Path):
    name = json.loads((model / "config.json").read_text())["architectures"][0]
    return getattr(transformers, name).from_pretrained(model, dtype="auto")


def beside(source: Path, target: Path) -> None:
    """The files around the weights."""
    target.mkdir(exist_ok=True)
    for each in source.iterdir():
        if each.suffix != ".safetensors" and not (target / each.name).exists():
            shutil.copy(each, target)


def add_adapter(model: Path, settings: dict, folder: Path, seed: int = 0) -> None:
    """An adapter that changes all it can."""
    torch.manual_seed(seed)
    made = get_peft_model(loaded(model), LoraConfig(r=5, lora_alpha=7, task_type="CAUSAL_LM", **settings))
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            if parameter.requires_grad:
                parameter.add_((torch.randn(parameter.shape) * 0.05).to(parameter.dtype))
    made.save_pretrained(folder)


def merge(model: Path, adapter: Path, folder: Path) -> None:
    PeftModel.from_pretrained(loaded(model), adapter).merge_and_unload().save_pretrained(folder)
    beside(model, folder)


@unittest.skipUnless(CASES, f"no models of llama.cpp's families in {DATA}")
class GgufFolds(unittest.TestCase):
    maxDiff = 2000

    def do(self, *words) -> dict:
        answer = run(*words, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json

    def same(self, found: Path, expected: Path, leave: set[str] = DESCRIBING) -> None:
        got, want = tensors(found), tensors(expected)
        self.assertEqual(sorted(got), sorted(want))
        for name, tensor in want.items():
            self.assertEqual(got[name], tensor, name)
        ours, theirs = fields(found), fields(expected)
        self.assertEqual({k: v for k, v in ours.items() if k not in leave}, {k: v for k, v in theirs.items() if k not in leave})

    def check(self, case: str) -> None:
        model = DATA / case / "model"
        with temporary() as folder:
            folder = Path(folder)
            add_adapter(model, ADAPTERS[case], folder / "adapter")
            self.do("fold", model, "--adapter", folder / "adapter", "-o", folder / "folded")
            for dtype in ("keep", "bf16", "fp16", "q8_0", "q4_0"):
                with self.subTest(case=case, dtype=dtype):
                    one, two = folder / f"{dtype}.gguf", folder / f"{dtype}.two.gguf"
                    made = self.do("fold", model, "--adapter", folder / "adapter", "-o", one, "--dtype", dtype)
                    self.assertTrue(made["verified"])
                    self.assertEqual(len(made["adapters"]), 1)
                    self.do("consolidate", folder / "folded", "--to", "gguf", "-o", two, "--dtype", dtype)
                    self.same(one, two)
            if case in ("llama2", "llama3_untied", "qwen2"):
                return  # the norms of DoRA within a bit; PEFT's merge unties nothing
            merge(model, folder / "adapter", folder / "merged")
            pre = next(each[4] for each in gguf_models.cases() if each[0] == case)
            stored = STORED[next(t.dtype for t in load_file(folder / "merged" / "model.safetensors").values() if t.dim() > 1)]
            for kind, name in ((stored, "keep"), ("q8_0", "q8_0")):
                with self.subTest(case=case, converter=kind):
                    gguf_models.convert(folder / "merged", folder / f"{kind}.theirs.gguf", kind, pre)
                    scores = {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"} if case == "llama2_json" else set()  # see test_gguf_models
                    self.same(folder / f"{name}.gguf", folder / f"{kind}.theirs.gguf", DESCRIBING | scores)

    def test_verify_compares_with_the_model(self) -> None:
        """Names, layouts and blocks are those that the source gives; another source is noticed."""
        with temporary() as folder:
            folder = Path(folder)
            for case in ("llama3", "gemma2", "mixtral"):
                model = DATA / case / "model"
                other = folder / f"{case}-other"
                beside(model, other)
                weights = load_file(model / "model.safetensors")
                name = next(each for each in weights if "k_proj" in each)
                weights[name][3, 5] += 1
                save_file(weights, other / "model.safetensors", {"format": "pt"})
                for dtype in ("keep", "q8_0"):
                    with self.subTest(case=case, dtype=dtype):
                        out = folder / f"{case}-{dtype}.gguf"
                        self.do("consolidate", model, "--to", "gguf", "-o", out, "--dtype", dtype)
                        answer = self.do("verify", model, out)
                        self.assertTrue(answer["verified"])
                        self.assertEqual(len(answer["compared"]), len(tensors(out)))
                        answer = run("verify", other, out, "--json")
                        self.assertEqual((answer.code, [each["name"] for each in answer.json["mismatches"]]), (1, ["blk.0.attn_k.weight"]))

    def test_two_adapters_and_shards(self) -> None:
        model = DATA / "llama3" / "model"
        with temporary() as folder:
            folder = Path(folder)
            add_adapter(model, {"target_modules": QKV}, folder / "a", 1)
            add_adapter(model, {"target_modules": MLP + ["q_proj"]}, folder / "b", 2)
            both = ["--adapter", folder / "a", "--adapter", f"{folder / 'b'}=0.5"]
            self.do("fold", model, *both, "-o", folder / "folded")
            self.do("fold", model, *both, "-o", folder / "parts", "--to", "gguf", "--dtype", "q8_0", "--max-shard-size", "40KB")
            self.do("consolidate", folder / "folded", "-o", folder / "two", "--to", "gguf", "--dtype", "q8_0", "--max-shard-size", "40KB")
            names = sorted(each.name for each in (folder / "two").glob("*.gguf"))
            self.assertGreater(len(names), 1)
            self.assertEqual(names, sorted(each.name for each in (folder / "parts").glob("*.gguf")))
            for name in names:
                self.assertEqual(tensors(folder / "parts" / name), tensors(folder / "two" / name))

    def test_parts_of_a_plan(self) -> None:
        """Several machines write what one does: folded, renamed, quantised, in shards."""
        with temporary() as folder:
            folder = Path(folder)
            for case, dtype in (("gemma2", "q8_0"), ("mixtral", "keep"), ("gpt2", "q4_0")):
                model = DATA / case / "model"
                add_adapter(model, ADAPTERS[case], folder / f"{case}-adapter")
                words = ["fold", model, "--adapter", folder / f"{case}-adapter", "--to", "gguf", "--dtype", dtype, "--max-shard-size", "100KB", "-o"]
                self.do(*words, folder / f"{case}-one")
                plan = folder / f"{case}.json"
                plan.write_text(json.dumps(self.do("plan", *words, folder / f"{case}-parts", "--parts", "3")))
                for part in ("2/3", "1/3", "3/3"):
                    self.do("job", "run", plan, "--part", part)
                names = sorted(each.name for each in (folder / f"{case}-one").glob("*.gguf"))
                self.assertGreater(len(names), 1)
                for name in names:
                    self.assertEqual((folder / f"{case}-one" / name).read_bytes(), (folder / f"{case}-parts" / name).read_bytes(), name)

    def test_averages(self) -> None:
        with temporary() as folder:
            folder = Path(folder)
            for case in ("llama3", "gemma2", "mixtral", "gpt2"):
                model = DATA / case / "model"
                weights = load_file(model / "model.safetensors")
                members = []
                for number in range(3):
                    torch.manual_seed(number)
                    members.append(folder / f"{case}-{number}")
                    beside(model, members[-1])
                    save_file({k: v + (torch.randn(v.shape) * 0.1).to(v.dtype) for k, v in weights.items()}, members[-1] / "model.safetensors",
                              {"format": "pt"})
                mean = folder / f"{case}-mean"
                self.do("average", *members, "-o", mean / "model.safetensors", "--weights", "1,2,0.5")
                beside(model, mean)
                for dtype in ("keep", "fp32", "q8_0"):
                    with self.subTest(case=case, dtype=dtype):
                        one, two = folder / f"{case}.{dtype}.gguf", folder / f"{case}.{dtype}.two.gguf"
                        made = self.do("average", *members, "-o", one, "--to", "gguf", "--dtype", dtype, "--weights", "1,2,0.5")
                        self.assertTrue(made["verified"])
                        self.do("consolidate", mean, "--to", "gguf", "-o", two, "--dtype", dtype)
                        self.same(one, two)
                        manifest = json.loads(Path(made["manifest"]).read_text())
                        self.assertEqual([each["weight"] for each in manifest["averaged"]], [1, 2, 0.5])
                        proven = self.do("verify", members[0], one)
                        self.assertEqual((proven["verified"], len(proven["compared"])), (True, len(tensors(one))))


for each in sorted(set(ADAPTERS) & set(CASES)):
    setattr(GgufFolds, f"test_{each}", lambda self, case=each: self.check(case))

if __name__ == "__main__":
    unittest.main()
