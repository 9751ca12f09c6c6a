// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/rank/counted_saves.h"

#include <limits>
#include <span>

/// The epochs that a log records beside its steps, compared with those of the checkpoints. Pure.
namespace cairn {

/// By how much the epochs of the rows at the checkpoints' steps differ from the checkpoints'.
struct EpochOffsets {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double span = 0; ///< between the checkpoints' epochs
    /// At one unit they differ by less than one, or by a constant if they are counted from
    /// different numbers.
    [[nodiscard]] bool differ() const;
};

/// `series` belongs to the history.
EpochOffsets epochOffsets(std::span<const CountedSave> placed, const RunHistory& history,
                          const MetricSeries& series);

} // namespace cairn
