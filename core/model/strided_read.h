// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/tensor_reader.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Reading of Python's slices: every n-th element of each dimension.
namespace cairn {

/// The elements first, first + step, … of one dimension, `count` of them. A negative step counts
/// backwards.
struct StridedRange {
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;

    /// Number of elements from the lowest to the highest one.
    [[nodiscard]] std::int64_t span() const {
        return count == 0 ? 0 : (count - 1) * (step < 0 ? -step : step) + 1;
    }
    [[nodiscard]] std::int64_t lowest() const {
        return step < 0 && count > 0 ? first + (count - 1) * step : first;
    }
};

/// Size of the result in bytes (of strings: their number). Fails with BadSlice if the ranges are
/// not one for each dimension or do not fit it, and with Unsupported if a dtype with several
/// elements per byte or block cannot be cut there: dtypes of blocks are cut between blocks of the
/// last dimension, other sub-byte dtypes not at all.
Result<std::uint64_t> stridedBytes(const TensorEntry& tensor, std::span<const StridedRange> ranges);

/// The selected elements in dense C order, as TensorReader returns them. Reads no more than the
/// pages around them, by at most 16 KiB per gap; memory: a few MiB. REQUIRES: stridedBytes()
/// succeeded and is out.size(). Any thread. Fails as TensorReader, and with Cancelled.
Result<void> readStrided(const Checkpoint& checkpoint, const TensorEntry& tensor,
                         std::span<const StridedRange> ranges, std::span<std::byte> out,
                         const CancelToken& cancel);

/// The same with an opened reader of the tensor.
Result<void> readStrided(const TensorReader& reader, const TensorEntry& tensor,
                         std::span<const StridedRange> ranges, std::span<std::byte> out,
                         const CancelToken& cancel);

/// The same for strings. Fails as readStrings().
Result<std::vector<std::string>> readStridedStrings(const Checkpoint& checkpoint,
                                                    const TensorEntry& tensor,
                                                    std::span<const StridedRange> ranges,
                                                    const CancelToken& cancel);

} // namespace cairn
