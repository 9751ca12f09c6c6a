# SPDX-License-Identifier: Apache-2.0
"""Two rules for sentences (core/base/sentence.h): python check_sentences.py ROOT

A Sentence that becomes a part of another one stays a Sentence: its English inside of sentence(), verbatim() or fixedText() could not
be translated any more.

No code compares a Sentence with a literal or another text: what it means is an id or a code beside it. Tests may, for they hold the words."""

import re
import sys
from pathlib import Path

FIELDS = "message|found|expected|hint|why|reason|fix|detail|item|value|what|loses|formula|answer"
ONE = r"\b(?:" + FIELDS + r")(?:\(\))?(?:\[\w+\]|\.front\(\)|\.back\(\))?"
ENGLISH = re.compile(ONE + r"\.text\(\)")
MAKERS = re.compile(r"\b(?:sentence|verbatim|fixedText)\(")

MADE = r'(?:Sentence[({]|(?:sentence|verbatim|fixedText)\()'
TEXT = r"(?:" + ONE + r"\.text\(\)|\.pattern\(\))"
# `value` is also the name of plain texts; the others are sentences only.
FIELD = r"(?:\.|->)(?:" + FIELDS.replace("|value", "") + r")(?:\(\))?"
COMPARED = re.compile("|".join([
    TEXT + r"\s*[!=]=", r'"\s*[!=]=\s*[\w.>()-]*' + TEXT,
    TEXT + r'\s*\.(?:starts_with|ends_with|contains|find|rfind|compare)\(\s*"',
    FIELD + r'\s*[!=]=\s*"', r'"\s*[!=]=\s*[\w.>()-]*' + FIELD + r"(?![\w.(])", r"[!=]=\s*" + MADE,
    r"\bfind(?:_if|_if_not)?\([^;]*?\"[^;]*?&\w+::(?:" + FIELDS.replace("|value", "") + r")\b",
]))


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


def comparisons_in(path, source):
    bare = re.sub(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"', lambda text: '""' if text.group().startswith('"') else "", source)
    for found in COMPARED.finditer(bare):
        line = bare.count("\n", 0, found.start()) + 1
        yield f"{path}:{line}: {' '.join(found.group().split())}: compare an id, not a sentence"


def sources_in(root, *rooms):
    for path in sorted(each for room in rooms for end in ("cpp", "h") for each in root.glob(f"{room}/**/*.{end}")):
        yield path.relative_to(root), path.read_text(encoding="utf-8")


def main(root):
    found = [one for path, source in sources_in(root, "core") for one in violations_in(path, source)]
    found += [one for path, source in sources_in(root, "core", "ui", "app") for one in comparisons_in(path, source)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
