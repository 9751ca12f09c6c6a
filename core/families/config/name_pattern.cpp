// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/name_pattern.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace cairn {
namespace {

/// Takes a decimal number off the start.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
    std::size_t digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) {
        ++digits;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
    if (digits == 0 || error != std::errc() || (digits > 1 && text.front() == '0')) {
        return std::nullopt;
    }
    text.remove_prefix(digits);
    return number;
}

/// Takes "-2" off the end of a letter; 0 if there is none.
std::int64_t takeShift(std::string_view& letter) {
    const std::size_t sign = letter.find_first_of("+-");
    std::int64_t shift = 0;
    if (sign != letter.npos) {
        const std::string_view number = letter.substr(sign + (letter[sign] == '+' ? 1 : 0));
        std::from_chars(number.data(), number.data() + number.size(), shift);
        letter = letter.substr(0, sign);
    }
    return shift;
}

const std::int64_t* numberOf(const NameNumbers& numbers, std::string_view letter) {
    const auto found = std::ranges::find(numbers, letter, &NameNumbers::value_type::first);
    return found == numbers.end() ? nullptr : &found->second;
}

} // namespace

NamePattern::NamePattern(std::string_view text) : m_text(text) {
    constexpr std::string_view kRest = "{*}";
    if (text.ends_with(kRest)) {
        m_hasRest = true;
        text.remove_suffix(kRest.size());
    }
    while (true) {
        const std::size_t open = text.find('{');
        const std::size_t close = open == text.npos ? text.npos : text.find('}', open);
        if (close == text.npos) {
            m_literals.emplace_back(text);
            return;
        }
        m_literals.emplace_back(text.substr(0, open));
        std::string_view letter = text.substr(open + 1, close - open - 1);
        m_shifts.push_back(takeShift(letter));
        m_letters.emplace_back(letter);
        text.remove_prefix(close + 1);
    }
}

std::optional<NameNumbers> NamePattern::match(std::string_view name) const {
    NameNumbers numbers;
    for (std::size_t i = 0; i < m_literals.size(); ++i) {
        if (!name.starts_with(m_literals[i])) {
            return std::nullopt;
        }
        name.remove_prefix(m_literals[i].size());
        if (i == m_letters.size()) {
            break;
        }
        auto number = takeNumber(name);
        if (!number || *number < m_shifts[i]) {
            return std::nullopt;
        }
        *number -= m_shifts[i];
        const std::int64_t* known = numberOf(numbers, m_letters[i]);
        if (known != nullptr && *known != *number) {
            return std::nullopt;
        }
        if (known == nullptr) {
            numbers.emplace_back(m_letters[i], *number);
        }
    }
    const bool complete = !m_literals.empty() && name.empty() != m_hasRest;
    return complete ? std::optional(std::move(numbers)) : std::nullopt;
}

std::string_view NamePattern::rest(std::string_view name) const {
    if (!m_hasRest) {
        return {};
    }
    for (std::size_t i = 0; i < m_literals.size(); ++i) {
        name.remove_prefix(std::min(name.size(), m_literals[i].size()));
        if (i < m_letters.size()) {
            takeNumber(name);
        }
    }
    return name;
}

std::string NamePattern::name(const NameNumbers& numbers, std::string_view rest) const {
    std::string made = m_literals.empty() ? std::string() : m_literals.front();
    for (std::size_t i = 0; i < m_letters.size(); ++i) {
        const std::int64_t* number = numberOf(numbers, m_letters[i]);
        made +=
            number != nullptr ? std::to_string(*number + m_shifts[i]) : "{" + m_letters[i] + "}";
        made += m_literals[i + 1];
    }
    made += m_hasRest ? rest : std::string_view();
    return made;
}

std::vector<std::string> NamePattern::letters() const {
    std::vector<std::string> all;
    for (const std::string& letter : m_letters) {
        if (std::ranges::find(all, letter) == all.end()) {
            all.push_back(letter);
        }
    }
    return all;
}

} // namespace cairn
