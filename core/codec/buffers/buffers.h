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

/// Compressed pieces of bounded size, decoded at once in memory. Any thread.
namespace cairn {

enum class Compression : std::uint8_t { None, Zstd, Gzip, Blosc };

/// "zstd", "gzip", "blosc"; "raw" for None.
std::string_view compressionName(Compression compression);

/// Decodes all of `bytes`; Gzip also accepts zlib streams. Memory grows with the decoded data,
/// never beyond `limit`; a buffer that declares a larger size is refused before decoding. Errors
/// have offsets within `bytes` and no file name. Fails: BadEncoding, Truncated, LimitExceeded,
/// OutOfMemory.
Result<std::vector<std::byte>> decodeBuffer(Compression compression,
                                            std::span<const std::byte> bytes, std::uint64_t limit);

/// Length of the encoded item at `range` according to its headers (Blosc: its header; zstd: the
/// block headers of its first frame), without decoding. More than range.length means that the item
/// is truncated; the missing part is then a lower bound. Empty: the encoding has no such headers,
/// or `reads` (how many more reads may be made) is used up.
Result<std::optional<std::uint64_t>> encodedLength(Compression compression,
                                                   const ByteSource& source, ByteRange range,
                                                   std::size_t& reads);

} // namespace cairn
