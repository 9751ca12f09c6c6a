# SPDX-License-Identifier: Apache-2.0
"""`python generate_binary.py`: writes tensorboard/, wandb/ and mlflow/ beside this file with the writers of
tests/interop/requirements.txt (tensorboard 2.21, tensorflow-cpu 2.21, torch 2.13, wandb 0.25, mlflow-skinny 3.17), and for each
case `<case>.oracle`, the result of that writer's own reader; its lines are described in tests/interop/histories_binary.py.

`python generate_binary.py --seeds DIR` writes the first inputs of the fuzz target from them (tests/fuzz/corpus/history_binary).

Times and ids differ from run to run. The databases contain only the tables of runs and metrics, to keep them small.
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


def small_database(path: Path, journal: str) -> bytes:
    """MLflow's three tables with a few rows, in pages of 512 bytes; with a write-ahead log, both files."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in (
            "PRAGMA page_size=512", f"PRAGMA journal_mode={journal}", "PRAGMA wal_autocheckpoint=0",
            "CREATE TABLE runs (run_uuid PRIMARY KEY, name, start_time, lifecycle_stage)",
            "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan)",
            "CREATE TABLE params (key, value, run_uuid)",
            "INSERT INTO runs VALUES('r1','a',1,'active'),('r2','a',2,'active'),('r3','c',3,'deleted')",
            "INSERT INTO params VALUES('lr','0.1','r1'),('lr','0.2','r2')",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<40) "
            "INSERT INTO metrics SELECT 'loss', i/7.0, i*1000, 'r1', i, i=9 FROM n"):
        connection.execute(statement)
    log = path.with_name(path.name + "-wal")
    content = path.read_bytes(), log.read_bytes() if log.exists() else b""
    connection.close()
    padded = content[1] + bytes(-len(content[1]) % 1024)  # the fuzz target takes the log's size in KiB
    return (len(padded) // 1024).to_bytes(2, "little") + content[0] + padded


def seeds(out: Path) -> None:
    """The form of the inputs of tests/fuzz/history_binary_fuzz.cpp: a letter for the source, then its bytes."""
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader

    def put(name: str, letter: str, content: bytes) -> None:
        (out / name).write_bytes(letter.encode() + content)

    out.mkdir(parents=True, exist_ok=True)
    (events,) = (HERE / "tensorboard" / "tensorboard_tf2").iterdir()
    put("events_file", "e", events.read_bytes()[:1500])
    for case in ("tf1", "tf2", "torch_hparams", "dtypes"):
        (events,) = (HERE / "tensorboard" / f"tensorboard_{case}").iterdir()
        for number, event in enumerate(list(RawEventFileLoader(str(events)).Load())[1:10:3]):
            put(f"event_{case}_{number}", "E", event)
    log = HERE / "wandb" / "wandb_plain" / "run-plain.wandb"
    put("wandb_file", "w", log.read_bytes()[:3000])
    for record in histories_binary.scan_wandb(log):
        put("wandb_" + record.WhichOneof("record_type"), "W", record.SerializeToString())
    (run,) = (HERE / "mlflow" / "mlflow_folder" / "mlruns").glob("*/*/meta.yaml")
    put("mlflow_meta", "y", run.read_bytes())
    put("mlflow_metric", "m", (run.parent / "metrics" / "eval" / "deep" / "acc").read_bytes())
    with tempfile.TemporaryDirectory() as scratch:
        for journal in ("DELETE", "WAL"):
            put(f"database_{journal.lower()}", "d", small_database(Path(scratch) / f"{journal}.db", journal))


def main() -> None:
    if sys.argv[1:2] == ["--seeds"]:
        seeds(Path(sys.argv[2]))
        return
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
            shutil.rmtree(work / "mlruns" / "0", ignore_errors=True)  # contains a path of this machine
            shutil.copytree(work, out / name)
            facts.write(out / f"{name}.oracle", str(path.relative_to(Path(scratch))))


if __name__ == "__main__":
    main()
