// SPDX-License-Identifier: GPL-3.0-or-later
// The decisions about tests/data/decisions in the window's model, and its tooltips.
#include "core/formats/format.h"
#include "core/runs/rank/why.h"
#include "tests/support/checkpoint_lines.h"
#include "tests/support/decision_lines.h"
#include "ui/models/tensor_preview.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/experiment_loader.h"
#include "ui/navigator/navigator_model.h"
#include "ui/pages/summary/checkpoint_table.h"
#include "ui/pages/summary/checkpoint_tools.h"
#include "ui/pages/summary/summary_facts.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QSignalSpy>
#include <QTest>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace cairn::ui {
namespace {

constexpr int kTimeoutMs = 30'000;
const std::filesystem::path kSources = CAIRN_SOURCE_DIR;

/// The navigator of the folder, with everything examined.
struct Shown {
    ExperimentLoader loader{kSources / "tests/data/decisions/runs"};
    NavigatorModel model;

    bool load() {
        const auto take = [this](const Experiment&) { model.setExperiment(loader.takeRows()); };
        QObject::connect(&loader, &ExperimentLoader::listed, &loader, take);
        QObject::connect(&loader, &ExperimentLoader::examined, &loader, take);
        QSignalSpy finished(&loader, &ExperimentLoader::finished);
        loader.load();
        return finished.wait(kTimeoutMs);
    }
    QModelIndex find(const std::string& below) const { return model.find(loader.path() / below); }
    QString tip(const std::string& below) const {
        return find(below).data(Qt::ToolTipRole).toString();
    }
};

bool hasAll(const QString& text, std::initializer_list<const char*> parts) {
    return std::ranges::all_of(
        parts, [&](const char* part) { return text.contains(QString::fromUtf8(part)); });
}

} // namespace

class DecisionFacesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theModelDecidesAsTheOtherFaces() {
        Shown shown;
        QVERIFY(shown.load());
        // As the rows of the navigator refer to them.
        std::map<std::string, std::string> lines;
        for (const ScannedRun& run : shown.loader.last()->runs) {
            QVERIFY(!run.checkpoints.empty());
            const auto place = shown.model.runAt(shown.model.find(run.checkpoints.front().path));
            QVERIFY(place.has_value());
            lines[run.id] = test::decisionLines(place->run);
        }
        std::string text;
        for (const auto& [id, each] : lines) {
            text += each;
        }
        QCOMPARE(QString::fromStdString(text),
                 QString::fromStdString(test::expectedDecisions(kSources)));
    }

    void theSummaryDecidesWhetherValuesAreWhatWasSaved() {
        std::string text;
        for (const char* name : test::kSavedValues) {
            const auto checkpoint =
                openCheckpoint(Location(kSources / "tests/data/decisions/values" / name));
            QVERIFY(checkpoint);
            const auto facts = summarize(*checkpoint, {});
            QVERIFY(facts);
            text += test::savedLine(name, facts->valuesSaved);
        }
        QCOMPARE(QString::fromStdString(text),
                 QString::fromStdString(test::expectedSaved(kSources)));
    }

    void thePagesOfACheckpointDecideAsTheOtherFaces() {
        const std::string lines = test::expectedCheckpoints(kSources);
        for (const std::filesystem::path& path : test::decidedCheckpoints(kSources)) {
            const std::string name = path.filename().string();
            const auto expected = [&](const char* key) {
                return QString::fromStdString(test::expectedField(lines, name, key));
            };
            const auto opened = openCheckpoint(Location(path));
            QVERIFY(opened);
            QCOMPARE(words::completeness((*opened)->completeness()), expected("whole"));

            const auto facts = summarize(*opened, {});
            QVERIFY(facts);
            std::vector<std::string> roles;
            for (const RoleShare& share : facts->roles) {
                roles.insert(roles.end(), share.tensors, std::string(roleName(share.role)));
            }
            QCOMPARE(QString::fromStdString(test::countsOf(roles)), expected("roles"));

            std::vector<std::string> quantised;
            for (std::uint32_t i = 0; i < (*opened)->tensors().size(); ++i) {
                const auto preview = readPreview(*opened, TensorIndex(i), {});
                const QString shown = preview ? preview->where : QString();
                if (shown.contains(QStringLiteral(" of ")) ||
                    shown.contains(QStringLiteral("dequantised"))) {
                    QString what = shown.section(QStringLiteral(" · "), -1);
                    what.replace(QStringLiteral("dequantised,"), QStringLiteral("weight of"));
                    quantised.push_back(what.toStdString());
                }
            }
            QCOMPARE(QString::fromStdString(test::countsOf(quantised)), expected("quantised"));

            const auto run = [&](CheckpointTool tool) {
                return runTool({tool, *opened}, {}, std::make_shared<ToolProgress>());
            };
            const auto checked = run(CheckpointTool::Check);
            QVERIFY(checked);
            QCOMPARE(checked->headline.startsWith(QStringLiteral("No problems found")),
                     expected("loader") == QStringLiteral("healthy"));
            qsizetype findings = 0;
            for (const QString& each : expected("findings").split(QLatin1Char(','))) {
                findings += each.section(QLatin1Char(':'), -1).toInt(); // "-" is 0
            }
            QCOMPARE(static_cast<qsizetype>(checked->findings.size()), findings);

            const auto scanned = run(CheckpointTool::ScanPickles);
            QVERIFY(scanned);
            const std::map<QString, QString> said{
                {QStringLiteral("inert"), QStringLiteral("plain values only")},
                {QStringLiteral("unknown-class"), QStringLiteral("made_up.Config")},
                {QStringLiteral("would-run-code"), QStringLiteral("request to run posix.system")}};
            const bool hasPickle = path.extension() == ".pt";
            const QString words =
                hasPickle ? said.at(expected("pickle")) : QStringLiteral("contain no pickle");
            QVERIFY2(scanned->headline.contains(words), qPrintable(scanned->headline));
        }
    }

    void tooltipsShowTheEvidence() {
        Shown shown;
        QVERIFY(shown.load());
        const QString best = shown.tip("named/step-2.safetensors");
        QVERIFY2(hasAll(best, {"step 2", "named: step 2 in the name", "lowest val_loss",
                               "lower is better, assumed"}),
                 qPrintable(best));
        const QString proven = shown.tip("proven/step_40.pt");
        QVERIFY2(hasAll(proven, {"step 30", "recorded: step 30 in the values",
                                 "against it named: step 40 in the name"}),
                 qPrintable(proven));
        const QString made = shown.tip("exported/step-7.safetensors");
        QVERIFY2(hasAll(made, {"a job made it", "recorded: the job selected weights"}),
                 qPrintable(made));
        const QString named = shown.tip("contradicting/best_acc.safetensors");
        QVERIFY2(hasAll(named, {"undecided", "best_acc", "best_loss"}), qPrintable(named));
    }

    void theTableOfCheckpointsShowsTheEvidence() {
        Shown shown;
        QVERIFY(shown.load());
        const auto place = shown.model.runAt(shown.find("proven/step_20.pt"));
        QVERIFY(place.has_value());
        CheckpointTable table;
        table.show(place->run);
        const int row = table.rowOf(shown.loader.path() / "proven/step_20.pt");
        const auto tip = [&](CheckpointTable::Column column) {
            return table.index(row, column).data(Qt::ToolTipRole).toString();
        };
        QVERIFY2(tip(CheckpointTable::Step).contains(QStringLiteral("recorded: step 20")),
                 qPrintable(tip(CheckpointTable::Step)));
        QVERIFY2(hasAll(tip(CheckpointTable::Score),
                        {"1 val_loss", "metrics.csv", "proven: metrics in checkpoints equal"}),
                 qPrintable(tip(CheckpointTable::Score)));
        QVERIFY2(tip(CheckpointTable::State).contains(QStringLiteral("lowest val_loss")),
                 qPrintable(tip(CheckpointTable::State)));
        for (const Explanation& why : explainCheckpoint(place->run, place->run.checkpoints[1])) {
            if (why.question == "what is its step") {
                QString lines = words::explanation(why);
                lines.remove(text::fromPath(place->run.path) + QLatin1Char('/'));
                QCOMPARE(tip(CheckpointTable::Step), text::toolTip(lines));
            }
        }
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::DecisionFacesTest)
#include "decision_faces_test.moc"
