# SPDX-License-Identifier: Apache-2.0
"""Every translation of the manual (resources/manual/<language>) has the pages, sections, links, tables and commands of the
English one, and calls actions and pages what the catalogue of its language calls them."""

import collections
import pathlib
import re
import unittest

import update

RESOURCES = pathlib.Path(__file__).resolve().parent.parent
MANUAL = RESOURCES / "manual"
LANGUAGES = sorted(path.name for path in MANUAL.iterdir() if path.is_dir() and path.name != "en")
LINK = re.compile(r"\[[^\]]+\]\(([^)]+)\)")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
BLOCK = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages(language):
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((MANUAL / language).glob("*.md"))}


def outline(text):
    """What a page consists of, line by line: the level of a heading, the cells of a row, an item, a paragraph."""
    found = []
    for line in BLOCK.sub("<block>", text).splitlines():
        mark = re.match(r"#+ |- |\d\. |\||<!-- .* -->|<block>", line)
        kind = mark.group() if mark else "text" if line else "blank"
        found.append(f"|{line.count('|')}" if kind == "|" else kind)
    return found


def commands(text):
    """The programs and options of the examples; file names and remarks differ."""
    return [re.findall(r"(?<!\S)(?:cairn(?:-cli)?(?: [a-z]+(?= ))?|--[a-z-]+)", line)[:1] + re.findall(r"--[a-z-]+", line)
            for block in BLOCK.findall(text) for line in block.splitlines()]


def named(text):
    """The names of actions and pages: "Edit > Preferences…" are two."""
    return collections.Counter(part for bold in BOLD.findall(text) for part in bold.split(" > "))


def plain(text):
    return text.replace("&", "").removesuffix("…")


def words(language):
    """English text of the window -> what it may be called."""
    found = collections.defaultdict(set)
    for key, translation in update.read(RESOURCES / "translations" / f"cairn_{language}.ts").items():
        if key.context != update.CORE:
            found[plain(key.source)].update(map(plain, translation.forms))
    return found


class ManualTest(unittest.TestCase):
    def each(self):
        """(language, "de/browse.md", the English text, the translation)"""
        english = pages("en")
        self.assertGreater(len(english), 5)
        self.assertIn("de", LANGUAGES)
        for language in LANGUAGES:
            translated = pages(language)
            self.assertEqual(list(translated), list(english), language)
            for name, text in translated.items():
                yield language, f"{language}/{name}", english[name], text

    def test_outline(self):
        for _, page, english, text in self.each():
            self.assertEqual(outline(text), outline(english), page)

    def test_links_and_places_for_tables(self):
        for _, page, english, text in self.each():
            self.assertEqual(LINK.findall(text), LINK.findall(english), page)
            self.assertEqual(re.findall(r"<!--.*?-->", text), re.findall(r"<!--.*?-->", english), page)
            for target in LINK.findall(text):
                self.assertIn(target, pages("en"), page)

    def test_commands(self):
        for _, page, english, text in self.each():
            self.assertEqual(commands(text), commands(english), page)

    def test_actions_and_pages_have_the_names_of_the_window(self):
        for language, page, english, text in self.each():
            known, shown = words(language), named(text)
            self.assertEqual(shown.total(), named(english).total(), page)
            for name, count in named(english).items():
                if plain(name) in known:
                    found = sum(number for each, number in shown.items() if plain(each) in known[plain(name)])
                    self.assertGreaterEqual(found, count, f"{page}: {name}")

    def test_the_comparison_finds_differences(self):
        self.assertNotEqual(outline("# a\n\n## b\n"), outline("# a\n\n### b\n"))
        self.assertNotEqual(outline("| a | b |\n"), outline("| a |\n"))
        self.assertNotEqual(commands("```\ncairn-cli ls X --only a\n```\n"), commands("```\ncairn-cli ls X\n```\n"))
        self.assertNotEqual(commands("```\ncairn-cli ls X\n```\n"), commands("```\ncairn-cli info X\n```\n"))


if __name__ == "__main__":
    unittest.main()
