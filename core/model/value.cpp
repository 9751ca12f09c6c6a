// SPDX-License-Identifier: Apache-2.0
#include "core/model/value.h"

#include "core/base/endian.h"
#include "core/base/number.h"
#include "core/base/visible_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

const std::vector<ValueItem> kNoItems;

class TensorShifter {
public:
    explicit TensorShifter(std::uint32_t offset) : m_offset(offset) {}

    Value shift(const Value& value) {
        if (const TensorIndex* tensor = value.asTensor()) {
            return TensorIndex(tensor->position() + m_offset);
        }
        const ValueNode* node = value.asNode();
        if (node == nullptr) {
            return value;
        }
        if (const auto known = m_done.find(node); known != m_done.end()) {
            return known->second;
        }
        ValueNode copy{node->kind, node->className, {}};
        copy.items.reserve(node->items.size());
        for (const ValueItem& item : node->items) {
            copy.items.push_back({item.key, shift(item.value)});
        }
        Value shifted = Value::container(std::move(copy));
        m_done.emplace(node, shifted);
        return shifted;
    }

private:
    std::uint32_t m_offset;
    std::unordered_map<const ValueNode*, Value> m_done;
};

} // namespace

Value Value::bytes(std::vector<std::byte> bytes) {
    Value value;
    value.m_data = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return value;
}

Value Value::container(ValueNode node) {
    Value value;
    value.m_data = std::make_shared<const ValueNode>(std::move(node));
    return value;
}

Value Value::list(std::vector<Value> values) {
    ValueNode node{ValueKind::List, {}, {}};
    node.items.reserve(values.size());
    for (Value& value : values) {
        node.items.push_back({{}, std::move(value)});
    }
    return container(std::move(node));
}

Value Value::dict(std::vector<ValueItem> items, std::string className) {
    return container({ValueKind::Dict, std::move(className), std::move(items)});
}

Value Value::object(std::string className, std::vector<ValueItem> state) {
    return container({ValueKind::Object, std::move(className), std::move(state)});
}

ValueKind Value::kind() const {
    switch (m_data.index()) {
    case 0:
        return ValueKind::Null;
    case 1:
        return ValueKind::Bool;
    case 2:
        return ValueKind::Int;
    case 3:
        return ValueKind::Float;
    case 4:
        return ValueKind::String;
    case 5:
        return ValueKind::BigInt;
    case 6:
        return ValueKind::Bytes;
    case 7:
        return ValueKind::Tensor;
    default:
        return std::get<NodePtr>(m_data)->kind;
    }
}

const std::vector<std::byte>* Value::asBytes() const {
    const BytesPtr* bytes = std::get_if<BytesPtr>(&m_data);
    return bytes == nullptr ? nullptr : bytes->get();
}

const ValueNode* Value::asNode() const {
    const NodePtr* node = std::get_if<NodePtr>(&m_data);
    return node == nullptr ? nullptr : node->get();
}

const std::vector<ValueItem>& Value::items() const {
    const ValueNode* node = asNode();
    return node == nullptr ? kNoItems : node->items;
}

const Value* Value::find(std::string_view key) const {
    const ValueNode* node = asNode();
    if (node == nullptr || (node->kind != ValueKind::Dict && node->kind != ValueKind::Object)) {
        return nullptr;
    }
    for (const ValueItem& item : node->items) {
        if (const std::string* text = item.key.asString(); text != nullptr && *text == key) {
            return &item.value;
        }
    }
    return nullptr;
}

const Value* Value::findPath(std::initializer_list<std::string_view> path) const {
    const Value* value = this;
    for (const std::string_view key : path) {
        const Value* next = value->find(key);
        const bool isSequence =
            value->kind() == ValueKind::List || value->kind() == ValueKind::Tuple;
        for (std::size_t i = 0; next == nullptr && isSequence && i < value->items().size(); ++i) {
            next = std::to_string(i) == key ? &value->items()[i].value : nullptr;
        }
        if (next == nullptr) {
            return nullptr;
        }
        value = next;
    }
    return value;
}

namespace {

/// A float as Python prints it: the shortest text that gives the same number, with a point.
std::string floatText(double number) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    std::string text(buffer.data(), end.ptr);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

} // namespace

std::string keyText(const Value& key) {
    switch (key.kind()) {
    case ValueKind::String:
        return *key.asString();
    case ValueKind::Int:
        return std::to_string(*key.asInt());
    case ValueKind::BigInt:
        return key.asBigInt()->digits;
    case ValueKind::Bool:
        return *key.asBool() ? "True" : "False";
    case ValueKind::Null:
        return "None";
    case ValueKind::Float:
        return floatText(*key.asFloat());
    case ValueKind::Tuple:
    case ValueKind::List: {
        std::string text = "(";
        for (const ValueItem& item : key.items()) {
            text += (text.size() == 1 ? "" : ", ") + keyText(item.value);
        }
        return text + ")";
    }
    case ValueKind::Bytes: {
        const std::string_view text = asText(*key.asBytes());
        return isValidUtf8(text) ? std::string(text) : "b'" + visibleText(text) + "'";
    }
    case ValueKind::Object:
        return "<" + key.asNode()->className + ">";
    default:
        return "<key>";
    }
}

std::optional<double> numberOf(const Value& value) {
    if (const std::int64_t* integer = value.asInt()) {
        return static_cast<double>(*integer);
    }
    const double* real = value.asFloat();
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

bool sameLeaf(const Value& left, const Value& right) {
    const auto exact = [](const Value& value) -> std::optional<Number> {
        if (const std::int64_t* whole = value.asInt()) {
            return Number(*whole);
        }
        const double* real = value.asFloat();
        return real != nullptr ? std::optional(Number{*real}) : std::nullopt;
    };
    const auto l = exact(left);
    const auto r = exact(right);
    if (l && r) {
        return *l == *r || (std::isnan(l->nearest) && std::isnan(r->nearest));
    }
    if (left.kind() != right.kind()) {
        return false;
    }
    switch (left.kind()) {
    case ValueKind::Bool:
        return *left.asBool() == *right.asBool();
    case ValueKind::String:
        return *left.asString() == *right.asString();
    case ValueKind::BigInt:
        return *left.asBigInt() == *right.asBigInt();
    case ValueKind::Bytes:
        return *left.asBytes() == *right.asBytes();
    case ValueKind::Tensor:
        return *left.asTensor() == *right.asTensor();
    default:
        return true; // null, and containers
    }
}

Value shiftTensors(const Value& value, std::uint32_t offset) {
    return offset == 0 ? value : TensorShifter(offset).shift(value);
}

std::uint64_t expandedSize(const Value& value, std::uint64_t limit) {
    // Sizes of shared nodes are cached, so that a memo bomb costs its number of distinct nodes.
    struct Counter {
        std::uint64_t limit;
        std::unordered_map<const void*, std::uint64_t> known;
        std::uint64_t count(const Value& v) {
            if (!v.isContainer()) {
                return 1;
            }
            if (const auto found = known.find(v.identity()); found != known.end()) {
                return found->second;
            }
            std::uint64_t total = 1;
            for (const ValueItem& item : v.items()) {
                total = std::min(limit, total + count(item.value));
            }
            known.emplace(v.identity(), total);
            return total;
        }
    };
    return Counter{limit, {}}.count(value);
}

} // namespace cairn
