// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_machine.h"

#include "core/codec/pickle/pickle_text.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

// The loop and the opcodes that make plain values, move the stack and use the memo. Frames and
// errors: pickle_stream.cpp. Opcodes that make or fill containers: pickle_containers.cpp; objects:
// pickle_objects.cpp. Opcodes whose operand is a line of text: pickle_lines.cpp.
//
// Speed: one switch, members in cache, 8 bytes written a node. Operands are checked against the
// remaining bytes before use, and nothing is allocated from a declared length: contents stay in the
// buffer.

namespace cairn::pickle {
PickleMachine::PickleMachine(PickleBytes source, PickleLimits limits) : m_limits(limits) {
    m_begin = source.bytes.data();
    m_at = m_begin;
    m_op = m_begin;
    m_end = m_begin + source.bytes.size();
    m_fence = m_end;
    m_graph.m_source = std::move(source);
    m_limits.maxNodes = std::min<std::uint64_t>(m_limits.maxNodes, node::kImmediate - 1);
    m_limits.maxStack = std::min<std::uint64_t>(m_limits.maxStack, 0xFFFF'FFFE);
}

PickleRun PickleMachine::run() {
    try {
        if (m_at == m_end) {
            failWith(ErrorCode::PickleTruncated, "The pickle is empty");
        } else if (m_graph.m_source.bytes.size() >= (std::uint64_t{1} << 40)) {
            failWith(ErrorCode::LimitExceeded, "The pickle is larger than 1 TiB");
        } else {
            expectMemory();
            loop();
        }
    } catch (const std::bad_alloc&) {
        m_error = fail(ErrorCode::OutOfMemory, "Out of memory while reading this pickle")
                      .at(opcodeOffset());
    }
    noteLaterOpcodes();
    m_graph.m_consumed = static_cast<std::uint64_t>(m_at - m_begin);
    return {std::move(m_graph), std::move(m_error)};
}

/// Reserves what the index of a large model needs per byte; other pickles need less. Only address
/// space.
void PickleMachine::expectMemory() {
    constexpr std::size_t kMost = std::size_t{32} << 20U;
    const std::size_t bytes = std::min(m_graph.m_source.bytes.size(), kMost * 4);
    m_graph.m_nodes.expect(std::min<std::uint64_t>(bytes / 8, m_limits.maxNodes));
    m_graph.m_children.expect(std::min<std::uint64_t>(bytes / 4, m_limits.maxStack));
    m_memo.expect(bytes / 8);
}

void PickleMachine::loop() {
    for (;;) {
        if (m_at >= m_fence && !atFence()) [[unlikely]] {
            return;
        }
        m_op = m_at;
        bool more = false;
        const auto opcode = std::to_integer<std::uint8_t>(*m_at++);
        m_seen[opcode] = true;
        switch (opcode) {
#define CAIRN_CASE(code, handler, protocol)                                                        \
    case code:                                                                                     \
        more = handler();                                                                          \
        break;
            CAIRN_PICKLE_OPCODES(CAIRN_CASE)
#undef CAIRN_CASE
        default:
            more = failWith(ErrorCode::PickleBadOpcode, "Invalid pickle opcode");
            break;
        }
        if (!more) [[unlikely]] {
            return;
        }
    }
}

template <class T> bool PickleMachine::operand(T& value) {
    if (m_fence - m_at < static_cast<std::ptrdiff_t>(sizeof(T)) && !shortOperand(sizeof(T)))
        [[unlikely]] {
        return false;
    }
    std::memcpy(&value, m_at, sizeof(T));
    m_at += sizeof(T);
    return true;
}

bool PickleMachine::pushOffset(NodeKind kind, std::uint64_t form) {
    if (split()) [[unlikely]] {
        return push(node::kNone);
    }
    return pushNode(node::make(kind, form, opcodeOffset()));
}
bool PickleMachine::pushInteger(std::int64_t value) {
    if (node::fitsImmediate(value)) [[likely]] {
        return push(node::smallInt(value));
    }
    constexpr std::int64_t kEdge = std::int64_t{1} << 55;
    if (value >= -kEdge && value < kEdge) {
        const auto bits = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << 56) - 1);
        return pushNode(node::make(NodeKind::Int, 0, bits));
    }
    return pushOffset(NodeKind::Int, node::kWide);
}

bool PickleMachine::counted(std::uint64_t length, NodeKind kind) {
    if (length > left()) [[unlikely]] {
        return truncated();
    }
    const std::string_view text(reinterpret_cast<const char*>(m_at),
                                static_cast<std::size_t>(length));
    m_at += length;
    return split() ? pushOwned(kind, std::string(text)) : pushOffset(kind);
}
bool PickleMachine::countedText(std::uint64_t length) {
    if (!content(length)) [[unlikely]] {
        return false;
    }
    const std::string_view text(reinterpret_cast<const char*>(m_at),
                                static_cast<std::size_t>(length));
    if (!isPickleUtf8(text) &&
        !odd(AnomalyKind::BadText, ErrorCode::PickleBadText, "A string is not valid UTF-8")) {
        return false;
    }
    m_at += length;
    return split() ? pushOwned(NodeKind::Str, std::string(text)) : pushOffset(NodeKind::Str);
}

// Plain values.
bool PickleMachine::opNone() {
    return push(node::kNone);
}
bool PickleMachine::opNewTrue() {
    return push(node::kTrue);
}
bool PickleMachine::opNewFalse() {
    return push(node::kFalse);
}
bool PickleMachine::opBinInt() {
    std::int32_t value = 0;
    return operand(value) && pushInteger(value);
}
bool PickleMachine::opBinInt1() {
    std::uint8_t value = 0;
    return operand(value) && push(node::smallInt(value));
}
bool PickleMachine::opBinInt2() {
    std::uint16_t value = 0;
    return operand(value) && push(node::smallInt(value));
}
bool PickleMachine::longOfSize(std::uint64_t size) {
    if (!content(size)) {
        return false;
    }
    const std::span<const Byte> digits(m_at, static_cast<std::size_t>(size));
    m_at += size;
    if (const auto value = littleInteger(digits)) {
        return pushInteger(*value);
    }
    return pushOffset(NodeKind::BigInt);
}
bool PickleMachine::opLong1() {
    std::uint8_t size = 0;
    return operand(size) && longOfSize(size);
}
bool PickleMachine::opLong4() {
    std::int32_t size = 0;
    if (!operand(size)) {
        return false;
    }
    if (size < 0) {
        return failWith(ErrorCode::PickleBadOperand, "An integer has a negative size");
    }
    return longOfSize(static_cast<std::uint64_t>(size));
}
bool PickleMachine::opBinFloat() {
    std::uint64_t bits = 0;
    return operand(bits) && pushOffset(NodeKind::Float);
}
bool PickleMachine::opShortBinUnicode() {
    std::uint8_t length = 0;
    return operand(length) && countedText(length);
}
bool PickleMachine::opBinUnicode() {
    std::uint32_t length = 0;
    return operand(length) && countedText(length);
}
bool PickleMachine::opBinUnicode8() {
    std::uint64_t length = 0;
    return operand(length) && countedText(length);
}
bool PickleMachine::opShortBinBytes() {
    std::uint8_t length = 0;
    return operand(length) && counted(length, NodeKind::Bytes);
}
bool PickleMachine::opBinBytes() {
    std::uint32_t length = 0;
    return operand(length) && counted(length, NodeKind::Bytes);
}
bool PickleMachine::opBinBytes8() {
    std::uint64_t length = 0;
    return operand(length) && counted(length, NodeKind::Bytes);
}
bool PickleMachine::opByteArray8() {
    std::uint64_t length = 0;
    return operand(length) && counted(length, NodeKind::ByteArray);
}
// Python 2 `str`: text if it is valid UTF-8, else bytes.
bool PickleMachine::opShortBinString() {
    std::uint8_t length = 0;
    return operand(length) && content(length) && counted(length, NodeKind::Bytes) &&
           (retypeText(), true);
}
bool PickleMachine::opBinString() {
    std::int32_t length = 0;
    if (!operand(length)) {
        return false;
    }
    if (length < 0) {
        return failWith(ErrorCode::PickleBadOperand, "A string has a negative length");
    }
    const auto size = static_cast<std::uint64_t>(length);
    return content(size) && counted(size, NodeKind::Bytes) && (retypeText(), true);
}
void PickleMachine::retypeText() {
    std::uint64_t& top = m_graph.m_nodes.back();
    if (isPickleUtf8(asText(m_graph.bytes(m_stack.back())))) {
        top = node::make(NodeKind::Str, node::formOf(top), node::payloadOf(top));
    }
}
bool PickleMachine::opNextBuffer() {
    return pushNode(node::make(NodeKind::Buffer, 0, m_buffers++));
}
bool PickleMachine::opReadOnlyBuffer() {
    return has(1) || underflow();
}

// Stack, memo, stream.
bool PickleMachine::opMark() {
    if (m_marks.size() >= m_limits.maxStack) [[unlikely]] {
        return stackFull();
    }
    m_floor = m_stack.size();
    m_marks.push(static_cast<std::uint32_t>(m_floor));
    return true;
}
bool PickleMachine::opPop() {
    if (!m_marks.empty() && m_marks.back() == m_stack.size()) {
        std::size_t start = 0;
        return popMark(start);
    }
    if (!has(1)) {
        return underflow();
    }
    pop();
    return true;
}
bool PickleMachine::opPopMark() {
    std::size_t start = 0;
    if (!popMark(start)) {
        return false;
    }
    m_stack.shrink(start);
    return true;
}
bool PickleMachine::opDup() {
    return has(1) ? push(m_stack.back()) : underflow();
}
bool PickleMachine::opBinGet() {
    std::uint8_t index = 0;
    return operand(index) && getMemo(index);
}
bool PickleMachine::opLongBinGet() {
    std::uint32_t index = 0;
    return operand(index) && getMemo(index);
}
bool PickleMachine::opBinPut() {
    std::uint8_t index = 0;
    return operand(index) && putMemo(index);
}
bool PickleMachine::opLongBinPut() {
    std::uint32_t index = 0;
    return operand(index) && putMemo(index);
}
bool PickleMachine::opMemoize() {
    return putMemo(m_memo.count());
}
bool PickleMachine::opProto() {
    std::uint8_t protocol = 0;
    if (!operand(protocol)) {
        return false;
    }
    if (protocol > 5) {
        return failWith(ErrorCode::PickleBadProtocol, "The pickle protocol is newer than 5");
    }
    if (m_op != m_begin) {
        note(AnomalyKind::ProtocolRepeated);
    }
    m_graph.m_protocol = std::max<int>(m_graph.m_protocol, protocol);
    return true;
}
bool PickleMachine::opStop() {
    if (!has(1)) {
        return underflow();
    }
    if (m_stack.size() > 1 || !m_marks.empty()) {
        note(AnomalyKind::LeftOnStack);
    }
    m_graph.m_root = pop();
    return false;
}

// Handlers in other files use operands, too.
template bool PickleMachine::operand(std::uint8_t&);
template bool PickleMachine::operand(std::uint16_t&);
template bool PickleMachine::operand(std::int32_t&);
template bool PickleMachine::operand(std::uint32_t&);
template bool PickleMachine::operand(std::uint64_t&);

PickleRun runPickle(PickleBytes source, PickleLimits limits) {
    return PickleMachine(std::move(source), limits).run();
}

Result<PickleGraph> parsePickle(PickleBytes source, PickleLimits limits) {
    PickleRun run = runPickle(std::move(source), limits);
    if (run.error) {
        return std::move(*run.error);
    }
    return std::move(run.graph);
}

} // namespace cairn::pickle
