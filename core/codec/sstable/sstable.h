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
/// indices of its checkpoints. A table is read completely, once, in key order; there is no lookup.
namespace cairn::sstable {

/// Larger blocks (decompressed) are refused; TensorFlow writes blocks of about 256 KiB.
inline constexpr std::uint64_t kMaxBlock = std::uint64_t{64} << 20U;

/// One entry; the views are valid during the call.
struct Entry {
    std::string_view key;
    std::span<const std::byte> value;
    std::optional<std::uint64_t>
        offset; ///< of the value in the file; empty: its block is compressed
};

/// True when these last bytes of a file (at least 8) end with the tables' magic number.
bool endsWithMagic(std::span<const std::byte> tail);

/// Called for every entry, in ascending key order. An error ends the walk and is returned.
using Visit = std::function<Result<void>(const Entry& entry)>;

/// Called for each damaged block; the entries of other blocks are still read.
using Damaged = std::function<void(Error error)>;

/// Walks the table in `source`. Every block's checksum is verified before its content is used.
/// Memory: the index block and one data block. Keys that are not in ascending order count as
/// damage, so that each name occurs once. Fails if no block can be located: Truncated, BadEncoding
/// (footer, index block), BadChecksum (index block), LimitExceeded; with Cancelled; with the errors
/// of `visit`. Blocks that cannot be read go to `damaged` with the same codes, and where.offset
/// set. `maxBlock` is for tables with large values.
Result<void> walk(const ByteSource& source, const Visit& visit, const Damaged& damaged,
                  const CancelToken& cancel, std::uint64_t maxBlock = kMaxBlock);

} // namespace cairn::sstable
