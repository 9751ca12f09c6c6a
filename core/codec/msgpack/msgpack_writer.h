// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// Writes MessagePack in its shortest forms, as msgpack-python packs with use_bin_type.
namespace cairn::msgpack {

/// Appends to a buffer. Payloads may be left to the caller: of a binary or an extension only the
/// head is written. Lengths and counts must be below 2^32. Not thread-safe.
class Writer {
public:
    void nil() { byte(0xc0); }
    void boolean(bool value) { byte(value ? 0xc3 : 0xc2); }
    void integer(std::int64_t value);
    void wide(std::uint64_t value); ///< above the largest int64_t, or any other
    void real(double value);
    void text(std::string_view text);
    void binary(std::span<const std::byte> bytes);
    void binaryHead(std::uint64_t length);
    void arrayHead(std::uint64_t items);
    void mapHead(std::uint64_t pairs);
    void extensionHead(std::int8_t type, std::uint64_t length);
    void append(std::span<const std::byte> bytes);

    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    /// Leaves the writer empty.
    std::vector<std::byte> take() { return std::exchange(m_bytes, {}); }

private:
    void byte(unsigned value) { m_bytes.push_back(static_cast<std::byte>(value)); }
    void number(unsigned head, std::uint64_t value, unsigned bytes);
    void sized(unsigned head8, std::uint64_t length);

    std::vector<std::byte> m_bytes;
};

} // namespace cairn::msgpack
