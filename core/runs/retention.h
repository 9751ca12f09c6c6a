// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/runs/experiment_scan.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Which checkpoints of a run may go. Pure: nothing is touched; moveToWastebasket() acts on it.
namespace cairn {

struct RetentionRules {
    std::size_t keepLast = 0; ///< steps (or epochs) of the whole ones, in training order
    std::size_t keepBest = 0; ///< steps, too, by ScannedCheckpoint::score; of one the run's own record will do
};

struct RetentionPlan {
    struct Entry {
        std::filesystem::path path;
        std::string why;         ///< empty for what is removed
        std::uint64_t bytes = 0; ///< of its own files
    };
    std::vector<Entry> keep; ///< training order, as all of these
    std::vector<Entry> remove;
    std::vector<Entry> refused; ///< not certainly a checkpoint of this run: a person must decide
    std::uint64_t freedBytes = 0;
};

/// Kept are, whatever the rules say: the latest, the best, what a link or a pointer file leads to,
/// what is being written, what was exported without being verified, and what was saved at the step
/// of one of these (a save may be several files). Refused is what could not be opened, what has no
/// position in the run, and a folder that holds other checkpoints. REQUIRES: every checkpoint of the run has been examined. Fails with InvalidArgument when the rules ask for
/// the best and nothing tells which they are, or when they keep nothing.
Result<RetentionPlan> planRetention(const ScannedRun& run, const RetentionRules& rules);

} // namespace cairn
