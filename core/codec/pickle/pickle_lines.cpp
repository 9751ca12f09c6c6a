// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_machine.h"
#include "core/codec/pickle/pickle_text.h"

#include <cstring>
#include <utility>

// Opcodes whose operand is a line of text (protocol 0), and the extension registry.

namespace cairn::pickle {
namespace {

/// CPython 3.11 and later do not convert longer decimal text.
constexpr std::size_t kMaxIntegerDigits = 4300;

} // namespace

bool PickleMachine::line(std::string_view& text) {
    if (m_inFrame && m_limits.dropAtFrameEnd && m_at < m_fence &&
        std::memchr(m_at, '\n', static_cast<std::size_t>(m_fence - m_at)) == nullptr) {
        dropFrame();
    }
    const void* end = left() == 0 ? nullptr : std::memchr(m_at, '\n', left());
    if (end == nullptr) {
        return truncated();
    }
    const auto length = static_cast<std::size_t>(static_cast<const Byte*>(end) - m_at);
    text = {reinterpret_cast<const char*>(m_at), length};
    m_at += length + 1;
    return true;
}

/// The line of an import. The Python unpickler accepts a last line without a newline and drops its
/// last character.
bool PickleMachine::nameLine(std::string_view& text) {
    const Byte* begin = m_at;
    if (line(text)) {
        return true;
    }
    if (!m_limits.lenient) {
        return false;
    }
    m_error.reset();
    const std::string_view rest(reinterpret_cast<const char*>(begin),
                                static_cast<std::size_t>(m_end - begin));
    text = rest.substr(0, rest.empty() ? 0 : rest.size() - 1);
    m_at = m_end; // ends the loop at the next opcode
    return true;
}

bool PickleMachine::decimalIndex(std::uint64_t& index) {
    std::string_view text;
    if (!line(text)) {
        return false;
    }
    const IntegerSpelling spelling = readIntegerLine(text);
    if (!spelling.valid || !spelling.value || *spelling.value < 0) {
        return failWith(ErrorCode::PickleBadMemo, "A memo index is not an integer");
    }
    index = static_cast<std::uint64_t>(*spelling.value);
    return true;
}

bool PickleMachine::pushOwned(NodeKind kind, std::string text) {
    m_graph.m_owned.push_back(std::move(text));
    return pushNode(node::make(kind, node::kOwned, m_graph.m_owned.size() - 1));
}

bool PickleMachine::pushLine(NodeKind kind, std::string_view text) {
    if (text.size() > node::kRunMax) {
        return pushOwned(kind, std::string(text));
    }
    const auto offset =
        static_cast<std::uint64_t>(reinterpret_cast<const Byte*>(text.data()) - m_begin);
    return pushNode(node::make(kind, node::kLine, text.size() | (offset << 16)));
}

bool PickleMachine::opGet() {
    std::uint64_t index = 0;
    return decimalIndex(index) && getMemo(index);
}
bool PickleMachine::opPut() {
    std::uint64_t index = 0;
    return decimalIndex(index) && putMemo(index);
}

bool PickleMachine::integerLine(IntegerLine kind) {
    std::string_view text;
    if (!line(text)) {
        return false;
    }
    if (kind == IntegerLine::Int && (text == "00" || text == "01")) {
        return push(text == "01" ? node::kTrue : node::kFalse);
    }
    const IntegerSpelling spelling = readIntegerLine(text);
    if (!spelling.valid) {
        return odd(AnomalyKind::HugeNumber, ErrorCode::PickleBadOperand, "Invalid integer") &&
               push(node::kNone);
    }
    if (spelling.value) {
        return pushInteger(*spelling.value);
    }
    if (spelling.digits.size() > kMaxIntegerDigits &&
        !odd(AnomalyKind::HugeNumber, ErrorCode::LimitExceeded,
             "An integer has more than 4300 digits")) {
        return false;
    }
    return pushOffset(NodeKind::BigInt);
}
bool PickleMachine::opInt() {
    return integerLine(IntegerLine::Int);
}
bool PickleMachine::opLong() {
    return integerLine(IntegerLine::Long);
}
bool PickleMachine::opFloat() {
    std::string_view text;
    if (!line(text)) {
        return false;
    }
    if (!readFloatLine(text)) {
        return odd(AnomalyKind::HugeNumber, ErrorCode::PickleBadOperand, "Invalid number") &&
               push(node::kNone);
    }
    return pushOffset(NodeKind::Float);
}

bool PickleMachine::opString() {
    std::string_view text;
    if (!line(text)) {
        return false;
    }
    std::optional<std::string> plain = unescapeString(text);
    if (!plain) {
        return odd(AnomalyKind::BadText, ErrorCode::PickleBadText,
                   "A string is not quoted as in Python") &&
               push(node::kNone);
    }
    const NodeKind kind = isPickleUtf8(*plain) ? NodeKind::Str : NodeKind::Bytes;
    return pushOwned(kind, std::move(*plain));
}
bool PickleMachine::opUnicode() {
    std::string_view text;
    if (!line(text)) {
        return false;
    }
    std::optional<std::string> plain = unescapeUnicode(text);
    if (!plain) {
        return odd(AnomalyKind::BadText, ErrorCode::PickleBadText,
                   "A string contains an invalid escape sequence") &&
               push(node::kNone);
    }
    return *plain == text ? pushLine(NodeKind::Str, text)
                          : pushOwned(NodeKind::Str, std::move(*plain));
}
bool PickleMachine::opPersId() {
    std::string_view text;
    NodeId payload;
    if (!line(text) || !pushLine(isPickleUtf8(text) ? NodeKind::Str : NodeKind::Bytes, text)) {
        return false;
    }
    payload = pop();
    return pushNode(node::make(NodeKind::PersistentId, 0, payload.value));
}

bool PickleMachine::opGlobal() {
    std::string_view module;
    std::string_view name;
    NodeId id;
    return nameLine(module) && nameLine(name) && addGlobal({module, name}, id) && push(id);
}
bool PickleMachine::opInst() {
    std::string_view module;
    std::string_view name;
    std::size_t start = 0;
    NodeId callable;
    // Python imports the name before it finds that the mark is missing.
    if (!nameLine(module) || !nameLine(name) || !addGlobal({module, name}, callable) ||
        !popMark(start)) {
        return false;
    }
    NodeId id;
    NodeId args = node::kEmptyTuple;
    const auto values = above(start);
    if ((!values.empty() && !makeContainer(NodeKind::Tuple, values, args)) ||
        !addObject(MadeBy::Inst, callable, args, {}, id)) {
        return false;
    }
    m_stack.shrink(start);
    return push(id);
}

/// The registry belongs to the loading process (copyreg.add_extension): the stream does not contain
/// the name for the code.
bool PickleMachine::extension(std::uint32_t code) {
    if (code == 0 || code > 0x7FFF'FFFF) {
        return failWith(ErrorCode::PickleBadOperand, "An extension code is not positive");
    }
    m_graph.m_owned.push_back(std::to_string(code));
    NodeId id;
    return addGlobal({"copyreg extension", m_graph.m_owned.back()}, id) && push(id);
}
bool PickleMachine::opExt1() {
    std::uint8_t code = 0;
    return operand(code) && extension(code);
}
bool PickleMachine::opExt2() {
    std::uint16_t code = 0;
    return operand(code) && extension(code);
}
bool PickleMachine::opExt4() {
    std::uint32_t code = 0;
    return operand(code) && extension(code);
}

} // namespace cairn::pickle
