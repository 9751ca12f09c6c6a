// SPDX-License-Identifier: GPL-3.0-or-later
// The navigator's rows of a run with many checkpoints, and what stays when it changes.
#include "core/runs/rank/ranking.h"
#include "tests/support/judged_run.h"
#include "tests/ui/support/rows_of.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/navigator.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <chrono>

using namespace cairn;
using ui::Navigator;
using ui::NavigatorModel;

namespace {

ScannedCheckpoint checkpoint(const std::string& run, std::int64_t step) {
    ScannedCheckpoint scanned;
    scanned.name = "step-" + std::to_string(step);
    scanned.path = run + "/" + scanned.name;
    scanned.step = step;
    scanned.bytes = 1000;
    scanned.files = 4;
    return scanned;
}

/// Steps 100, 200, …, sorted as a scan leaves them.
Experiment withSteps(int count, const std::function<void(ScannedRun&)>& change = {}) {
    Experiment experiment;
    experiment.path = "/runs";
    experiment.name = "runs";
    for (const char* name : {"a", "b"}) {
        ScannedRun run{name, name, std::string("/runs/") + name, {}};
        for (int i = 1; i <= count; ++i) {
            run.checkpoints.push_back(checkpoint(run.path.string(), 100 * i));
        }
        if (change) {
            change(run);
        }
        settleRun(run);
        experiment.runs.push_back(std::move(run));
    }
    return experiment;
}

QStringList namesBelow(const NavigatorModel& model, const QModelIndex& parent) {
    QStringList names;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        names << model.index(row, 0, parent).data().toString();
    }
    return names;
}

QStringList badgesOf(const NavigatorModel& model, const std::filesystem::path& path) {
    return model.find(path).data(NavigatorModel::BadgeTextsRole).toStringList();
}

} // namespace

class NavigatorRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void foldsTheOlderOnesButNotTheBest() {
        NavigatorModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setExperiment(ui::test::rowsOf(withSteps(12, [](ScannedRun& run) {
            test::judgeBy(run, "eval/loss");
            for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
                run.checkpoints[i].score = i == 2 ? 1.702 : 2.0;
            }
        })));
        const QModelIndex run = model.findRun("/runs/a");
        QCOMPARE(namesBelow(model, run),
                 (QStringList{QStringLiteral("step-1200"), QStringLiteral("step-1100"),
                              QStringLiteral("step-1000"), QStringLiteral("step-900"),
                              QStringLiteral("step-800"), QStringLiteral("step-700"),
                              QStringLiteral("step-300"), QStringLiteral("5 older")}));
        const QModelIndex fold = model.index(7, 0, run);
        QCOMPARE(model.kindOf(fold), NavigatorModel::Kind::Older);
        QCOMPARE(model.rowCount(fold), 5);
        QCOMPARE(model.runAt(fold)->name, QStringLiteral("a"));
        QCOMPARE(model.find("/runs/a/step-100").parent(), fold);
        // Stepping through the run includes the folded rows.
        QCOMPARE(model.neighbours("/runs/a/step-100").size(), std::size_t{12});
    }

    void showsAllOfAFew() {
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(withSteps(8)));
        QCOMPARE(model.rowCount(model.findRun("/runs/a")), 8);
    }

    void badgesOrderProblemsThenBestThenLatest() {
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(withSteps(3, [](ScannedRun& run) {
            test::judgeBy(run, "eval/loss");
            run.checkpoints[0].score = 2.5;
            run.checkpoints[1].score = 1.702;
            run.checkpoints[1].exports.push_back({"/out/model", true});
            run.checkpoints[2].score = 1.9;
            run.checkpoints[0].state = CheckpointState::Incomplete;
            run.checkpoints[0].reason = "__2_0.distcp is missing";
        })));
        QCOMPARE(badgesOf(model, "/runs/a/step-100"),
                 QStringList{QStringLiteral("shard 2 missing")});
        QCOMPARE(badgesOf(model, "/runs/a/step-200"),
                 (QStringList{QStringLiteral("best 1.702"), QStringLiteral("exported")}));
        QCOMPARE(badgesOf(model, "/runs/a/step-300"), QStringList{QStringLiteral("latest")});
        const QString tip = model.find("/runs/a/step-200").data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("eval/loss")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("/out/model")), qPrintable(tip));
        const QString why = model.find("/runs/a/step-100").data(Qt::ToolTipRole).toString();
        QVERIFY2(why.contains(QStringLiteral("__2_0.distcp is missing")), qPrintable(why));
    }

    void unfinishedCheckpointsAreGreyUntilComplete() {
        Navigator navigator;
        NavigatorModel& model = *navigator.model();
        const auto writing = [](ScannedRun& run) {
            run.checkpoints.back().state = CheckpointState::BeingWritten;
            run.checkpoints.back().listedState = CheckpointState::BeingWritten;
            run.checkpoints.back().reason = "There is no .metadata file yet";
        };
        model.setExperiment(ui::test::rowsOf(withSteps(3, writing)));
        const std::filesystem::path path = "/runs/a/step-300";
        QVERIFY(model.find(path).data(NavigatorModel::GreyRole).toBool());
        QCOMPARE(badgesOf(model, path), QStringList{QStringLiteral("being written")});
        QCOMPARE(badgesOf(model, "/runs/a/step-200"), QStringList{QStringLiteral("latest")});
        navigator.view()->setCurrentIndex(model.find(path));
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setExperiment(ui::test::rowsOf(withSteps(3))); // the same rows: nothing moves
        QCOMPARE(resets.size(), 0);
        QVERIFY(!model.find(path).data(NavigatorModel::GreyRole).toBool());
        QCOMPARE(badgesOf(model, path), QStringList{QStringLiteral("latest")});
        QCOMPARE(navigator.currentPath(), path);
    }

    void selectionAndExpansionSurviveNewSteps() {
        Navigator navigator;
        NavigatorModel& model = *navigator.model();
        model.setExperiment(ui::test::rowsOf(withSteps(8)));
        navigator.view()->expand(model.findRun("/runs/b"));
        navigator.view()->setCurrentIndex(model.find("/runs/b/step-100"));
        QSignalSpy chosen(&navigator, &Navigator::checkpointChosen);
        model.setExperiment(ui::test::rowsOf(withSteps(12))); // step-100 is folded
        QVERIFY(navigator.view()->isExpanded(model.findRun("/runs/b")));
        QVERIFY(!navigator.view()->isExpanded(model.findRun("/runs/a")));
        QCOMPARE(navigator.currentPath(), std::filesystem::path("/runs/b/step-100"));
        QCOMPARE(model.kindOf(navigator.view()->currentIndex().parent()),
                 NavigatorModel::Kind::Older);
        QCOMPARE(chosen.size(), 0); // it is not chosen again
    }

    void possiblyUnfinishedCheckpointIsNotTheDefault() {
        NavigatorModel model;
        const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count();
        model.setExperiment(ui::test::rowsOf(
            withSteps(3, [&](ScannedRun& run) { run.checkpoints.back().modifiedNs = now; })));
        const auto choice = model.pathOf(model.firstChoice("/runs"));
        QCOMPARE(choice.filename(), std::filesystem::path("step-200"));
        model.setExperiment(ui::test::rowsOf(withSteps(3, [&](ScannedRun& run) {
            for (ScannedCheckpoint& each : run.checkpoints) {
                each.modifiedNs = now; // a fresh copy of all
            }
        })));
        QCOMPARE(model.pathOf(model.firstChoice("/runs")).filename(),
                 std::filesystem::path("step-300"));
    }

    void latestFileOfAStepIsTheDefault() {
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(withSteps(3, [](ScannedRun& run) {
            for (ScannedCheckpoint& each : run.checkpoints) {
                each.step = 300;
                each.bytes = each.name == "step-200" ? 9000 : 10;
            }
        })));
        QCOMPARE(model.pathOf(model.firstChoice("/runs")).filename(),
                 std::filesystem::path("step-200"));
    }

    void aRemovedSelectionIsReported() {
        Navigator navigator;
        NavigatorModel& model = *navigator.model();
        model.setExperiment(ui::test::rowsOf(withSteps(3)));
        navigator.view()->setCurrentIndex(model.find("/runs/b/step-300"));
        QSignalSpy changed(&navigator, &Navigator::selectionChanged);
        model.setExperiment(ui::test::rowsOf(withSteps(2)));
        QCOMPARE(changed.size(), 1);
        QVERIFY(navigator.current() == nullptr);
    }

    void theSecondMarkRequestsTheComparison() {
        Navigator navigator;
        NavigatorModel& model = *navigator.model();
        model.setExperiment(ui::test::rowsOf(withSteps(3)));
        QSignalSpy asked(&navigator, &Navigator::compareRequested);
        const auto press = [&](const std::filesystem::path& path) {
            navigator.view()->setCurrentIndex(model.find(path));
            QTest::keyClick(navigator.view(), Qt::Key_X);
        };
        const auto mark = [&](const char* run) {
            return model.findRun(run).data(NavigatorModel::RunMarkRole).toInt();
        };
        press("/runs/b/step-200");
        QCOMPARE(mark("/runs/b"), 0);
        QCOMPARE(asked.size(), 0);
        press("/runs/a/step-100");
        QCOMPARE(mark("/runs/a"), 1);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].value<ui::RunPlace>().path, std::filesystem::path("/runs/b"));
        QCOMPARE(asked[0][1].value<ui::RunPlace>().path, std::filesystem::path("/runs/a"));
        press("/runs/a/step-200"); // unmarks it
        QCOMPARE(mark("/runs/a"), -1);
        QCOMPARE(asked.size(), 1);
        model.setExperiment(ui::test::rowsOf(withSteps(12))); // marks are by run, not by row
        QCOMPARE(mark("/runs/b"), 0);
        navigator.clearMarks();
        QCOMPARE(mark("/runs/b"), -1);
    }
};

QTEST_MAIN(NavigatorRowsTest)
#include "navigator_rows_test.moc"
