// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Spellings of values inside a pickle. Pure functions; nothing here allocates more than its
/// argument's size.
namespace cairn::pickle {

/// UTF-8 as Python's "surrogatepass" reads it: lone surrogates are allowed, overlong forms are not.
bool isPickleUtf8(std::string_view text);

/// Two's complement, little-endian, any length; nothing beyond 64 bits. Empty is 0.
std::optional<std::int64_t> littleInteger(std::span<const std::byte> digits);

/// What Python's int() makes of INT and LONG lines: sign, base prefix, underscores, final L.
struct IntegerSpelling {
    bool valid = false;
    std::optional<std::int64_t> value; ///< when it fits
    std::string_view digits;           ///< without blanks and final L
};
IntegerSpelling readIntegerLine(std::string_view line);

/// What Python's float() makes of a FLOAT line.
std::optional<double> readFloatLine(std::string_view line);

/// Body of a STRING line: quoted, with Python's byte escapes. Nothing if it is not quoted or an
/// escape is broken.
std::optional<std::string> unescapeString(std::string_view quoted);

/// raw-unicode-escape to UTF-8: \uXXXX and \UXXXXXXXX, other bytes are Latin-1. Nothing if an
/// escape is broken.
std::optional<std::string> unescapeUnicode(std::string_view line);

/// Appends a code point, surrogates included.
void appendUtf8(std::string& out, std::uint32_t codePoint);

/// The bytes that UTF-8 text of code points below 256 stands for (how protocol 2 writes bytes);
/// nothing if one is not.
std::optional<std::string> latin1Bytes(std::string_view utf8);

/// Decimal text of a two's complement little-endian integer; hexadecimal beyond 4096 bytes.
std::string integerToText(std::span<const std::byte> digits);

} // namespace cairn::pickle
