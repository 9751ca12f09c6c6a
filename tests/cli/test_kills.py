#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills writing jobs at random moments, runs them again and compares with uninterrupted jobs. Standard library only.

    CAIRN_CLI=build/dev/bin/cairn-cli CAIRN_KILLS=2000 python3 tests/cli/test_kills.py

CAIRN_KILLS sets the number of kills (default 40), CAIRN_KILLS_SEED the random seed (1). The number of jobs that were killed before they finished is printed.
"""

from __future__ import annotations

import hashlib
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, CliTest, run
from made_files import floats, safetensors

KILLS = int(os.environ.get("CAIRN_KILLS", "40"))
SEED = int(os.environ.get("CAIRN_KILLS_SEED", "1"))
TELL = {"README.md", "MANIFEST.json"}  # time and start of the kill

JOBS = {
    "one file": ["consolidate", "a.safetensors", "-o", "out/m.safetensors"],
    "torch file": ["consolidate", "a.safetensors", "-o", "out/m.pt", "--to", "torch"],
    "shards": ["reshard", "a.safetensors", "-o", "out/shards", "--max-shard-size", "1MB"],
    "four ranks": ["reshard", "a.safetensors", "-o", "out/ranks", "--ranks", "4"],
    "grid": ["reshard", "a.safetensors", "-o", "out/grid", "--grid", "2x2", "--dim", "0,1"],
    "file a layer": ["reshard", "a.safetensors", "-o", "out/layers", "--per-layer"],
    "cast": ["cast", "a.safetensors", "-o", "out/c.safetensors", "--dtype", "bf16"],
    "average": ["average", "a.safetensors", "b.safetensors", "-o", "out/mean.safetensors"],
    "ranks to one": ["consolidate", "ranks", "-o", "out/joined.safetensors", "--only", "all"],
    "bundle": ["consolidate", "sample/tiny-llama-a/step-400", "-o", "out/deploy", "--bundle"],
}


def write_source(path: Path, seed: int) -> None:
    """Layers of a few hundred kB of random finite float32, as a safetensors file, written with the standard library."""
    source = random.Random(seed)
    tensors = {}
    for layer in range(6):
        for name, shape in (("weight", [256, 301]), ("bias", [301])):
            values = floats(*(source.random() - 0.5 for _ in range(math.prod(shape))))
            tensors[f"layers.{layer}.{name}"] = ("F32", shape, values)
    safetensors(path, tensors)


def content(path: Path) -> dict[str, str]:
    """The bytes of an output's files, by name."""
    files = [path] if path.is_file() else [file for file in sorted(path.rglob("*")) if file.is_file()]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.name not in TELL}


class Kills(CliTest):
    def test_killed_jobs_leave_nothing_or_all_and_go_on_to_the_same_bytes(self) -> None:
        chance = random.Random(SEED)
        folder, environment, out = self.folder, self.environment, self.folder / "out"

        def do(*words: str) -> None:
            answer = run(*words, "-q", cwd=folder, env=environment)
            self.assertEqual(answer.code, 0, f"{words}: {answer.said()}")

        for number, source in enumerate(("a", "b")):
            write_source(folder / f"{source}.safetensors", number)
        do("sample", "sample")
        out.mkdir()
        do("reshard", "a.safetensors", "-o", "ranks", "--ranks", "3")
        wanted, seconds = {}, {}
        for job, words in JOBS.items():
            start = time.monotonic()
            do(*words)
            seconds[job] = time.monotonic() - start
            wanted[job] = content(folder / words[words.index("-o") + 1])
            shutil.rmtree(out)
            out.mkdir()
        met = 0
        for kill in range(KILLS):
            job, words = list(JOBS.items())[kill % len(JOBS)]
            output = folder / words[words.index("-o") + 1]
            with self.subTest(job=job, kill=kill):
                process = subprocess.Popen([CLI, *words, "-q"], cwd=folder, env=environment,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(chance.random() * seconds[job])
                process.send_signal(signal.SIGKILL)
                met += process.wait() == -signal.SIGKILL
                if output.exists():
                    self.assertEqual(content(output), wanted[job], "published, but not what it should be")
                else:
                    do(*words)
                    self.assertEqual(content(output), wanted[job], "not the bytes of the job that ran through")
                cleaned = run("job", "clean", "--apply", "-q", cwd=folder, env=environment)
                self.assertIn(cleaned.code, (0, 3), cleaned.said())  # 3: nothing was written
                left = [path.name for path in out.iterdir() if ".cairn-partial-" in path.name]
                self.assertEqual(left, [])
                shutil.rmtree(out)
                out.mkdir()
        print(f"{met} of {KILLS} kills met a running job")
        self.assertGreater(met, KILLS // 4)


if __name__ == "__main__":
    unittest.main()
