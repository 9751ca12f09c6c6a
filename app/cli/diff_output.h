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

/// All that `diff` found out.
struct Difference {
    std::string leftPath;
    std::string rightPath;
    DiffSide left;
    DiffSide right;
    StructureDiff structure;
    Tolerance tolerance;
    bool tolerant = false;          ///< a tolerance was given: what is within it is the same
    bool hasValues = false;         ///< the elements were compared
    std::vector<PairDiff> values;   ///< one a pair, or none
    std::vector<std::size_t> order; ///< of the pairs: the most changed first
    std::optional<std::vector<SimilarityRow>> layers; ///< nothing: not asked for
    std::optional<PlainValuesDiff> plain; ///< nothing: only part of the checkpoints is compared

    [[nodiscard]] bool pairDiffers(std::size_t pair) const;
    /// Exit code 1. A plain value that only one side has does not count: formats carry notes of
    /// their own.
    [[nodiscard]] bool differs() const;
};

/// The JSON body of cli.md.
void writeDifference(const Difference& diff, Session& session);

/// For people.
void printDifference(const Difference& diff, Session& session);

} // namespace cairn::cli
