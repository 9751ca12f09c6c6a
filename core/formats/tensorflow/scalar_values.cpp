// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/scalar_values.h"

#include "core/codec/protobuf/wire.h"
#include "core/model/saved_values.h"

#include <limits>
#include <map>
#include <memory>

namespace cairn::formats::tensorflow {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr std::uint64_t kMaxGraph = std::uint64_t{64} << 20U;
constexpr int kMaxName = 65536;
constexpr std::size_t kMaxDepth = 64;
constexpr std::string_view kGraph = "object_graph";

/// Nested dicts under construction; keys in insertion order.
struct Node {
    std::string name;
    std::vector<std::unique_ptr<Node>> children;
    std::map<std::string, std::size_t, std::less<>> places;
    std::optional<TensorIndex> leaf;

    Node& child(std::string_view part) {
        const auto known = places.find(part);
        if (known != places.end()) {
            return *children[known->second];
        }
        places.emplace(part, children.size());
        children.push_back(std::make_unique<Node>());
        children.back()->name = part;
        return *children.back();
    }
};

/// False if a prefix of the path already has a value, or if it is too deep: the path then becomes
/// one key at the root.
bool insert(Node& root, const ScalarValue& scalar) {
    Node* node = &root;
    std::string_view rest = scalar.path;
    for (std::size_t depth = 0; !rest.empty(); ++depth) {
        const std::size_t slash = rest.find('/');
        if (node->leaf || depth == kMaxDepth) {
            return false;
        }
        node = &node->child(rest.substr(0, slash));
        rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    }
    if (node->leaf || !node->children.empty() || node == &root) {
        return false;
    }
    node->leaf = scalar.tensor;
    return true;
}

/// Recursion is limited by insert().
Value valueOf(const Node& node) {
    if (node.leaf) {
        return Value(*node.leaf);
    }
    std::vector<ValueItem> items;
    items.reserve(node.children.size());
    for (const auto& inner : node.children) {
        Value value = valueOf(*inner);
        if (value.kind() == ValueKind::Tensor || !value.items().empty()) {
            items.push_back({Value(inner->name), std::move(value)});
        }
    }
    return Value::dict(std::move(items));
}

bool readAttribute(Input& input, ObjectGraph& graph) {
    std::string fullName;
    std::string key;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(2, Wire::Length):
            return protobuf::readText(input, fullName, kMaxName);
        case tag(3, Wire::Length):
            return protobuf::readText(input, key, kMaxName);
        default:
            return protobuf::skipField(input, field);
        }
    });
    if (!key.empty() && !fullName.empty()) {
        graph.names.emplace_back(std::move(key), std::move(fullName));
    }
    return sound;
}

struct ReadGraph {
    ObjectGraph graph;
    bool compared = false; ///< with its stored checksum
};

Result<ReadGraph> readGraph(const GraphPlace& place) {
    constexpr std::size_t kLength = 8; // one string in the canonical form
    const Piece& piece = place.tensor.pieces.front();
    CAIRN_TRY(const ByteSourcePtr source, place.folder->openFile(place.file));
    CAIRN_TRY(const LocatedPiece located, place.codec->locate(source, place.tensor, piece));
    if (located.bytes.length > kMaxGraph) {
        return fail(ErrorCode::LimitExceeded, "The object graph is too large")
            .butFound(sentence("%1 bytes", located.bytes.length))
            .expecting(sentence("at most %1", kMaxGraph));
    }
    CAIRN_TRY(const auto bytes, readRange(*located.source, located.bytes));
    auto graph =
        bytes.size() < kLength ? std::nullopt : parseObjectGraph(std::span(bytes).subspan(kLength));
    if (!graph) {
        return fail(ErrorCode::BadEncoding, "The object graph is not a valid message");
    }
    return ReadGraph{std::move(*graph), located.comparesItself};
}

Value graphValue(const ObjectGraph& graph) {
    std::vector<ValueItem> names;
    names.reserve(graph.names.size());
    for (const auto& [key, name] : graph.names) {
        names.push_back({Value(key), Value(name)});
    }
    std::vector<ValueItem> items;
    items.push_back({Value("objects"), Value(static_cast<std::int64_t>(graph.objects))});
    items.push_back({Value("names"), Value::dict(std::move(names))});
    return Value::dict(std::move(items));
}

} // namespace

std::optional<ObjectGraph> parseObjectGraph(std::span<const std::byte> message) {
    if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return std::nullopt;
    }
    ObjectGraph graph;
    Input input(reinterpret_cast<const std::uint8_t*>(message.data()),
                static_cast<int>(message.size()));
    const auto node = [&](std::uint32_t field) {
        return field == tag(2, Wire::Length) ? readAttribute(input, graph)
                                             : protobuf::skipField(input, field);
    };
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        if (field != tag(1, Wire::Length)) {
            return protobuf::skipField(input, field);
        }
        ++graph.objects;
        return protobuf::walkMessage(input, node);
    });
    return sound ? std::optional(std::move(graph)) : std::nullopt;
}

Result<LoadedValues> valuesOf(std::span<const ScalarValue> scalars,
                              const std::optional<GraphPlace>& graph, const CancelToken& cancel) {
    Node root;
    std::vector<ValueItem> whole;
    for (const ScalarValue& scalar : scalars) {
        if (!insert(root, scalar)) {
            whole.push_back({Value(scalar.path), Value(scalar.tensor)});
        }
    }
    CAIRN_CHECK(cancel.check());
    const Value tree = valueOf(root);
    std::vector<ValueItem> items = tree.items();
    std::ranges::move(whole, std::back_inserter(items));
    ValueRecords records;
    if (graph) {
        const auto read = readGraph(*graph);
        if (read) {
            ++(read->compared ? records.compared : records.unchecked);
            items.push_back({Value(kGraph), graphValue(read->graph)});
        } else {
            Error error = Error(read.error()).inFile(graph->file).inField(graph->tensor.name);
            error.where.offset = graph->tensor.pieces.front().bytes.offset;
            items.push_back({Value(kGraph), unreadableValue(error)});
        }
    }
    return LoadedValues(Value::dict(std::move(items)), records);
}

} // namespace cairn::formats::tensorflow
