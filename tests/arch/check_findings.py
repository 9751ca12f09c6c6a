# SPDX-License-Identifier: Apache-2.0
"""Every error code that a reader can raise has a row in core/model/finding_rules.cpp, and every code in the table of
core/analysis/README.md exists: python check_findings.py ROOT"""

import re
import sys
from pathlib import Path

# Codes about the program's run or the file system, never about a checkpoint's content.
NOT_OF_CONTENT = {
    "Cancelled", "InvalidArgument", "Internal", "OutOfMemory", "OutputExists", "NoSpace", "QuotaExceeded", "ReadOnlyFileSystem",
    "WriteFailed", "SyncFailed", "DtypeNotRepresentable", "NameNotRepresentable", "NotInPlace", "EditInterrupted", "ShardsUneven",
    "BadSlice",
}
RAISED_IN = ("core/formats", "core/codec", "core/io", "core/analysis", "core/model")


def main(root: Path) -> int:
    table = (root / "core/model/finding_rules.cpp").read_text()
    special = re.findall(r"\{ErrorCode::(\w+), Severity::", table)
    rows = special + re.findall(r"(?:damage|unread)\(ErrorCode::(\w+)\)", table)
    names = dict(re.findall(r'X\((\w+), "([\w-]+)"', (root / "core/base/error_codes.h").read_text()))
    wrong = [f"two rows for {code}" for code in sorted(set(rows)) if rows.count(code) > 1]
    raised: dict[str, str] = {}
    for folder in RAISED_IN:
        for file in sorted((root / folder).rglob("*.cpp")):
            for code in re.findall(r"ErrorCode::(\w+)", file.read_text()):
                if file.name != "finding_rules.cpp" and code in names:
                    raised.setdefault(code, str(file.relative_to(root)))
    wrong += [f"{file}: {code} has no row in core/model/finding_rules.cpp"
              for code, file in raised.items() if code not in rows and code not in NOT_OF_CONTENT]
    readme = (root / "core/analysis/README.md").read_text()
    described = {code for line in readme.splitlines() if line.startswith("|") for code in re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)*)`", line)}
    wrong += [f"core/analysis/README.md: no code {code}" for code in sorted(described - set(names.values())) if "-" in code]
    wrong += [f"core/analysis/README.md does not name {names[code]}" for code in special
              if code not in NOT_OF_CONTENT and names[code] not in described]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
