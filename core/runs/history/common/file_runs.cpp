// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/file_runs.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace cairn::history {

FileRuns::Run* FileRuns::add(std::string_view id, std::string_view name, double start) {
    if (Run* known = find(id)) {
        return known;
    }
    if ((!m_only.empty() && id != m_only) || id.size() > kMaxName) {
        return nullptr;
    }
    if (m_runs.size() == kMaxRuns) {
        m_tooMany = true;
        return nullptr;
    }
    m_runs.push_back({.id = std::string(id),
                      .name = std::string(name.empty() ? id : name.substr(0, kMaxName)),
                      .start = start});
    m_last = &m_runs.back();
    m_places.emplace(m_last->id, m_last);
    return m_last;
}

FileRuns::Run* FileRuns::find(std::string_view id) {
    if (m_last == nullptr || m_last->id != id) {
        const auto place = m_places.find(id);
        if (place == m_places.end()) {
            return nullptr;
        }
        m_last = place->second;
    }
    return m_last;
}

void FileRuns::arrange(bool byStart) {
    if (byStart) {
        std::ranges::stable_sort(m_runs, {}, &Run::start);
        m_last = nullptr;
        m_places.clear();
        for (Run& run : m_runs) {
            m_places.emplace(run.id, &run);
        }
    }
    std::set<std::string> names;
    for (Run& run : m_runs) {
        if (!names.insert(run.name).second) {
            run.name += " (" + run.id + ")";
            names.insert(run.name);
        }
        run.prefix = m_runs.size() > 1 ? run.name + "/" : "";
    }
}

void FileRuns::addPoint(Run& run, std::string_view metric, const RowPlace& place, Number value) {
    if (metric.size() > kMaxName) {
        m_points.add(SeriesTable::kNoColumn, place, value); // counted as exceeding the limits
        return;
    }
    const std::string name(metric);
    auto known = run.columns.find(name);
    if (known == run.columns.end()) {
        const std::size_t column = m_points.column(run.prefix + name);
        if (column == SeriesTable::kNoColumn) { // the number of remembered names is limited
            m_points.add(column, place, value);
            return;
        }
        known = run.columns.emplace(name, column).first;
    }
    m_points.add(known->second, place, value);
}

bool FileRuns::isEmpty() const {
    return m_points.points() == 0 &&
           std::ranges::all_of(m_runs, [](const Run& run) { return run.rows.isEmpty(); });
}

std::vector<HeldRun> FileRuns::list() const {
    std::vector<HeldRun> runs;
    for (const Run& run : m_runs) {
        runs.push_back({run.id, run.name});
    }
    return runs;
}

void FileRuns::finish(HistoryPart& part) {
    std::ranges::move(m_points.notices(), std::back_inserter(part.warnings));
    std::ranges::move(m_points.take(), std::back_inserter(part.series));
    std::vector<ValueItem> settings;
    for (Run& run : m_runs) {
        HistoryPart own;
        run.rows.finish(own);
        std::ranges::move(own.warnings, std::back_inserter(part.warnings));
        for (MetricSeries& series : own.series) {
            if (run.calls.ofCaller()) {
                series.stepsStrength = Strength::Recorded;
            }
            series.name.insert(0, run.prefix);
            part.series.push_back(std::move(series));
        }
        if (m_runs.size() == 1) {
            settings = std::move(run.settings);
        } else if (!run.settings.empty()) {
            settings.push_back({Value(run.name), Value::dict(std::move(run.settings))});
        }
    }
    if (!settings.empty()) {
        part.settings = Value::dict(std::move(settings));
    }
    if (m_tooMany) {
        part.warnings.push_back(
            {Severity::Warning, fail(ErrorCode::LimitExceeded, "More runs than can be shown")
                                    .expecting(sentence("at most %1", kMaxRuns))});
    }
}

} // namespace cairn::history
