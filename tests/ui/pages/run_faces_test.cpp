// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about runs in the window, and what `cairn-cli` writes about the same files: exports, copied
// rows, the evidence in tooltips, values that were not checked.
#include "core/formats/format.h"
#include "tests/ui/support/command_line.h"
#include "tests/ui/support/made_runs.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/inspector/inspector.h"
#include "ui/models/row_text.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/experiment_loader.h"
#include "ui/navigator/navigator_model.h"
#include "ui/pages/compare/pair_table.h"
#include "ui/pages/history/curve_values.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/summary/checkpoint_table.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/subject/subject_facts.h"
#include "ui/widgets/card.h"

#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

namespace fs = std::filesystem;
using test::inText;

constexpr int kTimeoutMs = 60'000;

QJsonObject commandLine(const QStringList& arguments) {
    const QByteArray text =
        test::outputOf(QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli"), arguments);
    return QJsonDocument::fromJson(text).object();
}

std::set<QString> shownTexts(const QWidget& page) {
    std::set<QString> texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&page)) {
            texts.insert(label->text());
        }
    }
    return texts;
}

/// The navigator of a folder, with everything examined.
struct Listed {
    explicit Listed(const fs::path& folder) : loader(folder) {}

    bool load() {
        const auto take = [this](const Experiment&) { model.setExperiment(loader.takeRows()); };
        QObject::connect(&loader, &ExperimentLoader::listed, &loader, take);
        QObject::connect(&loader, &ExperimentLoader::examined, &loader, take);
        QSignalSpy finished(&loader, &ExperimentLoader::finished);
        loader.load();
        return finished.wait(kTimeoutMs);
    }

    ExperimentLoader loader;
    NavigatorModel model;
};

/// The object of an array with this text under a key.
QJsonObject objectWith(const QJsonArray& array, const char* key, const QString& text) {
    for (const QJsonValue& each : array) {
        if (each.toObject()[QLatin1String(key)].toString() == text) {
            return each.toObject();
        }
    }
    return {};
}

/// "answer" and "from" of one question of `--why`, as the lines of a tooltip; empty: not asked.
QString linesOf(const QJsonObject& why, const char* question) {
    const QJsonObject step =
        objectWith(why[QStringLiteral("chain")].toArray(), "question", QLatin1String(question));
    QStringList lines{step[QStringLiteral("answer")].toString(),
                      step[QStringLiteral("from")].toString()};
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

std::string readAll(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Whether a tooltip, which is rich text, shows these lines.
bool shows(const QString& tip, const QString& lines) {
    QString inside = text::toolTip(lines);
    inside.remove(QLatin1String("<qt>")).remove(QLatin1String("</qt>"));
    return !inside.isEmpty() && tip.contains(inside);
}

} // namespace

class RunFacesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion"))); }

    void exportsHaveABranchOfTheirOwn() {
        const test::RunFolder folder;
        const fs::path run = folder.sample() / "tiny-llama-a";
        const fs::path served = run / "deploy/served";
        const fs::path weights = run / "deploy/w.safetensors";
        const QString program = QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli");
        const QString job = QStringLiteral("consolidate");
        test::outputOf(program, {job, inText(run / "step-400"), QStringLiteral("-o"),
                                 inText(served), QStringLiteral("--bundle")});
        test::outputOf(program,
                       {job, inText(run / "step-200"), QStringLiteral("-o"), inText(weights),
                        QStringLiteral("--only"), QStringLiteral("weights")});
        QVERIFY(fs::exists(served) && fs::exists(weights));
        const fs::path manifest = run / "deploy/w.safetensors.cairn.json";
        std::string text = readAll(manifest);
        const std::size_t verified = text.find("\"verified\": true");
        QVERIFY(verified != std::string::npos);
        text.replace(verified, 16, "\"verified\":false");
        std::ofstream(manifest) << text;

        Listed listed(folder.sample());
        QVERIFY(listed.load());
        const NavigatorModel& model = listed.model;
        const QModelIndex row = model.findRun(run);
        const QJsonObject json =
            objectWith(commandLine({QStringLiteral("runs"), inText(folder.sample()),
                                    QStringLiteral("--json")})[QStringLiteral("runs")]
                           .toArray(),
                       "id", QStringLiteral("tiny-llama-a"));
        const QJsonArray exported = json[QStringLiteral("exports")].toArray();
        QCOMPARE(exported.size(), 2);
        const qsizetype saves = json[QStringLiteral("checkpoints")].toArray().size() - 2;
        QCOMPARE(row.data(NavigatorModel::DimTextRole).toString(),
                 QStringLiteral("%1 checkpoints").arg(saves));
        QCOMPARE(model.rowCount(row), static_cast<int>(saves) + 1);
        const QModelIndex branch = model.index(model.rowCount(row) - 1, 0, row);
        QCOMPARE(model.kindOf(branch), NavigatorModel::Kind::Exports);
        QCOMPARE(branch.data().toString(), QStringLiteral("Exports (2)"));
        QCOMPARE(model.rowCount(branch), 2);
        for (int i = 0; i < 2; ++i) {
            const QModelIndex each = model.index(i, 0, branch);
            const QJsonObject made =
                objectWith(exported, "path", each.data(NavigatorModel::PathRole).toString());
            QVERIFY(!made.isEmpty());
            QVERIFY2(each.data().toString().startsWith(made[QStringLiteral("of")].toString() +
                                                       QStringLiteral(" → ")),
                     qPrintable(each.data().toString()));
        }
        QCOMPARE(model.find(served).data().toString(),
                 QStringLiteral("step-400 → Hugging Face folder"));
        QCOMPARE(model.find(served).data(NavigatorModel::BadgeTextsRole).toStringList(),
                 QStringList{QStringLiteral("verified")});
        QCOMPARE(model.find(weights).data().toString(), QStringLiteral("step-200 → Safetensors"));
        QVERIFY(model.find(weights).data(NavigatorModel::BadgeTextsRole).toStringList().isEmpty());
        // The next checkpoint of a save is a save.
        for (const fs::path& path : model.neighbours(run / "step-400")) {
            QVERIFY(path != served && path != weights);
        }
    }

    void copiedRowsAreReadByPrograms() {
        const test::RunFolder folder;
        Listed listed(folder.sample());
        QVERIFY(listed.load());
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German));
        const auto restore = qScopeGuard([&] { QLocale::setDefault(before); });
        const QJsonArray runs = commandLine({QStringLiteral("runs"), inText(folder.sample()),
                                             QStringLiteral("--json")})[QStringLiteral("runs")]
                                    .toArray();
        int compared = 0;
        for (const ScannedRun& run : listed.loader.last()->runs) {
            CheckpointTable table;
            table.show(run);
            RowTextRequest request;
            request.rows =
                RowRanges(QItemSelection(table.index(0, 0), table.index(table.rowCount() - 1, 0)));
            request.columns = {CheckpointTable::Name, CheckpointTable::Step, CheckpointTable::Score,
                               CheckpointTable::Size};
            const QStringList lines =
                rowsAsText(table, request).value().plain.split(QLatin1Char('\n'));
            const QJsonArray written =
                objectWith(runs, "id",
                           QString::fromStdString(run.id))[QStringLiteral("checkpoints")]
                    .toArray();
            for (const QString& line : lines) {
                const QStringList cells = line.split(QLatin1Char('\t'));
                const QJsonObject each = objectWith(written, "name", cells.front());
                if (each.isEmpty()) {
                    continue; // the titles
                }
                ++compared;
                QCOMPARE(cells[3], QString::number(each[QStringLiteral("bytes")].toInteger()));
                const QJsonValue step = each[QStringLiteral("step")];
                QCOMPARE(cells[1], step.isNull() ? QString() : QString::number(step.toInteger()));
                QVERIFY2(!cells[2].contains(QLatin1Char(',')), qPrintable(line));
            }
        }
        QVERIFY2(compared > 10, qPrintable(QString::number(compared)));
    }

    void everyTooltipHasTheEvidence_data() {
        QTest::addColumn<QString>("checkpoint");
        for (const char* each : {"named/step-2.safetensors", "declared/model-100.pt",
                                 "proven/step_40.pt", "proven/step_20.pt", "held/model_2.pt"}) {
            QTest::addRow("%s", each) << QString::fromLatin1(each);
        }
    }
    void everyTooltipHasTheEvidence() {
        QFETCH(const QString, checkpoint);
        const fs::path folder = fs::path(CAIRN_SOURCE_DIR) / "tests/data/decisions/runs";
        const fs::path path = folder / checkpoint.toStdString();
        Listed listed(folder);
        QVERIFY(listed.load());
        const auto place = listed.model.runAt(listed.model.find(path));
        QVERIFY(place);
        const QJsonObject why =
            commandLine({QStringLiteral("runs"), inText(path.parent_path()),
                         QStringLiteral("--why"), inText(path), QStringLiteral("--json")});
        const QString step = linesOf(why, "what is its step");
        QVERIFY(!step.isEmpty());
        const auto at = std::ranges::find(place->run.checkpoints, path, &ScannedCheckpoint::path);
        QVERIFY(at != place->run.checkpoints.end());
        QStringList expected{step};
        if (at->score) {
            expected << linesOf(why, "what is its value");
        }
        if (at->best) {
            expected << linesOf(why, "why best");
        }

        for (QString& lines : expected) { // of the run's own files
            lines.remove(inText(path.parent_path()) + QLatin1Char('/'));
        }

        std::map<std::string, QString> tips;
        tips["navigator"] = listed.model.find(path).data(Qt::ToolTipRole).toString();
        CheckpointPair pair;
        pair.left = static_cast<std::size_t>(at - place->run.checkpoints.begin());
        PairTable pairs;
        pairs.show({pair}, place->run, place->run);
        tips["pairs"] = pairs.index(0, PairTable::Left).data(Qt::ToolTipRole).toString();
        QString inspected;
        for (const Inspector::Fact& fact : checkpointFacts(place->run, path)) {
            inspected += text::toolTip(fact.tip);
        }
        tips["inspector"] = inspected;
        if (fs::exists(path.parent_path() / "metrics.csv") && at->step) {
            tips["history"] = tickTip(*place, path);
        }
        for (const auto& [face, tip] : tips) {
            for (const QString& lines : expected) {
                QVERIFY2(shows(tip, lines),
                         qPrintable(QString::fromStdString(face) + QStringLiteral(": ") + tip +
                                    QStringLiteral("\nwithout: ") + lines));
            }
        }
    }

    void theCurvesOfTheHistory() {
        std::size_t compared = 0;
        for (const char* folder : {"tests/data/history", "resources/sample/experiment"}) {
            Listed listed(fs::path(CAIRN_SOURCE_DIR) / folder);
            QVERIFY(listed.load());
            HistoryFollower follower;
            CurveValues page(follower);
            page.resize(300, 900);
            page.QWidget::show();
            for (const ScannedRun& run : listed.loader.last()->runs) {
                const auto place = listed.model.runAt(listed.model.findRun(run.path));
                QVERIFY2(place, run.id.c_str());
                const QJsonObject metrics =
                    commandLine({QStringLiteral("history"), text::fromPath(run.path),
                                 QStringLiteral("--json")})[QStringLiteral("metrics")]
                        .toObject();
                follower.follow(*place);
                for (const QString& name : metrics.keys()) {
                    const QJsonObject metric = metrics[name].toObject();
                    const QJsonArray steps = metric[QStringLiteral("steps")].toArray();
                    const QJsonArray values = metric[QStringLiteral("values")].toArray();
                    qsizetype last = std::min(steps.size(), values.size()) - 1;
                    while (last >= 0 && values[last].isNull()) {
                        --last; // not finite
                    }
                    std::set<QString> wanted{text::fromCore(name.toStdString())};
                    if (last >= 0) {
                        wanted.insert(CurveValues::tr("%1 at %2", "a value and its step")
                                          .arg(text::number(values[last].toDouble()),
                                               text::number(steps[last].toDouble())));
                        ++compared;
                    }
                    QVERIFY2(QTest::qWaitFor(
                                 [&] { return std::ranges::includes(shownTexts(page), wanted); },
                                 kTimeoutMs),
                             qPrintable(QString::fromStdString(run.id) + QLatin1Char(' ') +
                                        *wanted.begin() + QLatin1Char(' ') + *wanted.rbegin()));
                }
            }
        }
        QVERIFY2(compared > 200, qPrintable(QString::number(compared)));
    }

    void whatWasNotExaminedIsNotComplete() {
        ScannedRun run;
        run.checkpoints.resize(2);
        run.checkpoints[0].name = "step-1";
        run.checkpoints[0].path = "/run/step-1";
        run.checkpoints[0].step = 1;
        run.checkpoints[1] = run.checkpoints[0];
        run.checkpoints[1].state = CheckpointState::Complete;
        PairTable pairs;
        CheckpointPair pair;
        pair.left = 0;
        pair.right = 1;
        pairs.show({pair}, run, run);
        QCOMPARE(pairs.index(0, PairTable::Left).data().toString(), QStringLiteral("not examined"));
        QCOMPARE(pairs.index(0, PairTable::Right).data().toString(), QStringLiteral("✓"));
    }

    void valuesThatWereNotCheckedAreSaid_data() {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<QString>("answer");
        QTest::newRow("no checksum")
            << QStringLiteral("tiny-llama-a/step-400") << QStringLiteral("not checked");
        QTest::newRow("compared") << QStringLiteral("tiny-llama-b/checkpoint_epoch_1.pt")
                                  << QStringLiteral("yes");
        QTest::newRow("damaged") << QStringLiteral("damaged.pt") << QStringLiteral("no");
    }
    void valuesThatWereNotCheckedAreSaid() {
        QFETCH(const QString, checkpoint);
        QFETCH(const QString, answer);
        const test::RunFolder folder;
        damage(folder.sample() / "tiny-llama-b/checkpoint_epoch_1.pt",
               folder.sample() / "damaged.pt");
        const fs::path path = folder.sample() / checkpoint.toStdString();
        const QJsonObject info = commandLine({QStringLiteral("info"), QStringLiteral("--why"),
                                              QStringLiteral("--json"), inText(path)});
        const QString lines = linesOf(info, "are its values what was saved");
        QCOMPARE(lines.section(QLatin1Char('\n'), 0, 0), answer);
        const QString because = lines.section(QLatin1Char('\n'), 1);
        QVERIFY(!because.isEmpty());
        const Result<CheckpointPtr> opened = openCheckpoint(path);
        QVERIFY(opened);

        SummaryPage summary(nullptr);
        summary.resize(900, 700);
        summary.QWidget::show();
        summary.showCheckpoint(*opened);
        QLabel* said = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (said = summary.findChild<QLabel*>(QStringLiteral("valuesSaved"))) != nullptr,
            kTimeoutMs);
        QCOMPARE(said->text(), because);

        MetadataPage metadata;
        QSignalSpy settled(&metadata, &MetadataPage::settled);
        metadata.show();
        metadata.showCheckpoint(*opened);
        QVERIFY(settled.wait(kTimeoutMs));
        const auto labels = metadata.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->text().endsWith(because); }));

        Inspector inspector;
        inspector.show();
        inspector.showCheckpoint(*opened);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(inspector.findChildren<QLabel*>(),
                                                     [&](const QLabel* label) {
                                                         return label->text() == answer &&
                                                                shows(label->toolTip(), because);
                                                     }),
                                 kTimeoutMs);
    }

private:
    /// What the mouse sees at the checkpoint's mark on the first curve.
    static QString tickTip(const RunPlace& place, const fs::path& path) {
        HistoryFollower follower;
        HistoryPage page(follower);
        page.resize(900, 600);
        page.show();
        page.showRun(place, {});
        follower.follow(place);
        const auto chart = [&]() -> CurveChart* {
            const auto& names = page.grid()->shownNames();
            return names.empty() ? nullptr : page.grid()->chart(names.front());
        };
        if (!QTest::qWaitFor([&] { return page.showsCharts() && chart() != nullptr; },
                             kTimeoutMs)) {
            return {};
        }
        QTest::qWait(20);
        PlotCanvas& canvas = *chart()->canvas();
        const auto& ticks = chart()->chartContent().ticks;
        const auto tick = std::ranges::find(ticks, path, &ChartTick::checkpoint);
        if (tick == ticks.end()) {
            return {};
        }
        const PlotFrame& frame = canvas.scene().frame();
        const QPoint at(static_cast<int>(frame.toX(tick->x)),
                        static_cast<int>(frame.area.bottom()) - 4);
        QHelpEvent help(QEvent::ToolTip, at, canvas.mapToGlobal(at));
        QApplication::sendEvent(&canvas, &help);
        return QToolTip::text();
    }

    /// A copy of a torch file with another byte in the record of its pickle.
    static void damage(const fs::path& from, const fs::path& to) {
        std::string bytes = readAll(from);
        const std::size_t at = bytes.find("loss");
        QVERIFY(at != std::string::npos);
        bytes[at + 1] = 'a';
        std::ofstream(to, std::ios::binary) << bytes;
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::RunFacesTest)
#include "run_faces_test.moc"
