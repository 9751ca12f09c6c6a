// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Text forms of values inside a pickle. Pure functions; none allocates more than its argument's
/// size.
namespace cairn::pickle {

/// UTF-8 as Python's "surrogatepass" reads it: lone surrogates are allowed, overlong forms are not.
bool isPickleUtf8(std::string_view text);

/// Two's complement, little-endian, any length; nullopt beyond 64 bits. Empty is 0.
std::optional<std::int64_t> littleInteger(std::span<const std::byte> digits);

/// An INT or LONG line as Python's int() accepts it: sign, base prefix, underscores, final L.
struct IntegerSpelling {
    bool valid = false;
    std::optional<std::int64_t> value; ///< if it fits
    std::string_view digits;           ///< without whitespace and final L
};
IntegerSpelling readIntegerLine(std::string_view line);

/// A FLOAT line as Python's float() accepts it.
std::optional<double> readFloatLine(std::string_view line);

/// Body of a STRING line: quoted, with Python's byte escapes. nullopt if it is not quoted or an
/// escape is invalid.
std::optional<std::string> unescapeString(std::string_view quoted);

/// raw-unicode-escape to UTF-8: \uXXXX and \UXXXXXXXX, other bytes are Latin-1. nullopt if an
/// escape is invalid.
std::optional<std::string> unescapeUnicode(std::string_view line);

/// Appends a code point; surrogates are allowed.
void appendUtf8(std::string& out, std::uint32_t codePoint);

/// Converts UTF-8 text to bytes, one for each code point (the form in which protocol 2 stores
/// bytes); nullopt if a code point exceeds 255.
std::optional<std::string> latin1Bytes(std::string_view utf8);

/// Decimal text of a two's complement little-endian integer; hexadecimal beyond 4096 bytes.
std::string integerToText(std::span<const std::byte> digits);

} // namespace cairn::pickle
