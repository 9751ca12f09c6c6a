# SPDX-License-Identifier: Apache-2.0
"""Keeps the catalogues of the window's texts (cairn_*.ts) in step with the sources.

    update.py SOURCE_ROOT LUPDATE            adds new texts as unfinished, drops vanished ones
    update.py SOURCE_ROOT LUPDATE --check    changes nothing; fails unless every catalogue is complete
    update.py SOURCE_ROOT LUPDATE --core     prints the sentences of the core that a catalogue lacks, for each language

cairn_en.ts holds the texts with a count only ("1 file", "2 files"); every other catalogue holds every text of the window, and
the sentences of the core. A few of these may be open, so that a change of the core needs no translator.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

import core_texts

Key = collections.namedtuple("Key", "context source comment counted")
Translation = collections.namedtuple("Translation", "forms finished")

CORE = "cairn::core"  # the context of the sentences of the core
MOST_OPEN = 0.05  # of the sentences of the core
FORMS = {"en": 2, "de": 2}  # plural forms of a language
TERRITORY = {"en": "en_US", "de": "de_DE"}
PLACEHOLDER = re.compile(r"%L?([1-9n])")
MNEMONIC = re.compile(r"&[^&\s]")
WORDS = re.compile(r"(?:struct|class) (\w+) (?:final )?\{\s*Q_DECLARE_TR_FUNCTIONS\(([\w:]+)\)")


def element_text(message, name):
    found = message.find(name)
    return "" if found is None or found.text is None else found.text


def read(path):
    """Key -> Translation, in the order of the file."""
    found = {}
    for context in ElementTree.parse(path).iter("context"):
        for message in context.iter("message"):
            counted = message.get("numerus") == "yes"
            key = Key(context.find("name").text, element_text(message, "source"), element_text(message, "comment"), counted)
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")] if counted else [translation.text or ""]
            found[key] = Translation(forms, translation.get("type") is None)
    return found


def write(path, language, messages):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", f'<TS version="2.1" language="{TERRITORY.get(language, language)}">']
    by_context = collections.defaultdict(list)
    for key, translation in messages.items():
        by_context[key.context].append((key, translation))
    for context in sorted(by_context):
        lines += ["<context>", f"    <name>{escape(context)}</name>"]
        for key, translation in by_context[context]:
            lines.append('    <message numerus="yes">' if key.counted else "    <message>")
            lines.append(f"        <source>{escape(key.source)}</source>")
            if key.comment:
                lines.append(f"        <comment>{escape(key.comment)}</comment>")
            start = "<translation>" if translation.finished else '<translation type="unfinished">'
            if key.counted:
                forms = [f"            <numerusform>{escape(form)}</numerusform>" for form in translation.forms]
                lines += [f"        {start}", *forms, "        </translation>"]
            else:
                lines.append(f"        {start}{escape(translation.forms[0])}</translation>")
            lines.append("    </message>")
        lines.append("</context>")
    path.write_text("\n".join(lines + ["</TS>", ""]), encoding="utf-8")


def whole_context(context, root, files):
    """lupdate loses the namespace of some functions at namespace level, and the alias of a struct of words with it."""
    if "::" in context and context != "cairn::ui":
        return context
    for file in files:
        aliases = dict(WORDS.findall((root / file).read_text(encoding="utf-8")))
        if context in aliases:
            return aliases[context]
    return f"cairn::ui::{context}"


def extract(root, lupdate):
    """Every text of the window. With "-I ." lupdate finds the headers; without it, it knows no class of a .cpp file."""
    with tempfile.TemporaryDirectory() as scratch:
        catalogue = pathlib.Path(scratch) / "all.ts"
        subprocess.run([lupdate, "-silent", "-I", ".", "-locations", "absolute", "ui", "app", "-ts", catalogue],
                       cwd=root, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        keys = []
        for context in ElementTree.parse(catalogue).iter("context"):
            name = context.find("name").text
            for message in context.iter("message"):
                files = [(catalogue.parent / place.get("filename")).resolve() for place in message.iter("location")]
                keys.append(Key(whole_context(name, root, files), element_text(message, "source"),
                                element_text(message, "comment"), message.get("numerus") == "yes"))
        return list(dict.fromkeys(keys))


def wanted(language, keys, catalogue, core):
    if language == "en":
        return [key for key in keys if key.counted]
    return keys + [key for key in catalogue if key.context == CORE and key.source in core]


def merged(language, keys, old, core):
    """What is translated stays; a text known from another context is proposed, unfinished."""
    elsewhere = {(key.source, key.counted): translation.forms for key, translation in old.items() if any(translation.forms)}
    result = {}
    for key in wanted(language, keys, old, core):
        empty = [""] * (FORMS.get(language, 2) if key.counted else 1)
        result[key] = old.get(key, Translation(elsewhere.get((key.source, key.counted), empty), False))
    return result


def marks(text):
    return sorted(PLACEHOLDER.findall(text))


def mistakes(language, key, translation):
    """What is wrong with one translation, as sentences."""
    if key.counted and len(translation.forms) != FORMS.get(language, 2):
        yield f"has {len(translation.forms)} plural forms"
    if not translation.finished or not all(translation.forms):
        yield "is not translated"
        return
    for number, form in enumerate(translation.forms):
        need = marks(key.source)
        if marks(form) != need and not (key.counted and number == 0 and marks(form) == [mark for mark in need if mark != "n"]):
            yield f"has other placeholders: {form!r}"
        if bool(MNEMONIC.search(form)) != bool(MNEMONIC.search(key.source)):
            yield f"has a mnemonic in one of the two only: {form!r}"
        if key.source.endswith("…") != form.endswith("…"):
            yield f'has "…" at the end of one of the two only: {form!r}'
        if (key.source[:1].isspace(), key.source[-1:].isspace()) != (form[:1].isspace(), form[-1:].isspace()):
            yield f"has other space around it: {form!r}"


def problems(language, keys, catalogue, core):
    need = wanted(language, keys, catalogue, core)
    for key in need:
        if key not in catalogue:
            yield f"{language}: {key.context}: {key.source!r} is not in the catalogue"
            continue
        for mistake in mistakes(language, key, catalogue[key]):
            yield f"{language}: {key.context}: {key.source!r} {mistake}"
    for key in catalogue.keys() - set(need):
        yield f"{language}: {key.context}: {key.source!r} is in no source any more"


def open_sentences(catalogue, templates):
    """The sentences of the core that are in no catalogue yet; single words and names are translated where it is worth it. One with
    sentences in its arguments may be translated as a pattern, or in all the ways to read it."""
    known = {key.source for key in catalogue if key.context == CORE}
    return sorted(each.pattern for each in templates if core_texts.is_sentence(each.pattern) and each.pattern not in known
                  and not (each.whole and known.issuperset(each.whole)))


def too_many_open(language, catalogue, templates):
    sentences = sum(core_texts.is_sentence(each.pattern) for each in templates)
    missing = open_sentences(catalogue, templates)
    if language != "en" and len(missing) > MOST_OPEN * sentences:
        yield f"{language}: {len(missing)} of {sentences} sentences of the core are not translated; the first: {missing[0]!r}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    check = "--check" in sys.argv[3:]
    templates = core_texts.extract(root)
    core = {key for each in templates for key in each.keys}
    if "--core" in sys.argv[3:]:
        for path in sorted(pathlib.Path(root, "resources/translations").glob("cairn_*.ts")):
            if path.stem != "cairn_en":
                print("\n".join([path.stem, *map(repr, open_sentences(read(path), templates))]))
        return 0
    keys = extract(root, sys.argv[2])
    if not keys:
        sys.exit("lupdate found no text")
    found = []
    for path in sorted(pathlib.Path(root, "resources/translations").glob("cairn_*.ts")):
        language = path.stem.removeprefix("cairn_")
        catalogue = read(path)
        if not check:
            catalogue = merged(language, keys, catalogue, core)
            write(path, language, catalogue)
        found += [*problems(language, keys, catalogue, core), *too_many_open(language, catalogue, templates)]
    print("\n".join(found) or f"{len(keys)} texts, every catalogue complete")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
