// SPDX-License-Identifier: GPL-3.0-or-later
// Two more ways through the window that have to work: find the best checkpoint of a run by its
// curve; compare two runs and reach the tensor that changed most.
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/history/history_page.h"
#include "ui/shell/workspace.h"
#include "ui/widgets/button.h"

#include <QAction>
#include <QSignalSpy>

#include <cmath>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

/// The row of a run.
QModelIndex runRow(const MainWindow& window, const char* name) {
    const NavigatorModel& model = *window.navigator()->model();
    const QModelIndex root = model.index(0, 0);
    for (int row = 0; row < model.rowCount(root); ++row) {
        if (model.index(row, 0, root).data().toString() == QLatin1String(name)) {
            return model.index(row, 0, root);
        }
    }
    return {};
}

} // namespace

class RunWorkflowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The evaluation's curve is lowest near one of its ticks; a click there selects the file.
    void findTheBestCheckpointByItsCurve() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        HistoryPage& page = *window.pages().history;
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&page));
        QTRY_VERIFY_WITH_TIMEOUT(page.showsCharts(), kTimeoutMs);
        page.setFilter(QStringLiteral("eval"));
        QTest::qWait(50);
        CurveChart* chart = page.grid()->chart(QStringLiteral("eval_loss"));
        QVERIFY(chart != nullptr);
        const CurveData& curve = *chart->chartContent().curves.at(0).data;
        const auto lowest = std::min_element(curve.y().begin(), curve.y().end());
        const double best = curve.x()[static_cast<std::size_t>(lowest - curve.y().begin())];
        // The mouse moves there: the crosshair shows the values on every chart.
        const PlotFrame& frame = chart->canvas()->scene().frame();
        const QPoint place(static_cast<int>(std::lround(frame.toX(best))),
                           static_cast<int>(frame.area.center().y()));
        QTest::mouseMove(chart->canvas(), place);
        QTRY_VERIFY(page.board().crosshair().has_value());
        QVERIFY(std::abs(*page.board().crosshair() - best) < 20);
        // And to the nearest tick of a checkpoint.
        const ChartContent& content = chart->chartContent();
        const auto nearest = std::ranges::min_element(
            content.ticks, {}, [&](const ChartTick& tick) { return std::abs(tick.x - best); });
        QTest::mouseClick(chart->canvas(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(std::lround(frame.toX(nearest->x))),
                                 static_cast<int>(frame.area.bottom()) - 4));
        QTRY_COMPARE_WITH_TIMEOUT(window.navigator()->currentPath(), nearest->checkpoint,
                                  kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint() &&
                                     window.checkpoint()->path() == nearest->checkpoint,
                                 kTimeoutMs);
        // It is marked on the curve now.
        QTRY_VERIFY(std::ranges::any_of(chart->chartContent().ticks, [&](const ChartTick& tick) {
            return tick.selected && tick.checkpoint == nearest->checkpoint;
        }));
    }

    void compareTwoRuns() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QTreeView* tree = window.navigator()->view();
        tree->setFocus();
        tree->setCurrentIndex(runRow(window, "tiny-llama-a"));
        QTest::keyClick(tree, Qt::Key_X);
        tree->setCurrentIndex(runRow(window, "tiny-llama-b"));
        QTest::keyClick(tree, Qt::Key_X);
        ComparePage& page = *window.pages().compare;
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&page));
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.showsResult(), kTimeoutMs);
        QCOMPARE(page.runsLine(), QStringLiteral("tiny-llama-a vs tiny-llama-b"));
        QCOMPARE(page.grid()->shownNames().front(), QStringLiteral("loss"));
        // The letters are the same on the left and on the History page.
        QCOMPARE(runRow(window, "tiny-llama-b").data(NavigatorModel::RunMarkRole).toInt(), 1);
        fixture.choose("tiny-llama-b/checkpoint_epoch_2.pt");
        HistoryPage& history = *window.pages().history;
        QTRY_VERIFY_WITH_TIMEOUT(
            history.showsCharts() &&
                history.grid()->contentOf(QStringLiteral("loss")).curves.at(0).letter ==
                    QStringLiteral("B train"),
            kTimeoutMs);
        QCOMPARE(history.grid()->contentOf(QStringLiteral("loss")).curves.at(0).series, 1);
        // The last pair is selected; its action opens the diff.
        QTRY_VERIFY_WITH_TIMEOUT(page.weights().state() == WeightDistance::State::Done, kTimeoutMs);
        QSignalSpy diffs(&page, &ComparePage::diffRequested);
        QVERIFY(page.side()->diffButton()->isVisible());
        page.side()->diffButton()->click();
        QCOMPARE(diffs.size(), 1);
        QCOMPARE(diffs[0][0].value<std::filesystem::path>().filename(),
                 std::filesystem::path("step-400"));
    }

    void choosesADifferentRunOnThePage() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        ComparePage& page = *window.pages().compare;
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&page));
        QVERIFY(!page.showsResult()); // the shown run is proposed as A, B is not chosen yet
        const NavigatorModel& model = *window.navigator()->model();
        const auto run = model.runAt(runRow(window, "tiny-llama-b"));
        QVERIFY(run);
        Q_EMIT page.runsChosen(model.runAt(runRow(window, "tiny-llama-a")), run);
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.showsResult(), kTimeoutMs);
        QCOMPARE(runRow(window, "tiny-llama-a").data(NavigatorModel::RunMarkRole).toInt(), 0);
        window.navigator()->clearMarks();
        QVERIFY(!page.showsResult());
    }
};

QTEST_MAIN(RunWorkflowTest)
#include "run_workflow_test.moc"
