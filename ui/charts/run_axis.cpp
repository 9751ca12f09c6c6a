// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::ui {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool hasSteps(const MetricSeries& series) {
    return series.steps.size() == series.size();
}

bool has(const std::vector<double>& column) {
    return std::any_of(column.begin(), column.end(), [](double v) { return std::isfinite(v); });
}

/// The part of a map that one series provides.
void collect(const MetricSeries& series, const std::vector<double>& column,
             std::vector<std::pair<double, double>>& pairs) {
    const std::size_t count = std::min(series.steps.size(), column.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(series.steps[i]) && std::isfinite(column[i])) {
            pairs.emplace_back(series.steps[i], column[i]);
        }
    }
}

/// Ascending steps; if a step is repeated (a restart), the last value is used.
StepMap mapOf(std::vector<std::pair<double, double>> pairs) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<double> steps;
    std::vector<double> places;
    for (const auto& [step, place] : pairs) {
        if (!steps.empty() && steps.back() == step) {
            places.back() = place;
        } else {
            steps.push_back(step);
            places.push_back(place);
        }
    }
    return {std::move(steps), std::move(places)};
}

const std::vector<double>* columnOf(const MetricSeries& series, AxisChoice::Kind kind) {
    switch (kind) {
    case AxisChoice::Kind::Epoch:
        return &series.epochs.get();
    case AxisChoice::Kind::Elapsed:
    case AxisChoice::Kind::Wall:
        return &series.wall.get();
    case AxisChoice::Kind::Step:
    case AxisChoice::Kind::Metric:
        break;
    }
    return nullptr;
}

/// From the series with the most points; sources are never mixed.
StepMap bestMap(const RunHistory& history, const AxisChoice& choice) {
    if (choice.kind == AxisChoice::Kind::Metric) {
        std::vector<std::pair<double, double>> pairs;
        if (const MetricSeries* series = history.primary(choice.metric)) {
            collect(*series, series->values, pairs);
        }
        return mapOf(std::move(pairs));
    }
    const MetricSeries* best = nullptr;
    for (const MetricSeries& series : history.series) {
        const std::vector<double>* column = columnOf(series, choice.kind);
        if (column != nullptr && has(*column) && hasSteps(series) &&
            (best == nullptr || series.size() > best->size())) {
            best = &series;
        }
    }
    std::vector<std::pair<double, double>> pairs;
    if (best != nullptr) {
        collect(*best, *columnOf(*best, choice.kind), pairs);
    } else if (choice.kind == AxisChoice::Kind::Epoch) { // stored as a separate metric
        if (const MetricSeries* series = history.primary("epoch")) {
            collect(*series, series->values, pairs);
        }
    }
    return mapOf(std::move(pairs));
}

double firstOf(const RunHistory& history, const AxisChoice& choice, const StepMap& map) {
    double first = std::numeric_limits<double>::infinity();
    for (const MetricSeries& series : history.series) {
        const std::vector<double>* column = choice.kind == AxisChoice::Kind::Step
                                                ? &series.steps.get()
                                                : columnOf(series, choice.kind);
        if (column == nullptr) {
            continue;
        }
        for (const double value : *column) {
            if (std::isfinite(value)) {
                first = std::min(first, value);
            }
        }
    }
    if (!map.empty()) {
        first = std::min(first, map.first());
    }
    return std::isfinite(first) ? first : 0;
}

} // namespace

AxisUnit axisUnit(const AxisChoice& choice) {
    switch (choice.kind) {
    case AxisChoice::Kind::Step:
        return AxisUnit::Whole;
    case AxisChoice::Kind::Elapsed:
        return AxisUnit::Duration;
    case AxisChoice::Kind::Wall:
        return choice.fromFirst ? AxisUnit::Duration : AxisUnit::Moment;
    case AxisChoice::Kind::Epoch:
    case AxisChoice::Kind::Metric:
        break;
    }
    return AxisUnit::Plain;
}

StepMap::StepMap(std::vector<double> steps, std::vector<double> places)
    : m_steps(std::move(steps)), m_places(std::move(places)) {}

std::optional<double> StepMap::at(double step) const {
    if (m_steps.empty() || !std::isfinite(step)) {
        return std::nullopt;
    }
    const auto after = std::lower_bound(m_steps.begin(), m_steps.end(), step);
    if (after != m_steps.end() && *after == step) {
        return m_places[static_cast<std::size_t>(after - m_steps.begin())];
    }
    if (after == m_steps.begin() || after == m_steps.end()) {
        const std::size_t count = m_steps.size();
        const double usual =
            count > 1 ? (m_steps.back() - m_steps.front()) / static_cast<double>(count - 1) : 0;
        const double beyond =
            after == m_steps.end() ? step - m_steps.back() : m_steps.front() - step;
        return beyond <= std::max(1.0, usual)
                   ? std::optional(after == m_steps.end() ? m_places.back() : m_places.front())
                   : std::nullopt;
    }
    const auto right = static_cast<std::size_t>(after - m_steps.begin());
    const double share = (step - m_steps[right - 1]) / (m_steps[right] - m_steps[right - 1]);
    return m_places[right - 1] + share * (m_places[right] - m_places[right - 1]);
}

std::optional<double> StepMap::stepAt(double place) const {
    std::optional<double> found;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        if (m_places[i] <= place) {
            found = m_steps[i];
        }
    }
    return found;
}

RunAxis::RunAxis(const RunHistory& history, AxisChoice choice) : m_choice(std::move(choice)) {
    if (m_choice.kind != AxisChoice::Kind::Step) {
        m_map = bestMap(history, m_choice);
    }
    m_epochs = m_choice.kind == AxisChoice::Kind::Epoch
                   ? m_map
                   : bestMap(history, {AxisChoice::Kind::Epoch, {}, false});
    if (m_choice.fromFirst || m_choice.kind == AxisChoice::Kind::Elapsed) {
        m_origin = firstOf(history, m_choice, m_map);
    }
}

std::optional<RunAxis::Places> RunAxis::raw(const MetricSeries& series) const {
    Places places;
    if (m_choice.kind == AxisChoice::Kind::Step) {
        places.x = series.steps;
        if (!hasSteps(series)) { // nothing but the order is known
            places.x.resize(series.size());
            for (std::size_t i = 0; i < places.x.size(); ++i) {
                places.x[i] = static_cast<double>(i);
            }
        }
        return places;
    }
    const std::vector<double>* column = columnOf(series, m_choice.kind);
    const bool own = column != nullptr && column->size() == series.size() && has(*column);
    if (!own && (m_map.empty() || !hasSteps(series))) {
        return std::nullopt;
    }
    places.x.resize(series.size(), kNaN);
    bool any = false;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (own && std::isfinite((*column)[i])) {
            places.x[i] = (*column)[i];
        } else if (hasSteps(series)) {
            if (const auto place = m_map.at(series.steps[i])) {
                places.x[i] = *place;
                places.interpolated = true;
            }
        }
        any = any || std::isfinite(places.x[i]);
    }
    return any ? std::optional(std::move(places)) : std::nullopt;
}

std::optional<RunAxis::Places> RunAxis::places(const MetricSeries& series) const {
    std::optional<Places> places = raw(series);
    if (places && m_origin != 0) {
        for (double& x : places->x) {
            x -= m_origin;
        }
    }
    return places;
}

std::optional<double> RunAxis::place(std::optional<std::int64_t> step,
                                     std::optional<double> epoch) const {
    std::optional<double> at;
    std::optional<double> asStep;
    if (step) {
        asStep = static_cast<double>(*step);
    } else if (epoch) {
        asStep = m_epochs.stepAt(*epoch);
    }
    if (m_choice.kind == AxisChoice::Kind::Step) {
        at = asStep;
    } else if (asStep) {
        at = m_map.at(*asStep);
    }
    if (!at && m_choice.kind == AxisChoice::Kind::Epoch) {
        at = epoch;
    }
    return at ? std::optional(*at - m_origin) : std::nullopt;
}

std::vector<AxisChoice::Kind> possibleAxes(const RunHistory& history) {
    bool epochs = false;
    bool wall = false;
    for (const MetricSeries& series : history.series) {
        epochs = epochs || has(series.epochs) || series.name == "epoch";
        wall = wall || has(series.wall);
    }
    std::vector<AxisChoice::Kind> kinds{AxisChoice::Kind::Step};
    if (epochs) {
        kinds.push_back(AxisChoice::Kind::Epoch);
    }
    if (wall) {
        kinds.push_back(AxisChoice::Kind::Elapsed);
        kinds.push_back(AxisChoice::Kind::Wall);
    }
    return kinds;
}

std::vector<std::string> axisMetrics(const RunHistory& history) {
    std::vector<std::string> names;
    for (const std::string& name : history.names()) {
        const MetricSeries* series = history.primary(name);
        if (series == nullptr || series->size() < 2 || !hasSteps(*series) || name == "epoch") {
            continue;
        }
        bool grows = series->values.front() < series->values.back();
        for (std::size_t i = 1; i < series->size() && grows; ++i) {
            grows = series->values[i] >= series->values[i - 1] ||
                    series->steps[i] <= series->steps[i - 1];
        }
        if (grows) {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace cairn::ui
