#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a README or CONTRIBUTING names a file or folder of this tree that does not exist, in `back quotes` or as a link.

    check_readmes.py ROOT

A name counts as one of this tree if it begins with a folder of the root, of core/ or of ui/ and is a folder ("core/jobs/") or
a source file. Names with <…>, *, {…} stand for several. Examples in ``` blocks are not read.
"""
from __future__ import annotations

import pathlib
import re
import sys
from typing import Iterator

TOPS = ("", "core", "ui")  # where names begin, beside the folder of the README and those above it
SOURCES = (".h", ".cpp", ".in", ".inc", ".sh", ".cmake", ".md", ".txt")
SKIPPED = ("resources/manual/", "tests/bench/RESULTS.md")
FOLDERS = ("app", "core", "packaging", "resources", "tests", "ui")
# The example of CONTRIBUTING.md: files that its reader makes.
MADE = re.compile(r"\b(formats|data)/matrix\b|_matrix\.py$")
NAME = re.compile(r"`([\w./-]+)`|\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def names_in(text: str) -> Iterator[tuple[int, str, bool]]:
    """Line, name and whether it is a link; without the blocks of examples."""
    plain = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)
    for found in NAME.finditer(plain):
        yield plain.count("\n", 0, found.start()) + 1, found[1] or found[2], found[2] is not None


def is_ours(root: pathlib.Path, name: str) -> bool:
    first = name.split("/")[0]
    below = any(first and (root / top / first).is_dir() for top in TOPS)
    return "/" in name and below and (name.endswith("/") or name.endswith(SOURCES))


def exists(root: pathlib.Path, readme: pathlib.PurePath, name: str) -> bool:
    return any((root / top / name).exists() for top in (*TOPS, *readme.parents))


def violations_in(root: pathlib.Path, path: str, text: str) -> Iterator[str]:
    readme = pathlib.PurePath(path)
    for line, name, link in names_in(text):
        if MADE.search(name):
            continue
        missing = not (root / readme.parent / name).exists() if link else is_ours(root, name) and not exists(root, readme, name)
        if missing:
            yield f"{path}:{line}: {name} does not exist"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    files = sorted([*root.glob("*.md"), *(path for folder in FOLDERS for path in (root / folder).rglob("*.md"))])
    files = [path for path in files if not path.relative_to(root).as_posix().startswith(SKIPPED)]
    wrong = [sentence for path in files
             for sentence in violations_in(root, path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))]
    print("\n".join(wrong) or f"{len(files)} files")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
