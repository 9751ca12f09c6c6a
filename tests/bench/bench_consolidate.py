# SPDX-License-Identifier: Apache-2.0
"""Consolidation compared with the disk's limit and with other tools; see README.md.

Every round runs each contender once, in an order that changes from round to round, with the source in the page cache; the limit (large
sequential writes of the same number of bytes) is one of the contenders, so that ratios are taken within a round. Printed are
medians of the rounds' ratios with their spread. Every time includes making the output durable (fdatasync).
"""

import argparse
import json
import mmap
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PEERS = {
    "dcp_to_torch_save": """
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save as convert
import torch, os, sys, time
start = time.perf_counter()
convert(sys.argv[1], sys.argv[2])
""",
    "load + save_file": """
import torch, os, sys, time
import torch.distributed.checkpoint as dcp
from safetensors.torch import save_file
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from torch.distributed.checkpoint.state_dict_loader import _load_state_dict
start = time.perf_counter()
reader = dcp.FileSystemReader(sys.argv[1])
entries = reader.read_metadata().state_dict_metadata
state = {k: torch.empty(e.size, dtype=e.properties.dtype) for k, e in entries.items() if isinstance(e, TensorStorageMetadata)}
_load_state_dict(state, storage_reader=reader, no_dist=True)
save_file(state, sys.argv[2], metadata={"format": "pt"})
""",
}
HF_PEERS = {
    "consolidate_safetensors_files": """
import json, os, struct, sys, time
from torch.distributed.checkpoint._consolidate_hf_safetensors import consolidate_safetensors_files as consolidate
names = set()
for file in os.listdir(sys.argv[1]):
    with open(os.path.join(sys.argv[1], file), "rb") as stream:
        names |= json.loads(stream.read(struct.unpack("<Q", stream.read(8))[0])).keys() - {"__metadata__"}
os.makedirs(sys.argv[2])
start = time.perf_counter()
consolidate(sys.argv[1], sys.argv[2], {name: 1 for name in names}, num_threads=2)
""",
}
FINISH = """
for output in [os.path.join(sys.argv[2], name) for name in os.listdir(sys.argv[2])] if os.path.isdir(sys.argv[2]) else [sys.argv[2]]:
    os.fdatasync(os.open(output, os.O_RDONLY))
print(time.perf_counter() - start)
"""


def warm(folder: Path) -> None:
    for file in filter(Path.is_file, folder.rglob("*")):
        with open(file, "rb", buffering=0) as stream:
            while stream.read(8 << 20):
                pass


def sequential_writes(output: Path, size: int, block: mmap.mmap) -> float:
    """The limit: one thread, O_DIRECT, 8 MiB at a time into preallocated space."""
    start = time.perf_counter()
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_DIRECT, 0o644)
    os.posix_fallocate(file, 0, size)
    written = 0
    while written < size:
        written += os.pwrite(file, block, written)
    os.fdatasync(file)
    os.close(file)
    return time.perf_counter() - start


def peak_anonymous(pid: int, result: list[int], done: threading.Event) -> None:
    while not done.is_set():
        try:
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("RssAnon"):
                    result[0] = max(result[0], int(line.split()[1]))
        except (OSError, ValueError):
            return
        time.sleep(0.003)


def run_process(command: list[str]) -> tuple[str, float, int]:
    """Its output, its wall time, and its peak of anonymous memory in KiB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak, done = [0], threading.Event()
    watcher = threading.Thread(target=peak_anonymous, args=(process.pid, peak, done))
    watcher.start()
    output, _ = process.communicate()
    done.set()
    watcher.join()
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return output, time.perf_counter() - start, peak[0]


def remove(output: Path) -> None:
    shutil.rmtree(output, ignore_errors=True) if output.is_dir() else output.unlink(missing_ok=True)
    output.with_name(output.name + ".cairn.json").unlink(missing_ok=True)


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.source = Path(options.source)
        self.size = 0  # of the first job's output
        self.peers = PEERS if (self.source / ".metadata").exists() else HF_PEERS
        self.block = mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.block.madvise(mmap.MADV_HUGEPAGE)  # on a virtual disk, half as fast with small pages
        self.block.write(os.urandom(8 << 20))
        self.rows: dict[str, list[float]] = {}
        self.memory: dict[str, int] = {}
        self.forecasts: dict[str, list[float]] = {}  # forecast time divided by actual time

    def add(self, name: str, seconds: float, memory: int = 0) -> None:
        self.rows.setdefault(name, []).append(seconds)
        self.memory[name] = max(self.memory.get(name, 0), memory)

    def cairn(self, name: str, ending: str, *arguments: str) -> None:
        output = Path(self.options.scratch) / f"cairn{ending}"
        text, wall, memory = run_process([self.options.bench_job, str(self.source), str(output), *arguments])
        report = json.loads(text)
        assert report["verified"]
        self.size = self.size or report["bytes"]
        if report["rate"] == "measured":  # in the same job's previous call
            self.forecasts.setdefault(name, []).append(report["forecast_over_outcome"])
        self.add(f"cairn {name}: copy", report["write_seconds"], memory)
        self.add(f"cairn {name}: copy + verify, whole process", wall, memory)
        remove(output)

    def peer(self, name: str) -> None:
        output = Path(self.options.scratch) / "peer.out"
        text, _, memory = run_process([sys.executable, "-c", self.peers[name] + FINISH, str(self.source), str(output)])
        self.add(name, float(text.split()[-1]), memory)
        remove(output)

    def limit(self) -> None:
        output = Path(self.options.scratch) / "limit.out"
        self.add("limit", sequential_writes(output, self.size, self.block))
        output.unlink()

    def round(self, number: int) -> None:
        contenders = [self.limit, lambda: self.cairn("safetensors", ".safetensors", "--to", "safetensors")]
        if self.options.torch:
            contenders.append(lambda: self.cairn("torch", ".pt", "--to", "torch"))
        for name, arguments in (each.split("=", 1) for each in self.options.also):
            contenders.append(lambda name=name, arguments=arguments: self.cairn(name, ".out", *arguments.split()))
        if number < self.options.peer_rounds:
            contenders += [lambda name=name: self.peer(name) for name in self.peers]
        random.Random(number).shuffle(contenders)
        for contender in contenders:
            warm(self.source)
            contender()
        latest = {name: round(times[-1], 2) for name, times in self.rows.items()}
        print(f"round {number + 1}: {latest}", file=sys.stderr, flush=True)

    def report(self) -> None:
        print(f"{self.size / 1e9:.2f} GB, {len(self.rows['limit'])} rounds")
        limits = self.rows["limit"]
        for name, seconds in self.rows.items():
            ratios = [limit / second for limit, second in zip(limits, seconds)]
            rate = self.size / 1e9 / statistics.median(seconds)
            print(f"{name:45} {statistics.median(seconds):7.2f} s {rate:6.2f} GB/s   of the limit "
                  f"{statistics.median(ratios):5.2f} ({min(ratios):.2f}-{max(ratios):.2f})   "
                  f"RssAnon {self.memory[name] / 1024:8.1f} MiB")
        for name, ratios in self.forecasts.items():
            print(f"{f'forecast by outcome: {name}':45} {statistics.median(ratios):5.2f} "
                  f"({min(ratios):.2f}-{max(ratios):.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="folder, see make_dcp.py and make_zero.py; ZeRO-3 has no peer here")
    parser.add_argument("--bench-job", required=True)
    parser.add_argument("--scratch", required=True, help="folder on the disk that is measured")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peer-rounds", type=int, default=7)
    parser.add_argument("--torch", action="store_true", help="also write .pt")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=ARGUMENTS", help="another job of bench_job")
    options = parser.parse_args()
    Path(options.scratch).mkdir(parents=True, exist_ok=True)
    state = tempfile.TemporaryDirectory()
    os.environ["XDG_STATE_HOME"] = state.name  # keeps learned rates out of the user's state
    bench = Bench(options)
    bench.cairn("safetensors", ".safetensors", "--to", "safetensors")
    bench.limit()
    bench.rows.clear()  # the first use of memory and of disk space is slower: not counted
    for number in range(options.rounds):
        bench.round(number)
    bench.report()


if __name__ == "__main__":
    main()
