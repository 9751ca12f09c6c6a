# SPDX-License-Identifier: Apache-2.0
"""Adapters folded into weights, and means: the verb, its document, its errors; proving an output from its source again."""

from __future__ import annotations

import json
import math
import random
import shutil
import struct
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest, run
from made_files import floats, safetensors


class Fold(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.base = self.folder / "base"
        self.base.mkdir()
        weights = {"model.q.weight": ("F32", [2, 3], floats(1, 2, 3, 4, 5, 6)), "model.k.weight": ("F32", [2], floats(7, 8))}
        safetensors(self.base / "model.safetensors", weights)
        (self.base / "config.json").write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}))

    def adapter(self, name: str = "adapter", b=(1, -1), **settings) -> Path:
        folder = self.folder / name
        folder.mkdir()
        key = "base_model.model.model.q.lora_"
        safetensors(folder / "adapter_model.safetensors", {key + "A.weight": ("F32", [1, 3], floats(1, 10, 100)), key + "B.weight": ("F32", [2, 1], floats(*b))})
        document = {"peft_type": "LORA", "r": 1, "lora_alpha": 2, "target_modules": ["q"], **settings}
        (folder / "adapter_config.json").write_text(json.dumps(document))
        return folder

    def values(self, path: Path, name: str = "model.q.weight") -> list:
        return run("show", path, "--tensor", name, "--json").json["values"]

    def test_fold_writes_a_bundle(self) -> None:
        adapter, out = self.adapter(), self.folder / "out"
        answer = run("fold", self.base, "--adapter", adapter, "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(self.values(out), [[3, 22, 203], [2, -15, -194]])
        self.assertEqual(self.values(out, "model.k.weight"), [7, 8])
        document = answer.json
        self.assertEqual(document["adapters"], [{"path": str(adapter), "scale": 1, "tensors": 1}])
        self.assertTrue(document["verified"])
        self.assertIn("1 of 2 tensors changed, none lost", [decision["value"] for decision in document["decisions"]])
        self.assertTrue((out / "config.json").exists())
        self.assertFalse((out / "adapter_config.json").exists())
        self.assertEqual(run("verify", out, "--json").json["verified"], True)
        manifest = (out / "MANIFEST.json").read_text()
        self.assertEqual([(each["path"], each["scale"]) for each in json.loads(manifest)["adapters"]], [("adapter", 1)])
        for text in ((out / "README.md").read_text(), manifest):
            self.assertNotIn(str(self.folder), text)

    def test_what_was_trained_beside_an_adapter_is_added(self) -> None:
        """LLaVA's projector is in its adapter's folder only, whose config is the model's."""
        adapter, out = self.adapter(), self.folder / "out"
        safetensors(adapter / "non_lora_trainables.safetensors", {"base_model.model.model.mm_projector.0.weight": ("F32", [2, 2], floats(1, 2, 3, 4))})
        (adapter / "config.json").write_text(json.dumps({"architectures": ["LlavaLlamaForCausalLM"], "model_type": "llava_llama"}))
        answer = run("fold", self.base, "--adapter", adapter, "--like", adapter, "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(self.values(out), [[3, 22, 203], [2, -15, -194]])
        self.assertEqual(self.values(out, "model.mm_projector.0.weight"), [[1, 2], [3, 4]])
        self.assertIn("tensors_added", [decision["id"] for decision in answer.json["decisions"]])
        self.assertEqual(answer.json["adapters"][0]["tensors"], 2)
        self.assertEqual(json.loads((out / "config.json").read_text())["model_type"], "llava_llama")
        self.assertTrue(run("verify", self.base, out, "--with", adapter, "--json").json["verified"])
        explained = run("diff", self.base, out, "--explain-adapter", adapter, "--json")
        self.assertEqual(explained.code, 0, explained.said())

    def test_a_folder_may_look_like_a_scale(self) -> None:
        answer = run("fold", self.base, "--adapter", self.adapter("r=8"), "-o", self.folder / "out", "--json")
        self.assertEqual(answer.json["adapters"], [{"path": str(self.folder / "r=8"), "scale": 1, "tensors": 1}])

    def test_a_plan_runs_elsewhere(self) -> None:
        self.adapter("first"), self.adapter("second", b=(0, 1))
        for number, paths in enumerate((["first", "second"], ["./first/", self.folder / "second"])):
            out, plan = self.folder / f"out{number}", self.folder / "plan.json"
            plan.write_text(json.dumps(self.call("plan", "fold", "./base/", "--adapter", paths[0], "--adapter", paths[1], "-o", out.name)))
            self.assertTrue(self.call("job", "run", plan, cwd=Path("/"))["verified"])
            self.assertEqual(self.values(out), [[3, 22, 203], [4, 5, 6]])
            self.assertIn(f"# {out.name}\n\nMade with Cairn", card := (out / "README.md").read_text())
            self.assertIn("from base, a checkpoint", card)

    def test_scales_and_order(self) -> None:
        first, second = self.adapter("first"), self.adapter("r=8", b=(0, 1))
        out = self.folder / "out.safetensors"
        answer = run("consolidate", self.base, "--adapter", f"{first}=0.5", "--adapter", f"{second}=-1", "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(self.values(out), [[2, 12, 103], [1, -25, -294]])
        self.assertEqual([each["scale"] for each in answer.json["adapters"]], [0.5, -1])

    def test_plan_runs_later_from_elsewhere(self) -> None:
        self.adapter()
        plan = run("plan", "fold", self.base, "--adapter", self.folder / "adapter", "-o", self.folder / "out", "--json")
        self.assertEqual(plan.code, 0, plan.said())
        self.assertEqual(plan.json["device"], "cpu")
        self.assertEqual(plan.json["adapters"][0]["tensors"], 1)
        file = self.folder / "plan.json"
        file.write_text(plan.text)
        answer = run("job", "run", file, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(self.values(self.folder / "out"), [[3, 22, 203], [2, -15, -194]])

    def test_what_cannot_be_folded(self) -> None:
        out = self.folder / "out"
        for name, settings, status in (("zero", {"b": (0, 0)}, 3), ("pissa", {"init_lora_weights": "pissa"}, 3), ("rank", {"r": 2}, 3), ("alpha", {"lora_alpha": None}, 2)):
            answer = run("fold", self.base, "--adapter", self.adapter(name, **settings), "-o", out, "--json")
            self.assertEqual(answer.code, status, answer.said())
            self.assertTrue(answer.json["error"]["message"])
        answer = run("fold", self.base, "-o", out, "--json")
        self.assertEqual(answer.code, 2)
        self.assertIn("found near it: alpha, pissa, rank, zero", answer.json["error"]["hint"])
        self.assertEqual(run("fold", self.base, "--adapter", self.folder / "nothere", "-o", out, "--json").code, 3)
        self.assertEqual(run("fold", self.base, "--adapter", self.base, "-o", out, "--json").code, 3)
        self.assertFalse(out.exists())

    def test_an_adapter_alone_stays_one(self) -> None:
        out = self.folder / "out"
        answer = run("consolidate", self.adapter(), "-o", out, "--bundle", "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue((out / "adapter_model.safetensors").exists())
        self.assertTrue((out / "adapter_config.json").exists())

    def test_an_adapter_is_never_a_file_without_its_settings(self) -> None:
        adapter, file, out = self.adapter(), self.folder / "out.safetensors", self.folder / "out"
        answer = run("consolidate", adapter, "-o", file)
        self.assertEqual(answer.code, 2, answer.said())
        self.assertIn("settings", answer.said())
        self.assertEqual(run("consolidate", adapter, "-o", out, "--to", "torch").code, 2)
        self.assertFalse(file.exists() or out.exists())
        self.assertEqual(run("consolidate", adapter, "-o", out).code, 0)
        self.assertTrue((out / "adapter_config.json").exists())
        self.assertTrue((out / "adapter_model.safetensors").exists())
        self.assertEqual(run("consolidate", adapter, "-o", file, "--force").code, 0)
        self.assertTrue(file.is_file())

    def test_other_verbs_keep_the_settings_beside_an_adapter(self) -> None:
        adapter, rules = self.adapter(), "model.q=model.p"
        for verb, options in (("cast", ["--dtype", "bf16"]), ("rename", ["--rename", rules])):
            with self.subTest(verb):
                out = self.folder / verb
                self.assertEqual(run(verb, adapter, *options, "-o", out).code, 0)
                self.assertEqual({"adapter_config.json", "adapter_model.safetensors"} - {path.name for path in out.iterdir()}, set())
                self.assertEqual(run(verb, adapter, *options, "-o", self.folder / "file.safetensors").code, 2)
        for options in (["--max-shard-size", "1KB"], ["--to", "dcp", "--ranks", "2"]):
            self.assertEqual(run("reshard", adapter, *options, "-o", self.folder / "parts").code, 2)

    def test_kernels_of_convolutions(self) -> None:
        """[out, in, 2, 2] changes as its matrix [out, in × 4] does."""
        adapter, out = self.folder / "adapter", self.folder / "out"
        adapter.mkdir()
        safetensors(self.base / "model.safetensors", {"conv.weight": ("F32", [2, 1, 2, 2], floats(*range(8)))})
        (self.base / "config.json").unlink()
        key = "base_model.model.conv.lora_"
        tensors = {key + "A.weight": ("F32", [1, 1, 2, 2], floats(1, 10, 100, 1000)), key + "B.weight": ("F32", [2, 1, 1, 1], floats(1, -1))}
        safetensors(adapter / "adapter_model.safetensors", tensors)
        (adapter / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": 1, "lora_alpha": 2, "target_modules": ["conv"]}))
        self.assertEqual(run("fold", self.base, "--adapter", adapter, "-o", out).code, 0)
        self.assertEqual(self.values(out, "conv.weight"), [[[[2, 21], [202, 2003]]], [[[2, -15], [-194, -1993]]]])
        safetensors(adapter / "adapter_model.safetensors", tensors | {key + "A.weight": ("F32", [1, 4, 1, 1], floats(1, 10, 100, 1000))})
        self.assertEqual(run("fold", self.base, "--adapter", adapter, "-o", self.folder / "other").code, 3, "a kernel of another shape")

    def test_the_mean_of_adapters_is_an_adapter(self) -> None:
        first, second, out = self.adapter("first"), self.adapter("second", b=(0, 1), lora_alpha=4), self.folder / "out"
        answer = run("average", first, second, "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(answer.json["verified"])
        key = "base_model.model.model.q.lora_"
        self.assertEqual(self.values(out, key + "A.weight"), [[1, 10, 100], [2, 20, 200]])
        self.assertEqual(self.values(out, key + "B.weight"), [[1, 0], [-1, 1]])
        settings = json.loads((out / "adapter_config.json").read_text())
        self.assertEqual([settings[field] for field in ("r", "lora_alpha", "rank_pattern", "use_rslora")], [2, 2, {}, False])
        self.assertTrue(run("verify", out, "--json").json["verified"])
        proven = run("verify", second, out, "--json")
        self.assertEqual((proven.code, proven.json["verified"]), (0, True), proven.said())
        self.assertEqual(run("fold", self.base, "--adapter", out, "-o", self.folder / "folded").code, 0)
        self.assertEqual(self.values(self.folder / "folded"), [[2, 12, 103], [5, 15, 106]])

    def test_means_of_other_weights_are_other_plans(self) -> None:
        """An interrupted job of the one is not continued by the other, though their files have equal sizes and settings."""
        members = self.adapter("first"), self.adapter("second", b=(0, 1), lora_alpha=4)
        plans = []
        for weights in ("1,2", "1,4"):
            self.assertEqual(run("average", *members, "-o", self.folder / weights, "--weights", weights).code, 0)
            plans.append(json.loads((self.folder / weights / "MANIFEST.json").read_text()))
        self.assertNotEqual(plans[0]["plan"], plans[1]["plan"])
        self.assertEqual([(each["path"], each["weight"]) for each in plans[1]["averaged"]], [("first", 1), ("second", 4)])
        self.assertEqual(*((self.folder / each / "adapter_config.json").read_text() for each in ("1,2", "1,4")))
        answer = run("average", *members, "-o", self.folder / "half", "--dtype", "bf16", "--json")
        self.assertEqual((answer.code, answer.json["verified"]), (0, True), answer.said())
        self.assertEqual(self.values(self.folder / "half", "base_model.model.model.q.lora_A.weight"), [[1, 10, 100], [2, 20, 200]])

    def test_means_that_no_adapter_is_are_refused(self) -> None:
        first, out = self.adapter("first"), self.folder / "out"
        for other, word in ((self.adapter("dora", use_dora=True), "DoRA"), (self.base, "other weights"), (self.adapter("tied", ensure_weight_tying=True), "differ")):
            for members in ((first, other), (other, first)):
                answer = run("average", *members, "-o", out)
                self.assertIn(answer.code, (1, 2, 3), answer.said())
                self.assertFalse(out.exists())
            if other != self.base:
                self.assertIn(word, answer.said())


class ProvenAgain(CliTest):
    """`verify SRC OUT` computes folds and means from the files that the manifest names."""

    SHAPES = {"model.q.weight": [64, 48], "model.k.weight": [32, 48], "model.norm.weight": [48]}

    def setUp(self) -> None:
        super().setUp()
        for seed, name in enumerate(("base", "m1", "m2", "m3")):
            self.model(name, seed)

    def model(self, name: str, seed: int) -> Path:
        """bfloat16 weights; the lower half of a float is cut off."""
        chance = random.Random(seed)
        tensors = {}
        for tensor, shape in self.SHAPES.items():
            values = b"".join(struct.pack("<f", chance.gauss(0, 1))[2:] for _ in range(math.prod(shape)))
            tensors[tensor] = ("BF16", shape, values)
        safetensors(self.folder / name / "model.safetensors", tensors)
        (self.folder / name / "config.json").write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}))
        return self.folder / name

    def adapter(self, path: Path, seed: int) -> Path:
        chance = random.Random(seed)
        tensors = {}
        for module, rows in (("q", 64), ("k", 32)):
            for factor, shape in (("A", [4, 48]), ("B", [rows, 4])):
                values = floats(*(chance.gauss(0, 0.3) for _ in range(math.prod(shape))))
                tensors[f"base_model.model.model.{module}.lora_{factor}.weight"] = ("F32", shape, values)
        safetensors(path / "adapter_model.safetensors", tensors)
        (path / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["q", "k"]}))
        return path

    def proven(self, *words: object, tensors: int = 3) -> dict:
        answer = run("verify", *words, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual((answer.json["verified"], answer.json["mismatches"], len(answer.json["compared"])), (True, [], tensors))
        self.assertIn("computed from the source again", answer.json["basis"])
        return answer.json

    def found(self, *words: object) -> list[str]:
        answer = run("verify", *words, "--json")
        self.assertEqual(answer.code, 1, answer.said())
        self.assertFalse(answer.json["verified"])
        return [each["name"] for each in answer.json["mismatches"]]

    def flip(self, path: Path, at: int) -> None:
        """One bit, counted in bytes from the end."""
        content = bytearray(path.read_bytes())
        content[-at] ^= 1
        path.write_bytes(content)

    def folded(self, *extra: object) -> Path:
        first, second = self.adapter(self.folder / "one", 1), self.adapter(self.folder / "two", 2)
        self.call("fold", self.folder / "base", "--adapter", first, "--adapter", f"{second}=0.5", *extra, "-o", self.folder / "out")
        return self.folder / "out"

    def test_a_fold(self) -> None:
        out = self.folded()
        self.assertIn("with 2 adapters", self.proven(self.folder / "base", out)["basis"])
        for words in ((), ("--round-changes",), ("--dtype", "fp32"), ("--max-shard-size", "2KB")):
            shutil.rmtree(out)
            self.folded(*words)
            self.proven(self.folder / "base", out)
        shutil.rmtree(out)
        self.flip(self.folded() / "model.safetensors", 4000)
        self.assertEqual(self.found(self.folder / "base", out), ["model.q.weight"])

    def test_a_fold_of_eight_bits(self) -> None:
        first = self.adapter(self.folder / "one", 1)
        for dtype in ("fp8", "fp8_block"):
            out = self.folder / dtype
            self.call("fold", self.folder / "base", "--adapter", first, "--dtype", dtype, "-o", out, "--force")
            tensors = [each["name"] for each in self.call("ls", out)["tensors"]]
            self.assertGreater(len(tensors), 3)
            self.proven(self.folder / "base", out, tensors=len(tensors))
            self.flip(out / "model.safetensors", 2500)
            self.assertEqual(len(self.found(self.folder / "base", out)), 1)

    def test_another_base_or_adapter(self) -> None:
        out = self.folded()
        self.assertEqual(sorted(self.found(self.folder / "m1", out)), sorted(self.SHAPES))
        shutil.rmtree(self.folder / "two")
        self.adapter(self.folder / "two", 3)
        self.assertEqual(self.found(self.folder / "base", out), [str(self.folder / "two")])
        shutil.rmtree(self.folder / "two")
        answer = run("verify", self.folder / "base", out, "--json")
        self.assertEqual((answer.code, answer.json["error"]["code"]), (3, "not-found"))
        self.assertEqual(answer.json["error"]["message"], "The adapter is not beside the output or the source")
        other = self.adapter(self.folder / "elsewhere" / "kept", 2)
        self.proven(self.folder / "base", out, "--with", other)
        self.assertEqual(self.found(self.folder / "base", out, "--with", self.adapter(self.folder / "x" / "two", 4)), [str(self.folder / "x" / "two")])

    def test_another_order_or_scale(self) -> None:
        out = self.folded()
        manifest = out / "MANIFEST.json"
        recorded = json.loads(manifest.read_text())
        for change in ("order", "scale", "one less"):
            changed = json.loads(json.dumps(recorded))
            if change == "order":
                changed["adapters"].reverse()
            elif change == "scale":
                changed["adapters"][1]["scale"] = 0.5001
            else:
                changed["adapters"].pop()
            manifest.write_text(json.dumps(changed))
            self.assertTrue(set(self.found(self.folder / "base", out)) & {"model.q.weight", "model.k.weight"}, change)
        for broken in ({"path": "one"}, {"path": "one", "scale": "2"}, {"scale": 1}, {"path": "one", "scale": 1, "files": [{"path": 3}]}):
            changed = json.loads(json.dumps(recorded))
            changed["adapters"][0] = broken
            manifest.write_text(json.dumps(changed))
            answer = run("verify", self.folder / "base", out, "--json")
            self.assertIn(answer.code, (1, 3), answer.said())  # never verified

    def test_places_in_a_manifest_stay_beside(self) -> None:
        out = self.folded()
        manifest = out / "MANIFEST.json"
        recorded = json.loads(manifest.read_text())
        secret = self.adapter(self.folder.parent / (self.folder.name + "-other") / "one", 1)
        self.addCleanup(shutil.rmtree, secret.parent)
        shutil.rmtree(self.folder / "one")
        for path in (str(secret), f"../{secret.parent.name}/one"):
            recorded["adapters"][0]["path"] = path
            manifest.write_text(json.dumps(recorded))
            self.assertEqual(run("verify", self.folder / "base", out, "--json").json["error"]["code"], "not-found")

    def test_large_adapters_have_no_digest(self) -> None:
        """Nothing but the elements tells them apart."""
        out = self.folded()
        manifest = out / "MANIFEST.json"
        recorded = json.loads(manifest.read_text())
        for each in recorded["adapters"]:
            for file in each["files"]:
                file.pop("sha256")
        manifest.write_text(json.dumps(recorded))
        self.proven(self.folder / "base", out)
        self.flip(self.folder / "two" / "adapter_model.safetensors", 1)  # the sign and size of one factor of k
        self.assertEqual(self.found(self.folder / "base", out), ["model.k.weight"])

    def test_a_mean(self) -> None:
        members = [self.folder / name for name in ("m1", "m2", "m3")]
        for words in ((), ("--bundle", "--force"), ("--weights", "0.5,0.2,0.3"), ("--dtype", "fp32")):
            out = self.folder / f"mean{len(words)}{words[:1] == ('--dtype',)}"
            self.call("average", *members, "-o", out / "m.safetensors" if "--bundle" not in words else out, *words)
            out = out / "m.safetensors" if "--bundle" not in words else out
            for source in members:
                self.assertIn("the mean of 3 checkpoints", self.proven(source, out)["basis"])
            answer = run("verify", self.folder / "base", out, "--json")
            self.assertEqual((answer.code, answer.json["error"]["message"]), (2, "The source is none of the averaged checkpoints"))
            file = out / "model.safetensors" if out.is_dir() else out
            self.flip(file, 500)
            self.assertEqual(len(self.found(members[-1], out)), 1)
            self.flip(file, 500)
            self.proven(members[-1], out)
        content = (members[0] / "model.safetensors").read_bytes()
        self.flip(members[0] / "model.safetensors", 1)
        self.assertEqual(self.found(members[-1], out), [str(members[0])])
        (members[0] / "model.safetensors").write_bytes(content)
        shutil.move(members[0], self.folder / "away")
        self.assertEqual(run("verify", members[-1], out, "--json").json["error"]["message"],
                         "The member of the average is not beside the output or the source")
        self.proven(members[-1], out, "--with", self.folder / "away")

    def test_a_member_without_a_digest(self) -> None:
        members = [self.folder / name for name in ("m1", "m2")]
        out = self.folder / "mean.safetensors"
        self.call("average", *members, "-o", out)
        manifest = Path(f"{out}.cairn.json")
        recorded = json.loads(manifest.read_text())
        for each in recorded["averaged"]:
            for file in each["files"]:
                file.pop("sha256")
        manifest.write_text(json.dumps(recorded))
        self.proven(members[1], out)
        for member in members:
            self.flip(member / "model.safetensors", 2001)  # a bit that the rounded mean shows
            self.assertEqual(len(self.found(members[1], out)), 1)
            self.flip(member / "model.safetensors", 2001)

    def test_the_folder_of_like(self) -> None:
        (self.folder / "model").mkdir()
        shutil.move(self.folder / "base" / "config.json", self.folder / "model" / "config.json")
        self.call("consolidate", self.folder / "base", "--adapter", self.adapter(self.folder / "one", 1), "--like", self.folder / "model", "-o", self.folder / "out")
        self.proven(self.folder / "base", self.folder / "out")
        (self.folder / "model" / "config.json").write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 48}))
        self.assertEqual(self.found(self.folder / "base", self.folder / "out"), ["config.json"])
        shutil.rmtree(self.folder / "model")
        answer = run("verify", self.folder / "base", self.folder / "out", "--json")
        self.assertEqual((answer.code, answer.json["error"]["message"]), (3, "The folder of --like is not beside the output or the source"))


class PipelineAdapters(CliTest):
    """Files of diffusers and kohya, which have their scales inside."""

    def setUp(self) -> None:
        super().setUp()
        self.pipe = self.folder / "pipe"
        index = {"_class_name": "P", "unet": ["diffusers", "U"], "text_encoder": ["transformers", "T"]}
        for name, config in (("unet", {"_class_name": "U", "_diffusers_version": "0.42.1"}), ("text_encoder", {"model_type": "clip_text_model"})):
            (self.pipe / name).mkdir(parents=True)
            (self.pipe / name / "config.json").write_text(json.dumps(config))
        (self.pipe / "model_index.json").write_text(json.dumps(index))
        names = ["down_blocks.0.resnets.0.conv1", "down_blocks.0.attentions.0.to_q"]
        safetensors(self.pipe / "unet" / "diffusion_pytorch_model.safetensors",
                    {name + ".weight": ("F32", [2, 2], floats(1, 2, 3, 4)) for name in names})
        safetensors(self.pipe / "text_encoder" / "model.safetensors", {"text_model.layers.0.q_proj.weight": ("F32", [2, 2], floats(1, 1, 1, 1))})

    def file(self, name: str, tensors: dict) -> Path:
        return safetensors(self.folder / f"{name}.safetensors", tensors)

    def pair(self, low: str, high: str, alpha: str | None = None) -> dict:
        made = {low: ("F32", [1, 2], floats(1, 10)), high: ("F32", [2, 1], floats(1, -1))}
        return made | ({alpha: ("F32", [], floats(3))} if alpha else {})

    def kohya(self, stem: str) -> dict:
        return self.pair(stem + ".lora_down.weight", stem + ".lora_up.weight", stem + ".alpha")

    def fold(self, adapter: Path, name: str, base: Path | None = None):
        return run("fold", base or self.pipe, "--adapter", adapter, "-o", self.folder / name)

    def test_names_and_scales(self) -> None:
        files = {
            "kohya": (self.kohya("lora_unet_down_blocks_0_attentions_0_to_q"), 3),
            "stability": (self.kohya("lora_unet_input_blocks_1_1_to_q"), 3),
            "diffusers": (self.pair("unet.down_blocks.0.attentions.0.to_q.lora_A.weight", "unet.down_blocks.0.attentions.0.to_q.lora_B.weight"), 1),
            "processors": (self.pair("unet.down_blocks.0.attentions.0.processor.to_q_lora.down.weight",
                                     "unet.down_blocks.0.attentions.0.processor.to_q_lora.up.weight"), 1),
        }
        for name, (tensors, scale) in files.items():
            with self.subTest(name):
                self.assertEqual(self.fold(self.file(name, tensors), name).code, 0)
                values = run("show", self.folder / name, "--tensor", "unet.down_blocks.0.attentions.0.to_q.weight", "--json").json["values"]
                self.assertEqual(values, [[1 + scale, 2 + 10 * scale], [3 - scale, 4 - 10 * scale]])
        self.assertEqual(self.fold(self.file("text", self.kohya("lora_te_layers_0_q_proj")), "text").code, 0)
        values = run("show", self.folder / "text", "--tensor", "text_encoder.text_model.layers.0.q_proj.weight", "--json").json["values"]
        self.assertEqual(values, [[4, 31], [-2, -29]])

    def test_what_does_not_fit_is_refused(self) -> None:
        stem = "lora_unet_down_blocks_0_attentions_0_to_q"
        tensors = self.kohya(stem)
        for name, changed in {
            "module": self.kohya("lora_unet_down_blocks_9_to_q"),
            "component": self.kohya("lora_te2_layers_0_q_proj"),
            "half": {key: value for key, value in tensors.items() if "up" not in key},
            "method": tensors | {stem + ".hada_w1_a": ("F32", [1], floats(1))},
            "some": tensors | self.pair("lora_unet_down_blocks_0_resnets_0_conv1.lora_down.weight", "lora_unet_down_blocks_0_resnets_0_conv1.lora_up.weight"),
            "alpha": tensors | {stem + ".alpha": ("F32", [2], floats(1, 1))},
        }.items():
            with self.subTest(name):
                self.assertEqual(self.fold(self.file(name, changed), name).code, 3)
                self.assertFalse((self.folder / name).exists())
        answer = self.fold(self.file("gpt2", self.pair("transformer.h.0.q.lora_A.weight", "transformer.h.0.q.lora_B.weight")), "gpt2")
        self.assertEqual(answer.code, 3, "the name alone does not make it one of diffusers")
        file = self.file("one", tensors)
        self.assertEqual(run("consolidate", file, "-o", self.folder / "bundle", "--bundle").code, 2)
        self.assertEqual(run("consolidate", file, "-o", self.folder / "copy.safetensors").code, 0)

    def test_the_mean_of_factors_is_refused_under_any_name(self) -> None:
        """Names of ComfyUI, OneTrainer, XLabs, LyCORIS and of PEFT's other methods; what is added to a weight as it is has a mean."""
        for number, name in enumerate((
                "diffusion_model.double_blocks.0.img_attn.qkv.lora_down.weight", "lora_transformer_blocks_0_to_q.lora_up.weight",
                "double_blocks.0.processor.qkv_lora1.down.weight", "lycoris_blk_0_to_q.hada_w1_a", "lora_unet_mid_to_q.lokr_w1", "lora_unet_mid_to_q.a1.weight",
                "lora_unet_mid_to_q.oft_blocks", "x.lora_mid.weight", "base_model.model.q.hada_w2_b", "base_model.model.q.vera_lambda_d",
                "base_model.model.q.oft_R.weight", "transformer.q.lora.up.weight", "base_model.model.q.delora_A", "base_model.model.q.deft_R",
                "base_model.model.q.unilora_theta_d", "base_model.model.q.osf_svd_params.U_low")):
            with self.subTest(name):
                first, second = (self.file(f"{number}-{side}", {name: ("F32", [1, 2], floats(side, 10))}) for side in (1, 2))
                answer = run("average", first, second, "-o", self.folder / f"{number}.safetensors")
                self.assertEqual(answer.code, 3)
                self.assertFalse((self.folder / f"{number}.safetensors").exists())
        for name in ("lora_unet_mid_to_q.diff", "model.lora.weight", "decoder.up.weight", "lora_linear.weight", "lora_scale.w", "lora_transformer.weight"):
            first, second = (self.file(f"{name}-{side}", {name: ("F32", [1, 2], floats(side, 10))}) for side in (1, 2))
            self.assertEqual(run("average", first, second, "-o", self.folder / f"{name}.mean.safetensors").code, 0)
        comfy = self.file("comfy", self.pair("diffusion_model.q.lora_A.weight", "diffusion_model.q.lora_B.weight"))
        answer = self.fold(comfy, "comfy")
        self.assertEqual(answer.code, 3)
        self.assertIn("other names than those of PEFT, diffusers and kohya", answer.errors)

    def test_the_mean_has_its_scale_in_its_matrices(self) -> None:
        stem, out = "lora_unet_down_blocks_0_attentions_0_to_q", self.folder / "mean.safetensors"
        first, second = self.file("first", self.kohya(stem)), self.file("second", self.kohya(stem))
        self.assertEqual(run("average", first, second, "-o", out).code, 0)
        self.assertEqual(sorted(each["name"] for each in run("ls", out, "--json").json["tensors"]), [stem + ".lora_down.weight", stem + ".lora_up.weight"])
        values = run("show", out, "--tensor", stem + ".lora_down.weight", "--json").json["values"]
        self.assertEqual(values, [[1.5, 15], [1.5, 15]])
        other = self.file("other", self.pair("unet.q.lora_A.weight", "unet.q.lora_B.weight"))
        self.assertEqual(run("average", first, other, "-o", self.folder / "apart.safetensors").code, 3, "no loader reads both kinds of names")


if __name__ == "__main__":
    unittest.main()
