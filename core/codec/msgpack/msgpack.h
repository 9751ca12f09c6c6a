// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
    explicit Reader(ByteSourcePtr source) : m_window(std::move(source)) {}

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
    /// A buffer over the source that can also seek backwards, into a skipped payload.
    class Window {
    public:
        explicit Window(ByteSourcePtr source) : m_source(std::move(source)) {}
        /// The next bytes; moves past them. REQUIRES: length <= remaining bytes.
        Result<std::span<const std::byte>> take(std::size_t length);
        void seek(std::uint64_t position) { m_position = position; }
        [[nodiscard]] const ByteSource& source() const { return *m_source; }
        [[nodiscard]] std::uint64_t position() const { return m_position; }
        [[nodiscard]] std::uint64_t remaining() const { return m_source->size() - m_position; }

    private:
        ByteSourcePtr m_source;
        std::vector<std::byte> m_buffer;
        std::uint64_t m_start = 0; ///< source offset of the buffer's first byte
        std::size_t m_filled = 0;
        std::uint64_t m_position = 0;
    };

    Result<std::uint64_t> number(std::size_t bytes);
    Result<Token> payload(Token token, Kind kind, std::uint64_t length);
    Result<Token> container(Token token, Kind kind, std::uint64_t items);
    Result<Token> extension(Token token, std::uint64_t length);
    Result<Token> sized(Token token, unsigned head);
    Result<Token> signedNumber(Token token, std::size_t bytes);
    Error cutOff(const Token& token) const;

    Window m_window;
};

} // namespace cairn::msgpack
