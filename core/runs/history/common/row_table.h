// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/common/row_roles.h"
#include "core/runs/history/common/series_table.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::history {

/// One named number of a row.
struct RowCell {
    std::string_view name;
    double value = 0;
    std::int16_t rest = 0; ///< of Number
};

/// Converts rows of named numbers from any kind of file to series: detects the cells with step,
/// epoch and time; the others become points. A row without a step gets its epoch if no row had a
/// step so far, else the previous step, else its row number; notices() reports that. Not
/// thread-safe.
class RowTable {
public:
    /// Returns the position of the row.
    RowPlace add(std::span<const RowCell> row);
    [[nodiscard]] bool full() const { return m_table.full(); }
    [[nodiscard]] bool isEmpty() const { return m_table.points() == 0; }
    /// Moves series and notices into the part.
    void finish(HistoryPart& part);
    /// Copies them: rows can be added afterwards.
    void report(HistoryPart& part) const;

private:
    struct Known {
        std::string name;
        RoleOfName role;
        std::size_t column = SeriesTable::kNoColumn;
    };
    Known& knownAt(std::size_t position, std::string_view name);
    RowPlace placeOf(std::span<const RowCell> row);
    void addNotices(HistoryPart& part) const;

    SeriesTable m_table;
    std::vector<Known> m_known; ///< by position in the row: names usually occur in the same order
    std::vector<bool> m_isPlace;
    Number m_lastStep{kNothing};
    Strength m_lastStrength = Strength::Recorded;
    std::string_view m_lastKey;
    bool m_hadStep = false;
    std::size_t m_rows = 0;
    std::size_t m_byEpoch = 0;
    std::size_t m_byNumber = 0;
    std::size_t m_withoutStep = 0;
};

} // namespace cairn::history
