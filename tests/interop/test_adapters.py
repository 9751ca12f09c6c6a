# SPDX-License-Identifier: Apache-2.0
"""Folded adapters: the tensors that PEFT's merge_and_unload() and save_pretrained() give, bit by bit; damaged adapters are refused."""

from __future__ import annotations

import functools
import json
import shutil
import unittest
from pathlib import Path

import torch
import transformers as hf
from safetensors.torch import load_file, save_file

import peft_adapters
from peft_adapters import CASES, DTYPES, AdapterCase
from support import run, temporary

DORA = ("dora", "dora_fan")
VARIANTS = (("fp32", False), ("bf16", False), ("bf16", True), ("fp16", False))


def tensors(folder: Path) -> dict[str, torch.Tensor]:
    return {name: tensor for file in sorted(folder.glob("*.safetensors")) for name, tensor in load_file(file).items()}


def adapters_of(folder: Path) -> list[str]:
    return [word for path in sorted(folder.glob("adapter-*")) for word in ("--adapter", str(path))]


class Adapters(unittest.TestCase):
    maxDiff = None

    def compare(self, found: dict, expected: dict, exact: bool) -> None:
        self.assertEqual(sorted(found), sorted(expected))
        for name, tensor in expected.items():
            self.assertEqual(found[name].dtype, tensor.dtype, name)
            if exact:
                self.assertTrue(torch.equal(found[name], tensor), name)
            else:  # the norm's last bit is the order of torch's additions
                limit = 3 * torch.finfo(tensor.dtype).eps
                self.assertLessEqual(float(((found[name] - tensor).abs() / tensor.abs().clamp(min=1e-6)).max()), limit, name)

    def fold(self, folder: Path, word: str, safe: bool, out: Path) -> dict:
        more = ["--round-changes"] if safe else []
        answer = run("fold", folder / f"base-{word}", *adapters_of(folder), "-o", out, "--json", *more)
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json

    def check(self, name: str, word: str, safe: bool) -> None:
        folder = made(name)
        with temporary() as scratch:
            scratch = Path(scratch)
            peft_adapters.merged(CASES[name], folder, word, safe, scratch / "merged")
            report = self.fold(folder, word, safe, scratch / "out")
            self.compare(tensors(scratch / "out"), tensors(scratch / "merged"), name not in DORA)
        self.assertTrue(report["verified"])
        self.assertEqual(len(report["adapters"]), 1 + len(CASES[name].more))
        self.assertGreater(report["adapters"][0]["tensors"], 0)

    def test_folded_and_quantised_with_scales(self) -> None:
        """In one job as one after the other."""
        with temporary() as out:
            out = Path(out)
            folder = made("all_linear")
            for precision in ("fp8", "fp8_block"):
                one = run("fold", folder / "base-bf16", *adapters_of(folder), "-o", out / precision, "--dtype", precision, "--json")
                self.assertEqual(one.code, 0, one.said())
                self.assertTrue(one.json["verified"])
                if not (out / "folded").exists():
                    self.assertEqual(run("fold", folder / "base-bf16", *adapters_of(folder), "-o", out / "folded").code, 0)
                two = run("consolidate", out / "folded", "-o", out / f"{precision}-two", "--bundle", "--dtype", precision)
                self.assertEqual(two.code, 0, two.said())
                first, second = (load_file(out / each / "model.safetensors") for each in (precision, f"{precision}-two"))
                self.assertEqual(sorted(first), sorted(second))
                self.assertTrue(any(tensor.dtype == torch.float8_e4m3fn for tensor in first.values()))
                for name, tensor in first.items():
                    self.assertEqual(tensor.dtype, second[name].dtype, name)
                    self.assertTrue(torch.equal(tensor.view(torch.uint8), second[name].view(torch.uint8)), name)

    def test_scale(self) -> None:
        folder = made("plain")
        with temporary() as scratch:
            scratch = Path(scratch)
            answer = run("consolidate", folder / "base-fp32", "--adapter", f"{folder / 'adapter-0'}=0.5", "-o", scratch / "out.safetensors")
            self.assertEqual(answer.code, 0, answer.said())
            shutil.copytree(folder / "adapter-0", scratch / "half")
            config = json.loads((scratch / "half" / "adapter_config.json").read_text())
            config["lora_alpha"] /= 2
            (scratch / "half" / "adapter_config.json").write_text(json.dumps(config))
            answer = run("consolidate", folder / "base-fp32", "--adapter", scratch / "half", "-o", scratch / "half.safetensors")
            self.assertEqual(answer.code, 0, answer.said())
            self.compare(load_file(scratch / "out.safetensors"), load_file(scratch / "half.safetensors"), True)

    def test_tied_embeddings_are_untied(self) -> None:
        """PEFT's own merge changes the head with the embedding; its forward does not."""
        with temporary() as scratch:
            scratch = Path(scratch)
            case = AdapterCase(functools.partial(peft_adapters.llama, tie_word_embeddings=True), {"target_modules": ["embed_tokens", "q_proj"]})
            torch.manual_seed(3)
            model = peft_adapters.randomised(case.model(), 5).eval()
            model.save_pretrained(scratch / "base-fp32")
            peft_adapters.adapter(model, case.settings, 9, scratch / "adapter-0", save_embedding_layers=False)
            self.fold(scratch, "fp32", False, scratch / "out")
            found = tensors(scratch / "out")
            self.assertTrue(torch.equal(found["lm_head.weight"], model.lm_head.weight))
            self.assertFalse(torch.equal(found["model.embed_tokens.weight"], model.lm_head.weight))
            self.assertFalse(json.loads((scratch / "out" / "config.json").read_text())["tie_word_embeddings"])
            tokens = torch.arange(1, 30).reshape(1, -1)
            with torch.no_grad():
                trained = peft_adapters.PeftModel.from_pretrained(model, scratch / "adapter-0")(tokens).logits
                folded = type(model).from_pretrained(scratch / "out")(tokens).logits
            self.assertLess(float((trained - folded).abs().max()), 1e-4)

    def test_tied_models_compute_as_with_the_adapter(self) -> None:
        """Whatever the adapter changes of two tied tensors, and whether PEFT kept them tied."""
        for settings, tied in (({"target_modules": ["lm_head", "q_proj"]}, False), ({"target_modules": ["embed_tokens"]}, False),
                               ({"target_modules": ["embed_tokens"], "ensure_weight_tying": True}, True),
                               ({"target_modules": ["q_proj"], "modules_to_save": ["lm_head"]}, False),
                               ({"target_modules": ["q_proj"], "modules_to_save": ["embed_tokens"]}, False),
                               ({"target_modules": ["q_proj"], "modules_to_save": ["embed_tokens"], "ensure_weight_tying": True}, True),
                               ({"target_modules": ["q_proj"], "trainable_token_indices": [3, 95]}, True)):
            with self.subTest(settings=settings), temporary() as scratch:
                scratch = Path(scratch)
                torch.manual_seed(3)
                model = peft_adapters.randomised(peft_adapters.llama(tie_word_embeddings=True), 5).eval()
                model.save_pretrained(scratch / "base-fp32")
                peft_adapters.adapter(model, settings, 9, scratch / "adapter-0")
                self.fold(scratch, "fp32", False, scratch / "out")
                self.assertEqual(json.loads((scratch / "out" / "config.json").read_text())["tie_word_embeddings"], tied)
                self.assertEqual("lm_head.weight" in tensors(scratch / "out"), not tied)
                tokens = torch.arange(1, 30).reshape(1, -1)
                with torch.no_grad():
                    trained = peft_adapters.PeftModel.from_pretrained(model, scratch / "adapter-0").eval()(tokens).logits
                    folded = type(model).from_pretrained(scratch / "out").eval()(tokens).logits
                self.assertLess(float((trained - folded).abs().max() / trained.abs().max()), 1e-5)

    def test_embeddings_tied_in_unknown_ways_are_refused(self) -> None:
        small = {"vocab_size": 96, "num_attention_heads": 4}
        for model, module in ((hf.T5ForConditionalGeneration(hf.T5Config(d_model=48, d_kv=12, d_ff=80, num_layers=2, num_heads=4, vocab_size=96)), "shared"),
                              (hf.BertForMaskedLM(hf.BertConfig(hidden_size=48, num_hidden_layers=2, intermediate_size=80, **small)), "word_embeddings")):
            with self.subTest(module=module), temporary() as scratch:
                scratch = Path(scratch)
                model.save_pretrained(scratch / "base")
                peft_adapters.adapter(model, {"target_modules": [module]}, 9, scratch / "adapter")
                answer = run("fold", scratch / "base", "--adapter", scratch / "adapter", "-o", scratch / "out")
                self.assertEqual(answer.code, 3, answer.said())
                self.assertIn("tied", answer.said())

    def test_square_modules_of_two_kinds(self) -> None:
        """Conv1D stores [in, out]; the settings have the flag of the module that PEFT saw last, here the head's."""
        with temporary() as scratch:
            scratch = Path(scratch)
            torch.manual_seed(3)
            model = peft_adapters.randomised(peft_adapters.gpt2(), 5).eval()
            model.save_pretrained(scratch / "base-fp32")
            peft_adapters.adapter(model, {"target_modules": ["attn.c_proj", "lm_head"]}, 9, scratch / "adapter-0")
            self.fold(scratch, "fp32", False, scratch / "out")
            tokens = torch.arange(1, 30).reshape(1, -1)
            with torch.no_grad():
                trained = peft_adapters.PeftModel.from_pretrained(model, scratch / "adapter-0").eval()(tokens).logits
                folded = type(model).from_pretrained(scratch / "out").eval()(tokens).logits
            self.assertLess(float((trained - folded).abs().max() / trained.abs().max()), 1e-5)

    def test_names_in_memory(self) -> None:
        """A base with the names that transformers 5 has in memory, as FSDP and DCP save it."""
        with temporary() as scratch:
            scratch = Path(scratch)
            case = CASES["experts"]
            torch.manual_seed(3)
            model = peft_adapters.randomised(case.model(), 3).eval()
            model.save_pretrained(scratch / "base-fp32")
            peft_adapters.adapter(model, case.settings, 31, scratch / "adapter-0")
            peft_adapters.merged(case, scratch, "fp32", False, scratch / "merged")
            (scratch / "base-memory").mkdir()
            save_file({name: tensor.clone().contiguous() for name, tensor in model.state_dict().items()}, scratch / "base-memory" / "model.safetensors")
            shutil.copy(scratch / "base-fp32" / "config.json", scratch / "base-memory")
            self.fold(scratch, "memory", False, scratch / "out")
            self.compare(tensors(scratch / "out"), tensors(scratch / "merged"), True)

    def test_files_in_other_forms(self) -> None:
        """A pickled adapter in bfloat16, a base without the prefix of its class."""
        folder = made("fan_in_fan_out")
        with temporary() as scratch:
            scratch = Path(scratch)
            shutil.copytree(folder / "adapter-0", scratch / "adapter-0")
            file = scratch / "adapter-0" / "adapter_model.safetensors"
            torch.save({name: tensor.bfloat16() for name, tensor in load_file(file).items()}, file.with_suffix(".bin"))
            file.unlink()
            shutil.copytree(folder / "base-fp32", scratch / "base-fp32")
            peft_adapters.merged(CASES["fan_in_fan_out"], scratch, "fp32", False, scratch / "merged")
            file = scratch / "base-fp32" / "model.safetensors"
            save_file({name.removeprefix("transformer."): tensor for name, tensor in load_file(file).items()}, file, metadata={"format": "pt"})
            self.fold(scratch, "fp32", False, scratch / "out")
            expected = {name.removeprefix("transformer."): tensor for name, tensor in tensors(scratch / "merged").items()}
            self.compare(tensors(scratch / "out"), expected, True)

    def test_adapter_in_a_folder_of_dcp(self) -> None:
        """As FSDP saves it, alone or with the whole model, with its settings beside it."""
        import torch.distributed.checkpoint as dcp
        from peft import get_peft_model_state_dict

        folder = made("modules_to_save")
        with temporary() as scratch:
            scratch = Path(scratch)
            base = peft_adapters.llama().from_pretrained(folder / "base-fp32")
            model = peft_adapters.PeftModel.from_pretrained(base, folder / "adapter-0")
            for name, state in (("alone", get_peft_model_state_dict(model)), ("whole", model.state_dict())):
                dcp.save({"model": state}, checkpoint_id=scratch / name)
                shutil.copy(folder / "adapter-0" / "adapter_config.json", scratch / name)
            peft_adapters.merged(CASES["modules_to_save"], folder, "fp32", False, scratch / "merged")
            for name in ("alone", "whole"):
                answer = run("fold", folder / "base-fp32", "--adapter", scratch / name, "-o", scratch / f"out-{name}")
                self.assertEqual(answer.code, 0, answer.said())
                self.compare(tensors(scratch / f"out-{name}"), tensors(scratch / "merged"), True)

    def test_adapter_alone_stays_an_adapter(self) -> None:
        folder = made("plain")
        with temporary() as scratch:
            out = Path(scratch) / "out"
            answer = run("consolidate", folder / "adapter-0", "-o", out, "--bundle", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertTrue((out / "adapter_config.json").exists())
            found = load_file(out / "adapter_model.safetensors")
            self.compare(found, load_file(folder / "adapter-0" / "adapter_model.safetensors"), True)
            base = CASES["plain"].model()
            peft_adapters.PeftModel.from_pretrained(base, out)

    def test_adapter_beside_weights_is_an_error(self) -> None:
        folder = made("plain")
        with temporary() as scratch:
            both = Path(scratch) / "both"
            shutil.copytree(folder / "base-fp32", both)
            for file in (folder / "adapter-0").glob("adapter_*"):
                shutil.copy(file, both)
            answer = run("consolidate", both, "-o", Path(scratch) / "out", "--bundle")
            self.assertNotEqual(answer.code, 0)
            self.assertIn("adapter", answer.said())
            self.assertFalse((Path(scratch) / "out").exists())


class Damages(unittest.TestCase):
    """Each changes one thing of a sound adapter or its base, and is refused with a word that names it."""

    def refused(self, expected: str, *, config=None, change=None, base: str = "plain", name: str = "plain", base_change=None) -> None:
        with temporary() as scratch:
            scratch = Path(scratch)
            shutil.copytree(made(name) / "adapter-0", scratch / "adapter")
            shutil.copytree(made(base) / "base-fp32", scratch / "base")
            for file, edit in (((scratch / "adapter" / "adapter_model.safetensors"), change), ((scratch / "base" / "model.safetensors"), base_change)):
                if edit:
                    state = load_file(file)
                    edit(state)
                    save_file({key: value.contiguous() for key, value in state.items()}, file, metadata={"format": "pt"})
            if config:
                document = json.loads((scratch / "adapter" / "adapter_config.json").read_text())
                config(document)
                (scratch / "adapter" / "adapter_config.json").write_text(json.dumps(document))
            answer = run("fold", scratch / "base", "--adapter", scratch / "adapter", "-o", scratch / "out")
            self.assertNotIn(answer.code, (0, -11, -6), answer.said())
            self.assertIn(expected, answer.said())
            self.assertFalse((scratch / "out").exists())

    def test_prefix(self) -> None:
        self.refused("name does not identify", change=lambda s: [s.update({k.replace("base_model.model.", "model."): s.pop(k)}) for k in list(s)])

    def test_one_name(self) -> None:
        key = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"
        self.refused("layers.0", change=lambda s: s.update({key.replace("lora_A", "lora_C"): s.pop(key)}))

    def test_half(self) -> None:
        for part in ("lora_A", "lora_B"):
            self.refused("part of the tensors", change=lambda s: s.pop(f"base_model.model.model.layers.1.self_attn.v_proj.{part}.weight"))

    def test_missing_module(self) -> None:
        def drop(state) -> None:
            for part in ("lora_A", "lora_B"):
                state.pop(f"base_model.model.model.layers.1.self_attn.v_proj.{part}.weight")
        self.refused("layers.1.self_attn.v_proj", change=drop)

    def test_zeros(self) -> None:
        self.refused("changes nothing", change=lambda s: [v.zero_() for k, v in s.items() if "lora_B" in k])
        self.refused("changes nothing", change=lambda s: [v.zero_() for k, v in s.items() if "lora_A" in k])
        self.refused("changes nothing", config=lambda c: c.update(lora_alpha=0))

    def test_rank(self) -> None:
        for value in (7, 16, 0, -8, 8.5, "8", None):
            self.refused("r", config=lambda c: c.update(r=value))
        self.refused("rank", config=lambda c: c.update(rank_pattern={"q_proj": 3}))

    def test_alpha(self) -> None:
        for value in (None, "12", True, [12]):
            self.refused("lora_alpha", config=lambda c: c.update(lora_alpha=value))
        self.refused("lora_alpha", config=lambda c: c.pop("lora_alpha"))
        self.refused("pattern", config=lambda c: c.update(alpha_pattern={"q(?=_proj).*": 3}))

    def test_methods(self) -> None:
        for init in ("pissa", "pissa_niter_4", "olora", "corda", "loftq", "lora_ga", "something"):
            self.refused("init_lora_weights", config=lambda c: c.update(init_lora_weights=init))
        for field, value in (("kasa_config", {"a": 1}), ("arrow_config", {"a": 1}), ("alora_invocation_tokens", [1]), ("monteclora_config", {"a": 1}),
                             ("velora_config", {"a": 1}), ("use_bdlora", {"a": 1}), ("use_qalora", True), ("layer_replication", [[0, 1]]), ("peft_type", "IA3")):
            self.refused(field, config=lambda c: c.update({field: value}))
        self.refused("use_dora", config=lambda c: c.update(use_dora=True))
        self.refused("use_dora", name="dora", config=lambda c: c.update(use_dora=False))

    def test_other_base(self) -> None:
        self.refused("", base="fan_in_fan_out")
        self.refused("shape", base_change=lambda s: s.update({k: v[:-1] for k, v in s.items() if k.endswith("q_proj.weight")}))
        self.refused("no tensor", base_change=lambda s: s.pop("model.layers.1.self_attn.q_proj.weight"))

    def test_quantised_base(self) -> None:
        self.refused("quantised", base_change=lambda s: s.update({k: v.to(torch.float8_e4m3fn) for k, v in s.items() if k.endswith("q_proj.weight")}))
        def pack(state) -> None:
            for key in [k for k in state if k.endswith("q_proj.weight")]:
                state[key.replace(".weight", ".qweight")] = state.pop(key).to(torch.int32)
        self.refused("quantised", base_change=pack)

    def test_shapes_of_the_adapter(self) -> None:
        key = "base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight"
        self.refused("layers.0", change=lambda s: s.update({key: s[key][:-1]}))
        self.refused("layers.0", change=lambda s: s.update({key: s[key][:, :-1]}))
        self.refused("layers.0", change=lambda s: s.update({key: s[key][None]}))
        self.refused("layers.0", change=lambda s: s.update({key: s[key].to(torch.int64)}))

    def test_bias_without_base(self) -> None:
        key = "base_model.model.model.layers.0.self_attn.q_proj.lora_B.bias"
        self.refused("bias", change=lambda s: s.update({key: torch.ones(48)}))

    def test_tokens(self) -> None:
        self.refused("trainable_token_indices", name="trainable_tokens", config=lambda c: c.update(trainable_token_indices={"embed_tokens": [1, 2]}))
        self.refused("shape", name="trainable_tokens", config=lambda c: c.update(trainable_token_indices={"embed_tokens": [1, 2, 96]}))
        self.refused("trainable_token_indices", name="trainable_tokens", config=lambda c: c.update(trainable_token_indices={"embed_tokens": [1, 2, -3]}))

    def test_no_settings(self) -> None:
        with temporary() as scratch:
            file = Path(scratch) / "adapter.safetensors"
            shutil.copy(made("plain") / "adapter-0" / "adapter_model.safetensors", file)
            answer = run("fold", made("plain") / "base-fp32", "--adapter", file, "-o", Path(scratch) / "out")
            self.assertNotEqual(answer.code, 0)
            self.assertIn("adapter_config.json", answer.said())


MADE = {}


def made(name: str) -> Path:
    """The case's bases and adapters, made once."""
    if name not in MADE:
        holder = temporary()
        folder = Path(holder.name)
        unittest.addModuleCleanup(holder.cleanup)
        peft_adapters.make(CASES[name], folder)
        MADE[name] = folder
    return MADE[name]


for each in CASES:
    for word, safe in VARIANTS:
        setattr(Adapters, f"test_{each}_{word}{'_safe' if safe else ''}", functools.partialmethod(Adapters.check, each, word, safe))

if __name__ == "__main__":
    unittest.main()
