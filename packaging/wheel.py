#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a folder as a wheel (PyPA's binary distribution format 1.0). The same folder gives the same bytes.

    wheel.py FOLDER --name cairn-cli --version 0.1.0 --tag py3-none-manylinux_2_17_x86_64 --summary TEXT --licence SPDX
             [--scripts FOLDER] [--licences FOLDER] [--sbom FILE] [--requires NAME]... [--python '>=3.8'] --out FOLDER

FOLDER is what site-packages gets (may be empty), --scripts what the environment's bin gets. Prints the wheel's path.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import os
import re
import sys
import time
import zipfile
from pathlib import Path


class Wheel:
    """The files of one wheel, by their name in it."""

    def __init__(self, name: str, version: str, tag: str) -> None:
        self.stem = f"{re.sub(r'[-_.]+', '_', name)}-{version}"
        self.tag = tag
        self.files: dict[str, tuple[bytes, bool]] = {}

    def add(self, name: str, data: bytes, executable: bool = False) -> None:
        if name in self.files:
            raise ValueError(f"{name}: twice in the wheel")
        self.files[name] = (data, executable)

    def add_tree(self, folder: Path, prefix: str) -> None:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink():
                raise ValueError(f"{path}: a wheel cannot contain links")
            if path.is_file() and path.suffix != ".pyc":
                self.add(prefix + path.relative_to(folder).as_posix(), path.read_bytes(), os.access(path, os.X_OK))

    def write(self, folder: Path) -> Path:
        """RECORD and the entries of the archive's directory come last, so that the metadata is found quickly."""
        info = self.stem + ".dist-info/"
        names = sorted(self.files, key=lambda name: (name.startswith(info), name))
        record = [f"{name},sha256={digest(self.files[name][0])},{len(self.files[name][0])}" for name in names]
        self.add(info + "RECORD", "\n".join([*record, f"{info}RECORD,,", ""]).encode())
        path = folder / f"{self.stem}-{self.tag}.whl"
        seconds = max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800)  # zip begins in 1980
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in [*names, info + "RECORD"]:
                data, executable = self.files[name]
                entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
                entry.create_system = 3  # Unix: the mode counts
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data, compresslevel=9)
        return path


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def tags(tag: str) -> list[str]:
    """py2.py3-none-any stands for two tags."""
    pythons, abis, platforms = (part.split(".") for part in tag.split("-"))
    return [f"{python}-{abi}-{platform}" for python in pythons for abi in abis for platform in platforms]


def metadata(options: argparse.Namespace, licence_files: list[str]) -> str:
    lines = ["Metadata-Version: 2.4", f"Name: {options.name}", f"Version: {options.version}", f"Summary: {options.summary}",
             f"License-Expression: {options.licence}", *(f"License-File: {name}" for name in licence_files),
             "Classifier: Operating System :: POSIX :: Linux", "Classifier: Topic :: Scientific/Engineering",
             f"Requires-Python: {options.python}", *(f"Requires-Dist: {name}" for name in options.requires)]
    if options.description:
        lines += ["Description-Content-Type: text/markdown", "", Path(options.description).read_text(encoding="utf-8").rstrip()]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    for name in ("name", "version", "tag", "summary", "licence", "out"):
        parser.add_argument("--" + name, required=True)
    for name in ("scripts", "licences", "sbom", "description"):
        parser.add_argument("--" + name)
    parser.add_argument("--requires", action="append", default=[])
    parser.add_argument("--python", default=">=3.8")
    options = parser.parse_args()

    wheel = Wheel(options.name, options.version, options.tag)
    info = wheel.stem + ".dist-info/"
    wheel.add_tree(Path(options.folder), "")
    if options.scripts:
        wheel.add_tree(Path(options.scripts), wheel.stem + ".data/scripts/")
    licence_files = []
    if options.licences:
        wheel.add_tree(Path(options.licences), info + "licenses/")
        licence_files = sorted(name.removeprefix(info + "licenses/") for name in wheel.files if name.startswith(info))
    if options.sbom:
        wheel.add(info + "sboms/" + Path(options.sbom).name, Path(options.sbom).read_bytes())
    wheel.add(info + "METADATA", metadata(options, licence_files).encode())
    # Root-Is-Purelib: false, as the content is for one platform
    wheel.add(info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: cairn packaging/wheel.py\nRoot-Is-Purelib: false\n" +
                               "".join(f"Tag: {tag}\n" for tag in tags(options.tag))).encode())
    print(wheel.write(Path(options.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
