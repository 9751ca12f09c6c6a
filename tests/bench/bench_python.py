# SPDX-License-Identifier: Apache-2.0
"""Figures of the Python module, each in a process of its own:

    PYTHONPATH=build/release/python build/venv/bin/python tests/bench/bench_python.py DCP [--scratch FOLDER] [--rounds N]

DCP is a checkpoint that make_dcp.py wrote. Prints what importing costs, how long one tensor out of the checkpoint takes
compared with torch's conversion and load (both without imports), and how much is read for one row of a tensor of 1 GiB.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TENSOR = "model.layers.3.mlp.up_proj.weight"  # in the state "model"


def process(program: str, *arguments: object) -> list[float]:
    """Runs a program that prints numbers."""
    done = subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


IMPORT = """
import time
t, own = time.perf_counter(), time.process_time()
import cairn
print(time.perf_counter() - t, time.process_time() - own)
"""
ONE_TENSOR = """
import sys, time
import cairn, numpy
t, own = time.perf_counter(), time.process_time()
array = cairn.open(sys.argv[1])["model." + sys.argv[2]].numpy(raw=True)
print(time.perf_counter() - t, time.process_time() - own, int(array[::97].sum()))
"""
CONVERSION = """
import sys, time, warnings
import torch
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save
warnings.simplefilter("ignore")
t, own = time.perf_counter(), time.process_time()
dcp_to_torch_save(sys.argv[1], sys.argv[3])
tensor = torch.load(sys.argv[3], mmap=True)["model"][sys.argv[2]]
print(time.perf_counter() - t, time.process_time() - own, int(tensor.view(torch.uint16).numpy()[::97].sum()))
"""
ONE_ROW = """
import sys
import cairn
t = cairn.open(sys.argv[1])[sys.argv[2]]
def read():
    with open("/proc/self/io") as file:
        return int(file.readline().split()[1])
read()
before = read()
own = read() - before
before = read()
t[int(sys.argv[3])].tobytes()
print(read() - before - own, t.nbytes)
"""


def import_times(rounds: int) -> None:
    bare = [start_up("pass") for _ in range(rounds)]
    with_cairn = [start_up("import cairn") for _ in range(rounds)]
    inside, own = zip(*(process(IMPORT) for _ in range(rounds)))
    print(f"import cairn: {1e3 * statistics.median(inside):.1f} ms (smallest {1e3 * min(inside):.1f}), "
          f"{1e3 * statistics.median(own):.1f} ms of processor time (smallest {1e3 * min(own):.1f}); "
          f"a process {1e3 * statistics.median(with_cairn):.1f} ms, without it {1e3 * statistics.median(bare):.1f} ms")  # fmt: skip


def start_up(program: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def one_tensor(checkpoint: Path, scratch: Path, rounds: int) -> None:
    converted = scratch / "converted.pt"
    ours, theirs = [], []
    for _ in range(rounds):
        *took, total = process(ONE_TENSOR, checkpoint, TENSOR)
        ours.append(took)
        *took, expected = process(CONVERSION, checkpoint, TENSOR, converted)
        theirs.append(took)
        converted.unlink()
        if total != expected:
            raise SystemExit("the two read different elements")
    size = sum(file.stat().st_size for file in checkpoint.iterdir()) / 2**30
    for i, what in enumerate(("time", "processor time")):
        here, there = [each[i] for each in ours], [each[i] for each in theirs]
        ratios = [b / a for a, b in zip(here, there)]
        print(f"one tensor of {size:.2f} GiB, {what}: open and read {1e3 * statistics.median(here):.1f} ms; dcp_to_torch_save and load "
              f"{statistics.median(there):.2f} s; ratio {statistics.median(ratios):.0f} ({min(ratios):.0f} to {max(ratios):.0f})")  # fmt: skip


def one_row(scratch: Path) -> None:
    path = scratch / "row.safetensors"
    rows = 2**18
    header = json.dumps({"t": {"dtype": "F32", "shape": [rows, 1024], "data_offsets": [0, rows * 4096]}}).encode()
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(file.tell() + rows * 4096)
    read, total = process(ONE_ROW, path, "t", 123_457)
    print(f"one row of {total / 2**30:.0f} GiB: {read:.0f} bytes read (the row has 4096)")
    path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as scratch:
        print(f"load {os.getloadavg()[0]:.1f}")
        import_times(3 * arguments.rounds)
        one_row(Path(scratch))
        one_tensor(arguments.checkpoint, Path(scratch), arguments.rounds)


if __name__ == "__main__":
    main()
