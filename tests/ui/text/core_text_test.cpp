// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the core in a window that is not English.
#include "core/analysis/abilities.h"
#include "core/base/error.h"
#include "core/base/stored_sentence.h"
#include "core/io/file_ops.h"
#include "core/jobs/queue/job_history.h"
#include "ui/pages/consolidate/job_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"

#include <QApplication>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace cairn;
namespace text = ui::text;

class CoreTextTest : public QObject {
    Q_OBJECT

    QTranslator m_german;

private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(text::coreText(sentence("The file %1 is missing", std::string("a.bin"))),
                 QStringLiteral("The file a.bin is missing"));
        QVERIFY(m_german.load(QStringLiteral(":/i18n/cairn_de.qm")));
        QVERIFY(QCoreApplication::installTranslator(&m_german));
    }

    void argumentsKeepTheirPlaces() {
        QCOMPARE(text::coreText(sentence("The file %1 is missing", std::string("a.bin"))),
                 QStringLiteral("Die Datei a.bin fehlt"));
        QCOMPARE(text::coreText(sentence("%1 and %2 would both be renamed to %3", std::string("a"),
                                         std::string("%3"), std::string("%1"))),
                 QStringLiteral("a und %3 würden beide in %1 umbenannt"));
        QCOMPARE(text::coreText(Sentence("Invalid integer")), QStringLiteral("Ungültige Ganzzahl"));
    }

    /// Names may look like sentences: what is an argument stays.
    void argumentsAreNotTranslated_data() {
        QTest::addColumn<QString>("name");
        for (const char* each :
             {"The file %1", "a, b; c: d", "Invalid integer", "The file x is missing", "%n files",
              "1.5 GB", "3.25", "/data/run from scratch/step-4", "damaged", "100 %", "%1", "%"}) {
            QTest::newRow(each) << QString::fromLatin1(each);
        }
    }
    void argumentsAreNotTranslated() {
        QFETCH(const QString, name);
        QCOMPARE(text::coreText(sentence("The file %1 is missing", name.toStdString())),
                 QStringLiteral("Die Datei %1 fehlt").replace(QLatin1String("%1"), name));
        QCOMPARE(text::coreText(verbatim(name.toStdString())), name);
        const Error error =
            fail(ErrorCode::NotFound, sentence("The file %1 is missing", name.toStdString()))
                .inFile(name.toStdString())
                .butFound(verbatim(name.toStdString()));
        const text::ErrorWords words = text::describe(error);
        QCOMPARE(words.title,
                 QStringLiteral("Die Datei %1 fehlt").replace(QLatin1String("%1"), name));
        QVERIFY(words.detail.contains(name));
    }

    /// From a file of an earlier session; those of earlier versions have the text alone.
    void storedSentencesAreTranslated() {
        const Sentence sentence =
            cairn::sentence("%1 of %2 are not in any file", amount("1.5 GB"), amount("16 GB"));
        const std::string english = sentence.text();
        const QString german = QStringLiteral("1,5 GB von 16 GB sind in keiner Datei");
        QCOMPARE(text::coreText(restoredSentence(english, storedForm(sentence))), german);
        QCOMPARE(text::coreText(restoredSentence(storedTogether(sentence))), german);
        QCOMPARE(text::coreText(restoredSentence(english, "")), QString::fromStdString(english));
        QCOMPARE(text::coreText(restoredSentence(english, "1\tS%1 and %2\tTa\tTb\t.")),
                 QString::fromStdString(english));
        QCOMPARE(text::coreText(restoredSentence("Invalid integer", "")),
                 QStringLiteral("Ungültige Ganzzahl"));

        QTemporaryDir state;
        RealFileOps files;
        const JobHistory history(std::filesystem::path(state.path().toStdString()) / "ended");
        EndedJob job;
        job.outcome = JobOutcome::Failed;
        job.output = "/out/model";
        job.message = sentence;
        QVERIFY(history.add(files, job));
        QVERIFY(ui::endWords(history.list().at(0)).detail.startsWith(german));
    }

    void amountsHaveTheDecimalPointOfTheUser() {
        QCOMPARE(text::coreText(
                     sentence("%1 of %2 are not in any file", amount("1.5 GB"), amount("16 GB"))),
                 QStringLiteral("1,5 GB von 16 GB sind in keiner Datei"));
        QCOMPARE(text::coreText(sentence("version %1", std::string("1.5"))),
                 QStringLiteral("Version 1.5"));
    }

    void whatIsCountedHasAPlural() {
        QCOMPARE(text::coreText(counting(1, "file")), QStringLiteral("1 Datei"));
        QCOMPARE(text::coreText(counting(12, "file")), QStringLiteral("12 Dateien"));
        const auto untiled = [](std::uint64_t count) {
            return text::coreText(sentence("%1 not tiled by the chunks in the index",
                                           counting(count, "tensor is", "tensors are")));
        };
        QCOMPARE(untiled(1),
                 QStringLiteral("1 Tensor ist von den Chunks im Index nicht genau abgedeckt"));
        QCOMPARE(untiled(12),
                 QStringLiteral("12 Tensoren sind von den Chunks im Index nicht genau abgedeckt"));
    }

    /// With its surroundings, if the catalogue has that; else by itself.
    void sentencesInSentences() {
        const Sentence part = sentence("The part %1%2", std::string("unet"), " is missing");
        QCOMPARE(text::coreText(part), QStringLiteral("Der Teil unet fehlt"));
        QCOMPARE(
            text::coreText(sentence("The plain values could not be read: %1",
                                    sentence("The file %1 is missing", std::string("x")))),
            QCoreApplication::translate("cairn::core", "The plain values could not be read: %1")
                .arg(QStringLiteral("Die Datei x fehlt")));
        QCOMPARE(text::coreText(
                     sentence("%1 (%2)", Sentence("Invalid integer"), sentence("version %1", 2))),
                 QStringLiteral("Ungültige Ganzzahl (Version 2)"));
    }

    void listsAreTranslatedOneByOne() {
        std::vector<Sentence> all{Sentence("Invalid integer")};
        for (int i = 0; i < 12; ++i) {
            all.push_back(sentence("version %1", i));
        }
        const QString shown = text::coreText(sentenceList(all, "; "));
        QVERIFY(shown.startsWith(QStringLiteral("Ungültige Ganzzahl; Version 0; Version 1")));
        QVERIFY(shown.endsWith(QStringLiteral("Version 11")));
    }

    /// What the Summary page says of every checkpoint.
    void whatACheckpointCanDo() {
        Ability resume{AbilityId::Resume, true, {}, {}};
        resume.lost.push_back({LossId::Generators, "states of random generators",
                               "dropout and shuffling use new random numbers"});
        QCOMPARE(text::coreText(verdictOf(resume)), QStringLiteral("ja, mit neuen Zufallszahlen"));
        QCOMPARE(text::coreText(resume.lost[0].what),
                 QStringLiteral("Zustände der Zufallsgeneratoren"));
        QCOMPARE(text::coreText(sentence("%1 of the model", counting(21, "tensor"))),
                 QStringLiteral("21 Tensoren des Modells"));
        QCOMPARE(text::coreText(sentence("moments of %1 of %2", 1, counting(1, "parameter"))),
                 QStringLiteral("Momente von 1 von 1 Parameter"));
        QCOMPARE(text::coreText(counting(2, "parameter group")),
                 QStringLiteral("2 Parametergruppen"));
    }

    void whatHasNoTranslationStays() {
        QCOMPARE(text::coreText(Sentence("Some other text")), QStringLiteral("Some other text"));
        QCOMPARE(text::coreText(sentence("Some other %1 of it", sentence("version %1", 2))),
                 QStringLiteral("Some other Version 2 of it"));
        QCOMPARE(text::coreText(Sentence()), QString());
    }

    void textFromFilesIsMadeSafe() {
        QVERIFY(!text::coreText(sentence("The file %1 is missing", std::string("a\x1b[1m\n")))
                     .contains(QLatin1Char('\x1b')));
    }
};

QTEST_MAIN(CoreTextTest)
#include "core_text_test.moc"
