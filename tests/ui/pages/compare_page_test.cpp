// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one page: the sample's, copies of one run, and runs that are written here.
#include "core/runs/table/run_settings.h"
#include "tests/support/safetensors_file.h"
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/made_runs.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/models/row_delegate.h"
#include "ui/models/row_view.h"
#include "ui/pages/compare/compare_charts.h"
#include "ui/pages/compare/compare_footer.h"
#include "ui/pages/compare/compare_header.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/compare/pair_table.h"
#include "ui/pages/compare/run_picker.h"
#include "ui/pages/compare/settings_card.h"
#include "ui/pages/compare/settings_tree.h"
#include "ui/pages/compare/weights_card.h"
#include "ui/pages/notice_pane.h"
#include "ui/widgets/button.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

namespace cairn::ui {
namespace {

constexpr int kTimeoutMs = 60'000; ///< ms; the machine may be busy

/// The page next to its side panel, as in the window.
struct Shown {
    test::RunFolder folder;
    ComparePage* page = new ComparePage;
    QSplitter window;

    Shown() {
        window.addWidget(page);
        window.addWidget(page->side());
        page->side()->setVisible(true);
        window.setStretchFactor(0, 1);
        window.setSizes({1100, 290});
        window.resize(1390, 860);
        window.show();
    }
    bool compare(const RunPlace& left, const RunPlace& right) {
        page->compare(left, right);
        return QTest::qWaitFor([&] { return page->isSettled() && page->showsResult(); },
                               kTimeoutMs);
    }
    bool weighed() {
        return QTest::qWaitFor(
            [&] {
                const auto state = page->weights().state();
                return state == WeightDistance::State::Done ||
                       state == WeightDistance::State::Empty;
            },
            kTimeoutMs);
    }
    bool settled() {
        QTest::qWait(1);
        return QTest::qWaitFor([&] { return page->isSettled(); }, kTimeoutMs);
    }
};

QString cellsOf(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    QStringList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column) {
            cells << model.index(row, column, parent).data().toString();
        }
        rows << cells.join(QLatin1Char('|'));
        if (const QModelIndex first = model.index(row, 0, parent); model.hasChildren(first)) {
            rows << cellsOf(model, first);
        }
    }
    return rows.join(QLatin1Char('\n'));
}

Value dict(std::vector<std::pair<const char*, Value>> items) {
    std::vector<ValueItem> made;
    for (auto& [key, value] : items) {
        made.push_back({Value(std::string(key)), std::move(value)});
    }
    return Value::dict(std::move(made));
}

} // namespace

class ComparePageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void theSampleSideBySide() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.page->sidePanel() == nullptr); // the inspector stays
        QVERIFY(shown.compare(test::RunFolder::place(sample, "tiny-llama-a"),
                              test::RunFolder::place(sample, "tiny-llama-b")));
        const ComparePage& page = *shown.page;
        QCOMPARE(shown.page->sidePanel(), shown.page->side());
        // One metric for the sentence, the figures and the first chart.
        QCOMPARE(page.grid()->shownNames().front(), QStringLiteral("eval_loss"));
        QCOMPARE(page.side()->metric(), std::string("eval_loss"));
        QVERIFY2(page.header()->sentence().contains(QStringLiteral("eval_loss")),
                 qPrintable(page.header()->sentence()));
        QVERIFY(page.comparison()->metrics.size() >= 4);
        const ChartContent loss = page.grid()->contentOf(QStringLiteral("loss"));
        QCOMPARE(loss.curves.size(), std::size_t{2});
        QCOMPARE(loss.curves[0].letter, QStringLiteral("A"));
        QCOMPARE(loss.curves[1].letter, QStringLiteral("B"));
        QCOMPARE(loss.curves[1].series, 1);
        QCOMPARE(loss.ticks.size(), std::size_t{7}); // four and three checkpoints
        // The difference at the crosshair.
        shown.page->board().setCrosshair(200);
        const QString readout = page.grid()->chart(QStringLiteral("loss"))->readout();
        QVERIFY2(readout.contains(QStringLiteral("A ")) && readout.contains(QStringLiteral("B ")) &&
                     readout.contains(QLatin1Char('%')),
                 qPrintable(readout));
        // Settings that differ, and only those.
        const QString settings = cellsOf(*page.header()->settings()->view()->model());
        QVERIFY2(settings.contains(QStringLiteral("lr|0.004|0.001")), qPrintable(settings));
        QVERIFY(!settings.contains(QStringLiteral("seed")));
        QVERIFY(!page.side()->divergence().isEmpty());
        const RowView* pairs = page.side()->pairs();
        QVERIFY(pairs->header()->sectionSize(PairTable::Distance) >
                pairs->fontMetrics().horizontalAdvance(QStringLiteral("distance")));
        QVERIFY(page.summaryLine().contains(QStringLiteral("checkpoint pairs")));
        // The weights: one more curve, with a point for each pair.
        QVERIFY(shown.weighed());
        // None of the texts of B is shortened for the sake of A.
        shown.page->side()->resize(290, 800);
        shown.page->side()->setVisible(true);
        for (int row = 0; row < pairs->model()->rowCount(); ++row) {
            const QString text = pairs->model()->index(row, PairTable::Right).data().toString();
            QTRY_VERIFY2(pairs->header()->sectionSize(PairTable::Right) >=
                             pairs->fontMetrics().horizontalAdvance(text) +
                                 2 * RowDelegate::kPadding,
                         qPrintable(text));
        }
        QVERIFY(std::count(page.grid()->shownNames().begin(), page.grid()->shownNames().end(),
                           weightChartName()) == 1);
        const ChartContent weights = page.grid()->contentOf(weightChartName());
        QVERIFY(weights.curves.at(0).data->size() >= 2);
        for (const double distance : weights.curves[0].data->y()) {
            QVERIFY(distance > 0 && std::isfinite(distance));
        }
        QVERIFY2(page.side()->divergence().contains(QStringLiteral("weights differ")),
                 qPrintable(page.side()->divergence()));
        QTest::qWait(50);
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("compare")));
        shown.window.resize(800, 600);
        QTest::qWait(50);
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("compare-800")));
    }

    void diffOpensFromACheckpointPair() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.compare(test::RunFolder::place(sample, "tiny-llama-a"),
                              test::RunFolder::place(sample, "tiny-llama-b")));
        QSignalSpy diffs(shown.page, &ComparePage::diffRequested);
        CompareSide& side = *shown.page->side();
        QVERIFY(side.diffButton()->isEnabled());
        side.diffButton()->click();
        QCOMPARE(diffs.size(), 1);
        const auto left = diffs[0][0].value<std::filesystem::path>();
        const auto right = diffs[0][1].value<std::filesystem::path>();
        QCOMPARE(left, sample / "tiny-llama-a/step-400");
        QCOMPARE(right, sample / "tiny-llama-b/checkpoint_epoch_3.pt");
        QTest::keyClick(side.pairs(), Qt::Key_Return);
        QCOMPARE(diffs.size(), 2);
        // A tick of a chart chooses the pair and the file.
        QSignalSpy chosen(shown.page, &ComparePage::checkpointChosen);
        Q_EMIT shown.page->grid()->checkpointChosen(sample / "tiny-llama-a/step-200");
        QCOMPARE(chosen.size(), 1);
        QVERIFY2(side.pairWords().contains(QStringLiteral("step 200")),
                 qPrintable(side.pairWords()));
    }

    void patternsIgnoreSettings() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.compare(test::RunFolder::place(sample, "tiny-llama-a"),
                              test::RunFolder::place(sample, "tiny-llama-b")));
        SettingsCard& card = *shown.page->header()->settings();
        const int before = card.view()->model()->rowCount();
        QTest::keyClicks(card.ignoreField(), QStringLiteral("lr, *_steps"));
        QVERIFY(shown.settled());
        const QString left = cellsOf(*card.view()->model());
        QVERIFY2(!left.contains(QStringLiteral("warmup_steps")) &&
                     !left.contains(QStringLiteral("lr|")),
                 qPrintable(left));
        QCOMPARE(card.view()->model()->rowCount(), before - 3); // lr, warmup_steps, max_steps
        // The sentence does not name them either.
        QVERIFY2(!shown.page->header()->sentence().contains(QStringLiteral("lr ")) &&
                     !shown.page->header()->sentence().contains(QStringLiteral("warmup_steps")),
                 qPrintable(shown.page->header()->sentence()));
        // The chosen row goes by a key.
        const QString ignored = card.view()->model()->index(0, 0).data().toString();
        card.view()->setCurrentIndex(card.view()->model()->index(0, 0));
        card.view()->setFocus();
        QTest::keyClick(card.view(), Qt::Key_Delete);
        QVERIFY(card.ignoreField()->text().endsWith(ignored));
        QVERIFY(shown.settled());
        QCOMPARE(card.view()->model()->rowCount(), before - 4);
        // An invalid pattern is reported, and the others apply.
        card.ignoreField()->setText(QStringLiteral("{lr, warmup_steps"));
        QVERIFY(shown.settled());
        QVERIFY(!cellsOf(*card.view()->model()).contains(QStringLiteral("warmup_steps")));
    }

    void aFilterOfMetricsHidesNothingElse() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.compare(test::RunFolder::place(sample, "tiny-llama-a"),
                              test::RunFolder::place(sample, "tiny-llama-b")));
        Button* all = shown.page->header()->showAllButton();
        QVERIFY(!all->isVisible());
        shown.page->setFilter(QStringLiteral("attn"));
        QVERIFY(shown.settled());
        QVERIFY(shown.page->grid()->shownNames().empty());
        QVERIFY(shown.page->showsResult());
        QVERIFY(shown.page->header()->settings()->isVisible());
        QSignalSpy cleared(shown.page, &ComparePage::clearFilterRequested);
        QVERIFY(all->isVisible());
        QTest::mouseClick(all, Qt::LeftButton);
        QCOMPARE(cleared.size(), 1);
        shown.page->setFilter(QString());
        QVERIFY(!all->isVisible());
    }

    /// Ascending, descending, and back; the chosen row stays chosen.
    void headersSort() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.compare(test::RunFolder::place(sample, "tiny-llama-a"),
                              test::RunFolder::place(sample, "tiny-llama-b")));
        QVERIFY(shown.weighed());
        for (RowView* view : shown.page->findChildren<RowView*>() +
                                 shown.page->sidePanel()->findChildren<RowView*>()) {
            if (!view->isVisible()) {
                continue;
            }
            const QString natural = cellsOf(*view->model());
            for (int column = 0; column < view->model()->columnCount(); ++column) {
                const QString before = cellsOf(*view->model());
                test::clickHeader(*view, column);
                QCOMPARE(cellsOf(*view->model()), before); // a worker sorts
                QVERIFY(shown.settled());
                QCOMPARE(view->header()->sortIndicatorSection(), column);
                QStringList rows = cellsOf(*view->model()).split(QLatin1Char('\n'));
                test::clickHeader(*view, column);
                QVERIFY(shown.settled());
                QCOMPARE(view->header()->sortIndicatorOrder(), Qt::DescendingOrder);
                QStringList same = cellsOf(*view->model()).split(QLatin1Char('\n'));
                rows.sort();
                same.sort();
                QCOMPARE(rows, same);
                test::clickHeader(*view, column);
                QCOMPARE(cellsOf(*view->model()), before);
            }
            QCOMPARE(cellsOf(*view->model()), natural);
        }
        // By position: the latest pair comes first, until it is sorted.
        RowView* pairs = shown.page->side()->pairs();
        const QModelIndex last = pairs->model()->index(pairs->model()->rowCount() - 1, 0);
        const QString earliest = last.data().toString();
        pairs->setCurrentIndex(last);
        test::clickHeader(*pairs, PairTable::Position);
        QVERIFY(shown.settled());
        QCOMPARE(pairs->model()->index(0, 0).data().toString(), earliest);
        QCOMPARE(pairs->currentIndex().row(), 0);
    }

    void settingsAreATree() {
        SettingsTree tree;
        const QAbstractItemModelTester tester(&tree);
        const auto text = [](const char* value) { return Value(std::string(value)); };
        const Value left =
            dict({{"a.yaml", dict({{"optimizer", dict({{"lr", text("1e-3")}, {"eps", text("x")}})},
                                   {"data", dict({{"path", text("/a")}})},
                                   {"seed", text("1")}})}});
        const Value right =
            dict({{"a.yaml", dict({{"optimizer", dict({{"lr", text("1e-4")}, {"eps", text("y")}})},
                                   {"data", dict({{"path", text("/b")}})},
                                   {"extra", text("<b>bold</b>")},
                                   {"seed", text("1")}})}});
        tree.show(compareSettings(left, right));
        QCOMPARE(cellsOf(tree), QStringLiteral("data.path|/a|/b\noptimizer||\neps|x|y\n"
                                               "lr|1e-3|1e-4\nextra|—|<b>bold</b>"));
        const QModelIndex branch = tree.index(1, 0);
        QCOMPARE(tree.key(tree.index(1, 0, branch)), std::string("optimizer.lr"));
        QCOMPARE(tree.key(branch), std::string("optimizer.*"));
        QVERIFY(
            !tree.index(2, 2).data(Qt::ToolTipRole).toString().contains(QStringLiteral("<b>bold")));
    }

    void aCopyHasEqualWeightsAndCurves() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        std::filesystem::copy(sample / "tiny-llama-a", sample / "twin",
                              std::filesystem::copy_options::recursive);
        QVERIFY(shown.compare(test::RunFolder::place(sample, "tiny-llama-a"),
                              test::RunFolder::place(sample, "twin")));
        QVERIFY(shown.weighed());
        const QString divergence = shown.page->side()->divergence();
        QVERIFY2(divergence.contains(QStringLiteral("weights are equal at all")),
                 qPrintable(divergence));
        QVERIFY2(divergence.contains(QStringLiteral("equal at all")), qPrintable(divergence));
        QCOMPARE(shown.page->header()->settings()->view()->model()->rowCount(), 0);
        const ChartContent weights = shown.page->grid()->contentOf(weightChartName());
        for (const double distance : weights.curves.at(0).data->y()) {
            QCOMPARE(distance, 0.0);
        }
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("compare-equal")));
    }

    void alignmentByFirstStep() {
        Shown shown;
        shown.folder.writeCsv("a/metrics.csv", 100, 1, test::falls);
        std::string late = "step,loss\n";
        for (int row = 1; row <= 100; ++row) {
            late += std::to_string(5000 + row) + "," + test::falls(row, 0) + "\n";
        }
        shown.folder.write("b/metrics.csv", late);
        QVERIFY(shown.compare(test::RunFolder::place(shown.folder.path(), "a"),
                              test::RunFolder::place(shown.folder.path(), "b")));
        QCOMPARE(shown.page->comparison()->metrics.at(0).common, std::size_t{0});
        QVERIFY(shown.page->side()->divergence().contains(QStringLiteral("in common")));
        shown.page->controls()->chooseAxis({AxisChoice::Kind::Step, {}, true});
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->comparison()->metrics.at(0).common, std::size_t{100});
        QVERIFY(!shown.page->comparison()->metrics.at(0).firstUnequal);
        shown.page->board().setCrosshair(50);
        const QString readout = shown.page->grid()->chart(QStringLiteral("loss"))->readout();
        QVERIFY2(readout.endsWith(QLatin1Char('=')), qPrintable(readout));
    }

    void choosesRuns() {
        Shown shown;
        QVERIFY(!shown.page->showsResult());
        QVERIFY(shown.page->notice()->headline().contains(QStringLiteral("two runs")));
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("compare-none")));
        const RunPlace run{
            shown.folder.path() / "a", shown.folder.path(), QStringLiteral("a&b"), {}};
        shown.page->setRunSource([run] { return std::vector{run}; });
        QSignalSpy chosen(shown.page, &ComparePage::runsChosen);
        QMenu* menu = shown.page->picker(1)->button()->menu();
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 1);
        menu->actions().front()->trigger();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][1].value<std::optional<RunPlace>>()->name, QStringLiteral("a&b"));
    }

    /// Nothing is written beside the checkpoints: neither a log nor a file of settings.
    void whatOnlyCheckpointsRecordIsCompared() {
        Shown shown;
        for (const auto& [run, rate, width] :
             {std::tuple("a", "0.1", 2), std::tuple("b", "0.2", 2), std::tuple("c", "0.1", 3)}) {
            for (const int step : {10, 20}) {
                const std::string folder =
                    std::string(run) + "/checkpoint-" + std::to_string(step) + "/";
                const std::size_t bytes = static_cast<std::size_t>(8 * width);
                const std::vector<cairn::test::SafetensorsTensor> tensors = {
                    {"w", "F32", {2, width}, bytes}};
                shown.folder.write(
                    folder + "model.safetensors",
                    cairn::test::safetensorsFile(cairn::test::safetensorsHeader(tensors), bytes));
                shown.folder.write(folder + "config.json",
                                   std::string(R"({"model_type":"llama","hidden_dropout":)") +
                                       rate + "}");
            }
        }
        const auto place = [&](const char* run) {
            return test::RunFolder::place(shown.folder.path(), run);
        };
        QVERIFY(shown.compare(place("a"), place("b")));
        // the same as `compare a b` says
        RunHistory left;
        RunHistory right;
        const ScannedRun a = place("a").run;
        const ScannedRun b = place("b").run;
        addCheckpointRecords(left, a);
        addCheckpointRecords(right, b);
        const RunComparison wanted = compareRuns(left, right, &a, &b);
        QCOMPARE(wanted.settings.different.size(), std::size_t{1});
        const RunComparison& said = *shown.page->comparison();
        QCOMPARE(said.settings.different.size(), std::size_t{1});
        QCOMPARE(said.settings.different[0].key, wanted.settings.different[0].key);
        QCOMPARE(said.settings.same, wanted.settings.same);
        QVERIFY(cellsOf(*shown.page->header()->settings()->view()->model())
                    .contains(QStringLiteral("hidden_dropout|0.1|0.2")));

        // weights of other shapes have no distance
        QVERIFY(shown.compare(place("a"), place("c")));
        QVERIFY(shown.weighed());
        const WeightChange* change = shown.page->weights().change(0);
        QVERIFY(change != nullptr);
        QCOMPARE(change->tensors, std::uint64_t{1});
        QCOMPARE(change->changed, std::uint64_t{0});
        QVERIFY(!change->known());
        QCOMPARE(distanceText(*change), QStringLiteral("not comparable"));
    }

    void runsWithoutHistoryOrCheckpoints() {
        Shown shown;
        shown.folder.writeCsv("a/metrics.csv", 30, 1, [](int, int) { return std::string("nan"); });
        shown.folder.write("b/notes.txt", "nothing");
        QVERIFY(shown.compare(test::RunFolder::place(shown.folder.path(), "a"),
                              test::RunFolder::place(shown.folder.path(), "b")));
        QVERIFY(shown.page->comparison()->metrics.empty());
        QCOMPARE(shown.page->grid()->total(), std::size_t{0});
        QVERIFY(shown.weighed());
        QVERIFY(!shown.page->side()->diffButton()->isVisible());
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("compare-nothing")));
    }

    void manyPairsAreSampled() {
        std::vector<CheckpointPair> pairs;
        ScannedRun left;
        ScannedRun right;
        for (std::size_t i = 0; i < 1000; ++i) {
            CheckpointPair pair;
            pair.left = i;
            pair.right = i;
            pairs.push_back(pair);
            ScannedCheckpoint checkpoint;
            checkpoint.path = "/run/step-" + std::to_string(i);
            checkpoint.state = i == 500 ? CheckpointState::Incomplete : CheckpointState::Complete;
            left.checkpoints.push_back(checkpoint);
            right.checkpoints.push_back(checkpoint);
        }
        const std::vector<WeightPair> chosen = weightPairs(pairs, left, right);
        QCOMPARE(chosen.size(), kMaxWeightPairs);
        QCOMPARE(chosen.front().pair, std::size_t{0});
        QCOMPARE(chosen.back().pair, std::size_t{999});
        QVERIFY(std::none_of(chosen.begin(), chosen.end(),
                             [](const WeightPair& pair) { return pair.pair == 500; }));
    }

    void readingStopsAndResumes() {
        test::RunFolder folder;
        const std::filesystem::path sample = folder.sample();
        const RunPlace a = test::RunFolder::place(sample, "tiny-llama-a");
        std::vector<WeightPair> pairs;
        for (std::size_t i = 0; i < a.run.checkpoints.size(); ++i) {
            pairs.push_back({i, a.run.checkpoints[i].path, a.run.checkpoints[0].path,
                             a.run.checkpoints[i].modifiedNs, 1});
        }
        WeightDistance distance;
        distance.setPairs(pairs);
        distance.stop();
        QCOMPARE(distance.state(), WeightDistance::State::Stopped);
        QTest::qWait(50);
        QCOMPARE(distance.knownPairs(), std::size_t{0});
        distance.start();
        QTRY_COMPARE_WITH_TIMEOUT(distance.state(), WeightDistance::State::Done, kTimeoutMs);
        QCOMPARE(distance.knownPairs(), pairs.size());
        QVERIFY(distance.change(0)->equal()); // the same files
        QVERIFY(!distance.change(3)->equal());
        // Known pairs are not read again, except one that changed on disk.
        distance.setPairs({pairs[0], pairs[1]});
        QCOMPARE(distance.state(), WeightDistance::State::Done);
        pairs[1].leftNs += 1;
        distance.setPairs({pairs[0], pairs[1]});
        QCOMPARE(distance.state(), WeightDistance::State::Estimating);
        QTRY_COMPARE_WITH_TIMEOUT(distance.state(), WeightDistance::State::Done, kTimeoutMs);
        // A missing file is an error of its pair only.
        pairs[0].left = sample / "gone";
        distance.setPairs({pairs[0]});
        QTRY_COMPARE_WITH_TIMEOUT(distance.state(), WeightDistance::State::Done, kTimeoutMs);
        QVERIFY(distance.change(0)->error);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::ComparePageTest)
#include "compare_page_test.moc"
