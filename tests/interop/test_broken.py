# SPDX-License-Identifier: Apache-2.0
"""Damaged copies: missing parts are reported, and wrong data is never written."""

from __future__ import annotations

import io
import shutil
import struct
import unittest
import zipfile
from pathlib import Path

from torch.distributed.checkpoint import FileSystemReader

from dcp_ranks import with_local_parts
from oracle import tensor_entry
from support import SAMPLE, case, files_under, hashes, run, temporary


def data_offset(folder: Path, shard: Path) -> int:
    """The offset of a tensor's elements in `shard`."""
    stored = FileSystemReader(str(folder)).read_metadata().storage_data
    item = next(info for index, info in stored.items() if info.relative_path == shard.name and index.fqn == "model.embed.weight")
    blob = shard.read_bytes()[item.offset : item.offset + item.length]
    header = zipfile.ZipFile(io.BytesIO(blob)).getinfo("archive/data/0").header_offset
    name_length, extra_length = struct.unpack_from("<HH", blob, header + 26)
    return item.offset + header + 30 + name_length + extra_length


class Broken(unittest.TestCase):
    def assert_incomplete(self, path: Path, missing: str) -> None:
        info = run("info", path, "--json")
        self.assertEqual(info.code, 0, info.said())
        self.assertEqual(info.json["complete"], "incomplete", info.said())
        self.assertIn(missing, str(info.json["why"]))
        self.assertEqual(run("check", path, "--json").code, 1)
        with temporary() as folder:
            for target in ("safetensors", "torch"):
                answer = run("consolidate", path, "-o", Path(folder) / "out", "--to", target, "--only", "all", "--json")
                self.assertEqual(answer.code, 3, answer.said())
                self.assertIn(missing, answer.text + answer.errors)
                self.assertEqual(files_under(Path(folder)), [], "a broken checkpoint left files behind")

    def copy_of(self, name: str, folder: str) -> Path:
        return Path(shutil.copytree(case(name).path, Path(folder) / "copy"))

    def test_dcp_without_one_shard(self) -> None:
        for name in ("dcp_fsdp2", "dcp_hsdp", "dcp_zstd", "dcp_safetensors", "dcp_no_collectives", "lightning_sharded"):
            with self.subTest(name), temporary() as folder:
                copy = self.copy_of(name, folder)
                (copy / "__1_0.distcp").unlink()
                self.assert_incomplete(copy, "__1_0.distcp")

    def test_the_samples_broken_step(self) -> None:
        self.assert_incomplete(SAMPLE / "tiny-llama-a" / "step-300", "__2_0.distcp")

    def test_dcp_with_a_shard_cut_short(self) -> None:
        with temporary() as folder:
            copy = self.copy_of("dcp_fsdp2", folder)
            shard = copy / "__2_0.distcp"
            shard.write_bytes(shard.read_bytes()[: shard.stat().st_size // 2])
            self.assert_incomplete(copy, "__2_0.distcp")

    def test_dcp_without_its_index(self) -> None:
        with temporary() as folder:
            copy = self.copy_of("dcp_fsdp2", folder)
            (copy / ".metadata").unlink()
            answer = run("info", copy, "--json")
            if answer.code == 0:
                self.assertEqual(answer.json["complete"], "incomplete")
            else:
                self.assertEqual(answer.code, 3, answer.said())
                self.assertIn(".metadata", answer.text + answer.errors)

    def test_hugging_face_without_one_shard(self) -> None:
        with temporary() as folder:
            copy = self.copy_of("hf_llama_untied", folder)
            lost = sorted(copy.glob("model-00002-*.safetensors"))[0]
            lost.unlink()
            self.assert_incomplete(copy, lost.name)

    def test_one_ranks_part_is_never_taken_for_the_tensor(self) -> None:
        for name in ("dtensor_per_rank", "dtensor_per_rank_fsdp"):
            with self.subTest(name):
                self.assert_incomplete(case(name).path / "model_world_size_4_rank_1.pt", "one rank's part")

    def test_a_missing_rank_leaves_holes_that_are_named(self) -> None:
        for name in ("dtensor_per_rank_fsdp", "dtensor_verl", "sharded_tensor_per_rank"):
            with self.subTest(name), temporary() as folder:
                copy = self.copy_of(name, folder)
                (copy / "model_world_size_4_rank_2.pt").unlink()
                self.assert_incomplete(copy, "model_world_size_4_rank_2.pt")

    def test_plain_parts_of_ranks_are_not_taken_for_copies(self) -> None:
        with temporary() as folder:
            parts = with_local_parts(Path(folder) / "cut", 2, cut=True)
            self.assert_incomplete(Path(folder) / "cut", "model.w")
            found = hashes(Path(folder) / "cut")
            expected = {f"rank_{rank}.{name}": tensor for rank, part in enumerate(parts)
                        for name, tensor in {"model.w": part["model"]["w"], "model.uneven": part["model"]["uneven"],
                                             "rng": part["rng"]}.items()}
            expected |= {"model.norm": parts[0]["model"]["norm"], "step": parts[0]["step"], "view": parts[0]["view"]}
            self.assertEqual(found, {name: tensor_entry(tensor)["sha256"] for name, tensor in expected.items()})
            listing = run("ls", Path(folder) / "cut", "--json").json
            self.assertIn(("shards-not-joined", "model.w"),
                          [(notice["code"], notice.get("where", {}).get("tensor")) for notice in listing["notices"]])
            made = run("consolidate", Path(folder) / "cut", "-o", Path(folder) / "out", "--only", "weights", "--json")
            self.assertNotEqual(made.code, 0, made.said())

    def test_plain_copies_of_ranks_are_one_tensor(self) -> None:
        with temporary() as folder:
            parts = with_local_parts(Path(folder) / "whole", 2, cut=False)
            found = hashes(Path(folder) / "whole")
            self.assertEqual({name: found[f"model.{name}"] for name in parts[1]["model"]},
                             {name: tensor_entry(tensor)["sha256"] for name, tensor in parts[1]["model"].items()})
            self.assertEqual(run("info", Path(folder) / "whole", "--json").json["complete"], "complete")

    def test_one_missing_replica_is_no_hole(self) -> None:
        with temporary() as folder:
            copy = self.copy_of("dtensor_per_rank", folder)
            whole = run("hash", copy, "--json").json["fingerprint"]
            (copy / "model_world_size_4_rank_3.pt").unlink()
            self.assertEqual(run("hash", copy, "--json").json["fingerprint"], whole)

    def test_a_file_cut_short_is_refused_or_named(self) -> None:
        for name in ("torch_zip_state_dict", "torch_legacy_protocol_2", "safetensors_dtypes"):
            with self.subTest(name), temporary() as folder:
                source = case(name).path
                cut = Path(folder) / source.name
                cut.write_bytes(source.read_bytes()[: source.stat().st_size * 2 // 3])
                answer = run("ls", cut, "--json")
                self.assertIn(answer.code, (0, 3), answer.said())
                if answer.code == 3:
                    self.assertIn("error", answer.json)
                    self.assertTrue(answer.json["error"]["message"])
                made = run("consolidate", cut, "-o", Path(folder) / "out.pt", "--to", "torch", "--only", "all", "--json")
                self.assertEqual(made.code, 3, made.said())
                self.assertEqual(files_under(Path(folder)), [cut.name])

    def test_a_flipped_byte_in_a_shard_is_found(self) -> None:
        """torch reads it without an error; the CRC-32 of the nested archive detects it."""
        with temporary() as folder:
            copy = self.copy_of("dcp_fsdp2", folder)
            shard = copy / "__0_0.distcp"
            data = bytearray(shard.read_bytes())
            data[data_offset(copy, shard)] ^= 1
            shard.write_bytes(data)
            answer = run("check", copy, "--json")
            self.assertEqual(answer.code, 1, answer.said())
            self.assertIn("__0_0.distcp", answer.text)

    def test_not_a_checkpoint(self) -> None:
        with temporary() as folder:
            path = Path(folder) / "notes.pt"
            path.write_text("just words\n")
            for target in (path, Path(folder) / "absent.pt"):
                answer = run("ls", target, "--json")
                self.assertEqual(answer.code, 3, answer.said())
                self.assertEqual(answer.json["schema"], "cairn/1")
                self.assertIn("message", answer.json["error"])


if __name__ == "__main__":
    unittest.main()
