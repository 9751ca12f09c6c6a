# SPDX-License-Identifier: Apache-2.0
"""`pack` and `unpack`: every checkpoint of the frameworks is packed and unpacked with the same bits; the archive
opens with the same content as the checkpoint, and outputs written from both are identical."""

from __future__ import annotations

import hashlib
import shutil
import unittest
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

import cairnz
from oracle import Oracle
from support import Case, case, per_case, read, run, temporary
from test_consolidate import load_safetensors


def packable(one: Case) -> bool:
    return one.oracle["complete"] == "complete"


def archive_of(one: Case, folder: Path, *options: object) -> Path:
    path = folder / "packed.cairnz"
    answer = run("pack", one.path, "-o", path, "--json", *options)
    assert answer.code == 0 and answer.json["verified"], answer.said()
    return path


@per_case(packable)
class Packed(unittest.TestCase):
    maxDiff = 2000

    def each_reads_as_the_source(self, one: Case) -> None:
        with temporary() as name:
            path = archive_of(one, Path(name))
            left, right = read("hash", one.path).json, run("hash", path, "--json").json
            self.assertEqual((left["tensors"], left["fingerprint"]), (right["tensors"], right["fingerprint"]))
            left, right = read("ls", one.path).json, run("ls", path, "--json").json
            keys = ("name", "dtype", "shape", "role", "alias_of")
            pick = lambda answer: [{key: tensor.get(key) for key in keys} for tensor in answer["tensors"]]
            self.assertEqual(pick(left), pick(right))
            left, right = read("info", one.path).json, run("info", path, "--json").json
            for key in ("values", "step", "epoch", "world_size", "framework"):
                self.assertEqual(left.get(key), right.get(key), key)
            self.assertEqual(right["complete"], "complete")
            self.assertIn(run("diff", one.path, path, "--values").code, (0,))
            self.held_by_another_decoder(one, path)

    def each_writes_what_the_source_writes(self, one: Case) -> None:
        with temporary() as name:
            folder = Path(name)
            path = archive_of(one, folder)
            for target, suffix in (("safetensors", ".safetensors"), ("torch", ".pt")):
                left, right = folder / f"left{suffix}", folder / f"right{suffix}"
                more = ("--to", target, "--only", "all", "--json")
                first = run("consolidate", one.path, "-o", left, *more)
                second = run("consolidate", path, "-o", right, *more)
                self.assertEqual(first.code, second.code, second.said())
                if first.code == 0:
                    self.assertEqual(left.read_bytes(), right.read_bytes(), target)

    def held_by_another_decoder(self, one: Case, path: Path) -> None:
        archive = cairnz.Archive(path)
        hashes = {entry["name"]: entry["sha256"] for entry in read("hash", one.path).json["tensors"]}
        self.assertEqual([archive.format, archive.completeness], [read("info", one.path).json["format"], "complete"])
        self.assertEqual({each.name: (each.dtype, each.shape, each.role) for each in archive.tensors},
                         {entry["name"]: (entry["dtype"], entry["shape"], entry["role"]) for entry in read("ls", one.path).json["tensors"]})
        for each in archive.tensors:
            if each.dtype != "string":  # whose encoding is described in model/value_bytes.h
                self.assertEqual(hashlib.sha256(archive.elements(each.name)).hexdigest(), hashes[each.name], each.name)

    def each_unpacks_bit_equal(self, one: Case) -> None:
        """Compares the tensors that `safetensors` loads with those that the framework saved."""
        with temporary() as name:
            folder = Path(name)
            out = folder / "out.safetensors"
            answer = run("unpack", archive_of(one, folder), "-o", out, "--json")
            if answer.code != 0:  # not supported in a safetensors file
                self.assertEqual(answer.json["error"]["code"], run("consolidate", one.path, "-o", out, "--only", "all",
                                                                   "--json").json["error"]["code"])
                return
            self.assertTrue(answer.json["verified"])
            found, aliases = load_safetensors([out])
            rename = one.root_name(found.tensors)
            tensors = {rename.get(key, key): entry for key, entry in found.tensors.items()}
            for key, entry in one.tensors.items():
                self.assertEqual(tensors.get(key) or tensors.get(aliases.get(key)), entry, key)


class Deltas(unittest.TestCase):
    """The next training step of these weights."""

    def setUp(self) -> None:
        self.temporary = temporary()
        self.folder = Path(self.temporary.name)
        torch.manual_seed(5)
        weights = {f"layer.{i}": torch.randn(512, 512) * 0.02 for i in range(4)}
        self.earlier = {**{key: value.to(torch.bfloat16) for key, value in weights.items()},
                        "norm": torch.ones(512), "ids": torch.arange(1000)}
        moved = {key: (value + torch.randn_like(value) * 1e-5).to(torch.bfloat16) for key, value in weights.items()}
        self.later = {**self.earlier, **moved, "layer.3": self.earlier["layer.3"], "extra": torch.randn(7, 3)}
        save_file(self.earlier, self.folder / "earlier.safetensors")
        torch.save({"model": self.later}, self.folder / "other.pt")
        save_file(self.later, self.folder / "later.safetensors")

    def tearDown(self) -> None:
        self.temporary.cleanup()

    def pack(self, source: str, name: str, *options: object):
        return run("pack", self.folder / source, "-o", self.folder / name, "--json", *options)

    def delta(self) -> Path:
        answer = self.pack("later.safetensors", "later.cairnz", "--delta", self.folder / "earlier.safetensors")
        self.assertEqual(answer.code, 0, answer.said())
        return self.folder / "later.cairnz"

    def test_comes_back_and_is_smaller(self) -> None:
        path = self.delta()
        answer = self.pack("later.safetensors", "whole.cairnz")
        self.assertLess(path.stat().st_size * 2, answer.json["bytes"])
        out = self.folder / "out.safetensors"
        self.assertEqual(run("unpack", path, "-o", out).code, 0)
        found = load_file(out)
        self.assertEqual(set(found), set(self.later))
        for key, value in self.later.items():
            self.assertTrue(torch.equal(found[key], value), key)
        self.assertEqual(run("hash", path, "--json").json["fingerprint"],
                         run("hash", self.folder / "later.safetensors", "--json").json["fingerprint"])

    def test_another_decoder_finds_the_same(self) -> None:
        self.assertEqual(self.pack("earlier.safetensors", "earlier.cairnz").code, 0)
        for level in (1, 9):
            answer = self.pack("later.safetensors", f"later{level}.cairnz", "--delta", self.folder / "earlier.cairnz", "--level", level)
            self.assertEqual(answer.code, 0, answer.said())
            archive = cairnz.Archive(self.folder / f"later{level}.cairnz")
            self.assertEqual({each.name for each in archive.tensors if each.kind == 2}, set(self.earlier))
            for key, value in self.later.items():
                self.assertEqual(archive.elements(key), value.contiguous().view(torch.uint8).numpy().tobytes(), key)

    def test_equal_tensors_take_next_to_nothing(self) -> None:
        answer = self.pack("earlier.safetensors", "same.cairnz", "--delta", self.folder / "earlier.safetensors")
        self.assertLess(answer.json["bytes"], 1000)

    def test_the_earlier_one_may_be_an_archive_and_lie_beside(self) -> None:
        self.assertEqual(self.pack("earlier.safetensors", "earlier.cairnz").code, 0)
        (self.folder / "sub").mkdir()
        shutil.move(self.folder / "earlier.cairnz", self.folder / "sub" / "earlier.cairnz")
        answer = self.pack("later.safetensors", "later.cairnz", "--delta", self.folder / "sub" / "earlier.cairnz")
        self.assertEqual(answer.code, 0, answer.said())
        shutil.move(self.folder / "sub" / "earlier.cairnz", self.folder / "earlier.cairnz")
        self.assertEqual(run("hash", self.folder / "later.cairnz", "--json").json["fingerprint"],
                         run("hash", self.folder / "later.safetensors", "--json").json["fingerprint"])

    def test_says_when_the_earlier_one_is_missing_or_another(self) -> None:
        path = self.delta()
        earlier = self.folder / "earlier.safetensors"
        earlier.rename(self.folder / "away.safetensors")
        answer = run("info", path, "--json")
        self.assertEqual(answer.json["complete"], "incomplete")
        self.assertEqual([notice["code"] for notice in answer.json["notices"]], ["missing-shard"])
        self.assertEqual(run("hash", path, "--json").json["error"]["code"], "missing-shard")
        changed = dict(self.earlier)
        changed["layer.0"] = changed["layer.0"].clone()
        changed["layer.0"][300, 7] += 1
        save_file(changed, earlier)
        answer = run("hash", path, "--json")
        self.assertEqual((answer.code, answer.json["error"]["code"]), (3, "bad-checksum"), answer.said())
        self.assertIn("earlier", answer.json["error"]["message"])
        self.assertEqual(run("show", path, "--tensor", "layer.1", "--slice", "0:2,0:2").code, 0)  # not touched by it

    def test_one_slice_costs_its_chunks(self) -> None:
        save_file({"big": torch.randn(64, 1 << 18)}, self.folder / "big.safetensors")
        self.assertEqual(self.pack("big.safetensors", "big.cairnz").code, 0)
        data = bytearray((self.folder / "big.cairnz").read_bytes())
        data[len(data) // 2] ^= 1  # a chunk in the middle
        (self.folder / "hurt.cairnz").write_bytes(data)
        hurt = self.folder / "hurt.cairnz"
        self.assertEqual(run("show", hurt, "--tensor", "big", "--slice", "0:1,0:4").code, 0)
        self.assertEqual(run("show", hurt, "--tensor", "big", "--slice", "63:64,0:4").code, 0)
        self.assertEqual(run("hash", hurt, "--json").json["error"]["code"], "bad-checksum")
        self.assertEqual(run("check", hurt).code, 1)


if __name__ == "__main__":
    unittest.main()
