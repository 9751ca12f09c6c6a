// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The Python literals that a `.npy` header is made of, read without evaluating anything: dicts,
/// tuples, lists, texts, whole numbers, True, False, None. Calls, operators, names and f-strings
/// are refused. Source: The Python Language Reference, 2.4; numpy.lib.format.
namespace cairn::formats {

enum class LiteralKind : std::uint8_t { None, Bool, Integer, Text, Tuple, List, Dict };

struct PythonLiteral {
    LiteralKind kind = LiteralKind::None;
    std::int64_t integer = 0;         ///< of an Integer or a Bool
    bool fits = true;                 ///< an Integer: it is within 64 bits
    std::string text;                 ///< UTF-8
    std::vector<PythonLiteral> items; ///< of a Dict: key, value, key, value …
    std::size_t begin = 0;            ///< of its own text in the whole
    std::size_t end = 0;

    /// The value under a text key of a Dict; the last, as in Python. Null: there is none.
    [[nodiscard]] const PythonLiteral* find(std::string_view key) const;
};

/// Reads one literal that fills `text`, spaces and line ends apart. At most 32 containers deep and
/// 100,000 parts. Fails with NpyBadHeader and the offset in `text`.
Result<PythonLiteral> parsePythonLiteral(std::string_view text);

/// Adds one code point (surrogates too, as Python's "surrogatepass" would) as UTF-8.
void appendUtf8(std::string& out, std::uint32_t code);

} // namespace cairn::formats
