// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// ZIP as PyTorch, NumPy and Keras write it, read from the central directory only. Source: PKWARE
/// APPNOTE 6.3.10 sections 4.3-4.5; PyTorch's miniz. See README.md.
namespace cairn {

/// Offset of the CRC-32 in an entry's local header and in its directory row.
inline constexpr std::uint64_t kZipLocalCrc = 14;
inline constexpr std::uint64_t kZipRowCrc = 16;

/// One row of the central directory. All offsets count from the archive's first byte.
struct ZipEntry {
    std::string_view name; ///< raw bytes; valid as long as any copy of the ZipArchive
    std::uint64_t compressedSize = 0;
    std::uint64_t size = 0; ///< after decompression, as declared
    std::uint64_t localHeaderOffset = 0;
    std::uint64_t limit = 0; ///< start of the next entry or of the directory
    std::uint32_t crc32 =
        0; ///< 0 may mean "unknown": torch.save can be configured not to compute it
    std::uint16_t method = 0; ///< 0 stored, 8 deflated; anything else cannot be opened
    std::uint16_t flags = 0;

    [[nodiscard]] bool stored() const { return method == 0; }
    [[nodiscard]] bool encrypted() const { return (flags & 0x2041U) != 0; }
    [[nodiscard]] bool isFolder() const { return !name.empty() && name.back() == '/'; }
};

/// Strict: refuses an archive that two readers could interpret differently (duplicate names,
/// overlapping entries, bytes before the first entry, a directory that does not end where its end
/// record starts). Inspect: reports the same findings as notices, for a scanner that must examine
/// every candidate.
enum class ZipStrictness : std::uint8_t { Strict, Inspect };

/// Read-ahead for callers that examine one local header after the other: an archive of many small
/// entries then costs one read for hundreds of entries. Not thread-safe.
class ZipHeaderWindow {
public:
    static constexpr std::size_t kSize = std::size_t{128} << 10U;

    /// Fills `out` from `offset`; reads ahead if `next`, the offset of the following header, is
    /// near.
    Result<void> read(const ByteSource& source, std::uint64_t offset, std::span<std::byte> out,
                      std::uint64_t next);

private:
    std::vector<std::byte> m_bytes;
    std::uint64_t m_offset = 0;
};

/// An opened archive. Immutable and cheap to copy; const members may be called from any thread.
/// Keeps the source and one buffer with the directory (names point into it).
class ZipArchive {
public:
    /// In directory order, with duplicates if inspecting.
    [[nodiscard]] std::span<const ZipEntry> entries() const;

    /// The entry of that name, or null; the first in directory order if names repeat. O(log n).
    [[nodiscard]] const ZipEntry* find(std::string_view name) const;

    /// Location of the (possibly compressed) bytes of `entry` in the source. Reads the local
    /// header, because its own name and extra lengths decide where the data starts; its sizes and
    /// CRC may be zero (data descriptor). Fails: ZipBadEntry (no local header, data beyond the next
    /// entry), ZipLocalMismatch (name, method or size differ from the directory's), ZipEncrypted. A
    /// window reads the headers of neighbours together.
    [[nodiscard]] Result<ByteRange> dataRange(const ZipEntry& entry,
                                              ZipHeaderWindow* ahead = nullptr) const;

    /// The decompressed content. Stored entries are slices of the source; deflated ones are
    /// inflated while they are read: a forward cursor that restarts when read backwards, with
    /// bounded memory. Fails as dataRange() and with ZipBadMethod, ZipBomb (declared size beyond
    /// what deflate can reach). Reading an inflated entry fails with ZipBadData, ZipBomb (more data
    /// than declared), BadChecksum.
    [[nodiscard]] Result<ByteSourcePtr> openEntry(const ZipEntry& entry) const;

    /// Complete content of a small entry, compared with its CRC-32 unless that is 0. Fails as
    /// openEntry(), and with LimitExceeded beyond `limit` bytes, BadChecksum.
    [[nodiscard]] Result<std::vector<std::byte>> readEntry(const ZipEntry& entry,
                                                           std::uint64_t limit) const;

    /// Reads the entry and compares its CRC-32. False: the stored CRC is 0 while the content's is
    /// not (unknown). Fails with BadChecksum, or Cancelled.
    [[nodiscard]] Result<bool> verifyEntry(const ZipEntry& entry, const CancelToken& cancel) const;

    /// Offset of the entry's directory row in the source; rows are in the order of entries().
    /// REQUIRES: an entry of this archive.
    [[nodiscard]] std::uint64_t rowOffset(const ZipEntry& entry) const;

    /// Anomalies that do not make the archive unreadable: trailing bytes, encrypted or unsupported
    /// entries (which fail when opened), and everything that Strict would have refused.
    [[nodiscard]] std::span<const Notice> notices() const;

    [[nodiscard]] const ByteSourcePtr& source() const;

    struct Content; ///< private to this folder
    explicit ZipArchive(std::shared_ptr<const Content> content) : m_content(std::move(content)) {}

private:
    std::shared_ptr<const Content> m_content;
};

/// Opens an archive that fills `source` from its first byte; for one inside a larger file, pass a
/// slice. Costs one read of 4 KiB for a small archive, two for a large one; linear in the number of
/// entries. Fails: ZipNoDirectory, ZipBadDirectory, ZipBadEntry, ZipDuplicateName, ZipOverlap,
/// ZipMultiDisk, Truncated, Io.
Result<ZipArchive> openZip(ByteSourcePtr source, ZipStrictness strictness = ZipStrictness::Strict);

} // namespace cairn
