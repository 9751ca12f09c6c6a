# SPDX-License-Identifier: Apache-2.0
import unittest

from check_sentences import violations_in


class CheckSentencesTest(unittest.TestCase):
    def test_english_in_a_sentence_is_found(self):
        for source in ('sentence("%1: %2", name, error.message.text())', "verbatim(each.error().found.text())",
                       'sentence("a (%1)",\n  source.why().front().text())', "fixedText(plan.why.text())"):
            self.assertEqual(len(list(violations_in("a.cpp", source))), 1, source)

    def test_other_texts_are_not(self):
        for source in ('sentence("%1: %2", name, error.message)', 'out.text(error.message.text())', "verbatim(options.only.text())",
                       'sentence("a.message.text()", b)', 'verbatim(name); f(error.message.text())'):
            self.assertEqual(list(violations_in("a.cpp", source)), [], source)


if __name__ == "__main__":
    unittest.main()
