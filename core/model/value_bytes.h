// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Serializes a tree of plain values, and back without loss: kinds, class names, the order of
/// items, non-finite numbers, shared nodes. Pure; neither direction recurses.
///
/// u32 version (1) · u64 count of containers · containers, each after those in it · the root. A
/// container: u8 ValueKind · text (class) · u64 items · key, value, key, value … A value: u8 tag,
/// then: 3 i64 · 4 f64 · 5 text · 6 text (decimal digits) · 7 text (bytes) · 8 u32 (tensor) · 9 u64
/// (container); the tags 0, 1, 2 (null, false, true) have no content. Texts: u64 length, bytes. All
/// little-endian.
namespace cairn {

inline constexpr std::uint64_t kMaxValueItems = 4'000'000; ///< in all containers together

/// Fails: LimitExceeded.
Result<std::vector<std::byte>> valueToBytes(const Value& value);

/// `tensors`: number of tensors, for checking references. Memory grows with `bytes`. Fails:
/// Truncated, BadEncoding, LimitExceeded; errors have offsets within `bytes` and no file.
Result<Value> valueFromBytes(std::span<const std::byte> bytes, std::uint64_t tensors);

} // namespace cairn
