# SPDX-License-Identifier: Apache-2.0
"""`diff BASE MERGED --explain-adapter`: PEFT's own merges are explained, exactly or within their rounding; merges of another kind are not, and the difference is named."""

from __future__ import annotations

import copy
import functools
import json
import shutil
import unittest
from pathlib import Path

import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file

import peft_adapters
from peft_adapters import CASES, DTYPES
from support import run, temporary
from test_adapters import DORA, VARIANTS, made

EXPLAINED = ("unchanged", "exact", "within rounding")


def explain(base: Path, merged: Path, *adapters):
    return run("diff", base, merged, *[word for path in adapters for word in ("--explain-adapter", str(path))], "--json")


def adapters_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("adapter-*"))


class Merges(unittest.TestCase):
    maxDiff = None

    def explained(self, answer, exact: bool = True) -> dict:
        self.assertEqual(answer.code, 0, answer.said())
        report = answer.json
        self.assertTrue(report["summary"]["explained"])
        self.assertGreater(report["summary"]["targets"], 0)
        self.assertEqual(report["findings"], [])
        for row in report["tensors"]:
            wanted = ("exact",) if exact and row["target"] else ("exact", "within rounding") if row["target"] else ("unchanged",)
            self.assertIn(row["verdict"], wanted, row)
        return report

    def check(self, name: str, word: str, safe: bool) -> None:
        folder = made(name)
        with temporary() as scratch:
            merged = Path(scratch) / "merged"
            peft_adapters.merged(CASES[name], folder, word, safe, merged)
            self.explained(explain(folder / f"base-{word}", merged, *adapters_of(folder)), name not in DORA)

    def test_dtypes_of_the_result(self) -> None:
        """A bfloat16 base merged in float32, a float32 base merged in bfloat16, and each cast afterwards."""
        folder = made("all_linear")
        kind = type(CASES["all_linear"].model())
        for stored, used, saved, exact in (("bf16", "fp32", "fp32", True), ("fp32", "bf16", "bf16", True), ("bf16", "bf16", "fp32", True),
                                           ("fp32", "fp32", "bf16", True), ("fp32", "fp16", "fp16", True), ("fp16", "fp32", "fp32", True)):
            with self.subTest(stored=stored, used=used, saved=saved), temporary() as scratch:
                base = kind.from_pretrained(folder / f"base-{stored}", dtype=DTYPES[used])
                PeftModel.from_pretrained(base, folder / "adapter-0").merge_and_unload().to(DTYPES[saved]).save_pretrained(Path(scratch) / "merged")
                self.explained(explain(folder / f"base-{stored}", Path(scratch) / "merged", folder / "adapter-0"), exact)

    def test_other_arithmetic(self) -> None:
        """Not bit by bit PEFT's, but within its rounding: products in double precision, and in bfloat16."""
        folder = made("all_linear")
        config = json.loads((folder / "adapter-0" / "adapter_config.json").read_text())
        adapter = load_file(folder / "adapter-0" / "adapter_model.safetensors")
        for word, compute in (("fp32", torch.float64), ("bf16", torch.float64), ("bf16", torch.bfloat16)):
            with self.subTest(word=word, compute=compute), temporary() as scratch:
                shutil.copytree(folder / f"base-{word}", Path(scratch) / "merged")
                file = Path(scratch) / "merged" / "model.safetensors"
                state = load_file(file)
                for key in [k for k in adapter if "lora_A" in k]:
                    name = key.removeprefix("base_model.model.").replace("lora_A.", "")
                    delta = adapter[key.replace("lora_A", "lora_B")].to(compute) @ adapter[key].to(compute) * (config["lora_alpha"] / config["r"])
                    wide = torch.float64 if compute == torch.float64 else torch.float32
                    state[name] = (state[name].to(wide) + delta.to(wide)).to(state[name].dtype)
                save_file(state, file, metadata={"format": "pt"})
                report = self.explained(explain(folder / f"base-{word}", Path(scratch) / "merged", folder / "adapter-0"), False)
                self.assertGreater(report["summary"]["within_rounding"], 0)

    def test_scale(self) -> None:
        folder = made("plain")
        with temporary() as scratch:
            merged = Path(scratch) / "merged"
            run("fold", folder / "base-bf16", "--adapter", f"{folder / 'adapter-0'}=0.5", "-o", merged)
            self.explained(explain(folder / "base-bf16", merged, f"{folder / 'adapter-0'}=0.5"))

    def test_names_and_containers(self) -> None:
        """The merged model as a training checkpoint with run-time names, wrapped; the base published."""
        folder = made("experts")
        with temporary() as scratch:
            scratch = Path(scratch)
            peft_adapters.merged(CASES["experts"], folder, "fp32", False, scratch / "merged")
            kind = type(CASES["experts"].model())
            state = kind.from_pretrained(scratch / "merged").state_dict()
            torch.save({"model": {f"module.{name}": tensor for name, tensor in state.items()}, "epoch": 3}, scratch / "run.pt")
            self.explained(explain(folder / "base-fp32", scratch / "run.pt", folder / "adapter-0"))
            self.explained(explain(folder / "base-fp32", f"{scratch / 'run.pt'}#model", folder / "adapter-0"))

    def test_tied(self) -> None:
        """PEFT's merge also changes a head that is tied to its embedding, which is reported. A head that only one side stores is no difference."""
        with temporary() as scratch:
            scratch = Path(scratch)
            case = peft_adapters.AdapterCase(functools.partial(peft_adapters.llama, tie_word_embeddings=True), {"target_modules": ["embed_tokens", "q_proj"]})
            peft_adapters.make(case, scratch)
            peft_adapters.merged(case, scratch, "fp32", False, scratch / "merged")
            answer = explain(scratch / "base-fp32", scratch / "merged", scratch / "adapter-0")
            self.assertEqual(answer.code, 1, answer.said())
            rows = {row["name"]: row for row in answer.json["tensors"] if row["verdict"] not in EXPLAINED}
            self.assertEqual(list(rows), ["lm_head.weight"])
            self.assertEqual(rows["lm_head.weight"]["merged_name"], "model.embed_tokens.weight")
            peft_adapters.adapter(case.model(), {"target_modules": ["q_proj"]}, 4, scratch / "adapter-1")
            run("fold", scratch / "base-fp32", "--adapter", scratch / "adapter-1", "-o", scratch / "plain")
            self.explained(explain(scratch / "base-fp32", scratch / "plain", scratch / "adapter-1"))
            file = scratch / "plain" / "model.safetensors"
            state = load_file(file)
            save_file({**state, "lm_head.weight": state["model.embed_tokens.weight"].clone()}, file, metadata={"format": "pt"})
            self.explained(explain(scratch / "base-fp32", scratch / "plain", scratch / "adapter-1"))
            save_file({**state, "lm_head.weight": state["model.embed_tokens.weight"] + 1}, file, metadata={"format": "pt"})
            self.assertEqual(explain(scratch / "base-fp32", scratch / "plain", scratch / "adapter-1").code, 1)


class OtherMerges(unittest.TestCase):
    """Each is a merge with one thing wrong: what is named, and that nothing else is."""

    def told(self, name: str, change, verdicts: dict[str, str], finding: str, base: str = "base-bf16", ask: str = "") -> dict:
        """`change(state, adapter, config)` alters PEFT's merge; `verdicts`: of the tensors whose names contain a text."""
        folder = made(name)
        with temporary() as scratch:
            merged = Path(scratch) / "merged"
            peft_adapters.merged(CASES[name], folder, base.removeprefix("base-"), False, merged)
            state = load_file(merged / "model.safetensors")
            change(state, load_file(folder / base / "model.safetensors"))
            save_file({key: value.contiguous() for key, value in state.items()}, merged / "model.safetensors", metadata={"format": "pt"})
            answer = explain(folder / base, merged, f"{folder / 'adapter-0'}{ask}")
        self.assertEqual(answer.code, 1, answer.said())
        for row in answer.json["tensors"]:
            wanted = [verdict for part, verdict in verdicts.items() if part in row["name"]] or EXPLAINED
            self.assertIn(row["verdict"], wanted, row)
        self.assertEqual(set(verdicts.values()), {row["verdict"] for row in answer.json["tensors"]} - set(EXPLAINED))
        self.assertIn(finding, " ".join(answer.json["findings"]))
        return answer.json

    def test_alpha(self) -> None:
        for base in ("base-fp32", "base-bf16", "base-fp16"):
            report = self.told("plain", lambda s, b: None, {"q_proj": "scaled", "v_proj": "scaled"}, "0.5 times", base, "=2")
            self.assertTrue(all(abs(row["factor"] - 0.5) < 0.001 for row in report["tensors"] if row["target"]))
            self.told("plain", lambda s, b: None, {"q_proj": "scaled", "v_proj": "scaled"}, "another alpha, rank or scale", base, "=1.01")
            self.told("plain", lambda s, b: None, {"q_proj": "scaled", "v_proj": "scaled"}, "-1 times", base, "=-1")

    def test_alpha_of_one(self) -> None:
        name = "model.layers.0.self_attn.v_proj.weight"
        self.told("plain", lambda s, b: s.update({name: b[name] + (s[name] - b[name]) * 3}), {name: "scaled"}, "The changes of 1 tensor are 3", "base-fp32")

    def test_not_applied(self) -> None:
        self.told("plain", lambda s, b: s.update(b), {"q_proj": "not applied", "v_proj": "not applied"}, "was not applied")
        self.told("plain", lambda s, b: s.update({k: v for k, v in b.items() if "v_proj" in k}), {"v_proj": "not applied"}, "applied in part")
        self.told("trainable_tokens", lambda s, b: s.update({k: v for k, v in b.items() if "embed" in k}), {"embed": "not applied"}, "applied in part")
        self.told("modules_to_save", lambda s, b: s.update({k: v for k, v in b.items() if "lm_head" in k}), {"lm_head": "not applied"}, "applied in part")

    def test_half_of_a_tensor(self) -> None:
        name = "model.layers.1.self_attn.q_proj.weight"
        for base in ("base-fp32", "base-bf16"):
            self.told("plain", lambda s, b: s.update({name: torch.cat([s[name][:24], b[name][24:]])}), {name: "not explained"}, "not those of this adapter", base)
            self.told("plain", lambda s, b: s.update({name: torch.cat([s[name][:-1], b[name][-1:]])}), {name: "not explained"}, "not those of this adapter", base)

    def test_one_element(self) -> None:
        name = "model.layers.1.self_attn.q_proj.weight"
        def change(state, base) -> None:
            state[name][5, 7] += 0.01
        for base in ("base-fp32", "base-bf16", "base-fp16"):
            self.assertEqual(next(row for row in self.told("plain", change, {name: "not explained"}, "", base)["tensors"] if row["name"] == name)["count_outside"], 1)

    def test_swapped(self) -> None:
        first, second = (f"model.layers.{i}.self_attn.q_proj.weight" for i in (0, 1))
        self.told("plain", lambda s, b: s.update({first: b[first] + (s[second] - b[second]), second: b[second] + (s[first] - b[first])}),
                  {first: "not explained", second: "not explained"}, "another adapter", "base-fp32")
        self.told("plain", lambda s, b: s.update({first: s[first].T}), {first: "not explained"}, "")

    def test_other_base(self) -> None:
        def change(state, base) -> None:
            for key in state:
                state[key] = (state[key].float() * 0.8 + 0.001).to(state[key].dtype)
        report = self.told("plain", change, {"": "touched", "q_proj": "not explained", "v_proj": "not explained"}, "another base")
        self.assertEqual(report["summary"]["touched"], 17)

    def test_names(self) -> None:
        self.told("plain", lambda s, b: s.pop("model.layers.1.self_attn.q_proj.weight"), {"layers.1.self_attn.q_proj": "missing"}, "")
        self.told("plain", lambda s, b: s.update({"model.layers.0.self_attn.q_proj.bias": torch.zeros(48)}), {"q_proj.bias": "added"}, "")
        self.told("plain", lambda s, b: s.update({"lm_head.weight": s["lm_head.weight"][:-1]}), {"lm_head": "other shape"}, "")
        self.told("plain", lambda s, b: s.update({k: v.to(torch.int32) for k, v in s.items() if "layers.0.self_attn.k_proj" in k}), {"layers.0.self_attn.k_proj": "touched"}, "")
        self.told("plain", lambda s, b: s.update({k: v.to(torch.int32) for k, v in s.items() if "layers.0.self_attn.q_proj" in k}), {"layers.0.self_attn.q_proj": "not explained"}, "")

    def test_numbers_that_are_none(self) -> None:
        name = "model.layers.0.self_attn.q_proj.weight"
        def change(state, base) -> None:
            state[name][3, 3] = float("nan")
            state[name][4, 4] = float("inf")
        self.told("plain", change, {name: "not explained"}, "")

    def test_another_adapter(self) -> None:
        folder = made("two")
        with temporary() as scratch:
            peft_adapters.merged(CASES["two"], folder, "bf16", False, Path(scratch) / "merged")
            answer = explain(folder / "base-bf16", Path(scratch) / "merged", folder / "adapter-0")
            self.assertEqual(answer.code, 1)
            self.assertGreater(answer.json["summary"]["touched"], 0)
            answer = explain(folder / "base-bf16", Path(scratch) / "merged", folder / "adapter-1")
            self.assertEqual(answer.code, 1)

    def test_small_changes(self) -> None:
        """Below the step of bfloat16, where most elements stay as they are: still told apart."""
        folder = made("all_linear")
        for scale in (0.05, 0.02):
            with self.subTest(scale=scale), temporary() as scratch:
                merged = Path(scratch) / "merged"
                run("fold", folder / "base-bf16", "--adapter", f"{folder / 'adapter-0'}={scale}", "-o", merged)
                self.assertEqual(explain(folder / "base-bf16", merged, f"{folder / 'adapter-0'}={scale}").code, 0)
                self.assertEqual(explain(folder / "base-bf16", merged, f"{folder / 'adapter-0'}={scale * 2}").code, 1)
                self.assertEqual(explain(folder / "base-bf16", merged, f"{folder / 'adapter-0'}={scale * 0.8}").code, 1)

    def test_requests(self) -> None:
        folder = made("plain")
        base, adapter = folder / "base-fp32", folder / "adapter-0"
        self.assertEqual(run("diff", base, base, "--explain-adapter", adapter, "--values").code, 2)
        self.assertEqual(run("diff", base, base, "--explain-adapter", folder / "nothing").code, 3)
        self.assertEqual(run("diff", made("vit") / "base-fp32", base, "--explain-adapter", adapter).code, 3)
        text = run("diff", base, base, "--explain-adapter", adapter)
        self.assertEqual(text.code, 1)
        self.assertIn("not applied", text.text)


for each in CASES:
    for word, safe in VARIANTS:
        setattr(Merges, f"test_{each}_{word}{'_safe' if safe else ''}", functools.partialmethod(Merges.check, each, word, safe))

if __name__ == "__main__":
    unittest.main()
