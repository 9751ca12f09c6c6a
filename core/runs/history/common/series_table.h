// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::history {

inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The position of a row. NaN: not recorded.
struct RowPlace {
    Number step;
    double epoch = kNothing;
    double wall = kNothing; ///< seconds since 1970
    StepsFrom stepFrom = StepsFrom::Source;
    Strength strength = Strength::Recorded; ///< as MetricSeries::stepsStrength
    std::string_view key = {};              ///< as MetricSeries::stepsKey
};

/// Collects the points of any number of metrics, row by row, in the order of writing. Limited:
/// beyond kMaxPoints points, kMaxColumns names, or names longer than kMaxName, nothing is added,
/// and notices() reports it. Not thread-safe.
class SeriesTable {
public:
    static constexpr std::size_t kMaxPoints = 20'000'000; ///< 16 to 32 bytes each
    static constexpr std::size_t kMaxColumns = 50'000;
    static constexpr std::size_t kMaxName = 1000; ///< bytes; longer names are not names of metrics
    static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

    /// The column with that name, created if missing; kNoColumn beyond the limits.
    std::size_t column(std::string_view name);
    /// The same, faster if names occur in the same order in every row: `hint` is the column that
    /// followed the last one in the previous row.
    std::size_t columnNear(std::string_view name, std::size_t hint);

    void add(std::size_t column, const RowPlace& place, Number value);
    void add(std::string_view name, const RowPlace& place, Number value) {
        add(column(name), place, value);
    }

    /// The limit is reached: further rows would be ignored.
    [[nodiscard]] bool full() const { return m_points >= kMaxPoints; }
    [[nodiscard]] std::size_t points() const { return m_points; }

    /// Series with at least one point, in natural order of names. Empties the table.
    [[nodiscard]] std::vector<MetricSeries> take();
    /// The same as a copy, for a table that is filled on.
    [[nodiscard]] std::vector<MetricSeries> copy() const;
    /// Notices about exceeded limits.
    [[nodiscard]] std::vector<Notice> notices() const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    std::vector<MetricSeries> m_series;
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> m_columns;
    std::size_t m_points = 0;
    std::size_t m_dropped = 0; ///< points beyond a limit
};

} // namespace cairn::history
