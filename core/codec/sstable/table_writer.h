// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Tables as sstable.h reads them, laid out in memory. Pure; any thread.
namespace cairn::sstable {

struct Row {
    std::string key;
    std::string value;
    /// Position in the value of four bytes that are not known yet (OutputFile::indexSlots).
    std::optional<std::uint32_t> slot = std::nullopt;
};

struct Table {
    std::vector<std::byte> bytes;
    std::vector<std::optional<std::uint64_t>> slots; ///< place of Row::slot in the file, by row
    /// The stored checksum of a block, which is right for the values as given: masked CRC-32C of
    /// `bytes`, in the four bytes at `offset`.
    struct Checksum {
        std::uint64_t offset = 0;
        ByteRange bytes;
    };
    std::vector<Checksum> checksums; ///< in ascending order
};

/// A table of uncompressed blocks, byte for byte as TensorFlow's table::TableBuilder writes it with
/// its default options (tsl/lib/io/table_builder.cc, block_builder.cc, table_options.h).
/// REQUIRES: keys in ascending order, bytewise, without duplicates.
Table writeTable(std::span<const Row> rows);

} // namespace cairn::sstable
