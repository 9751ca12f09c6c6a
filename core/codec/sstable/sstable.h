// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

/// Sorted string tables: LevelDB's file format (doc/table_format.md), which TensorFlow uses for the
/// indices of its checkpoints. Read whole and once, in the order of the keys; nothing is looked up.
namespace cairn::sstable {

/// Blocks above this, decompressed, are refused: TensorFlow closes them at 256 KiB.
inline constexpr std::uint64_t kMaxBlock = std::uint64_t{64} << 20U;

/// One entry; the views live for the call.
struct Entry {
    std::string_view key;
    std::span<const std::byte> value;
    std::optional<std::uint64_t>
        offset; ///< of the value in the file; nothing: its block is compressed
};

/// True when these last bytes of a file (at least 8) end with the tables' magic number.
bool endsWithMagic(std::span<const std::byte> tail);

/// Called for every entry, in rising order of keys. An error ends the walk and is returned.
using Visit = std::function<Result<void>(const Entry& entry)>;

/// What damage costs: one block is lost, the others are read.
using Damaged = std::function<void(Error error)>;

/// Walks the table in `source`. Every block's checksum is compared before anything in it is
/// trusted. Memory: the index block and one data block. Keys that do not rise are damage, so
/// that each name comes once. Fails when no block can be found at all: Truncated, BadEncoding
/// (footer, index block), BadChecksum (index block), LimitExceeded; with Cancelled; with what
/// `visit` states. Blocks that cannot be read go to `damaged` with the same codes, and where.offset
/// set. `maxBlock` is for tables whose values are large.
Result<void> walk(const ByteSource& source, const Visit& visit, const Damaged& damaged,
                  const CancelToken& cancel, std::uint64_t maxBlock = kMaxBlock);

} // namespace cairn::sstable
