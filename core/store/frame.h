// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What travels between the near end (the user's machine) and the far end (`cairn-cli serve` on a
/// host): README.md describes it byte by byte. Both ends use this parser; neither trusts the other.
namespace cairn::store {

inline constexpr std::uint32_t kProtocol = 2;
inline constexpr std::size_t kFrameHead = 16;
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 20U;

enum class FrameKind : std::uint8_t {
    // far end, once
    Hello = 1,
    // requests
    Open = 16,
    List = 17,
    Stat = 18,
    Read = 19,
    Run = 20,
    Cancel = 21, ///< ends the request with this number
    Gather = 22, ///< ranges of several files, as far as they can be read
    // parts of an answer
    Place = 64,
    Listing = 65,
    Status = 66,
    Data = 67,
    Ahead = 68, ///< bytes that the near end is likely to read next
    Output = 69,
    Errors = 70,
    Alive = 71, ///< the request is still being worked on
    Gathered = 72,
    // the last frame of an answer
    Done = 96,
    Failed = 97,
    Exit = 98,
};

struct Frame {
    FrameKind kind = FrameKind::Hello;
    std::uint64_t request = 0;
    std::string payload;
};

/// Cuts a stream of bytes into frames. Not thread-safe.
class FrameParser {
public:
    void add(std::string_view bytes) { m_pending.append(bytes); }

    /// The next complete frame; nothing: more bytes are needed. Fails with Io for bytes that are
    /// not a frame; the stream is unusable from there on.
    Result<std::optional<Frame>> next();

    [[nodiscard]] bool isEmpty() const { return m_at == m_pending.size(); }

private:
    std::string m_pending;
    std::size_t m_at = 0;
};

/// REQUIRES: payload.size() <= kMaxPayload.
void appendFrame(std::string& stream, FrameKind kind, std::uint64_t request,
                 std::string_view payload);

/// The payload of a frame: little-endian numbers, and texts with their length before them.
class WireWriter {
public:
    template <std::integral T> void put(T value) {
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + sizeof value);
        std::memcpy(m_bytes.data() + at, &value, sizeof value);
    }
    void put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        m_bytes.append(text);
    }
    void raw(std::string_view bytes) { m_bytes.append(bytes); }
    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    std::string take() { return std::exchange(m_bytes, {}); }

private:
    std::string m_bytes;
};

/// Reads a payload. A read beyond its end gives zeros and makes ok() false for good.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : m_bytes(bytes) {}

    template <std::integral T> T get() {
        T value{};
        if (sizeof value > m_bytes.size()) {
            fail();
            return value;
        }
        std::memcpy(&value, m_bytes.data(), sizeof value);
        m_bytes.remove_prefix(sizeof value);
        return value;
    }
    /// A view into the payload.
    std::string_view text() {
        const auto length = get<std::uint32_t>();
        if (length > m_bytes.size()) {
            fail();
            return {};
        }
        const std::string_view text = m_bytes.substr(0, length);
        m_bytes.remove_prefix(length);
        return text;
    }
    std::string_view rest() { return std::exchange(m_bytes, {}); }
    /// What was read cannot be true.
    void fail() {
        m_ok = false;
        m_bytes = {};
    }
    [[nodiscard]] bool ok() const { return m_ok; }
    /// Everything was read, and nothing beyond it.
    [[nodiscard]] bool ended() const { return m_ok && m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_ok = true;
};

} // namespace cairn::store
