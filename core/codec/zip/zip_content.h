// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zip/zip_archive.h"

#include <string>
#include <vector>

namespace cairn {

/// Of an entry of the central directory, in bytes: what stands before its name (APPNOTE 4.3.12).
inline constexpr std::uint64_t kCentralSize = 46;

/// What an opened archive keeps. Private to this folder; immutable once openZip() has returned.
struct ZipArchive::Content {
    ByteSourcePtr source;
    std::vector<std::byte> window; ///< the source's last bytes, directory included; names are here
    std::uint64_t windowOffset = 0;
    std::vector<ZipEntry> entries;
    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t entry = 0;
    };
    std::vector<Slot> index; ///< by hash, then name, then directory order
    std::vector<Notice> notices;

    /// Reads from the window where it can, so that a small archive costs one read in all.
    [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<std::byte> out) const;
};

/// An error about this archive, or about the entry called `name` in it.
Error zipError(ErrorCode code, std::string message, const ByteSource& source, std::uint64_t offset);
Error zipError(ErrorCode code, std::string message, const ByteSource& source,
               const ZipEntry& entry);

Error zipMultiDisk(const ByteSource& source, std::uint64_t offset);

/// An archive while it is being opened.
struct ZipOpening {
    std::shared_ptr<ZipArchive::Content> content;
    ZipStrictness strictness = ZipStrictness::Strict;

    [[nodiscard]] const ByteSource& source() const { return *content->source; }
    /// Reports what two readers could see differently: the error itself, or a notice.
    Result<void> object(Error error);
    Result<void> note(Severity severity, Error error);
    /// Makes the window reach from `offset` to the end of the source.
    Result<void> extendWindow(std::uint64_t offset);
    /// REQUIRES: extendWindow(offset) was done and the bytes fit into the source.
    [[nodiscard]] std::span<const std::byte> at(std::uint64_t offset, std::uint64_t length) const;
};

/// What the end records state; offsets as stored.
struct ZipEnd {
    std::uint64_t position = 0;     ///< of the end record
    std::uint64_t directoryEnd = 0; ///< start of the zip64 end record, or of the end record
    std::uint64_t entries = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint64_t shift = 0; ///< to add to all stored offsets; 0 in a proper archive
};

/// Finds and checks the end records; the window then holds the whole directory.
Result<ZipEnd> findZipEnd(ZipOpening& opening);

std::uint64_t zipNameHash(std::string_view name);

} // namespace cairn
