#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/try.sh and install.sh with stubs for apt, the compiler and the window that record how they were
called; cairn-cli is the real one. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_try.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, ROOT, CliTest


class Try(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.tools = self.folder / "tools"
        self.bin = self.folder / "build/release/bin"
        for folder in (self.tools, self.bin):
            folder.mkdir(parents=True)
        shutil.copytree(ROOT / "packaging", self.folder / "packaging")
        self.calls = self.folder / "calls"
        self.stand_in(self.tools / "dpkg-query", "[ \"$4\" = \"$MISSING\" ] || echo install ok installed")
        for name in ("apt-get", "cmake"):
            self.stand_in(self.tools / name)
        self.stand_in(self.tools / "sudo", '"$@"')
        self.stand_in(self.bin / "cairn")
        (self.bin / "cairn-cli").symlink_to(CLI)

    def stand_in(self, path: Path, then: str = ":") -> None:
        path.write_text(f'#!/bin/sh\necho "{path.name} $*" >> {self.calls}\n{then}\n')
        path.chmod(0o755)

    def try_sh(self, *arguments: str, **environment: str) -> tuple[str, list[str]]:
        """The output of try.sh, and the recorded calls."""
        kept = {key: value for key, value in self.environment.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run(["bash", self.folder / "packaging/try.sh", *arguments], capture_output=True, text=True, timeout=120,
                              cwd="/", env=kept | {"PATH": f"{self.tools}:{os.environ['PATH']}"} | environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, [line for line in self.calls.read_text().splitlines() if not line.startswith(("dpkg-query", "sudo"))]

    def test_the_tour_without_a_display(self) -> None:
        text, calls = self.try_sh()
        self.assertEqual(calls, ["cmake --preset release -DCAIRN_TESTS=OFF", "cmake --build build/release --target cairn cairn-cli",
                                 "cairn --screenshots out/pictures"])
        shown = re.findall(r"^\$ cairn-cli (\w+)", text, re.MULTILINE)
        self.assertGreaterEqual(len(shown), 10, text)
        codes = re.findall(r"\(exit code (\d+)\)", text)
        self.assertEqual(codes, ["1"], "diff finds what differs; every other step of the tour ends well")
        self.assertTrue((self.folder / "out/deployed.safetensors").exists())
        again, _ = self.try_sh()
        self.assertEqual(re.findall(r"\(exit code (\d+)\)", again), codes, "and so a second time")

    def test_a_build_that_is_there_is_not_configured_again(self) -> None:
        (self.folder / "build/release/build.ninja").touch()
        _, calls = self.try_sh("runs/mine")
        self.assertEqual(calls, ["cmake --build build/release --target cairn cairn-cli", "cairn --screenshots out/pictures runs/mine"])

    def test_with_a_display_the_window_opens(self) -> None:
        (self.folder / "build/release/build.ninja").touch()
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            for arguments, wanted in (((), "cairn --sample"), (("a b", "c"), "cairn a b c")):
                self.calls.unlink(missing_ok=True)
                text, calls = self.try_sh(*arguments, **{display: ":9"})
                self.assertEqual(calls[-1], wanted)
                self.assertNotIn("cairn-cli", text)

    def test_the_picture_of_the_readme(self) -> None:
        self.stand_in(self.bin / "cairn", 'ls -d experiment/tiny-llama-a && echo "TZ=$TZ LC_ALL=$LC_ALL" > "$2/summary-light.png"')
        kept = self.folder / "resources/pictures/cairn.png"
        kept.parent.mkdir(parents=True)
        _, calls = self.try_sh("--picture", DISPLAY=":9", LANGUAGE="de")
        self.assertEqual(calls[-1], "cairn --screenshots . --page summary experiment")
        self.assertEqual(kept.read_text(), "TZ=UTC LC_ALL=C.UTF-8\n")

    def test_only_what_is_missing_is_installed(self) -> None:
        (self.folder / "build/release/build.ninja").touch()
        _, calls = self.try_sh(MISSING="libhwy-dev")
        self.assertEqual(calls[:2], ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends libhwy-dev"])

    def test_the_scripts_are_read_by_bash(self) -> None:
        for script in (ROOT / "packaging").glob("*.sh"):
            subprocess.run(["bash", "-n", script], check=True)



if __name__ == "__main__":
    unittest.main()
