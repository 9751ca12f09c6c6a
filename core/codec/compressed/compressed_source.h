// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

/// Files that are compressed as one unit, as written by Python's gzip, bz2, lzma and zlib, by
/// joblib and by pandas. Source: RFC 1950 and 1952, the bzip2 and XZ format documents, RFC 8878.
namespace cairn {

enum class Compression : std::uint8_t {
    Gzip,
    Zlib,
    Bzip2,
    Xz,
    Lzma,    ///< the older format without magic bytes (.lzma)
    ZipLzma, ///< method 14 inside ZIP
    Zstd,
};

/// The likely compression of a file that begins with `head` (16 bytes, or all of a shorter file).
/// Zlib and Lzma have no magic number: only decoding confirms them. Never ZipLzma.
std::optional<Compression> compressionOf(std::span<const std::byte> head);

struct ExpansionLimits {
    std::uint64_t most = std::uint64_t{2} << 30U; ///< largest decoded size
    std::uint64_t free = std::uint64_t{32}
                         << 20U; ///< decoded bytes that are allowed whatever the ratio
    std::uint64_t ratio = 100;   ///< largest decoded : stored ratio beyond `free`
};

struct Decompressed {
    /// What could be decoded; a forward cursor that restarts when read backwards.
    ByteSourcePtr content;
    /// Why the content is incomplete: BadEncoding or Truncated (damaged from there), LimitExceeded.
    std::optional<Error> incomplete;
};

/// Decodes once to find the size. Memory: the decoder's window, at most 128 MiB, of which only the
/// used part is resident. Fails: Cancelled, OutOfMemory and the errors of reading. Any thread.
Result<Decompressed> openCompressed(ByteSourcePtr compressed, Compression kind,
                                    const ExpansionLimits& limits, const CancelToken& cancel);

} // namespace cairn
