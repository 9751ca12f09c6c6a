// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "ui/shell/screenshots/screenshots.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QApplication>
#include <QTest>

#include <limits>

using namespace cairn;
namespace theme = ui::theme;
namespace text = ui::text;

class PlainTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void toolTipsShowExactlyTheCharacters() {
        QCOMPARE(text::toolTip(QStringLiteral("<b>&")), QStringLiteral("<qt>&lt;b&gt;&amp;</qt>"));
        QVERIFY(text::toolTip({}).isEmpty());
    }

    void labelsAreNeverRichText() {
        const ui::TextLabel label(QStringLiteral("<img src='/etc/passwd'>"));
        QCOMPARE(label.textFormat(), Qt::PlainText);
        const std::unique_ptr<QLabel> plain(ui::plainLabel(QStringLiteral("<b>x</b>")));
        QCOMPARE(plain->textFormat(), Qt::PlainText);
    }

    void controlCharactersBecomeVisible() {
        QVERIFY(!text::fromCore("a\x1b[31m").contains(QChar(0x1b)));
        QVERIFY(!text::fromCore("a\u202eb").contains(QChar(0x202e)));
    }

    void numbersReadWell() {
        QCOMPARE(text::number(1.702), QStringLiteral("1.702"));
        QCOMPARE(text::number(9999), QStringLiteral("9999"));
        QCOMPARE(text::number(409'600), QStringLiteral("409,600"));
        QCOMPARE(text::number(-236'512.3), QStringLiteral("-236,512"));
        QCOMPARE(text::number(2.5e7 + 0.5), QStringLiteral("2.5e+07"));
        QCOMPARE(text::number(1e300), QStringLiteral("1e+300"));
        QCOMPARE(text::number(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("NaN"));
        QCOMPARE(text::estimate(0.2), QStringLiteral("under 1 s"));
        QCOMPARE(text::estimate(9), QStringLiteral("about 9 s"));
        QCOMPARE(text::duration(200), QStringLiteral("3 min"));
        QCOMPARE(text::duration(6000), QStringLiteral("1 h 40 min"));
        QCOMPARE(text::shape({4096, 128}), QStringLiteral("4096 × 128"));
    }

    void errorsStateWhereFoundExpectedAndHint() {
        const Error error = fail(ErrorCode::Truncated, "The header is cut off")
                                .inFile("a.safetensors")
                                .at(8)
                                .expecting("100 bytes")
                                .butFound("12 bytes")
                                .withHint("Copy the file again");
        const text::ErrorWords words = text::describe(error);
        QCOMPARE(words.title, QStringLiteral("The header is cut off"));
        for (const char* part : {"a.safetensors", "at byte 8",
                                 "Found 12 bytes, expected 100 bytes.", "Copy the file again."}) {
            QVERIFY2(words.detail.contains(QString::fromLatin1(part)), qPrintable(words.detail));
        }
    }

    void namesOfAListKeepWhatDistinguishesThem() {
        const QStringList runs{QStringLiteral("sweep-lr0.001-wd0-seed1"),
                               QStringLiteral("sweep-lr0.0001-wd0-seed1")};
        QCOMPARE(text::sharedStart(runs), 6);
        QCOMPARE(text::sharedStart({QStringLiteral("a-1")}), 0);
        QCOMPARE(text::sharedStart({QStringLiteral("a-1"), QStringLiteral("b-1")}), 0);
        QCOMPARE(text::sharedStart({QStringLiteral("seed1"), QStringLiteral("seed12")}), 0);
        const QFontMetrics metrics(QApplication::font());
        const int whole = metrics.horizontalAdvance(runs[0]);
        QCOMPARE(text::elidedAmong(runs[0], 6, metrics, whole), runs[0]);
        QCOMPARE(text::elidedAmong(runs[0], 6, metrics, whole - 1),
                 QStringLiteral("…lr0.001-wd0-seed1"));
        QVERIFY(
            text::elidedAmong(runs[1], 6, metrics, whole / 2).startsWith(QStringLiteral("…lr")));
    }

    void tonesAreReadableInLightAndDark() {
        for (const QPalette& palette : {QApplication::palette(), ui::darkDesktopPalette()}) {
            for (const theme::Tone tone :
                 {theme::Tone::Plain, theme::Tone::Dim, theme::Tone::Good, theme::Tone::Attention,
                  theme::Tone::Broken, theme::Tone::Accent}) {
                const QColor color = theme::color(tone, palette);
                QVERIFY(theme::contrast(color, palette.color(QPalette::Base)) >= 4.5);
                QVERIFY(theme::contrast(color, palette.color(QPalette::Window)) >= 4.5);
            }
            QVERIFY(theme::contrast(theme::accent(palette), theme::onAccent(palette)) >= 4.5);
        }
        QVERIFY(theme::isDark(ui::darkDesktopPalette()));
        QVERIFY(!theme::isDark(QApplication::palette()));
    }
};

QTEST_MAIN(PlainTextTest)
#include "plain_text_test.moc"
