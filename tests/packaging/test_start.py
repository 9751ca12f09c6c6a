#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/window_wheel/start.sh: starts the window's program, or says in one sentence what the system lacks. The program is
a small one, built here against a library that is then removed or replaced."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Start(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-start-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for name in ("tree/bin", "tree/lib/cairn", "elsewhere"):
            (self.folder / name).mkdir(parents=True)
        self.start = Path(shutil.copy(ROOT / "packaging/window_wheel/start.sh", self.folder / "tree/bin/cairn"))

    def cc(self, source: str, *options: object) -> None:
        subprocess.run(["cc", "-x", "c", "-", *map(str, options)], input=source, text=True, check=True)

    def library(self, older: str, version: str) -> Path:
        """A system's library, with functions of two versions."""
        path, script = self.folder / "libsystem.so", self.folder / "versions"
        script.write_text(f"{older} {{ global: ready; local: *; }}; {version} {{ global: answer; }};")
        self.cc("int answer(void) { return 42; } int ready(void) { return 1; }", "-shared", "-fPIC", "-o", path, f"-Wl,--version-script={script}", "-Wl,-soname,libsystem.so")
        return path

    def program(self) -> None:
        self.cc('#include <stdio.h>\nint answer(void); int ready(void); '
                'int main(int n, char** words) { puts(n > 1 ? words[1] : ""); return ready() ? answer() : 0; }',
                "-x", "none", self.folder / "libsystem.so", f"-Wl,-rpath,{self.folder}", "-o", self.folder / "tree/lib/cairn/cairn")

    def run_it(self, *words: str) -> tuple[int, str, str]:
        done = subprocess.run([self.start, *words], capture_output=True, text=True, cwd=self.folder / "elsewhere")
        return done.returncode, done.stdout, done.stderr

    def test_it_starts_the_program_wherever_it_is(self) -> None:
        self.library("SYSTEM_1.0", "SYSTEM_1.1")
        self.program()
        self.assertEqual(self.run_it("a word"), (42, "a word\n", ""))
        os.symlink(self.start, self.folder / "elsewhere/cairn")
        self.start = self.folder / "elsewhere/cairn"
        self.assertEqual(self.run_it("a word"), (42, "a word\n", ""))

    def test_a_missing_library_is_named(self) -> None:
        library = self.library("SYSTEM_1.0", "SYSTEM_1.1")
        self.program()
        library.unlink()
        code, out, errors = self.run_it()
        self.assertEqual((code, out), (4, ""))
        self.assertEqual(errors.splitlines()[0], "cairn: The window needs libraries that the system does not have: libsystem.so")
        self.assertEqual(len(errors.splitlines()), 2)

    def test_an_older_library_is_named_by_its_version(self) -> None:
        self.library("GLIBC_2.98", "GLIBC_2.99")
        self.program()
        self.library("GLIBC_2.2", "GLIBC_2.3")
        code, out, errors = self.run_it()
        self.assertEqual((code, out), (4, ""))
        self.assertEqual(errors.splitlines()[0], "cairn: The system's libraries are too old for the window, which needs GLIBC_2.99")
        self.assertRegex(errors.splitlines()[1], r"^  found: +glibc 2\.\d+$")


if __name__ == "__main__":
    unittest.main()
