#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options and exit codes of the program `cairn`, and the files that it writes. Only the standard library.

    CAIRN=build/dev/bin/cairn CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/ui/window/test_program.py
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
from driver import SAMPLE, CliTest, run

CAIRN = os.path.abspath(os.environ["CAIRN"])


def size_of(picture: Path) -> tuple[int, int, int]:
    """Width, height and number of distinct bytes of a PNG's decompressed data: a blank picture has few."""
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", picture
    at, pixels = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        pixels += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return *struct.unpack_from(">II", data, 16), len(set(zlib.decompress(pixels)))


class Program(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.environment |= {"QT_QPA_PLATFORM": "offscreen"}

    def start(self, *arguments: object):
        return run(*arguments, program=CAIRN, env=self.environment, cwd=self.folder, timeout=170)

    def kept(self) -> set[str]:
        """The content of the user's folders, except caches."""
        return {str(path.relative_to(self.home)) for path in self.home.rglob("*")
                if path.is_file() and not path.is_relative_to(self.home / "cache")}

    def test_version_and_help(self) -> None:
        version = run("--version", "--json").json["version"]
        self.assertEqual(self.start("--version").text, f"cairn {version}\n")
        text = self.start("--help").text
        self.assertTrue(text.startswith("Usage: cairn [") and "--screenshots" in text and "--sample" in text, text)

    def test_unknown_options_are_refused(self) -> None:
        answer = self.start("--nonsense")
        self.assertEqual((answer.code, answer.text), (2, ""), answer.said())
        self.assertTrue(answer.errors.startswith("cairn: "), answer.errors)

    def test_what_to_show_is_checked(self) -> None:
        for arguments, sentence in ((["--diff", "a"], "--diff requires two checkpoints"),
                                    (["--diff", "--compare", "a", "b"], "--diff requires two checkpoints"),
                                    (["--compare", "a"], "--compare requires two or more runs"),
                                    (["--page", "nothing"], 'Unknown page "nothing"; the pages are summary, tensors')):
            answer = self.start(*arguments)
            self.assertEqual((answer.code, answer.text), (2, ""), answer.said())
            self.assertTrue(answer.errors.startswith(f"cairn: {sentence}"), answer.errors)

    def test_a_service_without_a_bus_ends(self) -> None:
        self.environment |= {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        answer = self.start("--service")
        self.assertEqual((answer.code, answer.text), (0, ""), answer.said())

    def test_without_a_display(self) -> None:
        for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)
        for more, sentence in (({}, "No display: neither DISPLAY nor WAYLAND_DISPLAY is set"),
                               ({"DISPLAY": ":7999"}, "Cannot open the display :7999"),
                               ({"WAYLAND_DISPLAY": "none-7", "XDG_RUNTIME_DIR": str(self.folder)}, "Cannot open the display none-7"),
                               ({"QT_QPA_PLATFORM": "nonsense"}, "Qt cannot use the platform nonsense of QT_QPA_PLATFORM")):
            answer = run(program=CAIRN, env=self.environment | more, cwd=self.folder, timeout=60)
            self.assertEqual((answer.code, answer.text), (4, ""), answer.said())
            self.assertTrue(answer.errors.startswith(f"cairn: {sentence}"), answer.errors)
            self.assertIn("\n  hint:     ", answer.errors)

    def test_screenshots(self) -> None:
        answer = self.start("--screenshots", self.folder / "pictures")
        self.assertEqual(answer.code, 0, answer.said())
        pictures = sorted((self.folder / "pictures").iterdir())
        self.assertEqual(answer.text, f"{len(pictures)} screenshots written to {self.folder / 'pictures'}\n")
        self.assertGreaterEqual(len(pictures), 10)
        for picture in pictures:
            width, height, colours = size_of(picture)
            self.assertTrue(width >= 300 and height >= 200 and colours > 20, (picture.name, width, height, colours))
        self.assertEqual(self.kept(), set(), "the pictures are of a window without a user")

    def test_screenshots_of_a_folder_of_ones_own(self) -> None:
        before = {path: path.stat().st_mtime_ns for path in SAMPLE.rglob("*")}
        answer = self.start("--screenshots", self.folder / "pictures", SAMPLE / "tiny-llama-b")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertTrue(any((self.folder / "pictures").glob("*.png")))
        self.assertEqual({path: path.stat().st_mtime_ns for path in SAMPLE.rglob("*")}, before)

    def test_screenshots_where_nothing_can_be_written(self) -> None:
        (self.folder / "file").write_text("no folder")
        self.assertEqual(self.start("--screenshots", self.folder / "file/pictures").code, 3)

    def until(self, process: subprocess.Popen, holds) -> None:
        ends = time.monotonic() + 120
        while not holds():
            self.assertIsNone(process.poll(), "the window has closed")
            self.assertLess(time.monotonic(), ends, "nothing came of it")
            time.sleep(0.05)

    def test_the_sample_is_unpacked_once(self) -> None:
        for again in (False, True):
            process = subprocess.Popen([CAIRN, "--sample"], env=self.environment, cwd=self.folder)
            try:
                self.until(process, lambda: list(self.home.rglob("sample-experiment/README.md")))
                readme, = self.home.rglob("sample-experiment/README.md")
                if again:
                    self.assertEqual((readme.parent / "mine.txt").read_text(), "kept")
                else:
                    self.until(process, lambda: any(readme.parent.rglob("tiny-llama-b/*.pt")))
                    (readme.parent / "mine.txt").write_text("kept")
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(60)
        self.assertTrue(readme.is_relative_to(self.home / "data"), readme)
        self.assertEqual(list(self.folder.iterdir()), [], "nothing is written where it is started")

    def test_a_killed_window_comes_back(self) -> None:
        session = self.home / "config/cairn/session.json"
        first = subprocess.Popen([CAIRN, SAMPLE], env=self.environment, cwd=self.folder)
        try:
            self.until(first, lambda: session.exists() and "step-" in json.loads(session.read_text()).get("selected", ""))
            chosen = json.loads(session.read_text())["selected"]
        finally:
            first.kill()
            first.wait(60)
        before = session.read_text()
        self.assertIn("sample", before)
        sample = subprocess.Popen([CAIRN, "--sample"], env=self.environment, cwd=self.folder)
        try:
            self.until(sample, lambda: list(self.home.rglob("sample-experiment/README.md")))
            time.sleep(2)  # longer than the delay of the file
        finally:
            sample.terminate()
            sample.wait(60)
        self.assertEqual(session.read_text(), before, "the session of the sample is not saved")
        session.write_text(before.replace('"maximized": false', '"maximized": true'))
        again = subprocess.Popen([CAIRN], env=self.environment, cwd=self.folder)
        try:
            self.until(again, lambda: session.read_text() != before and
                       json.loads(session.read_text())["selected"] == chosen)
            self.assertEqual(len(json.loads(session.read_text())["folders"]), 1)
        finally:
            again.kill()
            again.wait(60)

    def test_a_second_start_opens_its_paths_in_the_first(self) -> None:
        runtime = self.folder / "runtime"
        runtime.mkdir(0o700)
        self.environment |= {"CAIRN_INSTANCE": "test", "XDG_RUNTIME_DIR": str(runtime)}
        sockets = lambda: list(runtime.glob("cairn/*.socket"))
        for killed_before in (False, True):  # the socket of a killed process is no obstacle
            first = subprocess.Popen([CAIRN, self.folder], env=self.environment, cwd=self.folder)
            try:
                self.until(first, sockets)
                time.sleep(2)  # a busy machine: it answers once its window is there
                self.assertEqual(self.start(SAMPLE / "tiny-llama-b").code, 0)
                self.until(first, lambda: any("tiny-llama-b" in path.read_text(errors="replace")
                                              for path in self.home.rglob("*.conf")))
                other = subprocess.Popen([CAIRN, "--new-window", self.folder], env=self.environment, cwd=self.folder)
                time.sleep(1)
                self.assertIsNone(other.poll(), "it is another window")
                other.terminate()
                other.wait(60)
            finally:
                first.kill()
                first.wait(60)
            self.assertEqual(len(sockets()), 1, killed_before)
            for path in self.home.rglob("*.conf"):
                path.unlink()


if __name__ == "__main__":
    unittest.main()
