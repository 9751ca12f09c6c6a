# SPDX-License-Identifier: Apache-2.0
"""Old megatron-core folders (megatron_old_folders.py) against its own load_plain_tensors().

Skipped where nobody has made them: they need an environment of their own (requirements-megatron-old.txt).
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from support import ROOT, expected_of, hashes, per_folder, read, run

DATA = Path(os.environ.get("CAIRN_MEGATRON_OLD_DATA", ROOT / "build" / "interop-megatron-old")).resolve()
EXPECTED = expected_of(DATA)


@unittest.skipUnless(EXPECTED, f"no checkpoints of an old megatron-core in {DATA}")
@per_folder(DATA, EXPECTED)
class Old(unittest.TestCase):
    maxDiff = 3000

    def each_names_dtypes_and_shapes(self, case, path):
        found = {entry["name"]: (entry["dtype"], entry["shape"]) for entry in read("ls", path).json["tensors"]}
        self.assertEqual(found, {name: (entry["dtype"], entry["shape"]) for name, entry in case["tensors"].items()})

    def each_elements(self, case, path):
        self.assertEqual(hashes(path), {name: entry["sha256"] for name, entry in case["tensors"].items()})

    def each_facts(self, case, path):
        for place in (path, path.parent):
            info = read("info", place).json
            self.assertEqual((info["format"], info["framework"], info["complete"], info["step"]),
                             ("megatron" if case["backend"] == "zarr" else "dcp", "megatron", "complete", case["iteration"]), info["why"])
        self.assertEqual(info["values"]["args"]["$state"]["dist_ckpt_format"], case["backend"])
        runs = read("runs", path.parent).json["runs"]
        self.assertEqual([(each["step"], each["state"]) for found in runs for each in found["checkpoints"]], [(20, "complete")])

    def each_check_and_placement(self, case, path):
        answer = run("check", path, "--json")
        self.assertEqual((answer.code, answer.json["verdict"], answer.json["findings"]), (0, "healthy", []))
        coverage = read("placement", path).json["coverage"]
        self.assertEqual((coverage["holes"], coverage["overlaps"]), (0, 0))

    def each_weights_consolidate(self, case, path):
        weights = {name for name in case["tensors"] if not name.startswith("optimizer.")}
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.safetensors"
            answer = run("consolidate", path, "-o", out, "--only", "weights", "--json")
            self.assertEqual((answer.code, answer.json.get("verified")), (0, True), answer.said())
            self.assertEqual(hashes(out), {name: case["tensors"][name]["sha256"] for name in weights})
            answer = run("consolidate", path, "-o", Path(folder) / "all.safetensors", "--only", "all", "--json")
            self.assertEqual((answer.code, answer.json.get("verified")), (0, True), answer.said())
            found = hashes(Path(folder) / "all.safetensors")
            self.assertEqual(found, {name: entry["sha256"] for name, entry in case["tensors"].items()})


@unittest.skipUnless(EXPECTED, f"no checkpoints of an old megatron-core in {DATA}")
class Damage(unittest.TestCase):
    def copied(self, name: str) -> Path:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        shutil.copytree(DATA / EXPECTED[name]["path"], Path(holder.name) / "save")
        return Path(holder.name) / "save"

    def test_a_lost_chunk_is_a_hole(self):
        save = self.copied("zarr_tp2")
        (save / "decoder.layers.mlp.linear_fc2.weight" / "1.0.1").unlink()
        info = read("info", save).json
        self.assertEqual(info["complete"], "incomplete", info)
        answer = run("check", save, "--json")
        self.assertEqual(answer.code, 1)
        self.assertIn("decoder.layers.mlp.linear_fc2.weight", answer.text)
        with tempfile.TemporaryDirectory() as out:
            self.assertNotEqual(run("consolidate", save, "-o", f"{out}/x.safetensors", "--json").code, 0)

    def test_without_its_last_file_it_is_being_written(self):
        save = self.copied("zarr_tp2")
        (save / "metadata.json").unlink()
        info = read("info", save).json
        self.assertEqual((info["format"], info["complete"]), ("megatron", "incomplete"))
        self.assertIn("being-written", [notice["code"] for notice in info["notices"]])

    def test_without_the_common_part(self):
        save = self.copied("zarr_tp2")
        (save / "decoder.layers.self_attention.linear_qkv._extra_state" / "shard_0_2.pt").write_bytes(b"PK\3\4")
        info = read("info", save).json
        self.assertEqual((info["format"], info["complete"]), ("megatron", "incomplete"))
        self.assertEqual(len(hashes(save)), len(EXPECTED["zarr_tp2"]["tensors"]))

    def test_a_lost_shard_of_flattened_states(self):
        save = self.copied("flat_tp2_dp2")
        lost = save / "__1_0.distcp"
        lost.unlink()
        info = read("info", save).json
        self.assertEqual(info["complete"], "incomplete")
        holes = read("placement", save).json
        shapes = {entry["name"]: entry["shape"] for entry in holes["tensors"]}
        self.assertEqual(shapes, {name: entry["shape"] for name, entry in EXPECTED["flat_tp2_dp2"]["tensors"].items()})

    def test_shapes_that_do_not_fit_are_left_as_stored(self):
        save = self.copied("flat_small")
        raw = (save / ".metadata").read_bytes()
        key = b"nd_reformulated_orig_global_shape"
        self.assertIn(key, raw)
        (save / ".metadata").write_bytes(raw.replace(key, key[:-1] + b"X"))
        shapes = {entry["name"]: entry["shape"] for entry in read("ls", save).json["tensors"]}
        wanted = EXPECTED["flat_small"]["tensors"]
        changed = [name for name, shape in shapes.items() if shape != wanted[name]["shape"]]
        self.assertTrue(changed and all(name.startswith("optimizer.") for name in changed))
        self.assertEqual(run("check", save, "--json").code, 0)


class UnpackedNemo(unittest.TestCase):
    """What `tar xf x.nemo` leaves when the weights are a distributed checkpoint; with the goldens, so that it always runs."""

    def test_its_weights_are_those_of_the_folder_inside(self):
        for golden in ("megatron/zarr", "dcp/megatron_flat"):
            inner = ROOT / "tests/data" / golden
            with self.subTest(golden), tempfile.TemporaryDirectory() as top:
                folder = Path(top) / "unpacked"
                shutil.copytree(inner, folder / "model_weights")
                (folder / "model_config.yaml").write_text("name: net\n")
                self.assertEqual(hashes(folder), hashes(inner))
                info = read("info", folder).json
                self.assertEqual((info["framework"], info["complete"], info["step"]), ("nemo", "complete", 20))
                out = Path(top) / "out.safetensors"
                answer = run("consolidate", folder, "-o", out, "--only", "all", "--json")
                self.assertEqual((answer.code, answer.json.get("verified")), (0, True), answer.said())
                self.assertEqual(hashes(out), hashes(inner))


if __name__ == "__main__":
    unittest.main()
