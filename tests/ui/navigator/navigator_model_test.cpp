// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/rows_of.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/navigator_model.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

#include <memory>

using namespace cairn;
using ui::NavigatorModel;

namespace {

ScannedCheckpoint checkpoint(const std::string& path, std::int64_t step) {
    ScannedCheckpoint scanned;
    scanned.path = path;
    scanned.name = scanned.path.filename().string();
    scanned.step = step;
    scanned.bytes = 1000;
    scanned.files = 4;
    return scanned;
}

Experiment twoRuns() {
    Experiment experiment;
    experiment.path = "/runs";
    experiment.name = "runs";
    experiment.runs.push_back(
        {"a", "a", "/runs/a", {checkpoint("/runs/a/step-1", 1), checkpoint("/runs/a/step-2", 2)}});
    experiment.runs.push_back({"b", "b", "/runs/b", {checkpoint("/runs/b/step-1", 1)}});
    return experiment;
}

CheckpointPtr opened() {
    CheckpointData data;
    data.format = "torch";
    data.path = "/runs/a/step-2";
    const FileIndex file = data.addFile({});
    for (const auto& [name, role] : {std::pair("w", Role::Weight), std::pair("b", Role::Buffer),
                                     std::pair("o", Role::Optimizer)}) {
        TensorEntry tensor;
        tensor.name = name;
        tensor.shape = {2};
        tensor.role = role;
        tensor.pieces.push_back({Box::whole({2}), file, {0, 8}, {}, kRawCodec, {}});
        data.tensors.push_back(tensor);
    }
    return Checkpoint::make(std::move(data));
}

} // namespace

class NavigatorModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheModelContractThroughAllChanges() {
        NavigatorModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.addPending("/runs");
        model.addPending("/other");
        model.setExperiment(ui::test::rowsOf(twoRuns()));
        Experiment examined = twoRuns();
        for (ScannedCheckpoint& each : examined.runs.front().checkpoints) {
            each.state = CheckpointState::Incomplete;
            each.reason = "__7_0.distcp is missing";
        }
        model.setExperiment(ui::test::rowsOf(examined)); // the same rows
        model.setOpened("/runs/a/step-2", *cairn::ui::sumsOf(*opened()));
        examined.runs.front().checkpoints.pop_back();
        model.setExperiment(ui::test::rowsOf(examined)); // a row less
        model.setExperiment(ui::test::rowsOf(twoRuns()));
        model.removeExperiment("/other");
        model.removeExperiment("/runs");
        QVERIFY(model.isEmpty());
    }

    void listsExperimentRunCheckpointRole() {
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(twoRuns()));
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex experiment = model.index(0, 0);
        QCOMPARE(model.rowCount(experiment), 2);
        const QModelIndex step = model.find("/runs/a/step-2");
        QCOMPARE(step.data().toString(), QStringLiteral("step-2"));
        QCOMPARE(step.parent().data().toString(), QStringLiteral("a"));
        model.setOpened("/runs/a/step-2", *cairn::ui::sumsOf(*opened()));
        QCOMPARE(model.rowCount(step), 2); // weights and buffers are one group
        const QModelIndex weights = model.index(0, 0, step);
        QCOMPARE(weights.data().toString(), QStringLiteral("weights"));
        QCOMPARE(weights.data(NavigatorModel::DimTextRole).toString(), QStringLiteral("2"));
        QCOMPARE(weights.data(NavigatorModel::FilterRole).toString(),
                 QStringLiteral("role:weight,buffer"));
        QVERIFY(model.flags(weights).testFlag(Qt::ItemNeverHasChildren));
        QVERIFY(model.checkpointAt(weights) != nullptr);
    }

    void leavesOutTheRunThatIsTheExperiment() {
        Experiment experiment;
        experiment.path = "/run";
        experiment.name = "run";
        experiment.runs.push_back({".", "run", "/run", {checkpoint("/run/step-1", 1)}});
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(experiment));
        QCOMPARE(model.find("/run/step-1").parent(), model.index(0, 0));
    }

    /// As many runs as boxes, and none of them is named like the experiment.
    void namesAndCountsEachRunOnce() {
        Experiment experiment = twoRuns();
        experiment.runs.insert(experiment.runs.begin(),
                               {".", "runs", "/runs", {checkpoint("/runs/step-7", 7)}});
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(experiment));
        const QModelIndex root = model.index(0, 0);
        const auto boxes = [&model] {
            const QModelIndex top = model.index(0, 0);
            int count = top.data(NavigatorModel::RunMarkRole).isValid() ? 1 : 0;
            for (int row = 0; row < model.rowCount(top); ++row) {
                count +=
                    model.index(row, 0, top).data(NavigatorModel::RunMarkRole).isValid() ? 1 : 0;
            }
            return count;
        };
        QCOMPARE(root.data(NavigatorModel::DimTextRole).toString(), QStringLiteral("3 runs"));
        QCOMPARE(boxes(), 3);
        const QModelIndex own = model.find("/runs/step-7").parent();
        QCOMPARE(own.parent(), root);
        QCOMPARE(own.data().toString(), QStringLiteral("runs (this folder)"));
        QCOMPARE(model.runAt(own)->name, QStringLiteral("runs (this folder)"));
        QCOMPARE(model.findRun("/runs"), own);
        // A root with one run in it: the box is that run's, and the root shows it, too.
        experiment.runs = {experiment.runs[1]};
        model.setExperiment(ui::test::rowsOf(experiment));
        QCOMPARE(boxes(), 1);
        QVERIFY(!model.index(0, 0).data(NavigatorModel::RunMarkRole).isValid());
        QCOMPARE(model.runAt(model.index(0, 0))->path, std::filesystem::path("/runs/a"));
        // A root that is the run: the box is its own.
        experiment.runs = {{".", "runs", "/runs", {checkpoint("/runs/step-7", 7)}}};
        model.setExperiment(ui::test::rowsOf(experiment));
        QVERIFY(model.index(0, 0).data(NavigatorModel::RunMarkRole).isValid());
        QCOMPARE(boxes(), 1);
    }

    void showsASingleCheckpointWithoutFoldersAboveIt() {
        Experiment experiment;
        experiment.path = "/x.pt";
        experiment.name = "x.pt";
        experiment.isCheckpoint = true;
        experiment.runs.push_back({".", "x.pt", "/x.pt", {checkpoint("/x.pt", 1)}});
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(experiment));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.kindOf(model.index(0, 0)), NavigatorModel::Kind::Checkpoint);
        QCOMPARE(model.firstChoice("/x.pt"), model.index(0, 0));
    }

    void describesStates() {
        ScannedCheckpoint scanned = checkpoint("/runs/a/step-2", 2);
        QVERIFY(ui::words::badge(scanned).text.isEmpty());
        scanned.latest = true;
        QCOMPARE(ui::words::badge(scanned).text, QStringLiteral("latest"));
        scanned.state = CheckpointState::BeingWritten;
        QCOMPARE(ui::words::badge(scanned).text, QStringLiteral("being written"));
        scanned.state = CheckpointState::Incomplete;
        scanned.reason = "shard __7_0.distcp is missing";
        QCOMPARE(ui::words::badge(scanned).text, QStringLiteral("shard 7 missing"));
        scanned.reason = "model-00002-of-00003.safetensors is missing";
        QCOMPARE(ui::words::badge(scanned).text, QStringLiteral("shard 2 of 3 missing"));
    }

    void tooltipsAreNeverRichTextFromFiles() {
        Experiment experiment = twoRuns();
        experiment.runs[0].checkpoints[0].path = "/runs/a/<img src='x'>";
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(experiment));
        const QString tip = model.find("/runs/a/<img src='x'>").data(Qt::ToolTipRole).toString();
        QVERIFY(!tip.contains(QStringLiteral("<img")));
        QVERIFY(tip.contains(QStringLiteral("&lt;img")));
    }

    /// An unreadable sub-folder is seen without a click.
    void whatCouldNotBeReadIsOnTheRootsRow() {
        Experiment experiment = twoRuns();
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(experiment));
        QVERIFY(model.badges(model.index(0, 0)).empty());
        experiment.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::PermissionDenied, "Permission denied").inFile("/runs/c")});
        model.setExperiment(ui::test::rowsOf(experiment));
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(model.badges(root).size(), std::size_t{1});
        QCOMPARE(model.badges(root).front().tone, ui::theme::Tone::Attention);
        QVERIFY(root.data(Qt::ToolTipRole).toString().contains(QStringLiteral("/runs/c")));
        QVERIFY(
            root.data(Qt::AccessibleTextRole).toString().contains(model.badges(root).front().text));
    }

    /// Opening the folder again shows the training, not what was made of it.
    void anExportIsNotTheFirstChoice() {
        Experiment experiment = twoRuns();
        ScannedCheckpoint made = checkpoint("/runs/a/deploy/out", 2);
        made.isExport = true;
        made.modifiedNs = experiment.runs[0].checkpoints[1].modifiedNs + 3'600'000'000'000;
        experiment.runs.push_back({"a/deploy", "a/deploy", "/runs/a/deploy", {made}});
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(experiment));
        QVERIFY(model.firstChoice("/runs").data().toString() != QStringLiteral("out"));
        experiment.runs.erase(experiment.runs.begin(), experiment.runs.begin() + 2);
        model.setExperiment(ui::test::rowsOf(experiment));
        QCOMPARE(model.firstChoice("/runs").data().toString(), QStringLiteral("out"));
    }

    void runsCanBeDroppedOnEachOther() {
        NavigatorModel model;
        model.setExperiment(ui::test::rowsOf(twoRuns()));
        const QModelIndex a = model.findRun("/runs/a");
        const QModelIndex b = model.findRun("/runs/b");
        QVERIFY(model.flags(a).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(model.flags(b).testFlag(Qt::ItemIsDropEnabled));
        QVERIFY(!model.flags(model.index(0, 0)).testFlag(Qt::ItemIsDragEnabled)); // several runs
        const std::unique_ptr<QMimeData> data(model.mimeData({a}));
        QCOMPARE(data->urls(), QList<QUrl>{QUrl(QStringLiteral("file:///runs/a"))});
        QVERIFY(!model.canDropMimeData(data.get(), Qt::CopyAction, -1, -1, a));
        QVERIFY(!model.canDropMimeData(data.get(), Qt::CopyAction, 0, 0, b)); // between rows
        QSignalSpy dropped(&model, &NavigatorModel::runsDropped);
        // A checkpoint represents its run.
        QVERIFY(
            model.dropMimeData(data.get(), Qt::CopyAction, -1, -1, model.find("/runs/b/step-1")));
        QCOMPARE(dropped.size(), 1);
        QCOMPARE(dropped[0][0].value<ui::RunPlace>().name, QStringLiteral("a"));
        QCOMPARE(dropped[0][1].value<ui::RunPlace>().name, QStringLiteral("b"));
        const std::unique_ptr<QMimeData> file(model.mimeData({model.find("/runs/a/step-1")}));
        QVERIFY(!model.canDropMimeData(file.get(), Qt::CopyAction, -1, -1, b));
        QMimeData foreign;
        foreign.setUrls({QUrl(QStringLiteral("file:///runs/a"))});
        QVERIFY(!model.canDropMimeData(&foreign, Qt::CopyAction, -1, -1, b));
    }
};

QTEST_GUILESS_MAIN(NavigatorModelTest)
#include "core/runs/facts/checkpoint_facts.h"

#include "navigator_model_test.moc"
