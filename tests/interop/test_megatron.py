# SPDX-License-Identifier: Apache-2.0
"""Megatron folders (megatron_folders.py) compared with the unsplit model from which megatron-core made them.

Skipped if they were not made: megatron-core needs a separate environment (requirements-megatron.txt).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from support import ROOT, expected_of, hashes, listed, per_folder, read, run

DATA = Path(os.environ.get("CAIRN_MEGATRON_DATA", ROOT / "build" / "interop-megatron")).resolve()
EXPECTED = expected_of(DATA)


def model_part(entries: dict, case: dict) -> dict:
    """Without the copy of tied weights in the last of several stages: the unsplit model has them once."""
    copy = "model.output_layer.weight"
    return {name: entry for name, entry in entries.items()
            if name.startswith("model.") and not (name == copy and name not in case["tensors"])}


@unittest.skipUnless(EXPECTED, f"no Megatron checkpoints in {DATA}")
@per_folder(DATA, EXPECTED)
class Legacy(unittest.TestCase):
    maxDiff = 3000

    def each_names_dtypes_and_shapes(self, case, path):
        found = {name: (entry["dtype"], entry["shape"]) for name, entry in model_part(listed(path), case).items()}
        self.assertEqual(found, {name: (entry["dtype"], entry["shape"]) for name, entry in case["tensors"].items()})

    def each_elements(self, case, path):
        self.assertEqual(model_part(hashes(path), case), {name: entry["sha256"] for name, entry in case["tensors"].items()})

    def each_facts(self, case, path):
        info = read("info", path).json
        self.assertEqual((info["format"], info["complete"], info["step"], info["world_size"]),
                         ("megatron", "complete", case["iteration"], case["ranks"]), info["why"])

    def each_check_is_content(self, case, path):
        answer = run("check", path, "--json")
        self.assertEqual([finding for finding in answer.json["findings"] if finding["severity"] == "error"], [])

    def each_weights_consolidate(self, case, path):
        with tempfile.TemporaryDirectory() as folder:
            answer = run("consolidate", path, "-o", f"{folder}/out.safetensors", "--only", "weights", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual(answer.json["verified"], True)
            self.assertLessEqual({name.removeprefix("model.") for name in case["tensors"] if "position" not in name},
                                 {name.removeprefix("model.") for name in listed(Path(folder) / "out.safetensors")})

    def each_root_and_save_are_listed_once(self, case, path):
        runs = read("runs", path).json["runs"]
        self.assertEqual([checkpoint["step"] for found in runs for checkpoint in found["checkpoints"]], [case["iteration"]])


@unittest.skipUnless(EXPECTED, f"no Megatron checkpoints in {DATA}")
@per_folder(DATA, EXPECTED)
class TorchDist(unittest.TestCase):
    """The same ranks saved by dist_checkpointing: complete tensors under the stored keys."""

    maxDiff = 3000

    def each_layers_are_those_of_the_unsplit_model(self, case, path):
        folder = path.parent / "torch_dist" / f"iter_{case['iteration']:07d}"
        whole = hashes(path.parent / "whole")
        found = hashes(folder)
        same = {name: found.get(name) for name in whole if "embedding" not in name and "output_layer" not in name}
        self.assertEqual(same, {name: whole[name] for name in same})

    def each_folder_opens_by_its_tracker(self, case, path):
        info = read("info", path.parent / "torch_dist").json
        self.assertEqual((info["format"], info["framework"], info["complete"]), ("dcp", "megatron", "complete"), info["why"])


@unittest.skipUnless(EXPECTED, f"no Megatron checkpoints in {DATA}")
class Damage(unittest.TestCase):
    def copied(self, name: str) -> Path:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        shutil.copytree(DATA / name / "legacy", Path(holder.name) / "run")
        return Path(holder.name) / "run"

    def test_a_missing_rank_is_a_hole_and_named(self):
        root = self.copied("tp2_pp2")
        save = root / "iter_0000010"
        shutil.rmtree(save / "mp_rank_01_001")
        info = read("info", save).json
        self.assertEqual(info["complete"], "incomplete")
        answer = run("check", save, "--json")
        self.assertEqual(answer.code, 1)
        self.assertIn("mp_rank_01_001", answer.text)
        with tempfile.TemporaryDirectory() as out:
            self.assertNotEqual(run("consolidate", save, "-o", f"{out}/x.safetensors", "--json").code, 0)

    def test_a_missing_stage_leaves_the_others_their_numbers(self):
        save = self.copied("pp2") / "iter_0000010"
        shutil.rmtree(save / "mp_rank_00_000")
        found = hashes(save)
        wanted = {name: entry["sha256"] for name, entry in EXPECTED["pp2"]["tensors"].items() if ".layers.3." in name}
        self.assertTrue(wanted)
        self.assertEqual({name: found.get(name) for name in wanted}, wanted)

    def test_a_tracker_that_points_nowhere(self):
        root = self.copied("tp2_swiglu")
        (root / "latest_checkpointed_iteration.txt").write_text("20")
        self.assertEqual(read("info", root).json["step"], 10)
        self.assertIn("latest_checkpointed_iteration.txt", run("check", root, "--json").text)

    def test_without_args_each_rank_is_shown_as_it_is(self):
        import torch

        save = self.copied("tp2_swiglu") / "iter_0000010"
        wanted = {}
        for rank in (0, 1):
            file = save / f"mp_rank_{rank:02d}" / "model_optim_rng.pt"
            state = torch.load(file, weights_only=False)
            del state["args"]
            torch.save(state, file)
            for name, tensor in state["model"].items():
                if torch.is_tensor(tensor):
                    wanted[f"mp_rank_{rank:02d}.model.{name}"] = hashlib.sha256(tensor.numpy().tobytes()).hexdigest()
        found = hashes(save)
        self.assertEqual({name: found.get(name) for name in wanted}, wanted)

    def test_torch_dist_without_its_json(self):
        """Such a folder is not a distributed checkpoint according to megatron-core."""
        for change in (Path.unlink, lambda file: file.write_text("{")):
            with tempfile.TemporaryDirectory() as holder:
                folder = Path(holder) / "iter_0000010"
                shutil.copytree(DATA / "tp1" / "torch_dist" / folder.name, folder)
                self.assertEqual(run("check", folder, "--json").code, 0)
                change(folder / "metadata.json")
                answer = run("check", folder, "--json")
                self.assertEqual(answer.code, 1, answer.said())
                self.assertIn("metadata.json", answer.text)


if __name__ == "__main__":
    unittest.main()
