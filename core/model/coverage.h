// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <vector>

namespace cairn {

/// How completely a tensor's pieces cover it. Counted in elements, because a checkpoint can list
/// every tensor and still lack seven eighths of each.
struct Coverage {
    std::uint64_t holes = 0; ///< elements in no piece
    std::uint64_t overlaps =
        0; ///< elements counted once for every piece beyond the first that contains them
    std::vector<Box> holeBoxes; ///< at most kMaxBoxes
    bool exact =
        true; ///< false: too many pieces to locate the overlaps; holes is then a lower bound
    static constexpr std::size_t kMaxBoxes = 64;
    [[nodiscard]] bool complete() const { return holes == 0 && overlaps == 0 && exact; }
};

/// Fails with CoverageHole if an element of the tensor is in no piece, or if that cannot be
/// determined.
Result<void> requireCovered(const TensorEntry& tensor);

/// O(n log n) for the shardings of known frameworks; bounded for others.
Coverage coverage(const TensorEntry& tensor);

/// coverage() of the tensor without the pieces in missing files (Checkpoint::files()[i].missing).
class Checkpoint;
Coverage readableCoverage(const Checkpoint& checkpoint, const TensorEntry& tensor);

} // namespace cairn
