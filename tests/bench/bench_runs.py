# SPDX-License-Identifier: Apache-2.0
"""Listing many checkpoints and indexing many runs; see README.md.

    bench_runs.py --cli build/release/bin/cairn-cli [--scratch DIR] [--rounds 5] [--checkpoints 1000] [--runs 1500]
                  [--metrics 1500] [--points 5]

The data is written below --scratch (kept), or into a temporary folder (deleted). Every figure is the
median wall time of the complete process; "first" has an empty cache folder, "again" that of the first call. The
files are in the page cache in both cases.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from made_files import safetensors


TENSORS = {f"model.layers.{i}.weight": ("F32", [2], bytes(8)) for i in range(4)}


def trainer_folder(path: pathlib.Path, step: int) -> None:
    """A small checkpoint folder like a Trainer's."""
    path.mkdir(parents=True)
    safetensors(path / "model.safetensors", TENSORS)
    (path / "config.json").write_text('{"model_type": "llama"}')
    for name in ("optimizer.bin", "scheduler.bin", "tokenizer.json", "training_args.json"):
        (path / name).write_bytes(bytes(100))
    log = [{"step": s, "loss": 1 / s, "epoch": s / 1000} for s in range(max(1, step - 20), step + 1)]
    (path / "trainer_state.json").write_text(json.dumps({"global_step": step, "epoch": step / 1000, "log_history": log}))


def make_checkpoints(root: pathlib.Path, count: int) -> None:
    half = count // 2
    for i in range(half):
        trainer_folder(root / "trainer" / f"checkpoint-{(i + 1) * 10}", (i + 1) * 10)
    (root / "loop").mkdir()
    for i in range(count - half):
        safetensors(root / "loop" / f"step_{i + 1}.safetensors", TENSORS)


def make_runs(root: pathlib.Path, runs: int, metrics: int, points: int) -> None:
    names = ["step", "val_loss"] + [f"layers.{i}/grad_norm" for i in range(metrics - 1)]
    source = random.Random(1)
    rows = [[f"{source.random():.6f}" for _ in range(metrics)] for _ in range(50)]
    for run in range(runs):
        folder = root / f"run_{run:05}"
        folder.mkdir(parents=True)
        safetensors(folder / f"step_{points}.safetensors", TENSORS)
        lines = [",".join(names)] + [",".join([str(p + 1)] + rows[(run * 7 + p) % 50]) for p in range(points)]
        (folder / "metrics.csv").write_text("\n".join(lines) + "\n")


def call(cli: str, cache: pathlib.Path, *arguments: object) -> bytes:
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    return subprocess.run([cli, "runs", *map(str, arguments)], env=environment, capture_output=True, check=True).stdout


def timed(*arguments: object) -> float:
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start


def bench(title: str, cli: str, root: pathlib.Path, scratch: pathlib.Path, rounds: int, column: str) -> None:
    quick, first, again, table, chosen = [], [], [], [], []
    for i in range(rounds):
        cache = scratch / f"cache-{i}"
        quick.append(timed(cli, cache, root, "--quick"))
        first.append(timed(cli, cache, root))
        again.append(timed(cli, cache, root))
        table.append(timed(cli, cache, root, "--table"))
        chosen.append(timed(cli, cache, root, "--table", "--filter", f"{column} < 0.5", "--sort", column))
        answer = json.loads(call(cli, cache, root, "--json"))
        shutil.rmtree(cache, ignore_errors=True)
    count = sum(len(run["checkpoints"]) for run in answer["runs"])
    metrics = sum(len(source["metrics"]) for run in answer["runs"] for source in run["histories"])
    print(f"{title}: {len(answer['runs'])} runs, {count} checkpoints, {metrics} curves: "
          f"listed {statistics.median(quick):.3f} s, first {statistics.median(first):.3f} s, "
          f"again {statistics.median(again):.3f} s, --table {statistics.median(table):.3f} s, "
          f"filtered and sorted {statistics.median(chosen):.3f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--scratch", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--checkpoints", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=1500)
    parser.add_argument("--metrics", type=int, default=1500)
    parser.add_argument("--points", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as temporary:
        scratch = options.scratch or pathlib.Path(temporary)
        many, table = scratch / f"checkpoints-{options.checkpoints}", scratch / f"runs-{options.runs}x{options.metrics}"
        if not many.exists():
            many.mkdir(parents=True)
            make_checkpoints(many, options.checkpoints)
        if not table.exists():
            make_runs(table, options.runs, options.metrics, options.points)
        bench("checkpoints", options.cli, many, scratch, options.rounds, "loss")
        bench("run table", options.cli, table, scratch, options.rounds, "val_loss")


if __name__ == "__main__":
    main()
