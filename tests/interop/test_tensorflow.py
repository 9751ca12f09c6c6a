# SPDX-License-Identifier: Apache-2.0
"""Compares the output of cairn-cli for TensorFlow's checkpoints with tf.train.load_checkpoint().

Needs a separate environment (2 GB): python3 -m venv build/venv-tf && build/venv-tf/bin/pip install -r
tests/interop/requirements-tensorflow.txt. CAIRN_TENSORFLOW_PYTHON sets a different one; without any, the tests are skipped.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import support

PYTHON = Path(os.environ.get("CAIRN_TENSORFLOW_PYTHON", support.ROOT / "build/venv-tf/bin/python"))
DATA = Path(os.environ.get("CAIRN_TENSORFLOW_DATA", support.ROOT / "build/interop-tf")).resolve()

GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


@functools.lru_cache(maxsize=1)
def cases() -> dict[str, dict]:
    """Writes the cases that do not exist yet."""
    if not PYTHON.exists():
        raise unittest.SkipTest(f"no TensorFlow: {PYTHON} is not there")
    DATA.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([PYTHON, support.HERE / "tensorflow_checkpoints.py", DATA], capture_output=True, text=True, timeout=1500)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-3000:])
    return {file.stem: json.loads(file.read_text()) for file in sorted(DATA.glob("*.json"))}


class TensorFlow(unittest.TestCase):
    maxDiff = None

    def read(self, verb: str, path: Path, *more: object) -> dict:
        answer = support.run(verb, path, *more, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json

    def each(self):
        for name, case in cases().items():
            with self.subTest(name):
                yield name, DATA / case["path"], case["tensors"]

    def test_names_dtypes_and_shapes(self) -> None:
        for _, path, tensors in self.each():
            rows = self.read("ls", path)["tensors"]
            found = {row["name"]: [row["dtype"], row["shape"]] for row in rows if row["dtype"] != "opaque"}
            self.assertEqual(found, {name: [dtype, shape] for name, (dtype, shape, _) in tensors.items()})

    def test_content(self) -> None:
        for _, path, tensors in self.each():
            found = {row["name"]: row["sha256"] for row in self.read("hash", path)["tensors"]}
            self.assertEqual({name: found.get(name) for name in tensors}, {name: sha for name, (_, _, sha) in tensors.items()})

    def test_complete_and_healthy(self) -> None:
        for _, path, _ in self.each():
            self.assertEqual(self.read("info", path)["complete"], "complete")
            answer = support.run("check", path, "--json")
            bad = [row for row in answer.json["findings"] if row["severity"] == "error" and row["code"] != "non-finite"]
            self.assertEqual(bad, [], answer.said())

    def test_folders_and_runs(self) -> None:
        cases()
        listed = self.read("runs", DATA / "manager")["runs"][0]["checkpoints"]
        self.assertEqual([Path(row["path"]).name for row in listed], ["ckpt-2", "ckpt-3"])
        self.assertEqual([row["step"] for row in listed], [10, 15])
        self.assertEqual([row["latest"] for row in listed], [False, True])
        info = self.read("info", DATA / "manager")
        self.assertEqual(Path(info["path"]).name, "ckpt-3")
        self.assertEqual((info["step"], info["epoch"]), (15, 3))
        whole = self.read("hash", DATA / "manager")["fingerprint"]
        for name in ("ckpt-3", "ckpt-3.index", "ckpt-3.data-00000-of-00001"):
            self.assertEqual(self.read("hash", DATA / "manager" / name)["fingerprint"], whole, name)

    def test_unmerged_parts_are_being_written(self) -> None:
        cases()
        parts = DATA / "three_shards/unmerged/ckpt-9_temp"
        info = self.read("info", parts)
        self.assertEqual(info["complete"], "incomplete")
        self.assertIn("being-written", [row["code"] for row in info["notices"]])
        table = [row for row in self.read("ls", parts)["tensors"] if row["name"] == "table"]
        self.assertEqual(table[0]["shape"], [6, 4])
        whole = {row["name"]: row.get("sha256") for row in self.read("hash", DATA / "three_shards/ckpt-9")["tensors"]}
        answer = support.run("hash", parts, "--json")
        self.assertEqual(answer.code, 1, answer.said())  # a checkpoint that is not complete
        found = {row["name"]: row.get("sha256") for row in answer.json["tensors"]}
        self.assertEqual(found, whole)

    def test_strings_are_shown(self) -> None:
        cases()
        shown = self.read("show", DATA / "dtypes/all-3", "--tensor", "strings/matrix")
        self.assertEqual(shown["values"][:2], [["", "a"], ["длинное слово", "x" * 300]])
        part = self.read("show", DATA / "strings/words", "--tensor", "cube", "--slice", "1,2,:2")
        self.assertEqual(part["values"], ["word20" * 2, "word21" * 3])

    def test_a_changed_byte_is_found(self) -> None:
        cases()
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(shutil.copytree(DATA / "partitioned", Path(folder) / "copy"))
            shard = copy / "model.ckpt-1200.data-00000-of-00001"
            data = bytearray(shard.read_bytes())
            data[5] ^= 1
            shard.write_bytes(data)
            answer = support.run("check", copy, "--json")
            self.assertEqual(answer.code, 1, answer.said())
            self.assertIn("bad-checksum", [row["code"] for row in answer.json["findings"]])

    def test_weights_become_safetensors(self) -> None:
        cases()
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.safetensors"
            answer = support.run("consolidate", DATA / "three_shards/ckpt-9", "-o", out, "--only", "all", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            rows = {row["name"]: row["sha256"] for row in self.read("hash", out)["tensors"]}
            expected = {name: sha for name, (dtype, _, sha) in cases()["three_shards"]["tensors"].items() if dtype != "string"}
            self.assertEqual(rows, expected)

    def oracle(self, prefixes: list[Path]) -> list[dict]:
        """What TensorFlow's reader finds in checkpoints that Cairn wrote."""
        program = ("import importlib.util, json, sys; spec = importlib.util.spec_from_file_location('g', sys.argv[1]); "
                   "g = importlib.util.module_from_spec(spec); spec.loader.exec_module(g); print(json.dumps([g.oracle(p) for p in sys.argv[2:]]))")
        done = subprocess.run([PYTHON, "-c", program, support.ROOT / "tests/data/tensorflow/generate.py", *prefixes],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return [{name: [dtype, shape, sha] for name, dtype, shape, sha in rows} for rows in json.loads(done.stdout.splitlines()[-1])]

    def test_everything_is_written_again(self) -> None:
        """TensorFlow reads the same from what Cairn writes, in one data file and in several."""
        with tempfile.TemporaryDirectory() as folder:
            expected, outputs = [], []
            for name, path, tensors in self.each():
                opaque = any(row["dtype"] == "opaque" for row in self.read("ls", path)["tensors"])
                for shards in ([], ["--max-shard-size", "2KB"]):
                    if opaque and shards:
                        continue
                    out = Path(folder) / f"{name}{len(shards)}"
                    verb = ["convert", path, "--for", "tensorflow"] if opaque else ["consolidate", path, "--only", "all", "--to", "tensorflow", *shards]
                    answer = support.run(*verb, "-o", out, "--json")
                    self.assertEqual(answer.code, 0, answer.said())
                    again = Path(folder) / f"{name}{len(shards)}-again"
                    self.assertEqual(support.run(*verb, "-o", again, "--json").code, 0)
                    for file in sorted(out.iterdir()):
                        if "cairn" not in file.name:
                            self.assertEqual(file.read_bytes(), (again / file.name).read_bytes(), file)
                    expected.append((name, opaque, tensors))
                    outputs.append(out / "model")
            for (name, opaque, tensors), found in zip(expected, self.oracle(outputs)):
                with self.subTest(name):
                    if opaque:  # its graph has no iterator
                        tensors = {key: row for key, row in tensors.items() if key != GRAPH}
                        self.assertIsNotNone(found.pop(GRAPH))
                    self.assertEqual(found, tensors)

    def test_a_damaged_graph_is_not_written(self) -> None:
        cases()
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(shutil.copytree(DATA / "manager", Path(folder) / "copy"))
            shard = copy / "ckpt-3.data-00000-of-00001"
            data = bytearray(shard.read_bytes())
            data[data.index(b"layer_with_weights")] ^= 1
            shard.write_bytes(data)
            answer = support.run("consolidate", copy / "ckpt-3", "--only", "all", "--to", "tensorflow", "-o", Path(folder) / "all", "--json")
            self.assertEqual((answer.code, answer.json["error"]["code"]), (3, "bad-checksum"))
            plan = support.run("plan", "consolidate", copy / "ckpt-3", "--to", "tensorflow", "-o", Path(folder) / "weights", "--json").json
            self.assertIn("bad-checksum", [row["code"] for row in plan["problems"]])  # the weights alone load by name

    def test_restored_objects_train_on(self) -> None:
        cases()
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([PYTHON, support.HERE / "tensorflow_restored.py", folder, str(support.CLI)],
                                  capture_output=True, text=True, timeout=1200)
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
            results = json.loads(done.stdout.splitlines()[-1])
            self.assertEqual(len(results), 9)
            for name, (original, written) in results.items():
                self.assertEqual(written, original, name)
            self.assertEqual(results["weights"][1], [True] * 8)


if __name__ == "__main__":
    unittest.main()
