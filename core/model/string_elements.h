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
/// holds the piece's elements in the canonical form, which is also what `hash` covers:
///     for each element of the box, in C order: its length as u64 little-endian, then its bytes.
/// Bytes are whatever was stored; nothing states that they are UTF-8. TensorReader, which needs
/// elements of one size, refuses such tensors; these functions read them. TensorEntry::bytes() is
/// what the stored items take, for only reading would show the size of the canonical form.
///
/// Functions may be called from any thread. They fail with the errors of Checkpoint::locate,
/// CoverageHole when elements are in no piece, BadEncoding when the canonical form does not hold
/// as many elements as the box, LimitExceeded and Cancelled.
namespace cairn {

/// What people examine is held in memory; beyond this nobody does.
inline constexpr std::uint64_t kMaxStringMemory = std::uint64_t{64} << 20U;

constexpr bool hasStrings(Dtype dtype) {
    return dtype == Dtype::String;
}

/// Adds one element in the canonical form, for readers that decode into memory.
void appendStringElement(std::vector<std::byte>& canonical, std::span<const std::byte> element);

/// The elements of `box`, in C order. `limit` bounds their bytes and what it takes to hold them.
/// REQUIRES: the box fits the shape.
Result<std::vector<std::string>> readStrings(const Checkpoint& checkpoint,
                                             const TensorEntry& tensor, const Box& box,
                                             std::uint64_t limit = kMaxStringMemory,
                                             const CancelToken& cancel = {});

/// The canonical form of the complete tensor, of at most `limit` bytes.
Result<std::vector<std::byte>> readStringBytes(const Checkpoint& checkpoint,
                                               const TensorEntry& tensor, std::uint64_t limit);

/// Gives the canonical form of the complete tensor to `sink` in chunks, in order. A tensor of one
/// piece takes no memory to speak of; one of several is held in memory, up to kMaxStringMemory.
/// Adds tensor.bytes() to `progress` (may be null).
Result<void> streamStrings(const Checkpoint& checkpoint, const TensorEntry& tensor,
                           const CancelToken& cancel, std::atomic<std::uint64_t>* progress,
                           const std::function<Result<void>(std::span<const std::byte>)>& sink);

} // namespace cairn
