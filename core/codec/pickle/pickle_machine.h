// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/endian.h"
#include "core/base/sentence.h"
#include "core/codec/pickle/pickle.h"
#include "core/codec/pickle/pickle_memo.h"
#include "core/codec/pickle/pickle_node.h"
#include "core/codec/pickle/pickle_opcodes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cairn::pickle {

/// Runs one stream; private to this folder. There is one handler for each opcode; it returns false
/// to stop, with m_error set unless the stream is complete. Values, marks and fences are handled in
/// the same order as in CPython (Modules/_pickle.c).
class PickleMachine {
public:
    PickleMachine(PickleBytes source, PickleLimits limits);
    PickleRun run();

private:
    using Byte = std::byte;

    void expectMemory();
    void loop();
    bool atFence();

    // Errors.
    bool failWith(ErrorCode code, Sentence message);
    bool truncated();
    bool underflow();
    bool noMark();
    bool stackFull();
    bool tooManyNodes();
    /// Strict: fails. Lenient: records the anomaly and continues.
    bool odd(AnomalyKind kind, ErrorCode code, Sentence message);
    void note(AnomalyKind kind);

    // Operands.
    [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(m_end - m_at); }
    template <class T> bool operand(T& value);
    bool shortOperand(std::size_t size);
    bool content(std::uint64_t size);
    void dropFrame();
    /// The opcode and its operand are not contiguous, so that an offset cannot represent the value.
    [[nodiscard]] bool split() const { return m_splitOp == m_op; }
    bool line(std::string_view& text);
    bool nameLine(std::string_view& text);
    bool decimalIndex(std::uint64_t& index);
    [[nodiscard]] std::uint64_t opcodeOffset() const {
        return static_cast<std::uint64_t>(m_op - m_begin);
    }

    // Stack.
    [[nodiscard]] bool has(std::size_t count) const { return m_stack.size() - m_floor >= count; }
    bool push(NodeId id) {
        if (m_stack.size() >= m_limits.maxStack) [[unlikely]] {
            return stackFull();
        }
        m_stack.push(id);
        return true;
    }
    NodeId pop() {
        const NodeId top = m_stack.back();
        m_stack.shrink(m_stack.size() - 1);
        return top;
    }
    bool popMark(std::size_t& start) {
        if (m_marks.empty()) [[unlikely]] {
            return noMark();
        }
        start = m_marks.back();
        m_marks.shrink(m_marks.size() - 1);
        m_floor = m_marks.empty() ? 0 : m_marks.back();
        return true;
    }
    [[nodiscard]] std::span<const NodeId> above(std::size_t start) const {
        return {m_stack.data() + start, m_stack.size() - start};
    }

    // Nodes.
    bool addNode(std::uint64_t packed, NodeId& id) {
        if (m_graph.m_nodes.size() >= m_limits.maxNodes) [[unlikely]] {
            return tooManyNodes();
        }
        id.value = static_cast<std::uint32_t>(m_graph.m_nodes.size());
        m_graph.m_nodes.push(packed);
        return true;
    }
    bool pushNode(std::uint64_t packed) {
        NodeId id;
        return addNode(packed, id) && push(id);
    }
    bool pushInteger(std::int64_t value);
    bool pushOffset(NodeKind kind, std::uint64_t form = 0);
    bool pushOwned(NodeKind kind, std::string text);
    bool pushLine(NodeKind kind, std::string_view text);
    bool makeContainer(NodeKind kind, std::span<const NodeId> values, NodeId& id);
    bool pushContainer(NodeKind kind, std::size_t start);
    bool addGlobal(GlobalName name, NodeId& id);
    bool addObject(MadeBy by, NodeId callable, NodeId args, NodeId kwargs, NodeId& id);
    bool appendRun(std::size_t node, std::span<const NodeId> values);
    bool appendExtra(std::size_t node, std::size_t slot, NodeKind kind,
                     std::span<const NodeId> values);
    bool extendObject(std::size_t node);
    bool addItems(NodeId target, std::span<const NodeId> values, NodeKind kind);
    bool addPairs(NodeId target, std::span<const NodeId> values);
    bool build(NodeId target, NodeId state);
    [[nodiscard]] bool isArrayWrapper(NodeId target) const;
    bool passInlineArray(NodeId wrapper);
    bool resumeAt(const Byte* at);
    bool passInlinePickle();
    [[nodiscard]] NodeKind kindOf(NodeId id) const { return m_graph.kind(id); }
    [[nodiscard]] bool hashable(NodeId id) const;
    [[nodiscard]] bool mayBe(NodeId id, NodeKind wanted) const;
    void markCalled(NodeId callable, bool asFunction);

    // Shared by several handlers.
    bool counted(std::uint64_t length, NodeKind kind);
    bool countedText(std::uint64_t length);
    void retypeText();
    void noteLaterOpcodes();
    bool neverStored();
    bool getMemo(std::uint64_t index) {
        const NodeId id = m_memo.get(index);
        if (!id.present()) [[unlikely]] {
            return neverStored();
        }
        return push(id);
    }
    bool putMemo(std::uint64_t index) {
        if (!has(1)) [[unlikely]] {
            return underflow();
        }
        const NodeId before = m_memo.put(index, m_stack.back());
        if (before.present() && before != m_stack.back()) [[unlikely]] {
            note(AnomalyKind::MemoOverwritten);
        }
        return true;
    }
    bool extension(std::uint32_t code);
    bool longOfSize(std::uint64_t size);
    enum class IntegerLine : std::uint8_t { Int, Long };
    bool integerLine(IntegerLine kind);
    bool callableOnTop(MadeBy by);

    // One handler an opcode.
#define CAIRN_DECLARE(code, handler, protocol) bool handler();
    CAIRN_PICKLE_OPCODES(CAIRN_DECLARE)
#undef CAIRN_DECLARE

    PickleGraph m_graph;
    PickleLimits m_limits;
    PickleMemo m_memo;
    GrowArray<NodeId> m_stack;
    GrowArray<std::uint32_t> m_marks;
    std::size_t m_floor = 0; ///< stack size at the last mark: values below it must not be popped
    const Byte* m_begin = nullptr;
    const Byte* m_at = nullptr;
    const Byte* m_op = nullptr;
    const Byte* m_end = nullptr;
    const Byte* m_fence = nullptr; ///< end of the open frame, else m_end
    std::optional<Error> m_error;
    std::uint64_t m_buffers = 0;
    const Byte* m_splitOp =
        nullptr; ///< last opcode whose operand continued after the end of its frame
    bool m_inFrame = false;
    bool m_joblib = false; ///< a name of joblib's module was read
    std::array<bool, 256> m_seen{};
};

} // namespace cairn::pickle
