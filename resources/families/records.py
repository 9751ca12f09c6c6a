# SPDX-License-Identifier: Apache-2.0
"""Texts of records, as the files in this folder are: blocks between blank lines, each with fields ("key: value") and, after them, a text.
core/families/config/records.h reads them in the program."""
import pathlib
import re
import sys


def read(path, keys):
    """[(fields, text), ...]; `keys`: the fields that a record may have, in their order."""
    found = []
    for block in pathlib.Path(path).read_text(encoding="utf-8").strip("\n").split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith("#")]
        fields = {}
        for key in keys:
            if lines and lines[0].startswith(f"{key}: "):
                fields[key] = lines.pop(0).removeprefix(f"{key}: ")
        if fields:
            found.append((fields, "\n".join(lines)))
    return found


def block(fields, text=""):
    """One record; empty fields are left out."""
    return "\n".join([*(f"{key}: {value}" for key, value in fields.items() if value), *([text] if text else [])])


def joined(heading, blocks):
    """The text of a file."""
    return "\n\n".join([f"# {heading}", *blocks]) + "\n"


def of_words(text):
    """Which records a text has for each word of their first field (a class, a model), as sets of what follows that field."""
    found = {}
    for each in text.strip("\n").split("\n\n"):
        first, _, rest = "\n".join(line for line in each.split("\n") if not line.startswith("#")).partition("\n")
        for word in first.partition(": ")[2].split():
            found.setdefault(word, set()).add(re.sub("(?m)^types: .*\n?", "", rest))
    return found


def differences(recorded, text, names):
    """What differs for each word, of all or of these names."""
    old, new = of_words(recorded), of_words(text)
    for word in sorted(old.keys() | new.keys()):
        if names and word.rpartition("/")[2] not in names:
            continue
        if old.get(word) != new.get(word):
            yield f"{word}: " + ("not recorded" if word not in old else "not found again" if word not in new else "another record")
    if not names and recorded != text and old == new:
        yield "the heading or the order of the records"


def main(collect, text_of, version, every):
    """[--check] FILE [I/N] [NAME...]: writes what `text_of` makes of the records that `collect` finds (of all names, or of these) and
    names what was left out; with --check compares, and names each difference; I/N: one of N parts of all names that `every` gives."""
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    path, *names = arguments[1:] if check else arguments
    if names and re.fullmatch(r"\d+/\d+", names[0]):
        part, parts = map(int, names.pop(0).split("/"))
        names = sorted(set(names or every()))[part - 1 :: parts]
    found, skipped = collect(set(names))
    for name, reason in skipped:
        print(f"left out: {name}: {reason}", file=sys.stderr)
    text = text_of(found)
    if check:
        lines = list(differences(pathlib.Path(path).read_text(encoding="utf-8"), text, set(names)))
        print(*lines, sep="\n")
        sys.exit(f"{path} is not what transformers {version} gives" if lines else 0)
    with open(path, "w") as out:
        out.write(text)
