// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/typed_index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn {

class Value;
struct ValueItem;

/// A Python integer beyond 64 bits, as decimal text.
struct BigInt {
    std::string digits;
    friend bool operator==(const BigInt&, const BigInt&) = default;
};

enum class ValueKind : std::uint8_t {
    Null,
    Bool,
    Int,
    BigInt,
    Float,
    String,
    Bytes,
    Tensor,
    List,
    Tuple,
    Set,
    Dict,
    Object
};

/// The content of a container; shared and immutable, so that a value that a pickle references twice
/// is stored once.
struct ValueNode {
    ValueKind kind = ValueKind::List;
    std::string className; ///< Object: "module.Name"; Dict: "", a dict subclass such as
                           ///< "collections.OrderedDict", or the class of a flattened nn.Module
    std::vector<ValueItem>
        items; ///< List, Tuple, Set: keys are null; Dict: key and value; Object: its attributes
};

/// One plain value from a checkpoint: number, text, container, tensor reference, or an object of an
/// unknown class. Immutable, cheap to copy; any thread. Readers keep the depth at or below
/// kMaxDepth, so that recursion is limited; the tree may share nodes (a DAG), so that printing must
/// limit its output.
class Value {
public:
    static constexpr int kMaxDepth = 1000;

    Value() = default; ///< null
    Value(bool value) : m_data(value) {}
    Value(std::int64_t value) : m_data(value) {}
    Value(double value) : m_data(value) {}
    Value(std::string value) : m_data(std::move(value)) {}
    Value(std::string_view value) : m_data(std::string(value)) {}
    Value(const char* value) : m_data(std::string(value)) {}
    Value(BigInt value) : m_data(std::move(value)) {}
    Value(TensorIndex tensor) : m_data(tensor) {}
    static Value bytes(std::vector<std::byte> bytes);
    static Value container(ValueNode node);
    static Value list(std::vector<Value> values);
    static Value dict(std::vector<ValueItem> items, std::string className = {});
    static Value object(std::string className, std::vector<ValueItem> state);

    [[nodiscard]] ValueKind kind() const;
    [[nodiscard]] bool isContainer() const { return std::holds_alternative<NodePtr>(m_data); }

    // Accessors return null if the value is of another kind.
    [[nodiscard]] const bool* asBool() const { return std::get_if<bool>(&m_data); }
    [[nodiscard]] const std::int64_t* asInt() const { return std::get_if<std::int64_t>(&m_data); }
    [[nodiscard]] const double* asFloat() const { return std::get_if<double>(&m_data); }
    [[nodiscard]] const std::string* asString() const { return std::get_if<std::string>(&m_data); }
    [[nodiscard]] const BigInt* asBigInt() const { return std::get_if<BigInt>(&m_data); }
    [[nodiscard]] const std::vector<std::byte>* asBytes() const;
    [[nodiscard]] const TensorIndex* asTensor() const { return std::get_if<TensorIndex>(&m_data); }
    [[nodiscard]] const ValueNode* asNode() const;

    /// Items of a container; empty for everything else.
    [[nodiscard]] const std::vector<ValueItem>& items() const;

    /// The value under a text key of a Dict or Object; null if there is none.
    [[nodiscard]] const Value* find(std::string_view key) const;

    /// find() along a path of keys; list positions are their decimal text.
    [[nodiscard]] const Value* findPath(std::initializer_list<std::string_view> path) const;

    /// Identity of the shared node, for sets of visited nodes; null for plain values.
    [[nodiscard]] const void* identity() const { return asNode(); }

private:
    using NodePtr = std::shared_ptr<const ValueNode>;
    using BytesPtr = std::shared_ptr<const std::vector<std::byte>>;
    std::variant<std::monostate, bool, std::int64_t, double, std::string, BigInt, BytesPtr,
                 TensorIndex, NodePtr>
        m_data;
};

struct ValueItem {
    Value key;
    Value value;
};

/// The text of a key in a dotted name: strings and UTF-8 bytes unchanged, other bytes escaped,
/// integers in decimal, True/False/None as in Python, other keys as a short description.
std::string keyText(const Value& key);

/// For an Int or a Float; empty for everything else.
std::optional<double> numberOf(const Value& value);

/// Whether two plain values are equal: integers exactly, an integer and a float by value, two NaN
/// are equal; empty containers of one kind are equal. Items of containers are not examined.
bool sameLeaf(const Value& left, const Value& right);

/// The same tree with all tensor references increased by `offset`; for joining checkpoints.
Value shiftTensors(const Value& value, std::uint32_t offset);

/// Number of nodes that a full expansion would print, counted up to `limit`.
std::uint64_t expandedSize(const Value& value, std::uint64_t limit);

} // namespace cairn
