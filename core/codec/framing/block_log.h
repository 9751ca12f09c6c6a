// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/codec/framing/source_window.h"

#include <optional>

/// LevelDB's log framing as W&B writes it: blocks of 32 KiB counted from the start of the file,
/// which contain pieces of u32 checksum, u16 length, u8 type (1 full, 2 first, 3 middle, 4 last),
/// data. No piece crosses a block boundary; fewer than seven bytes at a block's end are padding.
/// Source: leveldb/doc/log_format.md; for the checksum wandb/sdk/internal/datastore.py and the
/// files themselves: it is zlib's crc32 of type and data, unmasked, not LevelDB's masked CRC-32C.
namespace cairn {

/// What was skipped, and why. Each offset is that of the first occurrence.
struct BlockLogDamage {
    std::uint64_t badPieces = 0; ///< wrong checksum, type or length
    std::uint64_t badOffset = 0;
    std::uint64_t orphans = 0; ///< records whose first or last piece is missing
    std::uint64_t orphanOffset = 0;
    std::uint64_t zeroBytes = 0; ///< blocks that were never filled
    std::uint64_t zeroOffset = 0;
    std::uint64_t oversized = 0; ///< records longer than the limit
    std::uint64_t oversizedOffset = 0;
    std::optional<std::uint64_t> truncatedAt; ///< the file ends within the record that began here
};

/// Reads complete records, forwards. After a bad piece it continues after that piece; after two in
/// a row, whose lengths cannot be trusted, at the next block. Not thread-safe.
class BlockLogReader {
public:
    /// Starts after a header of `start` bytes, or at the end of a record that another reader gave,
    /// with the damage before it. Records longer than `maxRecord` bytes are skipped.
    BlockLogReader(ByteSourcePtr source, std::uint64_t start, std::size_t maxRecord,
                   CancelToken cancel = {}, BlockLogDamage before = {});

    /// The next complete record, valid until the next call; nothing at the end of the file. Fails
    /// as ByteSource::readAt and with Cancelled.
    Result<std::optional<std::span<const std::byte>>> next();

    [[nodiscard]] const BlockLogDamage& damage() const { return m_damage; }
    [[nodiscard]] std::uint64_t position() const { return m_window.position(); }

private:
    struct Piece {
        std::uint8_t type = 0;
        std::uint64_t offset = 0;
        std::span<const std::byte> data;
    };
    /// The next valid piece; empty at the end of the file.
    Result<std::optional<Piece>> nextPiece();
    [[nodiscard]] std::size_t leftInBlock() const;
    void noteBadPiece(std::uint64_t offset, std::size_t length);
    Result<void> skipZeros();
    void drop(std::uint64_t offset);
    void append(std::span<const std::byte> data);

    SourceWindow m_window;
    std::size_t m_maxRecord;
    CancelToken m_cancel;
    BlockLogDamage m_damage;
    bool m_lastWasBad = false;
    bool m_resuming = false; ///< after damage: pieces of a record whose start was lost are expected
    bool m_assembling = false;
    bool m_overflown = false;
    std::uint64_t m_recordOffset = 0;
    std::vector<std::byte> m_record;
};

} // namespace cairn
