# SPDX-License-Identifier: Apache-2.0
"""Opening checkpoints of many small tensors, compared with Python's readers; see README.md.

    bench_open.py --bench-open build/release/bin/bench_open [--scratch DIR] [--rounds 7] [--counts 1000,10000,100000]

Every round opens each file once with Cairn and once with its peer, in changing order, each in a separate process that
times only the call (no imports, no interpreter start). Printed: medians and the median ratio with its spread.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

import torch
from safetensors.torch import save_file
from torch.distributed.checkpoint.filesystem import _StorageInfo
from torch.distributed.checkpoint.metadata import (ChunkStorageMetadata, Metadata, MetadataIndex, TensorProperties,
                                                   TensorStorageMetadata)

PEERS = {
    "safetensors": ("safe_open", "import torch; from safetensors import safe_open", "safe_open(path, 'pt').keys()"),
    "torch": ("torch.load(mmap=True)", "import torch", "torch.load(path, mmap=True, weights_only=True)"),
    "dcp": ("pickle.load(.metadata)", "import pickle, torch.distributed.checkpoint.filesystem",
            "pickle.load(open(path + '/.metadata', 'rb'))"),
}
PEER = "import sys, time\npath = sys.argv[1]\n{imports}\nstart = time.perf_counter()\n{call}\nprint((time.perf_counter() - start) * 1e3)"


def name(i: int) -> str:
    return f"model.layers.{i // 9}.mlp.expert_{i % 9}.gate_proj.weight"


def make_safetensors(path: pathlib.Path, count: int) -> None:
    save_file({name(i): torch.zeros(2, 2) for i in range(count)}, str(path))


def make_torch(path: pathlib.Path, count: int) -> None:
    torch.save({name(i): torch.zeros(2, 2) for i in range(count)}, path)


def make_dcp(path: pathlib.Path, count: int) -> None:
    """The index of a four-rank save of `count` tensors, made with torch's classes; the shards are sparse files."""
    path.mkdir()
    entries, storage = {}, {}
    for i in range(count):
        rows = [ChunkStorageMetadata(torch.Size([0, 0]), torch.Size([4, 16]))]
        entries[name(i)] = TensorStorageMetadata(TensorProperties(torch.float32), torch.Size([4, 16]), rows)
        storage[MetadataIndex(name(i), torch.Size([0, 0]), 0)] = _StorageInfo(f"__{i % 4}_0.distcp", i // 4 * 1500, 1500)
    planner = {key: (key,) for key in entries}
    with open(path / ".metadata", "wb") as stream:
        import pickle
        pickle.dump(Metadata(entries, planner, storage), stream)
    for rank in range(4):
        with open(path / f"__{rank}_0.distcp", "wb") as shard:
            shard.truncate((count // 4 + 1) * 1500)


MAKERS = {"safetensors": make_safetensors, "torch": make_torch, "dcp": make_dcp}


def cairn(program: str, path: pathlib.Path) -> dict:
    return json.loads(subprocess.run([program, str(path)], check=True, capture_output=True, text=True).stdout)


def peer(kind: str, path: pathlib.Path) -> float:
    _, imports, call = PEERS[kind]
    code = PEER.format(imports=imports, call=call)
    return float(subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True).stdout)


def compare(kind: str, path: pathlib.Path, program: str, rounds: int, count: int) -> None:
    ours, theirs, memory = [], [], 0
    for _ in range(rounds):
        steps = [lambda: ours.append(cairn(program, path)), lambda: theirs.append(peer(kind, path))]
        random.shuffle(steps)
        for step in steps:
            step()
    memory = max(run["peak_mib"] for run in ours)
    assert all(run["tensors"] == count for run in ours), ours
    times = [run["ms"] for run in ours]
    ratios = sorted(b / a for a, b in zip(times, theirs))
    print(f"| {kind} | {count} | {statistics.median(times):.1f} | {statistics.median(theirs):.1f} | "
          f"{statistics.median(ratios):.1f} ({ratios[0]:.1f}-{ratios[-1]:.1f}) | {memory} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench-open", required=True)
    parser.add_argument("--scratch", default="build/bench/open")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--counts", default="1000,10000,100000")
    options = parser.parse_args()
    scratch = pathlib.Path(options.scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors, torch {torch.__version__}, {options.rounds} pairs")
    print("| format | tensors | Cairn ms | peer ms | times faster (spread) | Cairn peak MiB |\n| --- | --- | --- | --- | --- | --- |")
    for kind, make in MAKERS.items():
        for count in map(int, options.counts.split(",")):
            path = scratch / f"{kind}_{count}"
            if not path.exists():
                make(path, count)
            compare(kind, path, options.bench_open, options.rounds, count)


if __name__ == "__main__":
    main()
