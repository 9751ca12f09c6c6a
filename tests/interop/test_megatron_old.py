# SPDX-License-Identifier: Apache-2.0
"""Old megatron-core folders (megatron_old_folders.py) compared with its own load_plain_tensors().

Skipped if they were not made: they need a separate environment (requirements-megatron-old.txt).
"""

from __future__ import annotations

import json
import os
import shutil
import tarfile
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


def nemo(weights: Path, out: Path, arcname: str = ".") -> Path:
    """Packs the folder of NLPSaveRestoreConnector like NeMo's SaveRestoreConnector._make_nemo_file_from_folder."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(weights, Path(folder) / "model_weights")
        (Path(folder) / "model_config.yaml").write_text("name: net\n")
        with tarfile.open(out, "w:") as tar:
            if arcname == ".":
                tar.add(folder, arcname=".")
            else:
                for name in ("model_config.yaml", "model_weights"):
                    tar.add(Path(folder) / name, arcname=arcname + name)
    return out


class Nemo(unittest.TestCase):
    """Distributed checkpoints in a NeMo tar, and unpacked; at least the golden files, so that the test always runs."""

    def folders(self):
        for golden in ("megatron/zarr", "dcp/megatron_flat"):
            yield ROOT / "tests/data" / golden
        for case in EXPECTED.values():
            yield DATA / case["path"]

    def same(self, path: Path, inner: Path, top: str):
        self.assertEqual(hashes(path), hashes(inner))
        info = read("info", path).json
        self.assertEqual((info["framework"], info["complete"], info["step"]), ("nemo", "complete", 20))
        self.assertEqual(info["values"]["model_config.yaml"], "name: net\n")
        out = Path(top) / "out.safetensors"
        answer = run("consolidate", path, "-o", out, "--only", "all", "--force", "--json")
        self.assertEqual((answer.code, answer.json.get("verified")), (0, True), answer.said())
        self.assertEqual(hashes(out), hashes(inner))
        out.unlink()

    def test_unpacked_its_weights_are_those_of_the_folder_inside(self):
        for inner in self.folders():
            with self.subTest(inner), tempfile.TemporaryDirectory() as top:
                folder = Path(top) / "unpacked"
                shutil.copytree(inner, folder / "model_weights")
                (folder / "model_config.yaml").write_text("name: net\n")
                self.same(folder, inner, top)

    def test_a_tar_is_read_as_its_folder(self):
        for inner in self.folders():
            for arcname in (".", ""):
                with self.subTest(inner, arcname=arcname), tempfile.TemporaryDirectory() as top:
                    tar = nemo(inner, Path(top) / "x.nemo", arcname)
                    self.same(tar, inner, top)
                    self.assertEqual([file["path"] for file in read("ls", tar).json["files"] if not file["path"].endswith(")")], ["x.nemo"])
                    self.assertEqual((run("check", tar, "--json").code, read("runs", top).json["runs"][0]["checkpoints"][0]["state"]),
                                     (0, "complete"))

    def test_pieces_are_ranges_of_the_tar(self):
        inner = ROOT / "tests/data/megatron/zarr"
        with tempfile.TemporaryDirectory() as top:
            tar = nemo(inner, Path(top) / "x.nemo")
            raw = tar.read_bytes()
            found = {entry["name"]: entry["pieces"] for entry in read("placement", tar).json["tensors"]}
            for entry in read("placement", inner).json["tensors"]:
                for stored, packed in zip(entry["pieces"], found[entry["name"]]):
                    self.assertEqual((stored["box"], stored["codec"]), (packed["box"], packed["codec"]))
            name = "decoder.final_layernorm.weight"
            piece = found[name][0]
            self.assertEqual(raw[piece["offset"] : piece["offset"] + piece["length"]], (inner / name / "0").read_bytes())

    def test_a_cut_tar(self):
        with tempfile.TemporaryDirectory() as top:
            tar = nemo(ROOT / "tests/data/dcp/megatron_flat", Path(top) / "x.nemo")
            raw = tar.read_bytes()
            with tarfile.open(tar) as archive:
                last = archive.getmembers()[-1]
            for size in (len(raw) // 3, len(raw) // 2, last.offset_data + last.size - 1):
                tar.write_bytes(raw[:size])
                answer = run("info", tar, "--json")
                self.assertTrue(answer.code == 3 or answer.json["complete"] == "incomplete", answer.said())
                self.assertNotEqual(run("consolidate", tar, "-o", f"{top}/x.safetensors", "--json").code, 0)


if __name__ == "__main__":
    unittest.main()
