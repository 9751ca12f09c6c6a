// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/tensor_pass.h"
#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/compute/element_statistics.h"
#include "core/model/tensor_reader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Division of work in passes over many tensors. Internal to core/analysis.
namespace cairn::segments {

/// A tensor, or a pair of tensors that are read side by side.
struct Item {
    std::uint64_t elements = 0;
    bool divisible = true; ///< false: read by one thread, in ascending order
};

/// The work of one thread at a time: consecutive complete segments of one item.
struct Unit {
    std::size_t item = 0;
    std::size_t firstSegment = 0;
    std::size_t segments = 0;
};

std::size_t segmentCount(std::uint64_t elements); ///< at least 1, so that empty items are visited

/// One unit for each segment of a divisible item, one for each other item, in order.
std::vector<Unit> unitsOf(std::span<const Item> items);

/// Bytes read at a time: at least a block, about half of a second-level cache.
inline constexpr std::size_t kReadBytes = std::size_t{512} << 10U;

/// Number of elements of that size that are read at a time, in complete blocks.
std::uint64_t readElementsAtOnce(std::uint64_t elementBytes);

/// Bytes passed to a backend at a time: enough to be efficient.
inline constexpr std::uint64_t kBackendBytes = std::uint64_t{16} << 20U;

/// Reads bytes [first, first + length) of the tensor's dense form into the buffer.
Result<std::span<const std::byte>> readAt(const TensorReader& reader, const Shape& shape,
                                          std::uint64_t first, std::uint64_t length,
                                          PassBuffer& buffer);

struct ElementRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Calls `sink` with these elements of the tensor, in pieces of complete blocks (the last may be
/// short). Fails with the errors of reading, Cancelled, or the errors of the sink. REQUIRES:
/// elements of complete bytes; `range.first` is a multiple of kBlockElements.
Result<void> readElements(const TensorReader& reader, const Shape& shape, ElementRange range,
                          const CancelToken& cancel, PassBuffer& buffer,
                          const std::function<Result<void>(std::span<const std::byte>)>& sink);

/// Number of threads for `wanted` (0: one per processor, up to 16).
std::size_t threadsFor(std::size_t wanted);

} // namespace cairn::segments
