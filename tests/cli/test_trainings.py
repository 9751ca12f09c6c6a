#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random trainings whose truth is known: no checkpoint has the value of another row of the log, none is the best by such a
value, and prune removes no best one by it. Only the standard library. CAIRN_TRAININGS and CAIRN_TRAININGS_SEED set how many, and the first seed.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_trainings.py
"""

from __future__ import annotations

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest, run
from made_trainings import make

# Names that would count as something if the file were a checkpoint of its training.
EXPORTS = ("step_1000000.safetensors", "checkpoint_99.safetensors", "best.safetensors", "model_final.safetensors", "epoch_1.5.safetensors")


class Trainings(CliTest):
    def test_no_value_of_another_row(self) -> None:
        count, first = int(os.environ.get("CAIRN_TRAININGS", "300")), int(os.environ.get("CAIRN_TRAININGS_SEED", "1"))
        made = make(self.folder, count, first)
        right, undecided, wrong = 0, 0, []
        for listed in run("runs", self.folder, "--json").json["runs"]:
            training = made[listed["name"]]
            shown = {}
            for each in listed["checkpoints"]:
                name = each["name"]
                value = each["metrics"].get("val_loss") if each["score_from"] else None
                undecided += value is None
                right += value is not None
                if value is not None:
                    shown[name] = value
                    if value not in (training.truth[name], training.held[name]):
                        wrong.append((listed["name"], name, value, training.truth[name], [each["id"] for each in listed["rows_because"]]))
            best = next((each["name"] for each in listed["checkpoints"] if each["best"]), None)
            if best and shown and listed["best"]["value"] not in (training.truth[best], training.held[best]):
                wrong.append((listed["name"], best, listed["best"]["value"]))
        print(f"{right} values right, {undecided} undecided, {len(wrong)} wrong in {count} trainings", file=sys.stderr)
        self.assertEqual(wrong, [])
        self.assertGreater(right, undecided / 2)

    def test_exports_change_nothing(self) -> None:
        made = make(self.folder, int(os.environ.get("CAIRN_TRAININGS_EXPORTED", "30")), 700_001)
        listed = self.listed()
        exports = {}
        for number, (name, run_) in enumerate(sorted(listed.items())):
            if run_["checkpoints"]:
                source = run_["checkpoints"][number % len(run_["checkpoints"])]["name"]
                exports[name] = EXPORTS[number % len(EXPORTS)]
                output = made[name].folder / exports[name]
                output.parent.mkdir(exist_ok=True)
                answer = run("consolidate", made[name].folder / source, "--only", "weights", "-o", output)
                self.assertEqual(answer.code, 0, answer.said())
        for name, run_ in self.listed().items():
            apart = [each for each in run_["checkpoints"] if Path(each["path"]).name != Path(exports.get(name, "")).name]
            self.assertEqual([facts(each) for each in apart], [facts(each) for each in listed[name]["checkpoints"]], (name, exports.get(name)))
            self.assertFalse(any(each["best"] or each["score_from"] for each in run_["checkpoints"] if each not in apart))

    def test_prune_keeps_the_best(self) -> None:
        """Trainings that save before they evaluate hold the value of an earlier save: it decides nothing where a log has the metric
        and its rows are undecided, or are decided by other evidence than these values."""
        made = make(self.folder, int(os.environ.get("CAIRN_TRAININGS_PRUNED", "40")), 700_001)
        asked = 0
        for name, run_ in self.listed().items():
            training = made[name]
            measured = {file: value for file, value in training.truth.items() if value is not None}
            if training.holds != "stale" or len(measured) < 2 or "values-equal" in [each["id"] for each in run_["rows_because"]]:
                continue
            answer = run("prune", training.folder, "--keep-last", 1, "--keep-best", 1, "--best-by", "val_loss:min", "--json")
            removed = {Path(each["path"]).name for each in answer.json.get("remove", ())}
            best = {file for file, value in measured.items() if value == min(measured.values())}
            self.assertTrue(best - removed, (name, training.axis, training.label, removed))
            asked += 1
        self.assertGreater(asked, 3)

    def listed(self) -> dict:
        return {each["name"]: each for each in run("runs", self.folder, "--json").json["runs"]}


def facts(checkpoint: dict) -> tuple:
    return tuple(checkpoint[key] for key in ("name", "step", "epoch", "metrics", "best", "score_from"))


if __name__ == "__main__":
    unittest.main()
