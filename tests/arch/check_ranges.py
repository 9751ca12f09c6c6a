# SPDX-License-Identifier: Apache-2.0
"""The core, the command line and their tests compile with clang 14 and libstdc++ 12, with which the sanitizers and the fuzz targets are
built. With these, algorithms of std::ranges that return a subrange do not compile; the classic ones do.

    check_ranges.py SOURCE_ROOT
"""

import pathlib
import re
import sys

RETURNS_SUBRANGE = re.compile(
    r"std::ranges::(equal_range|unique|remove|remove_if|partition|stable_partition|rotate|search|search_n|find_end|shift_left|shift_right)\b"
)


def main():
    root = pathlib.Path(sys.argv[1])
    found = []
    files = 0
    for folder in ("core", "app/cli", "tests/core", "tests/fuzz", "tests/conformance"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".inc"):
                continue
            files += 1
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if match := RETURNS_SUBRANGE.search(line):
                    found.append(f"{path.relative_to(root)}:{number}: {match.group(0)} does not compile with clang 14")
    print("\n".join(found) or f"{files} files without algorithms that return a subrange")
    return 1 if found or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
