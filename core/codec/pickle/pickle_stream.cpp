// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_machine.h"

#include <algorithm>
#include <array>
#include <utility>

// Frames, the end of the stream, and its anomalies.

namespace cairn::pickle {
namespace {

constexpr std::size_t kMaxAnomalies = 4096;

constexpr auto kFirstProtocol = [] {
    std::array<std::uint8_t, 256> table{};
#define CAIRN_ROW(code, handler, protocol) table[code] = protocol;
    CAIRN_PICKLE_OPCODES(CAIRN_ROW)
#undef CAIRN_ROW
    return table;
}();

/// Opcodes that can reveal a wrong protocol number.
constexpr auto kLater = [] {
    constexpr auto kCount =
        std::ranges::count_if(kFirstProtocol, [](int first) { return first > 1; });
    std::array<std::uint8_t, kCount> codes{};
    std::size_t count = 0;
    for (std::size_t code = 0; code < kFirstProtocol.size(); ++code) {
        if (kFirstProtocol[code] > 1) {
            codes[count++] = static_cast<std::uint8_t>(code);
        }
    }
    return codes;
}();

} // namespace

/// Protocol 1 has no PROTO opcode, so that only opcodes of protocol 2 and later reveal a mismatch.
void PickleMachine::noteLaterOpcodes() {
    const int declared = std::max(m_graph.m_protocol, 1);
    for (const std::uint8_t opcode : kLater) {
        if (m_seen[opcode] && kFirstProtocol[opcode] > declared) {
            note(AnomalyKind::OpcodeOfLaterProtocol);
            return;
        }
    }
}

/// The cursor is at or beyond the end of its frame or of the stream.
bool PickleMachine::atFence() {
    if (m_at > m_fence) {
        if (!odd(AnomalyKind::FrameTooShort, ErrorCode::PickleBadFrame,
                 "An opcode extends beyond its frame")) {
            return false;
        }
    }
    m_fence = m_end;
    m_inFrame = false;
    if (m_at == m_end) {
        return failWith(ErrorCode::PickleTruncated, "The pickle ends without a STOP opcode");
    }
    return true;
}

bool PickleMachine::failWith(ErrorCode code, Sentence message) {
    m_error = fail(code, std::move(message)).at(opcodeOffset());
    return false;
}
bool PickleMachine::truncated() {
    return failWith(ErrorCode::PickleTruncated, "The pickle is truncated inside an opcode");
}
bool PickleMachine::underflow() {
    return failWith(ErrorCode::PickleStackUnderflow,
                    "An opcode pops more values than the stack has");
}
bool PickleMachine::noMark() {
    return failWith(ErrorCode::PickleNoMark, "An opcode needs a mark, but the stack has none");
}
bool PickleMachine::stackFull() {
    return failWith(ErrorCode::LimitExceeded, "The pickle's stack is too large");
}
bool PickleMachine::tooManyNodes() {
    return failWith(ErrorCode::LimitExceeded, "The pickle has too many values");
}
bool PickleMachine::neverStored() {
    return failWith(ErrorCode::PickleBadMemo, "A memo entry is read before it is stored");
}
void PickleMachine::note(AnomalyKind kind) {
    if (m_graph.m_anomalies.size() < kMaxAnomalies) {
        m_graph.m_anomalies.push_back({kind, opcodeOffset()});
    }
}
bool PickleMachine::odd(AnomalyKind kind, ErrorCode code, Sentence message) {
    note(kind);
    return m_limits.lenient || failWith(code, std::move(message));
}

/// The operand extends beyond the frame or the stream.
bool PickleMachine::shortOperand(std::size_t size) {
    if (m_inFrame && m_limits.dropAtFrameEnd && m_at < m_fence) {
        dropFrame();
    }
    return left() >= size || truncated();
}

/// CPython's C unpickler, when it reads from a file without peek(), discards the rest of a frame if
/// an operand extends beyond it, and reads the complete operand from the data after the frame.
void PickleMachine::dropFrame() {
    note(AnomalyKind::FrameTooShort);
    m_at = m_fence;
    m_fence = m_end;
    m_inFrame = false;
    m_splitOp = m_op;
}

/// Checks that the text fits, as for an operand.
bool PickleMachine::content(std::uint64_t size) {
    const bool beyond = m_at < m_fence && size > static_cast<std::uint64_t>(m_fence - m_at);
    if (beyond && m_inFrame && m_limits.dropAtFrameEnd) {
        dropFrame();
    }
    return size <= left() || truncated();
}

bool PickleMachine::opFrame() {
    std::uint64_t length = 0;
    if (!operand(length)) {
        return false;
    }
    if (m_inFrame && !odd(AnomalyKind::FrameNested, ErrorCode::PickleBadFrame,
                          "A frame begins inside another frame")) {
        return false;
    }
    if (m_inFrame && m_limits.dropAtFrameEnd) {
        if (length <= static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(m_fence - m_at, 0))) {
            return true; // inside the part that was already read
        }
        m_at = std::max(m_at, m_fence);
    }
    if (length > left()) {
        return odd(AnomalyKind::FrameBeyondEnd, ErrorCode::PickleBadFrame,
                   "A frame is longer than the pickle");
    }
    m_fence = m_at + length;
    m_inFrame = true;
    return true;
}

} // namespace cairn::pickle
