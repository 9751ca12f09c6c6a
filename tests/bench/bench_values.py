# SPDX-License-Identifier: Apache-2.0
"""Statistics and value diffs compared with the bandwidth of memory and with other tools; see README.md.

Every round runs each contender once, one process each, in an order that changes from round to round, on cached files; the limit (summing
the same amount of anonymous memory as integers with the same number of threads) is one of the contenders, so that ratios are taken within a round.
There are two cases: the page cache has the files in large pages, as after writing or reading in large pieces, or in pages
of 4 KiB, as after writing in small ones; the files are written again for each. Large pages are split when memory is needed elsewhere. Therefore
the share of the files that the kernel can map in pages of 2 MiB is determined before each measurement of the first case, the files are
written again if it is too small, and the share is reported. Each process times only its work, without start, imports, opening and loading: torch's tensors are in memory before timing starts.
For `cmp` the complete process is timed. The two files are equal, so that no comparison ends early.
With --cold the files are evicted from the page cache before each contender; the limits are sequential reads of
8 MiB by one thread, through the page cache and bypassing it (O_DIRECT); for the diff, of both files one after the other.
"""

import argparse
import json
import mmap
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

MADV_POPULATE_READ = 22  # Linux 5.14
LARGE_ENOUGH = 0.9
PIECES = {"large": 8 << 20, "small": 4 << 10}  # how files are written

FIVE_CALLS = """
import sys, time, torch
from safetensors.torch import load_file
tensors = [t.clone() for t in load_file(sys.argv[1]).values()]
start = time.perf_counter()
for t in tensors:
    t.min(), t.max(), t.mean(), t.std(), t.norm()
seconds = time.perf_counter() - start
print('{"seconds": %.9f, "bytes": %d}' % (seconds, sum(t.numel() * t.element_size() for t in tensors)))
"""
EQUAL = """
import sys, time, torch
from safetensors.torch import load_file
left, right = ({k: t.clone() for k, t in load_file(path).items()} for path in sys.argv[1:3])
start = time.perf_counter()
assert all(torch.equal(left[name], right[name]) for name in left)
seconds = time.perf_counter() - start
print('{"seconds": %.9f, "bytes": %d}' % (seconds, 2 * sum(t.numel() * t.element_size() for t in left.values())))
"""


def make(folder: Path, gib: float) -> tuple[Path, Path]:
    """Two equal files of bf16 weights that share no disk blocks."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    left, right = folder / f"left-{gib:g}.safetensors", folder / f"right-{gib:g}.safetensors"
    if not (left.exists() and right.exists()):
        generator = torch.Generator().manual_seed(1)
        rows, columns = 4096, 4096
        count = max(1, round(gib * 2**30 / (rows * columns * 2)))
        state = {f"model.layers.{i}.weight": torch.randn(rows, columns, generator=generator).to(torch.bfloat16) for i in range(count)}
        for path in (left, right):
            save_file(state, path)
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.close(file)
    return left, right


def write_anew(path: Path, piece: int) -> None:
    """Writes the file again, in cache pages that are as large as the pieces allow."""
    new = path.with_suffix(".new")
    with open(path, "rb", buffering=0) as old, open(new, "wb", buffering=0) as out:
        while chunk := old.read(64 << 20):
            view = memoryview(chunk)
            for at in range(0, len(view), piece):
                out.write(view[at : at + piece])
        os.fsync(out.fileno())
    evict(path)  # drops the old pages, so that they do not compete for memory
    os.replace(new, path)


def large_share(path: Path) -> float:
    """The share of a cached file that the kernel maps in pages of 2 MiB."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as shown:
        shown.madvise(MADV_POPULATE_READ)
        inside = False
        for line in Path("/proc/self/smaps").read_text().splitlines():
            inside = inside or line.endswith(str(path.resolve()))
            if inside and line.startswith("FilePmdMapped:"):
                return int(line.split()[1]) * 1024 / len(shown)
    return 0.0


def evict(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def warm(path: Path) -> None:
    with open(path, "rb", buffering=0) as stream:
        while stream.read(8 << 20):
            pass


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.left, self.right = make(Path(options.scratch), options.gib)

    def start(self, case: str) -> None:
        self.large = case == "large"
        self.shares: list[float] = []
        self.seconds: dict[str, list[float]] = {}
        self.rate: dict[str, list[float]] = {}

    def add(self, name: str, seconds: float, size: int) -> None:
        self.seconds.setdefault(name, []).append(seconds)
        self.rate.setdefault(name, []).append(size / seconds / 1e9)

    def ask(self, name: str, *command: object) -> None:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr}")
        answer = json.loads(done.stdout)
        self.add(name, answer["seconds"], answer["bytes"])

    def cmp(self) -> None:
        start = time.perf_counter()
        subprocess.run(["cmp", str(self.left), str(self.right)], check=True)
        self.add("cmp", time.perf_counter() - start, 2 * self.left.stat().st_size)

    def make_large(self) -> None:
        """Retries: the kernel chooses the size of pages."""
        for _ in range(4):
            share = min(large_share(path) for path in (self.left, self.right))
            if share >= LARGE_ENOUGH:
                break
            for path in (self.left, self.right):
                write_anew(path, PIECES["large"])
        self.shares.append(share)

    def contenders(self) -> list:
        tool, threads = self.options.bench_values, self.options.threads
        if self.options.cold:
            return [
                lambda: self.ask("limit of statistics", tool, "read", self.left),
                lambda: self.ask("statistics", tool, "stats", self.left, threads),
                lambda: self.ask("limit of diff", tool, "read", self.left, self.right),
                lambda: self.ask("direct", tool, "direct", self.left, self.right),
                lambda: self.ask("diff", tool, "diff", self.left, self.right, threads),
            ]
        return [
            lambda: self.ask("limit of statistics", tool, "dram", threads, self.left),
            lambda: self.ask("statistics", tool, "stats", self.left, threads),
            lambda: self.ask("first statistic", tool, "sample", self.left, threads),
            lambda: self.ask("torch, five calls", sys.executable, "-c", FIVE_CALLS, self.left),
            lambda: self.ask("limit of diff", tool, "dram", threads, self.left, self.right),
            lambda: self.ask("diff", tool, "diff", self.left, self.right, threads),
            lambda: self.ask("torch.equal loop", sys.executable, "-c", EQUAL, self.left, self.right),
            self.cmp,
        ]

    def round(self, number: int) -> None:
        contenders = self.contenders()
        random.Random(number).shuffle(contenders)
        for contender in contenders:
            for path in (self.left, self.right):
                evict(path) if self.options.cold else warm(path)
            if self.large:
                self.make_large()
            contender()
        latest = {name: round(times[-1], 4) for name, times in self.seconds.items()}
        print(f"round {number + 1}: {latest}", file=sys.stderr, flush=True)

    def ratio(self, ours: str, theirs: str, what: str) -> None:
        """How many times faster Cairn is; for a limit, the fraction of it."""
        if ours in self.rate and theirs in self.rate:
            ratios = [a / b for a, b in zip(self.rate[ours], self.rate[theirs])]
            print(f"{what:45} {statistics.median(ratios):8.2f}   ({min(ratios):.2f}-{max(ratios):.2f})")

    def report(self) -> None:
        print(f"{self.left.stat().st_size / 1e9:.2f} GB a side, {self.options.threads} threads, "
              f"{len(next(iter(self.seconds.values())))} rounds, medians")
        if self.shares:
            print(f"{'in pages of 2 MiB':45} {statistics.median(self.shares):8.2f}   ({min(self.shares):.2f}-{max(self.shares):.2f})")
        for name, seconds in self.seconds.items():
            print(f"{name:45} {statistics.median(seconds):8.4f} s   {statistics.median(self.rate[name]):7.2f} GB/s")
        self.ratio("statistics", "limit of statistics", "statistics, of the limit")
        self.ratio("statistics", "torch, five calls", "statistics, times torch's five calls")
        self.ratio("statistics", "direct", "statistics, of O_DIRECT")
        self.ratio("diff", "limit of diff", "diff, of the limit")
        self.ratio("diff", "direct", "diff, of O_DIRECT")
        self.ratio("diff", "cmp", "diff, times cmp")
        self.ratio("diff", "torch.equal loop", "diff, times torch.equal")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench-values", required=True)
    parser.add_argument("--scratch", required=True, help="folder for two files of --gib each")
    parser.add_argument("--gib", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--pages", choices=("large", "small", "both"), default="both", help="how the page cache holds warm files")
    bench = Bench(parser.parse_args())
    cases = ["cold"] if bench.options.cold else [case for case in PIECES if bench.options.pages in (case, "both")]
    for case in cases:
        if case in PIECES:
            for path in (bench.left, bench.right):
                write_anew(path, PIECES[case])
        bench.start(case)
        for number in range(bench.options.rounds):
            bench.round(number)
        print("cold files" if case == "cold" else f"warm files, {case} pages in the page cache")
        bench.report()


if __name__ == "__main__":
    main()
