# SPDX-License-Identifier: Apache-2.0
"""The sentences of the core (core/base/sentence.h), as the keys of the catalogues.

Each literal may be a sentence: "The file is empty". One with arguments is written sentence("The file %1 is missing", name); the
pattern is a key. An argument that is a sentence itself, a condition between some or a counted noun (counting(n, "file") is
"%n file" or "%n files") may also be translated in its place, "%n files are missing", so each way to read the whole is a key, too.
ui/text/core_text.cpp looks these up in the same form.
"""

import collections
import itertools
import re

TOKEN = re.compile(r"""
    (?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
  | (?P<text>"(?:[^"\\\n]|\\.)*")
  | (?P<char>'(?:[^'\\\n]|\\.)+')
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<word>[A-Za-z_]\w*|\d[\w.']*)
  | (?P<sign>::|->|[^\s])
""", re.VERBOSE | re.DOTALL)
CLOSING = {"(": ")", "[": "]", "{": "}"}
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
HOLE = re.compile(r"%([1-9n])")
SENTENCE = re.compile(r"[A-Z`].*? .*? .*[\w.)`%]")  # three words; a shorter text may be a name or a key of a file
# Tables and documents, not sentences that the window shows
NOT_SHOWN = ("core/codec/pickle/known_table.h", "core/codec/pickle/scan_rules.cpp", "core/jobs/bundle/model_card.cpp", "core/runs/history/console/line.cpp",
             "core/compute/torch_module_absent.cpp")
MOST_WAYS = 64  # to read one sentence; of more only the pattern is a key

# `pattern`, and all keys under which the window may look it up; `whole`: those without a sentence in an argument.
Template = collections.namedtuple("Template", "pattern keys whole")


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
    opening, closing, depth = stream[at][1], CLOSING[stream[at][1]], 0
    while at < len(stream):
        depth += (stream[at][1] == opening) - (stream[at][1] == closing)
        at += 1
        if depth == 0:
            break
    return at


def parts(stream, sign):
    """The pieces between the signs that are in no bracket."""
    found, at = [[]], 0
    while at < len(stream):
        if stream[at][1] == sign:
            found.append([])
            at += 1
            continue
        end = skip(stream, at) if stream[at][1] in CLOSING else at + 1
        found[-1] += stream[at:end]
        at = end
    return found


def call(stream, *names):
    """The arguments, if the stream is the call of one of the functions and nothing else."""
    if len(stream) > 2 and stream[0][1] in names and stream[1][1] == "(" and skip(stream, 1) == len(stream):
        return parts(stream[2:-1], ",")
    return None


def literal(stream):
    if stream and all(kind == "text" for kind, _ in stream):
        return "".join(plain(text) for _, text in stream)
    return None


def ways(stream):
    """What an argument may read if it is a sentence: texts with marks ("%n" for a count, "%1" for an argument); else nothing."""
    if stream and stream[0][1] == "(" and skip(stream, 0) == len(stream):
        return ways(stream[1:-1])
    text = literal(stream)
    if text is not None:
        return [text]
    inside = call(stream, "Sentence")
    if inside is not None:
        return ways(inside[0]) if inside[0] else [""]
    inside = call(stream, "counting")
    if inside is not None:
        nouns = [literal(each) for each in inside[1:]]
        return ["%n " + nouns[0], "%n " + (nouns[1] if len(nouns) > 1 else nouns[0] + "s")] if nouns and None not in nouns else []
    inside = call(stream, "sentence")
    if inside is not None and literal(inside[0]) is not None:
        return list(dict.fromkeys([literal(inside[0]), *readings(literal(inside[0]), inside[1:], whole=True)]))
    arms = parts(stream, "?")
    if len(arms) == 2:
        arms = parts(arms[1], ":")
        if len(arms) == 2:
            left, right = map(ways, arms)
            return left + right if left and right else []
    return []


def readings(pattern, arguments, whole):
    """The keys for a sentence with some of the sentences in its arguments in their places; `whole`: with all of them."""
    choices = []
    for mark in HOLE.findall(pattern):
        at = 0 if mark == "n" else int(mark) - 1
        inner = ways(arguments[at]) if at < len(arguments) else []
        choices.append(inner if whole and inner else [None, *inner])
    count = 1
    for each in choices:
        count *= len(each)
    if count > MOST_WAYS:
        return []
    texts = HOLE.split(pattern)[0::2]
    return list(dict.fromkeys(numbered(texts, chosen) for chosen in itertools.product(*choices) if any(one is not None for one in chosen)))


def numbered(texts, chosen):
    """One reading: the first count is "%n", all other holes are numbered as they appear."""
    result, holes, counted = texts[0], 0, False
    for inner, after in zip(chosen, texts[1:]):
        for mark in re.split(r"(%[1-9n])", "%1" if inner is None else inner):
            if mark == "%n" and not counted:
                counted = True
            elif HOLE.fullmatch(mark):
                holes += 1
                mark = f"%{holes}"
            result += mark
        result += after
    return result


def templates(source):
    stream = list(tokens(source))
    at, known = 0, None  # the position of a pattern that was found with its arguments
    while at < len(stream):
        if stream[at][0] == "text":
            end = at
            while end < len(stream) and stream[end][0] == "text":
                end += 1
            text = literal(stream[at:end])
            if at != known:
                yield Template(text, [text], [])
            at = end
            continue
        if stream[at][1] in ("sentence", "counting") and at + 1 < len(stream) and stream[at + 1][1] == "(":
            whole = stream[at:skip(stream, at + 1)]
            for found in ([way] for way in ways(whole)) if stream[at][1] == "counting" else ():
                yield Template(found[0], found, [])
            inside = call(whole, "sentence") or [[]]
            pattern = literal(inside[0])
            if pattern is not None and inside[1:]:
                known = at + 2
                whole = readings(pattern, inside[1:], whole=True)
                yield Template(pattern, [pattern, *readings(pattern, inside[1:], whole=False)], whole)
        at += 1


def is_sentence(template):
    return SENTENCE.fullmatch(template) is not None and not set(template) & set("{}*<>")


def extract(root):
    """Every template of the core, by its pattern."""
    found = {}
    for path in sorted([*root.glob("core/**/*.cpp"), *root.glob("core/**/*.h")]):
        if path.relative_to(root).as_posix() in NOT_SHOWN:
            continue
        for each in templates(path.read_text(encoding="utf-8")):
            if re.search(r"[A-Za-z]{2}", "".join(each.keys)):
                known = found.setdefault(each.pattern, each)
                found[each.pattern] = Template(each.pattern, [*known.keys, *each.keys], known.whole or each.whole)
    return list(found.values())
