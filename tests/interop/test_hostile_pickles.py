# SPDX-License-Identifier: Apache-2.0
"""`scan` against pickles that are proven to run code, of which none is called inert, and against what frameworks save, of which
none is accused. CAIRN_PICKLES generates so many that run instead of a few, and five thirds as many of what frameworks save;
CAIRN_PICKLES_SEED others. The heavy part `pickle_gate` makes 600 and 1,000."""

from __future__ import annotations

import os
import unittest
from collections import Counter
from pathlib import Path

import benign_pickles
import hostile_files
import hostile_pickles
import running_pickles
from support import run, temporary

COUNT = int(os.environ.get("CAIRN_PICKLES", "60"))
SEED = int(os.environ.get("CAIRN_PICKLES_SEED", "1"))

NAMED = ("would-run-code", "unknown-class", "ambiguous", "not-examined")


class HostilePickles(unittest.TestCase):
    def test_each_sample_runs_code_and_is_named(self) -> None:
        with temporary() as folder:
            samples = hostile_pickles.collect(Path(folder)).samples
            self.assertGreaterEqual(len(samples), 150)
            verdicts: Counter[str] = Counter()
            for sample in samples:
                with self.subTest(sample.name):
                    self.assertTrue(hostile_pickles.runs(sample), "the sample does not run code")
                    sample.canary.rmdir() if sample.canary.is_dir() and not sample.canary.is_symlink() else sample.canary.unlink()
                    answer = run("scan", sample.scan, "--json")
                    verdict = answer.json["verdict"]
                    verdicts[verdict] += 1
                    self.assertIn(verdict, ("would-run-code",) if sample.known else NAMED, answer.json["reasons"])
                    self.assertEqual(answer.code, 0 if verdict == "unknown-class" else 1)
                    self.assertFalse(os.path.lexists(sample.canary), "scan ran the payload")
            self.assertGreater(verdicts["would-run-code"], 0.95 * len(samples), verdicts)


class GeneratedPickles(unittest.TestCase):
    count = COUNT

    def test_each_sample_that_runs_code_is_named(self) -> None:
        """The only thing that a sample does is to make a file in its own folder; that it does, when Python loads it, is proven."""
        import torch.optim  # noqa: F401  once, before the processes that load them

        with temporary() as folder:
            carriers: Counter[str] = Counter()
            for sample in running_pickles.generate(Path(folder), self.count, SEED):
                carriers[sample.carrier] += 1
                with self.subTest(sample.label):
                    answer = run("scan", sample.path, "--json")
                    self.assertEqual((answer.json["verdict"], answer.code), ("would-run-code", 1), answer.json["reasons"])
                    self.assertTrue(answer.json["reasons"])
                    self.assertFalse(os.path.lexists(sample.marker), "scan ran the payload")
            self.assertEqual(carriers.total(), self.count)
            self.assertGreater(len(carriers), 20, "few ways to call ran at all")

    def test_what_frameworks_save_is_not_accused(self) -> None:
        with temporary() as folder:
            count = self.count * 5 // 3
            files = benign_pickles.write(Path(folder), count, SEED)
            self.assertEqual(len(files), count)
            for path in files:
                with self.subTest(path.name):
                    answer = run("scan", path, "--json")
                    self.assertIn(answer.json["verdict"], ("inert", "unknown-class", "not-examined"), answer.json["reasons"])


class BenignFiles(unittest.TestCase):
    def test_what_frameworks_wrote_is_not_accused(self) -> None:
        data = Path(__file__).parents[1] / "data"
        others = ("history", "decisions")  # of which some would run code, on purpose
        paths = sorted(path for folder in data.iterdir() if folder.name not in others for path in folder.iterdir())
        self.assertGreaterEqual(len(paths), 60)
        for path in paths:
            with self.subTest(str(path.relative_to(data))):
                answer = run("scan", path, "--json")
                if path.name == "traced.pt":  # torch.fx compiles the source that such a file contains
                    self.assertEqual(answer.json["verdict"], "would-run-code")
                    continue
                self.assertIn(answer.json["verdict"], ("inert", "unknown-class"), answer.json["reasons"])

    def test_info_tells_the_verdict(self) -> None:
        import torch

        with temporary() as folder:
            path = Path(folder) / "a.pt"
            torch.save({"w": torch.ones(2), "x": hostile_files.Touch(Path(folder) / "canary")}, path)
            answer = run("info", path, "--json")
            self.assertEqual(answer.json["pickle"], "would-run-code")
            self.assertIn("system; nothing was executed", answer.json["pickle_says"])
            torch.save({"w": torch.ones(2)}, path)
            self.assertEqual(run("info", path, "--json").json["pickle"], "inert")
            self.assertFalse((Path(folder) / "canary").exists())


if __name__ == "__main__":
    unittest.main()
