#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flips single bits in the plain values of checkpoints whose format stores checksums, and counts what `check` misses.

    value_flips.py CAIRN_CLI PATH COUNT SEED [--last BYTES]

PATH is a checkpoint: a file, or a folder of shards. Flips are spread over all bytes, or over the last BYTES of a file (the
values of an archive of Cairn). Prints a line for each change of the values or hashes that `check` calls healthy, then the
counts. Measured by hand, never a test."""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def ask(program: str, verb: str, path: Path) -> tuple[int, dict]:
    done = subprocess.run([program, verb, str(path), "--json"], capture_output=True, text=True, timeout=60)
    return done.returncode, json.loads(done.stdout or "{}")


def seen(program: str, path: Path) -> tuple:
    info, found = ask(program, "info", path)
    hashed, prints = ask(program, "hash", path)
    return info, json.dumps(found.get("values"), sort_keys=True), hashed, prints.get("fingerprint")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("path", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--last", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    counts: collections.Counter = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("DATA", "STATE", "CACHE", "CONFIG"):
            os.environ[f"XDG_{name}_HOME"] = f"{folder}/xdg/{name}"
        copy = Path(folder) / options.path.name
        shutil.copytree(options.path, copy) if options.path.is_dir() else shutil.copy2(options.path, copy)
        files = sorted(copy.glob("*.distcp")) if copy.is_dir() else [copy]
        before = seen(options.program, copy)
        for _ in range(options.count):
            file = chance.choice(files)
            data = file.read_bytes()
            at = chance.randrange(max(0, len(data) - options.last) if options.last else 0, len(data))
            damaged = bytearray(data)
            damaged[at] ^= 1 << chance.randrange(8)
            file.write_bytes(damaged)
            code, _ = ask(options.program, "check", copy)
            after = seen(options.program, copy)
            counts[f"check exit {code}, {'same' if after == before else 'changed'}"] += 1
            if code == 0 and after != before:
                print("not noticed", file.name, at, flush=True)
            file.write_bytes(data)
    for line, count in sorted(counts.items()):
        print(count, line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
