# SPDX-License-Identifier: Apache-2.0
"""Writes the folders `values` (checkpoints whose plain values are proven, not checked, damaged) and `runs`: small runs whose best checkpoint, metric, direction, rows, steps and exports are founded in different
ways. The decisions about them, with their evidence, are in expected.txt, which the tests of every face compare with:
tests/core/runs/decision_faces_test.cpp, tests/ui/navigator/decision_faces_test.cpp, tests/cli/test_runs.py and
tests/python/test_runs.py.

    python3 tests/data/decisions/generate.py
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
from made_files import floats, safetensors  # noqa: E402
from torch_files import Tensor, torch_zip  # noqa: E402

RUNS = HERE / "runs"
VALUES = HERE / "values"


def weights(path: Path) -> None:
    safetensors(path, {"w": ("F32", [2], floats(1, 2))})


def torch_save(path: Path, **values: object) -> None:
    torch_zip(path, {"model": {"w": Tensor("0", (2,))}, **values}, {"0": floats(1, 2)})


def log(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def saved_values() -> None:
    shutil.rmtree(VALUES, ignore_errors=True)
    for name in ("compared", "damaged"):
        torch_zip(VALUES / f"{name}.pt", {"model": {"w": Tensor("0", (2,))}, "step": 12345, "lr": 0.25}, {"0": floats(1, 2)})
    data = bytearray((VALUES / "damaged.pt").read_bytes())
    data[data.index((12345).to_bytes(2, "little"))] ^= 1
    (VALUES / "damaged.pt").write_bytes(data)
    safetensors(VALUES / "not_checked.safetensors", {"w": ("F32", [2], floats(1, 2)), "step": ("F32", [], floats(7))}, {"lr": "0.1"})
    weights(VALUES / "none.safetensors")


def main() -> None:
    saved_values()
    shutil.rmtree(RUNS, ignore_errors=True)
    # Steps in the names, a metric with an assumed direction.
    for step in (1, 2, 3):
        weights(RUNS / f"named/step-{step}.safetensors")
    log(RUNS / "named/metrics.csv", "step,train_loss,val_loss\n1,4,2\n2,3,0.5\n3,2,1\n")
    # Everything is in the values; the log ended early, but counts what they count.
    for step in (100, 200, 300):
        torch_save(RUNS / f"declared/model-{step}.pt", global_step=step, epoch=step // 100)
    log(RUNS / "declared/metrics.csv", "global_step,val_accuracy\n50,0.25\n100,0.5\n")
    # Values of the checkpoints prove the rows; the name of one contradicts its step.
    for step, loss in ((10, 2.0), (20, 1.0), (30, 1.5)):
        torch_save(RUNS / f"proven/step_{step if step < 30 else 40}.pt", step=step, val_loss=loss)
    log(RUNS / "proven/metrics.csv", "step,val_loss\n10,2\n20,1\n30,1.5\n")
    # Rows that a data frame numbered.
    for step in (2, 4):
        weights(RUNS / f"undecided/step-{step}.safetensors")
    log(RUNS / "undecided/metrics.csv", ",val_loss\n0,5\n1,4\n2,1\n3,2\n4,3\n")
    # Two names for the best one.
    for name in ("best_acc", "best_loss", "epoch_3"):
        weights(RUNS / f"contradicting/{name}.safetensors")
    # The metric is in the checkpoints only.
    for epoch, f1 in ((1, 0.25), (2, 0.75), (3, 0.5)):
        torch_save(RUNS / f"held/model_{epoch}.pt", epoch=epoch, val_f1=f1)
    # An output of a job whose source is not known.
    for step in (1, 2):
        weights(RUNS / f"exported/step-{step}.safetensors")
    weights(RUNS / "exported/step-7.safetensors")
    (RUNS / "exported/step-7.safetensors.cairn.json").write_text(json.dumps({
        "schema": "cairn/manifest/1", "job": "consolidate", "options": {"only": "weights", "dtype": "keep"},
        "source": {"path": "step-2.safetensors", "files": [{"path": "step-2.safetensors", "bytes": 1, "mtime_ns": 1}]},
        "left_out": [], "verified": True}))


if __name__ == "__main__":
    main()
