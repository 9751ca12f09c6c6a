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

/// How passes over many tensors share them out. Internal to core/analysis.
namespace cairn::segments {

/// An item is a tensor, or a pair of them that are read side by side.
struct Item {
    std::uint64_t elements = 0;
    bool divisible = true; ///< false: read by one thread, in rising order
};

/// What one thread takes at a time: whole segments of one item, one after the other.
struct Unit {
    std::size_t item = 0;
    std::size_t firstSegment = 0;
    std::size_t segments = 0;
};

std::size_t segmentCount(std::uint64_t elements); ///< at least 1, so that an empty item is visited

/// A unit for each segment of a divisible item and one for all of any other, in order.
std::vector<Unit> unitsOf(std::span<const Item> items);

/// Bytes that are read at a time: at least a block, about half of a second-level cache.
inline constexpr std::size_t kReadBytes = std::size_t{512} << 10U;

/// Whole blocks of elements of that size that are read at a time.
std::uint64_t readElementsAtOnce(std::uint64_t elementBytes);

/// Bytes that a backend is asked about at a time: enough to be worth its way.
inline constexpr std::uint64_t kBackendBytes = std::uint64_t{16} << 20U;

/// Bytes [first, first + length) of the tensor's dense form, in the buffer.
Result<std::span<const std::byte>> readAt(const TensorReader& reader, const Shape& shape,
                                          std::uint64_t first, std::uint64_t length,
                                          PassBuffer& buffer);

/// Calls `sink` with elements [first, first + count) of the tensor, in pieces of complete blocks
/// (the last may be short). Fails with the errors of reading, Cancelled, or the errors of the sink.
/// REQUIRES: elements of whole bytes; `first` is a multiple of kBlockElements.
Result<void> readElements(const TensorReader& reader, const Shape& shape, std::uint64_t first,
                          std::uint64_t count, const CancelToken& cancel, PassBuffer& buffer,
                          const std::function<Result<void>(std::span<const std::byte>)>& sink);

/// Threads for `wanted` (0: one a processor, up to 16).
std::size_t threadsFor(std::size_t wanted);

} // namespace cairn::segments
