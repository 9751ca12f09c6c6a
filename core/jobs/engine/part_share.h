// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"
#include "core/plan/job_part.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// How the parts of a job divide its output: by files, so that each part can finish and verify its
/// own ones, and whoever publishes need not read them. A file that would give its part more than
/// 3 % above the mean is written by several parts, and verified at the end. Pure: every part
/// computes the same.
class PartShare {
public:
    PartShare(const CopyPlan& plan, std::size_t parts);

    /// The part, counted from 1, that alone writes and verifies the file; 0: several parts write
    /// it, or it is written at the end (files without tensors).
    [[nodiscard]] std::size_t ownerOf(std::size_t file) const { return m_owners[file]; }
    /// Those that `part` owns, by position in the plan; all of them if it is the whole job.
    [[nodiscard]] std::vector<bool> ownedBy(JobPart part) const;

    /// Divides the runs of the files without an owner, by their sizes: the part of each, counted
    /// from 1. Large ones are divided first, each to the part with the least work; small ones in
    /// order, so that a part reads its source in order. Parts differ by more than 5 % only if a
    /// single run is larger than that.
    [[nodiscard]] std::vector<std::size_t> divide(std::span<const std::uint64_t> runs) const;

private:
    std::vector<std::size_t> m_owners;
    std::vector<std::uint64_t> m_load; ///< bytes of the files that each part owns
};

} // namespace cairn
