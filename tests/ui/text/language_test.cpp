// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/language.h"
#include "ui/text/plain_text.h"

#include <QApplication>
#include <QTest>
#include <QTranslator>

using namespace cairn;
namespace text = ui::text;

class LanguageTest : public QObject {
    Q_OBJECT

    const QLocale m_before;

    static QString tensors(int count) {
        return QCoreApplication::translate("cairn::ui::MainWindow", "%Ln tensors", nullptr, count);
    }

    static void removeCatalogues() {
        for (QTranslator* each : qApp->findChildren<QTranslator*>()) {
            QCoreApplication::removeTranslator(each);
            delete each;
        }
    }

private Q_SLOTS:
    void cleanup() {
        removeCatalogues();
        QLocale::setDefault(m_before);
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    }

    void theLocaleChoosesTheCatalogue() {
        QCOMPARE(text::installLanguage(*qApp, QLocale(QLocale::German, QLocale::Austria)),
                 QStringLiteral("de_DE"));
        QCOMPARE(tensors(1), QStringLiteral("1 Tensor"));
        QCOMPARE(tensors(3), QStringLiteral("3 Tensoren"));
        QCOMPARE(QCoreApplication::translate("cairn::ui::RecipeBar", "Weights only"),
                 QStringLiteral("Nur Gewichte"));
        QCOMPARE(QGuiApplication::layoutDirection(), Qt::LeftToRight);
    }

    void withoutACatalogueTheWindowIsEnglish() {
        QCOMPARE(text::installLanguage(*qApp, QLocale(QLocale::Icelandic)),
                 QStringLiteral("en_US"));
        QCOMPARE(tensors(1), QStringLiteral("1 tensor"));
        QCOMPARE(tensors(3), QStringLiteral("3 tensors"));
    }

    void shownNumbersHaveTheUsersDecimalPoint() {
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(text::number(1.702), QStringLiteral("1,702"));
        QCOMPARE(text::number(2e-5), QStringLiteral("2e-05"));
        QCOMPARE(text::bytes(16'060'522'496), QStringLiteral("16,1 GB"));
        QCOMPARE(text::count(12'000), QStringLiteral("12.000"));
    }
};

QTEST_MAIN(LanguageTest)
#include "language_test.moc"
