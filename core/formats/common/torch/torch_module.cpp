// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_walker.h"

#include <algorithm>

// Converts a pickled nn.Module.

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using Attribute = std::pair<std::string_view, NodeId>;

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
bool isTemporary(const pickle::PickleGraph& graph, std::span<const Attribute> state,
                 std::string_view buffer) {
    const auto found = std::ranges::find(state, "_non_persistent_buffers_set", &Attribute::first);
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

/// Flattened as in its state_dict(): parameters, buffers, then the modules inside; then other
/// attributes (tensors there are not weights, except those that the state_dict() of quantised
/// modules contains). The result is a dict with the module's class, so that values have the same
/// paths as names.
Value TorchWalker::module(NodeId id, std::span<const Attribute> state, int depth) {
    std::vector<ValueItem> items;
    const auto fold = [&](std::string_view which, std::optional<Role> role) {
        for (const auto& [key, value] : state) {
            if (key != which) {
                continue;
            }
            for (const auto& [name, child] : m_graph.pairs(value)) {
                const bool left =
                    which == "_buffers" && isTemporary(m_graph, state, m_graph.text(name));
                if (m_graph.isNone(child) || left) {
                    continue; // bias=None
                }
                const std::size_t before = m_out.tensors.size();
                addEntry(items, {name, child}, items.size(), depth);
                for (std::size_t i = before; role && i < m_out.tensors.size(); ++i) {
                    m_out.tensors[i].role = *role;
                }
            }
        }
    };
    fold("_parameters", Role::Weight);
    fold("_buffers", Role::Buffer);
    fold("_modules", std::nullopt);
    std::string ownClass = className(m_graph.callable(id));
    const bool quantized = isQuantizedModule(ownClass);
    for (const auto& [key, value] : state) {
        if (isFolded(key) || isBookkeeping(key)) {
            continue;
        }
        const std::size_t before = m_out.tensors.size();
        addItem(items, key, value, depth + 1);
        // bitsandbytes stores a weight's scales in separate objects, and state_dict() beside the
        // weight.
        const bool scales = m_graph.kind(value) == NodeKind::Object &&
                            className(m_graph.callable(value)).starts_with("bitsandbytes.");
        const Role role = quantized ? Role::Weight : scales ? Role::Buffer : Role::Other;
        for (std::size_t i = before; i < m_out.tensors.size(); ++i) {
            m_out.tensors[i].role = role; // Other: not part of a state_dict()
        }
    }
    return Value::dict(std::move(items), std::move(ownClass));
}

} // namespace cairn::formats
