// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/python_literal.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cairn::formats {
namespace {

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxParts = 100'000;

bool isWordPart(char c) {
    return isDigit(c) || isLetter(c) || c == '_';
}

/// Recursive descent; the depth is limited by kMaxDepth.
class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<PythonLiteral> parseComplete() {
        CAIRN_TRY(PythonLiteral value, parseValue(0));
        skipSpace();
        if (m_at < m_text.size()) {
            return wrong("trailing text after the literal");
        }
        return value;
    }

private:
    Error wrong(Sentence found) const {
        return fail(ErrorCode::NpyBadHeader, "The header is not a Python literal")
            .at(m_at)
            .butFound(std::move(found));
    }

    void skipSpace() {
        while (m_at < m_text.size() &&
               std::string_view(" \t\r\n\f").find(m_text[m_at]) != std::string_view::npos) {
            ++m_at;
        }
    }
    bool take(char wanted) {
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == wanted) {
            ++m_at;
            return true;
        }
        return false;
    }

    Result<PythonLiteral> parseValue(int depth) {
        skipSpace();
        if (m_at == m_text.size()) {
            return wrong("its end");
        }
        if (depth > kMaxDepth || ++m_parts > kMaxParts) {
            return wrong("too many values, or values nested too deeply");
        }
        const std::size_t begin = m_at;
        CAIRN_TRY(PythonLiteral value, parseKind(depth));
        value.begin = begin;
        value.end = m_at;
        return value;
    }

    Result<PythonLiteral> parseKind(int depth) {
        const char first = m_text[m_at];
        if (first == '{') {
            return parseDict(depth);
        }
        if (first == '(' || first == '[') {
            return parseSequence(depth);
        }
        if (first == '-' || isDigit(first)) {
            return parseInteger();
        }
        return first == '\'' || first == '"' ? parseText() : parseWord();
    }

    Result<PythonLiteral> parseDict(int depth) {
        PythonLiteral dict;
        dict.kind = LiteralKind::Dict;
        ++m_at;
        while (!take('}')) {
            if (!dict.items.empty() && !take(',')) {
                return wrong("a dict without a comma or an end");
            }
            if (take('}')) {
                return dict;
            }
            CAIRN_TRY(PythonLiteral key, parseValue(depth + 1));
            if (!take(':')) {
                return wrong("a key without a value");
            }
            CAIRN_TRY(PythonLiteral value, parseValue(depth + 1));
            dict.items.push_back(std::move(key));
            dict.items.push_back(std::move(value));
        }
        return dict;
    }

    /// "(4)" is a number, "(4,)" a tuple of one item.
    Result<PythonLiteral> parseSequence(int depth) {
        PythonLiteral list;
        const bool tuple = m_text[m_at] == '(';
        const char closes = tuple ? ')' : ']';
        list.kind = tuple ? LiteralKind::Tuple : LiteralKind::List;
        ++m_at;
        bool comma = false;
        while (!take(closes)) {
            if (!list.items.empty() && !comma) {
                return wrong("values without a comma between them");
            }
            CAIRN_TRY(PythonLiteral value, parseValue(depth + 1));
            list.items.push_back(std::move(value));
            comma = take(',');
        }
        if (tuple && list.items.size() == 1 && !comma) {
            PythonLiteral inner = std::move(list.items.front());
            return inner;
        }
        return list;
    }

    Result<PythonLiteral> parseInteger() {
        PythonLiteral number;
        number.kind = LiteralKind::Integer;
        const std::size_t begin = m_at;
        m_at += m_text[m_at] == '-' ? 1 : 0;
        while (m_at < m_text.size() && isDigit(m_text[m_at])) {
            ++m_at;
        }
        const std::string_view digits = m_text.substr(begin, m_at - begin);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number.integer);
        number.fits = error == std::errc();
        if (digits == "-" || end != digits.data() + digits.size()) {
            return wrong("an invalid number");
        }
        if (m_at < m_text.size() && m_text[m_at] == 'L') {
            ++m_at; // suffix L of Python 2
        }
        if (m_at < m_text.size() && (isWordPart(m_text[m_at]) || m_text[m_at] == '.')) {
            return wrong("a number that is not a decimal integer");
        }
        return number;
    }

    Result<PythonLiteral> parseWord() {
        std::size_t end = m_at;
        while (end < m_text.size() && isWordPart(m_text[end])) {
            ++end;
        }
        const std::string_view word = m_text.substr(m_at, end - m_at);
        const bool quote = end < m_text.size() && (m_text[end] == '\'' || m_text[end] == '"');
        if (quote && (word == "u" || word == "b" || word == "U" || word == "B")) {
            m_at = end;
            return parseText();
        }
        PythonLiteral value;
        if (word == "True" || word == "False") {
            value.kind = LiteralKind::Bool;
            value.integer = word == "True" ? 1 : 0;
        } else if (word != "None") {
            return wrong(word.empty() ? "an unexpected character"
                                      : sentence("the word %1", word.substr(0, 40)));
        }
        m_at = end;
        return value;
    }

    Result<PythonLiteral> parseText() {
        PythonLiteral value;
        value.kind = LiteralKind::Text;
        const char quote = m_text[m_at++];
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (m_text[m_at] == '\n') {
                return wrong("a string that does not end on its line");
            }
            if (m_text[m_at] != '\\') {
                value.text += m_text[m_at++];
                continue;
            }
            ++m_at;
            CAIRN_CHECK(parseEscape(value.text));
        }
        if (m_at == m_text.size()) {
            return wrong("an unterminated string");
        }
        ++m_at;
        return value;
    }

    Result<void> parseEscape(std::string& out) {
        if (m_at == m_text.size()) {
            return wrong("an unterminated string");
        }
        const char kind = m_text[m_at++];
        constexpr std::string_view kKinds = "\\'\"nrtabfv0";
        constexpr std::string_view kUnescaped("\\'\"\n\r\t\a\b\f\v\0", 11);
        if (const std::size_t place = kKinds.find(kind); place != std::string_view::npos) {
            out += kUnescaped[place];
            return {};
        }
        const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        std::uint32_t code = 0;
        const std::string_view text = m_text.substr(m_at, digits);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
        const bool whole = digits > 0 && text.size() == digits && error == std::errc() &&
                           end == text.data() + text.size();
        if (!whole || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
            return wrong("an unknown escape sequence");
        }
        appendUtf8(out, code);
        m_at += digits;
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_parts = 0;
};

} // namespace

void appendUtf8(std::string& out, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0U | code >> 6U);
        put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        put(0xE0U | code >> 12U);
        put(0x80U | (code >> 6U & 0x3FU));
        put(0x80U | (code & 0x3FU));
    } else {
        put(0xF0U | code >> 18U);
        put(0x80U | (code >> 12U & 0x3FU));
        put(0x80U | (code >> 6U & 0x3FU));
        put(0x80U | (code & 0x3FU));
    }
}

const PythonLiteral* PythonLiteral::find(std::string_view key) const {
    const PythonLiteral* found = nullptr;
    for (std::size_t i = 0; kind == LiteralKind::Dict && i + 1 < items.size(); i += 2) {
        if (items[i].kind == LiteralKind::Text && items[i].text == key) {
            found = &items[i + 1];
        }
    }
    return found;
}

Result<PythonLiteral> parsePythonLiteral(std::string_view text) {
    return Parser(text).parseComplete();
}

} // namespace cairn::formats
