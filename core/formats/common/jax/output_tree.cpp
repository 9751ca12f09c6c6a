// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/jax/output_tree.h"

#include "core/base/visible_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats::jax {
namespace {

constexpr int kTreeDepth = 180;                ///< of what the readers accept
constexpr std::size_t kMostNodes = 10'000'000; ///< of a tree that shares its nodes

/// Nested dicts of tensors by their names.
class NameTree {
public:
    explicit NameTree(std::span<const LayoutTensor* const> tensors) {
        for (const LayoutTensor* tensor : tensors) {
            m_names.insert(tensor->name);
        }
        m_nodes.emplace_back();
        for (const LayoutTensor* tensor : tensors) {
            add(*tensor);
        }
    }

    std::vector<ValueItem> take(std::size_t node = 0) {
        std::vector<ValueItem> items;
        for (auto& [key, value, child] : m_nodes[node].items) {
            items.push_back({Value(std::move(key)), child == 0 ? value : Value::dict(take(child))});
        }
        return items;
    }

private:
    struct Item {
        std::string key;
        Value value;
        std::size_t child = 0; ///< 0: a leaf
    };
    struct Node {
        std::vector<Item> items;
        std::map<std::string, std::size_t, std::less<>> children;
    };

    void add(const LayoutTensor& tensor) {
        const std::string_view name = tensor.name;
        std::size_t node = 0;
        std::size_t begin = 0;
        int depth = 0;
        for (std::size_t dot = name.find('.'); dot != std::string_view::npos && depth < kTreeDepth;
             dot = name.find('.', dot + 1)) {
            if (m_names.contains(name.substr(0, dot))) {
                continue; // a tensor: no dict can be there
            }
            node = child(node, name.substr(begin, dot - begin));
            begin = dot + 1;
            ++depth;
        }
        m_nodes[node].items.push_back({std::string(name.substr(begin)), Value(tensor.source), 0});
    }

    std::size_t child(std::size_t node, std::string_view key) {
        if (const auto found = m_nodes[node].children.find(key);
            found != m_nodes[node].children.end()) {
            return found->second;
        }
        const std::size_t fresh = m_nodes.size();
        m_nodes[node].children.emplace(std::string(key), fresh);
        m_nodes[node].items.push_back({std::string(key), Value(), fresh});
        m_nodes.emplace_back();
        return fresh;
    }

    std::set<std::string_view> m_names;
    std::vector<Node> m_nodes;
};

Result<void> checkName(std::string_view name) {
    if (isValidUtf8(name)) {
        return {};
    }
    return fail(ErrorCode::NameNotRepresentable,
                "A name is not UTF-8, and JAX's formats store no other")
        .inTensor(std::string(name))
        .withHint("Rename the tensor");
}

/// A copy of values without references to tensors that are not written.
class Pruner {
public:
    explicit Pruner(std::span<const LayoutTensor> tensors) {
        for (const LayoutTensor& tensor : tensors) {
            m_written.insert(tensor.source.value);
        }
    }

    Result<Value> prune(const Value& value, const std::string& place = {}, int depth = 0) {
        if (const TensorIndex* tensor = value.asTensor()) {
            mentioned.insert(tensor->value);
            return value;
        }
        if (const std::string* text = value.asString(); text != nullptr && !isValidUtf8(*text)) {
            return fail(ErrorCode::Unsupported,
                        "A text is not UTF-8, and JAX's formats store no other")
                .inField(place)
                .withHint(tensorsAlone());
        }
        if (!value.isContainer()) {
            return value;
        }
        if (depth > kTreeDepth || ++m_nodes > kMostNodes) {
            return fail(ErrorCode::LimitExceeded, "The plain values are nested too deeply")
                .expecting(sentence("at most %1 levels", kTreeDepth));
        }
        ValueNode node = *value.asNode();
        const bool isKeyed = node.kind == ValueKind::Dict || node.kind == ValueKind::Object;
        const auto isOmitted = [&](const ValueItem& item) {
            const TensorIndex* tensor = item.value.asTensor();
            return tensor != nullptr && !m_written.contains(tensor->value);
        };
        if (isKeyed) {
            std::erase_if(node.items, isOmitted);
        }
        if (node.kind == ValueKind::Dict) {
            CAIRN_CHECK(checkKeys(node.items, place));
        }
        std::size_t position = 0;
        for (ValueItem& item : node.items) {
            if (isOmitted(item)) {
                item.value = Value();
            }
            const std::string key = isKeyed ? keyText(item.key) : std::to_string(position);
            CAIRN_TRY(item.value, prune(item.value, placeBelow(place, key), depth + 1));
            ++position;
        }
        return Value::container(std::move(node));
    }

    std::set<std::uint32_t> mentioned;

private:
    /// Both formats store keys as text.
    static Result<void> checkKeys(const std::vector<ValueItem>& items, const std::string& place) {
        std::set<std::string> seen;
        for (const ValueItem& item : items) {
            std::string key = keyText(item.key);
            CAIRN_CHECK(checkName(key));
            if (seen.contains(key)) {
                return fail(ErrorCode::DuplicateTensor,
                            "Two keys of a dict become the same text, as which keys are stored")
                    .inField(placeBelow(place, key))
                    .withHint(tensorsAlone());
            }
            seen.insert(std::move(key));
        }
        return {};
    }

    std::set<std::uint32_t> m_written;
    std::size_t m_nodes = 0;
};

} // namespace

std::string placeBelow(const std::string& place, std::string_view key) {
    return place.empty() ? std::string(key) : place + "." + std::string(key);
}

Result<Value> outputTree(const LayoutRequest& request) {
    std::vector<const LayoutTensor*> rest;
    Value values = Value::dict({});
    std::set<std::uint32_t> mentioned;
    for (const LayoutTensor& tensor : request.tensors) {
        CAIRN_CHECK(checkName(tensor.name));
    }
    if (request.values != nullptr && request.values->kind() != ValueKind::Null) {
        Pruner pruner(request.tensors);
        CAIRN_TRY(values, pruner.prune(*request.values));
        mentioned = std::move(pruner.mentioned);
    }
    for (const LayoutTensor& tensor : request.tensors) {
        if (!mentioned.contains(tensor.source.value)) {
            rest.push_back(&tensor);
        }
    }
    if (rest.empty()) {
        return values;
    }
    if (values.kind() != ValueKind::Dict) {
        return fail(ErrorCode::Unsupported, "The plain values do not contain all tensors")
            .inTensor(std::string(rest.front()->name))
            .withHint(tensorsAlone());
    }
    std::vector<ValueItem> items = values.items();
    for (ValueItem& item : NameTree(rest).take()) {
        if (values.find(keyText(item.key)) != nullptr) {
            return fail(ErrorCode::Unsupported, "A plain value has the key of tensors")
                .inField(keyText(item.key))
                .withHint(tensorsAlone());
        }
        items.push_back(std::move(item));
    }
    return Value::dict(std::move(items));
}

RequestTensors::RequestTensors(const LayoutRequest& request)
    : m_request(request), m_taken(request.tensors.size()) {
    for (std::size_t i = 0; i < request.tensors.size(); ++i) {
        m_positions.emplace(request.tensors[i].source.value, i);
    }
}

Result<const LayoutTensor*> RequestTensors::take(TensorIndex tensor, const std::string& place) {
    const std::size_t position = m_positions.at(tensor.value);
    const LayoutTensor& found = m_request.tensors[position];
    const bool isOther = place != found.name;
    if (m_taken[position] || isOther) {
        return fail(ErrorCode::Unsupported,
                    isOther ? Sentence("The place of a tensor in the plain values is not its name")
                            : "The plain values contain a tensor twice")
            .inTensor(std::string(found.name))
            .butFound(verbatim(place))
            .withHint(tensorsAlone());
    }
    m_taken[position] = true;
    return &found;
}

Result<ArrayType> arrayType(const LayoutTensor& tensor) {
    const DtypeInfo& info = dtypeInfo(tensor.dtype);
    const bool isNumber = info.kind == DtypeKind::Bool || info.kind == DtypeKind::Unsigned ||
                          info.kind == DtypeKind::Signed || info.kind == DtypeKind::Float ||
                          info.kind == DtypeKind::Complex;
    if (!isNumber || info.bits % 8 != 0 || info.isBlock() || tensor.dtype == Dtype::Complex32) {
        return fail(ErrorCode::DtypeNotRepresentable, "Not an element type of NumPy and JAX")
            .inTensor(std::string(tensor.name))
            .butFound(verbatim(std::string(info.name)))
            .withHint("Cast it with --dtype float32, or write safetensors");
    }
    const auto count = elementCount(tensor.shape);
    const auto bytes = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
    if (!bytes) {
        return fail(ErrorCode::LimitExceeded, "The tensor's size overflows")
            .inTensor(std::string(tensor.name));
    }
    return ArrayType{info.name, info.bits / 8, *bytes};
}

Error notStorable(const Value& value, const std::string& place, std::string_view format) {
    const ValueNode* node = value.asNode();
    Error error = fail(ErrorCode::Unsupported, sentence("%1 cannot store this value", format))
                      .inField(place)
                      .withHint(tensorsAlone());
    if (node != nullptr && !node->className.empty()) {
        error.found = verbatim(node->className);
    }
    return error;
}

std::optional<std::pair<double, double>> complexParts(const Value& value) {
    const ValueNode* node = value.asNode();
    if (node == nullptr || node->kind != ValueKind::Object || node->className != kComplexClass) {
        return std::nullopt;
    }
    const Value* real = value.find("real");
    const Value* imaginary = value.find("imag");
    if (real == nullptr || imaginary == nullptr || real->asFloat() == nullptr ||
        imaginary->asFloat() == nullptr) {
        return std::nullopt;
    }
    return std::pair(*real->asFloat(), *imaginary->asFloat());
}

} // namespace cairn::formats::jax
