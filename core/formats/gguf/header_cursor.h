// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/codec/framing/source_window.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::formats::gguf {

/// Reads a header forwards: numbers in the file's byte order, counts in the version's width,
/// length-prefixed text. Nothing is read or allocated beyond the size of the file. Fails with
/// Truncated if the file ends early. Not thread-safe.
class HeaderCursor {
public:
    static constexpr std::size_t kWindow = std::size_t{1} << 18U;

    explicit HeaderCursor(ByteSourcePtr source) : m_window(std::move(source), kWindow) {}

    /// Version 1 has 32-bit counts.
    void setDialect(bool bigEndian, bool wideCounts) {
        m_bigEndian = bigEndian;
        m_wideCounts = wideCounts;
    }
    [[nodiscard]] std::size_t countBytes() const { return m_wideCounts ? 8 : 4; }
    [[nodiscard]] std::uint64_t position() const { return m_window.position(); }
    [[nodiscard]] std::uint64_t remaining() const { return m_window.remaining(); }
    [[nodiscard]] const ByteSource& source() const { return m_window.source(); }

    template <std::integral T> Result<T> number(std::string_view what) {
        CAIRN_TRY(const auto bytes, peek(sizeof(T), what));
        const T value = load<T>(bytes);
        m_window.skip(sizeof(T));
        return value;
    }

    Result<std::uint64_t> count(std::string_view what) {
        if (m_wideCounts) {
            return number<std::uint64_t>(what);
        }
        CAIRN_TRY(const auto narrow, number<std::uint32_t>(what));
        return std::uint64_t{narrow};
    }

    /// The bytes of a text; moves the cursor after it. Valid until the next read. Fails with
    /// LimitExceeded above `limit`.
    Result<std::string_view> text(std::uint64_t limit, std::string_view what);

    /// The next `length` bytes without moving the cursor; valid until the next read. The caller
    /// must bound `length`.
    Result<std::span<const std::byte>> peek(std::uint64_t length, std::string_view what) {
        if (length > remaining()) {
            return tooShort(length, what);
        }
        return m_window.peek(static_cast<std::size_t>(length));
    }

    Result<void> skip(std::uint64_t length, std::string_view what) {
        if (length > remaining()) {
            return tooShort(length, what);
        }
        m_window.skip(length);
        return {};
    }

    template <std::integral T>
    [[nodiscard]] T load(std::span<const std::byte> bytes, std::size_t offset = 0) const {
        if (!m_bigEndian) {
            return loadLittle<T>(bytes, offset);
        }
        std::array<std::byte, sizeof(T)> swapped{};
        std::reverse_copy(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                          bytes.begin() + static_cast<std::ptrdiff_t>(offset + sizeof(T)),
                          swapped.begin());
        return loadLittle<T>(swapped);
    }

private:
    [[nodiscard]] Error tooShort(std::uint64_t length, std::string_view what) const;

    SourceWindow m_window;
    bool m_bigEndian = false;
    bool m_wideCounts = true;
};

} // namespace cairn::formats::gguf
