// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle_id.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// How values are packed; for PickleGraph and its makers alone.
///
/// A NodeId is a position in the node list, or, with its top bit set, the value itself:
///     10vv vvvv …   a 30-bit signed integer
///     1100 … 0nnn   None, False, True, ()
///     1111 … 1111   absent
///
/// A node is 8 bytes: kind (5 bits), form (3 bits), payload (56 bits). The payload is
///     Str Bytes ByteArray BigInt Float, Int of 57 to 64 bits: offset of the opcode
///     Str Bytes in form kOwned: position among the graph's own strings
///     Str Bytes in form kLine: offset (40 bits) and length (16 bits) in the buffer
///     Int: the value
///     Tuple List Dict Set FrozenSet: count (16 bits) and start (40 bits) of the children;
///         in form kBig the run begins with its count and capacity
///     Object: ObjectFlags (16 bits) and start (40 bits) of [callable, args(, state)];
///         extended: [callable, args, kwargs, items: List, pairs: Dict, states: List]
///     Global: position in globals(); PersistentId: its payload's NodeId; Buffer: its number
namespace cairn::pickle::node {

inline constexpr std::uint32_t kImmediate = 0x8000'0000;
inline constexpr std::uint32_t kSpecial = 0xC000'0000;
inline constexpr NodeId kNone{kSpecial};
inline constexpr NodeId kFalse{kSpecial + 1};
inline constexpr NodeId kTrue{kSpecial + 2};
inline constexpr NodeId kEmptyTuple{kSpecial + 3};

inline constexpr std::uint64_t kOwned = 1;
inline constexpr std::uint64_t kLine = 2;
inline constexpr std::uint64_t kWide = 1;       // Int
inline constexpr std::uint64_t kBig = 1;        // containers
inline constexpr std::uint64_t kUnhashable = 2; // Tuple
inline constexpr std::uint64_t kRunMax = 0xFFFF;
inline constexpr std::uint64_t kRunHeader = 2;

inline constexpr std::uint64_t kMadeByMask = 7;
inline constexpr std::uint64_t kHasStateSlot = 8;
inline constexpr std::uint64_t kExtended = 16;
enum ExtendedSlot : std::size_t { kCallable, kArgs, kKwargs, kItems, kPairs, kStates };
inline constexpr std::size_t kStateSlot = 2;

inline bool isImmediate(NodeId id) {
    return (id.value & kImmediate) != 0;
}
inline bool isSmallInt(NodeId id) {
    return (id.value & kSpecial) == kImmediate;
}
inline bool fitsImmediate(std::int64_t value) {
    return value >= -(std::int64_t{1} << 29) && value < (std::int64_t{1} << 29);
}
inline NodeId smallInt(std::int64_t value) {
    return {kImmediate | (static_cast<std::uint32_t>(value) & 0x3FFF'FFFF)};
}
inline std::int64_t smallIntValue(NodeId id) {
    return static_cast<std::int32_t>(id.value << 2) >> 2;
}
inline NodeKind immediateKind(NodeId id) {
    if (isSmallInt(id)) {
        return NodeKind::Int;
    }
    switch (id.value - kSpecial) {
    case 0:
        return NodeKind::None;
    case 1:
    case 2:
        return NodeKind::Bool;
    case 3:
        return NodeKind::Tuple;
    default:
        return NodeKind::Absent;
    }
}

inline std::uint64_t make(NodeKind kind, std::uint64_t form, std::uint64_t payload) {
    return static_cast<std::uint64_t>(kind) | (form << 5) | (payload << 8);
}
inline NodeKind kindOf(std::uint64_t packed) {
    return static_cast<NodeKind>(packed & 31);
}
inline std::uint64_t formOf(std::uint64_t packed) {
    return (packed >> 5) & 7;
}
inline std::uint64_t payloadOf(std::uint64_t packed) {
    return packed >> 8;
}
inline std::uint64_t countOf(std::uint64_t packed) {
    return (packed >> 8) & kRunMax;
}
inline std::uint64_t flagsOf(std::uint64_t packed) {
    return (packed >> 8) & kRunMax;
}
inline std::uint64_t startOf(std::uint64_t packed) {
    return packed >> 24;
}
inline std::uint64_t makeRun(NodeKind kind, std::uint64_t form, std::uint64_t count,
                             std::uint64_t start) {
    return make(kind, form, count | (start << 16));
}

/// Where the content of a counted string opcode is; the machine has checked its bounds.
std::span<const std::byte> countedContent(std::span<const std::byte> buffer, std::uint64_t offset);

} // namespace cairn::pickle::node
