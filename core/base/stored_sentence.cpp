// SPDX-License-Identifier: Apache-2.0
#include "core/base/stored_sentence.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kVersion = "1";
constexpr char kBetween = '\t';
constexpr char kTogether = '\x1f';
constexpr int kMostDepth = 100; ///< sentences within sentences: a list has one for each item
constexpr std::size_t kMostFilled = 10'000; ///< holes of a sentence and of those in it
constexpr std::size_t kMostArguments = 9;

void putToken(std::string& out, char kind, std::string_view text) {
    out += kBetween;
    out += kind;
    for (const char each : text) {
        switch (each) {
        case '\\':
            out += "\\\\";
            break;
        case kBetween:
            out += "\\t";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            out += each;
        }
    }
}

void putSentence(std::string& out, const Sentence& sentence) {
    putToken(out, 'S', sentence.pattern());
    for (const SentenceArgument& argument : sentence.arguments()) {
        switch (argument.kind) {
        case SentenceArgument::Kind::Text:
            putToken(out, 'T', argument.text);
            break;
        case SentenceArgument::Kind::Number:
            putToken(out, 'N', argument.text);
            break;
        case SentenceArgument::Kind::Amount:
            putToken(out, 'A', argument.text);
            break;
        case SentenceArgument::Kind::Sentence:
            putSentence(out, argument.sentence);
            break;
        }
    }
    putToken(out, '.', {});
}

struct FormToken {
    char kind = '\0';
    std::string text;
};

/// Refuses forms that sentences of this program do not have, and knows how large each sentence is
/// before it is put together: holes that repeat their arguments at every depth would need more
/// memory, or time if the arguments are empty, than there is.
class FormReader {
public:
    FormReader(std::string_view form, std::size_t longest) : m_rest(form), m_longest(longest) {}

    std::optional<Sentence> run() {
        const auto version = nextRaw();
        const auto first = version == kVersion ? next() : std::nullopt;
        if (!first || first->kind != 'S') {
            return std::nullopt;
        }
        auto read = sentence(first->text, 1);
        if (!read || !m_ended) {
            return std::nullopt;
        }
        return std::move(read->sentence);
    }

private:
    struct Size {
        std::size_t length = 0; ///< of the text
        std::size_t filled = 0; ///< holes
    };
    struct Read {
        Sentence sentence;
        Size size;
    };

    std::optional<std::string_view> nextRaw() {
        if (m_ended) {
            return std::nullopt;
        }
        const std::size_t end = m_rest.find(kBetween);
        const std::string_view token = m_rest.substr(0, end);
        m_ended = end == std::string_view::npos;
        m_rest = m_ended ? std::string_view() : m_rest.substr(end + 1);
        return token;
    }

    std::optional<FormToken> next() {
        const auto raw = nextRaw();
        if (!raw || raw->empty()) {
            return std::nullopt;
        }
        FormToken token{raw->front(), {}};
        for (std::size_t i = 1; i < raw->size(); ++i) {
            const char each = (*raw)[i];
            if (each != '\\') {
                token.text += each;
                continue;
            }
            const char escaped = ++i < raw->size() ? (*raw)[i] : '\0';
            if (escaped != '\\' && escaped != 't' && escaped != 'n' && escaped != 'r') {
                return std::nullopt;
            }
            token.text += escaped == 't'   ? '\t'
                          : escaped == 'n' ? '\n'
                          : escaped == 'r' ? '\r'
                                           : '\\';
        }
        return token;
    }

    std::optional<Read> sentence(const std::string& pattern, int depth) {
        std::vector<SentenceArgument> arguments;
        std::vector<Size> sizes;
        for (auto token = next(); token; token = next()) {
            if (token->kind == '.') {
                return token->text.empty() ? filled(pattern, std::move(arguments), sizes)
                                           : std::nullopt;
            }
            if (arguments.size() == kMostArguments || !argument(*token, depth, arguments, sizes)) {
                return std::nullopt;
            }
        }
        return std::nullopt;
    }

    bool argument(FormToken& token, int depth, std::vector<SentenceArgument>& arguments,
                  std::vector<Size>& sizes) {
        if (token.kind == 'S') {
            auto inner = depth < kMostDepth ? sentence(token.text, depth + 1) : std::nullopt;
            if (!inner) {
                return false;
            }
            sizes.push_back(inner->size);
            arguments.emplace_back(std::move(inner->sentence));
            return true;
        }
        const bool isNumber = !token.text.empty() && std::ranges::all_of(token.text, [](char each) {
            return (each >= '0' && each <= '9') || each == '-';
        });
        if ((token.kind != 'T' && token.kind != 'N' && token.kind != 'A') ||
            (token.kind == 'N' && !isNumber)) {
            return false;
        }
        sizes.push_back({token.text.size(), 0});
        SentenceArgument& made = arguments.emplace_back(std::move(token.text));
        made.kind = token.kind == 'N'   ? SentenceArgument::Kind::Number
                    : token.kind == 'A' ? SentenceArgument::Kind::Amount
                                        : SentenceArgument::Kind::Text;
        return true;
    }

    /// Nothing if a hole has no argument, an argument no hole, or if it is too large.
    std::optional<Read> filled(const std::string& pattern, std::vector<SentenceArgument> arguments,
                               const std::vector<Size>& sizes) const {
        Size size{pattern.size(), 0};
        unsigned used = 0;
        for (std::size_t at = arguments.empty() ? std::string::npos : pattern.find('%');
             at != std::string::npos && at + 1 < pattern.size(); at = pattern.find('%', at + 1)) {
            const char mark = pattern[at + 1];
            if (mark != 'n' && (mark < '1' || mark > '9')) {
                continue;
            }
            const std::size_t hole = mark == 'n' ? 0 : static_cast<std::size_t>(mark - '1');
            if (hole >= arguments.size()) {
                return std::nullopt;
            }
            used |= 1U << hole;
            size.length = size.length - 2 + sizes[hole].length; // in place of the hole
            size.filled += 1 + sizes[hole].filled;
            if (size.length > m_longest + pattern.size() || size.filled > kMostFilled) {
                return std::nullopt;
            }
        }
        if (used != (1U << arguments.size()) - 1U || size.length > m_longest) {
            return std::nullopt;
        }
        return Read{arguments.empty() ? fixedText(pattern)
                                      : Sentence::ofPattern(pattern, std::move(arguments)),
                    size};
    }

    std::string_view m_rest;
    std::size_t m_longest; ///< text of a sentence, in bytes
    bool m_ended = false;
};

} // namespace

std::string storedForm(const Sentence& sentence) {
    std::string out;
    if (!sentence.arguments().empty()) {
        out = kVersion;
        putSentence(out, sentence);
    }
    return out;
}

Sentence restoredSentence(std::string_view text, std::string_view form) {
    if (!form.empty()) {
        const auto read = FormReader(form, text.size()).run();
        if (read && read->text() == text) {
            return *read;
        }
    }
    return fixedText(text);
}

std::string storedTogether(const Sentence& sentence) {
    const std::string form = storedForm(sentence);
    std::string text = sentence.text();
    // A text with that sign could not be told from its form.
    return form.empty() || text.find(kTogether) != std::string::npos
               ? text
               : std::move(text) + kTogether + form;
}

Sentence restoredSentence(std::string_view together) {
    const std::size_t end = together.find(kTogether);
    return end == std::string_view::npos
               ? fixedText(together)
               : restoredSentence(together.substr(0, end), together.substr(end + 1));
}

} // namespace cairn
