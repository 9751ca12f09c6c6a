// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_charts.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kWeightSeries = 2; ///< neither A nor B
constexpr int kLossRank = 30;    ///< metricRank() below it: losses
constexpr std::size_t kMaxBefore = 4;
constexpr std::size_t kMaxAlone = 12;
constexpr qsizetype kMaxWarnings = 3;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::ComparePage)
};

QString alone(const QString& letter, const std::vector<std::string>& names) {
    QStringList shown;
    for (std::size_t i = 0; i < std::min(names.size(), kMaxAlone); ++i) {
        shown << text::fromCore(names[i]);
    }
    QString line = Words::tr("Only in %1: %2").arg(letter, shown.join(QStringLiteral(", ")));
    if (names.size() > kMaxAlone) {
        line += QLatin1Char(' ') +
                Words::tr("and %Ln more", nullptr, static_cast<int>(names.size() - kMaxAlone));
    }
    return line;
}

} // namespace

std::vector<AxisChoice::Kind> sharedAxes(const RunHistory& left, const RunHistory& right) {
    std::vector<AxisChoice::Kind> kinds = possibleAxes(left);
    const std::vector<AxisChoice::Kind> others = possibleAxes(right);
    std::erase_if(kinds, [&](AxisChoice::Kind kind) {
        return std::ranges::find(others, kind) == others.end();
    });
    return kinds;
}

std::vector<std::string> sharedAxisMetrics(const RunHistory& left, const RunHistory& right) {
    std::vector<std::string> names = axisMetrics(left);
    const std::vector<std::string> others = axisMetrics(right);
    std::erase_if(names, [&](const std::string& name) {
        return std::ranges::find(others, name) == others.end();
    });
    return names;
}

CompareAxis compareAxis(const AxisChoice& axis) {
    switch (axis.kind) {
    case AxisChoice::Kind::Epoch:
        return CompareAxis::Epoch;
    case AxisChoice::Kind::Elapsed:
    case AxisChoice::Kind::Wall:
        return CompareAxis::Time;
    case AxisChoice::Kind::Step:
    case AxisChoice::Kind::Metric:
        break;
    }
    return axis.fromFirst ? CompareAxis::FirstStep : CompareAxis::Step;
}

AxisChoice figureAxis(const AxisChoice& axis) {
    switch (compareAxis(axis)) {
    case CompareAxis::Epoch:
        return {AxisChoice::Kind::Epoch, {}, false};
    case CompareAxis::Time:
        return {AxisChoice::Kind::Elapsed, {}, false};
    case CompareAxis::Step:
    case CompareAxis::FirstStep:
        break;
    }
    return {AxisChoice::Kind::Step, {}, axis.fromFirst};
}

QString weightChartName() {
    return Words::tr("weights: |B − A| / |A|");
}

std::size_t weightChartPlace(const RunComparison& comparison) {
    const auto& metrics = comparison.metrics;
    const auto second = metrics.begin() + (metrics.empty() ? 0 : 1);
    const auto other = std::find_if(second, metrics.end(), [](const MetricComparison& metric) {
        return metricRank(metric.name) >= kLossRank;
    });
    return std::min(static_cast<std::size_t>(other - metrics.begin()), kMaxBefore);
}

ChartContent weightContent(const ChartedRun& left, const ScannedRun& right,
                           const RunComparison& comparison, const WeightDistance& distance,
                           const std::filesystem::path& selected) {
    ChartContent content;
    content.name = weightChartName();
    std::vector<std::pair<double, double>> points;
    std::size_t unreadable = 0;
    for (const WeightPair& pair : distance.pairs()) {
        const WeightChange* change = distance.change(pair.pair);
        const CheckpointPair& both = comparison.checkpoints[pair.pair];
        const std::optional<double> x = left.axis->place(both.step, both.epoch);
        if (change == nullptr || !x) {
            continue;
        }
        ChartTick tick;
        tick.x = *x;
        tick.series = kWeightSeries;
        tick.state = change->known() ? ChartTick::State::Whole : ChartTick::State::Broken;
        tick.selected = pair.left == selected || pair.right == selected;
        tick.checkpoint = pair.left;
        tick.label = text::fromCore(left.place.run.checkpoints[*both.left].name) +
                     Words::tr(" vs ") + text::fromCore(right.checkpoints[*both.right].name);
        content.ticks.push_back(std::move(tick));
        if (change->known()) {
            points.emplace_back(*x, change->relative);
        } else {
            ++unreadable;
        }
    }
    std::ranges::sort(points);
    std::vector<double> x;
    std::vector<double> y;
    for (const auto& [at, value] : points) {
        x.push_back(at);
        y.push_back(value);
    }
    ChartCurve curve;
    curve.run = Words::tr("B relative to A");
    curve.series = kWeightSeries;
    curve.source = Words::tr("%Ln pairs of checkpoints", nullptr, static_cast<int>(points.size()));
    curve.data = std::make_shared<CurveData>(std::move(x), std::move(y));
    content.curves.push_back(std::move(curve));
    if (unreadable > 0) {
        content.note = Words::tr("%Ln not comparable", nullptr, static_cast<int>(unreadable));
    }
    return content;
}

QStringList unmatchedMetricLines(const RunComparison& comparison) {
    QStringList lines;
    if (comparison.metrics.empty() &&
        !(comparison.onlyLeft.empty() && comparison.onlyRight.empty())) {
        lines << Words::tr("The two runs have no metric in common.");
    }
    if (!comparison.onlyLeft.empty()) {
        lines << alone(QStringLiteral("A"), comparison.onlyLeft);
    }
    if (!comparison.onlyRight.empty()) {
        lines << alone(QStringLiteral("B"), comparison.onlyRight);
    }
    return lines;
}

QStringList sourceLines(const ChartedRun& run) {
    QStringList names;
    QStringList warnings = noticeLines(run.history->warnings);
    for (std::size_t i = 0; i < run.history->sources.size(); ++i) {
        const QString name =
            sourceName(*run.history, static_cast<std::uint32_t>(i), run.place.path);
        names << name;
        for (const QString& line : noticeLines(run.history->sources[i].warnings)) {
            warnings << name + QStringLiteral(": ") + line;
        }
    }
    QStringList lines{names.isEmpty()
                          ? Words::tr("%1: no history found for this run").arg(run.letter)
                          : run.letter + QStringLiteral(": ") + names.join(QStringLiteral(", "))};
    const qsizetype more = warnings.size() - kMaxWarnings;
    lines << warnings.mid(0, kMaxWarnings);
    if (more > 0) {
        lines << Words::tr("and %Ln more", nullptr, static_cast<int>(more));
    }
    return lines;
}

} // namespace cairn::ui
