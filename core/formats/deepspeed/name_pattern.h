// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::deepspeed {

/// Prefix of names in a module that DeepSpeed wraps.
inline constexpr std::string_view kModule = "module.";
/// Prefix of weights that pipeline layers share.
inline constexpr std::string_view kTied = "tied_modules.";

/// The name that a weight of tied layers has in the file of a layer, which contains the state of
/// that layer alone: "weight" for "tied_modules.embed.weight"; empty: it is of no tied layer.
inline std::string_view nameInLayer(std::string_view parameter) {
    const std::size_t key =
        parameter.starts_with(kTied) ? parameter.find('.', kTied.size()) : std::string_view::npos;
    return key == std::string_view::npos ? std::string_view() : parameter.substr(key + 1);
}

/// The subset of Python's regular expressions that is used in patterns of parameter names:
/// characters, '.', \d, \w, escaped characters, '^', '$', and '*', '+', '?' after one of these.
/// Patterns come from files: matching takes time and memory proportional to pattern and name,
/// without recursion. A value type; any thread.
class NamePattern {
public:
    /// Empty: other syntax, or longer than 1000 characters.
    static std::optional<NamePattern> parse(std::string_view text);

    /// As re.match: anchored at the start of the name, not at its end.
    [[nodiscard]] bool matches(std::string_view name) const;

    /// The only name that matches; empty: there are several.
    [[nodiscard]] std::optional<std::string> onlyName() const;

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
