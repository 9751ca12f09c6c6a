// SPDX-License-Identifier: Apache-2.0
#include "core/base/glob.h"

#include <cstddef>
#include <utility>

namespace cairn {
namespace {

// Bytes that never occur in UTF-8, so that escaped wildcards need no second array.
constexpr char kAny = '\xFE';
constexpr char kOne = '\xFF';

/// Position of the brace that closes the one at `open`, or npos.
std::size_t closingBrace(std::string_view pattern, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] == '{') {
            ++depth;
        } else if (pattern[i] == '}' && --depth == 0) {
            return i;
        }
    }
    return std::string_view::npos;
}

std::size_t firstUnescaped(std::string_view pattern, char wanted) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] == wanted) {
            return i;
        }
    }
    return std::string_view::npos;
}

/// "a,{b,c}" -> "a", "{b,c}".
std::vector<std::string_view> splitAlternatives(std::string_view body) {
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (body[i] == '\\') {
            ++i;
        } else if (body[i] == '{') {
            ++depth;
        } else if (body[i] == '}') {
            --depth;
        } else if (body[i] == ',' && depth == 0) {
            parts.push_back(body.substr(start, i - start));
            start = i + 1;
        }
    }
    parts.push_back(body.substr(start));
    return parts;
}

Error badPattern(std::string_view pattern, Sentence message) {
    return fail(ErrorCode::InvalidArgument, std::move(message))
        .butFound(verbatim(std::string(pattern)));
}

/// Expands braces; escapes are kept.
Result<std::vector<std::string>> expand(std::string_view pattern) {
    std::vector<std::string> done;
    std::vector<std::string> open{std::string(pattern)};
    while (!open.empty()) {
        const std::string current = std::move(open.back());
        open.pop_back();
        const std::size_t begin = firstUnescaped(current, '{');
        if (begin == std::string::npos) {
            if (firstUnescaped(current, '}') != std::string::npos) {
                return badPattern(pattern, "Closing brace without an opening brace");
            }
            done.push_back(current);
            continue;
        }
        const std::size_t end = closingBrace(current, begin);
        if (end == std::string::npos) {
            return badPattern(pattern, "Opening brace without a closing brace");
        }
        const std::string_view view = current;
        for (const auto& part : splitAlternatives(view.substr(begin + 1, end - begin - 1))) {
            open.push_back(
                std::string(view.substr(0, begin)).append(part).append(view.substr(end + 1)));
        }
        if (open.size() + done.size() > Glob::kMaxAlternatives) {
            return badPattern(pattern, "The pattern has too many alternatives");
        }
    }
    return done;
}

/// Length of the UTF-8 character at `at`; 1 if invalid.
std::size_t characterLength(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        ++end;
    }
    return end - at;
}

/// Greedy with one backtracking point, so that no pattern costs more than name × pattern.
bool matchOne(std::string_view name, std::string_view pattern) {
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t starPattern = std::string_view::npos;
    std::size_t starName = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == kAny) {
            starPattern = p++;
            starName = n;
        } else if (p < pattern.size() && pattern[p] == kOne) {
            n += characterLength(name, n);
            ++p;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++n;
            ++p;
        } else if (starPattern != std::string_view::npos) {
            p = starPattern + 1;
            n = ++starName;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == kAny) {
        ++p;
    }
    return p == pattern.size();
}

} // namespace

Result<Glob> Glob::parse(std::string_view pattern) {
    CAIRN_TRY(const auto expanded, expand(pattern));
    Glob glob;
    glob.m_literal = expanded.size() == 1;
    for (const std::string& text : expanded) {
        std::string compiled;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\\' && i + 1 < text.size()) {
                compiled += text[++i];
            } else if (text[i] == '*' || text[i] == '?') {
                compiled += text[i] == '*' ? kAny : kOne;
                glob.m_literal = false;
            } else {
                compiled += text[i];
            }
        }
        glob.m_patterns.push_back(std::move(compiled));
    }
    return glob;
}

std::string Glob::quoted(std::string_view name) {
    std::string pattern;
    for (const char c : name) {
        if (std::string_view("*?{}\\").find(c) != std::string_view::npos) {
            pattern += '\\';
        }
        pattern += c;
    }
    return pattern;
}

bool Glob::matches(std::string_view name) const {
    for (const std::string& pattern : m_patterns) {
        if (matchOne(name, pattern)) {
            return true;
        }
    }
    return false;
}

} // namespace cairn
