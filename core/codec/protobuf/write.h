// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/codec/protobuf/wire.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Messages of Protocol Buffers, field by field, in memory; see wire.h. Cannot fail.
namespace cairn::protobuf {

inline void appendVarint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) {
        out += static_cast<char>(value | 0x80U);
    }
    out += static_cast<char>(value);
}

inline void appendNumber(std::string& out, std::uint32_t field, std::uint64_t value) {
    appendVarint(out, tag(field, Wire::Varint));
    appendVarint(out, value);
}

/// As proto3 stores a field without presence: a zero is left out.
inline void appendNonzero(std::string& out, std::uint32_t field, std::uint64_t value) {
    if (value != 0) {
        appendNumber(out, field, value);
    }
}

/// Text, bytes or a message.
inline void appendText(std::string& out, std::uint32_t field, std::string_view text) {
    appendVarint(out, tag(field, Wire::Length));
    appendVarint(out, text.size());
    out += text;
}

inline void appendFixed32(std::string& out, std::uint32_t field, std::uint32_t value) {
    appendVarint(out, tag(field, Wire::Fixed32));
    std::array<std::byte, sizeof value> bytes{};
    storeLittle(std::span<std::byte>(bytes), 0, value);
    out += asText(bytes);
}

} // namespace cairn::protobuf
