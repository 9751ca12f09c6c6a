#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random trainings whose truth is known: no checkpoint has the value of another row of the log, and none is the best by such a
value. Only the standard library. CAIRN_TRAININGS and CAIRN_TRAININGS_SEED set how many, and the first seed.

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


if __name__ == "__main__":
    unittest.main()
