# SPDX-License-Identifier: Apache-2.0
import unittest

from check_sentences import comparisons_in, violations_in


class CheckSentencesTest(unittest.TestCase):
    def test_english_in_a_sentence_is_found(self):
        for source in ('sentence("%1: %2", name, error.message.text())', "verbatim(each.error().found.text())",
                       'sentence("a (%1)",\n  source.why().front().text())', "fixedText(plan.why.text())"):
            self.assertEqual(len(list(violations_in("a.cpp", source))), 1, source)

    def test_other_texts_are_not(self):
        for source in ('sentence("%1: %2", name, error.message)', 'out.text(error.message.text())', "verbatim(options.only.text())",
                       'sentence("a.message.text()", b)', 'verbatim(name); f(error.message.text())'):
            self.assertEqual(list(violations_in("a.cpp", source)), [], source)

    def test_compared_sentences_are_found(self):
        for source in ('decision.what.text() == "names"', 'each.item.text() == item', 'item.item().text() != "tensors"', 'if (each.item != "names")',
                       'each.what().pattern() == "tied tensors"', 'tied->value.pattern().starts_with("written once")',
                       'error.message.text().find(\n  "missing")', '"names" == decision.what.text()', '"names" == each.item',
                       'error.hint == sentence("Use %1", a)', 'note == Sentence("none")',
                       'std::ranges::find(plan.decisions, "dtype", &PlanDecision::what)', 'why.front().text() == "none"'):
            self.assertEqual(len(list(comparisons_in("a.cpp", source))), 1, source)

    def test_other_comparisons_are_not(self):
        for source in ('decision.id == DecisionId::Renamed', 'each.name == "names"', 'only.value != "null"', 'button->text() == text',
                       'message.text().find(problem.where.file)', 'detail = ok ? "yes" : "no"; a == b', 'options.only.text() == "x"',
                       '// what.text() == "names"', 'name.text() != "{*}"', 'item.text.empty() || name == "x"', 'whatever.item == kItem'):
            self.assertEqual(list(comparisons_in("a.cpp", source)), [], source)


if __name__ == "__main__":
    unittest.main()
