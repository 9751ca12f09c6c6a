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
    200; ///< far below Value::kMaxDepth, so that items may nest further

} // namespace

ValueTree::ValueTree() : m_nodes(1) {}

void ValueTree::put(const PickleGraph* graph, NodeId path, std::string_view name, Value value) {
    std::vector<Step> steps;
    if (graph != nullptr && stepsOf(*graph, path, steps) && place(steps, value)) {
        return;
    }
    place({{"s:" + std::string(name), Value(name)}}, value);
}

bool ValueTree::stepsOf(const PickleGraph& graph, NodeId path, std::vector<Step>& steps) const {
    const NodeKind kind = graph.kind(path);
    const auto parts = graph.items(path);
    if ((kind != NodeKind::Tuple && kind != NodeKind::List) || parts.empty() ||
        parts.size() > kMaxPath) {
        return false;
    }
    for (const NodeId part : parts) {
        if (graph.kind(part) == NodeKind::Str) {
            const std::string_view text = graph.text(part);
            steps.push_back({"s:" + std::string(text), Value(text)});
        } else if (const auto position = graph.asInteger(part)) {
            steps.push_back({"i:" + std::to_string(*position), Value(*position)});
        } else {
            return false;
        }
    }
    return true;
}

bool ValueTree::place(const std::vector<Step>& steps, const Value& value) {
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        at = childOf(at, steps[i]);
        const Node& node = m_nodes[at];
        const bool last = i + 1 == steps.size();
        if (last ? node.isLeaf || node.childCount > 0 : node.isLeaf) {
            return false; // a value cannot be a container of others, nor be there twice
        }
    }
    m_nodes[at].isLeaf = true;
    m_nodes[at].value = value;
    return true;
}

std::uint32_t ValueTree::childOf(std::uint32_t parent, const Step& step) {
    const auto [place, fresh] = m_children.try_emplace(std::to_string(parent) + ":" + step.text,
                                                       static_cast<std::uint32_t>(m_nodes.size()));
    if (!fresh) {
        return place->second;
    }
    const auto id = static_cast<std::uint32_t>(m_nodes.size());
    Node child;
    child.parent = parent;
    child.key = step.key;
    m_nodes.push_back(std::move(child));
    Node& owner = m_nodes[parent];
    if (owner.lastChild == kNone) {
        owner.firstChild = id;
    } else {
        m_nodes[owner.lastChild].next = id;
    }
    owner.lastChild = id;
    ++owner.childCount;
    owner.allIntegers = owner.allIntegers && step.key.asInt() != nullptr;
    return id;
}

bool ValueTree::isList(const Node& node) const {
    if (!node.allIntegers || node.childCount == 0) {
        return false;
    }
    std::vector<bool> seen(node.childCount, false);
    for (std::uint32_t child = node.firstChild; child != kNone; child = m_nodes[child].next) {
        const std::int64_t position = *m_nodes[child].key.asInt();
        if (position < 0 || position >= static_cast<std::int64_t>(seen.size())) {
            return false;
        }
        seen[static_cast<std::size_t>(position)] = true;
    }
    return std::ranges::all_of(seen, [](bool there) { return there; });
}

Value ValueTree::valueOf(std::uint32_t id) {
    Node& node = m_nodes[id];
    if (node.isLeaf) {
        return std::move(node.value);
    }
    if (id != 0 && isList(node)) {
        std::vector<Value> values(node.childCount);
        for (std::uint32_t child = node.firstChild; child != kNone; child = m_nodes[child].next) {
            const auto position = static_cast<std::size_t>(*m_nodes[child].key.asInt());
            values[position] = valueOf(child); // depth: at most kMaxPath
        }
        return Value::list(std::move(values));
    }
    std::vector<ValueItem> items;
    items.reserve(node.childCount);
    for (std::uint32_t child = node.firstChild; child != kNone; child = m_nodes[child].next) {
        Value value = valueOf(child);
        items.push_back({m_nodes[child].key, std::move(value)});
    }
    return Value::dict(std::move(items));
}

Value ValueTree::take() && {
    return valueOf(0);
}

} // namespace cairn::formats::dcp
