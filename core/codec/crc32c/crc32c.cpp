// SPDX-License-Identifier: Apache-2.0
#include "core/codec/crc32c/crc32c.h"

#include "core/base/endian.h"

#include <array>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace cairn {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78; // bit-reversed

using Table = std::array<std::uint32_t, 256>;

/// table[k][b]: the CRC of byte b followed by k zero bytes ("slicing by eight").
constexpr std::array<Table, 8> makeTables() {
    std::array<Table, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
        }
    }
    return tables;
}

constexpr auto kTables = makeTables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t byInstruction(std::uint32_t start,
                                                              std::span<const std::byte> bytes) {
    std::uint64_t crc = ~start;
    while (bytes.size() >= 8) {
        crc = _mm_crc32_u64(crc, loadLittle<std::uint64_t>(bytes));
        bytes = bytes.subspan(8);
    }
    auto small = static_cast<std::uint32_t>(crc);
    for (const std::byte byte : bytes) {
        small = _mm_crc32_u8(small, static_cast<std::uint8_t>(byte));
    }
    return ~small;
}
#endif

} // namespace

std::uint32_t crc32cByTable(std::uint32_t start, std::span<const std::byte> bytes) {
    std::uint32_t crc = ~start;
    while (bytes.size() >= 8) {
        const std::uint64_t word = loadLittle<std::uint64_t>(bytes) ^ crc;
        crc = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            crc ^= kTables[7 - i][(word >> (8 * i)) & 0xFFU];
        }
        bytes = bytes.subspan(8);
    }
    for (const std::byte byte : bytes) {
        crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<std::uint32_t>(byte)) & 0xFFU];
    }
    return ~crc;
}

std::uint32_t crc32c(std::uint32_t start, std::span<const std::byte> bytes) {
#if defined(__x86_64__)
    static const bool hasInstruction = __builtin_cpu_supports("sse4.2") != 0;
    if (hasInstruction) {
        return byInstruction(start, bytes);
    }
#endif
    return crc32cByTable(start, bytes);
}

} // namespace cairn
