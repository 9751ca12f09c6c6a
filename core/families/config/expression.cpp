// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

namespace cairn {

struct Expression::Node {
    enum class Kind : std::uint8_t {
        Number,
        Field,
        Has,
        Is,
        Min,
        Max,
        Or,
        And,
        Not,
        Equal,
        Unequal,
        Less,
        AtMost,
        More,
        AtLeast,
        Add,
        Subtract,
        Multiply,
        Divide,
        Remainder,
        Minus
    };
    Kind kind = Kind::Number;
    std::int64_t number = 0;
    std::string field;
    std::string word;
    std::vector<std::shared_ptr<const Node>> parts;
};

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using NodePtr = std::shared_ptr<const Node>;

struct Operator {
    std::string_view text;
    Kind kind;
};
/// By precedence, the weakest first; a word ends where its letters end.
constexpr std::array<std::array<Operator, 6>, 5> kLevels = {{
    {{{"or", Kind::Or}}},
    {{{"and", Kind::And}}},
    {{{"==", Kind::Equal},
      {"!=", Kind::Unequal},
      {"<=", Kind::AtMost},
      {">=", Kind::AtLeast},
      {"<", Kind::Less},
      {">", Kind::More}}},
    {{{"+", Kind::Add}, {"-", Kind::Subtract}}},
    {{{"*", Kind::Multiply}, {"/", Kind::Divide}, {"%", Kind::Remainder}}},
}};
constexpr int kMaxDepth = 64;

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '{' ||
           c == '}' || c == '#';
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<NodePtr> all() {
        CAIRN_TRY(NodePtr root, level(0, 0));
        skipSpace();
        if (m_at != m_text.size()) {
            return wrong();
        }
        return root;
    }

private:
    Error wrong() const {
        return fail(ErrorCode::InvalidArgument, "The expression is invalid")
            .butFound(verbatim(std::string(m_text)))
            .at(m_at);
    }

    void skipSpace() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') {
            ++m_at;
        }
    }

    bool take(std::string_view token) {
        skipSpace();
        if (!m_text.substr(m_at).starts_with(token)) {
            return false;
        }
        const std::size_t end = m_at + token.size();
        if (isNameCharacter(token.back()) && end < m_text.size() && isNameCharacter(m_text[end])) {
            return false;
        }
        m_at = end;
        return true;
    }

    Result<NodePtr> level(std::size_t precedence, int depth) {
        if (precedence == kLevels.size()) {
            return unary(depth);
        }
        if (precedence == 2 && depth <= kMaxDepth && take("not")) {
            CAIRN_TRY(NodePtr part, level(precedence, depth + 1));
            return std::make_shared<const Node>(Node{Kind::Not, 0, {}, {}, {std::move(part)}});
        }
        CAIRN_TRY(NodePtr left, level(precedence + 1, depth));
        for (;;) {
            const auto& operators = kLevels[precedence];
            const auto found = std::ranges::find_if(operators, [this](const Operator& each) {
                return !each.text.empty() && take(each.text);
            });
            if (found == operators.end()) {
                return left;
            }
            CAIRN_TRY(NodePtr right, level(precedence + 1, depth));
            left = std::make_shared<const Node>(
                Node{found->kind, 0, {}, {}, {std::move(left), std::move(right)}});
        }
    }

    Result<NodePtr> unary(int depth) {
        if (depth > kMaxDepth) {
            return fail(ErrorCode::InvalidArgument, "The expression is nested too deeply");
        }
        if (take("-")) {
            CAIRN_TRY(NodePtr part, unary(depth + 1));
            return std::make_shared<const Node>(Node{Kind::Minus, 0, {}, {}, {std::move(part)}});
        }
        if (take("(")) {
            CAIRN_TRY(NodePtr inner, level(0, depth + 1));
            return take(")") ? Result<NodePtr>(std::move(inner)) : wrong();
        }
        const std::string_view word = name();
        if (word.empty()) {
            return wrong();
        }
        Node node;
        if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
            const auto [end, error] =
                std::from_chars(word.data(), word.data() + word.size(), node.number);
            if (error != std::errc() || end != word.data() + word.size()) {
                return wrong();
            }
            return std::make_shared<const Node>(std::move(node));
        }
        if (take("(")) {
            return call(word, depth);
        }
        node.kind = Kind::Field;
        node.field = word;
        return std::make_shared<const Node>(std::move(node));
    }

    Result<NodePtr> call(std::string_view function, int depth) {
        Node node;
        if (function == "has" || function == "is") {
            node.kind = function == "has" ? Kind::Has : Kind::Is;
            node.field = name();
            if (node.kind == Kind::Is) {
                if (!take(",")) {
                    return wrong();
                }
                node.word = word();
            }
        } else if (function == "min" || function == "max") {
            node.kind = function == "min" ? Kind::Min : Kind::Max;
            CAIRN_TRY(NodePtr left, level(0, depth + 1));
            if (!take(",")) {
                return wrong();
            }
            CAIRN_TRY(NodePtr right, level(0, depth + 1));
            node.parts = {std::move(left), std::move(right)};
        } else {
            return wrong();
        }
        return take(")") ? Result<NodePtr>(std::make_shared<const Node>(std::move(node))) : wrong();
    }

    /// A text to compare with, which may have hyphens.
    std::string_view word() {
        skipSpace();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (isNameCharacter(m_text[m_at]) || m_text[m_at] == '-')) {
            ++m_at;
        }
        return m_text.substr(begin, m_at - begin);
    }

    std::string_view name() {
        skipSpace();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isNameCharacter(m_text[m_at])) {
            ++m_at;
        }
        return m_text.substr(begin, m_at - begin);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// "layer_types.{i}" with the number of the field i in place of {i}.
Result<std::string> resolved(const std::string& field, const ModelConfig& config) {
    std::string made = field;
    for (std::size_t open = made.find('{'); open != std::string::npos; open = made.find('{')) {
        const std::size_t close = std::min(made.find('}', open), made.size() - 1);
        const std::string inner = made.substr(open + 1, close - open - 1);
        const auto number = config.integer(inner);
        if (!number) {
            return fail(ErrorCode::NotFound, "The config lacks a field").butFound(verbatim(inner));
        }
        made.replace(open, close - open + 1, std::to_string(*number));
    }
    return made;
}

Result<std::int64_t> overflow() {
    return fail(ErrorCode::LimitExceeded, "A number computed from the config is too large");
}

Result<std::int64_t> arithmetic(Kind kind, std::int64_t left, std::int64_t right) {
    std::int64_t made = 0;
    switch (kind) {
    case Kind::Add:
        return __builtin_add_overflow(left, right, &made) ? overflow() : made;
    case Kind::Subtract:
        return __builtin_sub_overflow(left, right, &made) ? overflow() : made;
    case Kind::Multiply:
        return __builtin_mul_overflow(left, right, &made) ? overflow() : made;
    case Kind::Divide:
    case Kind::Remainder:
        if (right <= 0 || (kind == Kind::Divide && left % right != 0)) {
            return fail(ErrorCode::InvalidArgument,
                        "A number of the config does not divide another")
                .butFound(sentence("%1 / %2", left, right));
        }
        return kind == Kind::Divide ? left / right : left % right;
    case Kind::Equal:
        return left == right ? 1 : 0;
    case Kind::Unequal:
        return left != right ? 1 : 0;
    case Kind::Less:
        return left < right ? 1 : 0;
    case Kind::AtMost:
        return left <= right ? 1 : 0;
    case Kind::More:
        return left > right ? 1 : 0;
    case Kind::AtLeast:
        return left >= right ? 1 : 0;
    case Kind::Min:
        return std::min(left, right);
    case Kind::Max:
        return std::max(left, right);
    default:
        return fail(ErrorCode::Internal, "The operator is unknown");
    }
}

Result<std::int64_t> valueOf(const Node& node, const ModelConfig& config) {
    switch (node.kind) {
    case Kind::Number:
        return node.number;
    case Kind::Field: {
        CAIRN_TRY(const std::string field, resolved(node.field, config));
        const auto value = config.integer(field);
        return value ? Result<std::int64_t>(*value)
                     : fail(ErrorCode::NotFound, "The config lacks a field")
                           .butFound(verbatim(field));
    }
    case Kind::Has: {
        CAIRN_TRY(const std::string field, resolved(node.field, config));
        return config.has(field) ? 1 : 0;
    }
    case Kind::Is: {
        CAIRN_TRY(const std::string field, resolved(node.field, config));
        return config.text(field) == node.word ? 1 : 0;
    }
    case Kind::Not: {
        CAIRN_TRY(const std::int64_t value, valueOf(*node.parts[0], config));
        return value == 0 ? 1 : 0;
    }
    case Kind::Minus: {
        CAIRN_TRY(const std::int64_t value, valueOf(*node.parts[0], config));
        return arithmetic(Kind::Subtract, 0, value);
    }
    default:
        break;
    }
    CAIRN_TRY(const std::int64_t left, valueOf(*node.parts[0], config));
    if (node.kind == Kind::Or || node.kind == Kind::And) {
        if ((left != 0) == (node.kind == Kind::Or)) {
            return left != 0 ? 1 : 0;
        }
        CAIRN_TRY(const std::int64_t right, valueOf(*node.parts[1], config));
        return right != 0 ? 1 : 0;
    }
    CAIRN_TRY(const std::int64_t right, valueOf(*node.parts[1], config));
    return arithmetic(node.kind, left, right);
}

} // namespace

Result<Expression> Expression::parse(std::string_view text) {
    Expression made;
    CAIRN_TRY(made.m_root, Parser(text).all());
    return made;
}

Result<std::int64_t> Expression::evaluate(const ModelConfig& config) const {
    return m_root == nullptr ? Result<std::int64_t>(1) : valueOf(*m_root, config);
}

} // namespace cairn
