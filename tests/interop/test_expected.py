# SPDX-License-Identifier: Apache-2.0
"""The list "Will it load?": a bundle loads in transformers as it was trained, or the list says FAIL and nothing is written. Never anything between."""

from __future__ import annotations

import functools
import itertools
import json
import random
import re
import unittest
from pathlib import Path

import family_data
import expected_tensors
import published_names
import torch
import torch.distributed.checkpoint as dcp
import transformers
from safetensors.torch import load_file, save_file

from support import run, temporary

FAMILIES = {"LlamaForCausalLM": "llama", "Qwen2ForCausalLM": "qwen2", "Qwen3ForCausalLM": "qwen3", "Qwen3MoeForCausalLM": "qwen3_moe",
            "MistralForCausalLM": "mistral", "MixtralForCausalLM": "mixtral", "DeepseekV3ForCausalLM": "deepseek_v3", "Gemma2ForCausalLM": "gemma2",
            "Gemma3ForCausalLM": "gemma3_text", "GPT2LMHeadModel": "gpt2", "BertForMaskedLM": "bert", "T5ForConditionalGeneration": "t5",
            "WhisperForConditionalGeneration": "whisper", "ViTForImageClassification": "vit", "Phi3ForCausalLM": "phi3",
            "GPTNeoXForCausalLM": "gpt_neox", "FalconForCausalLM": "falcon", "DebertaV2ForMaskedLM": "deberta-v2"}
#: in a few packings and with a few mistakes; test_expected_more.py does so with every class of the data
SHORT = ("GptOssForCausalLM", "Gemma3ForConditionalGeneration", "Gemma3Model", "LlavaForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration", "CLIPModel",
         "XLMRobertaForMaskedLM", "Mamba2ForCausalLM", "JambaForCausalLM")
INSIDE = ("_fsdp_wrapped_module", "_orig_mod", "_checkpoint_wrapped_module")
IN_FRONT = ("module.", "_orig_mod.", "module._orig_mod.", "_forward_module.", "net.", "model.", "a.b.")


@functools.lru_cache(maxsize=4)
def built(name: str) -> torch.nn.Module:
    torch.manual_seed(1)
    model = published_names.build(recorded()[name][0], name)
    with torch.no_grad():
        for parameter_name, parameter in model.named_parameters():
            if parameter_name not in (model._keys_to_ignore_on_save or ()):  # those are computed
                parameter.add_(0.01 * torch.randn_like(parameter))
    return model


@functools.lru_cache(maxsize=1)
def recorded() -> dict[str, tuple[str, str, str, str]]:
    """By class: type, base, prefix, text."""
    return {name: (model_type, base, prefix, text) for (name, model_type, base, prefix, _), text in family_data.read("expected_tensors.txt", expected_tensors.FIELDS)}


@functools.lru_cache(maxsize=1)
def recorded_rows() -> dict[str, tuple[str, str, list[expected_tensors.Row]]]:
    """By class: type, ignored names, rows with those of its base."""
    return expected_tensors.recorded_rows(family_data.FOLDER / "expected_tensors.txt")


class Case(unittest.TestCase):
    def setUp(self) -> None:
        place = temporary()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.made = 0

    def loads(self, model: torch.nn.Module, output: Path) -> str:
        """What differs from the trained model after from_pretrained; "" if nothing does."""
        config = json.loads((output / "config.json").read_text())
        cls = getattr(transformers, config["architectures"][0])
        loaded, info = cls.from_pretrained(output, output_loading_info=True)
        wrong = {key: sorted(map(str, value))[:3] for key, value in info.items() if value}
        if wrong:
            return str(wrong)
        base = getattr(loaded, loaded.base_model_prefix, None)
        if type(base) is type(model):  # the trained model with its tied head
            loaded = base
        state, found = model.state_dict(), loaded.state_dict()
        more = found.keys() - state.keys() - (loaded.all_tied_weights_keys or {}).keys()  # a tied head has no tensor in the file
        if type(loaded) is not type(model) and (more or state.keys() - found.keys()):
            return f"{type(loaded).__name__} instead of {type(model).__name__}"
        return next((name for name, value in state.items() if not torch.equal(found[name], value)), "")

    def bundle(self, source: Path, *options: object):
        self.made += 1
        output = self.folder / f"out-{self.made}"
        return output, run("consolidate", source, "-o", output, "--bundle", "--json", *options)

    def check(self, model: torch.nn.Module, source: Path, *options: object) -> bool:
        """Whether it was written; fails if what was written is not the model, or if nothing was written for another reason."""
        output, answer = self.bundle(source, *options)
        if answer.code == 0:
            self.assertEqual(self.loads(model, output), "")
            return True
        self.assertEqual((answer.code, answer.json["error"]["code"], output.exists()), (1, "verify-mismatch", False), answer.said())
        self.refusal = answer.json["error"]["message"]
        return False


class Packings(Case):
    def packed(self, model: torch.nn.Module) -> dict[str, Path]:
        state = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
        paths = {}

        def place(name: str, file: str) -> Path:
            paths[name] = self.folder / name / file
            paths[name].parent.mkdir()
            model.config.save_pretrained(paths[name].parent)
            return paths[name]

        for prefix in ("", *IN_FRONT):
            torch.save({prefix + name: tensor for name, tensor in state.items()}, place(f"front-{prefix}", "model.pt"))
        for word in INSIDE:
            inner = {f"{word}." + re.sub(r"\.(\d+)\.", rf".\1.{word}.", name): tensor for name, tensor in state.items()}
            torch.save(inner, place(f"inside-{word}", "model.pt"))
        dcp.save({"model": state, "step": 3}, checkpoint_id=place("dcp-model", "step-3"))
        dcp.save(dict(state), checkpoint_id=place("dcp-flat", "step-3"))
        dcp.save({"app": {"model": state, "step": 3}}, checkpoint_id=place("dcp-app", "step-3"))
        for attribute in ("model", "net"):
            torch.save({"state_dict": {f"{attribute}.{name}": tensor for name, tensor in state.items()}, "pytorch-lightning_version": "2.6.6",
                        "epoch": 1, "global_step": 3}, place(f"lightning-{attribute}", "last.ckpt"))
        model.save_pretrained(self.folder / "trainer" / "checkpoint-3")
        paths["trainer"] = self.folder / "trainer" / "checkpoint-3"
        return paths

    def each(self, name: str) -> None:
        model = built(name)
        model.config.architectures = None
        for packing, path in self.packed(model).items():
            with self.subTest(packing=packing):
                self.assertTrue(self.check(model, path), getattr(self, "refusal", ""))


class Wrong(Case):
    """Seeded mistakes: each is refused, or does no harm."""

    def mistakes(self, model: torch.nn.Module, rng: random.Random):
        """(what, state, config): one thing is wrong."""
        state = {name: tensor.clone() for name, tensor in self.published.items()}
        config = json.loads((self.folder / "right" / "config.json").read_text())
        names = sorted(state)
        matrices = [n for n in names if state[n].dim() == 2 and state[n].shape[0] != state[n].shape[1]]
        name = rng.choice(names)
        yield "missing", {n: t for n, t in state.items() if n != name}, config
        yield "extra", state | {"another.weight": torch.ones(2)}, config
        yield "renamed", {("x" + n if n == name else n): t for n, t in state.items()}, config
        matrix = rng.choice(matrices)
        yield "transposed", state | {matrix: state[matrix].t().contiguous()}, config
        yield "padded", {n: torch.cat([t, t[:5]]) if t.dim() == 2 and "vocab_size" in config and t.shape[0] == config["vocab_size"] else t
                         for n, t in state.items()}, config
        first, second = rng.sample(names, 2)
        yield "exchanged", state | {first: state[second], second: state[first]}, config
        for field in ("num_hidden_layers", "hidden_size", "intermediate_size", "num_key_value_heads", "n_layer", "n_embd", "d_model", "num_layers",
                      "vocab_size", "encoder_layers", "decoder_layers", "n_routed_experts", "num_local_experts", "num_experts", "head_dim",
                      "first_k_dense_replace", "max_position_embeddings", "n_positions", "image_size", "patch_size"):
            if isinstance(config.get(field), int):
                for value in (config[field] + 1, config[field] * 2, config[field] - 1):
                    changed = config | {field: value}
                    if "layer_types" in config and field == "num_hidden_layers":
                        changed["layer_types"] = (config["layer_types"] * 4)[:value]
                    yield f"{field} {value}", state, changed
        for flag in ("tie_word_embeddings", "attention_bias", "mlp_bias", "qkv_bias"):
            yield flag, state, config | {flag: not config.get(flag, flag == "tie_word_embeddings")}
        for other in ("llama", "qwen2", "bert", "gpt2"):
            if other != config["model_type"]:
                yield f"type {other}", state, config | {"model_type": other}
        for other in ("LlamaModel", "BertForSequenceClassification", "GPT2ForSequenceClassification"):
            yield f"class {other}", state, config | {"architectures": [other]}

    def each(self, name: str) -> None:
        model = built(name)
        model.config.architectures = None
        model.save_pretrained(self.folder / "right")
        self.published = load_file(self.folder / "right" / "model.safetensors")
        rng = random.Random(name)
        refused = 0
        for number, (what, state, config) in enumerate(self.mistakes(model, rng)):
            with self.subTest(what=what):
                source = self.folder / f"wrong-{number}"
                source.mkdir()
                save_file(state, source / "model.safetensors", metadata={"format": "pt"})
                (source / "config.json").write_text(json.dumps(config))
                output, answer = self.bundle(source)
                if answer.code:
                    refused += 1
                    self.assertEqual((answer.code, output.exists()), (1, False), answer.said())
                    continue
                # accepted: the folder must load without a word, as the config says
                tensors = next(item for item in answer.json["checklist"] if item["item"] == "tensors")
                self.assertEqual(tensors["state"], "pass", tensors)
                cls = getattr(transformers, json.loads((output / "config.json").read_text())["architectures"][0])
                try:
                    _, info = cls.from_pretrained(output, output_loading_info=True)
                except Exception:  # noqa: BLE001: the library refuses the config, aloud
                    continue
                self.assertFalse(any(info.values()), info)
        self.assertGreater(refused, 5)


class Short(Case):
    """Less of the same for more classes."""

    def packings(self, model: torch.nn.Module) -> dict[str, Path]:
        state = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
        paths = {name: self.folder / name / file for name, file in (("dcp", "step-3"), ("lightning", "last.ckpt"), ("fsdp", "model.pt"))}
        for path in paths.values():
            path.parent.mkdir()
            model.config.save_pretrained(path.parent)
        dcp.save({"model": state, "step": 3}, checkpoint_id=paths["dcp"])
        torch.save({"state_dict": {f"net.{name}": tensor for name, tensor in state.items()}, "pytorch-lightning_version": "2.6.6", "epoch": 1,
                    "global_step": 3}, paths["lightning"])
        torch.save({"_fsdp_wrapped_module." + re.sub(r"\.(\d+)\.", r".\1._fsdp_wrapped_module.", name): tensor for name, tensor in state.items()}, paths["fsdp"])
        model.save_pretrained(self.folder / "trainer" / "checkpoint-3")
        return paths | {"trainer": self.folder / "trainer" / "checkpoint-3"}

    def mistakes(self, state: dict, config: dict, rng: random.Random):
        name = rng.choice(sorted(state))
        yield "missing", {n: t for n, t in state.items() if n != name}, config
        yield "extra", state | {"another.weight": torch.ones(2)}, config
        for part in (None, "text_config", "vision_config", "encoder_config"):
            inner = config if part is None else config.get(part) or {}
            for field in ("num_hidden_layers", "n_layer", "num_layers", "encoder_layers", "depth", "hidden_size", "intermediate_size"):
                if isinstance(inner.get(field), int):
                    changed = inner | {field: inner[field] + (1 if "layer" in field or field == "depth" else inner[field])}
                    if isinstance(inner.get("layer_types"), list) and field == "num_hidden_layers":
                        changed["layer_types"] = (inner["layer_types"] * 2)[:changed[field]]
                    yield f"{part} {field}", state, changed if part is None else config | {part: changed}

    def each(self, name: str) -> None:
        model = built(name)
        model.config.architectures = None
        for packing, path in self.packings(model).items():
            with self.subTest(packing=packing):
                self.assertTrue(self.check(model, path), getattr(self, "refusal", ""))
        folder = self.folder / "trainer" / "checkpoint-3"
        config = json.loads((folder / "config.json").read_text())
        state = load_file(folder / "model.safetensors")
        ticked = refused = 0
        for number, (what, wrong, settings) in enumerate(self.mistakes(state, config, random.Random(name))):
            with self.subTest(what=what):
                source = self.folder / f"wrong-{number}"
                source.mkdir()
                save_file(wrong, source / "model.safetensors", metadata={"format": "pt"})
                (source / "config.json").write_text(json.dumps(settings))
                output, answer = self.bundle(source)
                if answer.code:
                    refused += 1
                    self.assertEqual((answer.code, output.exists()), (1, False), answer.said())
                    continue
                tensors = next(item for item in answer.json["checklist"] if item["item"] == "tensors")
                if tensors["state"] == "pass":  # then it loads without a word
                    ticked += 1
                    try:
                        _, info = getattr(transformers, name).from_pretrained(output, output_loading_info=True)
                    except Exception:  # noqa: BLE001: the library refuses the config, aloud
                        continue
                    self.assertFalse(any(info.values()), info)
        self.assertGreaterEqual(refused, 2, f"{ticked} ticked")


class Decisions(Case):
    def source(self, state: dict, config: dict) -> Path:
        self.made += 1
        path = self.folder / f"source-{self.made}"
        path.mkdir()
        save_file(state, path / "model.safetensors", metadata={"format": "pt"})
        (path / "config.json").write_text(json.dumps(config))
        return path

    def test_a_tied_head_is_written_once(self) -> None:
        model = built("Qwen2ForCausalLM")
        config = json.loads(model.config.to_json_string()) | {"architectures": ["Qwen2ForCausalLM"], "tie_word_embeddings": True}
        state = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
        state["lm_head.weight"] = state["model.embed_tokens.weight"].clone()
        output, answer = self.bundle(self.source(state, config))
        self.assertEqual(answer.code, 0, answer.said())
        self.assertNotIn("lm_head.weight", load_file(output / "model.safetensors"))
        plan = run("plan", "consolidate", self.source(state, config), "-o", self.folder / "planned", "--bundle", "--json").json
        self.assertIn("lm_head.weight", next(d["value"] for d in plan["decisions"] if d["what"] == "tied tensors"))
        state["lm_head.weight"][3, 4] += 1  # trained apart
        _, answer = self.bundle(self.source(state, config))
        self.assertEqual(answer.code, 1, answer.said())
        self.assertIn("differs from model.embed_tokens.weight", answer.json["error"]["message"])
        output, answer = self.bundle(self.source(state, config | {"tie_word_embeddings": False}))
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(torch.equal(load_file(output / "model.safetensors")["lm_head.weight"], state["lm_head.weight"]))

    def test_ties_of_the_whole_and_of_a_part(self) -> None:
        """tie_word_embeddings of the config and of its text_config, each set, unset or absent, with a head and without one: as from_pretrained takes it."""
        for name in ("LlavaForConditionalGeneration", "Gemma3ForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration", "PaliGemmaForConditionalGeneration"):
            model = built(name)
            model.config.architectures = None
            model.save_pretrained(self.folder / name)
            state = load_file(self.folder / name / "model.safetensors")
            config = json.loads((self.folder / name / "config.json").read_text())
            tied = next(row for row in recorded_rows()[name][2] if row.tied)
            for whole, part, headless in itertools.product((True, False, None), (True, False, None), (True, False)):
                with self.subTest(name=name, whole=whole, part=part, headless=headless):
                    settings = config | {"text_config": dict(config["text_config"])}
                    for fields, value in ((settings, whole), (settings["text_config"], part)):
                        fields.pop("tie_word_embeddings", None)
                        fields.update({} if value is None else {"tie_word_embeddings": value})
                    tensors = {key: value for key, value in state.items() if key != tied.pattern}
                    source = self.source(tensors if headless else tensors | {tied.pattern: tensors[tied.tied[0]].clone()}, settings)
                    _, info = getattr(transformers, name).from_pretrained(source, output_loading_info=True)
                    wanted = not any(info.values())
                    output, answer = self.bundle(source)
                    self.assertEqual(answer.code == 0, wanted, (info, answer.said()))
                    if wanted:
                        _, info = getattr(transformers, name).from_pretrained(output, output_loading_info=True)
                        self.assertFalse(any(info.values()), info)

    def test_a_class_that_the_config_does_not_name_is_inferred(self) -> None:
        """From real saves: the class that saved them; the list says how it was found, and is sure only of a class with a head of its own."""
        small = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 64}
        llama = [transformers.LlamaConfig(**small, num_key_value_heads=2, tie_word_embeddings=tied) for tied in (False, True)]
        bert = transformers.BertConfig(**small)
        for name, config, sure in (("LlamaModel", llama[0], False), ("LlamaModel", llama[1], False), ("LlamaForCausalLM", llama[0], True),
                                   ("LlamaForCausalLM", llama[1], True), ("LlamaForSequenceClassification", llama[0], True),
                                   ("LlamaForSequenceClassification", llama[1], True), ("BertModel", bert, False), ("BertForMaskedLM", bert, False),
                                   ("BertForSequenceClassification", bert, True)):
            with self.subTest(name=name, tied=config.tie_word_embeddings):
                model = getattr(transformers, name)(config)
                folder = self.folder / f"{name}-{config.tie_word_embeddings}"
                model.save_pretrained(folder)
                state, settings = load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())
                del settings["architectures"]
                output, answer = self.bundle(self.source(state, settings))
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual(json.loads((output / "config.json").read_text())["architectures"], [name])
                self.assertEqual(self.loads(model, output), "")
                item = next(item for item in answer.json["checklist"] if item["item"] == "config.json")
                self.assertEqual(item["state"], "pass" if sure else "not checked", item)
                self.assertIn(f"{name}, inferred", item["detail"])
                for wrong in {"LlamaModel", "LlamaForCausalLM"} - {name} if "Llama" in name else {"BertModel", "BertForMaskedLM"} - {name}:
                    output, answer = self.bundle(self.source(state, settings | {"architectures": [wrong]}))
                    if answer.code == 0:  # the head is tied, so that both load
                        self.assertTrue(config.tie_word_embeddings and name in ("LlamaModel", "LlamaForCausalLM"))
                        _, info = getattr(transformers, wrong).from_pretrained(output, output_loading_info=True)
                        self.assertFalse(any(info.values()), info)
                    else:
                        self.assertIn(f"they are the tensors of {name}, which architectures does not name", answer.json["error"]["message"])

    def test_unknown_classes_are_not_ticked(self) -> None:
        output, answer = self.bundle(self.source({"w": torch.ones(2)}, {"architectures": ["FooModel"], "model_type": "foo"}))
        self.assertEqual(answer.code, 0, answer.said())
        item = next(item for item in answer.json["checklist"] if item["item"] == "tensors")
        self.assertEqual((item["ok"], item["state"]), (False, "not checked"))

    def test_force_writes_it_and_the_plan_tells(self) -> None:
        source = self.source({"w": torch.ones(2)}, {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8,
                                                    "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 8})
        plan = run("plan", "consolidate", source, "-o", self.folder / "planned", "--bundle", "--json").json
        self.assertIn("verify-mismatch", [problem["code"] for problem in plan["problems"]])
        self.assertEqual(self.bundle(source)[1].code, 1)
        output, answer = self.bundle(source, "--force")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue((output / "model.safetensors").is_file())

    def test_what_the_class_computes_in_float32_is_not_cast(self) -> None:
        for name, dtype, part in (("DeepseekV3ForCausalLM", "bf16", "e_score_correction_bias"), ("T5ForConditionalGeneration", "fp16", ".wo.weight")):
            model = built(name)
            model.save_pretrained(self.folder / name)
            output, answer = self.bundle(self.folder / name, "--dtype", dtype)
            self.assertEqual(answer.code, 0, answer.said())
            before, after = load_file(self.folder / name / "model.safetensors"), load_file(output / "model.safetensors")
            kept = [tensor for tensor in before if part in tensor]
            self.assertTrue(kept)
            for tensor in kept:
                self.assertTrue(torch.equal(before[tensor], after[tensor]), tensor)
            self.assertTrue(any(after[tensor].dtype != torch.float32 for tensor in after))


class Data(unittest.TestCase):
    def test_the_recorded_tensors_are_those_of_transformers(self) -> None:
        """Random configs of each class: the recorded names, shapes and ties are those of the class."""
        known = recorded()
        self.assertGreaterEqual(set(known), set(FAMILIES))
        for name in (*FAMILIES, *SHORT):
            with self.subTest(name=name):
                family = expected_tensors.Family(expected_tensors.CONFIG_MAPPING[known[name][0]], getattr(transformers, name), "test", quick=True)
                rows = recorded_rows()[name][2]
                for sample in family.samples(family.cls, 5):
                    self.assertEqual(expected_tensors.differs(rows, sample), "")

    def test_the_modules_in_float32_are_those_of_transformers(self) -> None:
        self.assertEqual((family_data.FOLDER / "float32_modules.txt").read_text(), expected_tensors.float32_text())


for each in FAMILIES:
    setattr(Packings, f"test_{each}", lambda self, name=each: self.each(name))
    setattr(Wrong, f"test_{each}", lambda self, name=each: self.each(name))
for each in SHORT:
    setattr(Short, f"test_{each}", lambda self, name=each: self.each(name))

if __name__ == "__main__":
    unittest.main()
