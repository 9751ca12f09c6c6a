// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/recipe.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

/// Reads recipes.
namespace cairn {

struct Recipe::Parsed {
    std::vector<Rule> rules;
    std::vector<Definition> definitions;
    std::vector<std::string> droppedTexts;
};

namespace {

using Op = Recipe::Op;

struct OpName {
    std::string_view word;
    Op::Kind kind;
    std::size_t least; ///< words after it
    std::size_t most;
};
constexpr std::array<OpName, 11> kOps = {{{"split", Op::Kind::Split, 3, 9},
                                          {"merge", Op::Kind::Merge, 2, 2},
                                          {"slice", Op::Kind::Slice, 3, 3},
                                          {"select", Op::Kind::Select, 2, 2},
                                          {"swap", Op::Kind::Swap, 2, 2},
                                          {"insert", Op::Kind::Insert, 1, 1},
                                          {"size", Op::Kind::Size, 2, 2},
                                          {"stack", Op::Kind::Stack, 1, 1},
                                          {"sum", Op::Kind::Sum, 1, 1},
                                          {"mean", Op::Kind::Mean, 1, 1},
                                          {"each", Op::Kind::Each, 2, 2}}};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \r\t");
    if (first == text.npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \r\t") - first + 1);
}

std::vector<std::string_view> partsOf(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        if (const auto part = trimmed(text.substr(0, end)); !part.empty()) {
            parts.push_back(part);
        }
        if (end == text.npos) {
            return parts;
        }
        text.remove_prefix(end + separator.size());
    }
}

Result<Op> parseOp(std::string_view text) {
    const std::vector<std::string_view> words = partsOf(text, " ");
    const auto known = std::ranges::find(kOps, words.front(), &OpName::word);
    if (known == kOps.end() || words.size() - 1 < known->least || words.size() - 1 > known->most) {
        return fail(ErrorCode::InvalidArgument, "The recipe has an unknown operation")
            .butFound(verbatim(std::string(text)));
    }
    Op op{known->kind, {}, {}};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool isLetter = joinsNumbers(op.kind) || (op.kind == Op::Kind::Each && i == 2);
        if (isLetter) {
            op.letter = words[i];
            continue;
        }
        CAIRN_TRY(Expression number, Expression::parse(words[i]));
        op.numbers.push_back(std::move(number));
    }
    return op;
}

/// "NAME | op; op".
Result<Recipe::Source> parseSource(std::string_view text) {
    const std::size_t bar = text.find(" | ");
    Recipe::Source source{NamePattern(trimmed(text.substr(0, bar))), {}};
    if (source.name.text().empty() || source.name.text().find(' ') != std::string::npos) {
        return fail(ErrorCode::InvalidArgument, "The recipe has an invalid name")
            .butFound(verbatim(std::string(text)));
    }
    if (bar != text.npos) {
        for (const std::string_view each : partsOf(text.substr(bar + 3), ";")) {
            CAIRN_TRY(Op op, parseOp(each));
            source.ops.push_back(std::move(op));
        }
    }
    return source;
}

/// The text of a rule for the n-th word of each "(a|b)"; empty: there are no more.
std::string alternative(const std::string& text, std::size_t n) {
    std::string made;
    bool any = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = text.find('(', at);
        const std::size_t close = open == text.npos ? text.npos : text.find(')', open);
        const std::string_view inner =
            close == text.npos ? std::string_view()
                               : std::string_view(text).substr(open + 1, close - open - 1);
        if (inner.find('|') == inner.npos) { // a parenthesis of an expression
            const std::size_t end = close == text.npos ? text.size() : close + 1;
            made += text.substr(at, end - at);
            at = end;
            continue;
        }
        const std::vector<std::string_view> words = partsOf(inner, "|");
        if (n >= words.size()) {
            return {};
        }
        any = true;
        made += text.substr(at, open - at);
        made += words[n];
        at = close + 1;
    }
    return any || n == 0 ? made : std::string();
}

/// Sources and targets of one rule; lines are separated by line breaks.
Result<Recipe::Rule> parseRule(const std::string& text, const Expression& when) {
    Recipe::Rule rule;
    rule.when = when;
    for (std::string_view line : partsOf(text, "\n")) {
        if (line.starts_with("& concat ")) {
            CAIRN_TRY(const Expression dim, Expression::parse(line.substr(9)));
            CAIRN_TRY(const std::int64_t number, dim.evaluate({}));
            rule.concat = static_cast<std::size_t>(number);
            continue;
        }
        const bool isTarget = line.starts_with("-> ");
        const std::vector<std::string_view> sides = partsOf(line, "-> ");
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const std::string_view side =
                sides[i].starts_with("+ ") ? sides[i].substr(2) : sides[i];
            CAIRN_TRY(Recipe::Source source, parseSource(side));
            (isTarget || i > 0 ? rule.targets : rule.sources).push_back(std::move(source));
        }
    }
    if (rule.sources.empty() || rule.targets.empty()) {
        return fail(ErrorCode::InvalidArgument, "A rule of the recipe lacks a source or a target")
            .butFound(verbatim(text));
    }
    const bool adds = std::ranges::any_of(rule.sources, [](const Recipe::Source& source) {
        return std::ranges::any_of(source.ops, addsUp, &Op::kind);
    });
    const bool isAlone = rule.sources.size() == 1 && rule.sources.front().ops.size() == 1 &&
                         rule.targets.size() == 1 && rule.targets.front().ops.empty();
    if (adds && !isAlone) {
        return fail(ErrorCode::InvalidArgument, "A sum of the recipe is not alone in its rule")
            .butFound(verbatim(text));
    }
    return rule;
}

} // namespace

Result<Recipe> Recipe::parse(std::string_view text) {
    auto parsed = std::make_shared<Parsed>();
    Expression when;
    std::string pending;
    const auto finish = [&]() -> Result<void> {
        for (std::size_t n = 0; !pending.empty(); ++n) {
            const std::string rule = alternative(pending, n);
            if (rule.empty()) {
                break;
            }
            CAIRN_TRY(Rule made, parseRule(rule, when));
            parsed->rules.push_back(std::move(made));
        }
        pending.clear();
        return {};
    };
    std::uint64_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::string_view content = trimmed(line);
        text.remove_prefix(std::min(text.size(), end + 1));
        ++number;
        if (content.empty() || content.starts_with('#')) {
            continue;
        }
        const auto take = [&]() -> Result<void> {
            if (line.starts_with(' ')) {
                pending += "\n" + std::string(content);
                return {};
            }
            CAIRN_CHECK(finish());
            if (content.starts_with("let ")) {
                const std::vector<std::string_view> sides = partsOf(content.substr(4), " = ");
                if (sides.size() != 2) {
                    return fail(ErrorCode::InvalidArgument, "A definition lacks its value");
                }
                CAIRN_TRY(Expression value, Expression::parse(sides[1]));
                parsed->definitions.push_back({std::string(sides[0]), std::move(value)});
            } else if (content.starts_with("when ")) {
                CAIRN_TRY(when, Expression::parse(content.substr(5)));
            } else if (content == "always") {
                when = Expression();
            } else if (content.starts_with("drop *")) {
                parsed->droppedTexts.emplace_back(content.substr(6));
            } else if (content.starts_with("drop ")) {
                for (std::size_t n = 0;; ++n) {
                    const std::string name = alternative(std::string(content.substr(5)), n);
                    if (name.empty()) {
                        break;
                    }
                    parsed->rules.push_back({when, {{NamePattern(trimmed(name)), {}}}, 0, {}});
                }
            } else {
                pending = content;
            }
            return {};
        };
        if (auto taken = take(); !taken) {
            return std::move(taken.error()).at(number);
        }
    }
    if (auto finished = finish(); !finished) {
        return std::move(finished.error()).at(number);
    }
    Recipe recipe;
    recipe.m_parsed = std::move(parsed);
    return recipe;
}

Recipe Recipe::of(std::vector<Rule> rules, std::vector<Definition> definitions) {
    Recipe recipe;
    recipe.m_parsed =
        std::make_shared<Parsed>(Parsed{std::move(rules), std::move(definitions), {}});
    return recipe;
}

ModelConfig Recipe::withDefinitions(ModelConfig config) const {
    std::set<std::string_view> defined;
    for (const Definition& each : definitions()) {
        if (defined.contains(each.name)) {
            continue;
        }
        if (const auto value = each.value.evaluate(config)) {
            config.set(each.name, *value);
            defined.insert(each.name);
        }
    }
    return config;
}

std::span<const Recipe::Rule> Recipe::rules() const {
    return m_parsed ? std::span<const Rule>(m_parsed->rules) : std::span<const Rule>();
}

std::span<const Recipe::Definition> Recipe::definitions() const {
    return m_parsed ? std::span<const Definition>(m_parsed->definitions)
                    : std::span<const Definition>();
}

bool Recipe::dropsText(std::string_view name) const {
    return m_parsed && std::ranges::any_of(m_parsed->droppedTexts, [name](const std::string& text) {
               return name.find(text) != name.npos;
           });
}

bool Recipe::knows(std::string_view name) const {
    return std::ranges::any_of(rules(), [name](const Rule& rule) {
        return std::ranges::any_of(rule.sources, [name](const Source& source) {
            return source.name.match(name).has_value();
        });
    });
}

} // namespace cairn
