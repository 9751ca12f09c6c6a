#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives the real cairn-cli: JSON shapes, exit codes, escapes, error objects. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_cli.py
"""

from __future__ import annotations

import collections
import hashlib
import json
import math
import os
import pickle
import struct
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, ROOT, SAMPLE, Answer, CliTest, run, run_as_nobody
from made_files import floats, safetensors
from torch_files import Tensor, torch_zip


class WithFolder(CliTest):
    def small(self) -> Path:
        return safetensors(self.folder / "small.safetensors", {
            "model.layers.0.weight": ("F32", [2, 3], floats(0, 1, 2, 3, 4, 5)),
            "model.layers.10.weight": ("F32", [2], floats(1, 1)),
            "model.layers.2.weight": ("I64", [1], struct.pack("<q", -7)),
        })

    def assert_error(self, answer: Answer, code: str, exit_code: int) -> dict:
        self.assertEqual(answer.code, exit_code, answer.said())
        self.assertTrue(answer.errors.startswith("cairn-cli: "), answer.errors)
        document = answer.json
        self.assertEqual(document["schema"], "cairn/1")
        error = document["error"]
        self.assertEqual(error["code"], code, answer.said())
        self.assertEqual(set(error) & {"code", "message", "where", "found", "expected", "hint"}, set(error))
        self.assertTrue({"file", "offset", "tensor"} <= set(error["where"]))
        return error


class General(WithFolder):
    def test_help_has_three_examples(self) -> None:
        listed = run("--help").text.split("Subcommands:")[1].split("\n\n")[0]
        verbs = [line.split()[0] for line in listed.splitlines() if line.strip()]
        self.assertGreater(len(verbs), 30, verbs)
        for verb in verbs:
            answer = run(verb, "--help")
            self.assertEqual(answer.code, 0, answer.said())
            examples = answer.text.split("Examples:")[1]
            self.assertEqual(examples.count(f"cairn-cli {verb}"), 3, verb)

    def test_version(self) -> None:
        self.assertRegex(run("--version").text, r"^cairn-cli \d+\.\d+\.\d+\n$")
        document = run("--version", "--json").json
        self.assertIn("version", document)
        self.assertIn("libtorch", document)

    def test_usage_errors(self) -> None:
        for arguments in ((), ("nonsense",), ("ls",), ("ls", "a", "b", "c"), ("ls", "--nonsense", "x"), ("consolidate", "x")):
            self.assert_error(run(*arguments, "--json"), "invalid-argument", 2)
        self.assertEqual(run("ls").raw, b"", "data on standard output")

    def test_formats(self) -> None:
        formats = {entry["id"]: entry for entry in run("formats", "--json").json["formats"]}
        self.assertTrue(formats["safetensors"]["write"])
        self.assertIn("*.safetensors", formats["safetensors"]["globs"])

    def test_a_reader_that_goes_away_is_no_crash(self) -> None:
        path = safetensors(self.folder / "many.safetensors", {f"t{i}": ("U8", [1], b"x") for i in range(20_000)})
        process = subprocess.Popen([CLI, "ls", path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()

    def test_a_full_disk_is_told(self) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, "ls", self.small()], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 4)
        self.assertTrue(done.stderr.startswith(b"cairn-cli: "))

    def test_no_color_when_not_a_terminal(self) -> None:
        self.assertNotIn(b"\x1b", run("ls", self.small()).raw)
        self.assertIn(b"\x1b[1m", run("ls", self.small(), "--color", "always").raw)


class Reading(WithFolder):
    def test_ls(self) -> None:
        document = run("ls", self.small(), "--json").json
        self.assertEqual(list(document)[:3], ["schema", "path", "format"])
        first = document["tensors"][0]
        self.assertEqual((first["dtype"], first["shape"], first["bytes"], first["files"]), ("float32", [2, 3], 24, [0]))
        self.assertEqual(document["files"][0]["path"], "small.safetensors")
        self.assertEqual(document["totals"]["tensors"], 3)
        self.assertEqual(document["totals"]["bytes"], 40)
        self.assertEqual(document["notices"], [])

    def test_subtree_and_globs(self) -> None:
        path = self.small()
        names = lambda *more: [entry["name"] for entry in run("ls", *more, "--json").json["tensors"]]
        self.assertEqual(names(f"{path}#model.layers.0"), ["model.layers.0.weight"])
        self.assertEqual(sorted(names(path, "--tensor", "*.{0,2}.weight")), ["model.layers.0.weight", "model.layers.2.weight"])
        self.assertEqual(names(path, "--tensor", "model.layers.?.weight"), names(path, "--tensor", "*.{0,2}.*"))
        self.assert_error(run("ls", f"{path}#nothing", "--json"), "tensor-not-found", 2)
        self.assert_error(run("ls", path, "--tensor", "none*", "--json"), "tensor-not-found", 2)
        self.assert_error(run("ls", path, "--tensor", "{a", "--json"), "invalid-argument", 2)

    def test_tree_is_in_natural_order(self) -> None:
        tree = run("tree", self.small(), "--json").json["tree"]
        self.assertEqual((tree["bytes"], tree["tensors"]), (40, 3))
        layers = tree["children"][0]["children"][0]
        self.assertEqual([child["name"] for child in layers["children"]], ["0", "2", "10"])

    def test_tree_ends_at_its_depth(self) -> None:
        path = self.small()

        def depth(node: dict) -> int:
            return 1 + max(map(depth, node.get("children", [])), default=-1)

        whole = run("tree", path, "--json").json["tree"]
        self.assertEqual(depth(whole), 4)  # model, layers, 0, weight
        for levels in range(1, 6):
            tree = run("tree", path, "--depth", levels, "--json").json["tree"]
            self.assertEqual(depth(tree), min(levels, 4))
            self.assertEqual((tree["bytes"], tree["tensors"]), (40, 3), "what is not shown is counted")
            self.assertEqual(run("tree", path, "-d", levels, "--json").json["tree"], tree)
        text = [run("tree", path, "--depth", levels, "-q").text for levels in (1, 2)]
        self.assertTrue("layers" not in text[0] and "layers" in text[1] and "weight" not in text[1], text)
        for levels in ("-1", "x", "1.5", ""):
            self.assert_error(run("tree", path, f"--depth={levels}", "--json"), "invalid-argument", 2)

    def test_placement(self) -> None:
        document = run("placement", self.small(), "--tensor", "*.0.*", "--json").json
        piece = document["tensors"][0]["pieces"][0]
        self.assertEqual(piece["box"], {"origin": [0, 0], "extent": [2, 3]})
        self.assertEqual((piece["file"], piece["length"]), ("small.safetensors", 24))
        self.assertEqual((document["coverage"]["holes"], document["coverage"]["overlaps"]), (0, 0))

    def test_show(self) -> None:
        path = self.small()
        name = "model.layers.0.weight"
        self.assertEqual(run("show", path, "--tensor", name, "--json").json["values"], [[0, 1, 2], [3, 4, 5]])
        part = run("show", path, "-t", name, "-s", ":,1:", "--json").json
        self.assertEqual((part["shape"], part["values"]), ([2, 2], [[1, 2], [4, 5]]))
        self.assertEqual(run("show", path, "-t", name, "--slice=-1,0", "--json").json["values"], 3)
        for text, values in {"::-1": [[3, 4, 5], [0, 1, 2]], "0,::2": [0, 2], "1,-1:0:-2": [5], ":,7:-9:-2": [[2, 0], [5, 3]], "::-2,5:": [[]]}.items():
            self.assertEqual(run("show", path, "-t", name, f"--slice={text}", "--json").json["values"], values, text)
        for text in ("::0", "::1:1", "::x", "0:1:-9223372036854775808"):
            self.assert_error(run("show", path, "-t", name, f"--slice={text}", "--json"), "bad-slice", 2)
        self.assertEqual(run("show", f"{path}#model.layers.2.weight", "--json").json["values"], [-7])
        self.assert_error(run("show", path, "-t", name, "-s", "0,0,0", "--json"), "bad-slice", 2)
        self.assert_error(run("show", path, "-t", "no", "--json"), "tensor-not-found", 2)

    def test_values_that_are_not_finite(self) -> None:
        path = safetensors(self.folder / "odd.safetensors", {"w": ("F32", [3], floats(1, math.nan, -math.inf))})
        document = run("show", path, "-t", "w", "--json").json
        self.assertEqual(document["values"], [1, None, None])
        self.assertEqual(document["nonfinite"], {"values.1": "nan", "values.2": "-inf"})
        stats = run("stats", path, "--json").json["tensors"][0]
        self.assertEqual((stats["count"], stats["nan"], stats["inf"], stats["max"]), (3, 1, 1, 1))
        answer = run("check", path, "--json")
        self.assertEqual(answer.code, 1)
        self.assertIn("non-finite", [finding["code"] for finding in answer.json["findings"]])

    def test_hash(self) -> None:
        document = run("hash", self.small(), "--json").json
        digests = {entry["name"]: entry["sha256"] for entry in document["tensors"]}
        self.assertEqual(digests["model.layers.10.weight"], hashlib.sha256(floats(1, 1)).hexdigest())
        lines = "".join(f"{name}\t{dtype}\t{shape}\t{digests[name]}\n" for name, dtype, shape in (
            ("model.layers.0.weight", "float32", [2, 3]), ("model.layers.10.weight", "float32", [2]),
            ("model.layers.2.weight", "int64", [1])))
        self.assertEqual(document["fingerprint"], hashlib.sha256(lines.encode()).hexdigest())

    def test_torch_values(self) -> None:
        state = {"epoch": 3, "step": 7, "loss": math.nan, "big": 2**70, "unsigned": 2**63, "raw": b"ab", "none": None,
                 "list": [1, 2.5, "x"], "model": {"w": Tensor("0", (2, 2))}, "nested": {"lr": 1e-3}}
        path = torch_zip(self.folder / "state.pt", state, {"0": floats(1, 2, 3, 4)})
        answer = run("info", path, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        values = answer.json["values"]
        self.assertEqual((values["epoch"], values["loss"], values["nonfinite"]), (3, None, {"loss": "nan"}))
        self.assertEqual((values["big"], values["unsigned"]), (str(2**70), 2**63))
        self.assertEqual(values["raw"]["$bytes"], 2)
        self.assertEqual((values["list"], values["nested"]), ([1, 2.5, "x"], {"lr": 1e-3}))
        self.assertNotIn("model", values)
        self.assertEqual((answer.json["step"], answer.json["epoch"]), (7, 3))
        self.assertEqual([tensor["name"] for tensor in run("ls", path, "--json").json["tensors"]], ["model.w"])


class Escapes(WithFolder):
    NAME = "a\x1b[31mred\u202eback\nline"

    def test_names_cannot_steer_a_terminal(self) -> None:
        path = safetensors(self.folder / "evil.safetensors", {self.NAME: ("U8", [1], b"x")})
        for verb in ("ls", "tree", "placement", "hash", "stats", "check", "info"):
            for more in ((), ("--json",)):
                answer = run(verb, path, *more)
                self.assertNotIn(b"\x1b", answer.raw + answer.errors.encode(), verb)
                self.assertNotIn("\u202e", answer.text + answer.errors, verb)
        document = run("ls", path, "--json").json
        self.assertEqual(document["tensors"][0]["name"], self.NAME, "JSON must lose nothing")

    def test_errors_too(self) -> None:
        answer = run("ls", self.folder / "no\x1b[2Jfile", "--json")
        self.assertNotIn(b"\x1b", answer.raw + answer.errors.encode())


class Broken(WithFolder):
    def write(self, name: str, content: bytes) -> Path:
        (self.folder / name).write_bytes(content)
        return self.folder / name

    def test_files_that_are_not_what_they_seem(self) -> None:
        good = self.small().read_bytes()
        lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
        cases = {
            "empty-file": self.write("empty.pt", b""),
            "zero-filled": self.write("zero.pt", bytes(100_000)),
            "lfs-pointer": self.write("lfs.safetensors", lfs),
            "html-page": self.write("page.bin", b"<!DOCTYPE html><html></html>"),
            "not-a-checkpoint": self.write("words.txt", b"just words\n" * 10),
            "not-found": self.folder / "absent.pt",
        }
        for code, path in cases.items():
            with self.subTest(code):
                error = self.assert_error(run("ls", path, "--json"), code, 3)
                self.assertIn(path.name, error["where"]["file"])
        for length in (4, 20, len(good) - 3):
            cut = self.write(f"cut{length}.safetensors", good[:length])
            for verb in ("hash", "check"):
                self.assertIn(run(verb, cut, "--json").code, (1, 3), f"{verb} of {length} bytes")

    def test_a_fifo_does_not_block(self) -> None:
        os.mkfifo(self.folder / "pipe.pt")
        for verb in ("ls", "info", "scan", "check"):
            self.assert_error(run(verb, self.folder / "pipe.pt", "--json"), "not-a-regular-file", 3)

    def test_permission(self) -> None:
        path = self.small()
        self.folder.chmod(0o755)
        path.chmod(0)
        self.assert_error(run_as_nobody("ls", path, "--json"), "permission-denied", 3)

    def test_an_output_that_cannot_be_written_is_no_fault_of_the_input(self) -> None:
        path = self.small()
        for folder in (self.folder, self.folder.parent):
            folder.chmod(0o755)
        path.chmod(0o644)
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        for words in (("consolidate", path, "-o", locked / "a.safetensors"), ("consolidate", path, "-o", locked / "a", "--to", "dcp"),
                      ("export", path, "--tensor", "*", "-o", locked / "a.npz"), ("pack", path, "-o", locked / "a.cairnz"),
                      ("sample", locked / "sample"), ("average", path, path, "-o", locked / "mean.safetensors"),
                      ("consolidate", path, "-o", locked / "deeper" / "a.safetensors")):
            with self.subTest(words=words):
                self.assert_error(run_as_nobody(*words, "--json"), "write-failed", 4)
        for words in (("consolidate", path, "-o", path / "a.safetensors"), ("export", path, "--tensor", "*", "-o", path / "a.npz")):
            with self.subTest(words=words):
                self.assert_error(run(*words, "--json"), "write-failed", 4)

    def test_scan(self) -> None:
        plain = self.write("plain.pkl", pickle.dumps({"a": [1, 2]}))
        self.assertEqual(run("scan", plain, "--json").json["verdict"], "inert")
        evil = self.write("evil.pkl", b"cposix\nsystem\n(V/bin/true\ntR.")
        answer = run("scan", evil, "--json")
        self.assertEqual((answer.code, answer.json["verdict"]), (1, "would-run-code"))
        self.assertIn("system", [entry["name"] for entry in answer.json["globals"]])
        self.assertTrue(answer.json["reasons"])
        double = self.folder / "double.pt"
        with zipfile.ZipFile(double, "w") as archive:
            archive.writestr("a/data.pkl", pickle.dumps({}))
            archive.writestr("b/data.pkl", pickle.dumps({}))
        data = double.read_bytes().replace(b"b/data.pkl", b"a/data.pkl")
        self.assertEqual(run("scan", self.write("twice.pt", data), "--json").json["verdict"], "ambiguous")
        self.assertEqual(run("scan", self.small(), "--json").json["verdict"], "inert")

    def test_a_flipped_byte_in_an_archive_is_found(self) -> None:
        path = torch_zip(self.folder / "state.pt", collections.OrderedDict(w=Tensor("0", (4,))), {"0": floats(1, 2, 3, 4)})
        self.assertEqual(run("check", path, "--json").code, 0)
        data = bytearray(path.read_bytes())
        data[data.index(floats(1, 2, 3, 4))] ^= 1
        path.write_bytes(data)
        answer = run("check", path, "--json")
        self.assertEqual((answer.code, answer.json["verdict"]), (1, "damaged"), answer.said())
        self.assertIn("bad-checksum", [finding["code"] for finding in answer.json["findings"]])


class Histories(WithFolder):
    def test_damage_is_told(self) -> None:
        (self.folder / "metrics.jsonl").write_text('{"step": 1, "loss": NaN, "x": 1}\n{"st\n{"step": 2, "loss": -Infinity}\n{"step": 3, "lo')
        document = run("history", self.folder, "--json").json
        loss = document["metrics"]["loss"]
        self.assertEqual((loss["values"], loss["nonfinite"]), ([None, None], {"values.0": "nan", "values.1": "-inf"}))
        self.assertEqual([each["code"] for each in document["warnings"]], ["history-bad-row", "truncated"])
        text = run("history", self.folder)
        self.assertEqual(text.code, 0, text.said())
        self.assertIn("not JSON objects", text.text + text.errors)

    def test_names_cannot_steer_the_terminal(self) -> None:
        (self.folder / "metrics.csv").write_text("step,\x1b[31mloss\u202e\n1,2\n")
        for more in ((), ("--json",)):
            answer = run("history", self.folder, *more)
            self.assertEqual(answer.code, 0, answer.said())
            self.assertNotIn(b"\x1b", answer.raw)
            self.assertNotIn("\u202e".encode(), answer.raw)

    def test_nothing_there(self) -> None:
        document = run("history", self.folder, "--json").json
        self.assertEqual((document["metrics"], document["sources"], document["warnings"]), ({}, [], []))
        self.assert_error(run("history", self.folder / "absent", "--json"), "not-found", 3)
        self.assertEqual(run("history", self.folder, "--metric", "{a").code, 2)

    def test_logs_above_the_run(self) -> None:
        (self.folder / "outputs" / "a").mkdir(parents=True)
        (self.folder / "logs" / "a").mkdir(parents=True)
        (self.folder / "logs" / "a" / "metrics.csv").write_text("step,loss\n1,2\n")
        path = self.folder / "outputs" / "a"
        self.assertEqual(run("history", path, "--json").json["metrics"], {})
        self.assertEqual(run("history", path, "--root", self.folder, "--json").json["metrics"]["loss"]["values"], [2])


class Sample(WithFolder):
    def test_it_is_in_the_binary(self) -> None:
        out = self.folder / "sample"
        self.assertEqual(run("sample", out, "--json").json["path"], str(out))
        wanted = {path.relative_to(SAMPLE) for path in SAMPLE.rglob("*") if path.is_file()}
        self.assertEqual({path.relative_to(out) for path in out.rglob("*") if path.is_file()}, wanted)
        for name in wanted:
            self.assertEqual((out / name).read_bytes(), (SAMPLE / name).read_bytes(), name)
        self.assert_error(run("sample", out, "--json"), "output-exists", 4)

    def test_runs(self) -> None:
        runs = {entry["id"]: entry for entry in run("runs", SAMPLE, "--json").json["runs"]}
        steps = [(entry["step"], entry["state"]) for entry in runs["tiny-llama-a"]["checkpoints"]]
        self.assertEqual(steps, [(100, "complete"), (200, "complete"), (300, "incomplete"), (400, "complete")])
        self.assertEqual([entry["epoch"] for entry in runs["tiny-llama-b"]["checkpoints"]], [1, 2, 3])
        for name, kind, steps in (("tiny-gru-tf", "tensorflow", [120, 180, 240]), ("tiny-mlp-jax", "orbax", [100, 150, 200])):
            told = [(each["step"], each["format"], each["state"]) for each in runs[name]["checkpoints"]]
            self.assertEqual(told, [(step, kind, "complete") for step in steps])

    def test_the_tensorflow_run(self) -> None:
        path = SAMPLE / "tiny-gru-tf"
        answer = run("history", path, "--json")
        curve = answer.json["metrics"]["loss"]
        self.assertEqual(curve["steps"], list(range(4, 241, 4)))
        self.assertEqual(curve["kind"], "tensorboard")
        self.assertEqual(len(answer.json["metrics"]["grad_norm"]["steps"]), 60)
        self.assertEqual(run("info", path, "--json").json["step"], 240)
        self.one_file_of_it(path / "ckpt-240", 6)
        self.differ(path / "ckpt-120", path / "ckpt-240")

    def test_the_orbax_run(self) -> None:
        path = SAMPLE / "tiny-mlp-jax"
        document = run("info", path, "--json").json
        self.assertEqual((document["step"], document["chosen_from"]["checkpoints"]), (200, 3))
        judged = [json.loads((path / f"{step}/metrics/metrics").read_text())["eval_loss"] for step in (100, 150, 200)]
        best = [each["metrics"]["eval_loss"] for each in run("runs", path, "--json").json["runs"][0]["checkpoints"] if each["best"]]
        self.assertEqual(best, [min(judged)])
        pieces = run("placement", path / "200", "--tensor", "state.params.head.kernel", "--json").json["tensors"][0]["pieces"]
        self.assertEqual([each["box"]["extent"] for each in pieces], [[6, 64]] * 4, "one piece for each of the four devices")
        self.one_file_of_it(path / "200", 7)
        self.differ(path / "100", path / "200")
        self.move_the_state(path / "200")

    def move_the_state(self, step: Path) -> None:
        """To Flax and back: the same tensors, and what has no place in Flax is named."""
        file, back = self.folder / "checkpoint_200", self.folder / "moved" / "200"
        answer = run("convert", step, "--for", "flax", "-o", file, "--json")
        self.assertEqual((answer.code, [loss["what"] for loss in answer.json["training_state"]["lost"]]), (0, ["the item metrics"]), answer.said())
        self.assertEqual(run("convert", step, "--for", "flax", "-o", self.folder / "no", "--require", "resumable").code, 1)
        answer = run("convert", file, "--for", "orbax", "-o", back, "--require", "resumable", "--json")
        self.assertEqual((answer.code, answer.json["training_state"]["step"]), (0, 200), answer.said())
        hashes = [{each["name"].split(".", 1)[1]: each["sha256"] for each in run("hash", path, "--json").json["tensors"]} for path in (step, back)]
        self.assertEqual(*hashes)
        self.assertEqual(run("convert", step, "--for", "torch", "-o", self.folder / "no.pt").code, 3)

    def one_file_of_it(self, path: Path, weights: int) -> None:
        out = self.folder / f"{path.name}.safetensors"
        document = run("consolidate", path, "-o", out, "--only", "weights", "--json").json
        self.assertEqual((document["verified"], document["tensors"]), (True, weights))
        stored = {each["name"]: each["sha256"] for each in run("hash", path, "--json").json["tensors"]}
        for each in run("hash", out, "--json").json["tensors"]:
            self.assertEqual(each["sha256"], stored[each["name"]], each["name"])
        self.assertEqual(run("tree", path, "--json").json["tree"]["tensors"], len(stored))
        self.assertEqual(run("check", path, "--json").json["verdict"], "healthy")

    def differ(self, left: Path, right: Path) -> None:
        answer = run("diff", left, right, "--values", "--json")
        self.assertEqual((answer.code, answer.json["only_left"], answer.json["only_right"]), (1, [], []))
        self.assertTrue(any(each["max_abs"] for each in answer.json["changed"]))

    def test_runs_tell_their_histories(self) -> None:
        runs = {entry["id"]: entry for entry in run("runs", SAMPLE, "--json").json["runs"]}
        told = {Path(each["path"]).name: each for each in runs["tiny-llama-a"]["histories"]}
        self.assertEqual(told["metrics.jsonl"]["source"], "jsonl")
        self.assertIn("eval_loss", told["metrics.jsonl"]["metrics"])
        self.assertEqual((told["hparams.yaml"]["source"], told["hparams.yaml"]["metrics"]), ("hparams", []))
        self.assertEqual({each["source"] for each in runs["tiny-llama-b"]["histories"]}, {"csv", "hparams"})

    def test_history(self) -> None:
        path = SAMPLE / "tiny-llama-a"
        rows = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
        document = run("history", path, "--json").json
        self.assertEqual(list(document), ["schema", "path", "metrics", "sources", "settings", "warnings"])
        loss = document["metrics"]["loss"]
        self.assertEqual(loss["steps"], [row["step"] for row in rows if "loss" in row])
        values = [row["loss"] for row in rows if "loss" in row]
        self.assertEqual(loss["values"], [None if math.isnan(value) else value for value in values])
        self.assertEqual((loss["kind"], loss["source"]), ("jsonl", str(path / "metrics.jsonl")))
        self.assertEqual(loss["restarts"], [at for at in range(1, len(loss["steps"])) if loss["steps"][at] <= loss["steps"][at - 1]])
        self.assertEqual(list(document["metrics"])[0], "loss", "what people look at first comes first")
        self.assertEqual(document["settings"]["hparams.yaml"]["optimizer"], "AdamW")
        kinds = [each["kind"] for each in document["sources"]]
        self.assertIn("checkpoint_values", kinds)
        only = run("history", path, "--metric", "{eval_*,lr}", "--json").json["metrics"]
        self.assertEqual(list(only), ["eval_loss", "lr"])

    def test_history_for_people(self) -> None:
        answer = run("history", SAMPLE / "tiny-llama-a", "--metric", "loss")
        head, row = answer.text.splitlines()[:2]
        self.assertEqual(head.split()[:4], ["METRIC", "POINTS", "FIRST", "LAST"])
        self.assertEqual((row.split()[0], row.split()[-1]), ("loss", "metrics.jsonl"))
        self.assertIn("1 metric of", answer.text)

    def test_info_names_the_newest_whole_one(self) -> None:
        document = run("info", SAMPLE / "tiny-llama-a", "--json").json
        self.assertTrue(document["path"].endswith("step-400"))
        self.assertEqual((document["complete"], document["chosen_from"]["checkpoints"]), ("complete", 4))

    def test_the_trainers_that_can_continue(self) -> None:
        for path, expected in ((SAMPLE / "tiny-llama-a/step-400", "fsdp2"), (SAMPLE / "tiny-mlp-jax/200", "orbax"), (SAMPLE / "hf-export", None)):
            trainers = run("info", path, "--why", "--json").json["trainers"]
            plans = {each["trainer"]: run("plan", "convert", path, "--for", each["trainer"], "-o", self.folder / "state", "--json").json for each in trainers}
            for each in trainers:
                plan = plans[each["trainer"]]
                problems = [problem["message"] for problem in plan.get("problems", []) if problem["severity"] == "error"]
                lost = {loss["id"] for loss in plan.get("training_state", {}).get("lost", [])} if each["trainer"] == "tensorflow" else set()
                stops = [plan["error"]["message"]] if "error" in plan else problems or sorted(lost & {"unread"})  # written, but not restored
                self.assertEqual(each["can"] and not each["force"], not stops, each)
                self.assertEqual("why" in each, bool(stops), each)
            can = [each["trainer"] for each in trainers if each["can"]]
            self.assertEqual(expected is None, not can)
            self.assertTrue(expected is None or expected in can, can)
            shown = run("info", path, "--why").text
            self.assertIn("trainers", shown)
        self.assertNotIn("trainers", run("info", SAMPLE / "hf-export", "--json").json)
        trainers = run("info", ROOT / "tests" / "data" / "deepspeed" / "zero0", "--why", "--json").json["trainers"]
        self.assertEqual([each["trainer"] for each in trainers if each["can"]], [])
        why = next(each["why"] for each in trainers if each["trainer"] == "tensorflow")
        self.assertIn("restore() finds none", why)

    def test_no_trainer_continues_without_moments(self) -> None:
        for name, settings, can in (("adam", {"betas": (0.9, 0.999), "eps": 1e-8}, False), ("sgd", {"momentum": 0, "dampening": 0}, True)):
            groups = [settings | {"lr": 1e-3, "weight_decay": 0, "params": [0]}]
            state = {"step": 7, "model": {"w": Tensor("0", (2, 2))}, "optimizer": {"state": {}, "param_groups": groups}}
            path = torch_zip(self.folder / f"{name}.pt", state, {"0": floats(1, 2, 3, 4)})
            document = run("info", path, "--why", "--json").json
            torch = next(each for each in document["trainers"] if each["trainer"] == "torch")
            self.assertEqual(torch["can"], can, torch)
            self.assertEqual(document["abilities"]["resume"]["can"], can)
            self.assertEqual("moments of all 1 parameter" in torch.get("why", ""), not can, torch)

    def test_the_broken_step(self) -> None:
        path = SAMPLE / "tiny-llama-a" / "step-300"
        document = run("info", path, "--json").json
        self.assertEqual(document["complete"], "incomplete")
        self.assertIn("__2_0.distcp", str(document["why"]))
        self.assertGreater(run("placement", path, "--json").json["coverage"]["holes"], 0)
        check = run("check", path, "--json")
        self.assertEqual((check.code, check.json["verdict"]), (1, "incomplete"))
        out = self.folder / "out.safetensors"
        answer = run("consolidate", path, "-o", out, "--json")
        self.assertEqual(answer.code, 3, answer.said())
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_consolidate_and_verify(self) -> None:
        source, out = SAMPLE / "tiny-llama-a" / "step-400", self.folder / "model.safetensors"
        plan = run("plan", "consolidate", source, "-o", out, "--json").json
        self.assertEqual((plan["job"], plan["output"]["files"]), ("consolidate", 1))
        self.assertEqual(list(self.folder.iterdir()), [], "a plan wrote something")
        made = run("consolidate", source, "-o", out, "--json", "--progress=json")
        self.assertEqual(made.code, 0, made.said())
        self.assertTrue(made.json["verified"])
        self.assertEqual(made.json["files"][0]["sha256"], hashlib.sha256(out.read_bytes()).hexdigest())
        for line in made.errors.splitlines():
            json.loads(line)
        self.assertEqual(run("verify", source, out, "--json").json["verified"], True)
        self.assertEqual(run("verify", out, "--json").json["verified"], True)
        self.assert_error(run("consolidate", source, "-o", out, "--json"), "output-exists", 4)
        data = bytearray(out.read_bytes())
        data[-1] ^= 1
        out.write_bytes(data)
        self.assertEqual(run("verify", out, "--json").code, 1)
        self.assertEqual(run("verify", source, out, "--json").code, 1)

    def test_names_and_dtypes_are_changed_on_the_way(self) -> None:
        path = safetensors(self.folder / "a.safetensors", {
            "module.w": ("F32", [2], struct.pack("<2f", 1.00390625, 70000.0)), "module.n": ("I64", [1], struct.pack("<q", 5))})
        plan = run("plan", "cast", path, "-o", self.folder / "b.safetensors", "--dtype", "bf16", "--rename", "strip-wrappers", "--json").json
        self.assertEqual((plan["job"], plan["tensors"], plan["checklist"]), ("cast", 2, []))
        decided = {(decision["id"], decision["what"]) for decision in plan["decisions"]}
        self.assertLessEqual({("dtype_cast", "dtype"), ("renamed", "renamed"), ("numbers_kept", "integers and flags")}, decided)
        out = self.folder / "c.safetensors"
        answer = run("cast", path, "-o", out, "--dtype", "fp16", "--rename", "module.=m.", "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual((answer.json["cast"]["tensors"], answer.json["cast"]["overflowed"]), (1, 1))
        listed = {entry["name"]: entry["dtype"] for entry in run("ls", out, "--json").json["tensors"]}
        self.assertEqual(listed, {"m.w": "float16", "m.n": "int64"})
        self.assertEqual(run("verify", out, "--json").json["verified"], True)
        text = run("rename", path, "-o", self.folder / "d.safetensors", "--rename", "module.=")
        self.assertEqual(text.code, 0, text.said())
        self.assertNotIn("overflowed", text.text)

    def test_transforms_that_cannot_be(self) -> None:
        path = safetensors(self.folder / "a.safetensors", {"a": ("F32", [1], b"\0" * 4), "b": ("F32", [1], b"\0" * 4)})
        out = self.folder / "out.safetensors"
        for arguments, code, status in (
                (("cast", path, "-o", out, "--dtype", "int32"), "invalid-argument", 2),
                (("rename", path, "-o", out, "--rename", "re:(=x"), "invalid-argument", 2),
                (("rename", path, "-o", out, "--rename", "@nothere"), "not-found", 3),
                (("rename", path, "-o", out, "--rename", "^[ab]$=c"), "duplicate-tensor", 3),
                (("average", path, "-o", out), "invalid-argument", 2),
                (("average", path, path, "-o", out, "--weights", "1,-1"), "invalid-argument", 2),
                (("plan", "consolidate", path, path, "-o", out), "invalid-argument", 2)):
            self.assert_error(run(*arguments, "--json"), code, status)
        self.assertEqual([item.name for item in self.folder.iterdir()], ["a.safetensors"])

    def test_average(self) -> None:
        paths = [safetensors(self.folder / f"{i}.safetensors", {"w": ("F32", [2], struct.pack("<2f", i, 2 * i))}) for i in (1, 2, 6)]
        out = self.folder / "mean.safetensors"
        answer = run("average", *paths, "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual(run("show", out, "--tensor", "w", "--json").json["values"], [3, 6])
        manifest = json.loads(Path(answer.json["manifest"]).read_text())
        self.assertEqual([member["weight"] for member in manifest["averaged"]], [1, 1, 1])

    def test_export(self) -> None:
        source, out = SAMPLE / "hf-export", self.folder / "all.safetensors"
        answer = run("export", source, "--tensor", "*norm*", "-o", out, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        names = {entry["name"] for entry in run("ls", out, "--json").json["tensors"]}
        self.assertTrue(names and all("norm" in name for name in names))


class WhatIsNoCheckpoint(WithFolder):
    def test_files_of_other_programs_are_named(self) -> None:
        for name, content, word in (("a.onnx", b"\x08\x08\x12\x07pytorch", "ONNX"), ("a.mat", b"MATLAB 5.0 MAT-file, Platform", "MATLAB"),
                                    ("a.json", b'{"learner":{}}', "XGBoost"),
                                    ("a.7z", b"7z\xbc\xaf\x27\x1c\0\4", "7z"), ("a.pdiparams", b"\0\0\0\0\1", "Paddle")):
            (self.folder / name).write_bytes(content)
            error = self.assert_error(run("ls", self.folder / name, "--json"), "not-a-checkpoint", 3)
            self.assertIn(word, error["message"], name)

    def test_a_pointer_that_leads_nowhere_is_an_error(self) -> None:
        for count in (1, 2):
            for number in range(count):
                safetensors(self.folder / f"step_{number + 1}.safetensors", {"w": ("F32", [2], floats(number, 1))})
            for name in ("latest", "last_checkpoint", "latest.txt"):
                (self.folder / name).write_text("step_9.safetensors")
                answer = run("check", self.folder, "--json")
                self.assertEqual(answer.code, 1, name)
                self.assertIn("dangling-pointer", {finding["code"] for finding in answer.json["findings"]})
                (self.folder / name).write_text("step_1.safetensors")
                self.assertEqual(run("check", self.folder).code, 0, name)
                (self.folder / name).unlink()

    def test_one_of_several_files_is_not_the_model(self) -> None:
        out = self.folder / "out.safetensors"
        for rank in range(2):
            safetensors(self.folder / f"model{rank}-mp2.safetensors", {"w": ("F32", [2], floats(rank, 1)), "n": ("F32", [1], floats(1))})
        self.assert_error(run("consolidate", self.folder, "-o", out, "--json"), "shards-not-joined", 3)
        self.assert_error(run("consolidate", self.folder / "model1-mp2.safetensors", "-o", out, "--json"), "shards-not-joined", 3)
        self.assertEqual({"n", "rank_0.w", "rank_1.w"}, {entry["name"] for entry in run("ls", self.folder, "--json").json["tensors"]})
        self.assertEqual(len(run("runs", self.folder, "--json").json["runs"][0]["checkpoints"]), 1)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
