// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4): the checksum of TensorFlow's records and of
/// LevelDB. Uses the processor's instruction where it has one (SSE4.2), else tables.
namespace cairn {

/// crc32c(crc32c(0, a), b) is the CRC of a followed by b.
std::uint32_t crc32c(std::uint32_t start, std::span<const std::byte> bytes);

/// The same from tables; used by the tests, and where the instruction is missing.
std::uint32_t crc32cByTable(std::uint32_t start, std::span<const std::byte> bytes);

/// A checksum as it is stored beside its data: rotated and offset, so that the CRC of data that
/// contains CRCs stays useful (leveldb/util/crc32c.h).
constexpr std::uint32_t maskedCrc32c(std::uint32_t crc) {
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

/// Inverse of maskedCrc32c().
constexpr std::uint32_t unmaskedCrc32c(std::uint32_t masked) {
    const std::uint32_t turned = masked - 0xA282EAD8U;
    return (turned >> 17U) | (turned << 15U);
}

} // namespace cairn
