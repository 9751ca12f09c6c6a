// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cairn {

/// The share of a job that one process does, counted from 1. The part that finishes last publishes
/// the output, unless that is left to the last step, which is a process of its own.
struct JobPart {
    std::size_t index = 1; ///< kLastStep: writes nothing, publishes what all parts have written
    std::size_t count = 1;
    bool leavesPublishing = false; ///< to the last step
    static constexpr std::size_t kLastStep = 0;

    [[nodiscard]] bool whole() const { return count == 1; }
    [[nodiscard]] bool isLastStep() const { return index == kLastStep; }
    friend bool operator==(const JobPart&, const JobPart&) = default;
};

} // namespace cairn
