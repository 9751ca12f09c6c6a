# SPDX-License-Identifier: Apache-2.0
"""The ledger of the heavy suites, ledger.txt: the last run of each that passed. They need frameworks of several hundred MB
in separate environments, so that nobody runs them all at every change.

    ledger.py         prints each suite with the commit, the date and the number of tests of its last run
    ledger.py check   fails if a suite never ran, or not since the last tag or within the last 300 commits"""

from __future__ import annotations

import datetime
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).resolve().with_name("ledger.txt")
MOST_COMMITS = 300
PROGRAM_FOLDERS = ("app", "cmake", "core")


@dataclass(frozen=True)
class Run:
    commit: str
    date: str
    tests: int


def read(file: Path = FILE) -> dict[str, Run | None]:
    """Each heavy suite; None: it never ran."""
    found: dict[str, Run | None] = {}
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            suite, *run = (cell.strip() for cell in line.split("|"))
            found[suite] = None if run == ["never"] else Run(run[0], run[1], int(run[2]))
    return found


def write(runs: dict[str, Run | None], file: Path = FILE) -> None:
    head = [line for line in file.read_text().splitlines() if line.startswith("#")]
    rows = [" | ".join([suite, run.commit, run.date, str(run.tests)] if run else [suite, "never"]) for suite, run in sorted(runs.items())]
    file.write_text("\n".join(head + rows) + "\n")


def git(file: Path, *words: str) -> str | None:
    """What git prints; None if it fails."""
    done = subprocess.run(["git", "-C", file.parent, *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def commits_since(run: Run, file: Path = FILE) -> int | None:
    """None if the commit is not in the history of this clone."""
    if git(file, "merge-base", "--is-ancestor", run.commit, "HEAD") is None:
        return None
    return int(git(file, "rev-list", "--count", f"{run.commit}..HEAD") or 0)


def problem(run: Run | None, file: Path = FILE) -> str:
    """Why a release cannot rely on this run; empty if it can."""
    if run is None:
        return "never ran"
    since = commits_since(run, file)
    if since is None:
        return f"ran at {run.commit}, which is not in the history of this commit"
    if since > MOST_COMMITS:
        return f"ran {since} commits ago; the limit is {MOST_COMMITS}"
    tag = git(file, "describe", "--tags", "--abbrev=0", "HEAD^")  # a release's own tag does not count
    if tag and git(file, "merge-base", "--is-ancestor", tag, run.commit) is None:
        return f"ran before the release {tag}"
    return ""


def row(suite: str, run: Run | None, file: Path = FILE) -> str:
    if run is None:
        return f"{suite:18} never"
    since = commits_since(run, file)
    age = "a commit that this clone does not have" if since is None else f"{since} commits ago"
    return f"{suite:18} {run.tests:4} tests on {run.date}, {age}"


def record(suite: str, tests: int, program: str | None = None, file: Path = FILE) -> str:
    """After a run that passed: writes its row, if the tests and the program are those of a commit; says what was done.
    Changes of the ledger itself do not matter, so that several suites can be run one after another."""
    top = git(file, "rev-parse", "--show-toplevel")
    commit = git(file, "rev-parse", "--short=8", "HEAD")
    if top is None or commit is None:
        return f"{suite}: not recorded, because this is not a git checkout"
    changes = git(file, "-C", top, "status", "--porcelain", "--", ".", f":!{file.relative_to(top)}")
    if changes != "":
        return f"{suite}: not recorded, because the checkout has changes"
    sources = (git(file, "-C", top, "ls-files", "--", *PROGRAM_FOLDERS) or "").splitlines()
    if program and any((Path(top) / source).stat().st_mtime > Path(program).stat().st_mtime for source in sources):
        return f"{suite}: not recorded, because {program} is older than its sources"
    runs = read(file)
    runs[suite] = Run(commit, datetime.date.today().isoformat(), tests)
    write(runs, file)
    return f"{suite}: recorded in {file.relative_to(top)}: {tests} tests at {commit}"


def main(words: list[str]) -> int:
    runs = read()
    if words == ["check"]:
        found = [f"{suite}: {why}" for suite, run in runs.items() if (why := problem(run))]
        print("\n".join(found) or "every heavy suite passed since the last release")
        return 1 if found else 0
    print("\n".join(row(suite, run) for suite, run in runs.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
