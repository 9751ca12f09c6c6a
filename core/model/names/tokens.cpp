// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/tokens.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace cairn::names {
namespace {

char lowerOf(char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

} // namespace

bool isSeparator(char c) {
    return c == '-' || c == '_' || c == '=' || c == '.' || c == ' ';
}

std::string lowered(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::ranges::transform(text, std::back_inserter(out), lowerOf);
    return out;
}

std::string wordBefore(std::string_view text, std::size_t at) {
    while (at > 0 && isSeparator(text[at - 1])) {
        --at;
    }
    std::size_t begin = at;
    while (begin > 0 && isLetter(text[begin - 1])) {
        --begin;
    }
    return lowered(text.substr(begin, at - begin));
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : text) {
        if (!isLetter(c)) {
            inside = false;
            continue;
        }
        if (!inside) {
            words.emplace_back();
        }
        words.back() += lowerOf(c);
        inside = true;
    }
    return words;
}

std::vector<DigitRun> digitRuns(std::string_view text) {
    std::vector<DigitRun> runs;
    for (std::size_t begin = 0; begin < text.size();) {
        if (!isDigit(text[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end < text.size() && isDigit(text[end])) {
            ++end;
        }
        runs.push_back({begin, end});
        begin = end;
    }
    return runs;
}

std::optional<std::int64_t> decimal(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    return whole ? std::optional(value) : std::nullopt;
}

std::string_view withoutNumber(std::string_view stem) {
    const std::size_t last = stem.find_last_not_of("0123456789");
    const bool numbered =
        last != std::string_view::npos && last > 0 && last + 1 < stem.size() && stem[last] == '_';
    return numbered ? stem.substr(0, last) : stem;
}

bool isSeparateWord(std::string_view name, std::string_view word, std::string_view unless) {
    for (std::size_t at = name.find(word); at != std::string_view::npos;
         at = name.find(word, at + 1)) {
        const std::string_view rest = name.substr(at + word.size());
        const bool starts = at == 0 || !isLetter(name[at - 1]);
        const bool ends = rest.empty() || !isLetter(rest.front());
        if (starts && ends && (unless.empty() || !rest.starts_with(unless))) {
            return true;
        }
    }
    return false;
}

} // namespace cairn::names
