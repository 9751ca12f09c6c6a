// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/pickle/pickle_arena.h"
#include "core/codec/pickle/pickle_id.h"
#include "core/codec/pickle/pickle_node.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// A pickle read as data. The machine supports every opcode of protocols 0 to 5, but it imports
/// nothing and calls nothing: what Python would import or call becomes a node of the graph.
/// Memoised values are shared in the graph, never copied, so that a small stream cannot grow into a
/// large result.
///
/// Ownership: strings and bytes are views into the pickle's buffer. A PickleBytes with an owner
/// makes the graph keep the buffer alive; with a bare span the caller must. Decoded text (protocol
/// 0 escapes) is stored in the graph. Threads: a PickleGraph is immutable; const members may be
/// called from any thread. Failure: malformed streams give Pickle* codes with the offset of the
/// opcode; PickleLimits give LimitExceeded. Cost: about 8 bytes a node and 4 bytes a child; small
/// integers, None, booleans and () only cost the reference to them.
namespace cairn::pickle {

/// The opcode that made an Object.
enum class MadeBy : std::uint8_t { Reduce, NewObj, NewObjEx, Inst, Obj };

struct GlobalName {
    std::string_view module;
    std::string_view name; ///< may contain dots (protocol 4: attribute of a class)
    friend bool operator==(const GlobalName&, const GlobalName&) = default;
};

/// Maps Python 2 names to Python 3 names: `__builtin__ set` -> `builtins set`, `copy_reg
/// _reconstructor` -> `copyreg …`. Other names are returned unchanged. The result's views are
/// static or those of the argument.
GlobalName python3Name(GlobalName name);

/// One import of a name, in stream order.
struct GlobalUse {
    GlobalName name; ///< as in the stream
    std::uint64_t offset = 0;
    std::uint8_t opcode = 0; ///< 'c', 'i', 0x93 (STACK_GLOBAL), 0x82 to 0x84 (EXT)
    bool called = false;     ///< by REDUCE, NEWOBJ, NEWOBJ_EX, INST or OBJ
    bool asFunction = false; ///< called by REDUCE, INST or OBJ, which can call any function
    bool built = false;      ///< BUILD was applied to an instance that a call of this name made
};

enum class AnomalyKind : std::uint8_t {
    FrameTooShort,   ///< an opcode extends beyond the end of its frame
    FrameNested,     ///< a frame begins inside another frame
    FrameBeyondEnd,  ///< a frame is longer than the stream
    MemoOverwritten, ///< a memo slot was assigned twice
    LeftOnStack,     ///< values were left on the stack at STOP
    OpcodeOfLaterProtocol,
    ProtocolRepeated, ///< PROTO after the start of the stream
    BuildOnNonObject, ///< BUILD on something that is not an instance made in this stream
    ItemsOnNonContainer,
    ComputedCallable, ///< the result of a call was called
    BadArguments,     ///< the arguments of a call are not a tuple
    ComputedName,     ///< STACK_GLOBAL with a module or name that is not a string
    UnhashableKey,
    BadText,
    HugeNumber, ///< a number that Cairn cannot represent, or whose spelling it does not support
};

struct Anomaly {
    AnomalyKind kind{};
    std::uint64_t offset = 0;
};

/// Bytes and their owner (null: the caller keeps them alive).
struct PickleBytes {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;

    PickleBytes() = default;
    PickleBytes(std::span<const std::byte> view) : bytes(view) {}
    PickleBytes(std::shared_ptr<const std::vector<std::byte>> buffer)
        : bytes(*buffer), owner(std::move(buffer)) {}
    PickleBytes(std::span<const std::byte> view, std::shared_ptr<const void> keeper)
        : bytes(view), owner(std::move(keeper)) {}
};

struct PickleLimits {
    std::uint64_t maxNodes = std::uint64_t{1} << 28; ///< 2 GiB of nodes; at most 2^31 - 1
    std::uint64_t maxStack = std::uint64_t{1}
                             << 28; ///< values on the stack and in containers at the same time
    /// Continue where some version of Python would (type confusion, frames, huge numbers): record
    /// an Anomaly instead of failing.
    bool lenient = false;
    /// Read short frames as CPython's C unpickler does from a file without peek(): an operand that
    /// extends beyond its frame is read from the data after the frame. For scanners, which must
    /// consider every interpretation.
    bool dropAtFrameEnd = false;
    /// Maximum nesting of arrays of objects that joblib writes between two opcodes.
    int inlineDepth = 3;
    /// Set: the stream may contain joblib's arrays between two opcodes, which a strict parse
    /// refuses otherwise. Called with the offset after each BUILD without an array, and after each
    /// array: the bytes from there to the next BUILD, with two more, or to STOP must be there when
    /// it returns.
    std::function<Result<void>(std::uint64_t at)> onBuilt;
};

/// The pairs of a dict in stream order. If a key occurs twice, the later pair is valid.
class PairView {
public:
    struct Pair {
        NodeId key;
        NodeId value;
    };
    class Iterator {
    public:
        explicit Iterator(const NodeId* at) : m_at(at) {}
        Pair operator*() const { return {m_at[0], m_at[1]}; }
        Iterator& operator++() {
            m_at += 2;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const NodeId* m_at;
    };
    explicit PairView(std::span<const NodeId> flat) : m_flat(flat) {}
    [[nodiscard]] std::size_t size() const { return m_flat.size() / 2; }
    [[nodiscard]] bool empty() const { return m_flat.empty(); }
    Pair operator[](std::size_t i) const { return {m_flat[2 * i], m_flat[2 * i + 1]}; }
    [[nodiscard]] Iterator begin() const { return Iterator(m_flat.data()); }
    [[nodiscard]] Iterator end() const { return Iterator(m_flat.data() + (m_flat.size() / 2) * 2); }

private:
    std::span<const NodeId> m_flat;
};

/// The contents of a pickle. Asking a node for something that its kind does not have gives an empty
/// value (0, "", Absent), never undefined behaviour. The graph may contain cycles (a list inside
/// itself, an object inside its own state): walk it with forEachReachable(), or limit the depth, or
/// track visited nodes. Never recurse without a limit.
class PickleGraph {
public:
    [[nodiscard]] NodeId root() const { return m_root; }
    [[nodiscard]] int protocol() const { return m_protocol; } ///< highest PROTO, else 0
    [[nodiscard]] std::uint64_t consumed() const {
        return m_consumed;
    } ///< bytes up to and including STOP
    [[nodiscard]] std::span<const std::byte> buffer() const { return m_source.bytes; }
    [[nodiscard]] const PickleBytes& source() const { return m_source; }

    [[nodiscard]] NodeKind kind(NodeId id) const {
        return node::isImmediate(id) ? node::immediateKind(id) : node::kindOf(nodeOf(id));
    }
    [[nodiscard]] bool isNone(NodeId id) const { return kind(id) == NodeKind::None; }

    [[nodiscard]] bool boolean(NodeId id) const;         ///< Bool
    [[nodiscard]] std::int64_t integer(NodeId id) const; ///< Int, Bool
    [[nodiscard]] std::optional<std::int64_t>
    asInteger(NodeId id) const;                   ///< Int, Bool; else nothing
    [[nodiscard]] double number(NodeId id) const; ///< Float, Int, Bool
    /// BigInt and Int in decimal; beyond 4096 bytes in hexadecimal ("0x…"), which is linear in
    /// cost.
    [[nodiscard]] std::string integerText(NodeId id) const;
    [[nodiscard]] std::string_view text(NodeId id) const;            ///< Str
    [[nodiscard]] std::span<const std::byte> bytes(NodeId id) const; ///< Bytes, ByteArray, Str

    /// Tuple, List, Set, FrozenSet; Object: the values added by APPEND(S).
    [[nodiscard]] std::span<const NodeId> items(NodeId id) const;
    /// Dict; Object: the pairs added by SETITEM(S) (OrderedDict, defaultdict …).
    [[nodiscard]] PairView pairs(NodeId id) const;
    /// Value of a string key in pairs(id), the last one if it occurs twice; linear. Absent if
    /// missing.
    [[nodiscard]] NodeId find(NodeId id, std::string_view key) const;

    [[nodiscard]] GlobalName
    global(NodeId id) const; ///< Global: name as in the stream; see python3Name()
    [[nodiscard]] std::size_t globalIndex(NodeId id) const; ///< Global: its position in globals()
    [[nodiscard]] MadeBy madeBy(NodeId id) const;           ///< Object
    [[nodiscard]] NodeId callable(NodeId id) const;         ///< Object: usually a Global
    [[nodiscard]] NodeId args(NodeId id) const;             ///< Object: usually a Tuple
    [[nodiscard]] NodeId kwargs(NodeId id) const;           ///< Object made by NEWOBJ_EX
    [[nodiscard]] NodeId state(NodeId id) const; ///< Object: state from the last BUILD, or Absent
    [[nodiscard]] std::vector<NodeId> states(NodeId id) const; ///< Object: all BUILDs in order
    [[nodiscard]] NodeId payload(NodeId id) const;             ///< PersistentId
    [[nodiscard]] std::uint64_t bufferIndex(NodeId id) const;  ///< Buffer

    /// True for an Object made by calling the given global (Python 3 name).
    [[nodiscard]] bool isCallOf(NodeId id, GlobalName name) const;
    /// Name of the global whose call made this Object (Python 3 name), or empty.
    [[nodiscard]] GlobalName calleeName(NodeId id) const;

    /// Number of stored nodes; their ids are NodeId{0} to NodeId{storedNodes() - 1}, including
    /// values that the stream discarded. Small integers, None, booleans and () are not stored.
    [[nodiscard]] std::size_t storedNodes() const { return m_nodes.size(); }
    [[nodiscard]] const std::vector<GlobalUse>& globals() const { return m_globals; }
    [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return m_anomalies; }
    /// Offsets of the pickles that joblib wrote between two opcodes of this one.
    [[nodiscard]] const std::vector<std::uint64_t>& inlinePickles() const {
        return m_inlinePickles;
    }
    /// The elements of an array that joblib wrote after the BUILD of this Object, its wrapper.
    /// Empty: none, or an array of objects.
    [[nodiscard]] std::optional<std::span<const std::byte>> inlineArray(NodeId id) const;
    [[nodiscard]] std::uint64_t memoryBytes() const; ///< without the buffer

private:
    friend class PickleMachine;
    [[nodiscard]] std::span<const NodeId> run(std::uint64_t node) const;
    [[nodiscard]] NodeId slot(NodeId id, std::size_t index) const;
    [[nodiscard]] NodeId extra(NodeId id, std::size_t index) const;
    [[nodiscard]] std::uint64_t nodeOf(NodeId id) const {
        return id.value < m_nodes.size() ? m_nodes[id.value] : 0;
    }

    PickleBytes m_source;
    GrowArray<std::uint64_t> m_nodes;
    GrowArray<NodeId> m_children;
    std::deque<std::string> m_owned;
    std::vector<GlobalUse> m_globals;
    std::vector<Anomaly> m_anomalies;
    std::vector<std::uint64_t> m_inlinePickles;
    std::unordered_map<std::uint32_t, std::span<const std::byte>> m_inlineArrays; ///< by node
    NodeId m_root;
    int m_protocol = 0;
    std::uint64_t m_consumed = 0;
};

/// Reads one stream from the start of `source`; bytes after its STOP are ignored (see consumed()).
Result<PickleGraph> parsePickle(PickleBytes source, PickleLimits limits = {});

/// Reads as far as possible: the graph contains everything before `error` (root() is then Absent).
struct PickleRun {
    PickleGraph graph;
    std::optional<Error> error;
};
PickleRun runPickle(PickleBytes source, PickleLimits limits = {});

/// Calls `visit` for every value reachable from `from`: parents before children, stored nodes once,
/// unstored ones each time. If `visit` returns false, the children are skipped. Uses one bit a
/// node; handles cycles.
void forEachReachable(const PickleGraph& graph, NodeId from,
                      const std::function<bool(NodeId)>& visit);

} // namespace cairn::pickle
