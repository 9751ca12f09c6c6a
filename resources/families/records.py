# SPDX-License-Identifier: Apache-2.0
"""Texts of records, as the files in this folder are: blocks between blank lines, each with fields ("key: value") and, after them, a text.
core/families/config/records.h reads them in the program."""
import pathlib
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


def main(collect, text_of, version):
    """[--check] FILE [NAME...]: writes what `text_of` makes of the records that `collect` finds (of all names, or of these) and
    names what was left out; with --check only compares."""
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    path, *names = arguments[1:] if check else arguments
    found, skipped = collect(set(names))
    for name, reason in skipped:
        print(f"left out: {name}: {reason}", file=sys.stderr)
    text = text_of(found)
    if check:
        sys.exit(0 if open(path).read() == text else f"{path} is not what transformers {version} gives")
    with open(path, "w") as out:
        out.write(text)
