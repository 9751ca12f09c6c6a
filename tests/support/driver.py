# SPDX-License-Identifier: Apache-2.0
"""Shared by the Python tests: the built program and its output, folders that are removed after the test.
Standard library only. CAIRN_CLI sets the program; without it, the newest build/*/bin/cairn-cli is used. The program's user
files (caches, state, the wastebasket) are in the folder that run_test.sh made, or in a temporary one if the test is
run by hand."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from golden import ROOT, SAMPLE  # noqa: F401

NOBODY = 65534


def built() -> str:
    """The program under test; a suite without one fails."""
    named = os.environ.get("CAIRN_CLI")
    found = [named] if named else sorted((ROOT / "build").glob("*/bin/cairn-cli"), key=os.path.getmtime, reverse=True)
    if not found or not os.access(found[0], os.X_OK):
        raise FileNotFoundError(f"no program at {found or ROOT / 'build'}: set CAIRN_CLI to the built cairn-cli")
    return os.path.abspath(found[0])


def user_folders(home: Path) -> dict[str, str]:
    """The environment of a user with this home folder; the folders are created."""
    folders = {f"XDG_{word.upper()}_HOME": home / word for word in ("cache", "config", "data", "state")} | {"HOME": home}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    return {name: str(folder) for name, folder in folders.items()}


CLI = built()
if "CAIRN_TEST_HOME" not in os.environ:
    _home = tempfile.TemporaryDirectory(prefix="cairn-home-")
    os.environ |= user_folders(Path(_home.name))


class Answer:
    def __init__(self, done: subprocess.CompletedProcess) -> None:
        self.code, self.raw, self.errors = done.returncode, done.stdout, done.stderr.decode(errors="replace")

    @property
    def text(self) -> str:
        return self.raw.decode(errors="replace")

    @property
    def json(self) -> dict:
        def refuse(token: str) -> None:
            raise ValueError(f"{token} in JSON")

        try:
            return json.loads(self.raw, parse_constant=refuse)
        except ValueError as error:
            raise AssertionError(f"stdout is not JSON ({error}): {self.said()}") from None

    def said(self) -> str:
        return f"exit {self.code}\n{self.text[:800]}\n{self.errors[:800]}"


def run(*arguments: object, program: str = CLI, timeout: float = 300, **more) -> Answer:
    """Runs the program; `more` is passed to subprocess.run()."""
    return Answer(subprocess.run([program, *map(str, arguments)], capture_output=True, timeout=timeout, **more))


def ask(*arguments: object, code: int = 0, **more) -> dict:
    """The JSON output of a verb that exits with `code`."""
    answer = run(*arguments, "--json", **more)
    assert answer.code == code, answer.said()
    return answer.json


def become_nobody() -> None:
    """For preexec_fn: permissions do not apply to root."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@functools.cache
def program_for_nobody() -> str:
    """A copy that every user can run: the checkout may be in root's home."""
    if os.getuid() != 0:
        return CLI
    folder = tempfile.mkdtemp(prefix="cairn-program-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    return shutil.copy(CLI, folder)


def run_as_nobody(*arguments: object, **more) -> Answer:
    return run(*arguments, program=program_for_nobody(), preexec_fn=become_nobody, cwd="/", **more)


class CliTest(unittest.TestCase):
    """A test with its own folder, in which the program runs, and its own user folders."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-test-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name).resolve() / "work"
        self.folder.mkdir()
        self.home = self.folder.with_name("home")
        self.environment = os.environ | user_folders(self.home)

    def call(self, *arguments: object, code: int = 0, cwd: Path | None = None) -> dict:
        """ask(), in the test's folder and for its user."""
        return ask(*arguments, code=code, cwd=cwd or self.folder, env=self.environment)
