#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an include violates the arrows between rooms (folders), when Qt appears in the core or the command line, when torch
headers appear outside core/compute/torch, or when Qt Charts is used outside ui/charts. The arrows are the tables
"room | contains | may include" in the READMEs of core/, of ui/ and of their rooms that have rooms within; they are stated nowhere else.

    check_includes.py ROOT
"""
import pathlib
import re
import sys

# The folders whose READMEs have a table of the rooms in them.
HOUSES = ("core", "core/jobs", "core/runs", "core/families", "core/formats/common", "ui", "ui/shell")
UI_MAY_NOT = {"core/io", "core/codec", "core/signing", "core/formats/common", "core/formats/<name>"}
SOURCES = {".h", ".cpp", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
QT = re.compile(r"^Q[A-Z]|^Qt[A-Z]|^Qt/|^qt")
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
ROW = re.compile(r"^\| `([^`]+)` \|.*\| ?([^|]*?) ?\|$", re.MULTILINE)


def table_of(readme, house):
    """{room: rooms that it may include}, as paths from the root, of the table in a README."""
    rows = ROW.findall(readme.split("| room | contains | may include |", 1)[1].split("\n\n", 1)[0])
    path = {name: house if name == "." else f"{house}/{name}" for name, _ in rows}
    arrows = {}
    for name, may in rows:
        names = list(arrows) if may == "everything above" else [path.get(each, f"{house}/{each}") for each in re.split(r",\s*", may) if each]
        unknown = set(names) - set(path.values())
        if unknown:
            raise ValueError(f"{house}/README.md: {name} may include {sorted(unknown)}, which the table does not have")
        arrows[path[name]] = set(names)
    return arrows


class Rules:
    def __init__(self, root):
        self.arrows = {house: table_of((root / house / "README.md").read_text(encoding="utf-8"), house) for house in HOUSES}

    @staticmethod
    def room_of(path, house):
        """The room of that house in which a file is; None outside the house."""
        if not path.startswith(house + "/"):
            return None
        parts = path[len(house) + 1:].split("/")
        if house == "core" and parts[0] == "formats":
            inside = len(parts) > 2
            return "core/formats" if not inside else "core/formats/common" if parts[1] == "common" else "core/formats/<name>"
        if house == "ui" and parts[0] == "pages" and len(parts) > 2:
            return f"ui/pages/{parts[1]}"
        return f"{house}/{parts[0]}" if len(parts) > 1 else house

    def violations_in(self, path, text):
        """One sentence for each include in the file that breaks a rule, and one if it is in a room that no table has."""
        for house, arrows in self.arrows.items():
            room = self.room_of(path, house)
            if room is not None and room not in arrows and path.endswith((".h", ".cpp")):
                yield f"{path}: the table of {house}/README.md has no row for this folder"
        for kind, name in INCLUDE.findall(text):
            here = f"{path}: #include {name}"
            if name.startswith("../") or "/../" in name:
                yield f"{here}: includes go from the root, never upwards"
            if QT.match(name) and (path.startswith("core/") or path.startswith("app/cli")):
                yield f"{here}: no Qt in the core and the command line"
            if TORCH.match(name) and not path.startswith("core/compute/torch/"):
                yield f"{here}: libtorch only in core/compute/torch"
            if ("QtCharts" in name or re.match(r"Q(Chart|LineSeries|ValueAxis|LogValueAxis)", name)) and not path.startswith("ui/charts/"):
                yield f"{here}: Qt Charts only in ui/charts"
            if kind == '"':
                yield from self.broken_arrows(here, path, name)

    def broken_arrows(self, here, path, name):
        if path.startswith("ui/"):
            target = self.room_of(name, "core")
            if target in UI_MAY_NOT or name.startswith("app/"):
                yield f"{here}: ui may not include {target or 'app'}"
        if path.startswith("core/") and name.startswith(("ui/", "app/")):
            yield f"{here}: the core includes nothing of the window and the programs"
        for house, arrows in self.arrows.items():
            room, target = self.room_of(path, house), self.room_of(name, house)
            if room is None or target is None:
                continue
            foreign = room == target == "core/formats/<name>" and path.split("/")[2] != name.split("/")[2]
            if foreign or (room != target and target not in arrows.get(room, set())):
                yield f"{here}: {room} may not include {target}"


def files(root):
    for top in ("core", "ui", "app"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def cycle_in(arrows):
    """A room that may include itself by way of others, or None."""
    reached = {room: set(may) for room, may in arrows.items()}
    for middle in reached:
        for room in reached:
            if middle in reached[room]:
                reached[room] |= reached[middle]
    return next((room for room, all_of in reached.items() if room in all_of), None)


def main():
    root = pathlib.Path(sys.argv[1])
    rules = Rules(root)
    checked = 0
    broken = [f"{house}/README.md: the arrows of {cycle_in(arrows)} go in a circle" for house, arrows in rules.arrows.items() if cycle_in(arrows)]
    for path, text in files(root):
        checked += 1
        broken += rules.violations_in(path, text)
        if path.endswith((".h", ".cpp")) and not text.startswith("// SPDX-License-Identifier:"):
            broken.append(f"{path}: the first line is not the SPDX line")
        if path.endswith(".h") and "#pragma once" not in text:
            broken.append(f"{path}: no #pragma once")
    for house, arrows in rules.arrows.items():
        broken += [f"{house}/README.md: there is no folder {room}" for room in arrows if "<" not in room and not (root / room).is_dir()]
    print("\n".join(broken) if broken else f"{checked} files, every include follows the arrows of {sum(map(len, rules.arrows.values()))} rooms")
    return 1 if broken or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
