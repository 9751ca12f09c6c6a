// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_colours.h"

#include "ui/charts/plot_frame.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/pages/runs/run_relation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace cairn::ui {

std::string colourKey(const RunGrid& grid, const std::string& choice, bool isMany) {
    if (choice == kOwnColours || (choice == kAutomaticColours && !isMany)) {
        return {};
    }
    const std::vector<std::string> keys = relationKeys(grid);
    if (choice != kAutomaticColours && std::ranges::find(keys, choice) != keys.end()) {
        return choice;
    }
    if (!isMany) {
        return {}; // this experiment does not have the column
    }
    if (const std::string setting = settled(grid, {}).x; !setting.empty()) {
        return setting;
    }
    const auto lead = grid.leadMetric();
    return lead ? grid.nameOf(GridColumn::metric(*lead)) : std::string();
}

RunColours colourRuns(const RunGrid& grid, std::span<const std::uint32_t> rows,
                      const std::string& key) {
    RunColours colours;
    if (key.empty() || rows.empty()) {
        return colours;
    }
    const RelationAxis axis = relationAxis(grid, rows, key);
    double low = INFINITY; // along the axis, which has margins
    double high = -INFINITY;
    std::size_t lowest = 0;
    std::size_t highest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double at = axis.has(i) ? axis.share(i) : NAN;
        lowest = at < low ? i : lowest;
        highest = at > high ? i : highest;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (low > high) {
        return colours; // no run has a value
    }
    const auto along = [&](double at) { return high > low ? (at - low) / (high - low) : 0.5; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (axis.has(i)) {
            colours.shares.emplace(rows[i], along(axis.share(i)));
        }
    }
    auto scale = std::make_shared<CurveScale>();
    scale->title = axis.title;
    scale->isDiscrete = !axis.categories.isEmpty() || !axis.stops.empty() || low == high;
    if (!axis.categories.isEmpty() || !axis.stops.empty()) {
        for (const AxisTick& tick : axis.ticks(2)) {
            scale->marks.push_back(
                {along(PlotFrame::share(tick.value, axis.range, axis.scale)), tick.label});
        }
    } else {
        scale->marks.push_back({along(low), axis.text(axis.values[lowest])});
        if (high > low) {
            scale->marks.push_back({0.5, axis.textAt((low + high) / 2)});
            scale->marks.push_back({1.0, axis.text(axis.values[highest])});
        }
    }
    colours.scale = std::move(scale);
    return colours;
}

} // namespace cairn::ui
