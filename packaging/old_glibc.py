#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes libraries to link against as if the system had an older glibc: what is linked against them runs with that version.

    old_glibc.py FOLDER 2.17

glibc keeps the symbols of every version since 2.2.5. The libraries in FOLDER have the names of the system's ones and their
symbols up to that version, the newest form of each, and no code. A symbol that is newer is then undefined; old_glibc.c has
those that are needed. Functions that have moved into libc.so.6 (pthread_create, dlsym) stay there, which the loader does not
mind: it looks for a symbol and its version in all libraries. Where they were must be linked too, for old systems.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LIBRARIES = ["ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"]
KINDS = {"FUNC": (".text", "function"), "IFUNC": (".text", "function"), "OBJECT": (".bss", "object")}
Version = tuple[int, ...]


def version(text: str) -> Version | None:
    found = re.fullmatch(r"GLIBC_(\d+(?:\.\d+)+)", text)  # not GLIBC_PRIVATE
    return tuple(map(int, found[1].split("."))) if found else None


def path_of(library: str) -> str:
    return subprocess.run(["cc", f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout.strip()


def symbols(library: str, newest: Version) -> dict[str, tuple[Version, str, int]]:
    """The version, kind and size of each symbol, of those that are not newer than `newest` the newest."""
    listed = subprocess.run(["readelf", "--wide", "--dyn-syms", path_of(library)], capture_output=True, text=True, check=True).stdout
    best: dict[str, tuple[Version, str, int]] = {}
    for line in listed.splitlines():
        fields = line.split()  # number, value, size, type, binding, visibility, section, name@version
        if len(fields) < 8 or fields[3] not in KINDS or fields[6] == "UND":
            continue
        name, _, stated = fields[7].replace("@@", "@").partition("@")
        known = version(stated)
        if known and known <= newest and (name not in best or known > best[name][0]):
            best[name] = (known, fields[3], int(fields[2], 0))
    return best


def make(folder: Path, library: str, newest: Version) -> None:
    code: list[str] = []
    nodes: dict[Version, list[str]] = {}
    for name, (since, kind, size) in sorted(symbols(library, newest).items()):
        section, type_ = KINDS[kind]
        code += [section, f".globl {name}", f".type {name}, %{type_}", f".size {name}, {size}", f"{name}: .zero {max(size, 1)}"]
        nodes.setdefault(since, []).append(name)
    script = ""
    before = ""
    for since in sorted(nodes):
        node = "GLIBC_" + ".".join(map(str, since))
        script += f"{node} {{ global: {' '.join(name + ';' for name in nodes[since])} }} {before};\n"
        before = node
    source, exports = folder / f"{library}.s", folder / f"{library}.map"
    source.write_text("\n".join(code) + "\n")
    exports.write_text(script)
    subprocess.run(["cc", "-shared", "-nostdlib", f"-Wl,-soname,{library},--version-script={exports},--build-id=none",
                    "-o", folder / library, source], check=True)


def main() -> int:
    folder, newest = Path(sys.argv[1]), tuple(map(int, sys.argv[2].split(".")))
    folder.mkdir(parents=True, exist_ok=True)
    for library in LIBRARIES:
        make(folder, library, newest)
    # the names that the compiler asks for; the rest of libc.so is the same in every version
    (folder / "libc.so").write_text(f"INPUT ( {folder.resolve()}/libc.so.6 {path_of('libc_nonshared.a')} "
                                    f"AS_NEEDED ( {folder.resolve()}/ld-linux-x86-64.so.2 ) )\n")
    for name in ("libm.so", "libpthread.so", "libdl.so"):
        target = next(each for each in LIBRARIES if each.startswith(name + "."))
        (folder / name).write_text(f"INPUT ( {folder.resolve()}/{target} )\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
