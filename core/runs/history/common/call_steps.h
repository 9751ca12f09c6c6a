// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number.h"

#include <cstddef>
#include <optional>

namespace cairn::history {

/// Whether the steps that a log function counts by itself were passed by its caller: W&B and
/// trackio add 1 for each call, so that only steps of a caller leave gaps.
class CallSteps {
public:
    /// The step of a row, in the order of writing.
    void note(const Number& step) {
        if (m_last && *m_last != step) {
            ++m_changes;
            m_gaps += step > *m_last + 1 ? 1U : 0U;
        }
        m_last = step;
    }
    /// At least every second row skips a number.
    [[nodiscard]] bool ofCaller() const { return m_gaps > 0 && m_gaps * 2 >= m_changes; }

private:
    std::optional<Number> m_last;
    std::size_t m_changes = 0; ///< pairs of consecutive rows
    std::size_t m_gaps = 0;
};

} // namespace cairn::history
