// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Selects full names: `*` matches any characters (also dots), `?` one character, `{a,b}` either
/// alternative; braces nest. A backslash makes the next character literal. A value type; matches()
/// may be called from any thread and takes time linear in name × pattern, whatever the pattern.
class Glob {
public:
    /// Fails with InvalidArgument for unbalanced braces and for more than kMaxAlternatives
    /// alternatives after expansion.
    static Result<Glob> parse(std::string_view pattern);
    static constexpr std::size_t kMaxAlternatives = 4096;

    /// A pattern that matches only this name: special characters are escaped.
    static std::string quoted(std::string_view name);

    [[nodiscard]] bool matches(std::string_view name) const;

    /// True if the pattern has no wildcard: it matches one name only.
    [[nodiscard]] bool literal() const { return m_literal; }

private:
    std::vector<std::string>
        m_patterns; ///< expanded; wildcards are kAny or kOne, so '*' and '?' are literal
    bool m_literal = true;
};

} // namespace cairn
