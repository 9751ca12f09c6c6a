// SPDX-License-Identifier: GPL-3.0-or-later
// More ways through the window that have to work: find the best checkpoint of a run by its curve;
// compare two runs and reach the tensor that changed most; the runs of a folder as a table.
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_header.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/button.h"

#include <QAction>
#include <QLineEdit>
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
        const ChartContent content = chart->chartContent(); // a click makes another one
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
        QCOMPARE(page.grid()->shownNames().front(), QStringLiteral("eval_loss"));
        // It begins with the result.
        const QString sentence = page.header()->sentence();
        QVERIFY2(sentence.startsWith(QStringLiteral("B is worse: eval_loss ")) &&
                     sentence.contains(QStringLiteral("lr 0.004 → 0.001")),
                 qPrintable(sentence));
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

    /// Rows of the Runs page that are selected are compared, with the mouse or with keys; A and B
    /// are exchanged by a button, and Back returns to the rows.
    void compareTwoRowsOfTheTable() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(880, 560); // the right column is hidden
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        RunsPage& runs = *window.pages().runs;
        ComparePage& page = *window.pages().compare;
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&runs));
        QTRY_VERIFY_WITH_TIMEOUT(runs.isSettled() && runs.model()->rowCount() > 3, kTimeoutMs);
        const auto clickRow = [&](const char* name, Qt::KeyboardModifiers keys = {}) {
            const QModelIndex index = runs.model()->findRun(fixture.experiment() / name);
            runs.view()->scrollTo(index);
            QTest::mouseClick(runs.view()->viewport(), Qt::LeftButton, keys,
                              runs.view()->visualRect(index).center());
        };
        clickRow("tiny-llama-a");
        clickRow("tiny-llama-b", Qt::ControlModifier);
        QCOMPARE(runs.selectedRuns().size(), std::size_t{2});
        Button* compare = nullptr;
        for (Button* each : window.topBar()->findChildren<Button*>()) {
            compare = each->text() == QStringLiteral("Compare") ? each : compare;
        }
        QVERIFY(compare != nullptr && compare->isVisible());
        QTest::mouseClick(compare, Qt::LeftButton);
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&page));
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.showsResult(), kTimeoutMs);
        QCOMPARE(page.runsLine(), QStringLiteral("tiny-llama-a vs tiny-llama-b"));
        // What the hidden column says is above the settings; it returns there in a wide window.
        QVERIFY2(
            page.header()->divergence().contains(QStringLiteral("diverge by more than 1\u00a0%")),
            qPrintable(page.header()->divergence()));
        window.resize(1440, 900);
        QTRY_VERIFY(page.side()->isVisible() && page.header()->divergence().isEmpty());
        window.resize(880, 560);
        QTRY_VERIFY(!page.header()->divergence().isEmpty());
        // Exchanged: the sentence, the letters on the left.
        Button* swap = nullptr;
        for (Button* each : page.findChildren<Button*>()) {
            swap = each->text() == QStringLiteral("Swap") ? each : swap;
        }
        QVERIFY(swap != nullptr && swap->isEnabled());
        QTest::mouseClick(swap, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(
            page.isSettled() && page.showsResult() &&
                page.header()->sentence().startsWith(QStringLiteral("B is better: eval_loss ")),
            kTimeoutMs);
        QCOMPARE(page.runsLine(), QStringLiteral("tiny-llama-b vs tiny-llama-a"));
        QCOMPARE(runRow(window, "tiny-llama-b").data(NavigatorModel::RunMarkRole).toInt(), 0);
        QVERIFY(swap->hasFocus());
        // Back by keys: the rows are still selected.
        window.actions().back->trigger();
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&runs));
        QTRY_VERIFY(runs.isSettled());
        QCOMPARE(runs.selectedRuns().size(), std::size_t{2});
        // The same by keys, from the first row.
        window.navigator()->clearMarks();
        QTRY_VERIFY(runs.isSettled());
        runs.view()->setFocus();
        runs.view()->setCurrentIndex(runs.model()->findRun(fixture.experiment() / "tiny-llama-a"));
        QTest::keyClick(runs.view(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(runs.selectedRuns().size(), std::size_t{2});
        QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&page));
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.showsResult(), kTimeoutMs);
        QVERIFY(page.isAncestorOf(QApplication::focusWidget()));
    }

    /// Compare leads to the page that overlays more than two; from there to the first pair.
    void compareThreeRuns() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        window.navigator()->setMarks({fixture.experiment() / "tiny-llama-a",
                                      fixture.experiment() / "tiny-llama-b",
                                      fixture.experiment() / "tiny-mlp-jax"});
        Q_EMIT window.topBar()->compareClicked();
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(window.pages().runs));
        Q_EMIT window.topBar()->compareClicked();
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(window.pages().compare));
    }

    /// The folder's row shows its runs as a table; rows and marks are those of the navigator.
    void theRunsOfAFolder() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        RunsPage& page = *window.pages().runs;
        QTreeView* tree = window.navigator()->view();
        const auto clickRow = [](QAbstractItemView& view, const QModelIndex& index) {
            QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
        };
        tree->scrollToTop();
        clickRow(*tree, window.navigator()->model()->index(0, 0));
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&page));
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.model()->rowCount() > 3, kTimeoutMs);
        window.navigator()->setMarks(std::vector<std::filesystem::path>()); // of the best ones
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled(), kTimeoutMs);
        const auto rowOf = [&](const char* name) {
            return page.model()->findRun(fixture.experiment() / name);
        };
        // A row selects its run on the left; the page stays.
        clickRow(*page.view(), rowOf("tiny-llama-b"));
        QTRY_COMPARE(window.navigator()->currentPath(), fixture.experiment() / "tiny-llama-b");
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&page));
        QCOMPARE(page.side()->headline(), QStringLiteral("tiny-llama-b"));
        QVERIFY(page.side()->isVisible());
        // Marked here, marked there.
        page.view()->setFocus();
        QTest::keyClick(page.view(), Qt::Key_X);
        QCOMPARE(runRow(window, "tiny-llama-b").data(NavigatorModel::RunMarkRole).toInt(), 0);
        clickRow(*page.view(), rowOf("tiny-llama-a"));
        QTest::keyClick(page.view(), Qt::Key_Space);
        QCOMPARE(runRow(window, "tiny-llama-a").data(NavigatorModel::RunMarkRole).toInt(), 1);
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&page));
        QTRY_VERIFY_WITH_TIMEOUT(
            page.charts()->contentOf(QStringLiteral("loss")).curves.size() == 2, kTimeoutMs);
        // A filter in the toolbar.
        QVERIFY(window.topBar()->filterField()->isEnabled());
        QTest::keyClicks(window.topBar()->filterField(), QStringLiteral("llama lr > 0.002"));
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.model()->rowCount() == 1, kTimeoutMs);
        QVERIFY(rowOf("tiny-llama-a").isValid());
        // Enter opens its best checkpoint.
        page.view()->setFocus();
        page.view()->setCurrentIndex(rowOf("tiny-llama-a"));
        QTest::keyClick(page.view(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint(), kTimeoutMs);
        QCOMPARE(window.checkpoint()->path().parent_path(), fixture.experiment() / "tiny-llama-a");
        QVERIFY(window.workspace()->currentPage() != static_cast<Page*>(&page));
    }

    /// The best checkpoints of two runs, chosen in the table, become a job that averages them.
    void averageTheBestOfTwoRuns() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900);
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        RunsPage& page = *window.pages().runs;
        window.navigator()->view()->setCurrentIndex(window.navigator()->model()->index(0, 0));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&page));
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.model()->rowCount() > 1, kTimeoutMs);
        QItemSelection both;
        for (const char* name : {"tiny-llama-a", "tiny-llama-b"}) {
            const QModelIndex index = page.model()->findRun(fixture.experiment() / name);
            QVERIFY(index.isValid());
            both.select(index, index);
        }
        page.view()->selectionModel()->select(both, QItemSelectionModel::ClearAndSelect |
                                                        QItemSelectionModel::Rows);
        QVERIFY(page.side()->averageButton()->isVisible());
        QTest::mouseClick(page.side()->averageButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.deployment().planned() != nullptr,
                                 kTimeoutMs);
        QCOMPARE(window.workspace()->currentPage(), window.pages().consolidate);
        const std::vector<Location>& members = window.deployment().choices().request.sources;
        QCOMPARE(members.size(), std::size_t{2});
        QVERIFY(members[0].path().parent_path() != members[1].path().parent_path());
        QVERIFY(window.deployment().planned()->plan.output.filename().string().find("average-") !=
                std::string::npos);
        // Another checkpoint is written alone again.
        fixture.choose("tiny-llama-a/step-200");
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !averages(window.deployment().choices()),
                                 kTimeoutMs);
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
