// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The Python literals in a `.npy` header, read without evaluating anything: dicts, tuples, lists,
/// strings, integers, True, False, None. Calls, operators, names and f-strings are refused. Source:
/// The Python Language Reference, 2.4; numpy.lib.format.
namespace cairn::formats {

enum class LiteralKind : std::uint8_t { None, Bool, Integer, Text, Tuple, List, Dict };

struct PythonLiteral {
    LiteralKind kind = LiteralKind::None;
    std::int64_t integer = 0;         ///< for Integer and Bool
    bool fits = true;                 ///< Integer: within 64 bits
    std::string text;                 ///< UTF-8
    std::vector<PythonLiteral> items; ///< for a Dict: key, value, key, value …
    std::size_t begin = 0;            ///< range of the literal in the parsed text
    std::size_t end = 0;

    /// The value of a string key of a Dict; the last one, as in Python. Null: missing.
    [[nodiscard]] const PythonLiteral* find(std::string_view key) const;
};

/// Parses one literal that fills `text`, except for spaces and line breaks. At most 32 nested
/// containers and 100,000 parts. Fails with NpyBadHeader and the offset in `text`.
Result<PythonLiteral> parsePythonLiteral(std::string_view text);

/// Appends one code point as UTF-8 (surrogates too, as Python's "surrogatepass").
void appendUtf8(std::string& out, std::uint32_t code);

} // namespace cairn::formats
