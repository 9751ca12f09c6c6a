// SPDX-License-Identifier: Apache-2.0
#include "core/base/number.h"
#include "core/base/number_text.h"
#include "core/base/quantity.h"
#include "core/base/row_filter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kMaxTerms = 1000; ///< bounds the depth of an evaluation, too
constexpr std::size_t kMaxDepth = 100;  ///< of parentheses and negations

std::optional<Glob> globOf(const std::string& text) {
    Result<Glob> glob = Glob::parse(text);
    if (!glob || glob->literal()) { // an unclosed brace is searched for as it is
        return std::nullopt;
    }
    return std::move(*glob);
}

/// One of the parts that the text consists of.
struct Token {
    enum class Kind : unsigned char { Word, Operator, Open, Close, End };
    Kind kind = Kind::End;
    std::string text;
    bool quoted = false;
    std::size_t at = 0;
};

bool isOperatorChar(char c) {
    return c == '<' || c == '>' || c == '=' || c == '!' || c == '~';
}

class Tokens {
public:
    explicit Tokens(std::string_view text) : m_text(text) {}

    Result<Token> next() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) {
            ++m_at;
        }
        Token token;
        token.at = m_at;
        if (m_at == m_text.size()) {
            return token;
        }
        const char c = m_text[m_at];
        if (c == '(' || c == ')') {
            token.kind = c == '(' ? Token::Kind::Open : Token::Kind::Close;
            token.text = c;
            ++m_at;
            return token;
        }
        if (c == '"' || c == '\'') {
            return quoted(std::move(token), c);
        }
        if (isOperatorChar(c)) {
            token.kind = Token::Kind::Operator;
            while (m_at < m_text.size() && isOperatorChar(m_text[m_at])) {
                token.text += m_text[m_at++];
            }
            return token;
        }
        return word(std::move(token));
    }

private:
    Result<Token> quoted(Token token, char quote) {
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos) {
            return fail(ErrorCode::InvalidArgument, "The filter has an unclosed quotation mark")
                .butFound(sentence("at position %1", m_at + 1));
        }
        token.kind = Token::Kind::Word;
        token.quoted = true;
        token.text = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return token;
    }

    /// Up to a space, a parenthesis or an operator; a list in square brackets is one word.
    Result<Token> word(Token token) {
        token.kind = Token::Kind::Word;
        int brackets = 0;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const bool ends = c == ' ' || c == '\t' || c == '(' || c == ')' || isOperatorChar(c);
            if (ends && brackets == 0) {
                break;
            }
            brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
            token.text += c;
            ++m_at;
        }
        return token;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

Error unexpected(const Token& token, Sentence expected) {
    const std::string found = token.kind == Token::Kind::End ? "the end" : "\"" + token.text + "\"";
    return fail(ErrorCode::InvalidArgument, "Invalid filter")
        .butFound(sentence("%1 at position %2", found, token.at + 1))
        .expecting(std::move(expected));
}

} // namespace

/// Recursive descent: or > and > not > term.
class RowFilterParser {
public:
    using Node = RowFilter::Node;
    using Kind = RowFilter::Kind;
    using Op = RowFilter::Op;

    RowFilterParser(std::string_view text, const RowFilter::FindColumn& find)
        : m_tokens(text), m_find(find) {}

    Result<RowFilter> parse() {
        CAIRN_CHECK(advance());
        if (m_token.kind != Token::Kind::End) {
            CAIRN_CHECK(either());
            if (m_token.kind != Token::Kind::End) {
                return unexpected(m_token, "a word or a condition");
            }
        }
        return std::move(m_filter);
    }

private:
    static std::string lowered(std::string_view text) { return RowFilter::lowered(text); }
    static bool isWord(const Token& token, std::string_view keyword, std::string_view symbol) {
        return token.kind == Token::Kind::Word && !token.quoted &&
               (lowered(token.text) == keyword || token.text == symbol);
    }

    Result<void> advance() {
        CAIRN_TRY(m_token, m_tokens.next());
        return {};
    }

    std::size_t add(Node node) {
        m_filter.m_nodes.push_back(std::move(node));
        return m_filter.m_nodes.size() - 1;
    }

    std::size_t join(Kind kind, std::size_t left, std::size_t right = 0) {
        Node node;
        node.kind = kind;
        node.left = left;
        node.right = right;
        return add(std::move(node));
    }

    Result<std::size_t> either() {
        CAIRN_TRY(std::size_t left, all());
        while (isWord(m_token, "or", "||")) {
            CAIRN_CHECK(advance());
            CAIRN_TRY(const std::size_t right, all());
            left = join(Kind::Or, left, right);
        }
        return left;
    }

    Result<std::size_t> all() {
        CAIRN_TRY(std::size_t left, term());
        while (m_token.kind != Token::Kind::End && m_token.kind != Token::Kind::Close &&
               !isWord(m_token, "or", "||")) {
            if (isWord(m_token, "and", "&&")) {
                CAIRN_CHECK(advance());
            }
            CAIRN_TRY(const std::size_t right, term());
            left = join(Kind::And, left, right);
        }
        return left;
    }

    Result<std::size_t> nested() {
        if (++m_depth > kMaxDepth) {
            return fail(ErrorCode::LimitExceeded, "The filter is nested too deeply")
                .expecting(sentence("at most %1 levels", kMaxDepth));
        }
        const bool negates = isWord(m_token, "not", {});
        CAIRN_CHECK(advance());
        CAIRN_TRY(const std::size_t inner, negates ? term() : either());
        --m_depth;
        if (negates) {
            return join(Kind::Not, inner);
        }
        if (m_token.kind != Token::Kind::Close) {
            return unexpected(m_token, "\")\"");
        }
        CAIRN_CHECK(advance());
        return inner;
    }

    Result<std::size_t> term() {
        if (++m_terms > kMaxTerms) {
            return fail(ErrorCode::LimitExceeded, "The filter has too many conditions");
        }
        if (isWord(m_token, "not", {}) || m_token.kind == Token::Kind::Open) {
            return nested();
        }
        if (m_token.kind != Token::Kind::Word) {
            return unexpected(m_token, "a word or a condition");
        }
        const Token name = m_token;
        CAIRN_CHECK(advance());
        if (m_token.kind == Token::Kind::Operator) {
            return condition(name);
        }
        if (const auto list = listAfterIn()) {
            return isOneOf(name, *list);
        }
        return word(name);
    }

    struct List {
        Token values; ///< "[adamw, sgd]"
        bool negated = false;
    };

    /// The list of "in [...]" or "not in [...]", which is skipped; "in" alone is a word like
    /// others.
    std::optional<List> listAfterIn() {
        Tokens ahead = m_tokens;
        Token token = m_token;
        List list;
        list.negated = isWord(token, "not", {});
        const auto step = [&] {
            Result<Token> next = ahead.next();
            token = next ? std::move(*next) : Token();
        };
        if (list.negated) {
            step();
        }
        if (!isWord(token, "in", {})) {
            return std::nullopt;
        }
        step();
        list.values = token;
        if (token.kind != Token::Kind::Word || token.quoted || !token.text.starts_with('[') ||
            !token.text.ends_with(']')) {
            return std::nullopt;
        }
        step();
        m_tokens = ahead;
        m_token = token;
        return list;
    }

    Result<std::size_t> isOneOf(const Token& name, const List& list) {
        CAIRN_TRY(const FilterColumn column, m_find(name.text));
        std::string_view rest(list.values.text);
        rest = rest.substr(1, rest.size() - 2);
        std::optional<std::size_t> left;
        while (true) {
            const std::size_t end = endOfValue(rest);
            const std::string_view value = unquoted(rest.substr(0, end));
            if (value.empty()) {
                return unexpected(list.values, "a list of values, [a, b]");
            }
            if (++m_terms > kMaxTerms) {
                return fail(ErrorCode::LimitExceeded, "The filter has too many conditions");
            }
            const std::size_t one = add(conditionOn(column, Op::Equal, value));
            left = left ? join(Kind::Or, *left, one) : one;
            if (end == rest.size()) {
                break;
            }
            rest.remove_prefix(end + 1);
        }
        return list.negated ? join(Kind::Not, *left) : *left;
    }

    /// Up to a comma outside of quotes and brackets.
    static std::size_t endOfValue(std::string_view text) {
        int brackets = 0;
        char quote = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (quote != 0) {
                quote = c == quote ? '\0' : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == ',' && brackets == 0) {
                return i;
            } else {
                brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
            }
        }
        return text.size();
    }

    static std::string_view unquoted(std::string_view text) {
        text = trimmedText(text);
        const bool isQuoted = text.size() >= 2 && text.front() == text.back() &&
                              (text.front() == '"' || text.front() == '\'');
        return isQuoted ? text.substr(1, text.size() - 2) : text;
    }

    Result<std::size_t> condition(const Token& name) {
        static constexpr auto kOperators = std::to_array<std::pair<std::string_view, Op>>({
            {"=", Op::Equal},
            {"==", Op::Equal},
            {"!=", Op::Unequal},
            {"<", Op::Less},
            {"<=", Op::LessEqual},
            {">", Op::Greater},
            {">=", Op::GreaterEqual},
            {"~", Op::Like},
            {"!~", Op::Unlike},
        });
        const auto op = std::ranges::find(kOperators, std::string_view(m_token.text),
                                          &std::pair<std::string_view, Op>::first);
        if (op == kOperators.end()) {
            return unexpected(m_token, "one of = != < <= > >= ~ !~");
        }
        CAIRN_TRY(const FilterColumn column, m_find(name.text));
        CAIRN_CHECK(advance());
        if (m_token.kind != Token::Kind::Word) {
            return unexpected(m_token, "a value");
        }
        Token value = m_token;
        CAIRN_CHECK(advance());
        // "1.5 GiB": the unit may be a word of its own
        if (!value.quoted && m_token.kind == Token::Kind::Word && !m_token.quoted &&
            isUnit(m_token.text) && parseQuantity(value.text)) {
            value.text += m_token.text;
            CAIRN_CHECK(advance());
        }
        Node node = conditionOn(column, op->second, value.text);
        const bool ordered = op->second != Op::Equal && op->second != Op::Unequal &&
                             op->second != Op::Like && op->second != Op::Unlike;
        if (ordered && !node.number) {
            return unexpected(value, "a number");
        }
        return add(std::move(node));
    }

    static bool isUnit(std::string_view text) {
        const bool isLetters = std::ranges::all_of(
            text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
        return isLetters && parseQuantity("1" + std::string(text)).has_value();
    }

    static Node conditionOn(const FilterColumn& column, Op op, std::string_view value) {
        Node node;
        node.kind = Kind::Condition;
        node.op = op;
        node.column = column.id;
        node.number = parseQuantity(value);
        node.rest = restOfText(value);
        node.text = column.canonical != nullptr ? column.canonical(lowered(value)) : lowered(value);
        if (op == Op::Like || op == Op::Unlike) {
            node.glob = globOf(node.text);
        }
        return node;
    }

    Result<std::size_t> word(const Token& token) {
        const std::size_t colon = token.quoted ? std::string::npos : token.text.find(':');
        if (colon != std::string::npos && colon > 0) {
            if (const Result<FilterColumn> column = m_find(token.text.substr(0, colon))) {
                return anyOf(*column, std::string_view(token.text).substr(colon + 1));
            } // a name may contain a colon
        }
        Node node;
        node.text = lowered(token.text);
        const bool negated = !token.quoted && node.text.size() > 1 && node.text.front() == '-';
        node.text.erase(0, negated ? 1 : 0);
        if (!token.quoted) {
            node.glob = globOf(node.text);
        }
        const std::size_t found = add(std::move(node));
        return negated ? join(Kind::Not, found) : found;
    }

    std::size_t anyOf(const FilterColumn& column, std::string_view values) {
        std::optional<std::size_t> left;
        while (true) {
            const std::size_t comma = values.find(',');
            const std::size_t one = add(conditionOn(column, Op::Like, values.substr(0, comma)));
            left = left ? join(Kind::Or, *left, one) : one;
            if (comma == std::string_view::npos) {
                return *left;
            }
            values.remove_prefix(comma + 1);
        }
    }

    Tokens m_tokens;
    const RowFilter::FindColumn& m_find;
    Token m_token;
    RowFilter m_filter;
    std::size_t m_terms = 0;
    std::size_t m_depth = 0;
};

Result<RowFilter> RowFilter::parse(std::string_view text, const FindColumn& find) {
    return RowFilterParser(text, find).parse();
}

} // namespace cairn
