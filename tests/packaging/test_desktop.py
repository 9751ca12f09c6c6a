#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The desktop's files agree with each other: MIME types, options, icons. test_desktop.py FOLDER, where CMake wrote them."""

from __future__ import annotations

import configparser
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else ROOT / "build/release/packaging/desktop"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def mime_types() -> dict[str, ElementTree.Element]:
    tree = ElementTree.parse(ROOT / "packaging/desktop/cairn.mime.xml")
    return {each.get("type"): each for each in tree.getroot().iter(MIME + "mime-type")}


def magic(path: Path, buffer: bytes) -> list[str]:
    """Types whose magic the bytes have, from the compiled database."""
    found = []
    text = path.read_bytes()
    for section in re.finditer(rb"\[\d+:([^\]]+)\]\n((?:\d*>.*?\n(?=\d*>|\[|\Z))+)", text, re.DOTALL):
        for line in re.finditer(rb"^>(\d+)=(..)", section.group(2), re.DOTALL | re.MULTILINE):
            length = struct.unpack(">H", line.group(2))[0]
            value = section.group(2)[line.end():line.end() + length]
            start = int(line.group(1))
            if buffer[start:start + length] == value:
                found.append(section.group(1).decode())
    return found


class Desktop(unittest.TestCase):
    def setUp(self) -> None:
        entries = list(FOLDER.glob("*.desktop"))
        self.assertEqual(len(entries), 1)
        self.id = entries[0].stem
        self.entry = configparser.ConfigParser(interpolation=None, strict=True)
        self.entry.optionxform = str
        self.entry.read(entries[0], encoding="utf-8")

    def test_types_are_the_same_everywhere(self) -> None:
        opened = set(self.entry["Desktop Entry"]["MimeType"].strip(";").split(";")) - {"inode/directory"}
        metainfo = ElementTree.parse(FOLDER / f"{self.id}.metainfo.xml")
        provided = {each.text for each in metainfo.getroot().iter("mediatype")}
        self.assertEqual(opened, set(mime_types()))
        self.assertEqual(provided, set(mime_types()))
        self.assertEqual(metainfo.findtext("id"), self.id)

    def test_options_are_those_of_the_program(self) -> None:
        source = (ROOT / "app/gui_main.cpp").read_text()
        page = (FOLDER / "cairn.1").read_text().replace("\\-", "-")
        options = set(re.findall(r'QCommandLineOption \w+\{\s*QStringLiteral\("([\w-]+)"\)', source)) - {"service"}
        self.assertGreaterEqual(len(options), 6)
        for option in options:
            self.assertIn("--" + option, page)
        for section in self.entry.sections():
            for word in self.entry[section]["Exec"].split()[1:]:
                self.assertIn(word.removeprefix("--"), {*options, "%F"})
        actions = self.entry["Desktop Entry"]["Actions"].strip(";").split(";")
        self.assertEqual([f"Desktop Action {action}" for action in actions], self.entry.sections()[1:])

    def test_the_session_bus_starts_it_under_the_same_name(self) -> None:
        service = configparser.ConfigParser(interpolation=None, strict=True)
        service.read(FOLDER / f"{self.id}.service", encoding="utf-8")
        self.assertEqual(service["D-BUS Service"]["Name"], self.id)
        self.assertTrue(service["D-BUS Service"]["Exec"].endswith("/bin/cairn --service"))
        self.assertEqual(self.entry["Desktop Entry"]["DBusActivatable"], "true")

    def test_magic_finds_the_projects_own_files(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            packages = Path(name) / "packages"
            packages.mkdir()
            (packages / "cairn.xml").write_bytes((ROOT / "packaging/desktop/cairn.mime.xml").read_bytes())
            subprocess.run(["update-mime-database", name], check=True, capture_output=True)
            for kind, element in mime_types().items():
                ending = element.find(MIME + "glob").get("pattern").removeprefix("*")
                files = sorted([*(ROOT / "tests/data").rglob("*" + ending), *(ROOT / "resources/sample").rglob("*" + ending)])
                self.assertTrue(files, kind)
                self.assertIn(kind, magic(Path(name) / "magic", files[0].read_bytes()[:64]), files[0])
            self.assertEqual(magic(Path(name) / "magic", b"PK\x05\x06" + bytes(60)), [])

    def test_icons_have_their_size(self) -> None:
        icons = sorted((ROOT / "resources/icons").glob("cairn-*.png"))
        self.assertEqual(len(icons), 9)
        for icon in icons:
            width, height = struct.unpack(">II", icon.read_bytes()[16:24])
            self.assertEqual((f"cairn-{width}.png", height), (icon.name, width))


if __name__ == "__main__":
    unittest.main()
