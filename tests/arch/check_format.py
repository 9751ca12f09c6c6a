# SPDX-License-Identifier: Apache-2.0
"""Every C++ file is formatted according to .clang-format. Versions of clang-format differ, so that of Debian 12
is used: `git ls-files '*.cpp' '*.h' | xargs clang-format -i` corrects all files.

    check_format.py SOURCE_ROOT CLANG_FORMAT
"""

import pathlib
import subprocess
import sys

VERSION = "version 14."


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    stated = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if VERSION not in stated:
        print(f"{program} is {stated}; the files are formatted with {VERSION}x, Debian's package clang-format")
        return 1
    files = [
        path
        for folder in ("core", "app", "ui", "tests", "packaging")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".cpp", ".h")
    ]
    ran = subprocess.run([program, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    print("\n".join(line for line in ran.stderr.splitlines() if ": error:" in line) or f"{len(files)} formatted files")
    return 1 if ran.returncode or not files else 0


if __name__ == "__main__":
    sys.exit(main())
