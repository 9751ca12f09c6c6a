// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_subclasses.h"

#include "core/formats/common/torch/torch_classes.h"
#include "core/formats/common/torch/torch_numpy.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats {

using pickle::GlobalName;
using pickle::NodeId;

Value convertSubclass(TorchWalker& walker, const TorchCall& call) {
    const pickle::PickleGraph& graph = walker.graph();
    TorchEntries& entries = walker.entries();
    const auto args = call.args;
    const GlobalName function = pickle::python3Name(graph.global(args[0]));
    const std::string name = className(graph, args[1]);
    const auto state =
        args.size() > 3 ? attributesOf(graph, args[3]) : std::vector<PickledAttribute>();
    const auto local = std::ranges::find(state, "_local_tensor", &PickledAttribute::first);
    std::vector<ValueItem> items;
    if (function.name == "_rebuild_wrapper_subclass" && local != state.end()) {
        Value tensor = walker.walk(local->second, call.depth + 1); // has the DTensor's name
        const auto inner = graph.items(args[2]);
        const auto shape = inner.size() > 2 ? readDims(graph, inner[2]) : std::nullopt;
        const auto spec = std::ranges::find(state, "_spec", &PickledAttribute::first);
        if (tensor.asTensor() != nullptr && shape && spec != state.end()) {
            entries.checkPart(*tensor.asTensor(), *shape);
        }
        items.push_back({Value("local"), std::move(tensor)});
    } else if (auto tensor = entries.read(call.id)) {
        Value value =
            *tensor ? walker.addTensor(call.id, **tensor) : entries.addDamaged(tensor->error());
        if (state.empty()) {
            return value;
        }
        items.push_back({Value("data"), std::move(value)});
    }
    for (const auto& [key, value] : state) {
        if (key != "_local_tensor") {
            const TorchWalker::Description description(walker, local != state.end());
            walker.items().addItem(items, key, value, call.depth + 1);
        }
    }
    if (state.empty() && args.size() > 3 && !graph.isNone(args[3])) { // a class with __setstate__
        items.push_back({Value("state"), walker.walkAt("state", args[3], call.depth + 1)});
    }
    return Value::object(name, std::move(items));
}

Value convertQuantized(TorchWalker& walker, const TorchCall& call) {
    const auto args = call.args;
    std::vector<ValueItem> items;
    if (auto tensor = walker.entries().read(call.id); tensor && *tensor) {
        items.push_back({Value("data"), walker.addTensor(call.id, **tensor)});
    }
    const auto scheme = args.size() > 4 ? walker.graph().items(args[4]) : std::span<const NodeId>{};
    constexpr std::string_view kNames[] = {"qscheme", "scale", "zero_point", "axis"};
    // Per-channel scales belong to this tensor; torch does not show them as separate tensors.
    const TorchWalker::Description description(walker, true);
    for (std::size_t i = 0; i < scheme.size() && i < 4; ++i) {
        items.push_back({Value(kNames[i]), walker.walkAt(kNames[i], scheme[i], call.depth + 1)});
    }
    return Value::object("torch.quantized", std::move(items));
}

std::optional<Value> convertSparse(TorchWalker& walker, const TorchCall& call) {
    const pickle::PickleGraph& graph = walker.graph();
    const auto args = call.args;
    std::string_view layout = "torch.sparse_csr";
    NodeId data = args.empty() ? NodeId{} : args.back();
    if (call.callee.name == "_rebuild_sparse_tensor" && args.size() == 2) {
        const auto inner = graph.items(graph.args(args[0]));
        layout = inner.empty() ? "torch.sparse_coo" : graph.text(inner[0]);
        data = args[1];
    }
    const bool rows = layout == "torch.sparse_csr" || layout == "torch.sparse_bsr";
    std::vector<std::string_view> names{"indices", "values", "size", "is_coalesced"};
    if (layout != "torch.sparse_coo") {
        names = {rows ? "crow_indices" : "ccol_indices", rows ? "col_indices" : "row_indices",
                 "values", "size"};
    }
    const auto parts = graph.items(data);
    std::vector<ValueItem> items;
    for (std::size_t i = 0; i < parts.size() && i < names.size(); ++i) {
        items.push_back({Value(names[i]), walker.walkAt(names[i], parts[i], call.depth + 1)});
    }
    if (items.empty()) {
        return walker.entries().addDamaged(
            fail(ErrorCode::TorchBadTensor, "A sparse tensor has no components")
                .butFound(sentence("node %1", call.id.value)));
    }
    return Value::object(std::string(layout), std::move(items));
}

std::optional<Value> convertMasked(TorchWalker& walker, const TorchCall& call) {
    const pickle::PickleGraph& graph = walker.graph();
    const auto parts = readMaskedParts(graph, call.id);
    auto data = parts ? readNumpyParts(graph, parts->data) : std::nullopt;
    if (!data || parts->mask == parts->data.data) {
        return std::nullopt;
    }
    if (!*data) {
        return walker.entries().addDamaged(data->error());
    }
    TorchTensor mask;
    const auto shape = readDims(graph, parts->data.shape);
    const auto bytes = readPickledBytes(graph, parts->mask, mask.decoded);
    if (!shape || !bytes || bytes->size() != elementCount(*shape)) {
        return std::nullopt;
    }
    mask.inlineBytes = mask.decoded.empty() ? *bytes : std::span<const std::byte>{};
    mask.decodedBytes = mask.decoded.size();
    mask.dtype = Dtype::Bool;
    mask.shape = *shape;
    mask.strides = stridesOfArray(*shape, parts->data.fortran);
    std::vector<ValueItem> items;
    items.push_back({Value("data"), walker.addTensorAt("data", parts->data.data, **data)});
    items.push_back({Value("mask"), walker.addTensorAt("mask", parts->mask, mask)});
    auto fill = readZeroDimensional(graph, parts->fill);
    Value value =
        fill ? std::move(*fill) : walker.walkAt("fill_value", parts->fill, call.depth + 1);
    items.push_back({Value("fill_value"), std::move(value)});
    return Value::object("numpy.ma.MaskedArray", std::move(items));
}

} // namespace cairn::formats
