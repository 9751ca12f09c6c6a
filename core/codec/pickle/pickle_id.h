// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace cairn::pickle {

/// A value in one graph. Default constructed: no value, with kind() NodeKind::Absent.
struct NodeId {
    std::uint32_t value = 0xFFFF'FFFF;
    [[nodiscard]] bool present() const { return value != 0xFFFF'FFFF; }
    friend bool operator==(const NodeId&, const NodeId&) = default;
    friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

enum class NodeKind : std::uint8_t {
    Absent,
    None,
    Bool,
    Int,    ///< fits in 64 bits
    BigInt, ///< does not fit in 64 bits
    Float,
    Str, ///< also Python 2 `str` whose bytes are valid UTF-8
    Bytes,
    ByteArray,
    Tuple,
    List,
    Dict,
    Set,
    FrozenSet,
    Global,       ///< a name that Python would import: a class, a function, a dtype …
    Object,       ///< result of a call; see callable(), args(), states(), items(), pairs()
    PersistentId, ///< a reference to something outside the stream, such as a torch storage
    Buffer,       ///< protocol 5 out-of-band buffer
};

} // namespace cairn::pickle
