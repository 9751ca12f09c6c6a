// SPDX-License-Identifier: GPL-3.0-or-later
// What is clicked on the left is what the page and the inspector show.
#include "tests/ui/support/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/models/row_view.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/page_info.h"
#include "ui/pages/summary/run_summary.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/card.h"

#include <QAction>
#include <QHeaderView>
#include <QSignalSpy>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

QModelIndex rowNamed(const MainWindow& window, const char* name) {
    const NavigatorModel& model = *window.navigator()->model();
    const QModelIndex root = model.index(0, 0);
    for (int row = 0; row < model.rowCount(root); ++row) {
        if (model.index(row, 0, root).data().toString() == QLatin1String(name)) {
            return model.index(row, 0, root);
        }
    }
    return {};
}

void click(QTreeView* view, const QModelIndex& index) {
    view->scrollTo(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
}

bool inspectorSays(const MainWindow& window, const QString& text) {
    const auto labels = const_cast<MainWindow&>(window).pages().inspector->findChildren<QLabel*>();
    return std::ranges::any_of(
        labels, [&](const QLabel* label) { return !label->isHidden() && label->text() == text; });
}

} // namespace

class SelectionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunShowsItsCurveAndItsCheckpoints() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        Workspace& workspace = *window.workspace();
        const int tensors = workspace.tabOf(window.pages().tensors);
        const int summary = workspace.tabOf(window.pages().summary);
        const int history = workspace.tabOf(window.pages().history);
        workspace.setCurrentTab(tensors);

        QTreeView* view = window.navigator()->view();
        const QModelIndex row = rowNamed(window, "tiny-llama-a");
        click(view, row);
        QCOMPARE(workspace.currentTab(), summary);
        QVERIFY(!workspace.isTabEnabled(tensors));
        QVERIFY(workspace.isTabEnabled(history));
        RunSummary* run = window.pages().summary->run();
        QVERIFY(run->isVisible());
        const auto place = window.navigator()->model()->runAt(row);
        QVERIFY(place);
        QCOMPARE(run->table()->model()->rowCount(),
                 static_cast<int>(place->run.checkpoints.size() - place->run.links()));
        QVERIFY(inspectorSays(window, QStringLiteral("tiny-llama-a")));
        QVERIFY(!window.checkpoint());
        QVERIFY(!window.actions().consolidate->isEnabled());

        // The History page draws the same run.
        workspace.setCurrentTab(history);
        QTRY_VERIFY_WITH_TIMEOUT(window.pages().history->showsCharts(), kTimeoutMs);
        workspace.setCurrentTab(summary);

        // A double click in the table opens that checkpoint.
        QTreeView* table = run->table();
        const QModelIndex first = table->model()->index(0, 0);
        click(table, first);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {},
                           table->visualRect(first).center());
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint(), kTimeoutMs);
        QCOMPARE(window.navigator()->currentPath(), window.checkpoint()->path());
        QVERIFY(workspace.isTabEnabled(tensors));
        QVERIFY(!run->isVisible());

        // Back shows the run again.
        window.actions().back->trigger();
        QVERIFY(run->isVisible());
        QCOMPARE(window.navigator()->view()->currentIndex(), rowNamed(window, "tiny-llama-a"));
        window.actions().forward->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.checkpoint() != nullptr, kTimeoutMs);
    }

    void thePageThatWasLeftComesBack() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        Workspace& workspace = *window.workspace();
        const int tensors = workspace.tabOf(window.pages().tensors);
        workspace.setCurrentTab(tensors);
        QTreeView* view = window.navigator()->view();
        click(view, rowNamed(window, "tiny-llama-b"));
        QVERIFY(workspace.currentTab() != tensors);
        fixture.choose("tiny-llama-a/step-100");
        QTRY_COMPARE_WITH_TIMEOUT(workspace.currentTab(), tensors, kTimeoutMs);

        // Unless another one was chosen meanwhile.
        click(view, rowNamed(window, "tiny-llama-b"));
        const int history = workspace.tabOf(window.pages().history);
        workspace.setCurrentTab(history);
        fixture.choose("tiny-llama-a/step-100");
        QTRY_VERIFY_WITH_TIMEOUT(window.checkpoint() != nullptr, kTimeoutMs);
        QCOMPARE(workspace.currentTab(), history);
    }

    void anExperimentShowsWhatComparesItsRuns() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        QTreeView* view = window.navigator()->view();
        click(view, window.navigator()->model()->index(0, 0));
        Workspace& workspace = *window.workspace();
        QVERIFY(workspace.currentPage()->info().shows == Page::Subject::Experiment);
        QVERIFY(!window.checkpoint());
        QVERIFY(inspectorSays(window, QStringLiteral("experiment")));
        for (std::size_t i = 0; i < workspace.pages().size(); ++i) {
            QCOMPARE(workspace.isTabEnabled(static_cast<int>(i)),
                     workspace.pages()[i]->info().shows == Page::Subject::Experiment);
        }
    }

    void theTableOfCheckpointsSortsByAnyColumn() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        click(window.navigator()->view(), rowNamed(window, "tiny-llama-a"));
        QTreeView* table = window.pages().summary->run()->table();
        const auto shown = [&](int column) {
            QStringList texts;
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                texts << table->model()->index(row, column).data().toString();
            }
            return texts;
        };
        const QStringList natural = shown(0);
        QVERIFY(natural.size() > 1);
        const int step = 1;
        const auto press = [&] {
            const int x = table->header()->sectionViewportPosition(step) + 10;
            QTest::mouseClick(table->header()->viewport(), Qt::LeftButton, {},
                              QPoint(x, table->header()->height() / 2));
        };
        press();
        QStringList ascending = shown(step);
        press();
        QStringList descending = shown(step);
        std::ranges::reverse(descending);
        QCOMPARE(ascending, descending);
        press(); // the third click: training order again
        QCOMPARE(shown(0), natural);
    }
};

QTEST_MAIN(SelectionTest)
#include "selection_test.moc"
