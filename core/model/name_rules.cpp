// SPDX-License-Identifier: Apache-2.0
#include "core/model/name_rules.h"

#include "core/model/wrapper_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <span>

namespace cairn {

struct NameRules::Rule {
    enum class Kind : std::uint8_t { Prefix, Expression, StripPrefixes, StripWrappers };
    Kind kind = Kind::Prefix;
    std::string text; ///< the rule as text
    std::string from;
    std::string to;
    std::optional<std::regex> expression;

    /// The changed name; empty: the rule does not apply.
    [[nodiscard]] std::optional<std::string> apply(std::string_view name) const;
    [[nodiscard]] bool continues() const { return kind >= Kind::StripPrefixes; }
};

namespace {

constexpr std::string_view kExpression = "re:";
constexpr std::string_view kExpressionSigns = "^$*+?()[]{}|\\";

Error badRule(std::string_view rule, Sentence why) {
    return fail(ErrorCode::InvalidArgument, std::move(why))
        .butFound(verbatim(std::string(rule)))
        .withHint("Use FROM=TO (a prefix of a name, or a regular expression), or strip-prefixes; "
                  "separate several with ;");
}

/// Replaces \1 by $1, which std::regex supports.
std::string withDollars(std::string_view to) {
    std::string out;
    for (std::size_t i = 0; i < to.size(); ++i) {
        const bool capture =
            to[i] == '\\' && i + 1 < to.size() && to[i + 1] >= '0' && to[i + 1] <= '9';
        out += capture ? '$' : to[i];
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
        text.remove_suffix(1);
    }
    return text;
}

/// Components that wrappers add, and that are no names of modules.
constexpr std::array<std::string_view, 5> kAnywhere = {"_orig_mod", "_fsdp_wrapped_module",
                                                       "_fpw_module", "_checkpoint_wrapped_module",
                                                       "_forward_module"};
constexpr std::string_view kParallel = "module";

/// Removes the components that wrappers add; those in `front` only at the start.
std::string withoutParts(std::string_view name, std::span<const std::string_view> inFront) {
    std::string out;
    bool front = true;
    while (true) {
        const std::size_t dot = name.find('.');
        const std::string_view part = name.substr(0, dot);
        const bool last = dot == std::string_view::npos;
        const bool wrapper = std::ranges::find(kAnywhere, part) != kAnywhere.end() ||
                             (front && std::ranges::find(inFront, part) != inFront.end());
        if (!wrapper || last) {
            out += part;
            out += last ? "" : ".";
            front = false;
        }
        if (last) {
            return out;
        }
        name.remove_prefix(dot + 1);
    }
}

} // namespace

std::optional<std::string> NameRules::Rule::apply(std::string_view name) const {
    switch (kind) {
    case Kind::StripPrefixes:
        return unwrappedName(name);
    case Kind::StripWrappers:
        return withoutWrappers(name);
    case Kind::Prefix:
        return name.starts_with(from) ? std::optional(to + std::string(name.substr(from.size())))
                                      : std::nullopt;
    case Kind::Expression:
        break;
    }
    if (name.size() > kMaxName) {
        return std::nullopt;
    }
    try {
        const std::string whole(name);
        if (std::regex_search(whole, *expression)) {
            return std::regex_replace(whole, *expression, to);
        }
    } catch (const std::regex_error&) {
        return std::nullopt; // too complex for this name: treated as no match
    }
    return std::nullopt;
}

Result<NameRules> NameRules::parse(std::string_view text) {
    NameRules rules;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(";\n"), text.size());
        const std::string_view rule = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
        if (rule.empty() || rule.starts_with('#')) {
            continue;
        }
        auto made = std::make_shared<Rule>();
        made->text = rule;
        if (rule == "strip-prefixes" || rule == "strip-wrappers") {
            made->kind =
                rule == "strip-prefixes" ? Rule::Kind::StripPrefixes : Rule::Kind::StripWrappers;
            rules.m_rules.push_back(std::move(made));
            continue;
        }
        const std::size_t equals = rule.rfind('=');
        if (equals == std::string_view::npos || equals == 0) {
            return badRule(rule, "A name rule has no FROM=TO");
        }
        made->from = rule.substr(0, equals);
        made->to = rule.substr(equals + 1);
        const bool marked = made->from.starts_with(kExpression);
        if (marked || made->from.find_first_of(kExpressionSigns) != std::string::npos) {
            made->kind = Rule::Kind::Expression;
            made->to = withDollars(made->to);
            try {
                made->expression.emplace(made->from.substr(marked ? kExpression.size() : 0),
                                         std::regex::ECMAScript | std::regex::optimize);
            } catch (const std::regex_error& error) {
                return badRule(rule, sentence("Invalid regular expression: %1", error.what()));
            }
        }
        rules.m_rules.push_back(std::move(made));
    }
    return rules;
}

std::string NameRules::apply(std::string_view name) const {
    return applyMarking(name, nullptr);
}

std::string NameRules::applyMarking(std::string_view name, std::vector<bool>* used) const {
    std::string now(name);
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        auto changed = m_rules[i]->apply(now);
        if (!changed) {
            continue;
        }
        if (used != nullptr && (*changed != now || !m_rules[i]->continues())) {
            (*used)[i] = true;
        }
        now = std::move(*changed);
        if (!m_rules[i]->continues()) {
            break;
        }
    }
    return now;
}

std::vector<std::string> NameRules::unused(const std::vector<std::string_view>& names) const {
    std::vector<bool> used(m_rules.size(), false);
    for (const std::string_view name : names) {
        applyMarking(name, &used);
    }
    std::vector<std::string> idle;
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        if (!used[i]) {
            idle.push_back(m_rules[i]->text);
        }
    }
    return idle;
}

std::string withoutWrappers(std::string_view name) {
    constexpr std::array<std::string_view, 1> kInFront = {kParallel};
    return withoutParts(name, kInFront);
}

bool isWrapperPart(std::string_view part) {
    return part == kParallel || std::ranges::find(kAnywhere, part) != kAnywhere.end();
}

std::string unwrappedName(std::string_view name) {
    constexpr std::array<std::string_view, 2> kInFront = {kParallel, "model"};
    return withoutParts(name, kInFront);
}

} // namespace cairn
