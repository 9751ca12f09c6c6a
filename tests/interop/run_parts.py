# SPDX-License-Identifier: Apache-2.0
"""Runs parts of the interop tests, test_PART.py. Each runs in a process that is forked from this one, which has imported the
frameworks, because importing them takes longer than many parts. A fork keeps the changes of one part from the others.

    run_parts.py PART...                  as many at a time as there are processors; prints the output of those that fail
    run_parts.py contents -k test_hashes  some tests of a part; -v prints the output of those that pass, too

Fails if a part fails, contains no test, or skips one without a row in tests/skips.txt. A part of ledger.txt that passed
without a skip is recorded there. Each part has its own home, cache, config, data, state and runtime folders."""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

import ledger

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 1800  # for a part
# What most parts import and what starts no thread: a forked process has only the thread that called fork().
FRAMEWORKS = ("torch", "torch.distributed.checkpoint", "torch.distributed.checkpoint.state_dict", "safetensors.torch", "transformers",
              "transformers.models.auto.modeling_auto", "transformers.models.llama.modeling_llama", "peft")


class Part:
    """A part that runs, or has run: its process, its folders and its result."""

    def __init__(self, name: str, folder: Path, options: list[str]) -> None:
        self.name, self.folder = name, folder
        self.result = {"tests": 0, "failed": [], "skipped": []}
        self.failures: list[str] = []
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        sys.stdout.flush()
        self.began = time.monotonic()
        self.process = os.fork()
        if self.process == 0:
            sys.exit(self.run(options))

    def run(self, options: list[str]) -> int:
        """In the forked process."""
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        homes = {f"XDG_{word.upper()}_HOME": word for word in ("cache", "config", "data", "state")}
        for name, word in (homes | {"HOME": "home", "XDG_RUNTIME_DIR": "runtime"}).items():
            (self.folder / word).mkdir(mode=0o700)
            os.environ[name] = str(self.folder / word)
        os.environ["CAIRN_TEST_HOME"] = str(self.folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(self.folder / "output.txt", os.O_WRONLY | os.O_CREAT, 0o666), 1)
        os.dup2(1, 2)
        result = unittest.main(module=None, argv=["run_parts.py", "-v", f"test_{self.name}", *options], exit=False).result
        failed = [str(test) for test, _ in result.failures + result.errors] + [str(test) for test in result.unexpectedSuccesses]
        skipped = [f"{test}: {reason}" for test, reason in result.skipped]
        program = getattr(sys.modules.get("driver"), "CLI", None)
        done = {"tests": result.testsRun, "failed": failed, "skipped": skipped, "program": program}
        (self.folder / "result.json").write_text(json.dumps(done))
        return 0 if result.wasSuccessful() else 1

    def finish(self, code: int, seconds: float, may_skip: bool) -> None:
        """After the end of the process: its exit code as of subprocess, and the processor time that it took."""
        result = self.folder / "result.json"
        if result.exists():
            self.result = json.loads(result.read_text())
        self.failures = self.result["failed"] or ([f"ended with {code}"] if code != 0 else [])
        left_out = len(self.result["skipped"])
        if not self.failures and self.result["tests"] + left_out == 0:
            self.failures = ["contains no test"]
        if not may_skip:
            self.failures = self.failures + [f"skipped without a row in tests/skips.txt: {each}" for each in self.result["skipped"]]
        outcome = "FAILED" if self.failures else "skipped" if left_out >= self.result["tests"] else "passed"
        print(f"{self.name:18} {self.result['tests']:5} tests {time.monotonic() - self.began:7.1f} s {seconds:7.1f} s of processor time  "
              f"{outcome}{f', {left_out} left out' if left_out else ''}", flush=True)


def parts_that_may_skip() -> set[str]:
    rows = (line.split("|")[0].strip() for line in (ROOT / "tests/skips.txt").read_text().splitlines())
    return {row.removeprefix("interop_") for row in rows if row.startswith("interop_")}


def import_frameworks() -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as in support.py
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    for name in FRAMEWORKS:
        importlib.import_module(name)
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"{threads} threads after importing {', '.join(FRAMEWORKS)}: a forked process would lose them")
    gc.freeze()  # no collection in a forked process copies their pages


def run_all(names: list[str], options: list[str], folder: Path) -> list[Part]:
    """Runs the parts in this order, as many at a time as there are processors."""
    may_skip = parts_that_may_skip()
    waiting, running, done = list(names), {}, []

    def end(number: int, _frame: object) -> None:
        for process in running:
            os.killpg(process, signal.SIGKILL)
        sys.exit(128 + number)

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    while waiting or running:
        if waiting and len(running) < (os.cpu_count() or 1):
            part = Part(waiting[0], folder / f"interop_{waiting.pop(0)}", options)
            running[part.process] = part
            continue
        process, status, used = os.wait4(-1, os.WNOHANG)
        if process:
            part = running.pop(process)
            part.finish(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, part.name in may_skip)
            done.append(part)
            continue
        for process, part in running.items():
            if time.monotonic() - part.began > LIMIT_S:
                os.killpg(process, signal.SIGKILL)
        time.sleep(0.05)
    return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", metavar="PART")
    parser.add_argument("-k", action="append", default=[], metavar="PATTERN", help="only tests whose names contain it, as in unittest")
    parser.add_argument("-v", action="store_true", help="print the output of every part")
    given = parser.parse_args()

    heavy = ledger.read().keys()
    if len([name for name in given.parts if name not in heavy]) > 1:
        import_frameworks()
    own = os.environ.get("CAIRN_TEST_HOME") or tempfile.mkdtemp(prefix="cairn-interop-")
    done = run_all(given.parts, [word for pattern in given.k for word in ("-k", pattern)], Path(own))
    for part in done:
        if part.failures or given.v:
            print(f"\n== {part.name}\n{(part.folder / 'output.txt').read_text(errors='replace')}")
    failed = [part for part in done if part.failures]
    for part in failed:
        print(f"FAILED {part.name}: " + "; ".join(part.failures))
    for part in done:
        if part.name in heavy and not part.failures and not part.result["skipped"] and not given.k:
            print(ledger.record(part.name, part.result["tests"], part.result["program"]))
    if "CAIRN_TEST_HOME" not in os.environ:
        shutil.rmtree(own, ignore_errors=True)
    print(f"{sum(part.result['tests'] for part in done)} tests in {len(done)} parts, {len(failed)} parts failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
