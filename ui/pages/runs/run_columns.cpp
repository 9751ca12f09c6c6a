// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_columns.h"

#include "core/runs/compare/compare.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

struct ColumnWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::RunsPage)
};

constexpr std::size_t kMetrics = 2;
constexpr std::size_t kSettings = 4; // so that the metrics after them are in sight

QString factTitle(RunFact fact) {
    switch (fact) {
    case RunFact::Name:
        return ColumnWords::tr("run");
    case RunFact::State:
        return ColumnWords::tr("state");
    case RunFact::Step:
        return ColumnWords::tr("step");
    case RunFact::Checkpoints:
        return ColumnWords::tr("checkpoints");
    case RunFact::Bytes:
        return ColumnWords::tr("size");
    case RunFact::Duration:
        return ColumnWords::tr("duration");
    case RunFact::Started:
        return ColumnWords::tr("started");
    case RunFact::Newest:
        return ColumnWords::tr("newest");
    case RunFact::Best:
        return ColumnWords::tr("best checkpoint");
    }
    return {};
}

QString metricTitle(const GridMetric& metric, MetricPart part) {
    const QString name = text::fromCore(metric.name);
    switch (part) {
    case MetricPart::Value:
        return metric.better != names::Direction::Unknown ? ColumnWords::tr("best %1").arg(name)
                                                          : ColumnWords::tr("last %1").arg(name);
    case MetricPart::Best:
        return ColumnWords::tr("best %1").arg(name);
    case MetricPart::Last:
        return ColumnWords::tr("last %1").arg(name);
    case MetricPart::BestStep:
        return ColumnWords::tr("step of best %1").arg(name);
    case MetricPart::LastStep:
        return ColumnWords::tr("last step of %1").arg(name);
    }
    return {};
}

QString stateText(std::string_view state) {
    if (state == stateName(CheckpointState::Complete)) {
        return ColumnWords::tr("complete");
    }
    if (state == stateName(CheckpointState::Incomplete)) {
        return ColumnWords::tr("incomplete");
    }
    if (state == stateName(CheckpointState::BeingWritten)) {
        return ColumnWords::tr("being written");
    }
    if (state == stateName(CheckpointState::Damaged)) {
        return ColumnWords::tr("damaged");
    }
    if (state == stateName(CheckpointState::Unknown)) {
        return ColumnWords::tr("not examined");
    }
    return ColumnWords::tr("no checkpoints");
}

void addOnce(std::vector<std::string>& keys, const std::string& key) {
    if (std::ranges::find(keys, key) == keys.end()) {
        keys.push_back(key);
    }
}

/// The curve; then the core's defaults, with the last value of the main metric beside its best one.
std::vector<std::string> defaultKeys(const RunGrid& grid) {
    std::vector<std::string> keys;
    for (std::size_t row = 0; row < grid.rows().size() && keys.empty(); ++row) {
        if (!grid.outline(row).values.empty()) {
            keys.emplace_back(kCurveKey);
        }
    }
    for (const GridColumn& column : grid.defaultColumns(kMetrics, kSettings)) {
        if (isFact(column, RunFact::Name)) {
            continue;
        }
        addOnce(keys, grid.nameOf(column));
        const bool lead = column.kind == GridColumn::Kind::Metric && grid.leadMetric() &&
                          column.index == *grid.leadMetric();
        if (lead && grid.metrics()[column.index].better != names::Direction::Unknown) {
            addOnce(keys, grid.nameOf(GridColumn::metric(column.index, MetricPart::Last)));
        }
    }
    return keys;
}

} // namespace

std::vector<std::string> columnKeys(const RunGrid& grid, const ColumnChoice& choice, bool grouped) {
    std::vector<std::string> keys{kNameKey};
    if (grouped) {
        keys.emplace_back(kCountKey);
    }
    const std::vector<std::string> defaults = defaultKeys(grid);
    for (const std::string& key : defaults) {
        if (std::ranges::find(choice.hidden, key) == choice.hidden.end()) {
            addOnce(keys, key);
        }
    }
    for (const std::string& key : choice.shown) {
        if (key == kCurveKey || grid.find(key)) {
            addOnce(keys, key);
        }
    }
    return keys;
}

std::vector<std::string> allColumnKeys(const RunGrid& grid) {
    std::vector<std::string> keys;
    const auto addSettings = [&](bool differing) {
        for (std::size_t i = 0; i < grid.settings().size(); ++i) {
            if ((i < grid.differing()) == differing) {
                keys.push_back(grid.nameOf(GridColumn::setting(i)));
            }
        }
    };
    addSettings(true);
    for (std::size_t i = 0; i < grid.metrics().size(); ++i) {
        keys.push_back(grid.nameOf(GridColumn::metric(i)));
        if (grid.metrics()[i].better != names::Direction::Unknown) {
            keys.push_back(grid.nameOf(GridColumn::metric(i, MetricPart::Last)));
        }
    }
    for (std::size_t fact = 0; fact < kRunFacts; ++fact) {
        if (static_cast<RunFact>(fact) != RunFact::Name) {
            keys.push_back(grid.nameOf(GridColumn::of(static_cast<RunFact>(fact))));
        }
    }
    keys.emplace_back(kCurveKey);
    addSettings(false);
    return keys;
}

ColumnChoice choiceOf(const RunGrid& grid, const std::vector<std::string>& checked) {
    ColumnChoice choice;
    const std::vector<std::string> defaults = defaultKeys(grid);
    for (const std::string& key : checked) {
        if (std::ranges::find(defaults, key) == defaults.end()) {
            choice.shown.push_back(key);
        }
    }
    for (const std::string& key : defaults) {
        if (std::ranges::find(checked, key) == checked.end()) {
            choice.hidden.push_back(key);
        }
    }
    return choice;
}

std::optional<GridColumn> gridColumn(const RunGrid& grid, const std::string& key) {
    if (key == kCountKey || key == kCurveKey) {
        return std::nullopt;
    }
    const Result<GridColumn> found = grid.find(key);
    return found ? std::optional(*found) : std::nullopt;
}

std::string lastPart(const std::string& key) {
    const std::size_t dot = key.rfind('.');
    return dot == std::string::npos || dot + 1 == key.size() ? key : key.substr(dot + 1);
}

QString columnTitle(const RunGrid& grid, const std::string& key) {
    const std::optional<GridColumn> column = gridColumn(grid, key);
    if (column && column->kind == GridColumn::Kind::Setting) {
        const std::string& name = grid.settings()[column->index].key;
        const std::string last = lastPart(name);
        const Result<GridColumn> same = grid.find(last);
        return text::fromCore(same && *same == *column ? last : name);
    }
    return columnFullTitle(grid, key);
}

QString columnFullTitle(const RunGrid& grid, const std::string& key) {
    const std::optional<GridColumn> column = gridColumn(grid, key);
    if (!column) {
        return key == kCurveKey   ? ColumnWords::tr("curve")
               : key == kCountKey ? ColumnWords::tr("n")
               : key == kNoteKey  ? ColumnWords::tr("note")
                                  : QString();
    }
    switch (column->kind) {
    case GridColumn::Kind::Fact:
        return factTitle(static_cast<RunFact>(column->index));
    case GridColumn::Kind::Metric:
        return metricTitle(grid.metrics()[column->index], column->part);
    case GridColumn::Kind::Setting:
        break;
    }
    return text::fromCore(grid.settings()[column->index].key);
}

QString numberText(double value, GridColumn column) {
    const bool isStep =
        column.kind == GridColumn::Kind::Metric &&
        (column.part == MetricPart::BestStep || column.part == MetricPart::LastStep);
    const auto whole = static_cast<std::uint64_t>(std::max(0.0, value));
    if (isFact(column, RunFact::Bytes)) {
        return text::bytes(whole);
    }
    if (isFact(column, RunFact::Duration)) {
        return text::duration(value);
    }
    if (isFact(column, RunFact::Started)) {
        return text::moment(static_cast<std::int64_t>(value * 1e3));
    }
    if (isStep || isFact(column, RunFact::Step) || isFact(column, RunFact::Checkpoints)) {
        return value == static_cast<double>(whole) ? text::count(whole) : text::number(value);
    }
    return text::number(value);
}

QString meanText(const Figures& figures, GridColumn column) {
    const double deviation = figures.of(Aggregate::Std);
    const QString mean = numberText(figures.of(Aggregate::Mean), column);
    if (figures.n < 2 || !std::isfinite(deviation) || deviation == 0) {
        return mean;
    }
    // Two digits: more of it are noise.
    const double unit = std::pow(10.0, std::floor(std::log10(deviation)) - 1);
    const bool plain = column.kind == GridColumn::Kind::Metric;
    return mean + QStringLiteral(" ± ") +
           numberText(plain ? std::round(deviation / unit) * unit : deviation, column);
}

QString cellText(const RunGrid& grid, std::size_t row, GridColumn column) {
    const FilterCell cell = grid.cell(row, column);
    if (isFact(column, RunFact::State)) {
        return stateText(cell.text);
    }
    if (column.kind == GridColumn::Kind::Setting || !cell.number) {
        return text::fromCore(grid.shown(row, column));
    }
    return numberText(*cell.number, column);
}

std::vector<std::size_t> groupingSettings(const RunGrid& grid) {
    std::vector<std::size_t> settings;
    for (std::size_t i = 0; i < grid.differing(); ++i) {
        if (!grid.settings()[i].isIdentity) {
            settings.push_back(i);
        }
    }
    return settings;
}

QStringList toStrings(const std::vector<std::string>& keys) {
    QStringList strings;
    for (const std::string& key : keys) {
        strings << QString::fromStdString(key);
    }
    return strings;
}

std::vector<std::string> fromStrings(const QStringList& strings) {
    std::vector<std::string> keys;
    for (const QString& string : strings) {
        keys.push_back(string.toStdString());
    }
    return keys;
}

} // namespace cairn::ui
