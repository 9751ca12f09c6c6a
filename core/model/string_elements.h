// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Arrays of strings: tensors of Dtype::String, whose elements differ in length.
///
/// A reader adds them like any other tensor: a box, and a piece with a codec whose located source
/// contains the piece's elements in the canonical form, which `hash` uses, too:
///     for each element of the box, in C order: its length as u64 little-endian, then its bytes.
/// The bytes are as stored, not necessarily UTF-8. TensorReader, which needs elements of a fixed
/// size, refuses such tensors; these functions read them. TensorEntry::bytes() is the size of the
/// stored items, because the size of the canonical form is only known after reading.
///
/// Any thread. The functions fail with the errors of Checkpoint::locate, CoverageHole if elements
/// are in no piece, BadEncoding if the number of elements in the canonical form differs from that
/// of the box, LimitExceeded and Cancelled.
namespace cairn {

/// Limit for holding strings in memory, ample for display.
inline constexpr std::uint64_t kMaxStringMemory = std::uint64_t{64} << 20U;

constexpr bool hasStrings(Dtype dtype) {
    return dtype == Dtype::String;
}

/// Appends one element in the canonical form, for readers that decode into memory.
void appendStringElement(std::vector<std::byte>& canonical, std::span<const std::byte> element);

/// The elements of `box`, in C order. `limit` limits their total size, including overhead.
/// REQUIRES: the box fits the shape.
Result<std::vector<std::string>> readStrings(const Checkpoint& checkpoint,
                                             const TensorEntry& tensor, const Box& box,
                                             std::uint64_t limit = kMaxStringMemory,
                                             const CancelToken& cancel = {});

/// The canonical form of the complete tensor, of at most `limit` bytes.
Result<std::vector<std::byte>> readStringBytes(const Checkpoint& checkpoint,
                                               const TensorEntry& tensor, std::uint64_t limit);

/// Passes the canonical form of the complete tensor to `sink` in chunks, in order. A tensor of one
/// piece takes almost no memory; one of several pieces is held in memory, up to kMaxStringMemory.
/// Adds tensor.bytes() to `progress` (may be null).
Result<void> streamStrings(const Checkpoint& checkpoint, const TensorEntry& tensor,
                           const CancelToken& cancel, std::atomic<std::uint64_t>* progress,
                           const std::function<Result<void>(std::span<const std::byte>)>& sink);

} // namespace cairn
