# SPDX-License-Identifier: Apache-2.0
"""Adapters folded into weights: the verb, its document, its errors."""

from __future__ import annotations

import json
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


if __name__ == "__main__":
    unittest.main()
