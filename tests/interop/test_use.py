# SPDX-License-Identifier: Apache-2.0
"""`verify`, `check`, `export`, `show`, `stats`, `placement` on files of real frameworks."""

from __future__ import annotations

import unittest
from pathlib import Path

import numpy
import torch

from support import case, run, temporary

HEALTHY = ("torch_zip_state_dict", "torch_legacy_protocol_2", "dcp_hsdp", "dcp_fsdp_tp", "dcp_tp_dim1", "dcp_uneven", "dcp_zstd",
           "dcp_file_per_item", "dcp_no_collectives", "hf_llama_untied", "hf_gpt2_tied", "trainer_checkpoint", "lightning_ckpt",
           "lightning_sharded", "hf_dcp_sharded")


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x40
    path.write_bytes(data)


class Verify(unittest.TestCase):
    def test_a_consolidated_copy_is_verified_and_a_flipped_byte_is_found(self) -> None:
        for name, target, suffix in (("dcp_fsdp2", "safetensors", "safetensors"), ("torch_zip_training", "torch", "pt")):
            with self.subTest(name), temporary() as folder:
                out = Path(folder) / f"out.{suffix}"
                made = run("consolidate", case(name).path, "-o", out, "--to", target, "--only", "all", "--json")
                self.assertEqual(made.code, 0, made.said())
                answer = run("verify", case(name).path, out, "--json")
                self.assertEqual((answer.code, answer.json["verified"]), (0, True), answer.said())
                alone = run("verify", out, "--json")
                self.assertEqual((alone.code, alone.json["verified"]), (0, True), alone.said())
                flip(out, out.stat().st_size // 2)
                self.assertEqual(run("verify", out, "--json").code, 1, "a flipped byte was not seen beside the manifest")

    def test_different_checkpoints_are_not_verified(self) -> None:
        answer = run("verify", case("dcp_hsdp").path, case("dcp_fsdp_tp").path, "--json")
        self.assertEqual(answer.code, 1, answer.said())
        self.assertFalse(answer.json["verified"])


class Check(unittest.TestCase):
    def test_healthy_checkpoints(self) -> None:
        for name in HEALTHY:
            with self.subTest(name):
                answer = run("check", case(name).path, "--json")
                self.assertEqual(answer.code, 0, answer.said())

    def test_a_shard_of_an_older_save_is_reported(self) -> None:
        answer = run("check", case("dcp_overwritten").path, "--json")
        self.assertIn("__1_0.distcp", str(answer.json["findings"]), answer.said())

    def test_nan_is_reported(self) -> None:
        with temporary() as folder:
            path = Path(folder) / "nan.pt"
            torch.save({"good": torch.ones(4), "bad": torch.tensor([1.0, float("nan")])}, path)
            answer = run("check", path, "--json")
            self.assertEqual(answer.code, 1, answer.said())
            self.assertIn("bad", str(answer.json["findings"]))


class Values(unittest.TestCase):
    def test_export_to_npy(self) -> None:
        path = case("torch_zip_views").path
        state = torch.load(path)
        for name in ("transposed", "channels_last", "expanded", "steps", "scalar", "empty_2d", "bool_scalar", "slice_of_large", "conjugate"):
            with self.subTest(name), temporary() as folder:
                out = Path(folder) / "out.npy"
                answer = run("export", path, "--tensor", name, "-o", out, "--json")
                self.assertEqual(answer.code, 0, answer.said())
                loaded = numpy.load(out)
                expected = state[name].resolve_conj().numpy()
                self.assertEqual((loaded.dtype, loaded.shape), (expected.dtype, expected.shape))
                self.assertTrue(numpy.array_equal(loaded, expected))

    def test_export_a_sharded_tensor(self) -> None:
        with temporary() as folder:
            out = Path(folder) / "out.npy"
            answer = run("export", case("dcp_uneven").path, "--tensor", "middle", "-o", out, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertTrue(numpy.array_equal(numpy.load(out), numpy.arange(105).reshape(3, 5, 7)))

    def test_show_a_slice(self) -> None:
        shown = run("show", case("dcp_uneven").path, "--tensor", "both", "--slice", "2:5,:4", "--json")
        self.assertEqual(shown.code, 0, shown.said())
        expected = numpy.arange(70.0).reshape(7, 10)[2:5, :4]
        self.assertTrue(numpy.array_equal(numpy.array(shown.json["values"], dtype=float).reshape(3, 4), expected))

    def test_statistics(self) -> None:
        path = case("torch_zip_state_dict").path
        state = torch.load(path)
        answer = run("stats", path, "--exact", "--json")
        self.assertEqual(answer.code, 0, answer.said())
        for entry in answer.json["tensors"]:
            tensor = state[entry["name"]].double()
            with self.subTest(entry["name"]):
                self.assertEqual(entry["count"], tensor.numel())
                self.assertAlmostEqual(entry["min"], tensor.min().item(), places=6)
                self.assertAlmostEqual(entry["max"], tensor.max().item(), places=6)
                self.assertAlmostEqual(entry["mean"], tensor.mean().item(), places=6)
                self.assertAlmostEqual(entry["l2"], tensor.norm().item(), places=5)
                self.assertEqual(entry["zeros"], int((tensor == 0).sum()))

    def test_placement_covers_every_tensor(self) -> None:
        for name in ("dcp_fsdp2", "dcp_uneven", "dcp_fsdp_tp", "hf_dcp_sharded"):
            with self.subTest(name):
                answer = run("placement", case(name).path, "--json")
                self.assertEqual(answer.code, 0, answer.said())
                document = answer.json
                self.assertFalse(document["coverage"]["holes"], document["coverage"])
                self.assertFalse(document["coverage"]["overlaps"], document["coverage"])
                for tensor in document["tensors"]:
                    volume = sum(int(numpy.prod(piece["box"]["extent"], dtype=numpy.int64)) for piece in tensor["pieces"])
                    self.assertEqual(volume, int(numpy.prod(tensor["shape"], dtype=numpy.int64)), tensor["name"])


if __name__ == "__main__":
    unittest.main()
