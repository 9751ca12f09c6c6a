// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/zip/zip_archive.h"

#include <string>
#include <vector>

namespace cairn {

/// What an opened archive keeps. Private to this folder; immutable once openZip() has returned.
struct ZipArchive::Content {
    ByteSourcePtr source;
    std::vector<std::byte> window; ///< the source's last bytes, directory included; names lie here
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

std::uint64_t zipNameHash(std::string_view name);

} // namespace cairn
