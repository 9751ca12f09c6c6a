// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_classes.h"

#include <algorithm>
#include <iterator>

namespace cairn::formats {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

std::string fullName(GlobalName name) {
    return std::string(name.module) + "." + std::string(name.name);
}

std::string className(const PickleGraph& graph, NodeId callable) {
    switch (graph.kind(callable)) {
    case NodeKind::Global:
        return fullName(pickle::python3Name(graph.global(callable)));
    case NodeKind::PersistentId: { // ("module", class, source file, source) in files of complete
                                   // modules
        const auto items = graph.items(graph.payload(callable));
        if (items.size() == 3 && graph.kind(items[0]) == NodeKind::Global) {
            return className(graph, items[0]); // torch 0.1 omits "module"
        }
        return items.size() > 1 && graph.kind(items[1]) == NodeKind::Global
                   ? className(graph, items[1])
                   : "<unknown>";
    }
    case NodeKind::Object: { // getattr(class, "Nested")
        const auto args = graph.items(graph.args(callable));
        if (graph.isCallOf(callable, {"builtins", "getattr"}) && args.size() == 2) {
            return fullName(pickle::python3Name(graph.global(args[0]))) + "." +
                   std::string(graph.text(args[1]));
        }
        return "<computed>";
    }
    default:
        return "<unknown>";
    }
}

std::vector<PickledAttribute> attributesOf(const PickleGraph& graph, NodeId state) {
    std::vector<PickledAttribute> all;
    std::vector<NodeId> dicts{state};
    const auto parts = graph.items(state);
    if (graph.kind(state) == NodeKind::Tuple && parts.size() == 2) {
        dicts.assign(parts.begin(), parts.end());
    }
    for (const NodeId dict : dicts) {
        if (graph.kind(dict) != NodeKind::Dict) {
            if (!graph.isNone(dict)) {
                return {};
            }
            continue;
        }
        for (const auto& [key, value] : graph.pairs(dict)) {
            if (graph.kind(key) != NodeKind::Str) {
                return {};
            }
            all.emplace_back(graph.text(key), value);
        }
    }
    return all;
}

std::vector<PickledAttribute> attributes(const PickleGraph& graph, NodeId object) {
    std::vector<PickledAttribute> all;
    for (const NodeId state : graph.states(object)) {
        std::ranges::move(attributesOf(graph, state), std::back_inserter(all));
    }
    return all;
}

} // namespace cairn::formats
