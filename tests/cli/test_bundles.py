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
    """Random numbers; zeros of int32 in what GPTQ packs."""
    numbers = random.Random(1)
    tensors = {}
    for name, shape in shapes.items():
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        packed = name.endswith((".qweight", ".qzeros"))
        tensors[name] = ("I32", shape, bytes(4 * count)) if packed else ("F32", shape, floats(*[numbers.random() for _ in range(count)]))
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


class Components(CliTest):
    """Models that consist of several folders: diffusers, sentence-transformers."""

    CONFIG = {"_class_name": "UNet2DConditionModel", "_diffusers_version": "0.42.1", "act_fn": "silu"}

    def component(self, folder: Path) -> Path:
        put(folder, {"config.json": self.CONFIG})
        model(folder / "diffusion_pytorch_model.safetensors", {"conv_in.weight": [4, 3], "mid_block.attn.to_q.weight": [4, 4]})
        return folder

    def test_a_component_keeps_its_names(self):
        put(self.folder / "pipe", {"model_index.json": {"_class_name": "P"}, "tokenizer/tokenizer_config.json": {}, "tokenizer/vocab.json": {}})
        unet, out = self.component(self.folder / "pipe" / "unet"), self.folder / "out"
        self.call("consolidate", unet, "-o", out, "--bundle", "--dtype", "bf16")
        self.assertEqual(sorted(path.name for path in out.iterdir()), ["MANIFEST.json", "README.md", "config.json", "diffusion_pytorch_model.safetensors"])
        self.assertEqual(json.loads((out / "config.json").read_text()), self.CONFIG)
        split = self.folder / "split"
        self.call("consolidate", unet, "-o", split, "--bundle", "--max-shard-size", "64")
        self.assertTrue((split / "diffusion_pytorch_model.safetensors.index.json").exists())
        self.assertNotEqual(run("consolidate", unet, "-o", self.folder / "scaled", "--bundle", "--dtype", "fp8").code, 0)
        self.call("consolidate", unet / "diffusion_pytorch_model.safetensors", "-o", self.folder / "like", "--like", out)
        self.assertTrue((self.folder / "like" / "diffusion_pytorch_model.safetensors").exists())

    def test_original_names_are_refused(self):
        like = put(self.folder / "like", {"config.json": self.CONFIG | {"_class_name": "FluxTransformer2DModel"}})
        for name in ("double_blocks.0.img_attn.qkv.weight", "model.diffusion_model.joint_blocks.0.x_block.attn.qkv.weight",
                     "model.diffusion_model.input_blocks.1.0.emb_layers.1.weight", "encoder.down.0.block.1.norm1.weight"):
            original = model(self.folder / "original.safetensors", {name: [6, 2], "img_in.weight": [2, 2]})
            answer = run("consolidate", original, "-o", self.folder / "refused", "--like", like)
            self.assertEqual(answer.code, 1, answer.said())
            self.assertIn("FluxTransformer2DModel.from_single_file(FILE)", answer.errors)
        names = {"input_blocks.0.0.weight": [6, 2], "img_in.weight": [2, 2]}  # which a class without that conversion may have itself
        put(self.folder / "own", {"config.json": self.CONFIG | {"_class_name": "MultiViewUNetModel"}})
        own = model(self.folder / "own" / "diffusion_pytorch_model.safetensors", names)
        line = {one["id"]: one for one in self.call("consolidate", own.parent, "-o", self.folder / "own-bundle", "--bundle")["checklist"]}["names"]
        self.assertEqual(line["state"], "not checked", line)
        own = model(self.folder / "own.safetensors", {"transformer_blocks.0.attn.to_q.weight": [2, 2], "single_transformer_blocks.0.proj_mlp.weight": [2, 2]})
        self.call("consolidate", own, "-o", self.folder / "taken", "--like", like)

    def pipeline(self) -> Path:
        pipe = put(self.folder / "pipe", {"model_index.json": {"_class_name": "P", "unet": ["diffusers", "U"], "vae": ["diffusers", "V"],
                                                               "tokenizer": ["transformers", "T"]},
                                          "tokenizer/vocab.json": {"a": 0}, "images/a.txt": "no component", "LICENSE": "the pipeline's"})
        self.component(pipe / "unet"), self.component(pipe / "vae")
        return pipe

    def test_a_pipeline_stays_one(self):
        pipe, out = self.pipeline(), self.folder / "out"
        self.call("consolidate", pipe, "-o", out, "--bundle", "--max-shard-size", "64")
        self.assertEqual({path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()} - {"MANIFEST.json", "README.md"},
                         {"model_index.json", "tokenizer/vocab.json", "LICENSE"} | {
                             f"{name}/{file}" for name in ("unet", "vae") for file in (
                                 "config.json", "diffusion_pytorch_model.safetensors.index.json", "diffusion_pytorch_model-00001-of-00002.safetensors",
                                 "diffusion_pytorch_model-00002-of-00002.safetensors")})
        self.assertEqual({name for name in run("ls", out / "unet", "--json").json["tensors"][0]["name"].split()}, {"conv_in.weight"})
        self.assertEqual(len(run("ls", out, "--json").json["tensors"]), 4)
        self.assertTrue(run("verify", pipe, out, "--json").json["verified"])
        self.assertNotEqual(run("consolidate", pipe, "-o", self.folder / "torch", "--bundle", "--to", "torch").code, 0)

    def test_names_of_old_norms(self):
        source, out = self.folder / "bert", self.folder / "out"
        model(source / "model.safetensors", {"a.LayerNorm.gamma": [4], "a.LayerNorm.beta": [4], "a.dense.gamma": [4]})
        put(source, {"config.json": {"model_type": "bert"}})
        self.call("consolidate", source, "-o", out, "--bundle", "--force")
        self.assertEqual(sorted(each["name"] for each in run("ls", out / "model.safetensors", "--json").json["tensors"]),
                         ["a.LayerNorm.bias", "a.LayerNorm.weight", "a.dense.gamma"])

    def test_a_module_stays_in_its_folder(self):
        source = model(self.folder / "st" / "model.safetensors").parent
        model(source / "2_Dense" / "model.safetensors", {"linear.weight": [3, 8]})
        put(source, {"config.json": LLAMA, "modules.json": [], "2_Dense/config.json": {"in_features": 8}})
        out = self.folder / "out"
        self.call("consolidate", source, "-o", out, "--bundle")
        self.assertEqual((out / "2_Dense" / "model.safetensors").read_bytes(), (source / "2_Dense" / "model.safetensors").read_bytes())
        self.assertTrue((out / "2_Dense" / "config.json").exists())
        self.assertEqual(len(run("ls", out / "model.safetensors", "--json").json["tensors"]), len(SHAPES))
        answer = run("consolidate", source, "-o", self.folder / "cast", "--bundle", "--dtype", "bf16")
        self.assertNotEqual(answer.code, 0, "the model would be in another dtype than its module")


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

    def test_names_of_tensorflow_are_those_of_the_class(self) -> None:
        source = Path(__file__).resolve().parents[1] / "data/huggingface/tf_sharded"
        self.call("consolidate", source, "--bundle", "-o", self.folder / "bundle")
        published = lambda name: (name.replace("_._", ".").replace("/", ".").removesuffix(":0").replace("gamma", "weight").replace("beta", "bias")
                                  .replace("embeddings", "weight"))
        expected = {published(row["name"]): row["sha256"] for row in json.loads((source.parent / "expected.json").read_text())["tf_sharded"]}
        found = {each["name"]: each["sha256"] for each in self.call("hash", self.folder / "bundle")["tensors"]}
        self.assertEqual(found, expected)
        self.assertEqual(self.call("info", self.folder / "bundle")["abilities"]["serve"]["verdict"], "yes")
        put(self.folder / "other", {"config.json": json.loads((source / "config.json").read_text()) | {"n_layer": 2}})
        answer = run("consolidate", source, "--like", self.folder / "other", "-o", self.folder / "refused")
        self.assertEqual(answer.code, 2, answer.said())
        self.assertFalse((self.folder / "refused").exists())
        put(self.folder / "unknown", {"config.json": {"architectures": ["OwnModel"], "model_type": "own"}})
        answer = run("consolidate", source, "--like", self.folder / "unknown", "-o", self.folder / "refused")
        self.assertEqual(answer.code, 1, answer.said())
        self.assertIn("from_tf=True", answer.errors)


class Loads(CliTest):
    """One answer to whether the loader of the config's class takes the weights: info, check and the plan of a bundle."""

    def answers(self, source: Path) -> tuple[dict, dict, dict]:
        check = run("check", source, "--json")
        plan = run("plan", "consolidate", source, "-o", self.folder / "out", "--bundle", "--json").json
        return self.call("info", source)["abilities"]["serve"], check.json, plan["loads"]

    def test_every_face_says_the_same(self) -> None:
        wide = SHAPES | {"model.norm.weight": [9]}
        lacking = {name: shape for name, shape in SHAPES.items() if "layers.1.mlp.up" not in name}
        more = SHAPES | {"value_head.weight": [1, 8]}
        cases = [("all", SHAPES, True, "yes", "healthy", "loads"), ("lacking", lacking, False, "no", "damaged", "fails"),
                 ("wide", wide, False, "no", "damaged", "fails"), ("more", more, True, "yes, but not everything", "warnings", "fails")]
        for name, shapes, can, verdict, health, state in cases:
            with self.subTest(name=name):
                source = model(put(self.folder / name, {"config.json": LLAMA}) / "model.safetensors", shapes).parent
                serve, check, loads = self.answers(source)
                self.assertEqual((serve["can"], serve["verdict"], check["verdict"], loads["state"]), (can, verdict, health, state))
                self.assertEqual([each["id"] for each in serve["lost"]], ["left_out"] if name == "more" else [])
                self.assertEqual(loads["text"].startswith("Would load, but not all of it"), name == "more", loads)
        below = put(self.folder / "run", {"config.json": LLAMA}) / "step"  # a file of a training, whose config is above it
        for name, shapes, can, *_ in cases:
            serve, check, loads = self.answers(model(below / name / "weights.safetensors", shapes))
            self.assertEqual(serve["can"], can, (name, serve))
            self.assertEqual(check["verdict"], "healthy" if name == "all" else "warnings", name)
            self.assertEqual(loads["state"], "loads" if name == "all" else "fails")
        unknown = model(put(self.folder / "unknown", {"config.json": LLAMA | {"architectures": ["OwnModel"], "model_type": "own"}}) / "model.safetensors")
        serve, check, loads = self.answers(unknown.parent)
        self.assertEqual((serve["verdict"], check["verdict"], loads["state"]),
                         ("yes, if the model's class takes the tensors", "healthy", "unknown"))

    def test_what_is_undecided_is_so_everywhere(self) -> None:
        """The plan does not say more than `info`, and the job stops unless it is forced."""
        older = {"model.final.weight" if name == "model.norm.weight" else name: shape for name, shape in SHAPES.items()}
        quantised = {}
        for name, shape in SHAPES.items():
            start = name.removesuffix("weight")
            quantised |= {start + part: [1, 1] for part in ("qweight", "qzeros", "scales")} if name.endswith("_proj.weight") else {name: shape}
        cases = [("older", LLAMA, older), ("twice", LLAMA | {"model_type": "qwen2"}, SHAPES),  # the class is one of another type
                 ("gptq", LLAMA | {"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 8}},
                  quantised | {"model.layers.0.self_attn.q_proj.bias": [8]})]
        for name, config, shapes in cases:
            with self.subTest(name=name):
                source = model(put(self.folder / name, {"config.json": config}) / "model.safetensors", shapes).parent
                serve, check, loads = self.answers(source)
                self.assertEqual((serve["can"], serve["verdict"], check["verdict"], loads["state"]), (False, "unknown", "warnings", "unknown"), loads)
                out = self.folder / f"{name}-out"
                answer = run("consolidate", source, "-o", out, "--bundle")
                self.assertEqual((answer.code, out.exists()), (1, False), answer.said())
                self.assertIn("may not load", answer.errors)
                self.call("consolidate", source, "-o", out, "--bundle", "--force")

    def test_names_that_no_class_takes(self) -> None:
        own = LLAMA | {"architectures": ["OwnModel"], "model_type": "own"}
        keras = {"own/dense/kernel:0": [2, 2], "own/dense/bias:0": [2]}
        component = {"_class_name": "AutoencoderKL", "_diffusers_version": "0.37.1"}
        cases = [("keras", own, "model.safetensors", keras, "no", "damaged", "fails"),
                 ("coded", own | {"auto_map": {"AutoModel": "own.OwnModel"}}, "model.safetensors", keras,
                  "yes, if the model's class takes the tensors", "healthy", "unknown"),
                 ("stray", LLAMA, "model.safetensors", SHAPES | {"opt/iter:0": [1]}, "yes, but not everything", "warnings", "fails"),
                 ("original", component, "diffusion_pytorch_model.safetensors", {"encoder.down.0.block.1.norm1.weight": [2]}, "no", "warnings", "fails")]
        for name, config, file, shapes, verdict, health, state in cases:
            with self.subTest(name=name):
                source = model(put(self.folder / name, {"config.json": config}) / file, shapes).parent
                serve, check, loads = self.answers(source)
                self.assertEqual((serve["verdict"], check["verdict"], loads["state"]), (verdict, health, state), loads)
                self.assertEqual("not all of it" in loads["text"], name == "stray", loads)

    def test_names_in_memory_are_taken(self) -> None:
        """transformers 5 keeps all experts of a layer in one tensor, and publishes them one by one."""
        tensors = {name: ("F32", shape, floats(*[0.5] * (shape[0] * (shape[1] if len(shape) > 1 else 1)))) for name, shape in SHAPES.items() if ".mlp." not in name}
        for moe in (f"model.layers.{layer}.mlp." for layer in range(2)):
            for name, shape in (("gate.weight", [2, 8]), ("experts.gate_up_proj", [2, 12, 8]), ("experts.down_proj", [2, 8, 6])):
                tensors[moe + name] = ("F32", shape, floats(*[0.5] * (shape[0] * shape[1] * (shape[2] if len(shape) > 2 else 1))))
        config = LLAMA | {"model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "num_local_experts": 2, "num_experts_per_tok": 1}
        serve, check, loads = self.answers(safetensors(put(self.folder / "memory", {"config.json": config}) / "model.safetensors", tensors).parent)
        self.assertEqual((serve["verdict"], check["verdict"], loads["state"]), ("yes", "healthy", "loads"))

    def test_an_error_is_no(self) -> None:
        """Also where the config contradicts itself."""
        config = LLAMA | {"model_type": "qwen2"}
        source = model(put(self.folder / "empty", {"config.json": config}) / "model.safetensors", dict.fromkeys(SHAPES, [0])).parent
        self.assertEqual(run("check", source).code, 1)
        self.assertEqual(self.call("info", source)["abilities"]["serve"]["verdict"], "no")

    def test_resuming_elsewhere_needs_what_the_other_trainers_need(self) -> None:
        data = Path(__file__).resolve().parents[1] / "data"
        cases = {"dcp/megatron_flat": "parameter groups", "megatron/zarr": "parameter groups", "megatron/small": "which parameter each moment is of", "dcp/plain": "several models",
                 "dcp/old_names": "several models", "stable_baselines3/sac.zip": "several models", "torch_legacy/torch_0_1.pth.tar": "several models"}
        for name, why in cases.items():
            with self.subTest(name=name):
                ability = self.call("info", data / name)["abilities"]["resume_elsewhere"]
                self.assertEqual(ability["verdict"], "no", ability)
                self.assertIn(why, str(ability))
        self.assertTrue(self.call("info", data / "torch_legacy/training.pt")["abilities"]["resume_elsewhere"]["can"])


class ShardedByOne(CliTest):
    """vLLM's sharded_state of one rank: nothing is cut, but layers are fused."""

    def setUp(self) -> None:
        super().setUp()
        self.config = LLAMA | {"model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "num_local_experts": 2, "num_experts_per_tok": 1}
        shapes = {name: shape for name, shape in SHAPES.items() if ".mlp." not in name}
        for moe in (f"model.layers.{layer}.block_sparse_moe." for layer in range(2)):
            shapes |= {moe + "gate.weight": [2, 8]} | {f"{moe}experts.{expert}.{name}.weight": shape for expert in range(2)
                                                       for name, shape in (("w1", [6, 8]), ("w2", [8, 6]), ("w3", [6, 8]))}
        numbers = random.Random(2)
        self.published = {name: [numbers.random() for _ in range(shape[0] * (shape[1] if len(shape) > 1 else 1))] for name, shape in shapes.items()}
        self.shapes = shapes

    def save(self, fused: dict[str, tuple[list[int], list[str]]]) -> Path:
        """`fused`: shapes, and the tensors whose rows are one behind the other in it."""
        parts = {name for _, names in fused.values() for name in names}
        values = {name: (self.shapes[name], content) for name, content in self.published.items() if name not in parts}
        values |= {name: (shape, sum((self.published[part] for part in names), [])) for name, (shape, names) in fused.items()}
        folder = put(self.folder / "vllm", {"config.json": self.config})
        safetensors(folder / "model-rank-0-part-0.safetensors", {name: ("F32", shape, floats(*content)) for name, (shape, content) in values.items()})
        return folder

    def attention(self) -> dict:
        return {f"model.layers.{layer}.self_attn.qkv_proj.weight": ([16, 8], [f"model.layers.{layer}.self_attn.{part}_proj.weight" for part in "qkv"])
                for layer in range(2)}

    def experts(self) -> dict:
        made = {}
        for experts in (f"model.layers.{layer}.block_sparse_moe.experts." for layer in range(2)):
            made[experts + "w13_weight"] = ([2, 12, 8], [f"{experts}{expert}.{name}.weight" for expert in range(2) for name in ("w1", "w3")])
            made[experts + "w2_weight"] = ([2, 8, 6], [f"{experts}{expert}.w2.weight" for expert in range(2)])
        return made

    def assert_published(self, output: Path) -> None:
        whole = safetensors(self.folder / "whole.safetensors", {name: ("F32", self.shapes[name], floats(*content)) for name, content in self.published.items()})
        hashes = lambda path: {one["name"]: one["sha256"] for one in self.call("hash", path)["tensors"]}
        self.assertEqual(hashes(output), hashes(whole))

    def test_layers_are_taken_apart(self) -> None:
        source, output = self.save(self.attention()), self.folder / "out"
        self.assertEqual(self.call("plan", "consolidate", source, "-o", output, "--bundle")["loads"]["state"], "loads")
        self.call("consolidate", source, "-o", output, "--bundle")
        self.assert_published(output)
        kept = self.folder / "kept.safetensors"
        self.call("consolidate", source, "-o", kept, "--names", "keep")
        self.assertIn("model.layers.0.self_attn.qkv_proj.weight", [one["name"] for one in self.call("ls", kept)["tensors"]])

    def test_the_order_of_experts_is_assumed(self) -> None:
        source, output = self.save(self.attention() | self.experts()), self.folder / "out"
        plan = self.call("plan", "consolidate", source, "-o", output, "--bundle")
        self.assertEqual(plan["loads"]["state"], "unknown")
        line = {one["id"]: one for one in plan["checklist"]}["shards"]
        self.assertEqual(line["state"], "not checked")
        for text in (plan["loads"]["text"], line["detail"], run("consolidate", source, "-o", output, "--bundle").text):
            self.assertIn("FlashInfer", text)
        self.assert_published(output)


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


class Names(CliTest):
    """What is in front of the names, by the class or not at all."""

    def bundle(self, config: dict, shapes: dict, *more, code=0) -> dict:
        source = put(self.folder / f"in{len(list(self.folder.iterdir()))}", {"config.json": config})
        model(source / "model.safetensors", shapes)
        self.output = self.folder / f"out{len(list(self.folder.iterdir()))}"
        return self.call("consolidate", source, "-o", self.output, "--bundle", *more, code=code)

    def names(self) -> set[str]:
        return {one["name"] for one in self.call("ls", self.output)["tensors"]}

    @staticmethod
    def line(report: dict, of: str = "names") -> dict:
        return next(one for one in report["checklist"] if one["id"] == of)

    def test_the_class_decides(self):
        wavlm = {"model_type": "wavlm", "architectures": ["WavLMModel"]}  # whose tensors are not listed
        shapes = {"encoder.layers.0.attention.k_proj.weight": [2, 2], "encoder.layer_norm.weight": [2], "feature_projection.projection.weight": [2, 2]}
        for prefix in ("", "net.", "model.model.", "encoder."):
            report = self.bundle(wavlm, {prefix + name: shape for name, shape in shapes.items()}, "--force")
            self.assertEqual((self.names(), prefix), (set(shapes), prefix))
            self.assertEqual(self.line(report)["state"], "pass")

    def test_an_unknown_class_is_not_checked(self):
        config = {"model_type": "mine", "architectures": ["MineForCausalLM"]}
        report = self.bundle(config, {"net.a.weight": [2, 2], "net.b.weight": [2]})
        self.assertEqual(self.names(), {"net.a.weight", "net.b.weight"})  # nothing shows that "net" is not the model's
        self.assertEqual(self.line(report)["state"], "not checked")
        self.assertIn("MineForCausalLM", self.line(report)["detail"])
        self.bundle(config, {"net.a.weight": [2, 2]}, "--require", "loadable", code=1)
        self.assertFalse(self.output.exists())

    def test_a_class_of_several_types(self):
        report = self.bundle(LLAMA | {"model_type": "internlm3"}, SHAPES)  # a class of this type, too
        self.assertEqual((self.line(report)["state"], self.line(report, "tensors")["state"]), ("pass", "not checked"))
        report = self.bundle(LLAMA, SHAPES)
        self.assertEqual(self.names(), set(SHAPES))  # not those that the class has for Exaone
        self.assertEqual(self.line(report, "tensors")["state"], "pass")

    def test_names_of_another_model(self):
        report = self.bundle(LLAMA | {"model_type": "internlm3"}, {"a.weight": [2, 2], "b.weight": [2]})
        self.assertEqual(self.line(report)["state"], "not checked")


class Values(CliTest):
    """Nothing is published with NaN, infinities or only zeros in the weights."""

    def made(self, name: str, **changes: bytes) -> Path:
        tensors = {"a.weight": ("F32", [2, 2], floats(1, 2, 3, 4)), "b.weight": ("F32", [12], floats(*range(1, 13))), "odd": ("U8", [3], b"\0\1\2"),
                   "c.weight": ("F32", [2], floats(1, 2))}
        for key, value in changes.items():
            kind, shape, _ = tensors[f"{key}.weight"]
            tensors[f"{key}.weight"] = (kind, shape, value)
        folder = put(self.folder / name, {"config.json": {"model_type": "mine", "architectures": ["Mine"]}})
        return safetensors(folder / "model.safetensors", tensors)

    def test_refused_unless_forced(self):
        cases = {"nan": ({"b": floats(float("nan"), *range(11))}, "non-finite"), "inf": ({"c": floats(float("inf"), 1)}, "non-finite"),
                 "zero": ({"a": floats(0, 0, 0, 0), "b": floats(*[0] * 12), "c": floats(0, -0.0)}, "verify-mismatch")}
        for name, (changes, code) in cases.items():
            source = self.made(name, **changes)
            for verb, more in (("consolidate", ("--bundle",)), ("average", (source,)), ("average", (source, "--bundle"))):
                with self.subTest(name, verb=verb, more=more):
                    out = self.folder / f"{name}-{verb}-{len(more)}{'' if '--bundle' in more else '.safetensors'}"
                    answer = self.call(verb, source, *more, "-o", out, code=1)
                    self.assertEqual(answer["error"]["code"], code)
                    self.assertIn("--force", answer["error"]["hint"])
                    self.assertFalse(out.exists())
                    report = self.call(verb, source, *more, "-o", out, "--force")
                    self.assertTrue(report["verified"])
                    lines = [one["state"] for one in report.get("checklist", []) if one["id"] == "values"]
                    self.assertIn(lines, ([], ["not checked"]))
            self.call("consolidate", source, "-o", self.folder / f"{name}.safetensors")  # a copy is a copy

    def test_the_list_before_and_after(self):
        source = self.made("good", c=floats(0, float("-inf")))  # a mask
        plan = self.call("plan", "consolidate", source, "-o", self.folder / "out", "--bundle")
        report = self.call("consolidate", source, "-o", self.folder / "out", "--bundle")
        states = [[one["state"] for one in each["checklist"] if one["id"] == "values"] for each in (plan, report)]
        self.assertEqual(states, [["not checked"], ["pass"]])


class Checked(CliTest):
    """What the loader of a folder would refuse, or initialise at random."""

    def check(self, shapes: dict, config: dict | None = LLAMA, code: int = 0, name: str = "model.safetensors") -> set[tuple[str, str]]:
        folder = put(self.folder / f"m{len(list(self.folder.iterdir()))}", {"config.json": config} if config else {})
        model(folder / name, shapes)
        report = self.call("check", folder / name, code=code)
        return {(one["code"], one["severity"]) for one in report["findings"] if one["severity"] != "info"}

    def without(self, *names: str) -> dict:
        return {name: shape for name, shape in SHAPES.items() if name not in names}

    def test_a_sound_model(self):
        self.assertEqual(self.check(SHAPES), set())
        self.assertEqual(self.check(self.without("lm_head.weight"), LLAMA | {"tie_word_embeddings": True}), set())
        self.assertEqual(self.check({"a.weight": [2, 2]}, {"model_type": "mine", "architectures": ["Mine"]}), set())
        self.assertEqual(self.check({"layers.weight": [2, 2]}, name="weights.safetensors"), set(), "other names than the published ones")

    def test_missing_other_and_empty_tensors(self):
        empty = {name: [0] for name in list(SHAPES)[1:4]}
        self.assertEqual(self.check(SHAPES | empty, code=1), {("not-stored", "error")})
        self.assertEqual(self.check(SHAPES | empty, None), {("not-stored", "warning")})
        self.assertEqual(self.check(dict.fromkeys(SHAPES, [0]), None, code=1), {("not-stored", "error")})
        self.assertEqual(self.check(self.without("model.norm.weight"), code=1), {("tensor-not-found", "error")})
        self.assertEqual(self.check(SHAPES | {"model.norm.weight": [9]}, code=1), {("bad-slice", "error")})
        self.assertEqual(self.check(SHAPES | {"v_head.weight": [1, 8]}), {("tensor-not-found", "warning")})
        # as many elements under other names: perhaps those of an earlier release
        self.assertEqual(self.check(self.without("model.norm.weight") | {"model.final.weight": [8]}), {("tensor-not-found", "warning")})
        # another program's file beside the config
        self.assertEqual(self.check(self.without("model.norm.weight"), name="weights.safetensors"), {("tensor-not-found", "warning")})

    def test_what_is_in_front_of_names(self):
        for prefix in ("_orig_mod.", "module.", "net."):
            self.assertEqual(self.check({prefix + name: shape for name, shape in SHAPES.items()}, code=1), {("tensor-not-found", "error")}, prefix)
        self.assertEqual(self.check({"model." + name: shape for name, shape in SHAPES.items()}), {("tensor-not-found", "warning")})
        serve = self.call("info", next(self.folder.glob("m3/model.safetensors")))["abilities"]["serve"]
        self.assertEqual((serve["verdict"], "only some loaders accept" in str(serve["why"])), ("yes", True), serve)
        self.assertEqual(self.check({"net." + name: shape for name, shape in SHAPES.items()}, name="weights.safetensors"), set())

    def test_names_of_another_program(self):
        self.assertEqual(self.check({"layers.weight": [2, 2]}), {("tensor-not-found", "warning")})

    def test_an_adapter_inside(self):
        layer = "model.layers.0.self_attn.q_proj"
        shapes = self.without(layer + ".weight") | {layer + ".base_layer.weight": [8, 8], layer + ".lora_A.default.weight": [2, 8],
                                                    layer + ".lora_B.default.weight": [8, 2]}
        self.assertEqual(self.check(shapes, code=1), {("tensor-not-found", "error")})

    def test_adapters_without_elements(self):
        key = "base_model.model.model.layers.0.mlp.up_proj.lora_"
        self.assertEqual(self.check({key + "A.weight": [0], key + "B.weight": [0]}, None, code=1, name="adapter_model.safetensors"),
                         {("not-stored", "error")})

    def test_no_tensor_at_all(self):
        self.assertEqual(self.check({}, code=1), {("not-stored", "error")})

    def test_all_zero(self):
        for names, code in ((SHAPES, 1), (list(SHAPES)[1:], 0)):
            tensors = {}
            for name, shape in SHAPES.items():
                count = shape[0] * (shape[1] if len(shape) > 1 else 1)
                tensors[name] = ("F32", shape, floats(*[0 if name in names else 1] * count))
            folder = put(self.folder / f"zero{code}", {"config.json": LLAMA})
            report = self.call("check", safetensors(folder / "model.safetensors", tensors), code=code)
            self.assertEqual([one["code"] for one in report["findings"] if one["severity"] == "error"], ["zero-filled"] * code)


if __name__ == "__main__":
    unittest.main()
