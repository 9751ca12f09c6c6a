# SPDX-License-Identifier: Apache-2.0
"""Checks that texts for users contain none of the phrases below: errors, notices, hints, labels, `--help`, packaging scripts;
and that names of files, classes, functions and variables contain none of the words of NAMES.

    check_words.py SOURCE_ROOT [FOLDER...]

A text is a string literal that contains a letter and a space (adjacent literals joined as the compiler does); file names,
format keys and Qt object names contain none. A line of the output names the file, the line, the text and the rule.
"""

import pathlib
import re
import sys
from typing import Iterator, NamedTuple

FOLDERS = ("core", "app", "ui", "packaging")

# (phrase, what to write instead). Case does not matter.
RULES = [
    (r"\b(is|are|was|were|be) no (?!longer\b|more\b)", '"is not a …", or "invalid …"'),
    (r"\bthere (is|are) no\b", '"No …", "No such …", "missing"'),
    (r"\bthere (is|are) none\b|\bof none\b", '"missing", "none exists"'),
    (r"\b(is|are|was|were) (not )?there\b(?! (is|are))", '"exists", "is missing"; "duplicate" for "is there twice"'),
    (r"\btells?\b|\btold\b", '"records", "identifies", "reports": files and programs do not speak'),
    (r"\bsays?\b|\bsaid\b", '"records", "declares", "reports": files and programs do not speak'),
    (r"\bknows\b|\bknew\b|\bnot known\b", '"supports", "unknown"'),
    (r"\bbelieve[sd]?\b|\bthinks?\b|\bseems?\b|\bguess", '"assumes", "is probably"'),
    (r"\b(nobody|anybody|somebody)\b", "name the program or the user"),
    (r"\bl(ie|ies|ay|ain|ying) (in|on|at|to|under|below|above|beside|outside|within|between|along|too)\b",
     '"is located", "is stored", "is in"'),
    (r"\bbehind\b", '"after", "beyond"'),
    (r"\bgo(es|ing|ne)? on\b|\bwent on\b", '"continues", "resumes", "is in progress"'),
    (r"\bone an? (file|tensor|step|rank|row|line|chunk|shard|run|epoch|layer)\b", '"one per …"'),
    (r"\b(is|are) to be \w+ed\b|\bin turns\b|\ball the same\b", '"will be", "must be", "alternately", "nevertheless"'),
    (r"\banew\b|\bonce more\b", '"again"'),
    (r"\bby (itself|themselves)\b", '"separately", "alone", or leave it out'),
    (r"(?<!-)\bwhole\b", '"complete", "entire", "all of"'),
    (r"\b(has|have|had) not (the|its|a)\b|\bdoes not have its\b", '"does not match", "has no"'),
    (r"\b(is|are|of|at|to|has|have|see|sees|holds?) another\b(?! (save|shard|step))", '"a different …", "does not match"'),
    (r"\banother (than|one)\b", '"a different one", "does not match"'),
    (r"\bmakes? no sense\b", '"is invalid"'),
    (r"\b(is|are|be|been|was|were|may be) cut off\b", '"is truncated"'),
    (r"\b(reach(es)?|points?|leads?) (beyond|past|nowhere|to nothing|out of)\b", '"extends beyond", "is missing", "points outside"'),
    (r"\bpassed over\b", '"skipped"'),
    (r"\bput together\b", '"merged"'),
    (r"\b(takes?|took|taken) (it|them|this|that|as|for)\b|\bis taken to\b", '"is used", "is assumed", "is interpreted as"'),
    (r"\blook(s|ed|ing)? (at|into|for|again|around|after|through|here)\b", '"reads", "examines", "searches"'),
    (r"\bunlike\b|\bparting\b|\b(they|curves) part\b|^part at$", '"not comparable", "diverge", "divergence"'),
    (r"\bmend(s|ed)?\b", '"repairs", "finishes or undoes"'),
    (r"\b(is|was|are|were|be) (not )?touched\b", '"unchanged", "removed", "moved"'),
    (r"\brests? on\b", '"is based on"'),
    (r"\bgiven again\b", '"repeatable"'),
    (r"\bwas through\b|\bis through\b", '"had already completed"'),
    (r"\bdo(es)? not (answer|rise|fit)\b(?! into)", '"respond", "ascend", "match"'),
    (r"\bdata (are|were|have|do|end|hold|grow|expand)\b", '"data" is singular here: "the data is"'),
    (r"\bthe program made a mistake\b|\bwhat is no exception\b", '"internal error"'),
]

# (word in a name, what to write instead): words with a meaning in this program alone. A name is divided at capitals and "_".
NAMES = {
    "adorn": "style", "ancient": "the version", "behind": "after, background", "blame": "report", "crew": "workers", "dear": "expensive", "desk": "controller, buffers",
    "impostor": "mismatch", "judge": "decide, rank, check", "judged": "decided, ranked, checked", "judges": "ranks", "loan": "lease",
    "nest": "builder, tree", "shelf": "cache, entry", "sounds": "is…Name", "till": "until, end", "troubles": "problems",
}

# Permitted exceptions: (end of the path, part of the text, reason).
EXCEPTIONS = [
    ("core/codec/pickle/scan_rules.cpp", "", "lists of Python's modules and names"),
]

LITERALS = re.compile(
    r"//[^\n]*|/\*.*?\*/|#[ \t]*include[^\n]*|'(?:[^'\\\n]|\\.)+'"
    r'|R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<plain>(?:[^"\\\n]|\\.)*)"', re.S)
SCRIPT_TEXTS = re.compile(r'"((?:[^"\\\n]|\\.)*)"|^#(?P<comment>[^\n]*)', re.M)


class Text(NamedTuple):
    line: int
    text: str


def texts_in(source: str) -> Iterator[Text]:
    """String literals of C++ that contain a letter and a space, adjacent ones joined."""
    joined = ""
    line = end = 0
    for found in LITERALS.finditer(source):
        part = found["raw"] if found["raw"] is not None else found["plain"]
        if part is None:
            continue
        if joined and not source[end:found.start()].strip():
            joined += part
        else:
            if joined:
                yield Text(line, joined)
            joined, line = part, source.count("\n", 0, found.start()) + 1
        end = found.end()
    if joined:
        yield Text(line, joined)


def texts_of_script(source: str) -> Iterator[Text]:
    for found in SCRIPT_TEXTS.finditer(source):
        yield Text(source.count("\n", 0, found.start()) + 1, found[1] or found["comment"] or "")


def broken_rules(text: str) -> Iterator[str]:
    if " " in text and re.search(r"[A-Za-z]{2}", text):
        for phrase, instead in RULES:
            if found := re.search(phrase, text, re.I):
                yield f'"{found[0]}": write {instead}'


def words_of(name: str) -> Iterator[str]:
    yield from (word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name))


def private_names(path: str, source: str) -> Iterator[str]:
    """Names that contain a word of NAMES, each once; comments and literals are no names."""
    code = LITERALS.sub(lambda found: "\n" * found[0].count("\n") + " ", source)
    for name in [pathlib.PurePath(path).stem, *dict.fromkeys(re.findall(r"[A-Za-z_]\w*", code))]:
        for word in words_of(name):
            if word in NAMES:
                line = code[:code.find(name)].count("\n") + 1
                yield f"{path}:{line}: the name {name}: for \"{word}\" write {NAMES[word]}"


def is_exception(path: str, text: str) -> bool:
    return any(path.endswith(end) and part in text for end, part, _ in EXCEPTIONS)


def violations_in(path: str, source: str) -> Iterator[str]:
    texts = texts_of_script(source) if path.endswith(".sh") else texts_in(source)
    for text in texts:
        if not is_exception(path, text.text):
            for rule in broken_rules(text.text):
                yield f"{path}:{text.line}: {text.text.strip()!r}: {rule}"
    if path.endswith((".cpp", ".h")):
        yield from private_names(path, source)


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    files = sorted(path for folder in sys.argv[2:] or FOLDERS for path in (root / folder).rglob("*")
                   if path.suffix in (".cpp", ".h", ".sh"))
    wrong = [line for path in files
             for line in violations_in(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))]
    print("\n".join(wrong) or f"{len(files)} files, {len(RULES)} rules, {len(NAMES)} words for names")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
