// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Where every byte of a ZIP with stored entries goes. Pure: no I/O, and no data is needed, only
/// its size.
namespace cairn {

struct ZipMember {
    std::string name; ///< UTF-8, at most 65535 bytes
    std::uint64_t size = 0;
    std::optional<std::uint32_t>
        crc32; ///< unknown until the data passes by: its places are reported as slots
};

struct ZipMemberLayout {
    std::uint64_t headerOffset = 0;
    std::vector<std::byte> header; ///< local header, name, extra fields; the data follows at once
    std::uint64_t dataOffset = 0;
    std::size_t headerCrcPosition = 0;    ///< of the 4 CRC-32 bytes within `header`
    std::size_t directoryCrcPosition = 0; ///< of the 4 CRC-32 bytes within ZipLayout::directory
};

/// The archive is: for each member header and data, in order and without gaps, then `directory`.
struct ZipLayout {
    std::vector<ZipMemberLayout> members;
    std::uint64_t directoryOffset = 0;
    std::vector<std::byte>
        directory;          ///< central directory, zip64 end record, its locator, end record
    std::uint64_t size = 0; ///< of the complete archive
};

/// `alignment`: data of every member starts at a multiple of it, counted from the archive's first
/// byte, by the `FB` padding field that PyTorch uses; a power of two, at most 32768. CRC fields of
/// members without crc32 are zero and are to be filled in at the reported positions (little-endian
/// IEEE CRC-32 of the data). Fails: InvalidArgument (alignment, or sizes whose sum leaves 64 bits),
/// NameNotRepresentable (empty, too long, not UTF-8, repeated).
Result<ZipLayout> layOutStoredZip(std::span<const ZipMember> members, std::uint64_t alignment);

} // namespace cairn
