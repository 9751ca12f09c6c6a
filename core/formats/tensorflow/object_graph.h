// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The object graph of a checkpoint for an output that has some of its variables, or has them under
/// other keys. Pure. Source: tensorflow/core/protobuf/trackable_object_graph.proto,
/// python/checkpoint/restore.py.
namespace cairn::formats::tensorflow {

/// The output's key of a variable; empty: it is not written.
using WrittenKey = std::function<std::string(std::string_view key)>;

/// TrackableObjectGraph with these keys. Attributes of variables that are not written are left out,
/// and so are the slots of an optimizer that would have no value, because restoring them would
/// fail. Everything else stays as it is, byte for byte; so does the whole if all keys do. Empty:
/// the message is damaged.
std::optional<std::string> graphWithKeys(std::span<const std::byte> message,
                                         const WrittenKey& writtenKey);

/// One object of the graph.
struct GraphObject {
    struct Child {
        std::string name;       ///< of the attribute, or the position in a list
        std::size_t object = 0; ///< its position in the graph
    };
    struct Variable {
        std::string attribute; ///< "VARIABLE_VALUE"
        std::string name;      ///< in the program: "dense/kernel"; may be empty
        std::string key;       ///< of the checkpoint
    };
    std::vector<Child> children; ///< in the order in which the program made them
    std::vector<Variable> variables;
};

/// The objects in the order of the graph, which is that of a search in breadth. Empty: the message
/// is damaged, or a child is not in the graph.
std::optional<std::vector<GraphObject>> objectsOf(std::span<const std::byte> message);

} // namespace cairn::formats::tensorflow
