#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives `cairn-cli pack` and `unpack`: documents, refusals, killed jobs. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_archive.py
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, CliTest
from made_files import safetensors


class Archives(CliTest):
    def setUp(self) -> None:
        super().setUp()
        maker = random.Random(4)
        weights = struct.pack("<5000f", *(maker.gauss(0, 0.02) for _ in range(5000)))
        self.source = safetensors(self.folder / "model.safetensors", {
            "layer.weight": ("F32", [50, 100], weights), "ids": ("I64", [300], struct.pack("<300q", *range(300))),
            "mask": ("BOOL", [64], bytes(64)), "none": ("BF16", [0, 4], b"")}, {"format": "pt", "note": "kept"})

    def pack(self, name: str = "model.cairnz", *options: object, **more: int) -> dict:
        return self.call("pack", self.source, "-o", name, *options, **more)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def test_report_and_manifest(self) -> None:
        report = self.pack()
        path = self.folder / "model.cairnz"
        self.assertEqual((report["tensors"], report["verified"], report["bytes"]), (4, True, path.stat().st_size))
        self.assertEqual(report["bytes"], report["files"][0]["bytes"])
        self.assertLess(report["bytes"], self.source.stat().st_size)
        manifest = json.loads((self.folder / "model.cairnz.cairn.json").read_text())
        self.assertEqual(manifest["output"]["format"], "archive")
        hashes = {entry["name"]: entry["sha256"] for entry in self.call("hash", self.source)["tensors"]}
        self.assertEqual({entry["name"]: entry["sha256"] for entry in manifest["output"]["tensors"]}, hashes)
        self.assertTrue(self.call("verify", path)["verified"])
        self.assertTrue(self.call("verify", path, self.source)["verified"])

    def test_forecast_and_document(self) -> None:
        maker = random.Random(5)
        large = struct.pack("<400000f", *(maker.gauss(0, 0.02) for _ in range(400000)))
        large_source = safetensors(self.folder / "large.safetensors", {"w": ("F32", [400, 1000], large)})
        plan = self.call("plan", "pack", large_source, "-o", "large.cairnz")
        self.assertEqual((plan["job"], plan["runnable"], plan["tensors"]), ("pack", True, 1))
        self.assertNotIn("large.cairnz", self.names())
        document = self.folder / "plan.json"
        document.write_text(json.dumps(plan))
        self.assertEqual(self.call("job", "run", document, "--part", "1/2", code=2)["error"]["code"], "invalid-argument")
        report = self.call("job", "run", document)
        self.assertTrue(report["verified"])
        self.assertAlmostEqual(plan["output"]["bytes"] / report["bytes"], 1, delta=0.05)
        self.assertEqual(self.call("job", "list")["jobs"], [])
        # The plan contains the source's offsets and sizes: a different source is refused.
        safetensors(self.folder / "large.safetensors", {"w": ("F32", [400, 1000], large), "b": ("F32", [1], bytes(4))})
        (self.folder / "large.cairnz").unlink()
        (self.folder / "large.cairnz.cairn.json").unlink()
        self.assertEqual(self.call("job", "run", document, code=3)["error"]["code"], "changed-on-disk")

    def test_a_delta_where_it_pays(self) -> None:
        maker = random.Random(6)
        still = [maker.gauss(0, 0.02) for _ in range(60000)]
        fresh = [[maker.gauss(0, 0.02) for _ in range(60000)] for _ in range(2)]
        for step in range(2):
            safetensors(self.folder / f"{step}.safetensors", {
                "still": ("F32", [60000], struct.pack("<60000f", *still)),
                "fresh": ("F32", [60000], struct.pack("<60000f", *fresh[step]))})
        plan = self.call("plan", "pack", "1.safetensors", "-o", "1.cairnz", "--delta", "0.safetensors")
        self.assertIn("1 of 2 tensors", [decision["value"] for decision in plan["decisions"]])
        delta = self.call("pack", "1.safetensors", "-o", "1.cairnz", "--delta", "0.safetensors")
        alone = self.call("pack", "1.safetensors", "-o", "alone.cairnz")
        self.assertLess(delta["bytes"], alone["bytes"] * 0.55)

    def test_reading_verbs(self) -> None:
        self.pack()
        self.assertEqual(self.call("info", "model.cairnz")["format"], "archive")
        self.assertEqual(self.call("info", "model.cairnz")["values"], self.call("info", self.source)["values"])
        self.assertEqual(self.call("show", "model.cairnz", "--tensor", "ids", "--slice", "7:9")["values"], [7, 8])
        for verb in ("hash", "stats", "tree"):
            left, right = self.call(verb, self.source), self.call(verb, "model.cairnz")
            for key in ("tensors", "tree", "fingerprint"):
                self.assertEqual(left.get(key), right.get(key), verb)
        piece = self.call("placement", "model.cairnz", "--tensor", "layer.weight")["tensors"][0]["pieces"][0]
        self.assertEqual((piece["codec"], piece["box"]["extent"]), ("byte planes", [50, 100]))
        self.assertEqual(self.call("check", "model.cairnz")["verdict"], self.call("check", self.source)["verdict"])
        self.call("diff", self.source, "model.cairnz", "--values")

    def test_runs_of_archives(self) -> None:
        (self.folder / "run").mkdir()
        self.pack("run/step-100.cairnz")
        self.pack("run/step-200.cairnz", "--delta", "run/step-100.cairnz")
        listed = self.call("runs", self.folder / "run")["runs"][0]["checkpoints"]
        self.assertEqual([(each["format"], each["step"]) for each in listed], [("archive", 100), ("archive", 200)])
        self.assertTrue(self.call("info", self.folder / "run")["path"].endswith("step-200.cairnz"))
        self.pack("run/step-300.cairnz")
        for days, file in enumerate(("step-300.cairnz", "step-200.cairnz", "step-100.cairnz"), 1):
            os.utime(self.folder / "run" / file, (time.time() - 86400 * days,) * 2)
        plan = self.call("prune", "run", "--keep-last", 1)
        self.assertEqual([Path(each["path"]).name for each in plan["remove"]], ["step-200.cairnz"])
        self.assertEqual({Path(each["path"]).name: each["why"] for each in plan["keep"]}["step-100.cairnz"],
                         "named by step-200.cairnz")
        (self.folder / "run" / "step-100.cairnz").unlink()
        answer = self.call("check", self.folder / "run" / "step-200.cairnz", code=1)
        self.assertIn("missing-shard", {finding["code"] for finding in answer["findings"]})

    def test_unpack(self) -> None:
        self.pack()
        report = self.call("unpack", "model.cairnz", "-o", "again.safetensors")
        self.assertTrue(report["verified"])
        self.call("consolidate", self.source, "-o", "direct.safetensors", "--only", "all")
        self.assertEqual((self.folder / "again.safetensors").read_bytes(), (self.folder / "direct.safetensors").read_bytes())
        self.call("unpack", "model.cairnz", "-o", "again.pt")
        self.assertEqual(self.call("info", "again.pt")["format"], "torch")
        self.call("unpack", "model.cairnz", "-o", "ranks", "--to", "dcp")
        self.assertEqual(self.call("hash", "ranks")["fingerprint"], self.call("hash", self.source)["fingerprint"])
        self.assertEqual(self.call("unpack", self.source, "-o", "no.safetensors", code=2)["error"]["code"], "invalid-argument")

    def test_levels(self) -> None:
        fast = self.pack()["bytes"]
        self.assertLessEqual(self.pack("slow.cairnz", "--level", 19)["bytes"], fast)
        for level in ("0", "20", "-1", "fast", "1x", ""):
            self.assertEqual(self.pack("bad.cairnz", f"--level={level}", code=2)["error"]["code"], "invalid-argument")
        self.assertNotIn("bad.cairnz", self.names())

    def test_delta(self) -> None:
        self.pack("base.cairnz")
        report = self.pack("delta.cairnz", "--delta", "base.cairnz")
        self.assertLess(report["bytes"], 700)
        self.assertEqual(self.call("hash", "delta.cairnz")["fingerprint"], self.call("hash", self.source)["fingerprint"])
        (self.folder / "sub").mkdir()
        self.assertEqual(self.pack("sub/x.cairnz", "--delta", "base.cairnz", code=5)["error"]["code"], "outside-folder")
        self.assertEqual(list((self.folder / "sub").iterdir()), [])

    def test_nothing_is_written_over_or_in_part(self) -> None:
        self.pack()
        before = (self.folder / "model.cairnz").read_bytes()
        self.assertEqual(self.pack(code=4)["error"]["code"], "output-exists")
        self.assertEqual(self.pack(self.source, code=5)["error"]["code"], "output-is-input")
        self.assertEqual((self.folder / "model.cairnz").read_bytes(), before)
        self.assertEqual(self.call("pack", f"{self.source}#layer", "-o", "part.cairnz", code=2)["error"]["code"], "invalid-argument")
        self.assertEqual(self.call("pack", "nowhere", "-o", "x.cairnz", code=3)["error"]["code"], "not-found")
        self.assertEqual(self.names(), ["model.cairnz", "model.cairnz.cairn.json", "model.safetensors"])

    def test_killed_at_any_time(self) -> None:
        """The output is absent or complete; running the command again succeeds and leaves no other files."""
        large = {f"layer.{i}": ("F32", [1 << 18], random.Random(i).randbytes(1 << 20)) for i in range(24)}
        self.source = safetensors(self.folder / "large.safetensors", large)
        maker = random.Random(11)
        for round in range(8):
            process = subprocess.Popen([CLI, "pack", self.source, "-o", "killed.cairnz", "-q"], cwd=self.folder)
            time.sleep(maker.uniform(0.005, 0.25))
            process.send_signal(signal.SIGKILL)
            process.wait()
            if (self.folder / "killed.cairnz").exists():
                self.assertEqual(self.call("hash", "killed.cairnz")["fingerprint"], self.call("hash", self.source)["fingerprint"])
                for path in self.folder.glob("*killed.cairnz*"):
                    path.unlink()
        report = self.pack("killed.cairnz")
        self.assertTrue(report["verified"])
        self.assertEqual([name for name in self.names() if "partial" in name], [])
        self.assertEqual(self.call("hash", "killed.cairnz")["fingerprint"], self.call("hash", self.source)["fingerprint"])


if __name__ == "__main__":
    unittest.main()
