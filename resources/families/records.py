# SPDX-License-Identifier: Apache-2.0
"""Texts of records, as the files in this folder are: blocks between blank lines, each with fields ("key: value") and, after them, a text.
core/families/config/records.h reads them in the program."""
import pathlib


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
