// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_relation.h"

#include "ui/pages/runs/run_colours.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace cairn::ui {
namespace {

constexpr std::size_t kMostCategories = 24; ///< on an axis
constexpr std::size_t kMostStops = 6;
constexpr std::size_t kAxisSettings = 4; ///< of the parallel coordinates by default
constexpr std::size_t kLeastRuns = 3;

/// Text cells become categories.
bool isCategorical(const RunGrid& grid, GridColumn column) {
    return column.kind == GridColumn::Kind::Setting ? !grid.settings()[column.index].isNumeric
                                                    : isFact(column, RunFact::State);
}

bool canBeAxis(const RunGrid& grid, GridColumn column) {
    if (column.kind == GridColumn::Kind::Setting) {
        const GridSetting& setting = grid.settings()[column.index];
        return setting.differs() && (setting.isNumeric || setting.values.size() <= kMostCategories);
    }
    return column.kind == GridColumn::Kind::Metric ||
           !(isFact(column, RunFact::Name) || isFact(column, RunFact::Newest) ||
             isFact(column, RunFact::Best));
}

AxisUnit unitOf(GridColumn column) {
    const bool isStep =
        column.kind == GridColumn::Kind::Metric &&
        (column.part == MetricPart::BestStep || column.part == MetricPart::LastStep);
    if (isStep || isFact(column, RunFact::Step) || isFact(column, RunFact::Checkpoints)) {
        return AxisUnit::Whole;
    }
    return isFact(column, RunFact::Duration)  ? AxisUnit::Duration
           : isFact(column, RunFact::Started) ? AxisUnit::Moment
                                              : AxisUnit::Plain;
}

/// The categories that occur: those of a setting in its order, states in the order of rows.
void addCategories(RelationAxis& axis, const RunGrid& grid, std::span<const std::uint32_t> rows,
                   GridColumn column) {
    std::map<std::uint32_t, QString> settings; // by position in the values
    QStringList states;
    for (const std::uint32_t row : rows) {
        if (column.kind == GridColumn::Kind::Setting) {
            const GridSetting& setting = grid.settings()[column.index];
            const std::uint32_t value = setting.ofRow[row];
            settings.emplace(value, value == GridSetting::kNoValue
                                        ? QStringLiteral("–")
                                        : text::fromCore(setting.values[value].shown));
        } else if (const QString state = cellText(grid, row, column); !states.contains(state)) {
            states << state;
        }
    }
    std::map<std::uint32_t, double> at;
    for (const auto& [value, words] : settings) {
        at.emplace(value, static_cast<double>(axis.categories.size()));
        axis.categories << words;
    }
    axis.categories << states;
    for (const std::uint32_t row : rows) {
        axis.values.push_back(
            column.kind == GridColumn::Kind::Setting
                ? at[grid.settings()[column.index].ofRow[row]]
                : static_cast<double>(states.indexOf(cellText(grid, row, column))));
    }
}

} // namespace

RelationAxis relationAxis(const RunGrid& grid, std::span<const std::uint32_t> rows,
                          const std::string& key, std::optional<Scale> scale) {
    RelationAxis axis;
    axis.key = QString::fromStdString(key);
    axis.title = columnTitle(grid, key);
    const auto column = gridColumn(grid, key);
    if (!column) {
        axis.values.assign(rows.size(), NAN);
    } else if (isCategorical(grid, *column)) {
        addCategories(axis, grid, rows, *column);
    } else {
        axis.unit = unitOf(*column);
        for (const std::uint32_t row : rows) {
            axis.values.push_back(grid.number(row, *column).value_or(NAN));
        }
        std::set<double> distinct;
        std::ranges::copy_if(axis.values, std::inserter(distinct, distinct.end()),
                             [](double value) { return std::isfinite(value); });
        if (column->kind == GridColumn::Kind::Setting && distinct.size() <= kMostStops) {
            axis.stops.assign(distinct.begin(), distinct.end());
        }
    }
    axis.fit(scale);
    return axis;
}

std::vector<std::string> relationKeys(const RunGrid& grid) {
    std::vector<std::string> keys = allColumnKeys(grid);
    std::erase_if(keys, [&](const std::string& key) {
        const auto column = gridColumn(grid, key);
        return !column || !canBeAxis(grid, *column);
    });
    return keys;
}

RelationChoice settled(const RunGrid& grid, const RelationChoice& choice) {
    const auto known = [&](const std::string& key) {
        const auto column = key.empty() ? std::nullopt : gridColumn(grid, key);
        return column && canBeAxis(grid, *column);
    };
    std::vector<std::string> settings;
    std::string firstNumeric;
    for (const std::size_t setting : groupingSettings(grid)) {
        const GridColumn column = GridColumn::setting(setting);
        if (canBeAxis(grid, column)) {
            settings.push_back(grid.nameOf(column));
            const bool numeric = grid.settings()[setting].isNumeric;
            firstNumeric = firstNumeric.empty() && numeric ? settings.back() : firstNumeric;
        }
    }
    const auto lead = grid.leadMetric();
    RelationChoice made;
    if (settings.empty() || !lead || grid.metrics()[*lead].runs < kLeastRuns) {
        return made;
    }
    const std::string metric = grid.nameOf(GridColumn::metric(*lead));
    made.x = known(choice.x) ? choice.x : firstNumeric.empty() ? settings.front() : firstNumeric;
    made.y = known(choice.y) ? choice.y : metric;
    std::ranges::copy_if(choice.axes, std::back_inserter(made.axes), known);
    if (made.axes.size() < 2) {
        settings.resize(std::min(settings.size(), kAxisSettings));
        made.axes = std::move(settings);
        made.axes.push_back(metric);
    }
    return made;
}

RelationPtr relate(const RunGrid& grid, std::span<const std::uint32_t> rows,
                   std::span<const std::string> keys, const RunMarks& marks,
                   const std::map<std::string, Scale>& scales, const std::string& colourBy) {
    auto relation = std::make_shared<Relation>();
    const RunColours colours = colourRuns(grid, rows, colourBy);
    relation->scale = colours.scale;
    for (const std::uint32_t row : rows) {
        const auto share = colours.shares.find(row);
        relation->items.push_back(
            {text::fromCore(grid.rows()[row].name), marks.slotOf(grid.rows()[row].path),
             share == colours.shares.end() ? std::nullopt : std::optional(share->second)});
    }
    for (const std::string& key : keys) {
        const auto scale = scales.find(key);
        relation->axes.push_back(relationAxis(
            grid, rows, key, scale != scales.end() ? std::optional(scale->second) : std::nullopt));
    }
    return relation;
}

RunRelations relateBoth(const RunGrid& grid, std::span<const std::uint32_t> rows,
                        const RelationChoice& choice, const RunMarks& marks,
                        const std::string& colourBy) {
    RunRelations made;
    made.choice = settled(grid, choice);
    if (!made.choice.x.empty() && !rows.empty()) {
        const std::vector<std::string> both{made.choice.x, made.choice.y};
        made.scatter = relate(grid, rows, both, marks, choice.scales, colourBy);
        made.parallel = relate(grid, rows, made.choice.axes, marks, choice.scales, colourBy);
    }
    return made;
}

} // namespace cairn::ui
