// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/result.h"
#include "core/codec/framing/source_window.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// MessagePack as tokens. See README.md.
namespace cairn::msgpack {

enum class Kind : std::uint8_t {
    Nil,
    Bool,
    Int,
    Unsigned,
    Float,
    Text,
    Binary,
    Array,
    Map,
    Extension
};

struct Token {
    Kind kind = Kind::Nil;
    std::uint64_t at = 0;      ///< source offset of the first byte
    bool flag = false;         ///< Bool
    std::int64_t integer = 0;  ///< Int
    std::uint64_t wide = 0;    ///< Unsigned: values above int64_t
    double real = 0;           ///< Float
    std::uint64_t items = 0;   ///< Array: elements; Map: pairs
    ByteRange payload;         ///< Text, Binary, Extension: range in the source
    std::int8_t extension = 0; ///< type of the extension
};

/// Reads tokens forwards over a source. Not thread-safe.
class Reader {
public:
    explicit Reader(ByteSourcePtr source);

    /// The next token; the payload of the previous text, binary or extension is skipped. Fails:
    /// Truncated, MsgpackBadData, and the errors of reading.
    Result<Token> next();

    /// Continues at the start of a token's payload, to read MessagePack inside it. leave()
    /// continues after it.
    void enter(const Token& token) { m_window.seek(token.payload.offset); }
    void leave(const Token& token) { m_window.seek(token.payload.end()); }

    /// A payload of at most `limit` bytes. The cursor stays after it. Fails: LimitExceeded.
    Result<std::string> text(const Token& token, std::uint64_t limit);

    [[nodiscard]] std::uint64_t position() const { return m_window.position(); }
    [[nodiscard]] bool atEnd() const { return m_window.remaining() == 0; }

private:
    /// The next bytes; moves past them. REQUIRES: length <= remaining bytes.
    Result<std::span<const std::byte>> take(std::size_t length);
    Result<std::uint64_t> number(std::size_t bytes);
    Result<Token> payload(Token token, Kind kind, std::uint64_t length);
    Result<Token> container(Token token, Kind kind, std::uint64_t items);
    Result<Token> extension(Token token, std::uint64_t length);
    Result<Token> sized(Token token, unsigned head);
    Result<Token> signedNumber(Token token, std::size_t bytes);
    Error cutOff(const Token& token) const;

    SourceWindow m_window;
};

} // namespace cairn::msgpack
