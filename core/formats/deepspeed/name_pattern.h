// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::formats::deepspeed {

/// What the names of a module that DeepSpeed wraps begin with.
inline constexpr std::string_view kModule = "module.";
/// What weights that layers of a pipeline share begin with.
inline constexpr std::string_view kTied = "tied_modules.";

/// The last part of a name.
inline std::string_view leafOf(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

/// The part of Python's regular expressions that patterns of parameter names are written in:
/// characters, '.', \d, \w, escaped characters, '^', '$', and '*', '+', '?' after one of these. A
/// pattern comes out of a file: matching takes time and memory proportional to pattern and name,
/// and nothing recurses. A value type; any thread.
class NamePattern {
public:
    /// Nothing: something else is in it, or it is longer than 1000 characters.
    static std::optional<NamePattern> parse(std::string_view text);

    /// As re.match: from the name's beginning, not to its end.
    [[nodiscard]] bool matches(std::string_view name) const;

private:
    enum class Kind : std::uint8_t { Character, Any, Digit, Word };
    struct Atom {
        Kind kind = Kind::Character;
        char character = 0;
        bool optional = false; ///< '*' and '?'
        bool repeated = false; ///< '*' and '+'
        [[nodiscard]] bool takes(char c) const;
    };

    std::vector<Atom> m_atoms;
    bool m_toEnd = false;
};

} // namespace cairn::formats::deepspeed
