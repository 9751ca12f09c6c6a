#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs files into one input of fuzz_folder, or unpacks one: folder_fuzz.cpp describes the form.

    pack_folder.py f FOLDER > seed          the folder is opened; n: its first file; h: its histories; c: its code
    pack_folder.py n FOLDER FILE... > seed  only these files, in this order
    pack_folder.py x seed FOLDER            writes the files of a seed below FOLDER, to examine a crash
"""
import pathlib
import sys

BETWEEN = b"\n\x01%\x01"


def pack(kind, folder, names):
    root = pathlib.Path(folder)
    if not names:
        names = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    files = []
    for name in names:
        content = (root / name).read_bytes()
        if BETWEEN in content:
            sys.exit(f"{name}: holds what parts the files")
        files.append(name.encode() + b"\n" + content)
    sys.stdout.buffer.write(kind.encode() + BETWEEN.join(files))


def unpack(seed, folder):
    for part in pathlib.Path(seed).read_bytes()[1:].split(BETWEEN):
        name, _, content = part.partition(b"\n")
        path = pathlib.Path(folder) / name.decode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if len(sys.argv) < 3:
    sys.exit(__doc__)
if sys.argv[1] == "x":
    unpack(sys.argv[2], sys.argv[3])
else:
    pack(sys.argv[1], sys.argv[2], sys.argv[3:])
