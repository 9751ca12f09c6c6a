// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/matrix_output.h"
#include "app/cli/session.h"
#include "core/analysis/diff.h"
#include "core/analysis/plain_values_diff.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cairn::cli {

/// The complete result of `diff`.
struct Difference {
    std::string leftPath;
    std::string rightPath;
    DiffSide left;
    DiffSide right;
    StructureDiff structure;
    Tolerance tolerance;
    bool tolerant = false;          ///< a tolerance was given: differences within it are ignored
    bool hasValues = false;         ///< the elements were compared
    std::vector<PairDiff> values;   ///< parallel to the pairs, or empty
    std::vector<std::size_t> order; ///< of the pairs, most changed first
    std::optional<std::vector<SimilarityRow>> layers; ///< empty: not requested
    std::optional<PlainValuesDiff> plain; ///< empty: only parts of the checkpoints are compared

    [[nodiscard]] bool pairDiffers(std::size_t pair) const;
    /// Whether the exit code is 1. A plain value that exists on only one side does not count,
    /// because formats add values of their own.
    [[nodiscard]] bool differs() const;
};

/// Writes the JSON document described in cli.md.
void writeDifference(const Difference& diff, Session& session);

/// Prints text for users.
void printDifference(const Difference& diff, Session& session);

} // namespace cairn::cli
