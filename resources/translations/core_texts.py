# SPDX-License-Identifier: Apache-2.0
"""The sentences that the core composes, as templates: "The file " + name + " is missing" is "The file %1 is missing".

The core writes plain English with its arguments in place, for the command line and for JSON. The window recognises such a
sentence by its template (ui/text/core_text.h) and shows the translation with the same arguments. A sum that contains a
condition or a counted noun gives one template for each way it can read.
"""

import re

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
SENTENCE = re.compile(r"[A-Z`].*? .*? .*[\w.)`%]")  # three words; a shorter text may be a name or a key of a file
# Tables and documents, not sentences that the window shows
NOT_SHOWN = ("core/codec/pickle/scan_rules.cpp", "core/jobs/model_card.cpp", "core/runs/history/console/line.cpp",
             "core/compute/torch_module_absent.cpp")
PRINTF = re.compile(r"%[-+0#]*\d*(?:\.\d+)?(?:ll|l|z)?[dufgexs](?![A-Za-z])")
HOLE, COUNT = object(), object()  # what is put in; a number before a counted noun
MOST_VARIANTS = 12  # of one sum; more stay holes


def tokens(source):
    for match in TOKEN.finditer(source):
        if match.lastgroup == "mark" or match.group("raw"):
            yield "raw", match.group()
        elif match.lastgroup != "comment":
            yield match.lastgroup, match.group()


def plain(literal):
    return re.sub(r"\\(x[0-9a-fA-F]+|.)", lambda m: ESCAPES.get(m.group(1), ""), literal[1:-1])


def without_constructors(stream):
    """std::string("a") is "a"."""
    at = 0
    while at < len(stream):
        texts = [text for _, text in stream[at:at + 6]]
        if texts[:3] in (["std", "::", "string"], ["std", "::", "string_view"]) and len(texts) == 6 and texts[3] == "(" and \
                stream[at + 4][0] == "text" and texts[5] == ")":
            yield stream[at + 4]
            at += 6
        else:
            yield stream[at]
            at += 1


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


def arms(inside):
    """The sums between "?" and ":" of a condition without brackets around it; nothing if it is none."""
    depth, question, colon = 0, None, None
    for at, (_, text) in enumerate(inside):
        depth += (text in CLOSING) - (text in CLOSING.values())
        if depth == 0 and text == "?":
            if question is not None:
                return []  # a condition in a condition
            question = at
        elif depth == 0 and text == ":" and question is not None and colon is None:
            colon = at
    return [inside[question + 1:colon], inside[colon + 1:]] if colon is not None else []


def variants(stream, start, end):
    """What the operand from start to end may read: lists of texts and HOLE or COUNT."""
    if stream[start][0] == "text":
        return [["".join(plain(text) for _, text in stream[start:end])]]
    inside = stream[start + 1:end - 1]
    if stream[start][1] == "(":
        return [one for arm in arms(inside) for one in sums(arm)] or [[HOLE]]
    if stream[start][1] == "counted":
        texts = [plain(text) for kind, text in inside if kind == "text"]
        if texts:
            return [[COUNT, " " + texts[0]], [COUNT, " " + (texts[1] if len(texts) > 1 else texts[0] + "s")]]
    return [[HOLE]]


def sums(stream):
    """The variants of a sum of literals and other operands that is the whole stream; one hole if it is something else."""
    found, at = [[]], 0
    while at < len(stream):
        _, end = operand(stream, at)
        if end == at:
            return [[HOLE]]
        found = [left + right for left in found for right in variants(stream, at, end)]
        if len(found) > MOST_VARIANTS or (end < len(stream) and stream[end][1] != "+"):
            return [[HOLE]]
        at = end + 1
    return found


def joined(parts):
    """ "%1" and so on for the holes; the first count is "%n", so that a number stands there. """
    text, holes, counted = "", 0, False
    for part in parts:
        if part is COUNT and not counted:
            text, counted = text + "%n", True
        elif part in (HOLE, COUNT):
            holes += 1
            text += f"%{holes}"
        else:
            text += part
    return text


def top_level(stream, start, end):
    """The positions from start to end that are in no bracket."""
    at = start
    while at < end:
        yield at
        at = skip(stream, at) if stream[at][1] in CLOSING else at + 1


def chain(stream, at):
    """The sum that starts at `at`: (its templates, the positions that belong to it alone)."""
    template, holes, start, last = "", 0, at, at
    literal = varied = False
    while True:
        text, end = operand(stream, at)
        if end == at:
            break
        if text is None:
            holes += 1
            template += f"%{holes}"
            varied = varied or stream[at][1] in ("(", "counted")
        else:
            literal = True
            template += text
        last = end
        if end >= len(stream) or stream[end][1] != "+":
            break
        at = end + 1
    found = [template] if literal else []
    if varied and start < at:
        found += [one for one in map(joined, sums(stream[start:last])) if one.strip("%123456789")]
    return list(dict.fromkeys(found)), top_level(stream, start, last) if found else ()


def templates(source):
    stream = list(without_constructors(list(tokens(source))))
    known = set()  # positions in a sum that begins before them
    for at, (kind, text) in enumerate(stream):
        if at in known or (kind == "word" and text in ("return", "throw", "case", "else", "include")):
            continue
        found, positions = chain(stream, at)
        known.update(positions)
        yield from found


def without_conversions(template):
    """The holes of a format of printf, which has no others."""
    parts = PRINTF.split(template)
    return "".join(f"{text}%{hole}" for hole, text in enumerate(parts[:-1], 1)) + parts[-1] if len(parts) > 1 else template


def is_sentence(template):
    return SENTENCE.fullmatch(template) is not None and not set(template) & set("{}*<>")


def extract(root):
    """Every template, sorted. `%n` is a number: counted(n, "file") writes "%n file" and "%n files"."""
    found = set()
    for path in [*root.glob("core/**/*.cpp"), *root.glob("core/**/*.h")]:
        if path.relative_to(root).as_posix() in NOT_SHOWN:
            continue
        source = path.read_text(encoding="utf-8")
        for one, many in COUNTED.findall(source):
            found.update((f"%n {one}", f"%n {many or one + 's'}"))
        for template in templates(source):
            if re.search(r"[A-Za-z]{3}", template):
                found.add(without_conversions(template))
    return sorted(found)
