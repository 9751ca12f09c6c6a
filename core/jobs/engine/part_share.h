// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"
#include "core/plan/job_part.h"

#include <cstddef>
#include <vector>

namespace cairn {

/// How the parts of a job divide its output: by files, so that each part can finish and verify its
/// own ones, and the part that finishes last need not read them. If that would take longer, because
/// there are fewer files than parts or one is much larger than the rest, all parts write into every
/// file, and the last part verifies everything. Pure: every part computes the same.
class PartShare {
public:
    PartShare(const CopyPlan& plan, std::size_t parts);

    /// The part, counted from 1, that alone writes and verifies the file; 0: several parts write
    /// it, or the last one does (files without tensors, which are written at the end).
    [[nodiscard]] std::size_t ownerOf(std::size_t file) const { return m_owners[file]; }
    /// Those that `part` owns, by position in the plan; all of them if it is the whole job.
    [[nodiscard]] std::vector<bool> ownedBy(JobPart part) const;
    [[nodiscard]] bool byFiles() const { return m_byFiles; }

private:
    std::vector<std::size_t> m_owners;
    bool m_byFiles = false;
};

} // namespace cairn
