// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>

/// Zstandard frames as byte sources. Source: RFC 8878; libzstd does the decoding.
namespace cairn {

/// True if `source` begins with the magic number of a Zstandard (or skippable) frame.
bool startsWithZstdFrame(const ByteSource& source);

/// The concatenated content of all frames in `compressed`, decoded while it is read: a forward
/// cursor that restarts when read backwards, so read in ascending order. Memory is bounded by the
/// window. Reads from several threads are serialized.
///
/// A ByteSource must know its size: `declaredSize` if given (checked when the end is read), else
/// found by decoding everything once here, which `cancel` can stop. `maxSize` limits both.
///
/// Fails: BadEncoding (not zstd, damaged, window too large, declared size wrong), Truncated,
/// LimitExceeded (more than `maxSize`), Cancelled.
Result<ByteSourcePtr> openZstd(ByteSourcePtr compressed, std::optional<std::uint64_t> declaredSize,
                               std::uint64_t maxSize, const CancelToken& cancel);

} // namespace cairn
