// SPDX-License-Identifier: Apache-2.0
#include "core/model/name_rules.h"

#include "core/model/wrapper_names.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <re2/re2.h>
#include <span>

namespace cairn {

struct NameRules::Rule {
    enum class Kind : std::uint8_t { Prefix, Expression, StripPrefixes, StripWrappers };
    Kind kind = Kind::Prefix;
    std::string text; ///< the rule as text
    std::string from;
    std::string to;
    std::unique_ptr<const RE2> expression; ///< of bytes; its matching takes linear time

    /// `text` is one rule, trimmed. Fails as NameRules::parse().
    static Result<Rule> parse(std::string_view text);

    /// The changed name; empty: the rule does not apply.
    [[nodiscard]] std::optional<std::string> apply(std::string_view name) const;
    [[nodiscard]] bool continues() const { return kind >= Kind::StripPrefixes; }
};

namespace {

constexpr std::string_view kExpression = "re:";
constexpr std::string_view kExpressionSigns = "^$*+?()[]{}|\\";
constexpr std::string_view kBlank = " \t";
constexpr std::string_view kLineBreaks = "\r\n";
constexpr std::string_view kSeparators = ";\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"; // editors put it before a file's text

Error badRule(std::string_view rule, Sentence why) {
    return fail(ErrorCode::InvalidArgument, std::move(why))
        .butFound(verbatim(std::string(rule)))
        .withHint("Use FROM=TO (a prefix of a name, or a regular expression), or strip-prefixes; "
                  "separate several with ;");
}

RE2::Options expressionOptions() {
    RE2::Options options(RE2::Latin1); // names are bytes
    options.set_log_errors(false);
    return options;
}

/// Replaces \1 by $1.
std::string withDollars(std::string_view to) {
    std::string out;
    for (std::size_t i = 0; i < to.size(); ++i) {
        const bool capture =
            to[i] == '\\' && i + 1 < to.size() && to[i + 1] >= '0' && to[i + 1] <= '9';
        out += capture ? '$' : to[i];
    }
    return out;
}

bool digitAt(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

/// The next rule of `text`, which is removed from it; empty for a comment or an empty line.
std::string_view takeRule(std::string_view& text) {
    for (std::size_t blank = 1; blank > 0; text.remove_prefix(blank)) {
        blank = text.starts_with(kByteOrderMark)
                    ? kByteOrderMark.size()
                    : std::min(text.find_first_not_of(kBlank), text.size());
    }
    const bool comment = text.starts_with('#');
    const std::size_t end =
        std::min(text.find_first_of(comment ? kLineBreaks : kSeparators), text.size());
    const std::string_view rule = comment ? std::string_view() : trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    return rule;
}

/// Fails for a group that the expression does not have, and for a `$` or `\\` that refers to none.
/// `to` is withDollars().
Result<void> checkReferences(std::string_view rule, std::string_view to, std::size_t groups) {
    constexpr std::string_view kOther = "$&`'"; // $$, $& and the text around the match
    for (std::size_t i = to.find_first_of("$\\"); i < to.size(); i = to.find_first_of("$\\", i)) {
        const std::size_t next = i + 1;
        const bool other = next < to.size() && kOther.find(to[next]) != kOther.npos;
        if (to[i] != '$' || (!digitAt(to, next) && !other)) {
            return badRule(rule, "A name rule refers to a group in an unknown way")
                .expecting("$1 or \\1 for a group, $& for the match, $$ for a dollar sign");
        }
        const std::size_t length = other || !digitAt(to, next + 1) ? 1 : 2;
        const std::string number(to.substr(next, other ? 0 : length));
        if (!number.empty() && std::stoul(number) > groups) {
            return badRule(rule, sentence("A name rule refers to group %1", number))
                .expecting(sentence("at most %1; $01 refers to group 1 before a digit", groups));
        }
        i = next + length;
    }
    return {};
}

/// What one match is replaced with: `to` as checkReferences() accepts it, `groups` those of the
/// match, the first of them the match itself.
std::string replacement(std::string_view to, std::string_view name,
                        std::span<const re2::StringPiece> groups) {
    const std::size_t begin = static_cast<std::size_t>(groups[0].data() - name.data());
    std::string out;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i] != '$') {
            out += to[i];
            continue;
        }
        switch (to[++i]) {
        case '$':
            out += '$';
            break;
        case '&':
            out += groups[0].as_string();
            break;
        case '`':
            out += name.substr(0, begin);
            break;
        case '\'':
            out += name.substr(begin + groups[0].size());
            break;
        default: {
            std::size_t number = static_cast<std::size_t>(to[i] - '0');
            if (digitAt(to, i + 1)) {
                number = 10 * number + static_cast<std::size_t>(to[++i] - '0');
            }
            out += groups[number].as_string();
        }
        }
    }
    return out;
}

/// Replaces every match; empty if there is none. After an empty match the next begins one byte on.
std::optional<std::string> replacedMatches(std::string_view name, const RE2& expression,
                                           std::string_view to) {
    std::vector<re2::StringPiece> groups(
        static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
    const re2::StringPiece whole(name.data(), name.size());
    std::string out;
    bool any = false;
    std::size_t copied = 0;
    for (std::size_t at = 0;
         at <= name.size() && expression.Match(whole, at, name.size(), RE2::UNANCHORED,
                                               groups.data(), static_cast<int>(groups.size()));) {
        const std::size_t begin = static_cast<std::size_t>(groups[0].data() - name.data());
        out += name.substr(copied, begin - copied);
        out += replacement(to, name, groups);
        copied = begin + groups[0].size();
        at = copied + (groups[0].empty() ? 1 : 0);
        any = true;
    }
    return any ? std::optional(out + std::string(name.substr(copied))) : std::nullopt;
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
    return replacedMatches(name, *expression, to);
}

Result<NameRules::Rule> NameRules::Rule::parse(std::string_view text) {
    Rule rule;
    rule.text = text;
    if (text == "strip-prefixes" || text == "strip-wrappers") {
        rule.kind = text == "strip-prefixes" ? Kind::StripPrefixes : Kind::StripWrappers;
        return rule;
    }
    if (text.find('\0') != std::string_view::npos) {
        return badRule(text, "A name rule contains a NUL byte").expecting("text in UTF-8");
    }
    if (text.find(" #") != std::string_view::npos || text.find("\t#") != std::string_view::npos) {
        return badRule(text, "A comment follows a name rule").expecting("a line for each");
    }
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos) {
        return badRule(text, "A name rule has no FROM=TO");
    }
    rule.from = trimmed(text.substr(0, equals));
    rule.to = trimmed(text.substr(equals + 1));
    const bool marked = rule.from.starts_with(kExpression);
    if (rule.from.empty() || rule.from == kExpression) {
        return badRule(text, "The FROM of a name rule is empty");
    }
    if (marked || rule.from.find_first_of(kExpressionSigns) != std::string::npos) {
        rule.kind = Kind::Expression;
        rule.to = withDollars(rule.to);
        rule.expression = std::make_unique<const RE2>(
            rule.from.substr(marked ? kExpression.size() : 0), expressionOptions());
        if (!rule.expression->ok()) {
            return badRule(text,
                           sentence("Invalid regular expression: %1", rule.expression->error()));
        }
        const auto groups = static_cast<std::size_t>(rule.expression->NumberOfCapturingGroups());
        CAIRN_CHECK(checkReferences(text, rule.to, groups));
    }
    return rule;
}

Result<NameRules> NameRules::parse(std::string_view text) {
    NameRules rules;
    while (!text.empty()) {
        if (const std::string_view rule = takeRule(text); !rule.empty()) {
            CAIRN_TRY(Rule made, Rule::parse(rule));
            rules.m_rules.push_back(std::make_shared<const Rule>(std::move(made)));
        }
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

std::string NameRules::text() const {
    std::string all;
    for (const auto& rule : m_rules) {
        all += (all.empty() ? "" : ";") + rule->text;
    }
    return all;
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
