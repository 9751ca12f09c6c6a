#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/wheel.py: a wheel that pip installs, with the same bytes each time. Only the standard library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Wheel(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-wheel-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for name in ("site/tool", "scripts", "licences/more", "out", "again"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "site/tool/__init__.py").write_text("answer = 42\n")
        (self.folder / "scripts/tool").write_text("#!/bin/sh\necho from the wheel\n")
        (self.folder / "scripts/tool").chmod(0o755)
        (self.folder / "licences/more/MIT.txt").write_text("text\n")
        (self.folder / "tool.cdx.json").write_text("{}\n")

    def make(self, out: str, epoch: str = "1767225600") -> Path:
        done = subprocess.run([sys.executable, ROOT / "packaging/wheel.py", "site", "--name", "the-tool", "--version", "1.2.3", "--tag",
                               "py3-none-any", "--summary", "A tool", "--licence", "MIT", "--scripts", "scripts", "--licences", "licences",
                               "--sbom", "tool.cdx.json", "--requires", "numpy", "--out", out], cwd=self.folder, text=True,
                              capture_output=True, env=os.environ | {"SOURCE_DATE_EPOCH": epoch})
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / done.stdout.strip()

    def test_the_same_bytes_each_time(self) -> None:
        first = self.make("out").read_bytes()
        for path in self.folder.rglob("*.py"):
            os.utime(path, (0, 0))
        self.assertEqual(first, self.make("again").read_bytes())
        self.assertNotEqual(first, self.make("again", "1767225700").read_bytes())

    def test_what_is_inside(self) -> None:
        path = self.make("out")
        self.assertEqual(path.name, "the_tool-1.2.3-py3-none-any.whl")
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            info = "the_tool-1.2.3.dist-info/"
            self.assertEqual(set(names), {"tool/__init__.py", "the_tool-1.2.3.data/scripts/tool", info + "licenses/more/MIT.txt",
                                          info + "sboms/tool.cdx.json", info + "METADATA", info + "WHEEL", info + "RECORD"})
            self.assertEqual(names[-1], info + "RECORD")
            self.assertEqual(archive.getinfo("the_tool-1.2.3.data/scripts/tool").external_attr >> 16, 0o100755)
            self.assertIn("License-File: more/MIT.txt\n", archive.read(info + "METADATA").decode())
            self.assertIn("Requires-Dist: numpy\n", archive.read(info + "METADATA").decode())

    def test_links_are_refused(self) -> None:
        (self.folder / "site/link").symlink_to("tool")
        with self.assertRaises(AssertionError):
            self.make("out")

    def test_the_bill_of_materials_has_what_is_linked(self) -> None:
        """Each package of the table is installed where the tests are built, or pinned."""
        done = subprocess.run([sys.executable, ROOT / "packaging/bundled.py", "sbom", "static", "1.2.3"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual((document["bomFormat"], document["metadata"]["component"]["version"]), ("CycloneDX", "1.2.3"))
        names = {component["name"] for component in document["components"]}
        self.assertLessEqual({"libc6-dev", "highway", "libhdf5-dev"}, names)
        self.assertTrue(all(component["version"] for component in document["components"]))


if __name__ == "__main__":
    unittest.main()
