#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills writing jobs at random moments, runs them again and compares with uninterrupted jobs. Standard library only.

    CAIRN_CLI=build/dev/bin/cairn-cli CAIRN_KILLS=2000 python3 tests/cli/test_kills.py

CAIRN_KILLS sets the number of kills (default 40), CAIRN_KILLS_SEED the random seed (1). The number of jobs that were killed before they finished is printed.
"""

from __future__ import annotations

import hashlib
import json
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
    "fold": ["fold", "base", "--adapter", "one", "--adapter", "two=0.5", "-o", "out/folded"],
    "fold, fp8": ["fold", "base", "--adapter", "one", "-o", "out/fp8", "--dtype", "fp8_block", "--max-shard-size", "400KB"],
    "fold, blocks": ["consolidate", "base", "--adapter", "one", "-o", "out/folded.gguf", "--dtype", "q8_0", "--names", "keep"],
    "mean, fp8": ["average", "a.safetensors", "b.safetensors", "-o", "out/mean8", "--dtype", "fp8", "--bundle", "--force"],
    "mean, gguf": ["average", "a.safetensors", "b.safetensors", "-o", "out/mean.gguf", "--to", "gguf", "--names", "keep"],
    "published mean": ["average", "experts0", "experts1", "-o", "out/published", "--bundle", "--force", "--max-shard-size", "600KB"],
    "blocks": ["consolidate", "base", "-o", "out/shards8", "--dtype", "q8_0", "--names", "keep", "--max-shard-size", "400KB"],
}
IN_PARTS = ("shards", "cast", "average", "fold", "fold, fp8", "fold, blocks", "mean, fp8", "published mean", "blocks")


def write_source(path: Path, seed: int) -> None:
    """Layers of a few hundred kB of random finite float32, as a safetensors file, written with the standard library."""
    source = random.Random(seed)
    tensors = {}
    for layer in range(6):
        for name, shape in (("weight", [256, 301]), ("bias", [301])):
            values = floats(*(source.random() - 0.5 for _ in range(math.prod(shape))))
            tensors[f"layers.{layer}.{name}"] = ("F32", shape, values)
    safetensors(path, tensors)


def write_base(folder: Path) -> None:
    """A model of a few float32 matrices, and two adapters of it."""
    source = random.Random(3)

    def values(shape: list[int]) -> tuple[str, list[int], bytes]:
        return "F32", shape, floats(*(source.gauss(0, 0.1) for _ in range(math.prod(shape))))

    shapes = {f"model.layers.{layer}.{name}": shape for layer in range(3) for name, shape in (("up", [320, 256]), ("down", [256, 320]))}
    safetensors(folder / "base" / "model.safetensors", {f"{name}.weight": values(shape) for name, shape in shapes.items()})
    (folder / "base" / "config.json").write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}))
    for adapter, rank in (("one", 8), ("two", 3)):
        tensors = {}
        for name, (rows, columns) in shapes.items():
            tensors |= {f"base_model.model.{name}.lora_A.weight": values([rank, columns]), f"base_model.model.{name}.lora_B.weight": values([rows, rank])}
        safetensors(folder / adapter / "adapter_model.safetensors", tensors)
        (folder / adapter / "adapter_config.json").write_text(json.dumps(
            {"peft_type": "LORA", "r": rank, "lora_alpha": 16, "target_modules": ["up", "down"]}))
    for number in range(2):  # experts as they are in memory, which are cut out of one tensor
        tensors = {}
        for layer in range(2):
            mlp = f"model.layers.{layer}.mlp"
            tensors |= {f"{mlp}.experts.gate_up_proj": values([4, 96, 128]), f"{mlp}.experts.down_proj": values([4, 128, 48]), f"{mlp}.gate.weight": values([4, 128])}
        safetensors(folder / f"experts{number}" / "model.safetensors", tensors)
        (folder / f"experts{number}" / "config.json").write_text(json.dumps(
            {"architectures": ["MixtralForCausalLM"], "model_type": "mixtral", "num_local_experts": 4, "num_hidden_layers": 2}))


def content(path: Path) -> dict[str, str]:
    """The bytes of an output's files, by name."""
    files = [path] if path.is_file() else [file for file in sorted(path.rglob("*")) if file.is_file()]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.name not in TELL}


class Kills(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.chance = random.Random(SEED)
        self.out = self.folder / "out"
        for number, source in enumerate(("a", "b")):
            write_source(self.folder / f"{source}.safetensors", number)
        write_base(self.folder)
        self.do("sample", "sample")
        self.out.mkdir()
        self.do("reshard", "a.safetensors", "-o", "ranks", "--ranks", "3")

    def do(self, *words: str) -> None:
        answer = run(*words, "-q", cwd=self.folder, env=self.environment)
        self.assertEqual(answer.code, 0, f"{words}: {answer.said()}")

    def start(self, *words: str) -> subprocess.Popen:
        return subprocess.Popen([CLI, *words, "-q"], cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def output(self, job: str) -> Path:
        words = JOBS[job]
        return self.folder / words[words.index("-o") + 1]

    def empty(self) -> None:
        shutil.rmtree(self.out)
        self.out.mkdir()

    def uninterrupted(self, jobs: dict | tuple) -> tuple[dict, dict]:
        """The bytes of each job's output, and how long it takes."""
        wanted, seconds = {}, {}
        for job in jobs:
            start = time.monotonic()
            self.do(*JOBS[job])
            seconds[job] = time.monotonic() - start
            wanted[job] = content(self.output(job))
            self.assertTrue(wanted[job])
            self.empty()
        return wanted, seconds

    def nothing_left(self) -> None:
        cleaned = run("job", "clean", "--apply", "-q", cwd=self.folder, env=self.environment)
        self.assertIn(cleaned.code, (0, 3), cleaned.said())  # 3: nothing was written
        self.assertEqual([path.name for path in self.out.iterdir() if ".cairn-partial-" in path.name], [])
        self.empty()

    def test_killed_jobs_leave_nothing_or_all_and_go_on_to_the_same_bytes(self) -> None:
        wanted, seconds = self.uninterrupted(JOBS)
        met = 0
        for kill in range(KILLS):
            job, words = list(JOBS.items())[kill % len(JOBS)]
            output = self.output(job)
            with self.subTest(job=job, kill=kill):
                process = self.start(*words)
                time.sleep(self.chance.random() * seconds[job])
                process.send_signal(signal.SIGKILL)
                met += process.wait() == -signal.SIGKILL
                if output.exists():
                    self.assertEqual(content(output), wanted[job], "published, but not what it should be")
                    again = run(*words, "-q", cwd=self.folder, env=self.environment)
                    self.assertIn(again.code, (0, 4), again.said())  # 0: its manifest had no name yet; 4: it exists
                else:
                    self.do(*words)
                    self.assertEqual(content(output), wanted[job], "not the bytes of the job that ran through")
                self.nothing_left()
        print(f"{met} of {KILLS} kills met a running job")
        self.assertGreater(met, KILLS // 4)

    def test_killed_parts_are_sent_again_until_all_is_written(self) -> None:
        """As an array of a scheduler: three parts at a time, each killed at a random moment, until nothing is left to do."""
        wanted, seconds = self.uninterrupted(IN_PARTS)
        met = 0
        for number in range(max(KILLS // 4, len(IN_PARTS))):
            job = IN_PARTS[number % len(IN_PARTS)]
            with self.subTest(job=job, number=number):
                plan = self.folder / "plan.json"
                plan.write_text(run("plan", *JOBS[job], "--parts", "3", "--json", cwd=self.folder, env=self.environment).text)
                for _ in range(2):
                    parts = [self.start("job", "run", str(plan), "--part", f"{part}/3") for part in self.chance.sample((1, 2, 3), 3)]
                    for process in parts:
                        time.sleep(self.chance.random() * seconds[job] / 2)
                        process.send_signal(signal.SIGKILL)
                    met += sum(process.wait() == -signal.SIGKILL for process in parts)
                    if self.output(job).exists():
                        self.assertEqual(content(self.output(job)), wanted[job], "published, but not what it should be")
                for part in self.chance.sample((1, 2, 3), 3):
                    self.do("job", "run", str(plan), "--part", f"{part}/3")
                self.assertEqual(content(self.output(job)), wanted[job], "not the bytes of the job that ran through")
                self.nothing_left()
        print(f"{met} parts were killed")
        self.assertGreater(met, len(IN_PARTS))


if __name__ == "__main__":
    unittest.main()
