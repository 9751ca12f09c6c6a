// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cairn::history {

/// Occurrences of one kind of damage in a file: the first, and their number.
class Damage {
public:
    void add(std::uint64_t offset, std::uint64_t count = 1) {
        if (m_count == 0) {
            m_first = offset;
        }
        m_count += count;
    }
    [[nodiscard]] bool any() const { return m_count > 0; }

    /// Adds one notice if there is any damage: "…: 3 records" with the offset of the first.
    void report(std::vector<Notice>& notices, ErrorCode code, Sentence message,
                const std::string& file, const Sentence& what,
                Severity severity = Severity::Warning) const {
        if (any()) {
            notices.push_back({severity, fail(code, std::move(message))
                                             .inFile(file)
                                             .at(m_first)
                                             .butFound(sentence("%1 %2", m_count, what))});
        }
    }

private:
    std::uint64_t m_first = 0;
    std::uint64_t m_count = 0;
};

} // namespace cairn::history
