// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diff_rollup.h"
#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/compare/compare.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The distances of the weights of two runs, checkpoint by checkpoint. No Qt in here; functions
/// that read are called by workers.
namespace cairn::ui {

/// A complete checkpoint of each run, with the times that detect a later rewrite.
struct WeightPair {
    std::size_t pair = 0; ///< position in RunComparison::checkpoints
    std::filesystem::path left;
    std::filesystem::path right;
    std::int64_t leftNs = 0; ///< newest modification, as the scan saw it
    std::int64_t rightNs = 0;
    [[nodiscard]] bool sameFiles(const WeightPair& other) const {
        return left == other.left && right == other.right && leftNs == other.leftNs &&
               rightNs == other.rightNs;
    }
};

/// Pairs of checkpoints that are not known to be incomplete; at most kMaxWeightPairs, evenly
/// spread, including the first and the last.
inline constexpr std::size_t kMaxWeightPairs = 32;
std::vector<WeightPair> weightPairs(const std::vector<CheckpointPair>& pairs,
                                    const ScannedRun& left, const ScannedRun& right);

struct TensorChange {
    std::string name; ///< as on the left
    double relative = 0;
    double maxAbs = 0;
    double changed = 0; ///< share of the elements, 0 to 1
};

/// The comparison of one pair's weights. A pair that could not be read has its error.
struct WeightChange {
    std::uint64_t tensors = 0; ///< in both
    std::uint64_t changed = 0; ///< of those that were compared
    std::uint64_t unread = 0;  ///< of these: another shape or kind, or unreadable
    std::uint64_t onlyLeft = 0;
    std::uint64_t onlyRight = 0;
    double relative = 0; ///< |B - A| / |A| over all elements; infinite when only A is zero
    std::vector<LayerChange> layers;
    std::vector<TensorChange> most; ///< the most changed first, at most kMaxTensors
    std::optional<Error> error;

    static constexpr std::size_t kMaxTensors = 5;
    [[nodiscard]] std::uint64_t compared() const { return tensors - unread; }
    [[nodiscard]] bool known() const { return !error && compared() > 0; }
    [[nodiscard]] bool equal() const { return known() && changed == 0; }
};

/// Number of bytes read for comparing the pairs: opens both sides of each, reads only indexes. A
/// pair that cannot be opened counts as 0. Fails: Cancelled.
Result<std::uint64_t> weightBytes(const std::vector<WeightPair>& pairs, const CancelToken& cancel);

/// Compares the tensors of the role "weight"; a side without any has none in common with the other,
/// and states of an optimizer are never compared in their place. Adds the number of bytes read to
/// `progress`. Fails only with Cancelled.
Result<WeightChange> weightChange(const WeightPair& pair, std::atomic<std::uint64_t>& progress,
                                  const CancelToken& cancel);

} // namespace cairn::ui
