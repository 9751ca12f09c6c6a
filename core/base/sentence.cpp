// SPDX-License-Identifier: Apache-2.0
#include "core/base/sentence.h"

#include <algorithm>

namespace cairn {
namespace {

void append(std::string& out, const Sentence& sentence);

void append(std::string& out, const SentenceArgument& argument) {
    if (argument.kind == SentenceArgument::Kind::Sentence) {
        append(out, argument.sentence);
    } else {
        out += argument.text;
    }
}

/// The position of the argument in the sentence; none for a percent sign that is one.
std::size_t holeAt(std::string_view pattern, std::size_t at, std::size_t count) {
    const char mark = at + 1 < pattern.size() ? pattern[at + 1] : ' ';
    const std::size_t hole = mark == 'n'                  ? 0
                             : mark >= '1' && mark <= '9' ? static_cast<std::size_t>(mark - '1')
                                                          : count;
    return hole < count ? hole : std::string_view::npos;
}

void append(std::string& out, const Sentence& sentence) {
    const std::string_view pattern = sentence.pattern();
    const auto arguments = sentence.arguments();
    std::size_t from = 0;
    for (std::size_t at = pattern.find('%'); !arguments.empty() && at < pattern.size();
         at = pattern.find('%', at + 1)) {
        if (const std::size_t hole = holeAt(pattern, at, arguments.size());
            hole != std::string_view::npos) {
            out += pattern.substr(from, at - from);
            append(out, arguments[hole]);
            from = at + 2;
        }
    }
    out += pattern.substr(from);
}

} // namespace

struct Sentence::Filled {
    std::vector<SentenceArgument> arguments;
    std::string pattern; ///< empty if it is a literal
};

Sentence::Sentence(const char* pattern, std::vector<SentenceArgument> arguments)
    : m_pattern(pattern), m_filled(std::make_shared<Filled>(Filled{std::move(arguments), {}})) {}

Sentence Sentence::ofPattern(std::string pattern, std::vector<SentenceArgument> arguments) {
    const auto filled = std::make_shared<Filled>(Filled{std::move(arguments), std::move(pattern)});
    Sentence result;
    result.m_pattern = filled->pattern.c_str();
    result.m_filled = filled;
    return result;
}

std::string Sentence::text() const {
    std::string result;
    append(result, *this);
    return result;
}

bool Sentence::empty() const {
    return m_filled == nullptr ? *m_pattern == '\0' : text().empty();
}

std::span<const SentenceArgument> Sentence::arguments() const {
    return m_filled == nullptr ? std::span<const SentenceArgument>() : m_filled->arguments;
}

bool operator==(const Sentence& left, const Sentence& right) {
    return (left.m_pattern == right.m_pattern && left.m_filled == right.m_filled) ||
           left.text() == right.text();
}

Sentence verbatim(std::string text) {
    return sentence("%1", std::move(text));
}

Sentence fixedText(std::string_view text) {
    return Sentence::ofPattern(std::string(text), {});
}

Sentence counting(std::uint64_t count, std::string_view one, std::string_view many) {
    std::string pattern = "%n ";
    pattern += count == 1 || many.empty() ? one : many;
    if (count != 1 && many.empty()) {
        pattern += 's';
    }
    return Sentence::ofPattern(std::move(pattern), {count});
}

Sentence sentenceList(const std::vector<Sentence>& sentences, std::string_view between) {
    Sentence result;
    bool first = true;
    for (const Sentence& each : sentences) {
        result = first ? each : sentence("%1%2%3", std::move(result), between, each);
        first = false;
    }
    return result;
}

} // namespace cairn
