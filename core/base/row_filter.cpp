// SPDX-License-Identifier: Apache-2.0
#include "core/base/row_filter.h"

#include "core/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cairn {
namespace {

bool isNamePartStart(std::string_view name, std::size_t at) {
    return at == 0 || name[at - 1] == '.' || name[at - 1] == '/';
}

} // namespace

std::string RowFilter::lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return result;
}

bool RowFilter::readsCells() const {
    return std::ranges::any_of(m_nodes,
                               [](const Node& node) { return node.kind == Kind::Condition; });
}

std::string_view RowFilter::requiredWord() const {
    std::string_view longest;
    std::vector<std::size_t> open;
    if (!m_nodes.empty()) {
        open.push_back(m_nodes.size() - 1);
    }
    while (!open.empty()) {
        const Node& node = m_nodes[open.back()];
        open.pop_back();
        if (node.kind == Kind::And) {
            open.push_back(node.left);
            open.push_back(node.right);
        } else if (node.kind == Kind::Word && !node.glob && node.text.size() > longest.size()) {
            longest = node.text;
        }
    }
    return longest;
}

bool RowFilter::isPlainWords() const {
    return std::ranges::all_of(m_nodes, [](const Node& node) {
        return node.kind == Kind::And || (node.kind == Kind::Word && !node.glob);
    });
}

bool RowFilter::narrows(const RowFilter& wider) const {
    return isPlainWords() && wider.isPlainWords() &&
           std::ranges::all_of(wider.m_nodes, [this](const Node& word) {
               return word.kind == Kind::And || std::ranges::any_of(m_nodes, [&](const Node& own) {
                          return own.kind == Kind::Word &&
                                 own.text.find(word.text) != std::string::npos;
                      });
           });
}

bool RowFilter::matches(std::string_view name, const CellOf& cellOf) const {
    return m_nodes.empty() || matches(m_nodes.back(), name, cellOf);
}

bool RowFilter::matches(const Node& node, std::string_view name, const CellOf& cellOf) const {
    switch (node.kind) {
    case Kind::And:
        return matches(m_nodes[node.left], name, cellOf) &&
               matches(m_nodes[node.right], name, cellOf);
    case Kind::Or:
        return matches(m_nodes[node.left], name, cellOf) ||
               matches(m_nodes[node.right], name, cellOf);
    case Kind::Not:
        return !matches(m_nodes[node.left], name, cellOf);
    case Kind::Condition:
        return holds(node, cellOf(node.column));
    case Kind::Word:
        break;
    }
    if (!node.glob) {
        return name.find(node.text) != std::string_view::npos;
    }
    for (std::size_t start = 0; start <= name.size(); ++start) {
        if (isNamePartStart(name, start) && node.glob->matches(name.substr(start))) {
            return true;
        }
    }
    return false;
}

std::partial_ordering RowFilter::order(const FilterCell& cell, const Node& node) {
    if (const auto exact = orderOfDigits(cell.text, node.text)) {
        return *exact;
    }
    return Number{*cell.number, cell.rest} <=> Number{*node.number, node.rest};
}

bool RowFilter::holds(const Node& node, const FilterCell& cell) {
    if (!cell.number && cell.text.empty()) {
        return false;
    }
    switch (node.op) {
    case Op::Less:
        return cell.number && order(cell, node) < 0;
    case Op::LessEqual:
        return cell.number && order(cell, node) <= 0;
    case Op::Greater:
        return cell.number && order(cell, node) > 0;
    case Op::GreaterEqual:
        return cell.number && order(cell, node) >= 0;
    case Op::Equal:
    case Op::Unequal: {
        const bool areNumbers = cell.number && node.number;
        const bool areNan = areNumbers && std::isnan(*cell.number) && std::isnan(*node.number);
        const bool equal =
            areNumbers ? areNan || order(cell, node) == 0 : lowered(cell.text) == node.text;
        return equal == (node.op == Op::Equal);
    }
    case Op::Like:
    case Op::Unlike:
        break;
    }
    std::string text = lowered(cell.text);
    if (text.empty() && cell.rest != 0) {
        text = Number{*cell.number, cell.rest}.digits();
    } else if (text.empty()) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *cell.number);
        text.assign(digits.data(), end.ptr);
    }
    const bool found =
        node.glob ? node.glob->matches(text) : text.find(node.text) != std::string::npos;
    return found == (node.op == Op::Like);
}

} // namespace cairn
