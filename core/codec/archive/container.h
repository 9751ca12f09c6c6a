// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/result.h"
#include "core/codec/archive/index.h"
#include "core/io/byte_source.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// The file that holds the chunks: head, chunks, two compressed sections (plain values, index),
/// foot. Every byte of the file belongs to exactly one of them. Byte map: README.md.
namespace cairn::archive {

inline constexpr std::string_view kMagic = "CAIRNZ\r\n"; ///< CR LF: detects a transfer in text mode
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint64_t kHeadBytes = 16;
inline constexpr std::uint64_t kFootBytes = 64;
/// Largest ratio of a section's raw size to its stored size, so that a small file cannot ask for
/// much memory. A section that would exceed it is stored uncompressed.
inline constexpr std::uint64_t kMaxGrowth = 64;
inline constexpr std::uint64_t kFreeGrowth = std::uint64_t{1}
                                             << 20U; ///< raw bytes that are always allowed
inline constexpr std::uint64_t kMaxSection = std::uint64_t{512} << 20U;

/// A section of the file: uncompressed if stored.length == raw, else one zstd frame.
struct Section {
    ByteRange stored;
    std::uint64_t raw = 0;
    std::uint32_t crc = 0; ///< CRC-32C of the stored bytes
};

struct Directory {
    Section values;
    Section index;
};

struct SealedSection {
    std::vector<std::byte> bytes;
    std::uint64_t raw = 0;
};

std::array<std::byte, kHeadBytes> makeHead();
/// Fails: LimitExceeded above kMaxSection, OutOfMemory.
Result<SealedSection> seal(std::vector<std::byte> raw);
/// The values begin at `valuesOffset`; the index follows them.
std::array<std::byte, kFootBytes> makeFoot(std::uint64_t valuesOffset, const SealedSection& values,
                                           const SealedSection& index);

/// Reads head and foot. Fails: Truncated (the file is too short), BadEncoding, BadChecksum,
/// Unsupported (unknown version), LimitExceeded.
Result<Directory> readDirectory(const ByteSource& file);
/// Fails: BadChecksum, BadEncoding, Truncated.
Result<std::vector<std::byte>> readSection(const ByteSource& file, const Section& section);

/// Result of readDirectory() and the decoded index; the chunks exactly fill the space before the
/// values.
struct Opened {
    Directory directory;
    Index index;
    std::vector<std::uint64_t> offsets; ///< of each chunk in the file, then the end of the last one
};
Result<Opened> openArchive(const ByteSource& file);

} // namespace cairn::archive
