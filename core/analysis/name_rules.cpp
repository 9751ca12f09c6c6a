// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/name_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

namespace cairn {

struct NameRules::Rule {
    std::string from;
    std::string to;
    std::optional<std::regex> expression;
};

namespace {

constexpr std::string_view kExpression = "re:";

Error badRule(std::string_view rule, std::string why) {
    return fail(ErrorCode::InvalidArgument, std::move(why))
        .butFound(std::string(rule))
        .withHint("Write FROM=TO, or re:EXPRESSION=TO, with ; between several");
}

} // namespace

Result<NameRules> NameRules::parse(std::string_view text) {
    NameRules rules;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        const std::string_view rule = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        if (rule.empty()) {
            continue;
        }
        const std::size_t equals = rule.rfind('=');
        if (equals == std::string_view::npos || equals == 0) {
            return badRule(rule, "A name rule has no FROM=TO");
        }
        auto made = std::make_shared<Rule>();
        made->from = rule.substr(0, equals);
        made->to = rule.substr(equals + 1);
        if (made->from.starts_with(kExpression)) {
            try {
                made->expression.emplace(made->from.substr(kExpression.size()),
                                         std::regex::ECMAScript | std::regex::optimize);
            } catch (const std::regex_error& error) {
                return badRule(rule, std::string("The expression cannot be read: ") + error.what());
            }
        }
        rules.m_rules.push_back(std::move(made));
    }
    return rules;
}

std::string NameRules::apply(std::string_view name) const {
    for (const auto& rule : m_rules) {
        if (!rule->expression) {
            if (name.starts_with(rule->from)) {
                return rule->to + std::string(name.substr(rule->from.size()));
            }
            continue;
        }
        if (name.size() > kMaxName) {
            continue;
        }
        try {
            const std::string text(name);
            if (std::regex_search(text, *rule->expression)) {
                return std::regex_replace(text, *rule->expression, rule->to);
            }
        } catch (const std::regex_error&) {
            continue; // too complex for this name: as if it did not match
        }
    }
    return std::string(name);
}

std::string unwrappedName(std::string_view name) {
    constexpr std::array<std::string_view, 3> kAnywhere = {"_orig_mod", "_fsdp_wrapped_module",
                                                           "_checkpoint_wrapped_module"};
    constexpr std::array<std::string_view, 2> kInFront = {"module", "model"};
    std::string out;
    bool front = true;
    while (true) {
        const std::size_t dot = name.find('.');
        const std::string_view part = name.substr(0, dot);
        const bool last = dot == std::string_view::npos;
        const bool wrapper = std::ranges::find(kAnywhere, part) != kAnywhere.end() ||
                             (front && std::ranges::find(kInFront, part) != kInFront.end());
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

} // namespace cairn
