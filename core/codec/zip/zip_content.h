// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/codec/zip/zip_archive.h"

#include <string>
#include <vector>

namespace cairn {

/// Size of a directory row without its name and extra fields (APPNOTE 4.3.12).
inline constexpr std::uint64_t kCentralSize = 46;

/// State of an opened archive. Private to this folder; immutable once openZip() has returned.
struct ZipArchive::Content {
    ByteSourcePtr source;
    std::vector<std::byte>
        window; ///< the end of the source, including the directory; names point into it
    std::uint64_t windowOffset = 0;
    std::vector<ZipEntry> entries;
    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t entry = 0;
    };
    std::vector<Slot> index; ///< sorted by hash, then name, then directory order
    std::vector<Notice> notices;

    /// Reads from the window where possible, so that a small archive costs one read in all.
    [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<std::byte> out) const;
};

/// An error about this archive, or about the entry called `name` in it.
Error zipError(ErrorCode code, Sentence message, const ByteSource& source, std::uint64_t offset);
Error zipError(ErrorCode code, Sentence message, const ByteSource& source, const ZipEntry& entry);

Error zipMultiDisk(const ByteSource& source, std::uint64_t offset);

/// An archive while it is being opened.
struct ZipOpening {
    std::shared_ptr<ZipArchive::Content> content;
    ZipStrictness strictness = ZipStrictness::Strict;

    [[nodiscard]] const ByteSource& source() const { return *content->source; }
    /// Reports something that two readers could interpret differently: returns the error, or
    /// records a notice.
    Result<void> object(Error error);
    Result<void> note(Severity severity, Error error);
    /// Extends the window to cover `offset` to the end of the source.
    Result<void> extendWindow(std::uint64_t offset);
    /// REQUIRES: a successful extendWindow(offset), and the bytes are inside the source.
    [[nodiscard]] std::span<const std::byte> at(std::uint64_t offset, std::uint64_t length) const;
};

/// Contents of the end records; offsets as stored.
struct ZipEnd {
    std::uint64_t position = 0;     ///< of the end record
    std::uint64_t directoryEnd = 0; ///< start of the zip64 end record, or of the end record
    std::uint64_t entries = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint64_t shift = 0; ///< added to all stored offsets; 0 in a regular archive
};

/// Finds and checks the end records; afterwards the window covers the complete directory.
Result<ZipEnd> findZipEnd(ZipOpening& opening);

std::uint64_t zipNameHash(std::string_view name);

} // namespace cairn
