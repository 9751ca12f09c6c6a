// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/torch/torch_walker.h"

#include <algorithm>

// Converts the objects of a pickle: to tensors, plain values, or generic objects.

namespace cairn::formats {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;

std::string TorchWalker::fullName(GlobalName name) {
    return std::string(name.module) + "." + std::string(name.name);
}

std::string TorchWalker::className(NodeId callable) const {
    switch (m_graph.kind(callable)) {
    case NodeKind::Global:
        return fullName(pickle::python3Name(m_graph.global(callable)));
    case NodeKind::PersistentId: { // ("module", class, source file, source) in files of complete
                                   // modules
        const auto items = m_graph.items(m_graph.payload(callable));
        if (items.size() == 3 && m_graph.kind(items[0]) == NodeKind::Global) {
            return className(items[0]); // torch 0.1 omits "module"
        }
        return items.size() > 1 && m_graph.kind(items[1]) == NodeKind::Global ? className(items[1])
                                                                              : "<unknown>";
    }
    case NodeKind::Object: { // getattr(class, "Nested")
        const auto args = m_graph.items(m_graph.args(callable));
        if (m_graph.isCallOf(callable, {"builtins", "getattr"}) && args.size() == 2) {
            return fullName(pickle::python3Name(m_graph.global(args[0]))) + "." +
                   std::string(m_graph.text(args[1]));
        }
        return "<computed>";
    }
    default:
        return "<unknown>";
    }
}

std::vector<std::pair<std::string_view, NodeId>> TorchWalker::attributesOf(NodeId state) const {
    std::vector<std::pair<std::string_view, NodeId>> all;
    std::vector<NodeId> dicts{state};
    const auto parts = m_graph.items(state);
    if (m_graph.kind(state) == NodeKind::Tuple && parts.size() == 2) {
        dicts.assign(parts.begin(), parts.end());
    }
    for (const NodeId dict : dicts) {
        if (m_graph.kind(dict) != NodeKind::Dict) {
            if (!m_graph.isNone(dict)) {
                return {};
            }
            continue;
        }
        for (const auto& [key, value] : m_graph.pairs(dict)) {
            if (m_graph.kind(key) != NodeKind::Str) {
                return {};
            }
            all.emplace_back(m_graph.text(key), value);
        }
    }
    return all;
}

std::vector<std::pair<std::string_view, NodeId>> TorchWalker::attributes(NodeId id) const {
    std::vector<std::pair<std::string_view, NodeId>> all;
    for (const NodeId state : m_graph.states(id)) {
        std::ranges::move(attributesOf(state), std::back_inserter(all));
    }
    return all;
}

/// Reading a tensor that is stored as text costs the text's length each time, and many tensors may
/// use one long text.
std::optional<Result<TorchTensor>> TorchWalker::readTensor(NodeId id) {
    constexpr std::uint64_t kCostOfDamage = std::uint64_t{64} << 10; // may also have been decoded
    if (m_decodingLeft == 0) {
        return fail(ErrorCode::LimitExceeded, "The text of tensors exceeds the limit");
    }
    auto tensor = readTorchTensor(m_graph, id);
    if (tensor) {
        const std::uint64_t cost = *tensor ? (*tensor)->decodedBytes : kCostOfDamage;
        m_decodingLeft -= std::min(m_decodingLeft, cost);
    }
    return tensor;
}

Value TorchWalker::object(NodeId id, int depth) {
    const GlobalName callee = m_graph.calleeName(id);
    const auto args = m_graph.items(m_graph.args(id));
    if (callee.name.starts_with("_rebuild_from_type") && args.size() >= 3) {
        return subclassTensor(id, args, depth);
    }
    if (auto tensor = readTensor(id)) {
        if (!*tensor) {
            return complain(tensor->error());
        }
        if (callee.name == "_rebuild_qtensor") {
            return quantizedTensor(id, args, depth);
        }
        return addTensor(id, **tensor);
    }
    auto known = knownObject({id, callee, args, depth});
    return known ? std::move(*known) : unknownObject(id, depth);
}

/// A storage saved directly (torch.save(tensor.storage())): one dimension.
Value TorchWalker::storageValue(NodeId id) {
    const NodeId payload = m_graph.payload(id);
    if (!isTorchStorage(m_graph, payload)) {
        return Value(className(id));
    }
    auto storage = readTorchStorage(m_graph, payload);
    if (!storage) {
        return complain(storage.error());
    }
    TorchTensor tensor;
    tensor.dtype = storage->dtype.value_or(Dtype::Uint8);
    tensor.shape = Shape{static_cast<std::int64_t>(storage->numel)};
    tensor.strides = Strides{1};
    tensor.storage = std::move(*storage);
    return addTensor(id, tensor);
}

Value TorchWalker::unknownObject(NodeId id, int depth) {
    const auto state = attributes(id);
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(state, [&](const auto& item) { return item.first == name; });
    };
    if (has("_parameters") && has("_modules")) {
        return module(id, state, depth);
    }
    for (const auto& [name, value] : state) {
        if (name == "param_groups") {
            m_groups = value;
        }
    }
    std::vector<ValueItem> items;
    const auto add = [&](std::string_view name, NodeId value) {
        addItem(items, name, value, depth + 1);
    };
    const auto args = m_graph.items(m_graph.args(id));
    if (!args.empty()) {
        add("args", m_graph.args(id));
    }
    if (m_graph.kwargs(id).present() && !m_graph.pairs(m_graph.kwargs(id)).empty()) {
        add("kwargs", m_graph.kwargs(id));
    }
    for (const auto& [name, value] : state) {
        add(name, value);
    }
    if (state.empty() && m_graph.state(id).present() && !m_graph.isNone(m_graph.state(id))) {
        add("state", m_graph.state(id));
    }
    for (ValueItem& item : pairs(m_graph.pairs(id), depth)) {
        items.push_back(std::move(item));
    }
    if (const auto more = m_graph.items(id); !more.empty()) {
        items.push_back({Value("items"), sequence(ValueKind::List, more, depth + 1)});
    }
    return Value::object(className(m_graph.callable(id)), std::move(items));
}

} // namespace cairn::formats
