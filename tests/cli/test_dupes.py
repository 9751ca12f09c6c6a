#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives `dupes`, and the memory that `info` states. Only the standard library."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import SAMPLE, CliTest, ask, run
from made_files import floats, safetensors

ESCAPE = "a\x1b[31mred\u202e"


class Dupes(CliTest):
    def test_groups(self) -> None:
        data = floats(1, 2, 3, 4)
        safetensors(self.folder / "a.safetensors", {"w": ("F32", [2, 2], data), "u": ("F32", [2], floats(7, 8))})
        safetensors(self.folder / "b.safetensors", {"other": ("F32", [2, 2], data), "flat": ("F32", [4], data)})
        document = ask("dupes", self.folder)
        self.assertEqual(document["schema"], "cairn/1")
        (group,) = document["groups"]
        self.assertEqual((group["sha256"], group["bytes"], group["kind"]), (hashlib.sha256(data).hexdigest(), 16, "tensor"))
        self.assertEqual([(Path(place["path"]).name, place["tensor"]) for place in group["places"]], [("a.safetensors", "w"), ("b.safetensors", "other")])
        self.assertEqual(document["reclaimable_bytes"], 16)
        self.assertEqual(ask("dupes", self.folder, "--min-size", "17")["groups"], [])

    def test_other_saves_in_the_folder_of_a_checkpoint(self) -> None:
        data = floats(1, 2, 3, 4)
        safetensors(self.folder / "model.safetensors", {"w": ("F32", [2, 2], data)})
        (self.folder / "config.json").write_text('{"model_type": "llama"}')
        safetensors(self.folder / "older/export.safetensors", {"renamed": ("F32", [2, 2], data)})
        (group,) = ask("dupes", self.folder)["groups"]
        self.assertEqual({place["tensor"] for place in group["places"]}, {"w", "renamed"})

    def test_text_is_safe_and_short(self) -> None:
        data = floats(*range(1, 9))
        for i in range(9):
            safetensors(self.folder / f"step-{i}.safetensors", {ESCAPE + str(i): ("F32", [8], data)})
        answer = run("dupes", self.folder)
        self.assertEqual(answer.code, 0, answer.said())
        self.assertNotIn("\x1b", answer.text)
        self.assertNotIn("\u202e", answer.text)
        self.assertIn("and 3 more places (-v shows all)", answer.text)
        self.assertEqual(run("dupes", self.folder, "-v").text.count("#a"), 9)

    def test_sample(self) -> None:
        document = ask("dupes", SAMPLE)
        self.assertGreater(document["examined"]["tensors"], 100)
        self.assertEqual(document["reclaimable_bytes"], sum(group["reclaimable_bytes"] for group in document["groups"]))

    def test_failures(self) -> None:
        self.assertEqual(run("dupes", self.folder / "missing").code, 3)
        self.assertEqual(run("dupes").code, 2)
        self.assertEqual(run("dupes", self.folder, "--min-size", "much").code, 2)
        empty = ask("dupes", self.folder)
        self.assertEqual((empty["groups"], empty["reclaimable_bytes"]), ([], 0))

    def test_damage_is_a_notice(self) -> None:
        path = safetensors(self.folder / "a.safetensors", {"w": ("F32", [4], floats(1, 2, 3, 4))})
        safetensors(self.folder / "b.safetensors", {"x": ("F32", [4], floats(1, 2, 3, 4))})
        os.truncate(path, path.stat().st_size - 4)
        document = ask("dupes", self.folder)
        self.assertEqual(document["groups"], [])
        self.assertEqual(len(document["notices"]), 1)


class Memory(CliTest):
    CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "num_hidden_layers": 3, "hidden_size": 8, "num_attention_heads": 4,
              "num_key_value_heads": 2, "intermediate_size": 16, "vocab_size": 32, "max_position_embeddings": 64}

    def memory(self, config: object) -> dict:
        safetensors(self.folder / "model.safetensors", {"w": ("F32", [4, 2], floats(*range(8)))})
        (self.folder / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
        return ask("info", self.folder)["memory"]

    def test_figures_and_where_they_come_from(self) -> None:
        memory = self.memory(self.CONFIG)
        self.assertEqual((memory["parameters"], memory["weights_bytes"], memory["optimizer_bytes"]), (8, 32, 0))
        self.assertEqual(memory["training"][0]["bytes"], 8 * 16 + 4)
        cache = memory["serving"]["kv_cache"]
        self.assertEqual((cache["bytes_per_token"], cache["context_bytes"]), (3 * 2 * 2 * 2 * 4, 64 * 3 * 2 * 2 * 2 * 4))
        self.assertIn("heads", cache["formula"])
        self.assertTrue(memory["config"].endswith("config.json"))
        text = run("info", self.folder, "--why").text
        self.assertIn("KV cache", text)
        self.assertIn("bytes a parameter", text)

    def test_configs_that_do_not_allow_it(self) -> None:
        for config in ({}, "no JSON", {"model_type": 5}, self.CONFIG | {"num_hidden_layers": -1}, self.CONFIG | {"num_hidden_layers": 10**15},
                       self.CONFIG | {"num_key_value_heads": 10**12, "head_dim": 10**12}, self.CONFIG | {"num_attention_heads": [4]}):
            memory = self.memory(config)
            self.assertNotIn("kv_cache", memory["serving"], config)
            self.assertEqual(memory["weights_bytes"], 32)


if __name__ == "__main__":
    unittest.main()
