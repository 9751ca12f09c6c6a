// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/row_table.h"

#include <cmath>
#include <limits>

namespace cairn::history {

RowTable::Known& RowTable::knownAt(std::size_t position, std::string_view name) {
    if (position >= m_known.size()) {
        m_known.resize(position + 1);
    }
    Known& known = m_known[position];
    if (known.name != name || known.name.empty()) {
        // Names that cannot become columns are not stored.
        const bool kept = name.size() <= SeriesTable::kMaxName;
        known = {std::string(kept ? name : ""), roleOfName(name), SeriesTable::kNoColumn};
    }
    return known;
}

RowPlace RowTable::placeOf(std::span<const RowCell> row) {
    RowPlace place{kNothing, kNothing, kNothing};
    int best = std::numeric_limits<int>::max();
    std::size_t stepAt = row.size();
    m_isPlace.assign(row.size(), false);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const RoleOfName role = knownAt(i, row[i].name).role;
        if (role.role == ColumnRole::Step && role.rank < best && std::isfinite(row[i].value)) {
            best = role.rank;
            stepAt = i;
        } else if (role.role == ColumnRole::Epoch && std::isnan(place.epoch)) {
            place.epoch = row[i].value;
            m_isPlace[i] = true;
        } else if (role.role == ColumnRole::Wall && std::isnan(place.wall)) {
            const auto wall = wallTime(row[i].value);
            place.wall = wall.value_or(kNothing);
            m_isPlace[i] = wall.has_value();
        }
    }
    if (stepAt < row.size()) {
        m_lastStep = {row[stepAt].value, row[stepAt].rest};
        place.step = m_lastStep;
        const RoleOfName& role = knownAt(stepAt, row[stepAt].name).role;
        place.strength = m_lastStrength = role.strength;
        place.key = m_lastKey = role.key;
        m_isPlace[stepAt] = m_hadStep = true;
    } else if (!m_hadStep && !std::isnan(place.epoch)) {
        place.step = place.epoch;
        place.stepFrom = StepsFrom::Epoch;
        ++m_byEpoch;
    } else if (m_hadStep) {
        place.step = m_lastStep;
        place.strength = m_lastStrength;
        place.key = m_lastKey;
        ++m_withoutStep;
    } else {
        place.step = m_rows;
        place.stepFrom = StepsFrom::Count;
        ++m_byNumber;
    }
    return place;
}

RowPlace RowTable::add(std::span<const RowCell> row) {
    if (row.empty()) {
        return {kNothing, kNothing, kNothing};
    }
    const RowPlace place = placeOf(row);
    ++m_rows;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (m_isPlace[i]) {
            continue;
        }
        Known& known = m_known[i];
        if (known.column == SeriesTable::kNoColumn) {
            known.column = m_table.column(row[i].name);
        }
        m_table.add(known.column, place, {row[i].value, row[i].rest});
    }
    return place;
}

void RowTable::finish(HistoryPart& part) {
    addNotices(part);
    part.series = m_table.take();
}

void RowTable::report(HistoryPart& part) const {
    addNotices(part);
    part.series = m_table.copy();
}

void RowTable::addNotices(HistoryPart& part) const {
    for (Notice& notice : m_table.notices()) {
        part.warnings.push_back(std::move(notice));
    }
    const auto rows = [](std::size_t count) { return sentence("%1 rows", count); };
    if (m_withoutStep > 0) {
        part.warnings.push_back(
            {Severity::Info, fail(ErrorCode::HistoryNoStep,
                                  "Rows without a step are placed at the step of the previous row")
                                 .butFound(rows(m_withoutStep))});
    }
    if (m_byEpoch > 0) {
        part.warnings.push_back(
            {Severity::Info,
             fail(ErrorCode::HistoryNoStep, "Rows without a step are placed at their epoch")
                 .butFound(rows(m_byEpoch))});
    }
    if (m_byNumber > 0) {
        part.warnings.push_back(
            {Severity::Info,
             fail(ErrorCode::HistoryNoStep, "The file contains no steps; rows are numbered from 0")
                 .butFound(rows(m_byNumber))});
    }
}

} // namespace cairn::history
