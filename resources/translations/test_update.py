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

    def test_sentences_of_the_core_are_templates(self):
        source = """return fail(Code, sentence("The file %1 is" " missing", quoted(a, "x"))).withHint("give up now"); // "a comment" """
        found = {each.pattern: each for each in core_texts.templates(source)}
        self.assertEqual(list(found), ["The file %1 is missing", "x", "give up now"])
        self.assertEqual(found["The file %1 is missing"].whole, [])

    def test_sentences_in_sentences_may_be_translated_in_their_places(self):
        source = """sentence("%1 of %2%3", counting(n, "entry", "entries"), name, full ? Sentence("") : sentence(", %1 left", counting(m, "file")))"""
        found = {each.pattern: each for each in core_texts.templates(source)}
        self.assertEqual(found["%1 of %2%3"].whole, [
            "%n entry of %1", "%n entry of %1, %2 left", "%n entry of %1, %2 file left", "%n entry of %1, %2 files left",
            "%n entries of %1", "%n entries of %1, %2 left", "%n entries of %1, %2 file left", "%n entries of %1, %2 files left"])
        for key in ("%1 of %2%3", "%1 of %2, %3 left", "%1 of %2, %n files left", "%n entry of %1%2"):
            self.assertIn(key, found["%1 of %2%3"].keys)
        self.assertEqual(found[", %1 left"].keys, [", %1 left", ", %n file left", ", %n files left"])
        self.assertEqual(found["%n files"].keys, ["%n files"])

    def test_holes_keep_their_argument(self):
        found = {each.pattern: each for each in core_texts.templates('sentence("%2 before %1", a ? Sentence("b") : "c", d)')}
        self.assertEqual(found["%2 before %1"].keys, ["%2 before %1", "%1 before b", "%1 before c"])

    def test_few_sentences_of_the_core_may_be_open(self):
        def plain(text):
            return core_texts.Template(text, [text], [])
        core = [plain(f"The file {number} is missing") for number in range(20)] + list(map(plain, ("state.step", "{'a': 1}", "w1 w2")))
        translated = {Key(update.CORE, each.pattern, "", False): Translation(["x"], True) for each in core}
        self.assertEqual(list(update.too_many_open("de", translated, core)), [])
        del translated[Key(update.CORE, "The file 1 is missing", "", False)]
        self.assertEqual(list(update.too_many_open("de", translated, core)), [])
        self.assertEqual(update.open_sentences(translated, core), ["The file 1 is missing"])
        del translated[Key(update.CORE, "The file 2 is missing", "", False)]
        self.assertEqual(len(list(update.too_many_open("de", translated, core))), 1)

    def test_a_sentence_may_be_translated_in_all_ways_to_read_it(self):
        core = [core_texts.Template("The part %1%2", ["The part %1%2", "The part %1 is in", "The part %1 is out"],
                                    ["The part %1 is in", "The part %1 is out"])]
        translated = {Key(update.CORE, "The part %1 is in", "", False): Translation(["x"], True)}
        self.assertEqual(update.open_sentences(translated, core), ["The part %1%2"] if core_texts.is_sentence("The part %1%2") else [])
        translated[Key(update.CORE, "The part %1 is out", "", False)] = Translation(["x"], True)
        self.assertEqual(update.open_sentences(translated, core), [])

    def test_sentences_of_the_core_may_be_untranslated(self):
        sentence = Key(update.CORE, "The file %1 is missing", "", False)
        catalogue = {sentence: Translation(["Die Datei %1 fehlt"], True)}
        self.assertEqual(list(update.problems("de", [], catalogue, {sentence.source, "Another sentence"})), [])
        self.assertEqual(len(list(update.problems("de", [], catalogue, set()))), 1)


if __name__ == "__main__":
    unittest.main()
