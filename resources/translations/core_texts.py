# SPDX-License-Identifier: Apache-2.0
"""The sentences that the core composes, as templates: "The file " + name + " is missing" is "The file %1 is missing".

The core writes plain English with its arguments in place, for the command line and for JSON. The window recognises such a
sentence by its template (ui/text/core_text.h) and shows the translation with the same arguments.

    core_texts.py SOURCE_ROOT OUTPUT    one template a line
"""

import pathlib
import re
import sys

TOKEN = re.compile(r"""
    (?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
  | (?P<text>"(?:[^"\\\n]|\\.)*")
  | (?P<char>'(?:[^'\\\n]|\\.)+')
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<word>[A-Za-z_]\w*|\d[\w.']*)
  | (?P<sign>::|->|\+\+|\+=|<<|>>|[^\s])
""", re.VERBOSE | re.DOTALL)
COUNTED = re.compile(r'\bcounted\([^;"]*?,\s*"([^"]+)"(?:\s*,\s*"([^"]+)")?')
CLOSING = {"(": ")", "[": "]", "{": "}"}
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def tokens(source):
    for match in TOKEN.finditer(source):
        if match.lastgroup == "mark" or match.group("raw"):
            yield "raw", match.group()
        elif match.lastgroup != "comment":
            yield match.lastgroup, match.group()


def plain(literal):
    return re.sub(r"\\(x[0-9a-fA-F]+|.)", lambda m: ESCAPES.get(m.group(1), ""), literal[1:-1])


def skip(stream, at):
    """The position after the bracket that closes the one at `at`."""
    closing = CLOSING[stream[at][1]]
    depth, opening = 0, stream[at][1]
    while at < len(stream):
        depth += (stream[at][1] == opening) - (stream[at][1] == closing)
        at += 1
        if depth == 0:
            break
    return at


def operand(stream, at):
    """(text of a literal or None, the position after it); (…, at) if there is no operand."""
    start = at
    if at < len(stream) and stream[at][0] == "text":
        text = ""
        while at < len(stream) and stream[at][0] == "text":
            text += plain(stream[at][1])
            at += 1
        return text, at
    while at < len(stream) and (stream[at][0] in ("word", "char") or stream[at][1] in ("::", ".", "->", "*", "(", "[", "{", "&")):
        if stream[at][1] in CLOSING:
            if at > start and stream[at][1] == "{" and stream[at - 1][0] != "word":
                break
            at = skip(stream, at)
        elif stream[at][0] == "word" and at > start and stream[at - 1][0] == "word":
            return None, start  # "return x", "const auto x": not an operand
        else:
            at += 1
    return None, at


def chain(stream, at):
    """The sum that starts at `at`: (template or None, the positions of its literals)."""
    template, holes, literals, end = "", 0, [], at
    while True:
        text, behind = operand(stream, end)
        if behind == end:
            break
        if text is None:
            holes += 1
            template += f"%{holes}"
        else:
            literals += range(end, behind)
            template += text
        if behind >= len(stream) or stream[behind][1] != "+":
            break
        end = behind + 1
    return (template if literals else None), literals


def templates(source):
    stream = list(tokens(source))
    known = set()  # literals that belong to a sum before them
    for at, (kind, text) in enumerate(stream):
        if at in known or (kind == "word" and text in ("return", "throw", "case", "else", "include")):
            continue
        template, literals = chain(stream, at)
        if template is not None and not known.intersection(literals):
            known.update(literals)
            yield template


def extract(root):
    """Every template, sorted. `%n` is a number: counted(n, "file") writes "%n file" and "%n files"."""
    found = set()
    for path in [*root.glob("core/**/*.cpp"), *root.glob("core/**/*.h")]:
        source = path.read_text(encoding="utf-8")
        for one, many in COUNTED.findall(source):
            found.update((f"%n {one}", f"%n {many or one + 's'}"))
        for template in templates(source):
            if re.search(r"[A-Za-z]{3}", template):
                found.add(template)
    return sorted(found)


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text("".join(text.replace("\n", "\\n") + "\n" for text in extract(pathlib.Path(sys.argv[1]))),
                                         encoding="utf-8")
