# SPDX-License-Identifier: Apache-2.0
"""`python generate_binary.py`: writes tensorboard/, wandb/ and mlflow/ beside this file with the writers of
tests/interop/requirements.txt (tensorboard 2.21, tensorflow-cpu 2.21, torch 2.13, wandb 0.25, mlflow-skinny 3.17), and for each
case `<case>.oracle`, what that writer's own reader reads; its lines are told in tests/interop/histories_binary.py.

Times and ids differ from run to run. The databases are cut to the tables around runs and metrics, so that they stay small.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "interop"))
import histories_binary  # noqa: E402

KEPT = ("alembic_version", "experiments", "latest_metrics", "metrics", "params", "runs", "tags")


def shrink(database: Path) -> None:
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=OFF")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    for name in tables:
        if name not in KEPT and not name.startswith("sqlite_"):
            connection.execute(f"DROP TABLE {name}")
    connection.execute("UPDATE experiments SET artifact_location='mlflow-artifacts:/0' WHERE experiment_id=0")  # a path of this machine
    connection.execute("PRAGMA page_size=1024")
    connection.execute("VACUUM")
    connection.close()


def main() -> None:
    for name, case in histories_binary.CASES.items():
        kind = "mlflow" if case.kind.startswith("mlflow") else case.kind
        out = HERE / kind
        shutil.rmtree(out / name, ignore_errors=True)
        with tempfile.TemporaryDirectory() as scratch:
            work = Path(scratch) / name
            work.mkdir()
            path = case.write(work)
            facts = case.read(path)
            if path.suffix == ".db":
                shrink(path)
            shutil.rmtree(work / "mlruns" / "0", ignore_errors=True)  # names a path of this machine
            shutil.copytree(work, out / name)
            facts.write(out / f"{name}.oracle", str(path.relative_to(Path(scratch))))


if __name__ == "__main__":
    main()
