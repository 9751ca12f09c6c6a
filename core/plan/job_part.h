// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cairn {

/// The share of a job that one process does, counted from 1.
struct JobPart {
    std::size_t index = 1;
    std::size_t count = 1;
    [[nodiscard]] bool whole() const { return count == 1; }
    friend bool operator==(const JobPart&, const JobPart&) = default;
};

} // namespace cairn
