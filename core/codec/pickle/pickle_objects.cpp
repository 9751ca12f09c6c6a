// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_machine.h"

// Opcodes that import names, call them, and set the state of the result. They only record what
// Python would do.

namespace cairn::pickle {

bool PickleMachine::addGlobal(GlobalName name, NodeId& id) {
    constexpr std::size_t kMaxGlobals = std::size_t{1} << 22;
    if (m_graph.m_globals.size() >= kMaxGlobals) {
        return failWith(ErrorCode::LimitExceeded, "The pickle refers to too many names");
    }
    m_joblib = m_joblib || name.module.ends_with("joblib.numpy_pickle");
    GlobalUse use;
    use.name = name;
    use.offset = opcodeOffset();
    use.opcode = std::to_integer<std::uint8_t>(*m_op);
    m_graph.m_globals.push_back(use);
    return addNode(node::make(NodeKind::Global, 0, m_graph.m_globals.size() - 1), id);
}

void PickleMachine::markCalled(NodeId callable, bool asFunction) {
    if (kindOf(callable) != NodeKind::Global) {
        note(AnomalyKind::ComputedCallable);
        return;
    }
    GlobalUse& use = m_graph.m_globals[node::payloadOf(m_graph.m_nodes[callable.value])];
    use.called = true;
    use.asFunction = use.asFunction || asFunction;
}

bool PickleMachine::addObject(MadeBy by, NodeId callable, NodeId args, NodeId kwargs, NodeId& id) {
    // NEWOBJ, INST and OBJ make an instance that BUILD will fill; after REDUCE a BUILD is rare.
    const std::uint64_t slot = by == MadeBy::Reduce ? 0 : node::kHasStateSlot;
    const std::uint64_t start = m_graph.m_children.size();
    markCalled(callable, by == MadeBy::Reduce || by == MadeBy::Inst || by == MadeBy::Obj);
    m_graph.m_children.push(callable);
    m_graph.m_children.push(args);
    if (slot != 0) {
        m_graph.m_children.push(NodeId{});
    }
    const std::uint64_t flags = static_cast<std::uint64_t>(by) | slot;
    if (!addNode(node::makeRun(NodeKind::Object, 0, flags, start), id)) {
        return false;
    }
    if (kwargs.present()) {
        extendObject(id.value);
        m_graph.m_children[node::startOf(m_graph.m_nodes[id.value]) + node::kKwargs] = kwargs;
    }
    return true;
}

bool PickleMachine::extendObject(std::size_t index) {
    const std::uint64_t packed = m_graph.m_nodes[index];
    const std::uint64_t flags = node::flagsOf(packed);
    if ((flags & node::kExtended) != 0) {
        return true;
    }
    const std::uint64_t start = node::startOf(packed);
    const NodeId callable = m_graph.m_children[start];
    const NodeId args = m_graph.m_children[start + 1];
    const bool slot = (flags & node::kHasStateSlot) != 0;
    const NodeId state = slot ? m_graph.m_children[start + node::kStateSlot] : NodeId{};
    const std::uint64_t moved = m_graph.m_children.size();
    const NodeId absent;
    for (const NodeId child : {callable, args, absent, absent, absent, absent}) {
        m_graph.m_children.push(child);
    }
    m_graph.m_nodes[index] =
        node::makeRun(NodeKind::Object, 0, (flags & node::kMadeByMask) | node::kExtended, moved);
    return !state.present() || appendExtra(index, node::kStates, NodeKind::List, {&state, 1});
}

/// Adds to one of the internal containers of an extended object.
bool PickleMachine::appendExtra(std::size_t index, std::size_t slot, NodeKind kind,
                                std::span<const NodeId> values) {
    if (!extendObject(index)) {
        return false;
    }
    const std::uint64_t place = node::startOf(m_graph.m_nodes[index]) + slot;
    if (!m_graph.m_children[place].present()) {
        NodeId hidden;
        if (!addNode(node::makeRun(kind, 0, 0, 0), hidden)) {
            return false;
        }
        m_graph.m_children[place] = hidden;
    }
    return appendRun(m_graph.m_children[place].value, values);
}

bool PickleMachine::build(NodeId target, NodeId state) {
    const NodeKind found = kindOf(target);
    if (found == NodeKind::Global || found == NodeKind::PersistentId || found == NodeKind::Buffer) {
        note(AnomalyKind::BuildOnNonObject);
        return true;
    }
    if (found != NodeKind::Object) {
        return odd(AnomalyKind::BuildOnNonObject, ErrorCode::PickleBadOperand,
                   "BUILD is applied to a value that is not an object");
    }
    const std::uint64_t packed = m_graph.m_nodes[target.value];
    const std::uint64_t start = node::startOf(packed);
    const NodeId callable = m_graph.m_children[start];
    if (kindOf(callable) == NodeKind::Global) {
        m_graph.m_globals[node::payloadOf(m_graph.m_nodes[callable.value])].built = true;
    }
    if ((node::flagsOf(packed) & node::kHasStateSlot) != 0 &&
        !m_graph.m_children[start + node::kStateSlot].present()) {
        m_graph.m_children[start + node::kStateSlot] = state;
        return true;
    }
    return appendExtra(target.value, node::kStates, NodeKind::List, {&state, 1});
}

/// The results of calls and persistent ids are only determined when Python executes the stream, so
/// these may be of any kind.
bool PickleMachine::mayBe(NodeId id, NodeKind wanted) const {
    const NodeKind kind = kindOf(id);
    return kind == wanted || kind == NodeKind::Object || kind == NodeKind::PersistentId;
}

bool PickleMachine::callableOnTop(MadeBy by) {
    const std::size_t count = by == MadeBy::NewObjEx ? 3 : 2;
    if (!has(count)) {
        return underflow();
    }
    const NodeId kwargs = by == MadeBy::NewObjEx ? pop() : NodeId{};
    const NodeId args = pop();
    const NodeId callable = pop();
    if (!mayBe(callable, NodeKind::Global) &&
        !odd(AnomalyKind::ComputedCallable, ErrorCode::PickleBadOperand,
             "A value is called that is neither a class nor a function")) {
        return false;
    }
    if (!mayBe(args, NodeKind::Tuple) &&
        !odd(AnomalyKind::BadArguments, ErrorCode::PickleBadOperand,
             "The arguments of a call are not a tuple")) {
        return false;
    }
    NodeId id;
    return addObject(by, callable, args, kwargs, id) && push(id);
}
bool PickleMachine::opReduce() {
    return callableOnTop(MadeBy::Reduce);
}
bool PickleMachine::opNewObj() {
    return callableOnTop(MadeBy::NewObj);
}
bool PickleMachine::opNewObjEx() {
    return callableOnTop(MadeBy::NewObjEx);
}
bool PickleMachine::opObj() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    if (m_stack.size() <= start) {
        return underflow();
    }
    const NodeId callable = m_stack[start];
    NodeId args = node::kEmptyTuple;
    const auto values = above(start + 1);
    NodeId id;
    if ((!values.empty() && !makeContainer(NodeKind::Tuple, values, args)) ||
        !addObject(MadeBy::Obj, callable, args, {}, id)) {
        return false;
    }
    m_stack.shrink(start);
    return push(id);
}
bool PickleMachine::opBuild() {
    if (!has(2)) {
        return underflow();
    }
    const NodeId state = pop();
    const NodeId target = m_stack.back();
    return build(target, state) &&
           (m_joblib && isArrayWrapper(target) ? passInlineArray(target) : resumeAt(m_at));
}
bool PickleMachine::opBinPersId() {
    if (!has(1)) {
        return underflow();
    }
    const NodeId payload = pop();
    return pushNode(node::make(NodeKind::PersistentId, 0, payload.value));
}
bool PickleMachine::opStackGlobal() {
    if (!has(2)) {
        return underflow();
    }
    const NodeId name = pop();
    const NodeId module = pop();
    if ((kindOf(name) != NodeKind::Str || kindOf(module) != NodeKind::Str) &&
        !odd(AnomalyKind::ComputedName, ErrorCode::PickleBadOperand,
             "The name of a global is not a string")) {
        return false;
    }
    NodeId id;
    return addGlobal({m_graph.text(module), m_graph.text(name)}, id) && push(id);
}

} // namespace cairn::pickle
