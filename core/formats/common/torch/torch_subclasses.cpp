// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_walker.h"

#include <algorithm>

// Converts tensors that are more than strided elements: DTensors and other classes, quantised and
// sparse tensors.

namespace cairn::formats {

using pickle::GlobalName;
using pickle::NodeId;

/// Marks a rank's part of a DTensor, so that it is not mistaken for the complete tensor.
void TorchWalker::checkPart(TensorIndex local, const Shape& whole) {
    const TensorEntry& entry = m_out.tensors[local.position()];
    if (entry.shape == whole) {
        return;
    }
    m_out.anyPart = true;
    m_out.notices.push_back(
        {Severity::Error, fail(ErrorCode::CoverageHole,
                               sentence("The file contains one rank's part of %1", entry.name))
                              .inTensor(entry.name)
                              .butFound(sentence("shape %1", formatDims(entry.shape)))
                              .expecting(sentence("shape %1", formatDims(whole)))
                              .withHint("Open the folder that contains the files of all ranks")});
}

/// _rebuild_from_type_v2(function, class, arguments, state): a tensor with a class or attributes.
Value TorchWalker::subclassTensor(NodeId id, std::span<const NodeId> args, int depth) {
    const GlobalName function = pickle::python3Name(m_graph.global(args[0]));
    const std::string name = className(args[1]);
    const auto state = args.size() > 3 ? attributesOf(args[3]) : decltype(attributesOf(id)){};
    const auto local =
        std::ranges::find(state, "_local_tensor", &std::pair<std::string_view, NodeId>::first);
    std::vector<ValueItem> items;
    if (function.name == "_rebuild_wrapper_subclass" && local != state.end()) {
        const TensorIndex index(m_out.tensors.size());
        Value tensor = walk(local->second, depth + 1); // has the DTensor's name
        const auto inner = m_graph.items(args[2]);
        const auto shape = inner.size() > 2 ? readDims(m_graph, inner[2]) : std::nullopt;
        const auto spec =
            std::ranges::find(state, "_spec", &std::pair<std::string_view, NodeId>::first);
        if (tensor.asTensor() != nullptr && shape && spec != state.end()) {
            m_out.dtensors.push_back({index, *shape, spec->second});
            checkPart(*tensor.asTensor(), *shape);
        }
        items.push_back({Value("local"), std::move(tensor)});
    } else if (auto tensor = readTensor(id)) {
        Value value = *tensor ? addTensor(id, **tensor) : complain(tensor->error());
        if (state.empty()) {
            return value;
        }
        items.push_back({Value("data"), std::move(value)});
    }
    for (const auto& [key, value] : state) {
        if (key != "_local_tensor") {
            m_descriptions += local != state.end() ? 1 : 0;
            addItem(items, key, value, depth + 1);
            m_descriptions -= local != state.end() ? 1 : 0;
        }
    }
    if (state.empty() && args.size() > 3 && !m_graph.isNone(args[3])) { // a class with __setstate__
        items.push_back({Value("state"), walkAt("state", args[3], depth + 1)});
    }
    return Value::object(name, std::move(items));
}

/// (storage, offset, size, stride, (scheme, scale, zero point) or (scheme, scales, zero points,
/// axis), …)
Value TorchWalker::quantizedTensor(NodeId id, std::span<const NodeId> args, int depth) {
    std::vector<ValueItem> items;
    if (auto tensor = readTensor(id); tensor && *tensor) {
        items.push_back({Value("data"), addTensor(id, **tensor)});
    }
    const auto scheme = args.size() > 4 ? m_graph.items(args[4]) : std::span<const NodeId>{};
    constexpr std::string_view kNames[] = {"qscheme", "scale", "zero_point", "axis"};
    ++m_descriptions; // per-channel scales belong to this tensor; torch does not show them as
                      // separate tensors
    for (std::size_t i = 0; i < scheme.size() && i < 4; ++i) {
        items.push_back({Value(kNames[i]), walkAt(kNames[i], scheme[i], depth + 1)});
    }
    --m_descriptions;
    return Value::object("torch.quantized", std::move(items));
}

/// (layout, data); data is (indices, values, size[, coalesced]) or (compressed, plain, values,
/// size).
std::optional<Value> TorchWalker::sparseTensor(const Call& call) {
    const auto args = call.args;
    std::string_view layout = "torch.sparse_csr";
    NodeId data = args.empty() ? NodeId{} : args.back();
    if (call.callee.name == "_rebuild_sparse_tensor" && args.size() == 2) {
        const auto inner = m_graph.items(m_graph.args(args[0]));
        layout = inner.empty() ? "torch.sparse_coo" : m_graph.text(inner[0]);
        data = args[1];
    }
    const bool rows = layout == "torch.sparse_csr" || layout == "torch.sparse_bsr";
    std::vector<std::string_view> names{"indices", "values", "size", "is_coalesced"};
    if (layout != "torch.sparse_coo") {
        names = {rows ? "crow_indices" : "ccol_indices", rows ? "col_indices" : "row_indices",
                 "values", "size"};
    }
    const auto parts = m_graph.items(data);
    std::vector<ValueItem> items;
    for (std::size_t i = 0; i < parts.size() && i < names.size(); ++i) {
        items.push_back({Value(names[i]), walkAt(names[i], parts[i], call.depth + 1)});
    }
    if (items.empty()) {
        return complain(fail(ErrorCode::TorchBadTensor, "A sparse tensor has no components")
                            .butFound(sentence("node %1", call.id.value)));
    }
    return Value::object(std::string(layout), std::move(items));
}

} // namespace cairn::formats
