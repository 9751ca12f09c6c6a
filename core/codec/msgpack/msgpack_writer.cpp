// SPDX-License-Identifier: Apache-2.0
#include "core/codec/msgpack/msgpack_writer.h"

#include <bit>
#include <limits>

namespace cairn::msgpack {
namespace {

constexpr std::uint64_t kByte = std::numeric_limits<std::uint8_t>::max();
constexpr std::uint64_t kShort = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kWord = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kFixText = 31;
constexpr std::uint64_t kFixItems = 15;
constexpr std::uint64_t kFixInt = 127;
constexpr std::int64_t kFixNegative = -32;

} // namespace

/// Big-endian.
void Writer::number(unsigned head, std::uint64_t value, unsigned bytes) {
    byte(head);
    for (unsigned shift = bytes * 8; shift > 0; shift -= 8) {
        byte(static_cast<unsigned>(value >> (shift - 8)) & 0xffU);
    }
}

/// Three heads that follow each other: lengths of 1, 2 and 4 bytes.
void Writer::sized(unsigned head8, std::uint64_t length) {
    if (length <= kByte) {
        number(head8, length, 1);
    } else if (length <= kShort) {
        number(head8 + 1, length, 2);
    } else {
        number(head8 + 2, length, 4);
    }
}

void Writer::integer(std::int64_t value) {
    if (value >= 0) {
        wide(static_cast<std::uint64_t>(value));
        return;
    }
    const auto bits = static_cast<std::uint64_t>(value);
    if (value >= kFixNegative) {
        byte(static_cast<unsigned>(bits & kByte));
    } else if (value >= std::numeric_limits<std::int8_t>::min()) {
        number(0xd0, bits, 1);
    } else if (value >= std::numeric_limits<std::int16_t>::min()) {
        number(0xd1, bits, 2);
    } else if (value >= std::numeric_limits<std::int32_t>::min()) {
        number(0xd2, bits, 4);
    } else {
        number(0xd3, bits, 8);
    }
}

void Writer::wide(std::uint64_t value) {
    if (value <= kFixInt) {
        byte(static_cast<unsigned>(value));
    } else if (value <= kWord) {
        sized(0xcc, value);
    } else {
        number(0xcf, value, 8);
    }
}

void Writer::real(double value) {
    number(0xcb, std::bit_cast<std::uint64_t>(value), 8);
}

void Writer::text(std::string_view text) {
    if (text.size() <= kFixText) {
        byte(0xa0U | static_cast<unsigned>(text.size()));
    } else {
        sized(0xd9, text.size());
    }
    append(std::as_bytes(std::span(text)));
}

void Writer::binary(std::span<const std::byte> bytes) {
    binaryHead(bytes.size());
    append(bytes);
}

void Writer::binaryHead(std::uint64_t length) {
    sized(0xc4, length);
}

void Writer::arrayHead(std::uint64_t items) {
    if (items <= kFixItems) {
        byte(0x90U | static_cast<unsigned>(items));
    } else {
        number(items <= kShort ? 0xdc : 0xdd, items, items <= kShort ? 2 : 4);
    }
}

void Writer::mapHead(std::uint64_t pairs) {
    if (pairs <= kFixItems) {
        byte(0x80U | static_cast<unsigned>(pairs));
    } else {
        number(pairs <= kShort ? 0xde : 0xdf, pairs, pairs <= kShort ? 2 : 4);
    }
}

void Writer::extensionHead(std::int8_t type, std::uint64_t length) {
    if (length > 0 && length <= 16 && std::has_single_bit(length)) {
        byte(0xd4U + static_cast<unsigned>(std::countr_zero(length)));
    } else {
        sized(0xc7, length);
    }
    byte(static_cast<std::uint8_t>(type));
}

void Writer::append(std::span<const std::byte> bytes) {
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
}

} // namespace cairn::msgpack
