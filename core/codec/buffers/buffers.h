// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Compressed pieces of bounded size, decoded whole in memory. Any thread.
namespace cairn {

enum class Compression : std::uint8_t { None, Zstd, Gzip, Blosc };

/// "zstd", "gzip", "blosc"; "raw" for None.
std::string_view compressionName(Compression compression);

/// Everything that `bytes` decode to; Gzip takes zlib streams too. Memory grows with what was
/// really decoded, never beyond `limit`; a buffer that declares its size is refused before.
/// Errors have offsets within `bytes` and no file name.
/// Fails: BadEncoding, Truncated, LimitExceeded, OutOfMemory.
Result<std::vector<std::byte>> decodeBuffer(Compression compression,
                                            std::span<const std::byte> bytes, std::uint64_t limit);

/// The bytes that the item at `range` takes by its own headers, without decoding it: of Blosc its
/// header, of zstd those of its first frame's blocks. Where `range` ends first, the
/// least that is missing is counted; more than the range holds means that it was truncated.
/// Nothing: the encoding has no such headers, or `reads` (how many more may be made) is used up.
Result<std::optional<std::uint64_t>> encodedLength(Compression compression,
                                                   const ByteSource& source, ByteRange range,
                                                   std::size_t& reads);

} // namespace cairn
