#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`prune` of the real cairn-cli: random runs against a reference implementation, and the moved files, restored by the rules of the
freedesktop.org Trash specification. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_prune.py
    CAIRN_PRUNE_RUNS=1000 CAIRN_PRUNE_SEED=7 CAIRN_CLI=… python3 tests/cli/test_prune.py RandomRuns   # the large one
"""

from __future__ import annotations

import configparser
import json
import os
import random
import re
import shutil
import struct
import sys
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest
from made_files import safetensors

RUNS = int(os.environ.get("CAIRN_PRUNE_RUNS", 100))
SEED = int(os.environ.get("CAIRN_PRUNE_SEED", 20))
GRACE = 600
OLD = 100_000  # seconds


def tensors(path: Path, *names: str) -> None:
    safetensors(path, {name: ("F32", [2], os.urandom(8)) for name in names})


def age(path: Path, seconds: float) -> None:
    when = time.time() - seconds
    for each in [path, *path.rglob("*")] if path.is_dir() else [path]:
        os.utime(each, (when, when), follow_symlinks=False)


def reference(saves: list[dict], last: int) -> set[str]:
    """The names to be removed. A save is (name, series, step, age, complete, referenced)."""
    settled = [each for each in saves if each["age"] >= GRACE]
    conflicts = {x["name"] for x in settled for y in settled if x["series"] == y["series"]
                 and (x["step"] - y["step"]) * (y["age"] - x["age"]) < 0}
    kept, doubtful, solid, shared = set(), set(), set(), set()
    for series in {each["series"] for each in saves}:
        members = sorted((each for each in saves if each["series"] == series), key=lambda each: -each["step"])
        if len(members) < 2:
            continue
        shared.add(series)
        usable = [each for each in members if each["complete"]]
        sound = [each for each in usable if each["age"] >= GRACE]
        solid |= {each["name"] for each in sound}
        kept |= {each["name"] for each in usable[:last] + sound[:last]}
        doubtful |= {each["name"] for each in members if each not in sound or each["name"] in conflicts}
    kept |= {each["name"] for each in saves if each["referenced"]}

    def beside(each: dict, others: set[str]) -> bool:
        return any(other["step"] == each["step"] and other["name"] in others for other in saves if other is not each)

    kept |= {each["name"] for each in saves if beside(each, kept)}
    return {each["name"] for each in saves if each["series"] in shared and each["name"] in solid - kept - conflicts
            and not beside(each, doubtful - kept)
            and any(other["series"] == each["series"] and other["step"] > each["step"] and other["name"] in kept & solid
                    for other in saves)}


class WithFolder(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.world = self.folder / "world"
        self.out = self.world / "out"
        self.run_folder = self.out / "run"

    def save(self, layout: str, name: str, seconds: float, complete: bool = True) -> Path:
        path = self.run_folder / (name + ".safetensors" if layout == "file" else name)
        if layout == "file":
            tensors(path, "a", "b")
            if not complete:
                os.truncate(path, path.stat().st_size - 3)
        else:
            shards = {f"model-0000{i}-of-00003.safetensors": f"t{i}" for i in (1, 2, 3)}
            for file, tensor in shards.items():
                tensors(path / file, tensor)
            (path / "model.safetensors.index.json").write_text(json.dumps(
                {"metadata": {"total_size": 24}, "weight_map": {tensor: file for file, tensor in shards.items()}}))
            (path / "config.json").write_text('{"model_type": "llama"}')
            if not complete:
                (path / "model-00003-of-00003.safetensors").unlink()
        age(path, seconds)
        return path


class RandomRuns(WithFolder):
    def one(self, rng: random.Random) -> None:
        shutil.rmtree(self.world, ignore_errors=True)
        saves: list[dict] = []
        layout = rng.choice(["file", "folder"])
        steps = sorted(rng.sample(range(1, 40), rng.randint(2, 7)))
        ages = [OLD - 1000 * i for i in range(len(steps))]
        if rng.random() < 0.3:  # the run was restarted from an earlier step
            at = rng.randrange(len(steps))
            order = steps[at:] + steps[:at]
        else:
            order = steps
        word = rng.choice(["step-", "checkpoint-", "global_step"])
        for i, step in enumerate(order):
            saves.append({"name": f"{word}{step * 100}", "series": word, "step": step * 100, "age": ages[i], "layout": layout})
        for i in range(rng.choice([0, 0, 1, 2, 3])):  # another model, or unrelated files
            saves.append({"name": f"{rng.choice(['base', 'pre'])}_step_{rng.randint(1, 9000)}", "series": None, "step": 0,
                          "age": OLD - 50 * i, "layout": "file"})
        saves = list({each["name"]: each for each in saves}.values())
        for each in saves:
            if each["series"] is None:
                prefix, number = each["name"].rsplit("_", 1)
                each.update(series=prefix, step=int(number))
            each["complete"] = rng.random() > 0.15
            if rng.random() < 0.12:
                each["age"] = rng.choice([1, 300, -5000])
            each["path"] = self.save(each["layout"], each["name"], each["age"], each["complete"])
            each["referenced"] = False
            if rng.random() < 0.15:
                each["referenced"] = True
                self.refer(rng, each["path"])
        last = rng.randint(1, 3)
        plan = self.call("prune", self.run_folder, "--keep-last", last)
        listed = [entry["path"] for part in ("keep", "remove", "refused") for entry in plan[part]]
        self.assertEqual(len(listed), len(set(listed)), "each in one list")
        self.assertLessEqual({str(each["path"]) for each in saves}, set(listed))
        self.assertTrue(all(entry["why"] for part in ("keep", "remove", "refused") for entry in plan[part]))
        expected = {str(each["path"]) for each in saves if each["name"] in reference(saves, last)}
        self.assertEqual({entry["path"] for entry in plan["remove"]}, expected, json.dumps(plan, indent=1))

    def refer(self, rng: random.Random, path: Path) -> None:
        name, below = path.name, os.path.relpath(path, self.out)
        kind = rng.randrange(7)
        number = rng.randrange(10**9)
        if kind == 0:
            (self.run_folder / f"best-{number}").symlink_to(name)
        elif kind == 1:
            (self.out / f"link-{number}").symlink_to(below)
        elif kind == 2:
            (self.run_folder / f"best_{number}.txt").write_text(name + "\n")
        elif kind == 3:
            (self.out / f"latest_{number}").write_text(below)
        elif kind == 4:
            (self.world / f"resume_{number}").write_text(str(path))
        elif kind == 5:
            (self.out / "sibling").mkdir(exist_ok=True)
            (self.out / "sibling" / f"chosen-{number}").symlink_to(path if path.is_file() else path / "config.json")
        else:
            (self.out / f"exported-{number}.safetensors.cairn.json").write_text(json.dumps(
                {"schema": "cairn/manifest/1", "source": {"path": str(path)}, "verified": False}))

    def test_against_the_reference(self) -> None:
        for number in range(RUNS):
            with self.subTest(seed=SEED, number=number):
                self.one(random.Random(SEED * 1_000_003 + number))


class Apply(WithFolder):
    def restore(self, info: Path) -> Path:
        """Restores according to the specification; returns the path."""
        parser = configparser.ConfigParser(interpolation=None)
        parser.optionxform = str
        parser.read_string(info.read_text())
        self.assertEqual(parser.sections(), ["Trash Info"])
        self.assertEqual(set(parser["Trash Info"]), {"Path", "DeletionDate"})
        when = time.mktime(time.strptime(parser["Trash Info"]["DeletionDate"], "%Y-%m-%dT%H:%M:%S"))
        self.assertLess(abs(time.time() - when), 100)
        path = Path(os.fsdecode(urllib.parse.unquote_to_bytes(parser["Trash Info"]["Path"])))
        self.assertTrue(path.is_absolute(), "the home's wastebasket is named by absolute paths")
        os.rename(info.parent.parent / "files" / info.name.removesuffix(".trashinfo"), path)
        info.unlink()
        return path

    def test_moved_and_restored(self) -> None:
        self.run_folder = self.out / "100% é\n[run]"
        for layout in ("file", "folder"):
            shutil.rmtree(self.out, ignore_errors=True)
            for i, step in enumerate((100, 200, 300)):
                self.save(layout, f"step-{step}", OLD - i)
            before = {path: path.read_bytes() for path in self.out.rglob("*") if path.is_file()}
            plan = self.call("prune", self.run_folder, "--keep-last", 1)
            self.assertEqual((len(plan["remove"]), plan["applied"]), (2, False))
            self.assertEqual(before, {path: path.read_bytes() for path in self.out.rglob("*") if path.is_file()})
            done = self.call("prune", self.run_folder, "--keep-last", 1, "--apply")
            self.assertEqual([entry["path"] for entry in done["remove"]], [entry["path"] for entry in plan["remove"]])
            for entry in done["remove"]:
                self.assertTrue(Path(entry["moved_to"]).exists())
                self.assertFalse(Path(entry["path"]).exists())
            trash = self.home / "data/Trash"
            self.assertEqual(trash.stat().st_mode & 0o777, 0o700)
            restored = {str(self.restore(info)) for info in list((trash / "info").iterdir())}
            self.assertEqual(restored, {os.path.realpath(entry["path"]) for entry in done["remove"]})
            self.assertEqual(before, {path: path.read_bytes() for path in self.out.rglob("*") if path.is_file()})
            self.assertEqual(list((trash / "files").iterdir()), [])

    def test_the_base_of_a_delta(self) -> None:
        self.run_folder.mkdir(parents=True)
        rng = random.Random(1)
        values = [rng.gauss(0, 0.02) for _ in range(5000)]
        for step in (100, 200, 300):
            path = safetensors(self.run_folder / f"step-{step}.safetensors", {"w": ("F32", [5000], struct.pack("<5000f", *values))})
            age(path, OLD - step)
        first = self.run_folder / "step-100.safetensors"
        for place in ("run/step-9.cairnz", "far.cairnz", "run/renamed.bin", "moved-aside"):
            target = self.out / place
            self.call("pack", self.run_folder / "step-300.safetensors", "-o", self.out / "x.cairnz", "--delta", first)
            (self.out / "x.cairnz.cairn.json").unlink()
            if target.parent != self.out:  # packed in the same folder, so that its index matches
                (self.out / "x.cairnz").unlink()
                self.call("pack", self.run_folder / "step-300.safetensors", "-o", target.with_suffix(".cairnz"), "--delta", first)
                target.with_suffix(".cairnz.cairn.json").unlink()
                if target.suffix != ".cairnz":
                    target.with_suffix(".cairnz").rename(target)
            else:
                (self.out / "x.cairnz").rename(target)
            plan = self.call("prune", self.run_folder, "--keep-last", 1)
            kept = {Path(entry["path"]).name: entry["why"] for entry in plan["keep"]}
            self.assertIn(f"named by {os.path.relpath(target, self.run_folder) if target.parent == self.run_folder else target}",
                          kept.get(first.name, ""), place)
            self.assertEqual([Path(entry["path"]).name for entry in plan["remove"]], ["step-200.safetensors"], place)
            target.unlink()
        plan = self.call("prune", self.run_folder, "--keep-last", 1)
        self.assertEqual(len(plan["remove"]), 2)

    def test_what_stays_can_be_read(self) -> None:
        """Damage inside a chunk is not visible in the index."""
        self.run_folder.mkdir(parents=True)
        for i, step in enumerate((100, 200, 300)):
            tensors(self.folder / "x.safetensors", *"abcdefgh")
            self.call("pack", self.folder / "x.safetensors", "-o", self.run_folder / f"step-{step}.cairnz")
            age(self.run_folder / f"step-{step}.cairnz", OLD - i)
        removed = lambda: {Path(entry["path"]).name for entry in self.call("prune", self.run_folder, "--keep-last", 1)["remove"]}
        self.assertEqual(removed(), {"step-100.cairnz", "step-200.cairnz"})
        newest = self.run_folder / "step-300.cairnz"
        whole = bytearray(newest.read_bytes())
        for at in range(64, 68):
            whole[at] ^= 0xFF
        newest.write_bytes(whole)
        age(newest, OLD - 2)
        self.assertEqual(removed(), {"step-100.cairnz"})

    def test_pins_and_named_removals(self) -> None:
        paths = [self.save("folder", f"checkpoint-{step}", OLD - step) for step in (100, 200, 300)]
        names = lambda entries: [Path(entry["path"]).name for entry in entries]
        pinned = self.call("prune", self.run_folder, "--pin", "checkpoint-100")
        self.assertEqual((pinned["pinned"], pinned["remove"]), ([str(paths[0])], []))
        plan = self.call("prune", self.run_folder, "--keep-last", 1)
        self.assertEqual(names(plan["remove"]), ["checkpoint-200"])
        self.assertEqual({Path(each["path"]).name: each["why"] for each in plan["keep"]}["checkpoint-100"], "pinned")
        # By name: the latest, too, with what is lost; never a pinned one. Nothing supersedes them.
        plan = self.call("prune", self.run_folder, "--remove", "checkpoint-300", "--remove", "checkpoint-100")
        self.assertEqual((names(plan["remove"]), names(plan["refused"])), (["checkpoint-300"], ["checkpoint-100"]))
        self.assertIn("the latest", plan["remove"][0]["why"])
        self.assertEqual(plan["refused"][0]["why"], "pinned")
        self.assertTrue(paths[2].exists())
        done = self.call("prune", self.run_folder, "--remove", paths[2], "--apply")
        self.assertFalse(paths[2].exists())
        self.assertTrue(Path(done["remove"][0]["moved_to"]).exists())
        self.assertEqual(self.call("prune", self.run_folder, "--unpin", "checkpoint-100")["pinned"], [])
        self.assertEqual(names(self.call("prune", self.run_folder, "--keep-last", 1)["remove"]), ["checkpoint-100"])
        self.call("prune", self.run_folder, "--remove", "checkpoint-9", code=3)
        self.call("prune", self.run_folder, "--pin", "checkpoint-9", code=3)

    def test_what_hard_links_keep_is_not_freed(self) -> None:
        paths = [self.save("folder", f"checkpoint-{step}", OLD - step) for step in (100, 200, 300)]
        sizes = [sum(each.stat().st_size for each in path.iterdir()) for path in paths]
        (self.world / "kept").mkdir()
        for each in paths[0].iterdir():  # all of the first one, one shard of the second one
            os.link(each, self.world / "kept" / (each.name + ".dat"))
        shard = paths[1] / "model-00001-of-00003.safetensors"
        os.link(shard, self.world / "kept" / "shard.dat")
        plan = self.call("prune", self.run_folder, "--keep-last", 1)
        self.assertEqual([(each["bytes"], each["frees"]) for each in plan["remove"]],
                         [(sizes[0], 0), (sizes[1], sizes[1] - shard.stat().st_size)])
        self.assertEqual(plan["freed_bytes"], sizes[1] - shard.stat().st_size)
        self.assertIn("other names", plan["remove"][0]["loses"])
        space = self.call("space", self.world)
        self.assertEqual(space["tree"]["bytes"], sum(sizes))
        self.assertEqual([(each["kind"], each["bytes"]) for each in space["largest"][:3]],
                         [("checkpoint", size) for size in sorted(sizes, reverse=True)])

    def test_the_grace_period(self) -> None:
        for i, step in enumerate((100, 200, 300, 400)):
            self.save("file", f"step-{step}", 400 - i)
        plan = self.call("prune", self.run_folder, "--keep-last", 1)
        self.assertEqual(plan["remove"], [])
        self.assertTrue(all(re.match(r"it changed \d+ s ago", entry["why"]) for entry in plan["refused"]), plan["refused"])
        self.assertEqual(len(self.call("prune", self.run_folder, "--keep-last", 1, "--grace", 5)["remove"]), 3)
        self.assertEqual(self.call("prune", self.run_folder, "--keep-last", 1, "--grace", "x", code=2)["error"]["code"], "invalid-argument")

    def test_the_direction_is_named(self) -> None:
        """val_loss is lower at step 100, val_acc larger at step 200, and nobody recorded a direction."""
        for i, step in enumerate((100, 200, 300, 400)):
            self.save("file", f"step-{step}", OLD - i)
        (self.run_folder / "metrics.csv").write_text("step,val_loss,val_acc\n100,1,0.1\n200,2,0.9\n300,3,0.3\n400,4,0.4\n")
        names = lambda plan, part: {Path(entry["path"]).name.partition(".")[0] for entry in plan[part]}
        both = ("prune", self.run_folder, "--keep-last", 1, "--keep-best", 1)
        plan = self.call(*both)
        self.assertEqual((names(plan, "remove"), names(plan, "refused")), (set(), {"step-200", "step-300"}))
        self.assertIn("assumed", plan["refused"][0]["why"])
        for by, kept in (("val_loss:min", "step-100"), ("val_acc:max", "step-200"), ("val_loss:max", "step-400")):
            plan = self.call(*both, "--best-by", by)
            self.assertEqual(names(plan, "keep"), {kept, "step-400"}, by)
            self.assertEqual(len(plan["remove"]), 4 - len(plan["keep"]), by)
        for by in ("val_loss", "val_loss:down", ":min", "other:min"):
            self.assertEqual(self.call(*both, "--best-by", by, code=2)["error"]["code"], "invalid-argument", by)

    def test_an_export_does_not_hide_the_best(self) -> None:
        """Its folder comes before those of the run, and it has the name of the recorded best."""
        for i, step in enumerate((100, 200, 300)):
            path = self.save("folder", f"checkpoint-{step}", OLD - i)
            (path / "trainer_state.json").write_text(json.dumps(
                {"global_step": step, "best_model_checkpoint": "out/checkpoint-100", "best_metric": 0.5, "log_history": []}))
            age(path, OLD - i)
        plan = lambda *rules: {Path(each["path"]).name for each in self.call("prune", self.run_folder, "--keep-last", 1, *rules)["remove"]}
        self.assertEqual(plan(), {"checkpoint-200"})
        output = self.run_folder / "bf16/checkpoint-100"
        output.parent.mkdir()
        self.call("consolidate", self.run_folder / "checkpoint-100", "--only", "weights", "-o", output)
        self.assertEqual(plan(), {"checkpoint-200"})
        self.assertEqual(plan("--keep-best", 1), {"checkpoint-200"})


if __name__ == "__main__":
    unittest.main()
