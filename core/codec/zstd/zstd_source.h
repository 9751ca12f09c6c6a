// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>

/// Zstandard frames as byte sources. Source: RFC 8878; libzstd does the decoding.
namespace cairn {

/// Largest window a frame may ask for: 128 MiB, what `zstd -d` allows without --long.
inline constexpr unsigned kZstdMaxWindowLog = 27;

/// True if the bytes at the start of `source` are a Zstandard (or skippable) frame's magic number.
bool startsWithZstdFrame(const ByteSource& source);

/// The decompressed content of all frames in `compressed`, end to end. Decodes while it is read: a
/// forward cursor that restarts when asked to go back, so read in rising order; memory is bounded
/// by the window. Reads from several threads are served one after another.
///
/// The size must be known to be a ByteSource: taken from `declaredSize` when given (and checked
/// when the end is read), else found by decoding everything once here; `cancel` is obeyed then.
/// `maxSize` bounds both.
///
/// Fails: BadEncoding (not zstd, damaged, window too large, size other than declared),
/// Truncated (frame truncated), LimitExceeded (more than `maxSize`), Cancelled.
Result<ByteSourcePtr> openZstd(ByteSourcePtr compressed, std::optional<std::uint64_t> declaredSize,
                               std::uint64_t maxSize, const CancelToken& cancel);

} // namespace cairn
