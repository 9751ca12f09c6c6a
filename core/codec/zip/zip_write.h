// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Computes the layout of a ZIP with stored entries. Pure: no I/O; needs only the sizes of the
/// data.
namespace cairn {

struct ZipMember {
    std::string name; ///< UTF-8, at most 65535 bytes
    std::uint64_t size = 0;
    std::optional<std::uint32_t> crc32; ///< empty: not known in advance; its positions are reported
};

struct ZipMemberLayout {
    std::uint64_t headerOffset = 0;
    std::vector<std::byte> header; ///< local header, name, extra fields; the data follows directly
    std::uint64_t dataOffset = 0;
    std::size_t headerCrcPosition = 0;    ///< of the CRC-32 within `header`
    std::size_t directoryCrcPosition = 0; ///< of the CRC-32 within ZipLayout::directory
};

/// The archive consists of each member's header and data, in order and without gaps, then
/// `directory`.
struct ZipLayout {
    std::vector<ZipMemberLayout> members;
    std::uint64_t directoryOffset = 0;
    std::vector<std::byte>
        directory;          ///< central directory, zip64 end record, its locator, end record
    std::uint64_t size = 0; ///< of the complete archive
};

/// `alignment`: the data of every member starts at a multiple of it, counted from the archive's
/// first byte, padded with PyTorch's `FB` field; a power of two, at most 32768. CRC fields of
/// members without crc32 are zero and must be filled in at the reported positions (little-endian
/// CRC-32 of the data). Fails: InvalidArgument (alignment, or a total size above 64 bits),
/// NameNotRepresentable (empty, too long, not UTF-8, repeated).
Result<ZipLayout> layOutStoredZip(std::span<const ZipMember> members, std::uint64_t alignment);

} // namespace cairn
