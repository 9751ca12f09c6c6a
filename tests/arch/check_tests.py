# SPDX-License-Identifier: Apache-2.0
"""Every test runs: each program below tests/ is listed in a CMakeLists.txt, each test is registered by cairn_add_test(), each
skip is in tests/skips.txt with its reason, and what a sanitizer leaves out runs in the release build, too.

    check_tests.py SOURCE
"""

import re
import sys
from pathlib import Path

SKIP = re.compile(r"GTEST_SKIP\(|QSKIP\(|\bskipTest\(|\bskipIf\(|\bskipUnless\(|\bSkipTest\(|SKIP_RETURN_CODE|importorskip|pytest\.(?:skip|mark)")
# What makes a test do less under a sanitizer: the tests themselves, and the filter of packaging/test.sh
REDUCED = re.compile(r"CAIRN_SANITIZED|__SANITIZE_\w+__|GTEST_SKIP\(|^TEST(?:_F|_P)?\([^)]*Kill", re.MULTILINE)
PROGRAM = re.compile(r"cairn_test\((\w+)\s+([^()]*)\)")
DISCOVERED = ("tests/support", "tests/data", "tests/hostile")  # not programs; found by unittest
ELSEWHERE = {"tests/core/compute/torch": "core/compute/torch"}  # built together with the module that they test


def lists_of(folder: Path, root: Path) -> set[str]:
    """The words in the CMakeLists.txt files of a folder and of its parents in tests/."""
    folders = [folder, *folder.parents, root / ELSEWHERE.get(str(folder.relative_to(root)), "tests")]
    files = [each / "CMakeLists.txt" for each in folders if each != root and each.is_relative_to(root)]
    text = "".join(re.sub(r"#.*", "", file.read_text()) for file in files if file.exists())
    return set(re.split(r"[\s()/\"{}<>:]+", text))


def unlisted(root: Path) -> list[str]:
    """Programs that are in no list, neither by their file's name nor by the name without the common part."""
    found = []
    for path in sorted([*(root / "tests").rglob("*.cpp"), *(root / "tests").rglob("test_*.py")]):
        place = path.relative_to(root)
        if any(place.is_relative_to(folder) for folder in DISCOVERED):
            continue
        bare = re.sub(r"^test_|_fuzz$|_test$", "", path.stem)
        if not {path.name, path.stem, bare, "cli_" + bare} & lists_of(path.parent, root):
            found.append(f"{place}: no CMakeLists.txt names it, so it never runs")
    return found


def unwrapped(root: Path) -> list[str]:
    found = []
    for path in sorted([root / "CMakeLists.txt", *(file for room in ("app", "core", "tests", "ui") for pattern in ("CMakeLists.txt", "*.cmake")
                                                   for file in (root / room).rglob(pattern))]):
        if path.name != "add_test.cmake":
            found += [f"{path.relative_to(root)}:{number}: {line.strip()}: tests are registered by cairn_add_test()"
                      for number, line in enumerate(path.read_text().splitlines(), 1) if re.match(r"\s*add_test\(", line)]
    return found


def unnamed_skips(root: Path) -> list[str]:
    rows = [[cell.strip() for cell in line.split("|", 2)] for line in (root / "tests/skips.txt").read_text().splitlines()
            if line and not line.startswith("#")]
    found, used = [], set()
    files = [file for room in ("core", "tests") for pattern in ("*.cpp", "*.h", "*.py", "CMakeLists.txt") for file in (root / room).rglob(pattern)]
    for path in sorted(files):
        place = str(path.relative_to(root))
        if place.startswith(("tests/arch/", "tests/bench/")):
            continue
        lines = path.read_text(errors="replace").splitlines()
        for number, line in enumerate(lines):
            if not SKIP.search(line):
                continue
            reason = line + (lines[number + 1] if number + 1 < len(lines) else "")
            rows_here = [i for i, (_, file, pattern) in enumerate(rows) if file == place and re.search(pattern, reason)]
            used.update(rows_here)
            if not rows_here:
                found.append(f"{place}:{number + 1}: a skip that tests/skips.txt does not name: {line.strip()}")
    return found + [f"tests/skips.txt: nothing uses the row {' | '.join(row)}" for i, row in enumerate(rows) if i not in used]


def reduced_everywhere(root: Path) -> list[str]:
    """GoogleTest programs of which sanitizers leave out something, and which `packaging/test.sh all` runs nowhere else."""
    found = []
    for lists in sorted((root / "tests").rglob("CMakeLists.txt")):
        for name, words in PROGRAM.findall(re.sub(r"#.*", "", lists.read_text())):
            if "NATIVE" not in words.split():
                sources = (lists.parent / word for word in words.split() if word.endswith(".cpp") and "$" not in word)
                found += [f"{source.relative_to(root)}: {match.group()}: under sanitizers less of it is run, so {name} must be NATIVE"
                          for source in sources if source.exists() and (match := REDUCED.search(source.read_text()))]
    return found


def after_main(root: Path) -> list[str]:
    """Tests of a script below the call that runs its tests."""
    found = []
    for path in sorted((root / "tests").rglob("*.py")):
        _, main, below = path.read_text(errors="replace").partition('\nif __name__ == "__main__":\n')
        found += [f"{path.relative_to(root)}: {name} is below the call of main, so it never runs" for name in re.findall(r"def (test_\w+)", below) if main]
    return found


def main() -> int:
    root = Path(sys.argv[1]).resolve()
    found = unlisted(root) + unwrapped(root) + unnamed_skips(root) + reduced_everywhere(root) + after_main(root)
    print("\n".join(found) or "every test runs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
