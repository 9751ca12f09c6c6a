#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an include violates the permitted dependencies between rooms (folders), when Qt appears in the core or the command line, when torch
headers appear outside core/compute/torch, or when Qt Charts is used outside ui/charts.

    check_includes.py ROOT
"""
import pathlib
import re
import sys

# room -> rooms that it may include, besides itself. "formats" is the registry (core/formats/*.h);
# "formats/common" is shared by several formats; one format never includes another.
CORE = {
    "core/base": set(),
    "core/io": {"core/base"},
    "core/codec": {"core/io", "core/base"},
    "core/model": {"core/io", "core/base"},
    "core/signing": {"core/codec", "core/io", "core/base"},
    "core/formats/common": {"core/model", "core/codec", "core/io", "core/base", "core/formats"},
    "core/formats/*": {"core/formats", "core/formats/common", "core/model", "core/codec", "core/io", "core/base"},
    "core/formats": {"core/model", "core/codec", "core/io", "core/base", "core/formats/common"},
    "core/compute": {"core/model", "core/base"},
    "core/families": {"core/model", "core/codec", "core/io", "core/base"},
    "core/plan": {"core/families", "core/model", "core/formats", "core/base"},
    "core/analysis": {"core/families", "core/compute", "core/model", "core/formats", "core/io", "core/base"},
    "core/runs": {"core/formats", "core/codec", "core/model", "core/io", "core/base"},
    "core/jobs": {"core/analysis", "core/runs", "core/plan", "core/families", "core/compute", "core/signing", "core/formats", "core/model", "core/codec",
                  "core/io", "core/base"},
}
UI_MAY = {"core/model", "core/formats", "core/families", "core/plan", "core/analysis", "core/runs", "core/jobs", "core/compute", "core/base", "ui"}
SOURCES = {".h", ".cpp", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
QT = re.compile(r"^Q[A-Z]|^Qt[A-Z]|^Qt/|^qt")
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")


def room_of(path):
    """The room of a path relative to the root, such as core/io/folder.h; None outside the rooms."""
    parts = path.split("/")
    if parts[0] == "ui":
        return "ui"
    if parts[0] == "app":
        return "app"
    if parts[0] != "core" or len(parts) < 3:
        return None
    if parts[1] == "formats" and len(parts) > 3:
        return "core/formats/common" if parts[2] == "common" else "/".join(parts[:3])
    return "core/" + parts[1]


def allowed(room):
    if room in CORE:
        return CORE[room]
    if room.startswith("core/formats/"):
        return CORE["core/formats/*"]
    return UI_MAY if room == "ui" else None  # app: everything


def violations_in(path, text):
    """One sentence for each include in the file that breaks a rule."""
    room = room_of(path)
    if room is None:
        return
    for kind, name in INCLUDE.findall(text):
        here = f"{path}: #include {name}"
        if name.startswith("../") or "/../" in name:
            yield f"{here}: includes go from the root, never upwards"
        if QT.match(name) and (room.startswith("core/") or path.startswith("app/cli")):
            yield f"{here}: no Qt in the core and the command line"
        if TORCH.match(name) and not path.startswith("core/compute/torch/"):
            yield f"{here}: libtorch only in core/compute/torch"
        if ("QtCharts" in name or re.match(r"Q(Chart|LineSeries|ValueAxis|LogValueAxis)", name)) and not path.startswith("ui/charts/"):
            yield f"{here}: Qt Charts only in ui/charts"
        target = room_of(name) if kind == '"' else None
        if target is None or target == room:
            continue
        rooms = allowed(room)
        if rooms is not None and target not in rooms:
            yield f"{here}: {room} may not include {target}"


def files(root):
    for top in ("core", "ui", "app"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def main():
    root = pathlib.Path(sys.argv[1])
    checked = 0
    broken = []
    for path, text in files(root):
        checked += 1
        broken += violations_in(path, text)
        if path.endswith((".h", ".cpp")) and not text.startswith("// SPDX-License-Identifier:"):
            broken.append(f"{path}: the first line is not the SPDX line")
        if path.endswith(".h") and "#pragma once" not in text:
            broken.append(f"{path}: no #pragma once")
    print("\n".join(broken) if broken else f"{checked} files, every include follows the arrows")
    return 1 if broken or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
