// SPDX-License-Identifier: Apache-2.0
#include "core/codec/msgpack/msgpack.h"

#include "core/base/endian.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cairn::msgpack {

namespace {

/// Small: most of a larger buffer would be wasted after each large payload.
constexpr std::size_t kBuffer = std::size_t{16} << 10U;

} // namespace

Reader::Reader(ByteSourcePtr source) : m_window(std::move(source), kBuffer) {}

Result<std::span<const std::byte>> Reader::take(std::size_t length) {
    CAIRN_TRY(const auto bytes, m_window.peek(length));
    m_window.skip(length);
    return bytes.first(length);
}

Error Reader::cutOff(const Token& token) const {
    return fail(ErrorCode::Truncated, "The file ends inside a MessagePack value")
        .inFile(m_window.source().name())
        .at(token.at)
        .butFound(sentence("%1 bytes in the file", m_window.source().size()))
        .withHint("Copy the file again; this one is incomplete");
}

/// A big-endian number of 1, 2, 4 or 8 bytes.
Result<std::uint64_t> Reader::number(std::size_t bytes) {
    if (m_window.remaining() < bytes) {
        Token here;
        here.at = m_window.position();
        return cutOff(here);
    }
    CAIRN_TRY(const auto raw, take(bytes));
    std::uint64_t value = 0;
    for (const std::byte byte : raw) {
        value = value << 8U | std::to_integer<std::uint64_t>(byte);
    }
    return value;
}

Result<Token> Reader::payload(Token token, Kind kind, std::uint64_t length) {
    token.kind = kind;
    if (length > m_window.remaining()) {
        return cutOff(token);
    }
    token.payload = {m_window.position(), length};
    m_window.seek(token.payload.end());
    return token;
}

Result<Token> Reader::container(Token token, Kind kind, std::uint64_t items) {
    token.kind = kind;
    token.items = items;
    const std::uint64_t least = kind == Kind::Map ? 2 * items : items; // items < 2^32
    if (least > m_window.remaining()) {
        return fail(ErrorCode::Truncated,
                    "A MessagePack container declares more items than the remaining bytes can hold")
            .inFile(m_window.source().name())
            .at(token.at)
            .butFound(sentence("%1 items", items))
            .expecting(sentence("at most %1 bytes in total", m_window.remaining()));
    }
    return token;
}

Result<Token> Reader::extension(Token token, std::uint64_t length) {
    CAIRN_TRY(const std::uint64_t type, number(1));
    token.extension = static_cast<std::int8_t>(static_cast<std::uint8_t>(type));
    return payload(token, Kind::Extension, length);
}

Result<Token> Reader::signedNumber(Token token, std::size_t bytes) {
    CAIRN_TRY(const std::uint64_t raw, number(bytes));
    const auto shift = static_cast<unsigned>(64 - 8 * bytes);
    token.kind = Kind::Int;
    token.integer = static_cast<std::int64_t>(raw << shift) >> shift;
    return token;
}

/// Heads 0xc0 to 0xdf.
Result<Token> Reader::sized(Token token, unsigned head) {
    const auto width = [&](unsigned first) { return std::size_t{1} << (head - first); };
    switch (head) {
    case 0xC0:
        token.kind = Kind::Nil;
        return token;
    case 0xC2:
    case 0xC3:
        token.kind = Kind::Bool;
        token.flag = head == 0xC3;
        return token;
    case 0xC4:
    case 0xC5:
    case 0xC6: {
        CAIRN_TRY(const std::uint64_t length, number(width(0xC4)));
        return payload(token, Kind::Binary, length);
    }
    case 0xC7:
    case 0xC8:
    case 0xC9: {
        CAIRN_TRY(const std::uint64_t length, number(width(0xC7)));
        return extension(token, length);
    }
    case 0xCA: {
        CAIRN_TRY(const std::uint64_t bits, number(4));
        token.kind = Kind::Float;
        token.real = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return token;
    }
    case 0xCB: {
        CAIRN_TRY(const std::uint64_t bits, number(8));
        token.kind = Kind::Float;
        token.real = std::bit_cast<double>(bits);
        return token;
    }
    case 0xCC:
    case 0xCD:
    case 0xCE:
    case 0xCF: {
        CAIRN_TRY(const std::uint64_t value, number(width(0xCC)));
        const bool fits = value <= static_cast<std::uint64_t>(INT64_MAX);
        token.kind = fits ? Kind::Int : Kind::Unsigned;
        token.integer = fits ? static_cast<std::int64_t>(value) : 0;
        token.wide = value;
        return token;
    }
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3:
        return signedNumber(token, width(0xD0));
    case 0xD4:
    case 0xD5:
    case 0xD6:
    case 0xD7:
    case 0xD8:
        return extension(token, width(0xD4));
    case 0xD9:
    case 0xDA:
    case 0xDB: {
        CAIRN_TRY(const std::uint64_t length, number(width(0xD9)));
        return payload(token, Kind::Text, length);
    }
    case 0xDC:
    case 0xDD: {
        CAIRN_TRY(const std::uint64_t items, number(head == 0xDC ? 2 : 4));
        return container(token, Kind::Array, items);
    }
    case 0xDE:
    case 0xDF: {
        CAIRN_TRY(const std::uint64_t items, number(head == 0xDE ? 2 : 4));
        return container(token, Kind::Map, items);
    }
    default:
        return fail(ErrorCode::MsgpackBadData, "The byte 0xc1 is not valid in MessagePack")
            .inFile(m_window.source().name())
            .at(token.at);
    }
}

Result<Token> Reader::next() {
    Token token;
    token.at = m_window.position();
    CAIRN_TRY(const std::uint64_t first, number(1));
    const auto head = static_cast<unsigned>(first);
    if (head < 0x80 || head >= 0xE0) {
        token.kind = Kind::Int;
        token.integer = static_cast<std::int8_t>(static_cast<std::uint8_t>(head));
        return token;
    }
    if (head < 0x90) {
        return container(token, Kind::Map, head & 0x0FU);
    }
    if (head < 0xA0) {
        return container(token, Kind::Array, head & 0x0FU);
    }
    if (head < 0xC0) {
        return payload(token, Kind::Text, head & 0x1FU);
    }
    return sized(token, head);
}

Result<std::string> Reader::text(const Token& token, std::uint64_t limit) {
    if (token.payload.length > limit) {
        return fail(ErrorCode::LimitExceeded, "A string in the file is too long")
            .inFile(m_window.source().name())
            .at(token.at)
            .butFound(sentence("%1 bytes", token.payload.length))
            .expecting(sentence("at most %1", limit));
    }
    enter(token);
    CAIRN_TRY(const auto bytes, take(static_cast<std::size_t>(token.payload.length)));
    return std::string(asText(bytes));
}

} // namespace cairn::msgpack
