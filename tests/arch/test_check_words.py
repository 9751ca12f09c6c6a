# SPDX-License-Identifier: Apache-2.0
"""Tests that the word check can fail."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check_words import violations_in  # noqa: E402


class Words(unittest.TestCase):
    def broken(self, source, path="core/io/folder.cpp"):
        return list(violations_in(path, source))

    def test_planted_sentences(self):
        for text in ("This is no number of ranks", "The keys of the tree do not rise", "There is no folder of that name",
                     "Nothing tells which run is best", "There are more bytes behind the index", "The file is cut off",
                     "The tensor lies in another file", "Its data are damaged", "The edit goes on", "It is not there"):
            self.assertTrue(self.broken(f'return fail(code, "{text}");'), text)

    def test_line_and_joined_literals(self):
        lines = self.broken('int a;\nfail("The file does not "\n     "tell its length");')
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith("core/io/folder.cpp:2: "))
        self.assertIn("'The file does not tell its length'", lines[0])

    def test_plain_sentences(self):
        for text in ("The rank count is not a number", "No such folder", "It no longer exists", "12 bytes after the index",
                     "cairn-cli verify a b --whole", "The file is left over from another save"):
            self.assertFalse(self.broken(f'fail("{text}");'), text)

    def test_only_texts(self):
        self.assertFalse(self.broken("// There is no folder behind it\nint told = 1;"))
        self.assertFalse(self.broken('m_json.key("told"); const char c = \'"\'; // tells "this is no text"'))

    def test_names(self):
        self.assertIn("core/io/folder.cpp:2: the name FactsShelf", "".join(self.broken("\nclass FactsShelf {};  FactsShelf other;")))
        self.assertEqual(len(self.broken("\nclass FactsShelf {};  FactsShelf other;")), 1)
        self.assertTrue(self.broken("int kJudged = 0;"))
        self.assertTrue(self.broken("int a;", "ui/pages/job_desk.h"))
        self.assertFalse(self.broken('DesktopNotice a; // the desk\nkey("shelf"); int nested;'))

    def test_scripts(self):
        self.assertTrue(self.broken('say "the whole suite"', "packaging/test.sh"))


if __name__ == "__main__":
    unittest.main()
