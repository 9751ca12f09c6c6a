// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"

#include <cstdint>
#include <vector>

namespace cairn {

/// How well a tensor's pieces tile it. Counted in elements, never by names: a checkpoint can name
/// every tensor and still lack seven eighths of each.
struct Coverage {
    std::uint64_t holes = 0; ///< elements in no piece
    std::uint64_t overlaps =
        0; ///< elements counted once for every piece beyond the first that holds them
    std::vector<Box> holeBoxes; ///< at most kMaxBoxes of them
    bool exact = true; ///< false: too many pieces to be sure where the overlaps are; holes is then
                       ///< a lower bound
    static constexpr std::size_t kMaxBoxes = 64;
    [[nodiscard]] bool complete() const { return holes == 0 && overlaps == 0 && exact; }
};

/// O(n log n) for the shardings that frameworks write; bounded for hostile ones.
Coverage coverage(const TensorEntry& tensor);

/// Where the pieces of one tensor are missing because their file is:
/// Checkpoint::files()[i].missing. Same as coverage() of the tensor without those pieces.
class Checkpoint;
Coverage readableCoverage(const Checkpoint& checkpoint, const TensorEntry& tensor);

} // namespace cairn
