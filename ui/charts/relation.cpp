// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/relation.h"

#include "ui/charts/plot_frame.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr double kDecades = 100;     ///< from this ratio on an axis is logarithmic
constexpr double kStopDecade = 9.9;  ///< the steps of a sweep: 1e-4, 3e-4, 1e-3
constexpr double kAxisMargin = 0.06; ///< of the axis's length, at either end
constexpr double kCategoryMargin = 0.4;

} // namespace

bool RelationAxis::canBeLog() const {
    const auto isFinite = [](double value) { return std::isfinite(value); };
    return categories.isEmpty() && unit != AxisUnit::Moment &&
           std::ranges::any_of(values, isFinite) &&
           std::ranges::all_of(values, [&](double value) { return !isFinite(value) || value > 0; });
}

void RelationAxis::fit(std::optional<Scale> wished) {
    scale = Scale::Linear;
    if (!categories.isEmpty()) {
        range = {-kCategoryMargin, static_cast<double>(categories.size()) - 1 + kCategoryMargin};
        return;
    }
    Range found{INFINITY, -INFINITY};
    for (const double value : values) {
        if (std::isfinite(value)) {
            found = {std::min(found.low, value), std::max(found.high, value)};
        }
    }
    if (found.low > found.high) {
        range = {0, 1};
        return;
    }
    if (canBeLog()) {
        const bool spans = found.high / found.low >= (stops.empty() ? kDecades : kStopDecade);
        scale = wished.value_or(spans ? Scale::Log : Scale::Linear);
    }
    range = withMargin(found, scale, kAxisMargin);
}

bool RelationAxis::has(std::size_t item) const {
    return item < values.size() && std::isfinite(values[item]);
}

double RelationAxis::share(std::size_t item) const {
    return PlotFrame::share(values[item], range, scale);
}

QString RelationAxis::text(double value) const {
    if (categories.isEmpty()) {
        return axisValue(value, unit);
    }
    const auto at = static_cast<qsizetype>(std::lround(value));
    return at >= 0 && at < categories.size() ? categories[at] : QString();
}

double RelationAxis::valueAt(double share) const {
    const double low = PlotFrame::place(range.low, scale);
    const double high = PlotFrame::place(range.high, scale);
    return PlotFrame::unplace(low + share * (high - low), scale);
}

std::optional<Range> RelationAxis::partOf(const RelationAxis& other, Range shares) const {
    if (categories != other.categories) {
        return std::nullopt;
    }
    const auto here = [&](double theirs) {
        const double value = other.valueAt(theirs);
        const bool below = scale == Scale::Log && value <= 0;
        return below ? 0.0 : std::clamp(PlotFrame::share(value, range, scale), 0.0, 1.0);
    };
    const Range part{here(shares.low), here(shares.high)};
    return part.low < part.high ? std::optional(part) : std::nullopt;
}

QString RelationAxis::textAt(double share) const {
    const double value = valueAt(share);
    // Of a place between two values three digits are enough.
    return categories.isEmpty() && unit == AxisUnit::Plain
               ? text::inLocale(QString::number(value, 'g', 3))
               : text(categories.isEmpty() ? std::round(value) : value);
}

std::vector<AxisTick> RelationAxis::ticks(int wanted) const {
    std::vector<AxisTick> ticks;
    for (const double stop : stops) {
        ticks.push_back({stop, text(stop)});
    }
    if (categories.isEmpty()) {
        return stops.empty() ? axisTicks(range, scale, unit, wanted) : ticks;
    }
    for (qsizetype i = 0; i < categories.size(); ++i) {
        ticks.push_back({static_cast<double>(i), categories[i]});
    }
    return ticks;
}

} // namespace cairn::ui
