#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plain values that are damaged, or that differ: `check`, `info`, jobs, `verify` and `diff`. Only the standard library."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from damaged_values import OUTCOMES, Subject, damaged_copies
from decision_lines import CHECKPOINTS, SAVED_VALUES, checkpoint_line, expected_checkpoints, expected_saved, saved_line
from driver import ROOT, SAMPLE, CliTest, ask, run
from made_files import floats, safetensors

END = b"PK\x05\x06"
END_SIZE = 22
UNREADABLE = "cairn.Unreadable"
DATA = ROOT / "tests" / "data"


def archives(data: bytes) -> list[tuple[int, bytes]]:
    """The torch.save archives of a shard, which follow each other, with their offsets."""
    found, begin = [], 0
    while (end := data.find(END, begin)) >= 0:
        found.append((begin, data[begin : end + END_SIZE]))
        begin = end + END_SIZE
    return found


def pickle_of(archive: bytes) -> tuple[int, int] | None:
    """Offset and length of the pickle of an archive without tensors."""
    records = {info.filename.split("/", 1)[-1]: info for info in zipfile.ZipFile(io.BytesIO(archive)).infolist()}
    if any(name.startswith("data/") for name in records):
        return None
    info = records["data.pkl"]
    at = info.header_offset
    names = int.from_bytes(archive[at + 26 : at + 28], "little") + int.from_bytes(archive[at + 28 : at + 30], "little")
    return at + 30 + names, info.file_size


class DamagedValues(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.source = SAMPLE / "tiny-llama-a" / "step-400"
        self.copy = self.folder / "damaged"
        shutil.copytree(self.source, self.copy)
        self.values = [(shard, at, archive) for shard in sorted(self.copy.glob("*.distcp"))
                       for at, archive in archives(shard.read_bytes()) if pickle_of(archive)]
        self.assertGreater(len(self.values), 3)

    def damage(self, shard: Path, at: int, data: bytes) -> None:
        whole = bytearray(shard.read_bytes())
        whole[at : at + len(data)] = data
        shard.write_bytes(whole)

    def flip(self) -> Path:
        """Flips a bit in the pickle of a number, so that it is another number."""
        for shard, at, archive in self.values:
            begin, length = pickle_of(archive)
            pickled = archive[begin : begin + length]
            if b"G" in pickled[2:6]:  # BINFLOAT
                self.damage(shard, at + begin + length - 4, bytes([pickled[-4] ^ 1]))
                return shard
        self.fail("no float among the values")

    def assert_refused(self, code: str) -> None:
        document = ask("check", self.copy, code=1)
        self.assertEqual(document["verdict"], "damaged")
        found = [each for each in document["findings"] if each["code"] == code]
        self.assertTrue(found, document["findings"])
        self.assertTrue(found[0]["where"]["file"].endswith(".distcp"), found)
        self.assertTrue(found[0]["where"]["field"], found)
        for job, output in (("consolidate", "all.pt"), ("cast", "cast"), ("pack", "packed.cairnz")):
            options = {"consolidate": ["--to", "torch", "--only", "all"], "cast": ["--dtype", "fp16"]}.get(job, [])
            answer = run(job, self.copy, "-o", self.folder / output, *options, "--json")
            self.assertEqual(answer.code, 3, answer.said())
            self.assertFalse((self.folder / output).exists())

    def test_a_flipped_bit(self) -> None:
        self.flip()
        self.assertIn(UNREADABLE, json.dumps(ask("info", self.copy)["values"]))
        self.assert_refused("bad-checksum")

    def test_an_item_of_zeros(self) -> None:
        shard, at, archive = self.values[0]
        self.damage(shard, at, bytes(len(archive)))
        self.assert_refused("dcp-item-mismatch")

    def test_forced_jobs_leave_the_item_out(self) -> None:
        self.flip()
        before = ask("info", self.source)["values"]
        for job, output in (("consolidate", "all.pt"), ("pack", "packed.cairnz")):
            options = ["--to", "torch", "--only", "all"] if job == "consolidate" else []
            plan = ask("plan", job, self.copy, "-o", self.folder / output, *options, "--force")
            self.assertTrue([each for each in plan["problems"] if each["severity"] == "warning" and "Left out" in each["message"]], plan)
            answer = run(job, self.copy, "-o", self.folder / output, *options, "--force", "--json")
            self.assertEqual(answer.code, 0, answer.said())
            after = ask("info", self.folder / output)["values"]
            self.assertNotIn(UNREADABLE, json.dumps(after))
            self.assertNotEqual(before, after)

    def test_weights_alone_do_not_need_the_values(self) -> None:
        self.flip()
        answer = run("consolidate", self.copy, "-o", self.folder / "weights.safetensors", "--json")
        self.assertEqual(answer.code, 0, answer.said())

    def test_an_archive(self) -> None:
        packed = self.folder / "packed.cairnz"
        self.call("pack", self.source, "-o", packed)
        data = bytearray(packed.read_bytes())
        foot = len(data) - 3000  # within the values or the index, both of which have a checksum
        for at in range(foot, len(data) - 200, 97):
            bad = bytearray(data)
            bad[at] ^= 4
            packed.write_bytes(bad)
            checked = run("check", packed, "--json")
            self.assertNotEqual(checked.code, 0, at)
            unpacked = run("unpack", packed, "-o", self.folder / "unpacked.pt", "--json")
            self.assertEqual(unpacked.code, 3, unpacked.said())


class EveryFormat(CliTest):
    """Random single damages of small files of the real frameworks."""

    SUBJECTS = ("torch/training.pt", "dcp/plain", "archive/training.cairnz", "keras/dense.keras", "keras/plain.h5", "tensorflow/manager",
                "orbax/leaves", "orbax/leaves_zarr3", "npz/stored.npz", "npz/deflated.npz", "safetensors/tied.safetensors")
    # Every stored byte of the values has a checksum. In a DCP folder their names have none.
    PROVEN = ("torch/training.pt", "archive/training.cairnz", "keras/dense.keras", "tensorflow/manager", "npz/stored.npz", "npz/deflated.npz")

    def test_no_damage_is_silent(self) -> None:
        rng = random.Random(11)
        for name in self.SUBJECTS:
            with self.subTest(name):
                path = DATA / name
                if name == "tensorflow/manager":  # of one checkpoint, so that no other one is opened
                    path = self.folder / "manager"
                    shutil.copytree(DATA / name, path, ignore=shutil.ignore_patterns("ckpt-2*"))
                subject = Subject(path)
                self.assertEqual(subject.proven, name in self.PROVEN, ask("check", path)["values_saved"])
                for what, outcome in damaged_copies(subject, self.folder / "copy", 9, rng):
                    self.assertIn(outcome, OUTCOMES[:2] if subject.proven else OUTCOMES[:3], what)

    def test_every_verb_decides_the_same(self) -> None:
        rng = random.Random(5)
        decided = set()
        for name in self.SUBJECTS:
            sound = DATA / name
            for damaged in range(4):
                copy = self.folder / f"faces{damaged}" / sound.name
                copy.parent.mkdir(exist_ok=True)
                (shutil.copytree if sound.is_dir() else shutil.copy2)(sound, copy)
                file = rng.choice([each for each in ([copy] if copy.is_file() else copy.rglob("*")) if each.is_file() and each.stat().st_size])
                if damaged:
                    data = bytearray(file.read_bytes())
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                    before = file.stat()
                    file.write_bytes(data)
                    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
                info, check = run("info", copy, "--json"), run("check", copy, "--json")
                if info.code == 0 and check.code in (0, 1):
                    shown = [each.json["values_saved"] for each in (info, check)]
                    if "values-checked-later" in [each["id"] for each in shown[0]["because"]]:
                        # The names of layers are in the HDF5 file of the archive, whose checksum only `check` compares.
                        self.assertEqual((name, {each["strength"] for each in shown[1]["because"]} or {"proven"}), ("keras/dense.keras", {"proven"}))
                    else:
                        self.assertEqual(shown[0], shown[1], (name, file.name))
                    decided |= {(shown[0]["value"], each["strength"]) for each in shown[0]["because"]}
        self.assertGreaterEqual(decided, {(True, "proven"), (True, "recorded"), (False, "proven")})

    def test_the_decisions_of_every_face(self) -> None:
        for verb in ("info", "check"):
            lines = [saved_line(each.name, run(verb, each, "--json").json["values_saved"]) for each in sorted(SAVED_VALUES.iterdir())]
            self.assertEqual("".join(lines), expected_saved(), verb)

    def test_what_every_face_decides_about_a_checkpoint(self) -> None:
        self.maxDiff = None
        lines = []
        for each in sorted(CHECKPOINTS.iterdir()):
            stats, check, scan, info, listed = (run(verb, each, "--json").json for verb in ("stats", "check", "scan", "info", "ls"))
            self.assertEqual((info["complete"], info.get("pickle", "inert")), (check["complete"], scan["verdict"]), each.name)
            lines.append(checkpoint_line(each.name, [tensor["role"] for tensor in listed["tensors"]], stats, check, scan, info["abilities"]["serve"]))
        self.assertEqual("".join(lines), expected_checkpoints())

    def test_not_checked_is_said(self) -> None:
        path = safetensors(self.folder / "a.safetensors", {"step": ("F32", [], floats(7))}, {"lr": "0.1"})
        for verb in ("check", "info"):
            saved = ask(verb, path)["values_saved"]
            self.assertIs(saved["value"], True)
            self.assertEqual([(each["strength"], each["id"]) for each in saved["because"]], [("recorded", "values-not-checked")])
        self.assertIn("not checked", run("info", path, "--why").text)
        self.assertIn("Not checked", run("check", path).text)
        saved = ask("info", SAMPLE / "tiny-llama-b" / "checkpoint_epoch_3.pt")["values_saved"]
        self.assertEqual([each["id"] for each in saved["because"]], ["values-compared"])

    def damage_number(self, path: Path, name: str) -> None:
        """Flips a bit of a number."""
        placed = next(each for each in ask("placement", path)["tensors"] if each["name"].startswith(name))["pieces"][0]
        file = path / placed["file"] if path.is_dir() else path
        data = bytearray(file.read_bytes())
        data[placed["offset"]] ^= 1
        before = file.stat()
        file.write_bytes(data)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def assert_number_is_refused(self, path: Path, name: str) -> None:
        document = ask("info", path)
        self.assertIsNone(document["values"][name])
        saved = document["values_saved"]
        self.assertEqual((saved["value"], saved["because"][0]["id"], saved["because"][0]["where"]["field"]), (False, "values-damaged", name))
        self.assertTrue([each for each in document["notices"] if each["where"].get("field") == name])
        ask("check", path, code=1)
        answer = run("consolidate", path, "-o", self.folder / "a.pt", "--to", "torch", "--only", "all")
        self.assertEqual(answer.code, 3, answer.said())
        self.assertIn(name, answer.errors)
        self.assertEqual(run("pack", path, "-o", self.folder / "a.cairnz", "--force").code, 3)

    def test_a_number_of_tensorflow(self) -> None:
        copy = self.folder / "manager"
        shutil.copytree(DATA / "tensorflow/manager", copy)
        self.damage_number(copy, "save_counter")
        self.assert_number_is_refused(copy, "save_counter")

    def test_forced_jobs_leave_a_number_out(self) -> None:
        path = self.folder / "state.npz"
        with zipfile.ZipFile(path, "w") as archive:
            for name, value in (("step", 7), ("epoch", 2)):
                header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (), }".ljust(117) + b"\n"
                archive.writestr(name + ".npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + value.to_bytes(8, "little"))
        self.assertEqual(ask("info", path)["values"], {"step": 7, "epoch": 2})
        self.damage_number(path, "step")
        self.assert_number_is_refused(path, "step")
        self.assertEqual(run("export", path, "--tensor", "*", "-o", self.folder / "b.npz").code, 3)
        answer = run("consolidate", path, "-o", self.folder / "a.pt", "--to", "torch", "--only", "all", "--force")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(ask("info", self.folder / "a.pt")["values"], {"epoch": 2})
        self.assertEqual([each["name"] for each in ask("ls", self.folder / "a.pt")["tensors"]], ["epoch"])

    def test_a_record_whose_index_is_damaged(self) -> None:
        """The numbers in it are gone, so that none of those that are left differs."""
        copy = self.folder / "dense.keras"
        data = bytearray((DATA / "keras/dense.keras").read_bytes())
        data[3722] ^= 1
        copy.write_bytes(data)
        self.assertIs(ask("info", copy)["values_saved"]["value"], False)
        ask("check", copy, code=1)
        self.assertEqual(run("pack", copy, "-o", self.folder / "a.cairnz").code, 3)
        self.assertFalse((self.folder / "a.cairnz").exists())

    def test_a_document_of_an_archive(self) -> None:
        copy = self.folder / "dense.keras"
        data = bytearray((DATA / "keras/dense.keras").read_bytes())
        at = data.find(b"keras_version") + len(b'keras_version": "')
        data[at] ^= 1
        copy.write_bytes(data)
        self.assertIn(UNREADABLE, json.dumps(ask("info", copy)["values"]["metadata"]))
        found = ask("check", copy, code=1)["findings"]
        self.assertTrue([each for each in found if each["code"] == "bad-checksum" and each["where"].get("field") == "metadata" and each["where"]["file"] == "dense.keras"], found)


class ComparedValues(CliTest):
    def setUp(self) -> None:
        super().setUp()
        for side, rate in (("a", "0.1"), ("b", "0.2")):
            folder = self.folder / side
            safetensors(folder / "model.safetensors", {"w": ("F32", [2], floats(1, 2))})
            (folder / "config.json").write_text('{"model_type": "llama", "hidden_size": 8}')
            (folder / "trainer_state.json").write_text(json.dumps({"global_step": 10, "epoch": 1.0, "rate": float(rate), "log_history": []}))

    def test_values(self) -> None:
        document = ask("verify", self.folder / "a", self.folder / "b", "--whole", code=1)
        self.assertEqual([(each["what"], each["name"]) for each in document["mismatches"]], [("value", "trainer_state.rate")])
        self.assertIn("0.2 instead of 0.1", document["mismatches"][0]["message"])
        document = ask("verify", self.folder / "a", self.folder / "b")
        self.assertTrue(any("values" in each for each in document["not_compared"]), document)

    def test_diff(self) -> None:
        answer = run("diff", self.folder / "a", self.folder / "b")
        self.assertEqual(answer.code, 1, answer.said())
        self.assertIn("trainer_state.rate: 0.1 → 0.2", answer.text)

    def test_files(self) -> None:
        shutil.copyfile(self.folder / "a/trainer_state.json", self.folder / "b/trainer_state.json")
        (self.folder / "a/tokenizer.json").write_text("{}")
        (self.folder / "b/tokenizer.json").write_text("[]")
        document = ask("verify", self.folder / "a", self.folder / "b", "--whole", code=1)
        self.assertIn("tokenizer.json", [each["name"] for each in document["mismatches"]])
        shutil.copyfile(self.folder / "a/tokenizer.json", self.folder / "b/tokenizer.json")
        self.assertTrue(ask("verify", self.folder / "a", self.folder / "b", "--whole")["verified"])
        (self.folder / "b/tokenizer.json").unlink()
        ask("verify", self.folder / "a", self.folder / "b", "--whole", code=1)


class WrittenValues(CliTest):
    def test_a_cast_is_said_of_the_object_graph(self) -> None:
        for options, said in (([], False), (["--dtype", "bf16"], True)):
            plan = ask("plan", "consolidate", DATA / "tensorflow/manager", "-o", self.folder / "out", "--to", "tensorflow", *options)
            why = next(each["why"] for each in plan["decisions"] if each["id"] == "object_graph")
            self.assertEqual("new dtypes" in why, said, why)

    def test_names_with_many_slashes(self) -> None:
        for source in ("keras/dense.weights.h5", "tensorflow/manager"):
            self.call("consolidate", DATA / source, "-o", self.folder / Path(source).name, "--to", "orbax")

    def test_a_name_inside_a_tensor_is_no_dataset(self) -> None:
        path = safetensors(self.folder / "a.safetensors", {"a/vars/0": ("F32", [1], floats(1)), "a/vars/0/vars/1": ("F32", [1], floats(1))})
        answer = run("consolidate", path, "-o", self.folder / "a.weights.h5", "--to", "keras")
        self.assertEqual(answer.code, 4, answer.said())
        self.assertIn("a place inside a different tensor", answer.errors)


class StatesOfKeras(CliTest):
    """One state that TensorFlow and Keras saved (tests/data/tensorflow/generate.py), and the program before its first step."""

    SAVED, FILE, NEW = DATA / "tensorflow/keras3", DATA / "keras/program.weights.h5", DATA / "keras/program_new.weights.h5"

    def hashes(self, path: Path) -> dict[str, str]:
        return {each["name"]: each["sha256"] for each in ask("hash", path)["tensors"]
                if each["name"] != "_CHECKPOINTABLE_OBJECT_GRAPH"}

    def test_tensorflow_for_keras(self) -> None:
        out = self.folder / "out.weights.h5"
        document = ask("convert", self.SAVED, "--for", "keras", "--like", self.NEW, "-o", out, "--require", "resumable")
        self.assertEqual(self.hashes(out), self.hashes(self.FILE))
        state = document["training_state"]
        self.assertEqual((state["step"], state["groups"], [loss["id"] for loss in state["lost"]]), (3, 1, ["rng"]), state)
        self.assertEqual(ask("info", out)["values"]["object_graph"]["names"]["layers/dense"], "shared")
        again = self.folder / "again"
        self.call("convert", out, "--for", "tensorflow", "--like", self.SAVED, "-o", again)
        stored, written = self.hashes(self.SAVED), self.hashes(again)
        self.assertEqual(written, {name: stored[name] for name in written})
        self.assertEqual({name.split("/")[0] for name in stored if name not in written}, {"save_counter"})
        for source, made, like in ((self.SAVED, out, self.NEW), (out, again, self.SAVED)):
            self.assertTrue(ask("verify", source, made, "--with", like)["verified"])

    def test_keras_for_keras_and_by_name(self) -> None:
        for source in (self.FILE, DATA / "keras/dense.keras"):
            out = self.folder / source.name.replace(".keras", ".weights.h5")
            self.call("convert", source, "--for", "keras", "-o", out, "--require", "resumable")
            self.assertEqual(self.hashes(out), self.hashes(source))
        out = self.folder / "named"
        document = ask("convert", self.FILE, "--for", "tensorflow", "-o", out)
        self.assertEqual([loss["id"] for loss in document["training_state"]["lost"]], ["unread"])
        self.assertEqual(self.hashes(out), self.hashes(self.FILE))
        answer = run("convert", self.FILE, "--for", "tensorflow", "-o", self.folder / "no", "--require", "resumable")
        self.assertEqual(answer.code, 1, answer.said())

    def test_what_is_refused(self) -> None:
        for source, options, code, said in (
                (self.SAVED, ["--for", "keras"], 3, "--like"),
                (self.SAVED, ["--for", "keras", "--like", DATA / "keras/dense.weights.h5"], 1, "no optimizer of this name"),
                (self.SAVED, ["--for", "keras", "--like", self.SAVED], 3, "in a different format"),
                (self.FILE, ["--for", "keras", "--like", self.NEW], 2, "nothing is taken from --like"),
                (DATA / "tensorflow/manager", ["--for", "keras", "--like", self.NEW], 3, "Keras 2"),
                (SAMPLE / "tiny-llama-a" / "step-400", ["--for", "keras"], 3, "Nothing relates the names"),
                (self.FILE, ["--for", "torch", "--like", self.NEW], 2, "--like")):
            answer = run("convert", source, *options, "-o", self.folder / "no")
            self.assertEqual(answer.code, code, answer.said())
            self.assertIn(said, answer.errors)


class ManifestsThatLeaveOut(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.output = self.folder / "out"
        self.call("reshard", SAMPLE / "tiny-llama-a" / "step-400", "-o", self.output, "--to", "dcp", "--ranks", "3")
        self.manifest = self.output / "MANIFEST.json"

    def test_a_shard(self) -> None:
        document = json.loads(self.manifest.read_text())
        left_out = next(i for i, file in enumerate(document["output"]["files"]) if file["path"].endswith(".distcp"))
        name = document["output"]["files"].pop(left_out)["path"]
        self.manifest.write_text(json.dumps(document))
        found = ask("verify", self.output, code=1)
        self.assertEqual({each["name"] for each in found["mismatches"]}, {name})
        document["output"]["tensors"] = [each for each in document["output"]["tensors"] if each["file"] != name]
        self.manifest.write_text(json.dumps(document))
        found = ask("verify", self.output, code=1)
        self.assertEqual({each["name"] for each in found["mismatches"]}, {name})

    def test_a_file_beside(self) -> None:
        (self.output / "notes.txt").write_text("x")
        found = ask("verify", self.output)
        self.assertIn("notes.txt", str(found["not_compared"]))


if __name__ == "__main__":
    unittest.main()
