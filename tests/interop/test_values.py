# SPDX-License-Identifier: Apache-2.0
"""Plain values that torch wrote: damage, items without checksums, and steps of several ranks."""

from __future__ import annotations

import unittest
import zipfile
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp

from support import run, temporary


def save(state: dict, folder: str) -> Path:
    dcp.save(state, checkpoint_id=folder, no_dist=True)
    return Path(folder)


def codes(answer) -> list[str]:
    return [finding["code"] for finding in answer.json["findings"]]


class Values(unittest.TestCase):
    def test_every_bit_of_the_values_counts(self) -> None:
        with temporary() as folder:
            made = save({"lr": 0.00025, "progress": {"epoch": 3, "name": "run"}, "pair": (torch.arange(64), 1)}, f"{folder}/dcp")
            before = run("info", made, "--json").json["values"], run("hash", made, "--json").json["fingerprint"]
            self.assertEqual(run("check", made).code, 0)
            shard = made / "__0_0.distcp"
            data = shard.read_bytes()
            for at in range(0, len(data), 7):
                damaged = bytearray(data)
                damaged[at] ^= 1 << at % 8
                shard.write_bytes(damaged)
                if run("check", made, "--json").code == 0:
                    after = run("info", made, "--json").json["values"], run("hash", made, "--json").json["fingerprint"]
                    self.assertEqual(before, after, f"bit {at % 8} of byte {at} was not noticed")

    def test_a_torch_file(self) -> None:
        with temporary() as folder:
            path = Path(folder) / "a.pt"
            torch.save({"lr": 0.00025, "step": 7, "w": torch.zeros(4)}, path)
            self.assertEqual(run("check", path).code, 0)
            data = bytearray(path.read_bytes())
            at = data.find(b"step")
            data[at] ^= 1
            path.write_bytes(data)
            self.assertEqual(run("check", path).code, 1)
            answer = run("consolidate", path, "-o", f"{folder}/b.pt", "--to", "torch", "--only", "all", "--json")
            self.assertEqual(answer.code, 3, answer.said())

    def test_records_without_checksums_are_named(self) -> None:
        with temporary() as folder:
            torch.serialization.set_crc32_options(False)
            try:
                torch.save({"lr": 0.5, "w": torch.ones(4)}, f"{folder}/a.pt")
                made = save({"lr": 0.5, "w": torch.ones(4)}, f"{folder}/dcp")
            finally:
                torch.serialization.set_crc32_options(True)
            crcs = [info.CRC for info in zipfile.ZipFile(f"{folder}/a.pt").infolist()]
            for path in (f"{folder}/a.pt", made):
                answer = run("check", path, "--json")
                self.assertEqual(answer.code, 0, (crcs, answer.said()))
                self.assertIn("were not checked", answer.text, crcs)

    def test_ranks_with_different_steps(self) -> None:
        for first, second, expected in ((20, 20, 0), (20, 30, 1)):
            with self.subTest(second=second), temporary() as folder:
                state = {"w": torch.ones(4), "progress": {"rank_0": {"step": first}, "rank_1": {"step": second}}}
                answer = run("check", save(state, f"{folder}/dcp"), "--json")
                self.assertEqual(answer.code, expected, answer.said())
                self.assertEqual(answer.json["verdict"], "mixed" if expected else "healthy")

    def test_counts_that_may_differ(self) -> None:
        with temporary() as folder:
            state = {"w": torch.ones(4), "optimizer": {"rank_0": {"step": 1}, "rank_1": {"step": 2}}, "rank_0": {"samples": 1}, "rank_1": {"samples": 2}}
            self.assertEqual(run("check", save(state, f"{folder}/dcp")).code, 0)


if __name__ == "__main__":
    unittest.main()
