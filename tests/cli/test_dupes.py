#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives `dupes`. Only the standard library."""

from __future__ import annotations

import hashlib
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


if __name__ == "__main__":
    unittest.main()
