// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the core in a window that is not English.
#include "ui/text/core_text.h"

#include <QApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>

using namespace cairn;
namespace text = ui::text;

namespace {

QString german(const char* sentence) {
    return text::coreText(sentence);
}

QStringList templates() {
    QFile file(QStringLiteral(":/i18n/core_sentences.txt"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QString all = QString::fromUtf8(file.readAll());
    return all.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

/// The holes filled: %n with a number, the others with words that are in no sentence.
QString filled(QString sentence) {
    sentence.replace(QLatin1String("\\n"), QLatin1String("\n"));
    sentence.replace(QLatin1String("%n"), QLatin1String("731"));
    for (int hole = 1; hole <= 9; ++hole) {
        sentence.replace(QStringLiteral("%%1").arg(hole), QStringLiteral("qx%1").arg(hole));
    }
    return sentence;
}

} // namespace

class CoreTextTest : public QObject {
    Q_OBJECT

    QTranslator m_german;

private Q_SLOTS:
    void initTestCase() {
        QCOMPARE(german("The file a.bin is missing"), QStringLiteral("The file a.bin is missing"));
        QVERIFY(m_german.load(QStringLiteral(":/i18n/cairn_de.qm")));
        QVERIFY(QCoreApplication::installTranslator(&m_german));
    }

    void argumentsKeepTheirPlaces() {
        QCOMPARE(german("The file a.bin is missing"), QStringLiteral("Die Datei a.bin fehlt"));
        QCOMPARE(german("a and b would both be renamed to c"),
                 QStringLiteral("a und b würden beide in c umbenannt"));
        QCOMPARE(german("%1 and %2 would both be renamed to %3"),
                 QStringLiteral("%1 und %2 würden beide in %3 umbenannt"));
    }

    void aConditionOfTheCoreIsOneSentence() {
        QCOMPARE(german("The part unet is missing"), QStringLiteral("Der Teil unet fehlt"));
        QCOMPARE(german("The part unet has no weights"),
                 QStringLiteral("Der Teil unet hat keine Gewichte"));
        QCOMPARE(german("1 tensor is not tiled by the chunks in the index"),
                 QStringLiteral("1 Tensor ist von den Chunks im Index nicht genau abgedeckt"));
        QCOMPARE(german("12 tensors are not tiled by the chunks in the index"),
                 QStringLiteral("12 Tensoren sind von den Chunks im Index nicht genau abgedeckt"));
    }

    void sentencesInSentencesAndLists() {
        QCOMPARE(german("A shard is missing: 3 tensors are incomplete"),
                 QStringLiteral("Ein Shard fehlt: 3 Tensoren sind unvollständig"));
        QCOMPARE(german("2 files, 3 tensors, damaged"),
                 QStringLiteral("2 Dateien, 3 Tensoren, beschädigt"));
    }

    void whatIsNotOfTheCoreStays_data() {
        QTest::addColumn<QString>("shown");
        for (const char* each :
             {"state_dict.layers.0.weight", "Some other text", "/data/run from scratch/step-4",
              "/a and b/c", "1000 of them", "Wait for the next job",
              "The folder does not contain a name like this"}) {
            QTest::newRow(each) << QString::fromLatin1(each);
        }
    }
    void whatIsNotOfTheCoreStays() {
        QFETCH(const QString, shown);
        QCOMPARE(german(qPrintable(shown)), shown);
        if (shown.startsWith(QLatin1Char('/'))) {
            QCOMPARE(german(qPrintable(QStringLiteral("The file %1 is missing").arg(shown))),
                     QStringLiteral("Die Datei %1 fehlt").arg(shown));
        }
    }

    /// No template hides behind another: each is found, and its own translation is shown.
    void everySentenceIsFound() {
        const QStringList all = templates();
        QVERIFY2(all.size() > 2000, qPrintable(QString::number(all.size())));
        QStringList wrong;
        for (const QString& each : all) {
            QString source = each;
            source.replace(QLatin1String("\\n"), QLatin1String("\n"));
            static const QRegularExpression hole(QStringLiteral("%[1-9n]"));
            const qsizetype letters = QString(source).remove(hole).size();
            if (source.contains(hole) && letters < 5) {
                continue; // matches anything, so it is not used
            }
            const QString expected =
                filled(QCoreApplication::translate("cairn::core", source.toUtf8().constData()));
            const QString shown = text::coreText(filled(source).toStdString());
            if (shown != expected) {
                wrong << source + QStringLiteral(" => ") + shown + QStringLiteral(" | ") + expected;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }
};

QTEST_MAIN(CoreTextTest)
#include "core_text_test.moc"
