# SPDX-License-Identifier: Apache-2.0
"""The functions that return documents: the same as cairn-cli prints."""

import json
import math
import sys
import types
import unittest
import warnings
from unittest import mock

import numpy
from support import (
    CHECKPOINTS, SAMPLE, SAVED_VALUES, FolderTest, ask, checkpoint_line, expected_checkpoints, expected_saved, run, safetensors, saved_line,
)

import cairn
from cairn._documents import _with_nonfinite

A = SAMPLE / "tiny-llama-a/step-200"
B = SAMPLE / "tiny-llama-a/step-400"


class Documents(FolderTest):
    def same(self, found, *command, code=0):
        shown = json.loads(json.dumps(ask(*command, code=code)), object_hook=_with_nonfinite)
        self.assertEqual(json.dumps(found), json.dumps(shown))

    def test_equal_those_of_the_command_line(self):
        self.same(cairn.diff(A, B, values=True), "diff", A, B, "--values", code=1)
        self.same(cairn.diff(A, B), "diff", A, B, code=1)
        self.same(cairn.diff(cairn.open(A), cairn.open(A), rtol=1e-3, tensor="*.weight"), "diff", A, A, "--rtol", "1e-3", "--tensor", "*.weight")
        self.same(cairn.stats(B, tensor="lm_head.*", histogram=True), "stats", B, "--tensor", "lm_head.*", "--histogram")
        self.same(cairn.check(B), "check", B)
        self.same(cairn.scan(SAMPLE / "tiny-llama-b/checkpoint_epoch_1.pt"), "scan", SAMPLE / "tiny-llama-b/checkpoint_epoch_1.pt")
        self.same(cairn.hash(B), "hash", B)
        self.same(cairn.info(B, why=True), "info", B, "--why")
        self.same(cairn.verify(B, B), "verify", B, B)
        self.same(cairn.history(SAMPLE / "tiny-llama-a", metric="loss"), "history", SAMPLE / "tiny-llama-a", "--metric", "loss")
        self.same(cairn.compare(SAMPLE / "tiny-llama-a", SAMPLE / "tiny-llama-b"), "compare", SAMPLE / "tiny-llama-a", SAMPLE / "tiny-llama-b")
        self.same(cairn.call("space", SAMPLE), "space", SAMPLE)
        self.same(cairn.call("tree", B), "tree", B)
        self.assertEqual(cairn.formats(), ask("formats")["formats"])

    def test_whether_values_are_what_was_saved(self):
        for of in (cairn.info, cairn.check):
            lines = [saved_line(each.name, of(each)["values_saved"]) for each in sorted(SAVED_VALUES.iterdir())]
            self.assertEqual("".join(lines), expected_saved())

    def test_what_is_decided_about_a_checkpoint(self):
        self.maxDiff = None
        lines = []
        for path in sorted(CHECKPOINTS.iterdir()):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the one that is incomplete
                opened, stats = cairn.open(path), cairn.stats(path)
            check, serve = cairn.check(path), cairn.info(path)["abilities"]["serve"]
            self.assertEqual(opened.state, check["complete"])
            lines.append(checkpoint_line(path.name, [tensor.role for _, tensor in opened.items()], stats, check, cairn.scan(path), serve))
        self.assertEqual("".join(lines), expected_checkpoints())

    def test_map_is_a_dict(self):
        old = safetensors(self.folder / "old.safetensors", {"a.w": ("U8", [1], b"\1"), "b.w": ("U8", [1], b"\2")})
        new = safetensors(self.folder / "new.safetensors", {"c.w": ("U8", [1], b"\1"), "d.w": ("U8", [1], b"\2")})
        found = cairn.diff(old, new, values=True, map={"a.": "c.", "b.": "d."})
        self.assertEqual((found["only_left"], found["only_right"], found["summary"]["differ"]), ([], [], False))

    def test_numbers_that_are_not_finite(self):
        values = numpy.array([1.0, math.inf, math.nan, -math.inf], dtype="float32")
        path = safetensors(self.folder / "x.safetensors", {"a.b": ("F32", [4], values.tobytes())})
        shown = cairn.call("show", path, tensor="a.b")["values"]
        self.assertEqual(shown[:2] + shown[3:], [1.0, math.inf, -math.inf])
        self.assertTrue(math.isnan(shown[2]))
        self.assertNotIn("nonfinite", cairn.call("show", path, tensor="a.b"))

    def test_restoring_numbers_in_odd_documents(self):
        self.assertEqual(_with_nonfinite({"a.b": {"c": None}, "nonfinite": {"a.b.c": "inf"}}), {"a.b": {"c": math.inf}})
        self.assertEqual(_with_nonfinite({"a": [{"b": None}, [None]], "nonfinite": {"a.1.0": "-inf"}}), {"a": [{"b": None}, [-math.inf]]})
        for kept in ({"nonfinite": {"x": "inf"}}, {"x": 1, "nonfinite": {"x": "inf"}}, {"nonfinite": {"x": "much"}}, {"nonfinite": {}}, {"nonfinite": 5}):
            self.assertEqual(_with_nonfinite(json.loads(json.dumps(kept))), kept)

    def test_messages_become_warnings(self):
        with self.assertWarnsRegex(UserWarning, "missing|incomplete") as caught:
            cairn.stats(SAMPLE / "tiny-llama-a/step-300")
        self.assertNotIn("cairn-cli", str(caught.warning))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cairn.stats(B)

    def test_options_are_checked(self):
        for wrong in (
            lambda: cairn.call("stats", B, nothing=1),
            lambda: cairn.call("stats", B, sample="yes"),
            lambda: cairn.call("stats", B, tensor=True),
            lambda: cairn.stats(B, tensor=object()),
            lambda: cairn.diff(B),
            lambda: cairn.stats(5),
            lambda: cairn.stats(B, progress=5),
            lambda: cairn.plan(B, "consolidate", "out"),
        ):
            with self.assertRaises(TypeError):
                wrong()
        for wrong in (lambda: cairn.call("serve"), lambda: cairn.call("job", "list"), lambda: cairn.diff(B, B, rtol=-1), lambda: cairn.call("show", B)):
            with self.assertRaises(cairn.Error) as raised:
                wrong()
            self.assertEqual(raised.exception.code, "invalid-argument")
        with self.assertRaises(ValueError):
            cairn.stats("a\0b")

    def test_errors_are_those_of_the_command_line(self):
        shown = ask("stats", self.folder / "nothing", code=3)["error"]
        with self.assertRaises(cairn.Error) as raised:
            cairn.stats(self.folder / "nothing")
        self.assertEqual(raised.exception.as_dict(), shown)
        with self.assertRaises(cairn.TensorNotFound) as raised:
            cairn.stats(B, tensor="nothing*")
        self.assertEqual(raised.exception.as_dict(), ask("stats", B, "--tensor", "nothing*", code=2)["error"])


class Jobs(FolderTest):
    def test_consolidate_writes_what_the_command_line_writes(self):
        out = self.folder / "model.safetensors"
        plan = cairn.plan("consolidate", B, out)
        self.assertFalse(out.exists())
        report = cairn.consolidate(cairn.open(B), out)
        self.assertTrue(report["verified"])
        self.assertEqual(report["output"], str(out))
        self.assertEqual(plan["output"]["bytes"], report["bytes"])
        by_program = self.folder / "program.safetensors"
        self.assertEqual(run("consolidate", B, "-o", by_program).code, 0)
        self.assertEqual(out.read_bytes(), by_program.read_bytes())
        with self.assertRaises(cairn.Error) as raised:
            cairn.consolidate(B, out)
        self.assertEqual(raised.exception.code, "output-exists")
        self.assertEqual(out.read_bytes(), by_program.read_bytes())

    def test_options_of_jobs(self):
        out = self.folder / "out"
        cairn.consolidate(B, out, only="all", strip=["optimizer", "rng"], dtype="bf16", max_shard_size="20KB", rename={"model.": ""})
        names = cairn.open(out).keys()
        self.assertTrue(names)
        self.assertFalse([name for name in names if name.startswith("model.")])
        self.assertIn("bfloat16", {t.dtype for _, t in cairn.open(out).items()})
        self.assertGreater(len(list(out.glob("*.safetensors"))), 1)

    def test_other_jobs(self):
        cairn.export(B, self.folder / "one.npy", tensor="lm_head.weight")
        self.assertEqual(numpy.load(self.folder / "one.npy").tobytes(), cairn.open(B)["lm_head.weight"].tobytes())
        cairn.reshard(B, self.folder / "dcp", to="dcp", ranks=3)
        self.assertFalse(cairn.diff(B, self.folder / "dcp", values=True, tensor="model.*")["summary"]["differ"])
        cairn.average([A, B], self.folder / "mean.safetensors", weights=[0, 1])
        self.assertEqual(cairn.open(self.folder / "mean.safetensors")["lm_head.weight"].tobytes(), cairn.open(B)["lm_head.weight"].tobytes())

    def test_progress_is_reported(self):
        seen = []
        cairn.consolidate(B, self.folder / "a.safetensors", progress=lambda phase, done, total: seen.append((phase, done, total)))
        self.assertTrue(seen)
        phase, done, total = seen[-1]
        self.assertIsInstance(phase, str)
        self.assertEqual(done, total)
        self.assertGreater(total, 0)

    def test_bars(self):
        bars = []

        class Bar:
            total, n = None, 0

            def __init__(self, **options):
                bars.append(self)

            def set_description(self, text):
                self.text = text

            def close(self):
                self.closed = True

        fake = types.ModuleType("tqdm.auto")
        fake.tqdm = Bar
        with mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": fake}):
            cairn.hash(B, progress=True)
        self.assertTrue(bars[0].closed)
        self.assertEqual(bars[0].n, bars[0].total)
        with mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}), mock.patch("sys.stderr") as stderr:
            cairn.hash(B, progress=True)
        self.assertTrue(stderr.write.called)

    def test_an_exception_in_the_callback_stops_the_job(self):
        class Stop(Exception):
            pass

        def stop(phase, done, total):
            raise Stop

        with self.assertRaises(Stop):
            cairn.consolidate(self.sparse(2), self.folder / "a.safetensors", progress=stop)
        self.assertFalse((self.folder / "a.safetensors").exists())


if __name__ == "__main__":
    unittest.main()
