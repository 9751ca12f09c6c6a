// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/copy_plan.h"
#include "core/plan/request.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What the tasks of an array on a cluster do: the parts of one job, or several jobs. It travels as
/// a document (JSON) in the script or manifest that is submitted, so that the nodes need no file
/// of the submitting machine. Pure.
namespace cairn {

struct ArrayJob {
    struct Item {
        std::vector<std::string> command; ///< requestWords() of an absolute request
        std::string digest;               ///< layoutDigest() of its plan
        std::filesystem::path output;     ///< absolute; not in the document
    };
    std::vector<Item> items;
    std::size_t parts = 1;       ///< of each item
    bool leavesLastStep = false; ///< the parts leave publishing to a last step; of several only

    /// Numbered from 1: the parts of the first item, then those of the second.
    [[nodiscard]] std::size_t tasks() const { return items.size() * parts; }
};

/// What one task does.
struct ArrayTask {
    std::size_t item = 0; ///< position in ArrayJob::items
    JobPart part;
};
/// REQUIRES: 1 <= task <= job.tasks().
ArrayTask taskOf(const ArrayJob& job, std::size_t task);

/// Fails with BadEncoding for a word that is not UTF-8, which a document cannot contain.
Result<std::string> arrayDocument(const ArrayJob& job);

/// Reads such a document, or that of `plan --json`, which is an array of one item. `name`: of the
/// file. Fails with InvalidArgument for anything else.
Result<ArrayJob> parseArrayJob(std::string_view text, const std::string& name);

/// What a task needs of a node, from the forecast of its plan.
struct ArrayNeeds {
    std::uint64_t memoryBytes = 0;
    std::uint64_t taskSeconds = 0; ///< limits, with a margin
    std::uint64_t lastSeconds = 0;
};

/// Both are at least what the forecast of `plan` in `parts` says: memory for the most workers that
/// a node may have, and the index; seconds three times the forecast (six times, if the rate is
/// not measured) of the largest part, and five minutes to begin with.
ArrayNeeds needsOf(const CopyPlan& plan, std::size_t parts);
/// What suffices for both.
ArrayNeeds most(const ArrayNeeds& left, const ArrayNeeds& right);

} // namespace cairn
