// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_module.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;

bool isFolded(std::string_view key) {
    return key == "_parameters" || key == "_buffers" || key == "_modules";
}

/// Internal attributes of every torch module.
bool isBookkeeping(std::string_view key) {
    return key.ends_with("_hooks") || key.ends_with("_hooks_with_kwargs") ||
           key.ends_with("_hooks_always_called") || key == "_is_full_backward_hook" ||
           key == "_non_persistent_buffers_set" || key == "_backend" ||
           key == "_flat_weights"; // of an LSTM: a list that repeats its parameters
}

/// Whether state_dict() omits this buffer.
bool isTemporary(const pickle::PickleGraph& graph, std::span<const PickledAttribute> state,
                 std::string_view buffer) {
    const auto found =
        std::ranges::find(state, "_non_persistent_buffers_set", &PickledAttribute::first);
    if (found == state.end()) {
        return false;
    }
    const auto args = graph.items(graph.args(found->second)); // protocol 2: set([…])
    const auto names = args.empty() ? graph.items(found->second) : graph.items(args[0]);
    return std::ranges::any_of(names, [&](NodeId one) { return graph.text(one) == buffer; });
}

/// Modules whose weights are attributes: their state_dict() gets them from the packed objects.
bool isQuantizedModule(std::string_view className) {
    return className.starts_with("torch.") && className.find(".quantized.") != std::string::npos;
}

} // namespace

Value convertModule(TorchWalker& walker, NodeId id, std::span<const PickledAttribute> state,
                    int depth) {
    const pickle::PickleGraph& graph = walker.graph();
    TorchEntries& entries = walker.entries();
    std::vector<ValueItem> items;
    const auto fold = [&](std::string_view which, std::optional<Role> role) {
        for (const auto& [key, value] : state) {
            if (key != which) {
                continue;
            }
            for (const auto& [name, child] : graph.pairs(value)) {
                const bool left =
                    which == "_buffers" && isTemporary(graph, state, graph.text(name));
                if (graph.isNone(child) || left) {
                    continue; // bias=None
                }
                const std::size_t before = entries.size();
                walker.items().addEntry(items, {name, child}, items.size(), depth);
                if (role) {
                    entries.setRoles(before, *role);
                }
            }
        }
    };
    fold("_parameters", Role::Weight);
    fold("_buffers", Role::Buffer);
    fold("_modules", std::nullopt);
    std::string ownClass = className(graph, graph.callable(id));
    const bool quantized = isQuantizedModule(ownClass);
    for (const auto& [key, value] : state) {
        if (isFolded(key) || isBookkeeping(key)) {
            continue;
        }
        const std::size_t before = entries.size();
        walker.items().addItem(items, key, value, depth + 1);
        // bitsandbytes stores a weight's scales in separate objects, and state_dict() beside the
        // weight.
        const bool scales = graph.kind(value) == NodeKind::Object &&
                            className(graph, graph.callable(value)).starts_with("bitsandbytes.");
        const Role role = quantized ? Role::Weight : scales ? Role::Buffer : Role::Other;
        entries.setRoles(before, role); // Other: not part of a state_dict()
    }
    return Value::dict(std::move(items), std::move(ownClass));
}

} // namespace cairn::formats
