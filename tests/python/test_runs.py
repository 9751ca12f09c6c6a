# SPDX-License-Identifier: Apache-2.0
"""cairn.runs(): runs, checkpoints, curves, the table."""

import json
import sys
import types
import unittest
from unittest import mock

from support import DECISIONS, SAMPLE, FolderTest, ask, decision_lines, expected_decisions

import cairn


class Listing(FolderTest):
    def test_equals_that_of_the_command_line(self):
        found = cairn.runs(SAMPLE)
        shown = ask("runs", SAMPLE)
        self.assertEqual(json.loads(json.dumps([run.as_dict() for run in found])), shown["runs"])
        self.assertEqual([run.id for run in found], [each["id"] for each in shown["runs"]])
        self.assertEqual([notice.code for notice in found.notices], [each["code"] for each in shown["notices"]])
        self.assertGreater(len(found), 1)

    def test_runs_and_checkpoints(self):
        found = cairn.runs(SAMPLE)
        run = found["tiny-llama-a"]
        self.assertIs(run, next(each for each in found if each.name == "tiny-llama-a"))
        self.assertEqual(found[0].id, next(iter(found)).id)
        latest = run.latest_checkpoint
        self.assertEqual((latest.step, latest["step"], latest.state, latest.latest), (400, 400, "complete", True))
        self.assertEqual(latest.open().path, latest.path)
        self.assertTrue(run.best_checkpoint.best)
        self.assertIn("loss", [name for each in run.histories for name in each.metrics])
        loss = run.history("loss")["loss"]
        self.assertEqual(len(loss["steps"]), len(loss["values"]))
        self.assertIn("step", dir(latest))
        with self.assertRaises(AttributeError):
            latest.nothing
        with self.assertRaises(KeyError):
            found["nothing"]
        with self.assertRaises(IndexError):
            found[99]

    def test_the_decisions_of_every_face(self):
        self.maxDiff = None
        found = cairn.runs(DECISIONS)
        self.assertEqual(decision_lines([run.as_dict() for run in found]), expected_decisions())
        # The same as attributes.
        run = found["named"]
        self.assertEqual([each["id"] for each in run.best_checkpoint.because], ["step-in-name"])
        self.assertEqual(run.best["because"][0]["strength"], "named")
        self.assertEqual([each["id"] for each in run.headline["because"]], ["metric-in-name"])
        self.assertEqual(run.direction["because"][0]["says"], "lower is better, assumed")
        self.assertEqual([each["id"] for each in found["undecided"].best_against], [])
        self.assertEqual(len(found["contradicting"].best_against), 2)

    def test_the_evidence_of_an_opened_checkpoint(self):
        opened = cairn.open(DECISIONS / "declared/model-200.pt")
        listed = cairn.runs(DECISIONS)["declared"].checkpoints[1]
        self.assertEqual((opened.step, opened.epoch), (listed.step, listed.epoch))
        self.assertEqual([(each["strength"], each["id"]) for each in opened.because],
                         [("recorded", "step-in-values"), ("recorded", "epoch-in-values")])
        self.assertEqual(opened.because, [each for each in listed.because if each["strength"] != "named"])
        self.assertEqual(cairn.open(DECISIONS / "named/step-1.safetensors").because, [])

    def test_the_table(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            rows = cairn.runs(SAMPLE).table()
        shown = ask("runs", SAMPLE, "--table", "--columns", "*")["rows"]
        self.assertEqual([row["id"] for row in rows], [row["id"] for row in shown])
        for row, expected in zip(rows, shown):
            self.assertEqual((row["bytes"], row["state"]), (expected["bytes"], expected["state"]))
            for name, figures in expected["metrics"].items():
                self.assertEqual(row[f"{name}.last"], figures["last"])
            for key, value in expected["settings"].items():
                self.assertIn(value, (row.get(key), row.get("settings." + key)))

    def test_filter_sort_and_groups(self):
        found = cairn.runs(SAMPLE)
        (row,) = found.rows(filter="name == tiny-llama-a")
        self.assertEqual(row["id"], "tiny-llama-a")
        names = [row["name"] for row in found.rows(sort="name desc")]
        self.assertEqual(names, sorted(names, reverse=True))
        setting = next(iter(ask("runs", SAMPLE, "--table", "--columns", "*")["rows"][0]["settings"]))
        self.assertEqual(sum(row["n"] for row in found.rows(group_by=setting)), len(found))
        with self.assertRaises(cairn.Error):
            found.table(filter="(((")

    def test_pandas_when_installed(self):
        pandas = types.ModuleType("pandas")
        pandas.DataFrame = lambda rows: ("frame", rows)
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            kind, rows = cairn.runs(SAMPLE).table()
        self.assertEqual(kind, "frame")
        self.assertEqual(rows, cairn.runs(SAMPLE).rows())

    def test_wrong_folders(self):
        with self.assertRaises(cairn.Error) as raised:
            cairn.runs(self.folder / "nothing")
        self.assertEqual(raised.exception.code, "not-found")
        self.assertEqual(len(cairn.runs(self.folder)), 0)
        with self.assertRaises(TypeError):
            cairn.runs(5)


if __name__ == "__main__":
    unittest.main()
