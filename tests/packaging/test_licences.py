#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/bundled.py: the licences that it writes beside an artefact are complete, and its check finds a missing one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "packaging/bundled.py"
sys.path.insert(0, str(BUNDLED.parent))
import bundled  # noqa: E402


class Licences(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-licences-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.tree = self.folder / "cairn-1.2.3-linux-x86_64"
        doc = self.tree / "share/doc/cairn"
        shutil.copytree(ROOT / "LICENSES", doc / "LICENSES")
        shutil.copy(ROOT / "LICENSE", doc)
        subprocess.run([sys.executable, BUNDLED, "licences", "window", doc / "LICENSES/libraries"], check=True)

    def pack(self) -> Path:
        path = self.folder / "cairn-1.2.3-linux-x86_64.tar.gz"
        with tarfile.open(path, "w:gz", compresslevel=1) as archive:
            archive.add(self.tree, self.tree.name)
        return path

    def test_what_it_writes_is_complete(self) -> None:
        def check() -> tuple[int, str]:
            done = subprocess.run([sys.executable, BUNDLED, "check", self.pack()], capture_output=True, text=True)
            return done.returncode, done.stdout

        name = "cairn-1.2.3-linux-x86_64.tar.gz"
        self.assertEqual(check(), (0, f"{name}: every licence is in it\n"))
        (self.tree / "share/doc/cairn/LICENSES/0BSD.txt").unlink()
        self.assertEqual(check(), (1, f"{name}: lacks LICENSES/0BSD.txt\n"))

    def test_each_text_that_is_missing_is_found(self) -> None:
        removable = sorted(path for path in self.tree.rglob("*.txt"))
        self.assertGreater(len(removable), 10)
        for path in [*removable, self.tree / "share/doc/cairn/LICENSE"]:
            text = path.read_bytes()
            path.unlink()
            self.assertEqual([Path(name).name for name in bundled.missing(self.pack())], [path.name])
            path.write_bytes(text)

    def test_a_text_that_was_changed_is_found(self) -> None:
        path = self.tree / "share/doc/cairn/LICENSES/MIT.txt"
        path.write_text("anything\n")
        self.assertEqual(bundled.missing(self.pack()), ["LICENSES/MIT.txt"])

    def test_every_text_is_named(self) -> None:
        """By LICENSE, from which the artefacts' check takes them, and by Debian's form of it."""
        named = (ROOT / "LICENSE").read_text()
        debian = (ROOT / "packaging/debian/copyright").read_text()
        for path in sorted((ROOT / "LICENSES").iterdir()):
            self.assertIn(f"LICENSES/{path.name}", named)
            self.assertIn(f"License: {path.stem}\n", debian)


if __name__ == "__main__":
    unittest.main()
