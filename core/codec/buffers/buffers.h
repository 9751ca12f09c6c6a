// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Compressed pieces of bounded size, decoded whole in memory. Pure; any thread.
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

} // namespace cairn
