// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/series_table.h"

#include <algorithm>
#include <cmath>

namespace cairn::history {
namespace {

/// Initial capacity; avoids repeated reallocation of thousands of short curves.
constexpr std::size_t kFirstPoints = 8;

/// Appends to an optional column, which is created with the first recorded value and padded to the
/// length of the values.
void addOptional(Column<double>& column, std::size_t before, double value) {
    if (column.empty() && std::isnan(value)) {
        return;
    }
    column.resize(before, kNothing);
    column.push_back(value);
}

/// The same for what rounding took.
void addRest(Column<std::int16_t>& column, std::size_t before, std::int16_t rest) {
    if (column.empty() && rest == 0) {
        return;
    }
    column.resize(before);
    column.push_back(rest);
}

} // namespace

std::size_t SeriesTable::column(std::string_view name) {
    if (const auto found = m_columns.find(name); found != m_columns.end()) {
        return found->second;
    }
    if (m_series.size() >= kMaxColumns || name.size() > kMaxName) {
        return kNoColumn;
    }
    m_columns.emplace(std::string(name), m_series.size());
    m_series.emplace_back().name = std::string(name);
    return m_series.size() - 1;
}

std::size_t SeriesTable::columnNear(std::string_view name, std::size_t hint) {
    return hint < m_series.size() && m_series[hint].name == name ? hint : column(name);
}

void SeriesTable::add(std::size_t column, const RowPlace& place, Number value) {
    if (column >= m_series.size() || full()) {
        ++m_dropped;
        return;
    }
    MetricSeries& series = m_series[column];
    const std::size_t before = series.values.size();
    if (before == 0) {
        series.steps.reserve(kFirstPoints);
        series.values.reserve(kFirstPoints);
    }
    if (place.stepFrom != StepsFrom::Source) {
        series.stepsFrom = place.stepFrom;
    }
    series.stepsStrength = std::min(series.stepsStrength, place.strength);
    series.stepsKey = before == 0 || series.stepsKey == place.key ? place.key : std::string_view();
    series.steps.push_back(place.step.nearest);
    series.values.push_back(value.nearest);
    addOptional(series.epochs, before, place.epoch);
    addOptional(series.wall, before, place.wall);
    addRest(series.stepRests, before, place.step.rest);
    addRest(series.valueRests, before, value.rest);
    ++m_points;
}

std::vector<MetricSeries> SeriesTable::copy() const {
    SeriesTable other;
    other.m_series = m_series;
    return other.take();
}

std::vector<MetricSeries> SeriesTable::take() {
    std::vector<MetricSeries> taken;
    for (MetricSeries& series : m_series) {
        if (series.values.empty()) {
            continue;
        }
        if (!series.epochs.empty()) {
            series.epochs.resize(series.values.size(), kNothing);
        }
        if (!series.wall.empty()) {
            series.wall.resize(series.values.size(), kNothing);
        }
        for (Column<std::int16_t>* rests : {&series.stepRests, &series.valueRests}) {
            if (!rests->empty()) {
                rests->resize(series.values.size());
            }
        }
        taken.push_back(std::move(series));
    }
    m_series.clear();
    m_columns.clear();
    m_points = 0;
    std::ranges::sort(taken, [](const MetricSeries& a, const MetricSeries& b) {
        return naturalLess(a.name, b.name);
    });
    return taken;
}

std::vector<Notice> SeriesTable::notices() const {
    if (m_dropped == 0) {
        return {};
    }
    return {{Severity::Warning,
             fail(ErrorCode::LimitExceeded, "The source has more data than can be shown")
                 .expecting(sentence("at most %1 points and %2 names of %3 bytes", kMaxPoints,
                                     kMaxColumns, kMaxName))}};
}

} // namespace cairn::history
