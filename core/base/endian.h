// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

/// Unaligned little-endian numbers over raw bytes.
namespace cairn {

static_assert(std::endian::native == std::endian::little, "Cairn requires a little-endian machine");

/// REQUIRES: bytes.size() >= offset + sizeof(T).
template <std::integral T> T loadLittle(std::span<const std::byte> bytes, std::size_t offset = 0) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

template <std::integral T>
void storeLittle(std::span<std::byte> bytes, std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

inline std::span<const std::byte> asBytes(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view asText(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace cairn
