#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a bundle contains beside the weights, --like, and the verb convert: on small models made here."""

from __future__ import annotations

import json
import os
import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest, run
from made_files import floats, safetensors

LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 4,
         "intermediate_size": 6, "num_hidden_layers": 2, "vocab_size": 5, "tie_word_embeddings": False}
LAYER = {"input_layernorm": [8], "self_attn.q_proj": [8, 8], "self_attn.k_proj": [4, 8], "self_attn.v_proj": [4, 8], "self_attn.o_proj": [8, 8],
         "post_attention_layernorm": [8], "mlp.gate_proj": [6, 8], "mlp.up_proj": [6, 8], "mlp.down_proj": [8, 6]}
SHAPES = {"model.embed_tokens.weight": [5, 8], **{f"model.layers.{i}.{name}.weight": shape for i in range(2) for name, shape in LAYER.items()},
          "model.norm.weight": [8], "lm_head.weight": [5, 8]}
# Everything that a loader may read, as far as its name tells.
EVERYTHING = ["config.json", "generation_config.json", "params.json", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json",
              "1_Pooling/config.json", "hf_quant_config.json", "quantize_config.json", "tokenizer.json", "tokenizer.model", "tekken.json", "vocab.json",
              "vocab.txt", "merges.txt", "bpe.codes", "spiece.model", "spm.model", "source.spm", "target.spm", "sentencepiece.model",
              "sentencepiece.bpe.model", "qwen.tiktoken", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "normalizer.json",
              "chat_template.jinja", "chat_template.json", "additional_chat_templates/rag.jinja", "preprocessor_config.json", "processor_config.json",
              "image_processor_config.json", "video_preprocessor_config.json", "feature_extractor_config.json", "LICENSE", "LICENSE.md", "NOTICE",
              "custom_generate/generate.py", "README.md"]


def model(path: Path, shapes: dict = SHAPES) -> Path:
    numbers = random.Random(1)
    tensors = {}
    for name, shape in shapes.items():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        tensors[name] = ("F32", shape, floats(*[numbers.random() for _ in range(count)]))
    return safetensors(path, tensors)


def put(folder: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


class Sidecars(CliTest):
    def setUp(self):
        super().setUp()
        self.source = model(self.folder / "run" / "a" / "b" / "step" / "model.safetensors")
        self.step = self.source.parent

    def bundle(self, *more, code=0) -> dict:
        self.output = self.folder / f"out{len(list(self.folder.glob('out*')))}"
        return self.call("consolidate", self.source, "-o", self.output, "--bundle", *more, code=code)

    def files(self) -> set[str]:
        return {str(path.relative_to(self.output)) for path in self.output.rglob("*") if path.is_file()}

    def from_where(self, report: dict) -> dict[str, str]:
        return {place: names for names, place in (one["value"].rsplit(" from ", 1) for one in report["decisions"] if one["id"] == "files_copied")}

    def test_every_file_that_a_loader_reads_is_copied(self):
        put(self.step, {name: LLAMA if name == "config.json" else {"name": name} for name in EVERYTHING} | {"notes.txt": "", "2_x/other.json": "{}"})
        report = self.bundle()
        self.assertTrue(report["verified"])
        self.assertEqual(self.files(), {*EVERYTHING, "model.safetensors", "MANIFEST.json"})
        for name in EVERYTHING:
            if name != "config.json":
                self.assertEqual((self.output / name).read_bytes(), (self.step / name).read_bytes(), name)
        self.assertTrue(self.call("verify", self.source, self.output)["verified"])

    def test_folders_of_the_frameworks(self):
        for place in ("huggingface", "../huggingface", "../final", "../tokenizer", "../../context/nemo_tokenizer", "../../context/artifacts", "../../.."):
            with self.subTest(place):
                folder = put(self.step / place, {"config.json": LLAMA, "tokenizer.json": {"from": place}})
                report = self.bundle()
                self.assertEqual(json.loads((self.output / "tokenizer.json").read_text()), {"from": place})
                self.assertEqual(self.from_where(report), {place: "config.json, tokenizer.json"})
                for name in ("config.json", "tokenizer.json"):
                    (folder / name).unlink()

    def test_too_far_or_not_of_a_model(self):
        put(self.folder, {"config.json": LLAMA})  # four levels above
        put(self.step.parent, {"config.json": {"learning_rate": 1}, "README.md": "of the run", "LICENSE": "of the run"})
        put(self.step.parent / "huggingface", {"notes.json": "{}"})
        self.bundle()
        self.assertEqual(self.files(), {"model.safetensors", "MANIFEST.json", "README.md"})
        self.assertNotEqual((self.output / "README.md").read_text(), "of the run")

    def test_a_config_of_a_training_is_not_that_of_the_model(self):
        put(self.step, {"config.json": {"learning_rate": 1}})
        put(self.step.parent / "huggingface", {"config.json": LLAMA})
        self.bundle()
        self.assertEqual(json.loads((self.output / "config.json").read_text())["model_type"], "llama")

    def test_two_tokenizers_are_not_mixed(self):
        put(self.step, {"tokenizer_config.json": {"near": 1}, "special_tokens_map.json": {}})
        put(self.step.parent / "tokenizer", {"tokenizer.json": {}, "tokenizer_config.json": {"far": 1}})
        put(self.step.parent.parent / "tokenizer", {"tokenizer.json": {"farther": 1}, "merges.txt": ""})
        report = self.bundle()
        self.assertEqual(json.loads((self.output / "tokenizer_config.json").read_text()), {"far": 1})
        self.assertEqual(self.files() - {"model.safetensors", "MANIFEST.json", "README.md"}, {"tokenizer.json", "tokenizer_config.json"})
        [said] = [one["value"] for one in report["decisions"] if one["what"] == "tokenizer"]
        self.assertIn("tokenizer_config.json", said)

    def test_own_code_is_copied_and_not_run(self):
        ran = self.folder / "ran"
        body = f"import os\nopen({str(ran)!r}, 'w')\n"
        put(self.step, {
            "config.json": LLAMA | {"auto_map": {"AutoConfig": "configuration_foo.FooConfig", "AutoModel": "other/repo--modeling_far.Far"}},
            "tokenizer_config.json": {"auto_map": {"AutoTokenizer": ["tokenization_foo.Slow", None]}}, "tokenizer.json": {},
            "configuration_foo.py": body, "tokenization_foo.py": body + "from .parts.deep import X\nfrom . import helper as h, lost\n    import  .inner  \nfrom ..up import Y\n",
            "parts/deep.py": "from .side import Z\n", "parts/side.py": "", "helper.py": "from .tokenization_foo import Slow\n", "inner.py": "", "unused.py": "",
            "up.py": ""})
        report = self.bundle()
        code = {"configuration_foo.py", "tokenization_foo.py", "parts/deep.py", "parts/side.py", "helper.py", "inner.py"}
        self.assertEqual({name for name in self.files() if name.endswith(".py")}, code)
        self.assertFalse(ran.exists())
        [said] = [one for one in report["decisions"] if one["what"] == "own code"]
        self.assertIn("trust_remote_code", said["why"])
        said = [one["message"] for one in report["problems"]]
        self.assertTrue(any("lost.py" in each for each in said) and any("other/repo--modeling_far" in each for each in said), said)

    def test_hostile_folders(self):
        secret = put(self.folder / "secret", {"x.json": "not yours", "evil.py": "not yours"})
        put(self.step, {"config.json": LLAMA | {"auto_map": {"a": "../../../../secret/evil.X", "b": "/etc/passwd.X", "c": "....X", "d": "evil.X", "e": 3, "f": {}}}})
        os.symlink(secret / "x.json", self.step / "tokenizer.json")
        os.symlink(secret / "evil.py", self.step / "evil.py")
        os.symlink(secret, self.step / "huggingface")
        os.symlink(secret, self.step / "custom_generate")
        os.mkfifo(self.step / "vocab.txt")
        (self.step / "merges.txt").mkdir()
        with open(self.step / "tokenizer.model", "wb") as large:
            large.truncate((64 << 20) + 1)
        (self.step / "additional_chat_templates").mkdir()
        for i in range(600):
            (self.step / "additional_chat_templates" / f"{i}.jinja").touch()
        self.assertIn("tokenizer.json", self.bundle(code=5)["error"]["message"])
        report = self.bundle("--force")
        names = self.files()
        self.assertEqual({name for name in names if "/" not in name}, {"config.json", "model.safetensors", "MANIFEST.json", "README.md"})
        self.assertLessEqual(len(names), 520)
        said = [one["message"] for one in report["problems"]]
        for name in ("tokenizer.model", "tokenizer.json"):
            self.assertTrue(any(name in each for each in said), (name, said))
        for path in self.output.rglob("*"):
            self.assertFalse(path.is_file() and b"not yours" in path.read_bytes(), path)

    def test_a_config_that_cannot_be_read_is_not_replaced_by_another(self):
        put(self.step.parent, {"config.json": LLAMA, "tokenizer.json": "of the parent"})
        os.symlink(put(self.folder / "elsewhere", {"config.json": LLAMA}) / "config.json", self.step / "config.json")
        for more in ((), ("--dtype", "bf16")):
            error = self.bundle(*more, code=5)["error"]
            self.assertTrue(error["message"].endswith("cannot be read: config.json") and "--like" in error["hint"], error)
            self.assertFalse(self.output.exists())
        self.bundle("--like", self.folder / "elsewhere")
        self.assertEqual(json.loads((self.output / "config.json").read_text())["model_type"], LLAMA["model_type"])
        report = self.bundle("--force")
        self.assertNotIn("config.json", self.files())
        self.assertTrue(any(one["message"].endswith("cannot be read: config.json") for one in report["problems"]), report["problems"])

    def test_links_within_a_folder_are_followed(self):
        put(self.step, {"config.json": LLAMA, "blobs/t": "here"})
        os.symlink("blobs/t", self.step / "tokenizer.json")
        self.bundle()
        self.assertEqual((self.output / "tokenizer.json").read_text(), "here")
        self.assertFalse((self.output / "tokenizer.json").is_symlink())


class Like(CliTest):
    def setUp(self):
        super().setUp()
        self.source = model(self.folder / "run" / "step" / "model.safetensors")
        self.base = put(self.folder / "base", {"config.json": LLAMA | {"rope_theta": 5.0}, "tokenizer.json": {"from": "base"}, "README.md": "the base's",
                                               "LICENSE": "the base's", "generation_config.json": {}})
        put(self.source.parent, {"config.json": LLAMA, "tokenizer.json": {"from": "run"}, "vocab.json": {}, "preprocessor_config.json": {}})

    def adapter(self):
        factors = {}
        for layer in range(2):
            key = f"base_model.model.model.layers.{layer}.mlp.up_proj.lora_"
            factors |= {key + "A.weight": ("F32", [1, 8], floats(*range(8))), key + "B.weight": ("F32", [6, 1], floats(*[1] * 6))}
        folder = put(self.folder / "adapter", {"adapter_config.json": {"peft_type": "LORA", "r": 1, "lora_alpha": 2, "target_modules": ["up_proj"]}})
        safetensors(folder / "adapter_model.safetensors", factors)
        return folder

    def test_the_folder_goes_first(self):
        for verb, more in (("consolidate", ()), ("convert", ("--names", "hf")), ("reshard", ("--max-shard-size", "1GB", "--only", "weights")),
                           ("fold", ("--adapter", self.adapter()))):
            with self.subTest(verb):
                output = self.folder / verb
                planned = self.call("plan", verb, self.source, "-o", output, "--like", self.base, *more)
                report = self.call(verb, self.source, "-o", output, "--like", self.base, *more)
                self.assertEqual(planned["decisions"], report["decisions"])
                self.assertEqual(json.loads((output / "config.json").read_text())["rope_theta"], 5.0)
                self.assertEqual(json.loads((output / "tokenizer.json").read_text()), {"from": "base"})
                self.assertFalse((output / "vocab.json").exists())
                self.assertTrue((output / "preprocessor_config.json").exists())
                self.assertEqual((output / "LICENSE").read_text(), "the base's")
                self.assertNotIn("the base's", (output / "README.md").read_text())
                self.assertNotIn(str(self.folder), (output / "README.md").read_text() + (output / "MANIFEST.json").read_text())
                said = [one["value"] for one in report["decisions"] if one["what"] == "files"]
                self.assertEqual(said, [f"config.json, tokenizer.json, generation_config.json, LICENSE from {self.base}",
                                        "preprocessor_config.json from the checkpoint's folder"])

    def test_faults_of_the_folder(self):
        put(self.folder / "empty", {"tokenizer.json": "{}"})
        put(self.folder / "training", {"config.json": {"learning_rate": 1}})
        for folder, code in (("none", "not-found"), ("empty", "not-found"), ("training", "invalid-argument"), ("base/config.json", "not-found")):
            answer = run("consolidate", self.source, "-o", self.folder / "out", "--like", self.folder / folder, "--json")
            self.assertEqual((answer.code != 0, answer.json["error"]["code"]), (True, code), folder)
            self.assertFalse((self.folder / "out").exists())
        self.assertEqual(run("reshard", self.source, "-o", self.folder / "out", "--like", self.base, "--ranks", 2).code, 2)
        self.assertNotEqual(run("fold", self.source, "--adapter", self.adapter(), "-o", self.folder / "out", "--like", self.folder / "none").code, 0)

    def test_a_config_that_contradicts_the_weights(self):
        for field, value, tensor in (("vocab_size", 7, "model.embed_tokens.weight"), ("hidden_size", 16, "model.embed_tokens.weight"),
                                     ("num_hidden_layers", 3, ""), ("num_hidden_layers", 1, "")):
            put(self.base, {"config.json": LLAMA | {field: value}})
            answer = run("consolidate", self.source, "-o", self.folder / "out", "--like", self.base, "--json")
            self.assertNotEqual(answer.code, 0, field)
            error = answer.json["error"]
            self.assertEqual((error["where"]["tensor"] or ""), tensor)
            self.assertIn(str(value), error["expected"])
            self.assertFalse((self.folder / "out").exists())


class Verdict(CliTest):
    """One sentence on whether a program loads what would be written."""

    def setUp(self):
        super().setUp()
        self.source = model(self.folder / "run" / "model.safetensors")

    def loads(self, *more) -> dict:
        return self.call("plan", "consolidate", self.source, "-o", self.folder / "out", *more)["loads"]

    def test_the_loader_is_named(self):
        put(self.source.parent, {"config.json": LLAMA})
        loads = self.loads("--bundle")
        self.assertEqual((loads["state"], loads["program"], loads["model"]), ("loads", "transformers", "LlamaForCausalLM"))
        self.assertEqual(loads["found"], loads["expected"])
        self.assertEqual(loads["text"], f"Loads with transformers LlamaForCausalLM, {loads['found']} of {loads['expected']} names")
        answer = run("plan", "consolidate", self.source, "-o", self.folder / "out", "--bundle")
        self.assertIn(loads["text"], answer.text)

    def test_what_is_not_known_is_not_promised(self):
        self.assertEqual(self.loads("--bundle")["state"], "unknown")  # no config
        put(self.source.parent, {"config.json": LLAMA | {"architectures": ["NobodyForCausalLM"], "model_type": "nobody"}})
        self.assertEqual(self.loads("--bundle")["state"], "unknown")
        put(self.source.parent, {"config.json": LLAMA | {"num_hidden_layers": 3}})
        loads = self.loads("--bundle")
        self.assertEqual(loads["state"], "fails")
        self.assertLess(loads["found"], loads["expected"])
        self.assertEqual(self.loads("--bundle", "--force")["state"], "fails")

    def test_a_file_is_not_a_model(self):
        put(self.source.parent, {"config.json": LLAMA})
        for more in ((), ("--require", "loadable"), ("--to", "torch")):
            loads = self.loads(*more)
            self.assertEqual((loads["state"], "program" in loads), ("loads", False), more)
            self.assertIn("without a model's config", loads["text"])

    def test_the_chat_template(self):
        """As AutoTokenizer.from_pretrained() of transformers 5.24 finds it."""
        x = "{{ x }}"
        named = lambda name: [{"name": name, "template": x}]
        cases = (("None", {}, None), ("tokenizer_config.json", {}, x), ("tokenizer_config.json", {}, named("default")), ("None", {}, ""), ("None", {}, []),
                 ("None", {}, named("rag")), ("chat_template.jinja", {"chat_template.jinja": x}, None), ("None", {"chat_template.jinja": ""}, None),
                 ("None", {"chat_template.json": {"chat_template": x}}, None), ("None", {"additional_chat_templates/rag.jinja": x}, None))
        for number, (found, files, inside) in enumerate(cases):
            source = model(self.folder / str(number) / "model.safetensors")
            put(source.parent, {"config.json": LLAMA, "tokenizer.json": {}, "tokenizer_config.json": {"chat_template": inside}} | files)
            plan = self.call("plan", "consolidate", source, "-o", self.folder / "out", "--bundle")
            line = {one["id"]: one["detail"] for one in plan["checklist"]}["chat_template"]
            self.assertTrue(line.startswith(found), (line, files, inside))
        put(source.parent, {"config.json": LLAMA | {"architectures": ["LlamaModel"]}})  # writes no text
        self.assertNotIn("chat_template", [one["id"] for one in self.call("plan", "consolidate", source, "-o", self.folder / "out", "--bundle")["checklist"]])


class Convert(CliTest):
    def setUp(self):
        super().setUp()
        self.source = put(self.folder / "hf", {"config.json": LLAMA, "tokenizer.json": {}})
        model(self.source / "model.safetensors")

    def test_there_and_back(self):
        first = self.call("convert", self.source, "-o", self.folder / "hf-again", "--names", "hf")
        self.assertTrue(first["verified"])
        for names in ("megatron", "native", "torchtune", "litgpt"):
            with self.subTest(names):
                there, back = self.folder / names, self.folder / f"{names}-back"
                report = self.call("convert", self.source, "-o", there, "--names", names)
                self.assertFalse(all(one["ok"] for one in report["checklist"]), "transformers cannot load it")
                self.call("convert", there, "-o", back, "--names", "hf")
                self.assertEqual({one["name"]: one["sha256"] for one in self.call("hash", back)["tensors"]},
                                 {one["name"]: one["sha256"] for one in self.call("hash", self.source / "model.safetensors")["tensors"]})
                self.assertEqual(len(self.call("ls", there)["tensors"]), len(SHAPES) if names in ("native", "torchtune")
                                 else len(SHAPES) - (2 * 3 if names == "megatron" else 2 * 2), names)

    def test_refused(self):
        for more, code in ((("--names", "nonsense"), 2), (("--names", "megatron", "--family", "bert"), 3), ((), 2)):
            answer = run("convert", self.source, "-o", self.folder / "out", *more)
            self.assertEqual(answer.code, code, answer.said())
        put(self.source, {"config.json": LLAMA | {"model_type": "bert"}})
        self.assertEqual(run("convert", self.source, "-o", self.folder / "out", "--names", "native").code, 3)
        (self.source / "config.json").unlink()
        self.assertEqual(run("convert", self.source, "-o", self.folder / "out", "--names", "native").code, 3)
        base = put(self.folder / "base", {"config.json": LLAMA})
        self.call("convert", self.source, "-o", self.folder / "out", "--names", "native", "--like", base)

    def test_names_of_another_model_in_the_same_checkpoint(self):
        """A second model must not be left out, nor merged into the first."""
        for prefix in ("ema.", "draft."):
            folder = put(self.folder / prefix, {"config.json": LLAMA})
            native = {"tok_embeddings.weight": [5, 8], "layers.0.attention_norm.weight": [8], "layers.0.attention.wo.weight": [8, 8]}
            model(folder / "model.safetensors", native | {prefix + name: shape for name, shape in native.items()})
            answer = run("convert", folder, "-o", self.folder / "out", "--names", "hf")
            self.assertEqual(answer.code, 3, answer.said())


if __name__ == "__main__":
    unittest.main()
