// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/extremes.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

CurveExtremes::CurveExtremes(std::span<const double> values, bool positiveOnly)
    : m_values(values), m_positiveOnly(positiveOnly) {
    m_blocks.assign((values.size() + kBlock - 1) / kBlock, {kNone, kNone});
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (isOff(i)) {
            m_off.push_back(i);
        } else {
            consider(i, m_blocks[i / kBlock]);
        }
    }
}

bool CurveExtremes::isOff(std::size_t index) const {
    const double value = m_values[index];
    return !std::isfinite(value) || (m_positiveOnly && value <= 0);
}

void CurveExtremes::consider(std::size_t index, std::pair<std::size_t, std::size_t>& found) const {
    if (index == kNone) {
        return;
    }
    if (found.first == kNone || m_values[index] < m_values[found.first]) {
        found.first = index;
    }
    if (found.second == kNone || m_values[index] > m_values[found.second]) {
        found.second = index;
    }
}

std::pair<std::size_t, std::size_t> CurveExtremes::within(std::size_t first,
                                                          std::size_t last) const {
    std::pair<std::size_t, std::size_t> found{kNone, kNone};
    for (std::size_t i = first; i < last;) {
        if (i % kBlock == 0 && i + kBlock <= last) {
            const auto& block = m_blocks[i / kBlock];
            consider(block.first, found);
            consider(block.second, found);
            i += kBlock;
        } else {
            if (!isOff(i)) {
                consider(i, found);
            }
            ++i;
        }
    }
    return found;
}

std::size_t CurveExtremes::firstIn(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last;) {
        if (i % kBlock == 0 && m_blocks[i / kBlock].first == kNone) {
            i += kBlock;
        } else if (isOff(i)) {
            ++i;
        } else {
            return i;
        }
    }
    return kNone;
}

std::size_t CurveExtremes::lastIn(std::size_t first, std::size_t last) const {
    for (std::size_t i = last; i > first;) {
        if (i % kBlock == 0 && m_blocks[i / kBlock - 1].first == kNone) {
            i -= std::min(i, kBlock);
        } else if (isOff(i - 1)) {
            --i;
        } else {
            return i - 1;
        }
    }
    return kNone;
}

std::span<const std::size_t> CurveExtremes::offIn(std::size_t first, std::size_t last) const {
    if (first >= last) {
        return {};
    }
    const auto from = std::lower_bound(m_off.begin(), m_off.end(), first);
    const auto to = std::lower_bound(from, m_off.end(), last);
    return {m_off.data() + (from - m_off.begin()), static_cast<std::size_t>(to - from)};
}

} // namespace cairn::ui
