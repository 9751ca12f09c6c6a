# SPDX-License-Identifier: Apache-2.0
"""`reshard` and `consolidate --to dcp`: random shardings, loaded by torch and by Cairn, compared bit by bit.

CAIRN_RESHARDINGS sets the number of random shardings (64).
"""

from __future__ import annotations

import copy
import io
import json
import os
import pickle
import random
import unittest
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from safetensors import safe_open
from safetensors.torch import save_file
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

import dcp_ranks
import random_states
from support import files_under, run, temporary

COUNT = int(os.environ.get("CAIRN_RESHARDINGS", "64"))


def same(a: object, b: object) -> bool:
    """Equal in type and value, tensors bit by bit."""
    if isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor):
        return (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape
                and a.contiguous().flatten().view(torch.uint8).tolist() == b.contiguous().flatten().view(torch.uint8).tolist())
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return type(a) is type(b) and a == b


def as_torch_keeps(value: object) -> object:
    """Nested values after flattening: keys are text."""
    if isinstance(value, dict):
        return {str(key): as_torch_keeps(inner) for key, inner in value.items()}
    if isinstance(value, list) and not terminal(value):
        return [as_torch_keeps(inner) for inner in value]
    return value


def terminal(values: list) -> bool:
    return not any(isinstance(inner, (dict, torch.Tensor)) or isinstance(inner, list) and not terminal(inner) for inner in values)


def zeroed(value: object) -> object:
    """The same structure with nothing in it, for dcp.load to fill."""
    if isinstance(value, torch.Tensor):
        return torch.zeros_like(value)
    if isinstance(value, dict):
        return {key: zeroed(inner) for key, inner in value.items()}
    if isinstance(value, list) and not terminal(value):
        return [zeroed(inner) for inner in value]
    return "nothing yet"


def whole(folder: Path) -> dict:
    """The result of torch's own converter for the folder."""
    file = folder.parent / (folder.name + ".whole.pt")
    dcp_to_torch_save(folder, file)
    return torch.load(file, weights_only=False)


def fingerprint(path: Path) -> str:
    answer = run("hash", path, "--json")
    assert answer.code == 0, answer.said()
    return answer.json["fingerprint"]


def hashes(path: Path) -> dict[str, str]:
    answer = run("hash", path, "--json")
    assert answer.code == 0, answer.said()
    return {tensor["name"]: tensor["sha256"] for tensor in answer.json["tensors"]}


def sharding(dice: random.Random) -> list[str]:
    kind = dice.randrange(4)
    if kind == 0:
        return ["--ranks", str(dice.choice((1, 2, 3, 4, 5, 7, 8, 16, 64)))]
    if kind == 1:
        return ["--ranks", str(dice.choice((2, 3, 4, 8))), "--dim", str(dice.choice((0, 1, 2, -1, -2)))]
    if kind == 2:
        return ["--grid", f"{dice.randrange(1, 5)}x{dice.randrange(1, 5)}"]
    return ["--grid", f"{dice.randrange(1, 4)}x{dice.randrange(1, 4)}", "--dim", dice.choice(("0,0", "1,0", "-1,0", "0,2", "1,1"))]


def flat_tensors(state: object, name: str = "") -> dict[str, torch.Tensor]:
    if isinstance(state, torch.Tensor):
        return {name: state}
    items = state.items() if isinstance(state, dict) else enumerate(state) if isinstance(state, list) else ()
    found = {}
    for key, inner in items:
        found |= flat_tensors(inner, f"{name}.{key}" if name else str(key))
    return found


def torch_cut(extent: int, ranks: int) -> list[tuple[int, int]]:
    """Offset and length of each part of torch.chunk, without empty ones."""
    offsets, at = [], 0
    for part in torch.arange(extent).chunk(ranks):
        offsets.append((at, len(part)))
        at += len(part)
    return offsets


class Random(unittest.TestCase):
    def one(self, seed: int) -> None:
        dice = random.Random(seed)
        state = random_states.state(seed)
        arguments = sharding(dice)
        kind = ("pt", "dcp", "safetensors")[seed % 3]
        with temporary() as folder:
            source, out = Path(folder) / f"source.{kind}", Path(folder) / "out"
            if kind == "pt":
                torch.save(state, source)
            elif kind == "dcp":
                dcp.save(copy.deepcopy(state), checkpoint_id=source, no_dist=True)
            else:
                state = {name: tensor.contiguous().clone() for name, tensor in flat_tensors(state).items()}
                save_file(state, source)
            answer = run("reshard", source, "-o", out, "--to", "dcp", *arguments, "--json")
            self.assertEqual(answer.code, 0, f"{arguments}: {answer.said()}")
            self.assertTrue(answer.json["verified"])
            kept = whole(source) if kind == "dcp" else as_torch_keeps(state)  # torch's writer drops empty dicts
            self.assertTrue(same(whole(out), kept), f"{kind} {arguments}")
            target = zeroed(state)
            dcp.load(target, checkpoint_id=out, no_dist=True)
            self.assertTrue(same(target, state), f"dcp.load: {kind} {arguments}")
            self.assertEqual(fingerprint(out), fingerprint(source))
            again = run("ls", out, "--json")
            self.assertEqual([], again.json["notices"], again.said())
            self.assertEqual("complete", run("info", out, "--json").json["complete"])


for seed in range(COUNT):
    setattr(Random, f"test_{seed:03}", lambda self, seed=seed: self.one(seed))


class Placed(unittest.TestCase):
    """Each rank has its part according to torch.chunk."""

    def placement(self, shape: tuple[int, ...], *arguments: str) -> list[tuple[str, list[int], list[int]]]:
        with temporary() as folder:
            source, out = Path(folder) / "source.safetensors", Path(folder) / "out"
            save_file({"w": torch.arange(max(1, torch.Size(shape).numel())).reshape(shape)}, source)
            answer = run("reshard", source, "-o", out, "--to", "dcp", *arguments, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            listed = run("placement", out, "--json").json["tensors"][0]["pieces"]
            names = [entry["path"] for entry in run("ls", out, "--json").json["files"]]
            file = lambda piece: piece["file"] if isinstance(piece["file"], str) else names[piece["file"]]
            return sorted((file(piece), piece["box"]["origin"], piece["box"]["extent"]) for piece in listed)

    def test_dim_0_is_cut_as_torch_chunk_does(self) -> None:
        for extent, ranks in ((8, 4), (9, 4), (10, 4), (5, 4), (3, 8), (1, 3), (64, 7), (6, 4)):
            wanted = [(f"__{rank}_0.distcp", [at, 0], [length, 3]) for rank, (at, length) in enumerate(torch_cut(extent, ranks))]
            self.assertEqual(self.placement((extent, 3), "--ranks", str(ranks)), wanted, f"{extent} among {ranks}")

    def test_another_dimension(self) -> None:
        wanted = [(f"__{rank}_0.distcp", [0, at], [4, length]) for rank, (at, length) in enumerate(torch_cut(7, 3))]
        self.assertEqual(self.placement((4, 7), "--ranks", "3", "--dim", "1"), wanted)
        self.assertEqual(self.placement((4, 7), "--ranks", "3", "--dim", "-1"), wanted)

    def test_a_grid(self) -> None:
        wanted = sorted((f"__{row * 2 + column}_0.distcp", [at, left], [height, width])
                        for row, (at, height) in enumerate(torch_cut(10, 4)) for column, (left, width) in enumerate(torch_cut(5, 2)))
        self.assertEqual(self.placement((10, 5), "--grid", "4x2"), wanted)


class Ranks(unittest.TestCase):
    def test_torch_loads_it_into_one_two_and_four_ranks(self) -> None:
        state = {name: tensor for name, tensor in flat_tensors(random_states.state(5)).items() if tensor.numel() and not tensor.is_complex()}
        with temporary() as folder:
            source = Path(folder) / "source.pt"
            torch.save(state, source)
            for ranks, dim in ((1, 0), (2, 1), (4, 0)):
                out = Path(folder) / f"out-{ranks}"
                answer = run("reshard", source, "-o", out, "--grid", "3x2", "--json")
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual(dcp_ranks.differences(out, source, ranks, dim), 0)


class Chains(unittest.TestCase):
    def test_4_to_8_to_3_to_one_file_is_the_original(self) -> None:
        state = random_states.state(10)
        with temporary() as folder:
            place = Path(folder)
            torch.save(state, place / "source.pt")
            before = fingerprint(place / "source.pt")
            last = place / "source.pt"
            for ranks in (4, 8, 3):
                out = place / f"ranks-{ranks}"
                answer = run("reshard", last, "-o", out, "--to", "dcp", "--ranks", ranks, "--json")
                self.assertEqual(answer.code, 0, answer.said())
                self.assertEqual(fingerprint(out), before)
                last = out
            answer = run("consolidate", last, "-o", place / "end.pt", "--to", "torch", "--only", "all", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual(fingerprint(place / "end.pt"), before)
            self.assertTrue(same(torch.load(place / "end.pt", weights_only=False), as_torch_keeps(state)))

    def test_consolidate_writes_one_rank(self) -> None:
        state = random_states.state(6)
        with temporary() as folder:
            source, out = Path(folder) / "source.pt", Path(folder) / "out"
            torch.save(state, source)
            answer = run("consolidate", source, "-o", out, "--to", "dcp", "--only", "all", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual(files_under(out), [".metadata", "MANIFEST.json", "__0_0.distcp"])
            self.assertTrue(same(whole(out), as_torch_keeps(state)))
            self.assertEqual(0, run("verify", source, out).code)

    def test_weights_only(self) -> None:
        state = random_states.state(6)
        with temporary() as folder:
            source, out = Path(folder) / "source.pt", Path(folder) / "out"
            torch.save(state, source)
            answer = run("reshard", source, "-o", out, "--ranks", "4", "--only", "weights", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            found = whole(out)
            wanted = {f"model.{name}": tensor for name, tensor in state["model"].items()}
            self.assertEqual({name for name in found if name.startswith("model.")}, set(wanted))
            self.assertTrue(all(same(found[name], wanted[name]) for name in wanted))
            self.assertFalse(any(name.startswith("optimizer.") for name in found))


class Values(unittest.TestCase):
    """Plain values, and tensors that torch stores inside such an item."""

    def through(self, state: dict, *arguments: str) -> dict:
        with temporary() as folder:
            source, out = Path(folder) / "source.pt", Path(folder) / "out"
            torch.save(state, source)
            answer = run("reshard", source, "-o", out, "--ranks", "3", *arguments, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            return whole(out)

    def test_a_tuple_of_tensors_is_one_item(self) -> None:
        state = {"pair": (torch.arange(5), torch.ones(3, dtype=torch.bfloat16), "x"), "w": torch.zeros(4, 4)}
        self.assertTrue(same(self.through(state), state))

    def test_empty_containers_stay(self) -> None:
        state = {"empty": {}, "inner": {"list": [], "dict": {}}, "w": torch.zeros(2)}
        self.assertTrue(same(self.through(state), state))

    def test_dots_in_keys(self) -> None:
        state = {"a.b": 1, "a": {"e": 2, "c.d": torch.ones(3)}, "x.y": {"1": [0.5, {"2.3": "text"}]}}
        self.assertTrue(same(self.through(state), state))

    def test_tied_weights_are_stored_once(self) -> None:
        weight = torch.randn(512, 512)
        with temporary() as folder:
            source, out = Path(folder) / "source.pt", Path(folder) / "out"
            torch.save({"embed": weight, "head": weight}, source)
            answer = run("reshard", source, "-o", out, "--ranks", "4", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertLess(answer.json["bytes"], weight.nbytes * 1.1)
            found = whole(out)
            self.assertTrue(same(found, {"embed": weight, "head": weight}))
            listed = {one["name"]: one.get("alias_of") for one in run("ls", out, "--json").json["tensors"]}
            self.assertEqual(listed["head"], "embed")

    def test_the_index_needs_nothing_of_a_certain_version(self) -> None:
        with temporary() as folder:
            source, out = Path(folder) / "source.pt", Path(folder) / "out"
            torch.save({"w": torch.ones(3), "lr": 0.1}, source)
            self.assertEqual(0, run("reshard", source, "-o", out, "--ranks", "2").code)
            asked = set()

            class Watcher(pickle.Unpickler):
                def find_class(self, module, name):
                    asked.add((module, name))
                    return super().find_class(module, name)

            metadata = Watcher(io.BytesIO((out / ".metadata").read_bytes())).load()
            self.assertEqual(type(metadata).__name__, "Metadata")
            known = {"Metadata", "TensorStorageMetadata", "BytesStorageMetadata", "ChunkStorageMetadata", "TensorProperties",
                     "MetadataIndex", "_StorageInfo", "Size", "float32"}
            self.assertLessEqual({name for _, name in asked}, known)


class Files(unittest.TestCase):
    """Safetensors: whole tensors in several files, split and joined."""

    def split(self, folder: Path, *arguments: str) -> tuple[dict[str, torch.Tensor], Path, dict]:
        state = {f"model.layers.{i}.w": torch.randn(40, 50) for i in range(6)} | {"model.embed": torch.randn(100, 50)}
        save_file(state, folder / "source.safetensors")
        out = folder / "out"
        answer = run("reshard", folder / "source.safetensors", "-o", out, "--to", "safetensors", *arguments, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        found = {}
        for file in out.glob("*.safetensors"):
            with safe_open(file, framework="pt") as opened:
                for name in opened.keys():
                    found[name] = opened.get_tensor(name)
        self.assertTrue(same(found, state) or same(dict(sorted(found.items())), dict(sorted(state.items()))))
        index = json.loads((out / "model.safetensors.index.json").read_text())
        self.assertEqual(index["weight_map"].keys(), state.keys())
        self.assertEqual(fingerprint(out), fingerprint(folder / "source.safetensors"))
        joined = folder / "joined.safetensors"
        self.assertEqual(0, run("consolidate", out, "-o", joined, "--only", "all").code)
        self.assertEqual(hashes(joined), hashes(folder / "source.safetensors"))
        return state, out, index

    def test_ranks_are_files_of_about_equal_size(self) -> None:
        with temporary() as folder:
            _, out, _ = self.split(Path(folder), "--ranks", "3")
            sizes = [file.stat().st_size for file in out.glob("*.safetensors")]
            self.assertEqual(len(sizes), 3)
            self.assertLess(max(sizes), 2 * min(sizes))

    def test_a_size(self) -> None:
        with temporary() as folder:
            _, out, _ = self.split(Path(folder), "--max-shard-size", "20KB")
            self.assertGreater(len(list(out.glob("*.safetensors"))), 3)

    def test_a_file_for_each_layer(self) -> None:
        with temporary() as folder:
            _, out, index = self.split(Path(folder), "--per-layer")
            self.assertEqual(len(set(index["weight_map"].values())), 7)


class Refused(unittest.TestCase):
    def refused(self, code: int, *arguments: str) -> None:
        with temporary() as folder:
            source, out = Path(folder) / "source.safetensors", Path(folder) / "out"
            save_file({"w": torch.ones(4)}, source)
            answer = run("reshard", source, "-o", out, *arguments, "--json")
            self.assertEqual(answer.code, code, answer.said())
            self.assertEqual(["source.safetensors"], files_under(Path(folder)))

    def test_what_makes_no_sense(self) -> None:
        for arguments in ((), ("--ranks", "0"), ("--ranks", "x"), ("--ranks", "100000"), ("--grid", "2"), ("--grid", "0x4"),
                          ("--grid", "2x2", "--ranks", "5"), ("--ranks", "2", "--dim", "a"), ("--ranks", "2", "--dim", "0,1"),
                          ("--dim", "0"), ("--per-layer", "--ranks", "2"),
                          ("--to", "safetensors", "--ranks", "2", "--max-shard-size", "1MB")):
            with self.subTest(arguments):
                self.refused(2, *arguments)

    def test_a_format_without_parts(self) -> None:
        with temporary() as folder:
            source, out = Path(folder) / "source.safetensors", Path(folder) / "out"
            save_file({"w": torch.ones(4)}, source)
            answer = run("reshard", source, "-o", out, "--to", "torch", "--ranks", "2")
            self.assertNotEqual(answer.code, 0)
            self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
