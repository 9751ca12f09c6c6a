# SPDX-License-Identifier: Apache-2.0
"""A Sentence that becomes a part of another one stays a Sentence: its English inside of sentence(), verbatim() or fixedText() could not
be translated any more: python check_sentences.py ROOT"""

import re
import sys
from pathlib import Path

FIELDS = "message|found|expected|hint|why|reason|fix|detail|item|value|what|loses|formula|answer"
ENGLISH = re.compile(r"\b(?:" + FIELDS + r")(?:\(\))?(?:\[\w+\]|\.front\(\)|\.back\(\))?\.text\(\)")
MAKERS = re.compile(r"\b(?:sentence|verbatim|fixedText)\(")


def argument_end(source, at):
    depth = 1
    while depth > 0 and at < len(source):
        depth += (source[at] == "(") - (source[at] == ")")
        at += 1
    return at


def violations_in(path, source):
    for made in MAKERS.finditer(source):
        inside = source[made.end():argument_end(source, made.end())]
        if found := ENGLISH.search(re.sub(r'"(?:[^"\\]|\\.)*"', '""', inside)):
            line = source.count("\n", 0, made.start()) + 1
            yield f"{path}:{line}: {found.group()} in {made.group()}…): pass the Sentence itself"


def main(root):
    found = [one for path in sorted([*root.glob("core/**/*.cpp"), *root.glob("core/**/*.h")])
             for one in violations_in(path.relative_to(root), path.read_text(encoding="utf-8"))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
