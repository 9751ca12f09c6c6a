# SPDX-License-Identifier: Apache-2.0
"""Outputs that share blocks with their source, on XFS and btrfs (loop images; needs root and mkfs).

CAIRN_SHARED_MIB sets the size of the source (64).
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from support import ask, run, temporary

MIB = int(os.environ.get("CAIRN_SHARED_MIB", "64"))
FS_IOC_FIEMAP = 0xC020660B
EXTENT_SHARED = 0x2000
KINDS = {"xfs": ["mkfs.xfs", "-q", "-m", "reflink=1"], "btrfs": ["mkfs.btrfs", "-q"],
         "xfs without reflink": ["mkfs.xfs", "-q", "-m", "reflink=0"]}


def shared_bytes(path: Path) -> int:
    """What FIEMAP flags as shared."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        request = bytearray(struct.pack("=QQIIII", 0, size, 1, 0, 4096, 0) + bytes(56 * 4096))
        fcntl.ioctl(file, FS_IOC_FIEMAP, request)
    found = 0
    for i in range(struct.unpack_from("=I", request, 20)[0]):
        logical, _, length = struct.unpack_from("=QQQ", request, 32 + 56 * i)
        flags = struct.unpack_from("=I", request, 32 + 56 * i + 40)[0]
        found += max(0, min(logical + length, size) - logical) if flags & EXTENT_SHARED else 0
    return found


class Volume:
    """A file system in a file."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.image = folder / f"{kind}.img"
        self.path = folder / kind
        self.path.mkdir()
        with open(self.image, "wb") as file:
            file.truncate(max(512, 5 * MIB + 256) << 20)
        subprocess.run([*KINDS[kind], str(self.image)], check=True, capture_output=True)
        done = subprocess.run(["mount", "-o", "loop", str(self.image), str(self.path)], capture_output=True, text=True)
        if done.returncode != 0:
            raise unittest.SkipTest(f"cannot mount a loop image here: {done.stderr.strip()}")

    def close(self) -> None:
        subprocess.run(["umount", str(self.path)], check=True)


def tensors(part: int, mib: int) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(part)
    big = {f"model.layers.{part}.{i}.weight":
           torch.randint(-2**15, 2**15, (256, 2048), dtype=torch.int16, generator=generator).view(torch.bfloat16)
           for i in range(mib)}
    return big | {f"model.norm{part}.weight": torch.rand(130, generator=generator)}


@unittest.skipIf(os.geteuid() != 0, "mounting needs root")
class SharedBlocks(unittest.TestCase):
    def on(self, kind: str) -> Path:
        scratch = temporary()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        volume = Volume(self.folder, kind)
        self.addCleanup(volume.close)
        return volume.path

    def same(self, output: Path, expected: dict[str, torch.Tensor]) -> None:
        found = load_file(output)
        self.assertEqual(found.keys(), expected.keys())
        for name, tensor in expected.items():
            self.assertTrue(torch.equal(found[name].view(torch.uint8), tensor.view(torch.uint8)), name)

    def check_kind(self, kind: str) -> None:
        disk = self.on(kind)
        state = tensors(0, MIB)
        save_file(state, disk / "source.safetensors", metadata={"format": "pt"})
        os.sync()
        before = (disk / "source.safetensors").read_bytes()
        for verb, names in {"consolidate": {}, "rename": {"model.": "net."}}.items():
            with self.subTest(verb):
                output = disk / f"{verb}.safetensors"
                rules = [f"--rename={a}={b}" for a, b in names.items()]
                plan = ask("plan", verb, disk / "source.safetensors", *rules, "-o", output)
                free = shutil.disk_usage(disk).free
                report = ask(verb, disk / "source.safetensors", *rules, "-o", output)
                os.sync()
                self.assertLess(free - shutil.disk_usage(disk).free, 4 << 20)
                self.assertTrue(report["verified"])
                self.assertEqual(plan["shared_bytes"], report["shared_bytes"])
                self.assertIn("shared bytes", [decision["what"] for decision in plan["decisions"]])
                size = output.stat().st_size
                self.assertGreater(report["shared_bytes"], size - 3 * 4096 - 1000)
                self.assertGreaterEqual(shared_bytes(output), report["shared_bytes"])
                changed = {name.replace("model.", names.get("model.", "model."), 1): tensor for name, tensor in state.items()}
                self.same(output, changed)
                self.assertEqual(ask("verify", output)["verified"], True)
        # A later change in one file does not change the other.
        with open(disk / "consolidate.safetensors", "r+b") as file:
            file.seek(1 << 20)
            file.write(bytes(1 << 20))
        self.assertEqual((disk / "source.safetensors").read_bytes(), before)

    def test_xfs(self) -> None:
        self.check_kind("xfs")

    def test_btrfs(self) -> None:
        self.check_kind("btrfs")

    def test_a_file_system_that_does_not_share(self) -> None:
        disk = self.on("xfs without reflink")
        state = tensors(0, 4)
        save_file(state, disk / "source.safetensors")
        report = ask("consolidate", disk / "source.safetensors", "-o", disk / "out.safetensors")
        self.assertEqual(report["shared_bytes"], 0)
        self.same(disk / "out.safetensors", state)

    def test_another_disk_shares_nothing(self) -> None:
        disk = self.on("xfs")
        state = tensors(0, 4)
        save_file(state, self.folder / "source.safetensors")
        report = ask("consolidate", self.folder / "source.safetensors", "-o", disk / "out.safetensors")
        self.assertEqual(report["shared_bytes"], 0)
        self.same(disk / "out.safetensors", state)

    def test_shards(self) -> None:
        """The shards' headers differ in length: only one shard is aligned in a merged file, but all are in separate files."""
        disk = self.on("btrfs")
        folder = disk / "source"
        folder.mkdir()
        weights: dict[str, str] = {}
        state: dict[str, torch.Tensor] = {}
        for part in range(2):
            name = f"model-0000{part + 1}-of-00002.safetensors"
            some = tensors(part, 8 + 4 * part)
            save_file(some, folder / name, metadata={"format": "pt"})
            weights |= {key: name for key in some}
            state |= some
        (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 0}, "weight_map": weights}))
        os.sync()
        one = ask("consolidate", folder, "-o", disk / "one.safetensors")
        self.same(disk / "one.safetensors", state)
        self.assertGreater(one["shared_bytes"], 11 << 20)
        whole = sum(tensor.nbytes for tensor in state.values())
        parts = ask("consolidate", folder, "-o", disk / "parts", "--max-shard-size", "12600000")
        self.assertGreater(parts["shared_bytes"], one["shared_bytes"])
        self.assertLessEqual(parts["shared_bytes"], whole)
        # The data of Cairn's files begins at a block, so that they can be merged into one file.
        again = ask("consolidate", disk / "parts", "-o", disk / "again.safetensors")
        self.same(disk / "again.safetensors", state)
        self.assertGreaterEqual(again["shared_bytes"], 0)

    def test_what_is_cast_or_encoded_is_copied(self) -> None:
        disk = self.on("btrfs")
        save_file(tensors(0, 4), disk / "source.safetensors")
        cast = ask("cast", disk / "source.safetensors", "--dtype", "fp32", "-o", disk / "cast.safetensors")
        self.assertLess(cast["shared_bytes"], 4096)
        file = ask("consolidate", disk / "source.safetensors", "--to", "torch", "-o", disk / "out.pt")
        self.assertEqual(file["shared_bytes"], 0)

    def test_a_full_disk(self) -> None:
        """Four copies of the source on a disk with less space: shared blocks need none."""
        disk = self.on("xfs")
        state = tensors(0, 64)
        save_file(state, disk / "source.safetensors")
        os.sync()
        filler = disk / "filler"
        with open(filler, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - (24 << 20))
        report = ask("consolidate", disk / "source.safetensors", "-o", disk / "out.safetensors")
        self.assertGreater(report["shared_bytes"], 60 << 20)
        self.same(disk / "out.safetensors", state)


if __name__ == "__main__":
    unittest.main()
