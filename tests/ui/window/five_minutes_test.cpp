// SPDX-License-Identifier: GPL-3.0-or-later
// A newcomer's first five minutes with the sample, with nothing but the mouse and the keyboard.
#include "tests/ui/support/gui_watchdog.h"
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/job_pages.h"
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/inspector/inspector.h"
#include "ui/models/row_roles.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QScrollArea>
#include <QTabBar>

#include <optional>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

constexpr double kMostWorkMs = 100; ///< of one event, on a slow machine

/// A click into a place of a menu that is open.
void clickEntry(QMenu* menu, const QString& text) {
    QVERIFY(menu != nullptr);
    QTRY_VERIFY(menu->isVisible());
    for (QAction* action : menu->actions()) {
        if (action->text() == text) {
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
            return;
        }
    }
    QFAIL(qPrintable(text));
}

void clickButtonMenu(Button* button, const QString& entry) {
    QVERIFY(button != nullptr && button->isVisible());
    // A click opens the menu and returns when it is closed: the entry is clicked from inside.
    QTimer::singleShot(0, button, [button, entry] { clickEntry(button->menu(), entry); });
    QTest::mouseClick(button, Qt::LeftButton);
}

} // namespace

class FiveMinutesTest : public QObject {
    Q_OBJECT

    std::optional<GuiWatchdog> m_watchdog;
    WindowFixture m_fixture;

    MainWindow& window() { return *m_fixture.window; }
    bool isSettled() {
        return waitUntil([this] { return window().isSettled(); }, kTimeoutMs);
    }
    void clickRow(QTreeView* view, const QModelIndex& index, Qt::KeyboardModifiers held = {}) {
        QVERIFY(index.isValid());
        view->scrollTo(index);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, held, view->visualRect(index).center());
    }
    void clickCheckpoint(const char* below) {
        Navigator* navigator = window().navigator();
        clickRow(navigator->view(), navigator->model()->find(m_fixture.experiment() / below));
        QVERIFY(waitUntil(
            [&] {
                return window().isSettled() && window().checkpoint() &&
                       window().checkpoint()->path().filename() ==
                           std::filesystem::path(below).filename();
            },
            kTimeoutMs));
    }
    void clickTab(const Page* page) {
        auto* tabs = window().workspace()->findChild<QTabBar*>();
        const int tab = window().workspace()->tabOf(page);
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
        QCOMPARE(window().workspace()->currentPage(), page);
    }

    void start() {
        m_fixture.window.reset();
        QTRY_VERIFY(QGuiApplication::focusWindow() == nullptr); // or it takes the next one's focus
        m_fixture.window = std::make_unique<MainWindow>(m_fixture.services, m_fixture.settings());
        window().resize(1440, 900);
        window().QWidget::show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        window().resume({});
    }

private Q_SLOTS:
    void initTestCase() {
        m_fixture.services.prepareSample = [path = m_fixture.experiment()](const CancelToken&) {
            return Result<std::filesystem::path>(path);
        };
        start(); // with a sample that can be opened
    }
    void init() {
        window().activateWindow(); // as a window manager does after a dialog
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        m_watchdog.emplace(QTest::currentTestFunction());
    }
    void cleanup() {
        const double work = m_watchdog->longestWorkMs();
        m_watchdog.reset();
        QVERIFY2(work < kMostWorkMs, qPrintable(QString::number(work)));
    }

    void opensTheSample() {
        Button* sample = nullptr;
        for (Button* each : window().findChildren<Button*>()) {
            sample = each->isVisible() && each->text().contains(QStringLiteral("Sample")) ? each
                                                                                          : sample;
        }
        QVERIFY(sample != nullptr && sample->isEnabled());
        QTest::mouseClick(sample, Qt::LeftButton);
        QVERIFY(waitUntil([this] { return window().isSettled() && window().checkpoint(); },
                          kTimeoutMs));
        QVERIFY(window().navigator()->model()->rowCount() > 0);
    }

    void theBiggestTileIsSelectedEverywhere() {
        clickCheckpoint("tiny-llama-a/step-100");
        SpacePage* space = window().pages().space;
        clickTab(space);
        TreemapView* map = space->view();
        QTRY_VERIFY_WITH_TIMEOUT(space->isSettled() && map->itemCount() > 2, kTimeoutMs);
        QTest::mouseClick(map, Qt::LeftButton, {}, map->itemRect(0).center().toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(map->currentItem() >= 0, kTimeoutMs);
        const auto tensor = map->map()->tensorOf(*map->selected());
        QVERIFY(tensor.has_value());
        const QString name = QString::fromStdString(window().checkpoint()->tensor(*tensor).name);
        const QString leaf = name.section(QLatin1Char('.'), -2, -2);
        QTRY_VERIFY2_WITH_TIMEOUT(showsText(*window().pages().inspector, leaf), qPrintable(name),
                                  kTimeoutMs);
        clickTab(window().pages().tensors);
        auto* list = qobject_cast<QTreeView*>(window().pages().tensors->filterTarget());
        QTRY_COMPARE_WITH_TIMEOUT(list->currentIndex().data(RowRoles::FullName).toString(), name,
                                  kTimeoutMs);
    }

    void theListNarrowsAndSorts() {
        QTest::keyClick(&window(), Qt::Key_F, Qt::ControlModifier);
        QLineEdit* field = window().topBar()->filterField();
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("attn"));
        TensorsPage* page = static_cast<TensorsPage*>(window().pages().tensors);
        QTRY_VERIFY_WITH_TIMEOUT(showsText(*page, QStringLiteral(" of ")), kTimeoutMs);
        auto* list = qobject_cast<QTreeView*>(page->filterTarget());
        for (int column = 0; column < list->model()->columnCount(); ++column) {
            const QString head = list->model()->headerData(column, Qt::Horizontal).toString();
            if (head == QStringLiteral("Size") && !list->isColumnHidden(column)) {
                clickHeader(*list, column);
            }
        }
        QVERIFY(list->header()->sortIndicatorSection() > 0);
        QTest::keyClick(field, Qt::Key_Down); // to the list
        QTRY_VERIFY(list->hasFocus());
        QTest::keyClick(list, Qt::Key_Home);
        for (int i = 0; i < 20 && !list->currentIndex()
                                       .data(RowRoles::FullName)
                                       .toString()
                                       .contains(QStringLiteral(".weight"));
             ++i) {
            QTest::keyClick(list, Qt::Key_Right);
            QTest::keyClick(list, Qt::Key_Down);
        }
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(
            QGuiApplication::clipboard()->text().contains(QStringLiteral("import ")),
            qPrintable(QGuiApplication::clipboard()->text()), kTimeoutMs);
        QTest::keyClick(&window(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(field->text().isEmpty());
    }

    void twoRunsAreCompared() {
        Navigator* navigator = window().navigator();
        const NavigatorModel& model = *navigator->model();
        clickRow(navigator->view(), model.findRun(m_fixture.experiment() / "tiny-llama-a"));
        clickRow(navigator->view(), model.findRun(m_fixture.experiment() / "tiny-llama-b"),
                 Qt::ControlModifier);
        Button* compare = button(*window().topBar(), QStringLiteral("Compare"));
        QVERIFY(compare != nullptr);
        QTest::mouseClick(compare, Qt::LeftButton);
        ComparePage& page = *window().pages().compare;
        QTRY_VERIFY_WITH_TIMEOUT(window().workspace()->currentPage() == &page && page.isSettled() &&
                                     page.showsResult(),
                                 kTimeoutMs);
        CurveChart* chart = page.grid()->chart(QStringLiteral("loss"));
        QVERIFY(chart != nullptr);
        QTRY_VERIFY(!chart->canvas()->scene().frame().area.isEmpty());
        const QRectF area = chart->canvas()->scene().frame().area;
        QTest::mouseMove(chart->canvas(), area.center().toPoint());
        QTRY_VERIFY(page.board().crosshair().has_value());
        QVERIFY(chart->readout().contains(QStringLiteral("A ")));
        QVERIFY(chart->canvas()->cursorLabel().has_value()); // beside the curve
        clickButtonMenu(button(page, QStringLiteral("View")), QStringLiteral("Logarithmic X Axis"));
        QTRY_COMPARE(page.board().options().xScale, Scale::Log);
        clickButtonMenu(button(page, QStringLiteral("Export")), QStringLiteral("SVG Image…"));
        QFileDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = window().findChild<QFileDialog*>()) != nullptr);
        const auto file = m_fixture.folder() / "chart.svg";
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name != nullptr);
        QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(name, QString::fromStdString(file.string()));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(
            std::filesystem::exists(file) && std::filesystem::file_size(file) > 1000, kTimeoutMs);
    }

    void theBestCheckpointIsDeployed() {
        clickCheckpoint("tiny-llama-a/step-400");
        QVERIFY(waitUntil([this] { return window().deployment().isReady(); }, kTimeoutMs));
        Button* start = button(*window().topBar(), QStringLiteral("Consolidate for Deployment"));
        QVERIFY(start != nullptr && start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
        ConsolidatePage* page = window().pages().consolidate;
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(*page, QStringLiteral("every byte compared")) != nullptr,
                                 kTimeoutMs);
        QVERIFY(button(*page, QStringLiteral("Open Folder")) != nullptr);
        QVERIFY(isSettled());
    }

    void theBrokenOneSaysWhy() {
        const NavigatorModel& model = *window().navigator()->model();
        std::filesystem::path broken;
        for (const auto& path :
             model.neighbours(m_fixture.experiment() / "tiny-llama-a/step-100")) {
            const ScannedCheckpoint* each = model.checkpointAt(model.find(path));
            broken = each->state == CheckpointState::Incomplete ? path : broken;
        }
        QVERIFY(!broken.empty());
        clickRow(window().navigator()->view(), model.find(broken));
        QVERIFY(waitUntil([this] { return window().isSettled(); }, kTimeoutMs));
        Button* start = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (start = button(*window().topBar(), QStringLiteral("Consolidate for Deployment…"))),
            kTimeoutMs);
        QTest::mouseClick(start, Qt::LeftButton);
        ConsolidatePage* page = window().pages().consolidate;
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(page));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(*page, QStringLiteral(".distcp")), kTimeoutMs);
    }

    void thePaletteRunsAnAction() {
        CommandPalette* palette = window().commandPalette();
        QTest::keyClick(&window(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(palette->isVisible());
        QTest::keyClicks(palette->field(), QStringLiteral("log"));
        QTRY_VERIFY_WITH_TIMEOUT(palette->list()->count() > 0, kTimeoutMs);
        palette->field()->clear();
        QTest::keyClicks(palette->field(), QStringLiteral("newest complete"));
        QTRY_VERIFY_WITH_TIMEOUT(palette->list()->count() > 0, kTimeoutMs);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint() &&
                                     window().checkpoint()->path().filename() == "step-400",
                                 kTimeoutMs);
    }

    void theJobIsCopiedAsACommand() {
        QVERIFY(
            waitUntil([this] { return window().actions().copyCommand->isEnabled(); }, kTimeoutMs));
        CommandPalette* palette = window().commandPalette();
        QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(palette->isVisible());
        QTest::keyClicks(palette->field(), QStringLiteral("copy as command"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(
            QStringLiteral("cairn-cli consolidate")));
    }

    void theNextStartContinuesHere() {
        clickTab(window().pages().tensors);
        const int tab = window().workspace()->currentTab();
        QVERIFY(window().close());
        start();
        QVERIFY(waitUntil([this] { return window().isSettled() && window().checkpoint(); },
                          kTimeoutMs));
        QCOMPARE(window().workspace()->currentTab(), tab);
        QVERIFY(window()
                    .navigator()
                    ->model()
                    ->find(m_fixture.experiment() / "tiny-llama-a/step-100")
                    .isValid());
    }
};

QTEST_MAIN(FiveMinutesTest)
#include "five_minutes_test.moc"
