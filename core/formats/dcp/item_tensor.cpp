// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/item_tensor.h"

#include "core/formats/dcp/metadata_view.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace cairn::formats::dcp {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

namespace {

constexpr int kMaxWrappers = 8;

constexpr auto kStorageClasses = std::to_array<std::pair<std::string_view, Dtype>>({
    {"FloatStorage", Dtype::Float32},
    {"BFloat16Storage", Dtype::Bfloat16},
    {"HalfStorage", Dtype::Float16},
    {"DoubleStorage", Dtype::Float64},
    {"LongStorage", Dtype::Int64},
    {"IntStorage", Dtype::Int32},
    {"ShortStorage", Dtype::Int16},
    {"CharStorage", Dtype::Int8},
    {"ByteStorage", Dtype::Uint8},
    {"BoolStorage", Dtype::Bool},
    {"ComplexFloatStorage", Dtype::Complex64},
    {"ComplexDoubleStorage", Dtype::Complex128},
    {"QInt8Storage", Dtype::Qint8},
    {"QUInt8Storage", Dtype::Quint8},
    {"QInt32Storage", Dtype::Qint32},
    {"QUInt4x2Storage", Dtype::Quint4x2},
    {"QUInt2x4Storage", Dtype::Quint2x4},
});

/// A call as the pickle says it: function and arguments.
struct Call {
    std::string_view function;
    std::span<const NodeId> arguments;
};

Call callOf(const PickleGraph& graph, NodeId node) {
    if (graph.kind(node) != NodeKind::Object) {
        return {};
    }
    return {graph.calleeName(node).name, graph.items(graph.args(node))};
}

/// Takes parameters and plain subclasses off: the call that makes the tensor itself.
Call unwrap(const PickleGraph& graph, Call call) {
    for (int depth = 0; depth < kMaxWrappers && !call.arguments.empty(); ++depth) {
        if (call.function.starts_with("_rebuild_parameter")) {
            call = callOf(graph, call.arguments[0]);
        } else if (call.function.starts_with("_rebuild_from_type") && call.arguments.size() >= 3) {
            call = {graph.global(call.arguments[0]).name, graph.items(call.arguments[2])};
        } else {
            break;
        }
    }
    return call;
}

Error notOneTensor(std::string found) {
    return fail(ErrorCode::DcpItemMismatch, "The item is not one plain tensor")
        .butFound(std::move(found))
        .expecting("torch._utils._rebuild_tensor_v2 or _v3");
}

Result<void> readStorage(const PickleGraph& graph, NodeId storage, ItemTensor& tensor, bool typed) {
    const auto parts = graph.items(graph.payload(storage));
    if (graph.kind(storage) != NodeKind::PersistentId || parts.size() < 5 || graph.text(parts[0]) != "storage" ||
        graph.text(parts[2]).empty()) {
        return fail(ErrorCode::TorchBadPersistentId, "The item does not say where its elements are");
    }
    tensor.storageKey = graph.text(parts[2]);
    if (!typed) {
        return {};
    }
    const std::string_view name = graph.global(parts[1]).name;
    const auto found = std::ranges::find(kStorageClasses, name, &std::pair<std::string_view, Dtype>::first);
    if (found == kStorageClasses.end()) {
        return fail(ErrorCode::TorchUnknownDtype, "The item's storage class is not known").butFound(std::string(name));
    }
    tensor.dtype = found->second;
    return {};
}

void readFlags(const PickleGraph& graph, NodeId metadata, ItemTensor& tensor) {
    if (graph.kind(metadata) == NodeKind::Dict && graph.pairs(metadata).size() < 64) {
        tensor.flags.conjugate = graph.boolean(graph.find(metadata, "conj"));
        tensor.flags.negate = graph.boolean(graph.find(metadata, "neg"));
    }
}

} // namespace

Result<ItemTensor> readItemTensor(const PickleGraph& graph) {
    const Call call = unwrap(graph, callOf(graph, graph.root()));
    const bool hasDtype = call.function == "_rebuild_tensor_v3";
    const bool known = hasDtype || call.function == "_rebuild_tensor_v2" || call.function == "_rebuild_tensor" ||
                       call.function == "_rebuild_qtensor";
    if (!known || call.arguments.size() < (hasDtype ? 7U : 4U)) {
        return notOneTensor(call.function.empty() ? "something else" : "a call of " + std::string(call.function));
    }
    ItemTensor tensor;
    CAIRN_CHECK(readStorage(graph, call.arguments[0], tensor, !hasDtype));
    const MetadataView view(graph);
    if (hasDtype) {
        const GlobalName name = graph.global(call.arguments[6]);
        const auto dtype = name.module == "torch" ? dtypeFromName(name.name) : std::nullopt;
        if (!dtype) {
            return fail(ErrorCode::TorchUnknownDtype, "The item's element type is not known")
                .butFound(std::string(name.name));
        }
        tensor.dtype = *dtype;
    }
    const auto first = view.count(call.arguments[1]);
    auto shape = view.dims(call.arguments[2]);
    auto strides = view.dims(call.arguments[3]);
    if (!first || !shape || !strides || shape->size() != strides->size()) {
        return fail(ErrorCode::TorchBadTensor, "The item's offset, size or strides make no sense");
    }
    tensor.firstElement = *first;
    tensor.shape = std::move(*shape);
    tensor.strides = std::move(*strides);
    const std::size_t metadata = hasDtype ? 7 : 6;
    if (call.function != "_rebuild_qtensor" && call.arguments.size() > metadata) {
        readFlags(graph, call.arguments[metadata], tensor);
    }
    return tensor;
}

} // namespace cairn::formats::dcp
