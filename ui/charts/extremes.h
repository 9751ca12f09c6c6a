// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace cairn::ui {

/// Finds the minimum and maximum of any range of a column without reading each value: extremes of
/// blocks are stored. Values that cannot be drawn (not finite, or not positive if required) are
/// skipped. Refers to the values, which must stay. Immutable.
class CurveExtremes {
public:
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    CurveExtremes(std::span<const double> values, bool positiveOnly);

    [[nodiscard]] bool isOff(std::size_t index) const;
    /// Indices of the minimum and maximum in [first, last), the earliest of equal ones; kNone: no
    /// value can be drawn.
    [[nodiscard]] std::pair<std::size_t, std::size_t> within(std::size_t first,
                                                             std::size_t last) const;
    [[nodiscard]] std::size_t firstIn(std::size_t first, std::size_t last) const;
    [[nodiscard]] std::size_t lastIn(std::size_t first, std::size_t last) const;
    /// Indices off the scale in [first, last), ascending.
    [[nodiscard]] std::span<const std::size_t> offIn(std::size_t first, std::size_t last) const;

private:
    static constexpr std::size_t kBlock = 128;
    void consider(std::size_t index, std::pair<std::size_t, std::size_t>& found) const;

    std::span<const double> m_values;
    bool m_positiveOnly;
    std::vector<std::pair<std::size_t, std::size_t>> m_blocks;
    std::vector<std::size_t> m_off;
};

} // namespace cairn::ui
