// SPDX-License-Identifier: GPL-3.0-or-later
// From two runs to the tensor that changed most, and from a tensor to its way through the run.
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_grid.h"
#include "ui/inspector/inspector.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/diff/fold_answer.h"
#include "ui/pages/history/history_page.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/button.h"

#include <QAction>

#include <algorithm>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

std::filesystem::path nameOf(const CheckpointPtr& checkpoint) {
    return checkpoint ? checkpoint->path().filename() : std::filesystem::path();
}

} // namespace

class DiffWorkflowTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_cache;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CACHE_HOME", m_cache.path().toLocal8Bit()); }

    void fromTwoRunsToTheMostChangedTensor() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.resize(1440, 900); // the side panel is folded in a narrow window
        QVERIFY(fixture.open("tiny-llama-b/checkpoint_epoch_1.pt"));
        const NavigatorModel& model = *window.navigator()->model();
        const auto run = [&](const char* checkpoint) {
            return model.runAt(model.find(fixture.experiment() / checkpoint));
        };
        ComparePage& compare = *window.pages().compare;
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&compare));
        Q_EMIT compare.runsChosen(run("tiny-llama-a/step-400"),
                                  run("tiny-llama-b/checkpoint_epoch_1.pt"));
        QTRY_VERIFY_WITH_TIMEOUT(compare.isSettled() && compare.showsResult(), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(compare.side()->diffButton()->isVisible(), kTimeoutMs);
        compare.side()->diffButton()->click();
        DiffPage& diff = *window.pages().diff;
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&diff));
        QTRY_VERIFY_WITH_TIMEOUT(diff.document() && diff.document()->hasValues(), kTimeoutMs);
        QCOMPARE(nameOf(diff.document()->left.checkpoint), "step-400");
        QCOMPARE(nameOf(diff.document()->right.checkpoint), "checkpoint_epoch_3.pt");
        const DiffTree& tree = diff.document()->tree;
        const QString first = QString::fromStdString(tree.nodes[tree.root().children.front()].name);
        QTRY_COMPARE(diff.view()->model()->index(0, 0).data().toString(), first);
        const auto hasGone = [&] { // no row differs until they are arranged by the values
            window.actions().nextDifference->trigger();
            return diff.view()->currentIndex().isValid();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasGone(), kTimeoutMs);
        // The rows are sorted: the first tensor below the most changed module is current.
        const QString current =
            diff.view()->currentIndex().siblingAtColumn(0).data(RowRoles::FullName).toString();
        const DiffNode* node = &tree.root();
        while (!node->children.empty()) {
            node = &tree.nodes[node->children.front()];
        }
        QCOMPARE(current.section(QLatin1Char('.'), -1), QString::fromStdString(node->name));
        QVERIFY(node->pair.has_value());
    }

    void twoSelectedCheckpointsAreCompared() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        DiffPage& diff = *window.pages().diff;
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&diff));
        QTreeView* view = window.navigator()->view();
        const QModelIndex other =
            window.navigator()->model()->find(fixture.experiment() / "tiny-llama-a/step-100");
        view->scrollTo(other);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          view->visualRect(other).center());
        QTRY_VERIFY_WITH_TIMEOUT(diff.document() && diff.document()->hasValues(), kTimeoutMs);
        QCOMPARE(nameOf(diff.document()->left.checkpoint), "step-100");
        QCOMPARE(nameOf(diff.document()->right.checkpoint), "step-400");
    }

    /// Compare of two selected checkpoints of a run is their diff, whatever page is shown.
    void compareOpensTheDiffOfTwoSelectedCheckpoints() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().tensors));
        QTreeView* view = window.navigator()->view();
        const QModelIndex other =
            window.navigator()->model()->find(fixture.experiment() / "tiny-llama-a/step-100");
        view->scrollTo(other);
        for (const QModelIndex& each : {view->currentIndex(), other}) {
            view->selectionModel()->select(each,
                                           QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
        QCOMPARE(window.navigator()->selectedCheckpoints().size(), std::size_t{2});
        Button* compare = nullptr;
        for (Button* each : window.topBar()->findChildren<Button*>()) {
            compare = each->text() == QStringLiteral("Compare") ? each : compare;
        }
        QVERIFY(compare != nullptr && compare->isEnabled());
        QTest::mouseClick(compare, Qt::LeftButton);
        DiffPage& diff = *window.pages().diff;
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&diff));
        QTRY_VERIFY_WITH_TIMEOUT(diff.document() && diff.document()->hasValues(), kTimeoutMs);
        QCOMPARE(nameOf(diff.document()->left.checkpoint), "step-100");
        QCOMPARE(nameOf(diff.document()->right.checkpoint), "step-400");
        // No adapter is there: nothing to explain.
        QTRY_VERIFY(diff.foldAnswer()->isSettled());
        QVERIFY(!diff.foldAnswer()->button()->isVisible());
    }

    void diffWithPreviousCheckpoint() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        window.actions().diffPrevious->trigger();
        DiffPage& diff = *window.pages().diff;
        QTRY_VERIFY_WITH_TIMEOUT(diff.document() && diff.document()->hasValues(), kTimeoutMs);
        QCOMPARE(nameOf(diff.document()->left.checkpoint), "step-200");  // step-300 is incomplete
        QCOMPARE(nameOf(diff.document()->right.checkpoint), "step-400"); // the older one is A
        // Another checkpoint is compared with the same one.
        fixture.choose("tiny-llama-a/step-100");
        QTRY_VERIFY_WITH_TIMEOUT(
            diff.document() && nameOf(diff.document()->left.checkpoint) == "step-100", kTimeoutMs);
        QCOMPARE(nameOf(diff.document()->right.checkpoint), "step-200");
    }

    /// A run without logs has the curves that are stored in its checkpoints.
    void numbersInCheckpointsAreCurves() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        std::filesystem::remove(fixture.experiment() / "tiny-llama-b" / "metrics.csv");
        QVERIFY(fixture.open("tiny-llama-b/checkpoint_epoch_2.pt"));
        HistoryPage& history = *window.pages().history;
        window.workspace()->setCurrentTab(window.workspace()->tabOf(&history));
        QTRY_VERIFY_WITH_TIMEOUT(history.showsCharts(), kTimeoutMs);
        const ChartContent loss = history.grid()->contentOf(QStringLiteral("loss"));
        const auto x = loss.curves.at(0).data->x();
        QCOMPARE(std::vector<double>(x.begin(), x.end()), (std::vector<double>{128, 256, 384}));
    }

    void plotsATensorAcrossCheckpoints() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        const CheckpointPtr checkpoint = window.checkpoint();
        window.pages().inspector->showTensor(checkpoint, *checkpoint->find("lm_head.weight"));
        HistoryPage& history = *window.pages().history;
        auto buttons = window.pages().inspector->findChildren<Button*>();
        const auto over =
            std::ranges::find(buttons, QStringLiteral("Across Checkpoints"), &Button::text);
        QVERIFY(over != buttons.end());
        (*over)->click();
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(&history));
        const QString name = QStringLiteral("lm_head.weight · L2 norm");
        QTRY_VERIFY_WITH_TIMEOUT(!history.grid()->shownNames().empty() &&
                                     history.grid()->shownNames().front() == name,
                                 kTimeoutMs);
        const ChartContent content = history.grid()->contentOf(name);
        const CurveData& curve = *content.curves.at(0).data;
        QCOMPARE(std::vector<double>(curve.x().begin(), curve.x().end()),
                 (std::vector<double>{100, 200, 400}));
        QVERIFY(content.noteFull.contains(QStringLiteral("step-300"))); // a shard is missing
        // All weights, and another measure.
        history.showWeights(QString(), true);
        QTRY_VERIFY_WITH_TIMEOUT(!history.weights().isMeasuring(), kTimeoutMs);
        QCOMPARE(history.weights().names().size(), std::size_t{4});
        window.resize(1440, 900);
        QVERIFY(test::saveScreenshots(window, QStringLiteral("weights-over-run")));
        history.weights().setMeasures({WeightMeasure::Change});
        QTRY_VERIFY_WITH_TIMEOUT(!history.weights().isMeasuring(), kTimeoutMs);
        const QString change = QStringLiteral("lm_head.weight · change from previous checkpoint");
        QTRY_COMPARE(history.weights().names().front(), change);
        QVERIFY(history.grid()->contentOf(change).curves.at(0).data->size() >= 1);
        // The checkpoint of another run has none of these.
        fixture.choose("tiny-llama-b/checkpoint_epoch_2.pt");
        QTRY_VERIFY_WITH_TIMEOUT(history.weights().names().empty(), kTimeoutMs);
    }
};

QTEST_MAIN(DiffWorkflowTest)
#include "diff_workflow_test.moc"
