// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/value_tree.h"

#include <algorithm>
#include <utility>

namespace cairn::formats::dcp {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

namespace {

constexpr std::size_t kMaxPath =
    200; ///< far below Value::kMaxDepth, to leave room for nested items

} // namespace

ValueTree::ValueTree() : m_nodes(1) {}

void ValueTree::reserve(std::size_t count) {
    if (m_nodes.size() == 1) {
        m_nodes.reserve(count + count / 8);
        m_children = PositionTable(count + count / 8);
    }
}

/// Most paths have the same parent as the previous one.
void ValueTree::prefetch(const PickleGraph& graph, NodeId path) const {
    const auto parts = graph.items(path);
    if (m_trail.size() > 1 && parts.size() == m_trail.size() &&
        graph.kind(parts.back()) == NodeKind::Str) {
        m_children.prefetch(hashAt(m_trail[m_trail.size() - 2].node, graph.text(parts.back())));
    }
}

void ValueTree::put(const PickleGraph* graph, NodeId path, std::string_view name,
                    std::uint32_t leaf) {
    m_steps.clear();
    if (graph != nullptr && readSteps(*graph, path) && place(leaf)) {
        return;
    }
    m_trail.clear();
    m_steps.assign(1, {});
    m_steps.front().text = name;
    place(leaf);
}

bool ValueTree::readSteps(const PickleGraph& graph, NodeId path) {
    const NodeKind kind = graph.kind(path);
    const auto parts = graph.items(path);
    if ((kind != NodeKind::Tuple && kind != NodeKind::List) || parts.empty() ||
        parts.size() > kMaxPath) {
        return false;
    }
    for (const NodeId part : parts) {
        Step step;
        step.part = part;
        if (graph.kind(part) == NodeKind::Str) {
            step.text = graph.text(part);
        } else if (const auto position = graph.asInteger(part)) {
            step.isInteger = true;
            step.number = *position;
        } else {
            return false;
        }
        m_steps.push_back(step);
    }
    // A stream may refer to a long string a million times; keys of real paths occur twice.
    return m_texts.size() <= 2 * graph.buffer().size();
}

bool ValueTree::place(std::uint32_t leaf) {
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step& step = m_steps[i];
        if (i < m_trail.size() && m_trail[i].part == step.part) {
            at = m_trail[i].node;
        } else {
            m_trail.resize(i);
            at = childOf(at, step);
            if (step.part.present()) {
                m_trail.push_back({step.part, at});
            }
        }
        const Node& node = m_nodes[at];
        const bool isLeaf = node.leaf != kNone;
        const bool last = i + 1 == m_steps.size();
        if (last ? isLeaf || node.childCount > 0 : isLeaf) {
            return false; // a value must not be a container or occur twice
        }
    }
    m_nodes[at].leaf = leaf;
    return true;
}

std::string_view ValueTree::textOf(const Node& node) const {
    return std::string_view(m_texts).substr(static_cast<std::size_t>(node.number), node.textLength);
}

bool ValueTree::isKey(const Node& node, const Step& step) const {
    return node.isInteger == step.isInteger &&
           (step.isInteger ? node.number == step.number : textOf(node) == step.text);
}

std::uint32_t ValueTree::childOf(std::uint32_t parent, const Step& step) {
    const auto id = static_cast<std::uint32_t>(m_nodes.size());
    const std::uint64_t hash = step.isInteger
                                   ? hashAt(parent, static_cast<std::uint64_t>(step.number))
                                   : hashAt(parent, step.text);
    const std::uint32_t child = m_children.add(hash, id, [&](std::uint32_t other) {
        return m_nodes[other].parent == parent && isKey(m_nodes[other], step);
    });
    if (child != id) {
        return child;
    }
    Node& fresh = m_nodes.emplace_back();
    fresh.parent = parent;
    fresh.isInteger = step.isInteger;
    fresh.number = step.isInteger ? step.number : static_cast<std::int64_t>(m_texts.size());
    fresh.textLength = static_cast<std::uint32_t>(step.text.size());
    m_texts += step.text;
    Node& owner = m_nodes[parent];
    if (owner.lastChild == kNone) {
        owner.firstChild = id;
    } else {
        m_nodes[owner.lastChild].next = id;
    }
    owner.lastChild = id;
    ++owner.childCount;
    owner.allIntegers = owner.allIntegers && step.isInteger;
    return id;
}

Value ValueTree::keyOf(const Node& node) const {
    return node.isInteger ? Value(node.number) : Value(textOf(node));
}

bool ValueTree::isList(const Node& node) const {
    if (!node.allIntegers || node.childCount == 0) {
        return false;
    }
    std::vector<bool> seen(node.childCount, false);
    for (std::uint32_t child = node.firstChild; child != kNone; child = m_nodes[child].next) {
        const std::int64_t position = m_nodes[child].number;
        if (position < 0 || position >= static_cast<std::int64_t>(seen.size())) {
            return false;
        }
        seen[static_cast<std::size_t>(position)] = true;
    }
    return std::ranges::all_of(seen, [](bool there) { return there; });
}

// Recursion is limited to kMaxPath.
Value ValueTree::valueOf(const Node& node,
                         const std::function<Value(std::uint32_t)>& leafValue) const {
    if (node.leaf != kNone) {
        return leafValue(node.leaf);
    }
    if (&node != &m_nodes.front() && isList(node)) {
        std::vector<Value> values(node.childCount);
        for (std::uint32_t child = node.firstChild; child != kNone; child = m_nodes[child].next) {
            const auto position = static_cast<std::size_t>(m_nodes[child].number);
            values[position] = valueOf(m_nodes[child], leafValue);
        }
        return Value::list(std::move(values));
    }
    std::vector<ValueItem> items;
    items.reserve(node.childCount);
    for (std::uint32_t child = node.firstChild; child != kNone; child = m_nodes[child].next) {
        items.push_back({keyOf(m_nodes[child]), valueOf(m_nodes[child], leafValue)});
    }
    return Value::dict(std::move(items));
}

std::vector<RolePart> ValueTree::parts(std::size_t node, const TensorsOf& tensorsOf) const {
    std::vector<RolePart> parts;
    std::vector<std::uint32_t> open;
    for (std::uint32_t child = m_nodes[node].firstChild; child != kNone;
         child = m_nodes[child].next) {
        RolePart& part = parts.emplace_back();
        part.key = m_nodes[child].isInteger ? std::string_view() : textOf(m_nodes[child]);
        part.container = m_nodes[child].leaf == kNone;
        part.node = child;
        open.assign(1, child);
        while (!open.empty()) {
            const Node& at = m_nodes[open.back()];
            open.pop_back();
            if (at.leaf != kNone) {
                tensorsOf(at.leaf, part.tensors);
            }
            for (std::uint32_t below = at.firstChild; below != kNone; below = m_nodes[below].next) {
                open.push_back(below);
            }
        }
        const bool object = m_nodes[child].leaf != kNone && m_nodes[child].leaf % 2 != 0;
        part.container = part.container || (object && !part.tensors.empty());
    }
    return parts;
}

Value ValueTree::grow(const std::function<Value(std::uint32_t leaf)>& leafValue) const {
    return valueOf(m_nodes.front(), leafValue);
}

} // namespace cairn::formats::dcp
