// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences apply at once and survive a restart; shortcuts; the manual; the problem report.
#include "core/base/byte_units.h"
#include "core/base/visible_text.h"
#include "core/runs/facts/index_cache.h"
#include "core/store/block_cache.h"
#include "tests/ui/support/job_pages.h"
#include "ui/charts/chart_controls.h"
#include "ui/inspector/inspector.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/help/manual.h"
#include "ui/shell/help/problem_report.h"
#include "ui/shell/preferences/shortcut_page.h"
#include "ui/shell/preferences/shortcut_set.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/text_field.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextBrowser>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;
using Item = PreferencesDialog::Item;

namespace {

PreferencesDialog& openPreferences(MainWindow& window) {
    window.actions().preferences->trigger();
    return *window.preferencesDialog();
}

void clickSegment(const QWidget* segments, int index) {
    const auto buttons = segments->findChildren<QAbstractButton*>();
    QTest::mouseClick(buttons.at(index), Qt::LeftButton);
}

/// Everything as it was, for the next test.
class Restored {
public:
    explicit Restored(WindowFixture& fixture) : m_fixture(fixture) {}
    ~Restored() { m_fixture.window->preferences().set({}); }

private:
    WindowFixture& m_fixture;
};

void selectAction(ShortcutPage& page, const QString& words) {
    page.filter()->clear();
    QTest::keyClicks(page.filter(), words);
}

} // namespace

class PreferencesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_cache.isValid());
        qputenv("XDG_CACHE_HOME", m_cache.path().toLocal8Bit());
    }

    void theThemeAppliesAtOnceAndIsKept() {
        WindowFixture fixture;
        const Restored restored(fixture);
        PreferencesDialog& dialog = openPreferences(*fixture.window);
        const QPalette before = QApplication::palette();
        clickSegment(dialog.control(Item::Theme), 2);
        QVERIFY(theme::isDark(QApplication::palette()));
        QTRY_VERIFY(theme::isDark(fixture.window->palette()));
        picture(dialog, QStringLiteral("preferences"), {600, 520});
        clickSegment(dialog.control(Item::Theme), 1);
        QVERIFY(!theme::isDark(QApplication::palette()));
        QCOMPARE(fixture.settings().value(QStringLiteral("preferences/theme")).toString(),
                 QStringLiteral("light"));
        clickSegment(dialog.control(Item::Theme), 2);
        {
            const MainWindow again(fixture.services, fixture.settings());
            QVERIFY(theme::isDark(QApplication::palette()));
        }
        clickSegment(dialog.control(Item::Theme), 0);
        QCOMPARE(QApplication::palette().color(QPalette::Window), before.color(QPalette::Window));
        QVERIFY(!fixture.settings().contains(QStringLiteral("preferences/theme")));
    }

    void fontSizesApplyToWidgetsThatExist() {
        WindowFixture fixture;
        const Restored restored(fixture);
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        const double normal = QApplication::font().pointSizeF();
        QLabel* title = window.pages().inspector->findChild<QLabel*>();
        const double titleBefore = title->font().pointSizeF();
        const double listBefore = window.navigator()->view()->font().pointSizeF();
        PreferencesDialog& dialog = openPreferences(window);
        auto* spin = static_cast<QDoubleSpinBox*>(dialog.control(Item::FontSize));
        QCOMPARE(spin->value(), normal);
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("18"));
        QTest::keyClick(spin, Qt::Key_Return);
        QVERIFY(dialog.isVisible());
        QCOMPARE(QApplication::font().pointSizeF(), 18.0);
        QTRY_COMPARE(window.navigator()->view()->font().pointSizeF(), 18.0);
        QVERIFY(qAbs(title->font().pointSizeF() - titleBefore * 18 / normal) < 0.01);
        dialog.close();
        picture(window, QStringLiteral("large-font"), {880, 560});
        picture(window, QStringLiteral("large-font-wide"), {1440, 900});
        const double mono = theme::mono(QApplication::font()).pointSizeF();
        window.preferences().set({.fonts = {18, 9}});
        QVERIFY(mono > 16);
        QCOMPARE(theme::mono(QApplication::font()).pointSizeF(), 9.0);
        window.preferences().set({});
        QTRY_COMPARE(window.navigator()->view()->font().pointSizeF(), listBefore);
        QVERIFY(qAbs(title->font().pointSizeF() - titleBefore) < 0.01);
    }

    void unitsApplyToTheShownCheckpoint() {
        WindowFixture fixture;
        const Restored restored(fixture);
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QVERIFY(window.statusLine()->counts().contains(QStringLiteral("kB")));
        PreferencesDialog& dialog = openPreferences(window);
        clickSegment(dialog.control(Item::Units), 1);
        QTRY_VERIFY_WITH_TIMEOUT(window.statusLine()->counts().contains(QStringLiteral("KiB")),
                                 kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(showsText(*window.pages().inspector, QStringLiteral("KiB")),
                                 kTimeoutMs);
        QVERIFY(window.isSettled() || waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
        QVERIFY(!showsText(*window.pages().summary, QStringLiteral(" kB")));
        clickSegment(dialog.control(Item::Units), 0);
        QCOMPARE(formatBytes(2048), std::string("2.05 kB"));
    }

    void smoothingIsTheDefaultOfCharts() {
        WindowFixture fixture;
        const Restored restored(fixture);
        MainWindow& window = *fixture.window;
        PreferencesDialog& dialog = openPreferences(window);
        window.pages().compare->controls()->setSmoothing(0.9); // chosen there
        auto* spin = static_cast<QDoubleSpinBox*>(dialog.control(Item::Smoothing));
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("0.2"));
        QTest::keyClick(spin, Qt::Key_Return);
        QTRY_COMPARE(window.pages().history->board().options().smoothing, 0.2);
        QCOMPARE(window.pages()
                     .compare->controls()
                     ->keptState()
                     .value(QStringLiteral("smoothing"))
                     .toDouble(),
                 0.9);
        QVERIFY(
            !window.pages().history->controls()->keptState().contains(QStringLiteral("smoothing")));
    }

    void theCacheIsLimitedAndCleared() {
        WindowFixture fixture;
        const Restored restored(fixture);
        const IndexCache cache = IndexCache::ofUser();
        const std::vector<std::byte> bytes(50'000);
        QVERIFY(cache.write("a", bytes));
        const store::BlockCache blocks = store::BlockCache::ofUser(); // of remote files
        blocks.put({"me@far", "/runs/a.pt", {1, 2, 12'288, 3}}, 0, std::string(12'288, 'x'));
        QVERIFY(blocks.used() > 12'288);
        PreferencesDialog& dialog = openPreferences(*fixture.window);
        for (const QString& used : {text::bytes(cache.used()), text::bytes(blocks.used())}) {
            QTRY_VERIFY_WITH_TIMEOUT(dialog.cacheText().contains(used), kTimeoutMs);
        }
        auto* limit = static_cast<QPushButton*>(dialog.control(Item::Cache));
        limit->menu()->actions().at(3)->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(cache.limit(), std::uint64_t{2} << 30U, kTimeoutMs);
        for (QPushButton* each : dialog.findChildren<QPushButton*>()) {
            if (each->text() == QStringLiteral("Clear")) {
                QTRY_VERIFY_WITH_TIMEOUT(each->isEnabled(), kTimeoutMs);
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(cache.used(), std::uint64_t{0}, kTimeoutMs);
        QTRY_COMPARE_WITH_TIMEOUT(blocks.used(), std::uint64_t{0}, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.cacheText().contains(QStringLiteral("0 B")), kTimeoutMs);
        limit->menu()->actions().at(0)->trigger(); // off
        QTRY_COMPARE_WITH_TIMEOUT(cache.limit(), std::uint64_t{0}, kTimeoutMs);
        QVERIFY(!cache.write("a", bytes));
        fixture.window->preferences().set({});
        QTRY_COMPARE_WITH_TIMEOUT(cache.limit(), IndexCache::kMaxFolder, kTimeoutMs);
    }

    void invalidSettingsAreIgnored() {
        WindowFixture fixture;
        QSettings& settings = fixture.settings();
        settings.setValue(QStringLiteral("preferences/theme"), 7);
        settings.setValue(QStringLiteral("preferences/fontSize"), QStringLiteral("huge"));
        settings.setValue(QStringLiteral("preferences/monospaceSize"), -4);
        settings.setValue(QStringLiteral("preferences/smoothing"), 17);
        settings.setValue(QStringLiteral("preferences/cacheBytes"), QStringLiteral("-1x"));
        settings.setValue(QStringLiteral("shortcuts/refresh"), QStringLiteral("X"));
        settings.setValue(QStringLiteral("shortcuts/nothing"), QStringLiteral("Ctrl+R"));
        MainWindow again(fixture.services, settings);
        QVERIFY(again.preferences().values() == Preferences::Values());
        QVERIFY(again.actions().refresh->shortcuts().isEmpty());
    }

    void everyActionHasAName() {
        const WindowFixture fixture;
        QSet<QString> names;
        for (const QAction* action : fixture.window->shortcuts().actions()) {
            QVERIFY2(!action->objectName().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
            names.insert(action->objectName());
        }
    }

    void aShortcutIsChangedUsedAndKept() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        PreferencesDialog& dialog = openPreferences(window);
        dialog.showItem(Item::Shortcuts);
        ShortcutPage& page = *dialog.shortcutPage();
        selectAction(page, QStringLiteral("open sample"));
        QCOMPARE(page.list()->model()->rowCount(), 1);
        QTest::keyClick(page.edit(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        const QKeySequence keys(QStringLiteral("Ctrl+Shift+G"));
        QTRY_COMPARE(window.actions().openSample->shortcut(), keys);
        picture(dialog, QStringLiteral("shortcuts"), {600, 520});
        {
            MainWindow again(fixture.services, fixture.settings());
            QCOMPARE(again.actions().openSample->shortcut(), keys);
        }
        for (QPushButton* each : page.findChildren<QPushButton*>()) {
            if (each->text() == QStringLiteral("Reset")) {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        QVERIFY(window.actions().openSample->shortcut().isEmpty());
        QVERIFY(!fixture.settings().contains(QStringLiteral("shortcuts/openSample")));
    }

    void aConflictIsSaidAndOnlyResolvedOnRequest() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        PreferencesDialog& dialog = openPreferences(window);
        dialog.showItem(Item::Shortcuts);
        ShortcutPage& page = *dialog.shortcutPage();
        selectAction(page, QStringLiteral("open sample"));
        QTest::keyClick(page.edit(), Qt::Key_R, Qt::ControlModifier); // Refresh
        QTRY_VERIFY(page.message().contains(QStringLiteral("Refresh")));
        picture(dialog, QStringLiteral("shortcut-conflict"), {600, 520});
        QVERIFY(window.actions().openSample->shortcut().isEmpty());
        QCOMPARE(window.actions().refresh->shortcuts().size(), 2);
        for (QPushButton* each : page.findChildren<QPushButton*>()) {
            if (each->text() == QStringLiteral("Reassign")) {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        QCOMPARE(window.actions().openSample->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        QCOMPARE(window.actions().refresh->shortcuts(), QList{QKeySequence(Qt::Key_F5)});
        QTest::keyClick(page.edit(), Qt::Key_B); // would be taken from typing
        QTRY_VERIFY(page.message().contains(QStringLiteral("Ctrl")));
        QCOMPARE(window.actions().openSample->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        for (QPushButton* each : page.findChildren<QPushButton*>()) {
            if (each->text() == QStringLiteral("Remove")) {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        QVERIFY(window.actions().openSample->shortcuts().isEmpty());
        {
            MainWindow again(fixture.services, fixture.settings());
            QCOMPARE(again.actions().refresh->shortcuts(), QList{QKeySequence(Qt::Key_F5)});
        }
        window.shortcuts().resetAll();
        QCOMPARE(window.actions().refresh->shortcuts().size(), 2);
        QVERIFY(window.actions().openSample->shortcut().isEmpty());
    }

    void thePaletteOpensAPreference() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.actions().palette->trigger();
        QTest::keyClicks(window.commandPalette()->field(), QStringLiteral("dark"));
        QCOMPARE(window.commandPalette()->list()->count(), 1);
        QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
        QVERIFY(window.preferencesDialog() != nullptr);
        QVERIFY(window.preferencesDialog()->isVisible());
        window.actions().palette->trigger();
        QTest::keyClicks(window.commandPalette()->field(), QStringLiteral("hotkeys"));
        QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
        QVERIFY(window.preferencesDialog()->shortcutPage()->isVisible());
    }

    void theManualOpensAtTheCurrentPage() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().consolidate));
        window.actions().manual->trigger();
        Manual& manual = *window.manual();
        QCOMPARE(manual.current(), QStringLiteral("consolidate"));
        QCOMPARE(manual.pages().size(), 8);
        for (const Manual::Page& page : manual.pages()) {
            QVERIFY2(page.text.size() > 400 && !page.title.isEmpty(), qPrintable(page.name));
        }
        picture(manual, QStringLiteral("manual"), {860, 640});
        manual.showPage(QStringLiteral("keys"));
        QVERIFY(manual.text()->toPlainText().contains(QStringLiteral("Ctrl+E")));
        QVERIFY(
            manual.text()->toPlainText().contains(QStringLiteral("Consolidate for Deployment")));
        picture(manual, QStringLiteral("manual-keys"), {860, 640});
        QTest::keyClicks(manual.search(), QStringLiteral("wastebasket undo"));
        QCOMPARE(manual.list()->count(), 3);
        QVERIFY(manual.text()->textCursor().hasSelection());
        QTest::keyClicks(manual.search(), QStringLiteral("zzz"));
        QCOMPARE(manual.list()->count(), 0);
        picture(manual, QStringLiteral("manual-nothing"), {600, 420});
        QTest::keyClick(manual.search(), Qt::Key_Escape);
        QVERIFY(!manual.isVisible());
    }

    void everyLinkOfTheManualLeadsToAPage() {
        Manual manual({});
        QSet<QString> names;
        for (const Manual::Page& page : manual.pages()) {
            names.insert(page.name + QStringLiteral(".md"));
        }
        for (const Manual::Page& page : manual.pages()) {
            static const QRegularExpression link(QStringLiteral("\\]\\(([^)]*)\\)"));
            for (auto found = link.globalMatch(page.text); found.hasNext();) {
                const QString target = found.next().captured(1);
                QVERIFY2(names.contains(target), qPrintable(page.name + target));
            }
        }
    }

    void theReportHasNoNamesUnlessAskedFor() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        window.openPaths({fixture.folder() / "secret-project"}); // does not exist
        QVERIFY(waitUntil([&] { return window.isSettled(); }, kTimeoutMs));
        window.actions().reportProblem->trigger();
        auto* report = window.findChild<ProblemReport*>();
        QVERIFY(report != nullptr);
        picture(*report, QStringLiteral("report"), {640, 460});
        const QString plain = report->text();
        QVERIFY(plain.contains(QStringLiteral("Cairn: test")));
        QVERIFY(plain.contains(QStringLiteral("tensors")));
        QVERIFY(plain.contains(QStringLiteral("not-found")));
        for (const QString& name :
             {QStringLiteral("secret"), QStringLiteral("step-400"), QStringLiteral("/tmp"),
              QStringLiteral("tiny-llama"), QDir::home().dirName() + QLatin1Char('/')}) {
            QVERIFY2(!plain.contains(name), qPrintable(name));
        }
        QTest::mouseClick(report->names(), Qt::LeftButton);
        QVERIFY(report->text().contains(QStringLiteral("secret-project")));
        QVERIFY(report->text().contains(QStringLiteral("step-400")));
        for (QPushButton* each : report->findChildren<QPushButton*>()) {
            if (each->text() == QStringLiteral("Copy")) {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        QCOMPARE(QGuiApplication::clipboard()->text(), report->text());
    }

private:
    QTemporaryDir m_cache;
};

QTEST_MAIN(PreferencesTest)
#include "preferences_test.moc"
