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

/// Files compressed as a whole, as Python's gzip, bz2, lzma and zlib, joblib and pandas write them.
/// Source: RFC 1950 and 1952, the bzip2 and XZ format documents, RFC 8878.
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

/// What a file that begins with `head` (16 bytes, or all of a shorter one) may be. Zlib and Lzma
/// have no magic number: decoding shows. Never ZipLzma.
std::optional<Compression> compressionOf(std::span<const std::byte> head);

struct ExpansionLimits {
    std::uint64_t most = std::uint64_t{2} << 30U;  ///< decoded bytes
    std::uint64_t free = std::uint64_t{32} << 20U; ///< so many are decoded whatever the ratio
    std::uint64_t ratio = 100;                     ///< beyond `free`: decoded to stored
};

struct Decompressed {
    /// What could be decoded; a forward cursor that restarts when asked to go back.
    ByteSourcePtr content;
    /// Why that is not all: BadEncoding or Truncated (damaged from there), LimitExceeded.
    std::optional<Error> incomplete;
};

/// Decodes once to find the size. Memory: the decoder's window, at most 128 MiB of which only what
/// was decoded is touched. Fails: Cancelled, OutOfMemory and the errors of reading. Any thread.
Result<Decompressed> openCompressed(ByteSourcePtr compressed, Compression kind,
                                    const ExpansionLimits& limits, const CancelToken& cancel);

} // namespace cairn
