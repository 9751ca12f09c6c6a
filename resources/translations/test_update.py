# SPDX-License-Identifier: Apache-2.0
"""What update.py --check finds in a catalogue."""

import pathlib
import tempfile
import unittest

import core_texts
import update
from update import Key, Translation

TEXT = Key("cairn::ui::Page", "Wrote %1, %2…", "", False)
COUNT = Key("cairn::ui::Page", "%Ln files in %1", "", True)
MENU = Key("cairn::ui::Page", "&Open", "", False)


def found(*catalogue):
    return [line.rsplit("' ", 1)[-1] for line in update.problems("de", [key for key, _ in catalogue], dict(catalogue), ())]


class UpdateTest(unittest.TestCase):
    def test_complete(self):
        self.assertEqual(found((TEXT, Translation(["%2: %1 geschrieben…"], True)), (MENU, Translation(["Ö&ffnen"], True)),
                               (COUNT, Translation(["eine Datei in %1", "%Ln Dateien in %1"], True))), [])

    def test_each_mistake(self):
        for key, translation in [
                (TEXT, Translation(["%1 geschrieben…"], True)), (TEXT, Translation(["%1, %2"], True)),
                (TEXT, Translation(["%1, %2…"], False)), (TEXT, Translation([""], True)), (TEXT, Translation([" %1, %2…"], True)),
                (COUNT, Translation(["%Ln Datei in %1"], True)), (COUNT, Translation(["%Ln in %1", "Dateien in %1"], True)),
                (MENU, Translation(["Öffnen"], True))]:
            self.assertEqual(len(found((key, translation))), 1, (key, translation))

    def test_arguments_without_text_between_them_stay_together(self):
        key = Key(update.CORE, "Names %1%2 in %3", "", False)
        self.assertEqual(list(update.mistakes("de", key, Translation(["In %3: Namen %1%2"], True))), [])
        self.assertEqual(len(list(update.mistakes("de", key, Translation(["%1 in %3: Namen %2"], True)))), 1)

    def test_missing_and_vanished(self):
        self.assertEqual(len(list(update.problems("de", [TEXT], {}, ()))), 1)
        self.assertEqual(len(list(update.problems("de", [], {TEXT: Translation(["%1, %2…"], True)}, ()))), 1)
        self.assertEqual(list(update.problems("en", [TEXT], {}, ())), [])

    def test_a_catalogue_survives_reading_and_writing(self):
        catalogue = {TEXT: Translation(["<%1> & %2…"], False), COUNT: Translation(["a %1", "%Ln b\n%1"], True)}
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "cairn_de.ts"
            update.write(path, "de", catalogue)
            self.assertEqual(update.read(path), catalogue)

    def test_known_texts_are_proposed(self):
        moved = TEXT._replace(context="cairn::ui::Other")
        self.assertEqual(update.merged("de", [moved], {TEXT: Translation(["x"], True)}, ()), {moved: Translation(["x"], False)})

    def test_sums_of_the_core_are_templates(self):
        source = """return fail(Code, "The file " + quoted(a, "x") + " is" " missing").withHint(b ? "copy it " + c : "give up now");
                    counted(n, "entry", "entries") + " // no comment: " + a.b()->c[1] + "!"; // "a comment here" """
        self.assertEqual(list(core_texts.templates(source)),
                         ["The file %1 is missing", "x", "copy it %1", "give up now", "%1 // no comment: %2!",
                          "%n entry // no comment: %1!", "%n entries // no comment: %1!", "entry", "entries"])

    def test_conditions_of_the_core_give_one_template_a_way(self):
        source = """fail(Code, std::string("The part ") + name + (size == 0 ? " is empty" : " has no " + what)).butFound(
                        std::to_string(n) + (hole ? " missing" : " twice")); f(a ? b : c ? "d" : "e") + " is odd"; """
        found = list(core_texts.templates(source))
        for template in ("The part %1 is empty", "The part %1 has no %2", "%1 missing", "%1 twice", "%1 is odd"):
            self.assertIn(template, found)

    def test_formats_of_printf_are_templates(self):
        self.assertEqual(core_texts.without_conversions("cpu %.1f s (%u threads, %zu of 100 %)"), "cpu %1 s (%2 threads, %3 of 100 %)")
        self.assertEqual(core_texts.without_conversions("%1 of %2 differ"), "%1 of %2 differ")

    def test_few_sentences_of_the_core_may_be_open(self):
        core = {f"The file {number} is missing" for number in range(20)} | {"state.step", "{'a': 1}", "w1 w2"}
        translated = {Key(update.CORE, text, "", False): Translation(["x"], True) for text in core}
        self.assertEqual(list(update.too_many_open("de", translated, core)), [])
        del translated[Key(update.CORE, "The file 1 is missing", "", False)]
        self.assertEqual(list(update.too_many_open("de", translated, core)), [])
        self.assertEqual(update.open_sentences(translated, core), ["The file 1 is missing"])
        del translated[Key(update.CORE, "The file 2 is missing", "", False)]
        self.assertEqual(len(list(update.too_many_open("de", translated, core))), 1)

    def test_sentences_of_the_core_may_be_untranslated(self):
        sentence = Key(update.CORE, "The file %1 is missing", "", False)
        catalogue = {sentence: Translation(["Die Datei %1 fehlt"], True)}
        self.assertEqual(list(update.problems("de", [], catalogue, {sentence.source, "Another sentence"})), [])
        self.assertEqual(len(list(update.problems("de", [], catalogue, set()))), 1)


if __name__ == "__main__":
    unittest.main()
