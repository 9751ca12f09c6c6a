// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/screenshots.h"
#include "ui/shell/help/manual.h"
#include "ui/text/language.h"
#include "ui/text/plain_text.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLibraryInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>
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
        QCOMPARE(QCoreApplication::translate("cairn::ui::ChoiceBar", "Weights only"),
                 QStringLiteral("Nur Gewichte"));
        QCOMPARE(QGuiApplication::layoutDirection(), Qt::LeftToRight);
    }

    void withoutACatalogueTheWindowIsEnglish() {
        QCOMPARE(text::installLanguage(*qApp, QLocale(QLocale::Icelandic)),
                 QStringLiteral("en_US"));
        QCOMPARE(tensors(1), QStringLiteral("1 tensor"));
        QCOMPARE(tensors(3), QStringLiteral("3 tensors"));
    }

    void theManualHasTheLanguageOfTheWindow() {
        QCOMPARE(ui::Manual({}).pages().front().title, QStringLiteral("Browse checkpoints"));
        text::installLanguage(*qApp, QLocale(QLocale::German));
        QLocale::setDefault(QLocale(QLocale::English)); // of the numbers only
        ui::Manual manual({});
        QCOMPARE(manual.pages().front().title, QStringLiteral("Checkpoints ansehen"));
        QCOMPARE(manual.pages().size(), 8);
        for (const ui::Manual::Page& page : manual.pages()) {
            QVERIFY2(page.text.contains(QStringLiteral(" der ")), qPrintable(page.name));
        }
        manual.showPage(QStringLiteral("keys"));
        QVERIFY(manual.text()->toPlainText().contains(QStringLiteral("Menü")));
        if (!ui::test::screenshotFolder().isEmpty()) {
            ui::test::saveScreenshots(manual, QStringLiteral("german-manual"));
        }
    }

    /// Also where the user's country has no catalogue of its own.
    void dialogsOfQtHaveTheLanguageOfTheWindow() {
        const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
        if (!QFile::exists(folder + QStringLiteral("/qtbase_de.qm"))) {
            QSKIP("the catalogues of Qt are not installed (qt6-translations-l10n)");
        }
        QMessageBox english;
        english.setStandardButtons(QMessageBox::Cancel);
        QCOMPARE(english.button(QMessageBox::Cancel)->text().remove(QLatin1Char('&')),
                 QStringLiteral("Cancel"));
        QCOMPARE(text::installLanguage(*qApp, QLocale(QLocale::German, QLocale::Austria)),
                 QStringLiteral("de_DE"));
        QMessageBox box;
        box.setStandardButtons(QMessageBox::Cancel | QMessageBox::Save);
        QCOMPARE(box.button(QMessageBox::Cancel)->text().remove(QLatin1Char('&')),
                 QStringLiteral("Abbrechen"));
        QCOMPARE(box.button(QMessageBox::Save)->text().remove(QLatin1Char('&')),
                 QStringLiteral("Speichern"));
        QFileDialog dialog;
        dialog.setOption(QFileDialog::DontUseNativeDialog);
        dialog.setFileMode(QFileDialog::Directory);
        QStringList labels;
        for (const QLabel* each : dialog.findChildren<QLabel*>()) {
            labels << each->text();
        }
        QVERIFY2(labels.contains(QStringLiteral("Suchen in:")),
                 qPrintable(labels.join(QLatin1Char('|'))));
    }

    void withoutGermanQtStaysEnglish() {
        QCOMPARE(text::installLanguage(*qApp, QLocale(QLocale::French)), QStringLiteral("en_US"));
        QMessageBox box; // not French: no dialog mixes two languages
        box.setStandardButtons(QMessageBox::Cancel);
        QCOMPARE(box.button(QMessageBox::Cancel)->text().remove(QLatin1Char('&')),
                 QStringLiteral("Cancel"));
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
