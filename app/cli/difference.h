// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/matrix_output.h"
#include "core/analysis/diff.h"
#include "core/analysis/diff_answer.h"
#include "core/analysis/diff_rollup.h"
#include "core/analysis/diff_weights.h"
#include "core/analysis/plain_values_diff.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

/// The complete result of `diff`.
struct Difference {
    std::string leftPath;
    std::string rightPath;
    WeightsDiff sides;
    Tolerance tolerance;
    bool tolerant = false;          ///< a tolerance was given: differences within it are ignored
    bool hasValues = false;         ///< the elements were compared
    std::vector<PairDiff> values;   ///< parallel to the pairs, or empty
    std::vector<std::size_t> order; ///< of the pairs, most changed first
    std::optional<std::vector<SimilarityRow>> layers; ///< empty: not requested
    std::optional<PlainValuesDiff> plain; ///< empty: only parts of the checkpoints are compared

    [[nodiscard]] const DiffSide& left() const { return sides.left; }
    [[nodiscard]] const DiffSide& right() const { return sides.right; }
    [[nodiscard]] const StructureDiff& structure() const { return sides.structure; }
    [[nodiscard]] bool pairDiffers(std::size_t pair) const;
    /// Whether the exit code is 1. A plain value that exists on only one side does not count,
    /// because formats add values of their own.
    [[nodiscard]] bool differs() const;
    [[nodiscard]] std::size_t changedPairs() const;
    [[nodiscard]] bool hasNothingInCommon() const;
    /// What the first line says; pairs that cannot be compared do not count as changed.
    [[nodiscard]] DiffAnswer answer() const;
    /// Of all compared elements.
    [[nodiscard]] DiffSums sums() const;
};

inline constexpr std::string_view kNothingInCommon = "The two checkpoints have no tensor in common";

} // namespace cairn::cli
