// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Selects full names: `*` stands for any run of characters (dots too), `?` for one character,
/// `{a,b}` for either; braces nest. A backslash takes the next character as it is. Everything else
/// stands for itself. A value type; matches() may be called from any thread and takes time linear
/// in name × pattern, whatever the pattern.
class Glob {
public:
    /// Fails with InvalidArgument for unbalanced braces and for more than kMaxAlternatives expanded
    /// alternatives.
    static Result<Glob> parse(std::string_view pattern);
    static constexpr std::size_t kMaxAlternatives = 4096;

    /// The pattern that matches just this name: what is special in it after a backslash.
    static std::string quoted(std::string_view name);

    [[nodiscard]] bool matches(std::string_view name) const;

    /// True if the pattern has no wildcard: it names one thing exactly.
    [[nodiscard]] bool literal() const { return m_literal; }

private:
    std::vector<std::string>
        m_patterns; ///< expanded; a wildcard is kAny or kOne, never a plain '*' or '?'
    bool m_literal = true;
};

} // namespace cairn
