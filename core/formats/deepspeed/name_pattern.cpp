// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/name_pattern.h"

#include "core/base/ascii.h"

#include <utility>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::size_t kMaxPattern = 1000;
constexpr std::string_view kSpecial = "[](){}|*+?";

} // namespace

bool NamePattern::Atom::takes(char c) const {
    switch (kind) {
    case Kind::Character:
        return c == character;
    case Kind::Any:
        return c != '\n';
    case Kind::Digit:
        return isDigit(c);
    case Kind::Word:
        return isDigit(c) || isLetter(c) || c == '_';
    }
    return false;
}

std::optional<NamePattern> NamePattern::parse(std::string_view text) {
    if (text.size() > kMaxPattern) {
        return std::nullopt;
    }
    NamePattern pattern;
    for (std::size_t i = text.starts_with('^') ? 1 : 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '$' && i + 1 == text.size()) {
            pattern.m_toEnd = true;
            break;
        }
        Atom atom;
        if (c == '\\') {
            if (++i == text.size()) {
                return std::nullopt;
            }
            c = text[i];
            atom.kind = c == 'd' ? Kind::Digit : c == 'w' ? Kind::Word : Kind::Character;
            if (atom.kind == Kind::Character && (isLetter(c) || isDigit(c))) {
                return std::nullopt; // \b, \s, \1 …
            }
        } else if (c == '.') {
            atom.kind = Kind::Any;
        } else if (c == '^' || c == '$' || kSpecial.find(c) != std::string_view::npos) {
            return std::nullopt;
        }
        atom.character = c;
        if (i + 1 < text.size() &&
            (text[i + 1] == '*' || text[i + 1] == '+' || text[i + 1] == '?')) {
            ++i;
            atom.optional = text[i] != '+';
            atom.repeated = text[i] != '?';
            if (i + 1 < text.size() && (text[i + 1] == '?' || text[i + 1] == '+')) {
                ++i; // skip '?': lazy or greedy makes no difference for a match
                if (text[i] == '+') {
                    return std::nullopt;
                }
            }
        }
        pattern.m_atoms.push_back(atom);
    }
    return pattern;
}

std::optional<std::string> NamePattern::onlyName() const {
    std::string name;
    for (const Atom& atom : m_atoms) {
        if (atom.kind != Kind::Character || atom.optional || atom.repeated) {
            return std::nullopt;
        }
        name += atom.character;
    }
    return m_toEnd ? std::optional(std::move(name)) : std::nullopt;
}

bool NamePattern::matches(std::string_view name) const {
    const std::size_t end = m_atoms.size();
    std::vector<bool> at(end + 1, false); // atoms that may match the next character
    const auto skipOptional = [&](std::vector<bool>& states) {
        for (std::size_t i = 0; i < end; ++i) {
            if (states[i] && m_atoms[i].optional) {
                states[i + 1] = true;
            }
        }
    };
    at[0] = true;
    skipOptional(at);
    for (const char c : name) {
        if (at[end] && !m_toEnd) {
            return true;
        }
        std::vector<bool> next(end + 1, false);
        for (std::size_t i = 0; i < end; ++i) {
            if (at[i] && m_atoms[i].takes(c)) {
                next[i + 1] = true;
                if (m_atoms[i].repeated) {
                    next[i] = true;
                }
            }
        }
        skipOptional(next);
        at = std::move(next);
    }
    return at[end];
}

} // namespace cairn::formats::deepspeed
