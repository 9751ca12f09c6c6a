// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/object_graph.h"

#include "core/base/endian.h"
#include "core/codec/protobuf/wire.h"
#include "core/codec/protobuf/write.h"

#include <limits>
#include <vector>

namespace cairn::formats::tensorflow {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr std::uint32_t kNode = tag(1, Wire::Length);
constexpr std::uint32_t kChild = tag(1, Wire::Length);
constexpr std::uint32_t kChildObject = tag(1, Wire::Varint);
constexpr std::uint32_t kChildName = tag(2, Wire::Length);
constexpr std::uint32_t kAttributeName = tag(1, Wire::Length);
constexpr std::uint32_t kVariableName = tag(2, Wire::Length);
constexpr std::uint32_t kAttribute = tag(2, Wire::Length);
constexpr std::uint32_t kSlot = tag(3, Wire::Length);
constexpr std::uint32_t kKey = tag(3, Wire::Length);        ///< of an attribute
constexpr std::uint32_t kSlotObject = tag(3, Wire::Varint); ///< of a slot

Input inputOver(std::string_view message) {
    return Input(reinterpret_cast<const std::uint8_t*>(message.data()),
                 static_cast<int>(message.size()));
}

/// One field: its tag, its bytes with the tag, and its content if it has a length.
struct GraphField {
    std::uint32_t tag = 0;
    std::string_view whole;
    std::string_view content;
};

/// Empty: damaged.
std::optional<std::vector<GraphField>> fieldsOf(std::string_view message) {
    std::vector<GraphField> fields;
    Input input = inputOver(message);
    auto begin = static_cast<std::size_t>(input.CurrentPosition());
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        const auto start = static_cast<std::size_t>(input.CurrentPosition());
        if (!protobuf::skipField(input, field)) {
            return false;
        }
        const auto end = static_cast<std::size_t>(input.CurrentPosition());
        std::string_view content;
        if (protobuf::wireOf(field) == Wire::Length) {
            Input length = inputOver(message.substr(start, end - start));
            std::uint64_t size = 0;
            if (!length.ReadVarint64(&size) || size > end - start) {
                return false;
            }
            content = message.substr(end - static_cast<std::size_t>(size),
                                     static_cast<std::size_t>(size));
        }
        fields.push_back({field, message.substr(begin, end - begin), content});
        begin = end;
        return true;
    });
    return sound ? std::optional(std::move(fields)) : std::nullopt;
}

/// A node's fields, with what stays of its attributes.
struct GraphNode {
    std::string attributes; ///< with the output's keys
    std::size_t stored = 0;
    std::size_t kept = 0;
};

/// The attribute with the output's key; empty: it is left out. False: damaged.
bool rewriteAttribute(const GraphField& field, const WrittenKey& writtenKey, GraphNode& node) {
    const auto parts = fieldsOf(field.content);
    if (!parts) {
        return false;
    }
    ++node.stored;
    std::string content;
    for (const GraphField& part : *parts) {
        if (part.tag != kKey) {
            content += part.whole;
            continue;
        }
        const std::string key = writtenKey(part.content);
        if (key.empty() && !part.content.empty()) {
            return true;
        }
        protobuf::appendText(content, 3, key);
    }
    ++node.kept;
    if (content == field.content) {
        node.attributes += field.whole;
    } else {
        protobuf::appendText(node.attributes, 2, content);
    }
    return true;
}

/// A number that proto3 leaves out if it is 0.
std::optional<std::uint64_t> numberIn(std::string_view message, std::uint32_t wanted) {
    std::uint64_t number = 0;
    Input input = inputOver(message);
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        return field == wanted ? input.ReadVarint64(&number) : protobuf::skipField(input, field);
    });
    return sound ? std::optional(number) : std::nullopt;
}

std::optional<GraphObject::Child> childIn(std::string_view message) {
    const auto parts = fieldsOf(message);
    const auto object = numberIn(message, kChildObject);
    if (!parts || !object) {
        return std::nullopt;
    }
    GraphObject::Child child{{}, static_cast<std::size_t>(*object)};
    for (const GraphField& part : *parts) {
        if (part.tag == kChildName) {
            child.name = part.content;
        }
    }
    return child;
}

std::optional<GraphObject::Variable> variableIn(std::string_view message) {
    const auto parts = fieldsOf(message);
    if (!parts) {
        return std::nullopt;
    }
    GraphObject::Variable variable;
    for (const GraphField& part : *parts) {
        if (part.tag == kAttributeName) {
            variable.attribute = part.content;
        } else if (part.tag == kVariableName) {
            variable.name = part.content;
        } else if (part.tag == kKey) {
            variable.key = part.content;
        }
    }
    return variable;
}

/// Whether the slot's variable had a value and has none in the output.
std::optional<bool> losesValue(std::string_view slot, const std::vector<GraphNode>& nodes) {
    const auto object = numberIn(slot, kSlotObject);
    if (!object) {
        return std::nullopt;
    }
    return *object < nodes.size() && nodes[static_cast<std::size_t>(*object)].stored > 0 &&
           nodes[static_cast<std::size_t>(*object)].kept == 0;
}

} // namespace

std::optional<std::vector<GraphObject>> objectsOf(std::span<const std::byte> message) {
    if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return std::nullopt;
    }
    const auto fields = fieldsOf(asText(message));
    if (!fields) {
        return std::nullopt;
    }
    std::vector<GraphObject> objects;
    for (const GraphField& field : *fields) {
        if (field.tag != kNode) {
            continue;
        }
        const auto parts = fieldsOf(field.content);
        if (!parts) {
            return std::nullopt;
        }
        GraphObject& object = objects.emplace_back();
        for (const GraphField& part : *parts) {
            auto child = part.tag == kChild ? childIn(part.content) : std::nullopt;
            auto variable = part.tag == kAttribute ? variableIn(part.content) : std::nullopt;
            if ((part.tag == kChild && !child) || (part.tag == kAttribute && !variable)) {
                return std::nullopt;
            }
            if (child) {
                object.children.push_back(std::move(*child));
            } else if (variable) {
                object.variables.push_back(std::move(*variable));
            }
        }
    }
    for (const GraphObject& object : objects) {
        for (const GraphObject::Child& child : object.children) {
            if (child.object >= objects.size()) {
                return std::nullopt;
            }
        }
    }
    return objects;
}

std::optional<std::string> graphWithKeys(std::span<const std::byte> message,
                                         const WrittenKey& writtenKey) {
    if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return std::nullopt;
    }
    const auto fields = fieldsOf(asText(message));
    if (!fields) {
        return std::nullopt;
    }
    std::vector<std::vector<GraphField>> parts; // of each node
    std::vector<GraphNode> nodes;
    for (const GraphField& field : *fields) {
        if (field.tag != kNode) {
            continue;
        }
        auto node = fieldsOf(field.content);
        if (!node) {
            return std::nullopt;
        }
        nodes.emplace_back();
        for (const GraphField& part : *node) {
            if (part.tag == kAttribute && !rewriteAttribute(part, writtenKey, nodes.back())) {
                return std::nullopt;
            }
        }
        parts.push_back(std::move(*node));
    }
    std::string out;
    std::size_t next = 0;
    for (const GraphField& field : *fields) {
        if (field.tag != kNode) {
            out += field.whole;
            continue;
        }
        std::string content;
        bool attributesDone = false;
        for (const GraphField& part : parts[next]) {
            if (part.tag == kAttribute) { // together, at the place of the first
                content += attributesDone ? std::string() : nodes[next].attributes;
                attributesDone = true;
                continue;
            }
            if (part.tag == kSlot) {
                const auto lost = losesValue(part.content, nodes);
                if (!lost) {
                    return std::nullopt;
                }
                if (*lost) {
                    continue;
                }
            }
            content += part.whole;
        }
        if (content == field.content) {
            out += field.whole;
        } else {
            protobuf::appendText(out, 1, content);
        }
        ++next;
    }
    return out;
}

} // namespace cairn::formats::tensorflow
