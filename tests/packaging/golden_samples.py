#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The conformance cases with an installed program: every golden sample has the names, dtypes, shapes and SHA-256 that its
writer noted. Standard library only; the program may run in another file system, in which FOLDER is a copy of the samples.

    golden_samples.py build/static/bin/cairn-cli
    golden_samples.py --at FOLDER --copy ROOT/FOLDER chroot ROOT /usr/bin/cairn-cli
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from golden import DATA, ROOT, SAMPLE, expected_rows, samples


def ask(program: list[str], verb: str, path: Path) -> dict:
    done = subprocess.run([*program, verb, str(path), "--json"], capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        raise ValueError(f"{verb} ends with {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return json.loads(done.stdout)


def difference(program: list[str], path: Path, expected: dict) -> str:
    """What the program says otherwise than the writer; empty: nothing."""
    try:
        rows = {each["name"]: each for each in ask(program, "ls", path)["tensors"]}
        sums = {each["name"]: each["sha256"] for each in ask(program, "hash", path)["tensors"]}
    except (ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return str(error)
    found = {name: (row["dtype"], tuple(row["shape"]), sums.get(name)) for name, row in rows.items()}
    wrong = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    return f"{wrong[0]}: found {found.get(wrong[0])}, expected {expected.get(wrong[0])}" if wrong else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", type=Path, default=ROOT, help="where the program finds the samples")
    parser.add_argument("--copy", type=Path, help="put a copy of the samples there first")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.copy:
        for folder in (DATA, SAMPLE):
            shutil.copytree(folder, options.copy / folder.relative_to(ROOT), symlinks=True, dirs_exist_ok=True)
    compared, wrong = 0, []
    for label, path in samples():
        expected = expected_rows(path)
        if expected is not None:
            compared += 1
            said = difference(options.program, options.at / path.relative_to(ROOT), expected)
            wrong += [f"{label}: {said}"] if said else []
    print("\n".join([*wrong, f"{compared} golden samples, {len(wrong)} differ"]))
    return 1 if wrong or compared < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
