# SPDX-License-Identifier: Apache-2.0
"""DeepSpeed folders (deepspeed_folders.py) compared with the tensors that DeepSpeed's own merge reads from them (deepspeed_oracle.py).

Skipped if they were not made: DeepSpeed needs a separate environment (requirements-deepspeed.txt).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

from support import ROOT, expected_of, hashes, listed, per_folder, read, run

DATA = Path(os.environ.get("CAIRN_DEEPSPEED_DATA", ROOT / "build" / "interop-deepspeed")).resolve()
EXPECTED = expected_of(DATA)


def wanted(case: dict) -> dict[str, dict]:
    return (case["weights"] or {}) | case["moments"] | {f"module.{name}": entry for name, entry in case["copies"].items()}


def safetensors(path: Path) -> tuple[dict[str, dict], dict[str, str]]:
    """Names to dtype, shape and hash, and the aliases in the file's metadata."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    words = {"F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "BOOL": "bool"}
    found = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        found[name] = {"dtype": words[entry["dtype"]], "shape": entry["shape"], "sha256": hashlib.sha256(raw[begin:end]).hexdigest()}
    return found, metadata


@unittest.skipUnless(EXPECTED, f"no DeepSpeed checkpoints in {DATA}")
@per_folder(DATA, EXPECTED)
class DeepSpeed(unittest.TestCase):
    maxDiff = 2000

    def each_names_dtypes_and_shapes(self, case, path):
        found = listed(path)
        for tensor, entry in wanted(case).items():
            self.assertIn(tensor, found)
            self.assertEqual((found[tensor]["dtype"], found[tensor]["shape"]), (entry["dtype"], entry["shape"]), tensor)

    def each_elements(self, case, path):
        found = hashes(path)
        self.assertEqual({tensor: found.get(tensor) for tensor in wanted(case)},
                         {tensor: entry["sha256"] for tensor, entry in wanted(case).items()})

    def each_weights_are_what_zero_to_fp32_gives(self, case, path):
        if case["weights"] is None:
            return
        with tempfile.TemporaryDirectory() as folder:
            answer = run("consolidate", path, "-o", f"{folder}/out.safetensors", "--only", "weights", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            found, metadata = safetensors(Path(folder) / "out.safetensors")
        for alias, stored in metadata.items():
            if alias in case["weights"]:
                found[alias] = found[stored]
        self.assertEqual(found, case["weights"])

    def each_copies_alone(self, case, path):
        if not case["copies"]:
            return
        with tempfile.TemporaryDirectory() as folder:
            answer = run("consolidate", path, "-o", f"{folder}/out.safetensors", "--only", "module.*", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            found, metadata = safetensors(Path(folder) / "out.safetensors")
        bare = {tensor.removeprefix("module."): entry for tensor, entry in found.items()}
        for alias, stored in metadata.items():
            if alias.removeprefix("module.") in case["copies"]:
                bare[alias.removeprefix("module.")] = found.get(stored, bare.get(stored.removeprefix("module.")))
        self.assertEqual(bare, case["copies"])

    def each_facts(self, case, path):
        info = read("info", path).json
        self.assertEqual((info["format"], info["complete"], info["step"], info["world_size"]),
                         ("deepspeed", "complete", case["step"], case["ranks"]), info["why"])
        self.assertEqual(info["values"]["epoch"], case["epoch"])

    def each_check_is_content(self, case, path):
        answer = run("check", path, "--json")
        errors = [finding for finding in answer.json["findings"] if finding["severity"] == "error"]
        self.assertEqual(errors, [])

    def each_experts_have_masters_under_their_global_names(self, case, path):
        if case["weights"] is None:
            found = listed(path)
            for tensor, entry in case["copies"].items():
                self.assertEqual((found[tensor]["dtype"], found[tensor]["shape"]), ("float32", entry["shape"]))


@unittest.skipUnless(EXPECTED, f"no DeepSpeed checkpoints in {DATA}")
class Damage(unittest.TestCase):
    """Damaged copies with one error each: reported by `check`, refused by `consolidate`, the rest can still be read."""

    def damaged(self, name: str):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        copy = Path(holder.name) / name
        shutil.copytree(DATA / name, copy)
        return copy, copy / (copy / "latest").read_text().strip()

    def findings(self, path: Path) -> str:
        answer = run("check", path, "--json")
        self.assertIn(answer.code, (0, 1), answer.said())  # 0: only warnings
        return answer.text

    def refused(self, path: Path):
        with tempfile.TemporaryDirectory() as out:
            self.assertNotEqual(run("consolidate", path, "-o", f"{out}/x.safetensors", "--json").code, 0)

    def assert_named_when_missing(self, name: str, file: str):
        _, step = self.damaged(name)
        (step / file).unlink()
        self.assertIn(file, self.findings(step))
        self.assertEqual(read("info", step).json["complete"], "incomplete")
        self.refused(step)

    def test_a_missing_rank_is_named(self):
        for name in ("z2_bf16_r2", "z3_bf16_r2"):
            self.assert_named_when_missing(name, "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt")

    def test_weights_of_another_save_are_named(self):
        copy, step = self.damaged("z2_bf16_r2_keep")
        import torch

        file = step / "mp_rank_00_model_states.pt"
        state = torch.load(file, weights_only=False)
        state["module"] = torch.load(copy / "global_step4" / file.name, weights_only=False)["module"]
        torch.save(state, file)
        self.assertIn("different saves", self.findings(step))
        self.assertEqual(read("info", step).json["complete"], "incomplete")
        self.refused(step)

    @unittest.skipUnless("pp_bf16_z0_r2" in EXPECTED, "no pipelines without ZeRO")
    def test_a_layer_of_another_save_is_named(self):
        for name in ("pp_bf16_r2", "pp_bf16_z0_r2"):
            _, step = self.damaged(name)
            import torch

            file = next(iter(sorted(step.glob("layer_03*"))))
            torch.save({key: tensor * 1.02 for key, tensor in torch.load(file).items()}, file)
            self.assertIn(file.name, self.findings(step))
            self.refused(step)

    @unittest.skipUnless("pp_bf16_z0_r2" in EXPECTED, "no pipelines without ZeRO")
    def test_a_lost_layer_is_named(self):
        self.assert_named_when_missing("pp_bf16_z0_r2", "layer_03-model_states.pt")

    @unittest.skipUnless("pp_bf16_z0_r4" in EXPECTED, "no pipelines without ZeRO")
    def test_lost_files_of_pipelines_are_named(self):
        _, step = self.damaged("pp_bf16_z0_r2")
        (step / "bf16_zero_pp_rank_0_mp_rank_01_optim_states.pt").unlink()  # that stage's weights are the 16-bit ones in the layers' files
        self.assertIn("bf16_zero_pp_rank_0_mp_rank_01_optim_states.pt", self.findings(step))
        self.assertEqual(read("info", step).json["complete"], "incomplete")
        self.assert_named_when_missing("pp_tp_unknown_r4", "layer_03-model_01-model_states.pt")
        for name, file in (("pp_fp32_z0_r2", "layer_02-model_states.pt"), ("pp_bf16_r2", "layer_00-model_states.pt"),
                           ("pp_bf16_z0_r4", "layer_00-model_states.pt")):  # the layer's number does not occur in the weights
            _, step = self.damaged(name)
            (step / file).unlink()
            self.assertIn("layer's file is missing", self.findings(step))
            self.refused(step)

    @unittest.skipUnless("uni_z1_bf16_r2_frozen_universal" in EXPECTED, "no frozen weights")
    def test_a_lost_file_of_a_universal_save_is_named(self):
        for name in ("uni_z1_bf16_r2_frozen", "uni_z3_bf16_r2_frozen"):
            for file in ("kernel/fp32.pt", "kernel/exp_avg.pt", "optimizer_state.pt"):
                _, step = self.damaged(name)
                step = step.with_name(step.name + "_universal")
                (step / "zero" / file).unlink()
                self.assertIn(file, self.findings(step))
                self.assertEqual(read("info", step).json["complete"], "incomplete")
        _, step = self.damaged("uni_z1_bf16_r2_frozen")
        step = step.with_name(step.name + "_universal")
        shutil.rmtree(step / "zero" / "kernel")
        self.assertIn("zero/kernel/fp32.pt", self.findings(step))
        self.refused(step)
        shutil.rmtree(step / "zero" / "inner.2.weight")  # frozen: also in the model states
        self.assertEqual(listed(step)["inner.2.weight"]["role"], "weight")

    @unittest.skipUnless((DATA / "tp_z1_unknown_r2").exists(), "no slices of tensor parallelism")
    def test_slices_are_joined_only_when_the_save_tells_how(self):
        found = listed(DATA / "tp_z1_unknown_r2")
        self.assertEqual({name[:10] for name, entry in found.items() if entry["role"] == "weight"}, {"mp_rank_00", "mp_rank_01"})
        self.assertEqual(found["mp_rank_01.layers.1.attention.dense.weight"]["shape"], [8, 4])

    @unittest.skipUnless("tp_z2_fp16_r2" in EXPECTED, "no slices of tensor parallelism")
    def test_a_missing_slice_leaves_the_others_alone(self):
        _, step = self.damaged("tp_z2_fp16_r2")
        for file in step.glob("*mp_rank_01*"):
            file.unlink()
        info = read("info", step).json
        self.assertEqual(info["complete"], "incomplete")
        self.assertIn("mp_rank_01_model_states.pt", self.findings(step))
        self.refused(step)
        self.assertNotIn([24, 8], [entry["shape"] for entry in listed(step).values()])

    @unittest.skipUnless((DATA / "pp_tp_unknown_r4").exists(), "no pipelines of slices")
    def test_slices_of_a_pipeline_are_joined_only_when_the_save_tells_how(self):
        found = {name for name, entry in listed(DATA / "pp_tp_unknown_r4").items() if entry["role"] == "weight"}
        self.assertEqual(found, {f"mp_rank_{slot:02d}.{layer}.{name}" for slot in (0, 1) for layer in range(4) for name in (
            "norm.weight", "gate_up.weight", "up.weight", "up.bias", "down.weight", "down.bias")})

    @unittest.skipUnless("moe_z0_fp16_r4" in EXPECTED, "no experts without ZeRO")
    def test_experts_of_the_fused_optimizer(self):
        """One flat vector for each group (fp16/fused_optimizer.py), which DeepSpeed writes on a GPU."""
        import torch

        _, step = self.damaged("moe_z0_fp16_r4")
        for file in [step / "mp_rank_00_model_states.pt", *step.glob("expp_rank_*")]:
            content = torch.load(file, weights_only=False)
            optimizer = content["optimizer"]
            groups = optimizer.pop("fp32_groups")
            optimizer["fp32_groups_flat"] = [torch.cat([tensor.flatten() for tensor in group]) for group in groups]
            inner, first, state = optimizer["optimizer_state_dict"], 0, {}
            for number, group in enumerate(groups):
                states = [inner["state"][first + index] for index in range(len(group))]
                first += len(group)
                state[number] = {"step": states[0]["step"]} | {
                    key: torch.cat([each[key].flatten() for each in states]) for key in ("exp_avg", "exp_avg_sq")}
                inner["param_groups"][number]["params"] = [number]
            inner["state"] = state
            torch.save(content, file)
        whole = wanted(EXPECTED["moe_z0_fp16_r4"])
        found = hashes(step)
        self.assertEqual({name: found.get(name) for name in whole}, {name: entry["sha256"] for name, entry in whole.items()})

    @unittest.skipUnless("moe_z0_fp16_r4" in EXPECTED, "no experts without ZeRO")
    def test_a_missing_rank_of_experts_is_named(self):
        for name in ("moe_z0_fp16_r4", "moe_z0_fp32_r2"):
            for rank in (0, 1):
                self.assert_named_when_missing(name, f"expp_rank_{rank}_mp_rank_00_optim_states.pt")

    @unittest.skipUnless("moe_bf16_r2" in EXPECTED, "no experts")
    def test_experts_as_the_first_versions_kept_them(self):
        """One file an expert for all layers, one count (engine.py: layer_id -1, old_moe_load)."""
        import torch

        _, step = self.damaged("moe_bf16_r2")
        for file in sorted(step.glob("layer_0_expert_*")):
            file.rename(step / file.name.removeprefix("layer_0_"))
        model = torch.load(step / "mp_rank_00_model_states.pt", weights_only=False)
        self.assertEqual(model["num_experts"], [4])
        torch.save(model | {"num_experts": 4}, step / "mp_rank_00_model_states.pt")
        self.assertEqual(hashes(step), hashes(DATA / "moe_bf16_r2"))
        self.assertEqual(read("info", step).json["complete"], "complete")
        (step / "expert_2_mp_rank_00_model_states.pt").unlink()
        self.assertIn("expert_2_mp_rank_00_model_states.pt", self.findings(step))
        self.assertEqual(run("info", step, "--json").json["complete"], "incomplete")

    def test_ranks_of_a_larger_earlier_save_are_passed_over(self):
        _, step = self.damaged("z2_bf16_r2")
        _, other = self.damaged("z2_bf16_r12")
        for rank in (2, 3):
            shutil.copy(other / f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt", step)
        text = self.findings(step)
        self.assertIn("stale-shard", text)
        self.assertIn("saved by 12 ranks", text)
        self.assertEqual(hashes(step), hashes(DATA / "z2_bf16_r2"))

    def test_a_rank_of_another_step_is_named(self):
        copy, step = self.damaged("z2_bf16_r2_keep")
        file = "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"
        shutil.copy(copy / "global_step2" / file, copy / "global_step6" / file)
        text = self.findings(step)
        self.assertIn(file, text)
        self.assertIn("different saves", text)
        self.refused(step)

    def test_latest_that_points_nowhere(self):
        copy, _ = self.damaged("z2_bf16_r2_keep")
        (copy / "latest").write_text("global_step99")
        self.assertIn("names a missing folder", self.findings(copy))
        self.assertEqual(read("info", copy).json["step"], 6)

    def test_a_half_written_newest_step_is_passed_over(self):
        copy, step = self.damaged("z2_bf16_r2_keep")
        file = step / "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"
        file.write_bytes(file.read_bytes()[:1000])
        self.assertEqual(read("info", copy).json["step"], 4)
        self.assertIn("was skipped", self.findings(copy))
        self.assertEqual(read("info", step).json["complete"], "incomplete")

    def test_a_newer_step_than_latest_says(self):
        copy, _ = self.damaged("z2_bf16_r2_keep")
        (copy / "latest").write_text("global_step4\n")
        self.assertEqual(read("info", copy).json["step"], 4)
        self.assertIn("global_step6", self.findings(copy))

    def test_tags_of_ones_own_are_known_by_their_files(self):
        copy, _ = self.damaged("z2_bf16_r2_keep")
        for step in (2, 4, 6):
            (copy / f"global_step{step}").rename(copy / f"step-{step}")
        (copy / "latest").write_text("step-6")
        self.assertEqual(run("info", copy, "--json").json["step"], 6)
        (copy / "step-6" / "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt").unlink()
        self.assertEqual(run("info", copy, "--json").json["step"], 4)
        self.assertIn("was skipped", self.findings(copy))
        (copy / "latest").write_text("step-2")
        self.assertEqual(run("info", copy, "--json").json["step"], 2)
        self.assertIn("step-6", self.findings(copy))
        (copy / "latest").write_text("nowhere")
        self.assertEqual(run("info", copy, "--json").json["step"], 4)
        self.assertIn("names a missing folder", self.findings(copy))
        (copy / "latest").unlink()
        self.assertEqual(run("info", copy, "--json").json["step"], 4)

    def test_a_lost_model_file_leaves_the_flat_parts(self):
        _, step = self.damaged("z2_bf16_r2")
        (step / "mp_rank_00_model_states.pt").unlink()
        self.assertIn("mp_rank_00_model_states.pt", self.findings(step))
        self.assertTrue(any("single_partition_of_fp32_groups" in name for name in listed(step)))

    def test_runs_lists_every_step(self):
        document = run("runs", DATA / "z2_bf16_r2_keep", "--json").json
        rows = document["runs"][0]["checkpoints"]
        self.assertEqual([(row["step"], row["format"]) for row in rows], [(2, "deepspeed"), (4, "deepspeed"), (6, "deepspeed")])
        self.assertEqual([row["latest"] for row in rows], [False, False, True])


if __name__ == "__main__":
    unittest.main()
