// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_machine.h"

#include <algorithm>

// Opcodes that make or fill containers.
//
// A container's children are one run in the shared list of children. Most containers are filled by
// one opcode, so their run has the exact size. A second filling moves the run to the end of the
// list and doubles its capacity (form kBig), unless it is already at the end. So n fillings cost
// O(n) moves, and less memory is wasted than used.

namespace cairn::pickle {

bool PickleMachine::hashable(NodeId id) const {
    if (node::isImmediate(id)) {
        return true;
    }
    const std::uint64_t packed = m_graph.m_nodes[id.value];
    switch (node::kindOf(packed)) {
    case NodeKind::List:
    case NodeKind::Dict:
    case NodeKind::Set:
    case NodeKind::ByteArray:
        return false;
    case NodeKind::Tuple:
        return (node::formOf(packed) & node::kUnhashable) == 0;
    default:
        return true;
    }
}

bool PickleMachine::makeContainer(NodeKind kind, std::span<const NodeId> values, NodeId& id) {
    std::uint64_t form = 0;
    if (kind == NodeKind::Tuple || kind == NodeKind::FrozenSet) {
        const bool all = std::ranges::all_of(values, [&](NodeId v) { return hashable(v); });
        form = all ? 0 : node::kUnhashable;
    }
    if (m_graph.m_children.size() + values.size() + node::kRunHeader > m_limits.maxStack) {
        return failWith(ErrorCode::LimitExceeded, "The pickle's containers have too many values");
    }
    std::uint64_t count = values.size();
    const std::uint64_t start = m_graph.m_children.size();
    if (count >= node::kRunMax) {
        form |= node::kBig;
        const NodeId header{static_cast<std::uint32_t>(count)};
        m_graph.m_children.push(header);
        m_graph.m_children.push(header);
        count = 0;
    }
    m_graph.m_children.append(values);
    return addNode(node::makeRun(kind, form, count, start), id);
}

bool PickleMachine::pushContainer(NodeKind kind, std::size_t start) {
    NodeId id;
    if (!makeContainer(kind, above(start), id)) {
        return false;
    }
    m_stack.shrink(start);
    return push(id);
}

/// Adds to the run of the container at `index`, and moves the run if it is full.
bool PickleMachine::appendRun(std::size_t index, std::span<const NodeId> values) {
    GrowArray<NodeId>& children = m_graph.m_children;
    const std::uint64_t packed = m_graph.m_nodes[index];
    const NodeKind kind = node::kindOf(packed);
    const std::uint64_t form = node::formOf(packed);
    const bool big = (form & node::kBig) != 0;
    const std::uint64_t start = node::startOf(packed);
    const std::uint64_t count = big ? children[start].value : node::countOf(packed);
    const std::uint64_t total = count + values.size();
    if (children.size() + 2 * total + node::kRunHeader > m_limits.maxStack * 2) [[unlikely]] {
        return failWith(ErrorCode::LimitExceeded, "The pickle's containers have too many values");
    }
    if (count == 0 && !big && values.size() < node::kRunMax) {
        m_graph.m_nodes[index] = node::makeRun(kind, form, total, children.size());
        children.append(values);
        return true;
    }
    if (!big && start + count == children.size() && total < node::kRunMax) {
        m_graph.m_nodes[index] = node::makeRun(kind, form, total, start);
        children.append(values);
        return true;
    }
    const std::uint64_t first = big ? start + node::kRunHeader : start;
    const std::uint64_t capacity = big ? children[start + 1].value : 0;
    if (big && total <= capacity) {
        std::ranges::copy(values, children.data() + first + count);
        children[start].value = static_cast<std::uint32_t>(total);
        return true;
    }
    const std::uint64_t wanted = total + total / 2;
    const std::uint64_t moved = children.size();
    children.reserve(children.size() + node::kRunHeader + wanted);
    children.push({static_cast<std::uint32_t>(total)});
    children.push({static_cast<std::uint32_t>(wanted)});
    children.appendOwn(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    children.append(values);
    children.grow(static_cast<std::size_t>(wanted - total), NodeId{});
    m_graph.m_nodes[index] = node::makeRun(kind, form | node::kBig, 0, moved);
    return true;
}

bool PickleMachine::addItems(NodeId target, std::span<const NodeId> values, NodeKind kind) {
    const NodeKind found = kindOf(target);
    if (kind == NodeKind::Set &&
        !std::ranges::all_of(values, [&](NodeId v) { return hashable(v); }) &&
        !odd(AnomalyKind::UnhashableKey, ErrorCode::PickleUnhashableKey,
             "A member of a set is not hashable")) {
        return false;
    }
    if (found == kind && !node::isImmediate(target)) {
        return appendRun(target.value, values);
    }
    if (found == NodeKind::Object) {
        return appendExtra(target.value, node::kItems, NodeKind::List, values);
    }
    return odd(AnomalyKind::ItemsOnNonContainer, ErrorCode::PickleBadOperand,
               "Items are added to an object that is not a container");
}

bool PickleMachine::addPairs(NodeId target, std::span<const NodeId> values) {
    if (values.size() % 2 != 0) {
        return failWith(ErrorCode::PickleBadOperand, "A dictionary key has no value");
    }
    for (std::size_t i = 0; i < values.size(); i += 2) {
        if (!hashable(values[i]) && !odd(AnomalyKind::UnhashableKey, ErrorCode::PickleUnhashableKey,
                                         "A dictionary key is not hashable")) {
            return false;
        }
    }
    const NodeKind found = kindOf(target);
    if (found == NodeKind::Dict) {
        return appendRun(target.value, values);
    }
    if (found == NodeKind::Object) {
        return appendExtra(target.value, node::kPairs, NodeKind::Dict, values);
    }
    return odd(AnomalyKind::ItemsOnNonContainer, ErrorCode::PickleBadOperand,
               "Keys and values are added to an object that is not a dictionary");
}

bool PickleMachine::opEmptyList() {
    return pushNode(node::makeRun(NodeKind::List, 0, 0, 0));
}
bool PickleMachine::opEmptyDict() {
    return pushNode(node::makeRun(NodeKind::Dict, 0, 0, 0));
}
bool PickleMachine::opEmptySet() {
    return pushNode(node::makeRun(NodeKind::Set, 0, 0, 0));
}
bool PickleMachine::opEmptyTuple() {
    return push(node::kEmptyTuple);
}
bool PickleMachine::opTuple1() {
    return has(1) ? pushContainer(NodeKind::Tuple, m_stack.size() - 1) : underflow();
}
bool PickleMachine::opTuple2() {
    return has(2) ? pushContainer(NodeKind::Tuple, m_stack.size() - 2) : underflow();
}
bool PickleMachine::opTuple3() {
    return has(3) ? pushContainer(NodeKind::Tuple, m_stack.size() - 3) : underflow();
}
bool PickleMachine::opTuple() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    return start == m_stack.size() ? push(node::kEmptyTuple)
                                   : pushContainer(NodeKind::Tuple, start);
}
bool PickleMachine::opList() {
    std::size_t start = 0;
    return popMark(start) && pushContainer(NodeKind::List, start);
}
bool PickleMachine::opDict() {
    std::size_t start = 0;
    NodeId id;
    if (!popMark(start) || !addNode(node::makeRun(NodeKind::Dict, 0, 0, 0), id) ||
        !addPairs(id, above(start))) {
        return false;
    }
    m_stack.shrink(start);
    return push(id);
}
bool PickleMachine::opFrozenSet() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    const auto values = above(start);
    if (!std::ranges::all_of(values, [&](NodeId v) { return hashable(v); }) &&
        !odd(AnomalyKind::UnhashableKey, ErrorCode::PickleUnhashableKey,
             "A member of a set is not hashable")) {
        return false;
    }
    return pushContainer(NodeKind::FrozenSet, start);
}

bool PickleMachine::opAppend() {
    if (!has(2)) {
        return underflow();
    }
    const NodeId value = pop();
    return addItems(m_stack.back(), {&value, 1}, NodeKind::List);
}
bool PickleMachine::opAppends() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    if (start <= m_floor) {
        return underflow();
    }
    const bool added =
        start == m_stack.size() || addItems(m_stack[start - 1], above(start), NodeKind::List);
    m_stack.shrink(start);
    return added;
}
bool PickleMachine::opAddItems() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    if (start <= m_floor) {
        return underflow();
    }
    const bool added =
        start == m_stack.size() || addItems(m_stack[start - 1], above(start), NodeKind::Set);
    m_stack.shrink(start);
    return added;
}
bool PickleMachine::opSetItem() {
    if (!has(3)) {
        return underflow();
    }
    const std::size_t start = m_stack.size() - 2;
    const bool added = addPairs(m_stack[start - 1], above(start));
    m_stack.shrink(start);
    return added;
}
bool PickleMachine::opSetItems() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    if (start <= m_floor) {
        return underflow();
    }
    const bool added = start == m_stack.size() || addPairs(m_stack[start - 1], above(start));
    m_stack.shrink(start);
    return added;
}

} // namespace cairn::pickle
