// SPDX-License-Identifier: GPL-3.0-or-later
// Random pairs of runs: what the Compare page shows is what `cairn-cli compare --json` writes.
#include "tests/ui/support/command_line.h"
#include "tests/ui/support/made_runs.h"
#include "ui/charts/chart_grid.h"
#include "ui/models/row_view.h"
#include "ui/navigator/experiment_loader.h"
#include "ui/navigator/navigator_model.h"
#include "ui/pages/compare/compare_charts.h"
#include "ui/pages/compare/compare_header.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_side.h"
#include "ui/pages/compare/settings_card.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

namespace fs = std::filesystem;
constexpr int kTimeoutMs = 60'000;
constexpr int kPairs = 40;

using test::inText;
using test::outputOf;

/// The same number, or none of which the document can write the value.
bool isSame(const QJsonValue& json, const std::optional<double>& number) {
    if (json.isNull() || json.isUndefined()) {
        return !number || !std::isfinite(*number);
    }
    return number && json.toDouble() == *number;
}

bool isSame(const QJsonValue& json, const std::optional<CurvePoint>& point) {
    if (json.isNull() || !point) {
        return json.isNull() && !point;
    }
    const QJsonObject object = json.toObject();
    return isSame(object[QStringLiteral("step")], std::optional(point->x)) &&
           isSame(object[QStringLiteral("value")], std::optional(point->value));
}

bool isSame(const QJsonObject& json, const MetricSide& side) {
    return json[QStringLiteral("name")].toString() == QString::fromStdString(side.name) &&
           json[QStringLiteral("points")].toDouble() == static_cast<double>(side.points) &&
           isSame(json[QStringLiteral("best")], side.best) &&
           isSame(json[QStringLiteral("last")], side.last) &&
           isSame(json[QStringLiteral("at_common")], side.atCommon) &&
           isSame(json[QStringLiteral("area")], side.area) &&
           isSame(json[QStringLiteral("reaches")], side.reaches);
}

bool isSame(const QJsonObject& json, const MetricComparison& metric) {
    const QJsonValue larger = json[QStringLiteral("larger_is_better")];
    const bool sameDirection = metric.better == names::Direction::Unknown
                                   ? larger.isNull()
                                   : larger.toBool() == (metric.better == names::Direction::Larger);
    return sameDirection &&
           json[QStringLiteral("name_match")].toString().toStdString() ==
               nameMatchName(metric.match) &&
           isSame(json[QStringLiteral("left")].toObject(), metric.left) &&
           isSame(json[QStringLiteral("right")].toObject(), metric.right) &&
           json[QStringLiteral("common")].toDouble() == static_cast<double>(metric.common) &&
           isSame(json[QStringLiteral("mean_difference")], metric.meanDifference) &&
           isSame(json[QStringLiteral("parting")], metric.parting);
}

QStringList keysOf(const QJsonArray& settings) {
    QStringList keys;
    for (const QJsonValue& each : settings) {
        keys << each.toObject()[QStringLiteral("key")].toString();
    }
    return keys;
}

template <class Settings> QStringList keysOf(const Settings& settings) {
    QStringList keys;
    for (const auto& each : settings) {
        keys << QString::fromStdString(each.key);
    }
    return keys;
}

} // namespace

class CompareFacesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        outputOf(QStringLiteral(CAIRN_PYTHON_PROGRAM),
                 {QStringLiteral(CAIRN_SOURCE_DIR "/tests/support/made_run_pairs.py"),
                  inText(m_folder.path()), QString::number(kPairs)},
                 0);
        QVERIFY(fs::exists(m_folder.path() / std::to_string(kPairs - 1) / "b"));
    }

    void thePageShowsWhatTheCommandLineWrites_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < kPairs; ++seed) {
            QTest::addRow("%d", seed) << seed;
        }
    }

    void thePageShowsWhatTheCommandLineWrites() {
        QFETCH(const int, seed);
        const fs::path experiment = m_folder.path() / std::to_string(seed);
        ExperimentLoader loader(experiment);
        NavigatorModel model;
        const auto take = [&](const Experiment&) { model.setExperiment(loader.takeRows()); };
        connect(&loader, &ExperimentLoader::listed, &loader, take);
        connect(&loader, &ExperimentLoader::examined, &loader, take);
        QSignalSpy finished(&loader, &ExperimentLoader::finished);
        loader.load();
        QVERIFY(finished.wait(kTimeoutMs));
        const auto left = model.runAt(model.findRun(experiment / "a"));
        const auto right = model.runAt(model.findRun(experiment / "b"));
        QVERIFY(left && right);

        ComparePage page;
        page.resize(1100, 800);
        page.show();
        page.compare(*left, *right);
        QVERIFY(QTest::qWaitFor([&] { return page.comparison() != nullptr && page.isSettled(); },
                                kTimeoutMs));
        const QByteArray text = outputOf(QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli"),
                                         {QStringLiteral("compare"), inText(experiment / "a"),
                                          inText(experiment / "b"), QStringLiteral("--json")},
                                         0);
        const QJsonObject json = QJsonDocument::fromJson(text).object();
        QVERIFY2(!json.isEmpty(), text.constData());
        compareMetrics(page, json);
        compareSettings(page, json[QStringLiteral("config")].toObject());
        compareCheckpoints(page, json, *left, *right);
        const QJsonObject difference = json[QStringLiteral("difference")].toObject();
        const QString metric = difference[QStringLiteral("metric")].toString();
        QCOMPARE(QString::fromStdString(page.side()->metric()), metric);
        if (!metric.isEmpty()) {
            QCOMPARE(page.grid()->shownNames().front(), metric);
        }
        if (difference[QStringLiteral("verdict")].toString() != QStringLiteral("unknown")) {
            QVERIFY2(page.header()->sentence().contains(metric),
                     qPrintable(page.header()->sentence() + QStringLiteral(" / ") +
                                json[QStringLiteral("summary")].toString()));
        }
    }

private:
    static void compareMetrics(const ComparePage& page, const QJsonObject& json) {
        const QJsonObject metrics = json[QStringLiteral("metrics")].toObject();
        std::set<QString> charts;
        for (const QString& name : page.grid()->shownNames()) {
            charts.insert(name);
        }
        charts.erase(weightChartName());
        const QStringList keys = metrics.keys();
        QCOMPARE(charts, std::set<QString>(keys.begin(), keys.end()));
        QCOMPARE(page.comparison()->metrics.size(), static_cast<std::size_t>(metrics.size()));
        for (const MetricComparison& metric : page.comparison()->metrics) {
            const QJsonValue each = metrics[QString::fromStdString(metric.name)];
            QVERIFY2(isSame(each.toObject(), metric), metric.name.c_str());
        }
    }

    static void compareSettings(const ComparePage& page, const QJsonObject& json) {
        const SettingsComparison& shown = page.comparison()->settings;
        QCOMPARE(json[QStringLiteral("same_count")].toDouble(), static_cast<double>(shown.same));
        const SettingsCard& card = *page.header()->settings();
        const QJsonArray different = json[QStringLiteral("different")].toArray();
        const auto sizeOf = [&](const char* key) {
            return json[QLatin1String(key)].toArray().size();
        };
        const qsizetype differ = different.size() + sizeOf("only_left") + sizeOf("only_right");
        const qsizetype all = differ + json[QStringLiteral("same_count")].toInt() +
                              json[QStringLiteral("ignored_count")].toInt();
        if (all > 0) {
            const QString counts = QStringLiteral("%1 of %2 differ").arg(differ).arg(all);
            QVERIFY2(card.head().contains(counts), qPrintable(card.head()));
        }
        for (const char* side : {"left_sources", "right_sources"}) {
            for (const QJsonValue& source : json[QLatin1String(side)].toArray()) {
                const QString name = source.toString().section(QLatin1Char('/'), -1);
                QVERIFY2(card.sources().contains(name), qPrintable(card.sources()));
            }
        }
        QCOMPARE(keysOf(shown.different), keysOf(different));
        QCOMPARE(keysOf(shown.onlyLeft), keysOf(json[QStringLiteral("only_left")].toArray()));
        QCOMPARE(keysOf(shown.onlyRight), keysOf(json[QStringLiteral("only_right")].toArray()));
        for (std::size_t i = 0; i < shown.different.size(); ++i) {
            const QJsonObject each = different[static_cast<qsizetype>(i)].toObject();
            const auto same = [](const QJsonValue& value, const Value& other) {
                return value.isDouble()
                           ? settingText(other).empty() ||
                                 value.toDouble() == std::stod(settingText(other))
                           : value.toVariant().toString().toStdString() == settingText(other);
            };
            QVERIFY(same(each[QStringLiteral("left")], shown.different[i].left));
            QVERIFY(same(each[QStringLiteral("right")], shown.different[i].right));
        }
    }

    static void compareCheckpoints(const ComparePage& page, const QJsonObject& json,
                                   const RunPlace& left, const RunPlace& right) {
        const QJsonArray pairs = json[QStringLiteral("checkpoints")].toArray();
        const auto& shown = page.comparison()->checkpoints;
        QCOMPARE(static_cast<std::size_t>(pairs.size()), shown.size());
        QCOMPARE(page.side()->pairs()->model()->rowCount(), static_cast<int>(shown.size()));
        const auto pathOf = [](const RunPlace& place, const std::optional<std::size_t>& index) {
            return index ? inText(place.run.checkpoints[*index].path) : QString();
        };
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const QJsonObject pair = pairs[static_cast<qsizetype>(i)].toObject();
            QCOMPARE(pair[QStringLiteral("left")].toString(), pathOf(left, shown[i].left));
            QCOMPARE(pair[QStringLiteral("right")].toString(), pathOf(right, shown[i].right));
            QCOMPARE(pair[QStringLiteral("exact")].toBool(), shown[i].exact);
        }
    }

    test::RunFolder m_folder;
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::CompareFacesTest)
#include "compare_faces_test.moc"
