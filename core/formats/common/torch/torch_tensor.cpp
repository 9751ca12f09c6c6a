// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_nested.h"
#include "core/formats/common/torch/torch_numpy.h"
#include "core/formats/common/torch/torch_objects.h"

#include <algorithm>
#include <array>

// Reads one tensor from the call that would rebuild it. The table of calls is in
// core/formats/torch/README.md.

namespace cairn::formats {
namespace {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;
using Found = std::optional<Result<TorchTensor>>;

constexpr int kMaxWrapping = 8; // a parameter of a subclass of a device tensor of …

Error badTensor(Sentence message) {
    return fail(ErrorCode::TorchBadTensor, std::move(message));
}

/// The storage argument: a persistent id (returns its payload), a separately pickled storage, or a
/// TypedStorage around one of them. Absent: neither.
NodeId storageNode(const PickleGraph& graph, NodeId id) {
    for (int depth = 0; depth < 3; ++depth) {
        if (graph.kind(id) == NodeKind::PersistentId) {
            return graph.payload(id);
        }
        if (isNestedStorage(graph, id)) {
            return id;
        }
        const auto inner = graph.find(graph.state(id), "_untyped_storage");
        const auto wrapped = inner.present() ? inner : graph.find(graph.kwargs(id), "wrap_storage");
        const auto args = graph.items(graph.args(id));
        id = wrapped.present() ? wrapped : args.empty() ? NodeId{} : args[0];
    }
    return {};
}

/// The flags that torch stores with a view: {"conj": bool, "neg": bool}.
ElementFlags viewFlags(const PickleGraph& graph, NodeId metadata) {
    ElementFlags flags;
    flags.conjugate = graph.boolean(graph.find(metadata, "conj"));
    flags.negate = graph.boolean(graph.find(metadata, "neg"));
    return flags;
}

/// (storage, offset, size, stride, …): the first arguments of every strided rebuild function.
Result<TorchTensor> stridedTensor(const PickleGraph& graph, std::span<const NodeId> args,
                                  std::optional<Dtype> dtype) {
    if (args.size() < 4) {
        return badTensor("A tensor is rebuilt from too few arguments");
    }
    const NodeId storage = storageNode(graph, args[0]);
    if (!storage.present()) {
        return fail(ErrorCode::TorchBadPersistentId, "A tensor has no storage");
    }
    TorchTensor tensor;
    Dtype stored = Dtype::Uint8;
    if (isNestedStorage(graph, storage)) {
        auto nested = readNestedStorage(graph, storage);
        if (!nested) {
            return badTensor("The storage of a tensor is not a storage");
        }
        CAIRN_TRY(tensor, std::move(*nested));
        stored = tensor.dtype;
    } else {
        CAIRN_TRY(tensor.storage, readTorchStorage(graph, storage));
        stored = tensor.storage->dtype.value_or(stored);
    }
    const auto offset = graph.asInteger(args[1]);
    const auto shape = readDims(graph, args[2]);
    const auto strides = readDims(graph, args[3]);
    if (!offset || *offset < 0 || !shape || !strides || shape->size() != strides->size()) {
        return badTensor("The offset, size or strides of a tensor are not integers")
            .expecting(sentence("an offset, and as many strides as sizes, at most %1", kMaxRank));
    }
    const auto count = elementCount(*shape);
    tensor.dtype = dtype.value_or(stored);
    if (!count || !dtypeBytes(tensor.dtype, *count)) {
        return badTensor("The size of a tensor overflows")
            .butFound(sentence("shape %1", formatDims(*shape)));
    }
    tensor.shape = *shape;
    tensor.strides = *strides;
    tensor.offset = static_cast<std::uint64_t>(*offset);
    return tensor;
}

Result<TorchTensor> rebuiltV1(const PickleGraph& graph, std::span<const NodeId> args) {
    return stridedTensor(graph, args, std::nullopt);
}

Result<TorchTensor> rebuiltV3(const PickleGraph& graph, std::span<const NodeId> args) {
    if (args.size() < 7) {
        return badTensor("A tensor is rebuilt from too few arguments");
    }
    const GlobalName name = pickle::python3Name(graph.global(args[6]));
    const auto dtype = torchDtype(name);
    if (!dtype) {
        return fail(ErrorCode::TorchUnknownDtype, "Unknown element type of a tensor")
            .butFound(sentence("%1.%2", name.module, name.name));
    }
    CAIRN_TRY(TorchTensor tensor, stridedTensor(graph, args, dtype));
    if (args.size() > 7) {
        tensor.flags = viewFlags(graph, args[7]);
    }
    return tensor;
}

Result<TorchTensor> rebuiltV2(const PickleGraph& graph, std::span<const NodeId> args) {
    CAIRN_TRY(TorchTensor tensor, rebuiltV1(graph, args));
    if (args.size() > 6) {
        tensor.flags = viewFlags(graph, args[6]);
    }
    return tensor;
}

/// (dtype, size, strides, requires_grad): the file contains no elements.
Result<TorchTensor> metaTensor(const PickleGraph& graph, std::span<const NodeId> args) {
    if (args.size() < 2) {
        return badTensor("A tensor is rebuilt from too few arguments");
    }
    const auto dtype = torchDtype(pickle::python3Name(graph.global(args[0])));
    const auto shape = readDims(graph, args[1]);
    const auto count = shape ? elementCount(*shape) : std::nullopt;
    if (!dtype || !count || !dtypeBytes(*dtype, *count)) {
        return badTensor("Unknown element type or size of a tensor on the meta device");
    }
    TorchTensor tensor;
    tensor.dtype = *dtype;
    tensor.shape = *shape;
    tensor.strides = denseStrides(*shape);
    tensor.meta = true;
    return tensor;
}

/// Tensor classes of the first versions: instances with state (storage, offset, size, stride).
bool isFirstVersionTensor(const PickleGraph& graph, NodeId id, GlobalName callee) {
    const bool module = callee.module == "torch" || callee.module == "torch.cuda";
    return module && callee.name.ends_with("Tensor") && graph.items(graph.state(id)).size() == 4;
}

/// Which argument of a wrapping call is the tensor; empty: not a wrapping call.
struct Wrapping {
    bool wraps = false;
    NodeId inner;
};

constexpr auto kWrappers = std::to_array<GlobalName>({
    {"torch._utils", "_rebuild_parameter"},
    {"torch._utils", "_rebuild_parameter_with_state"},
    {"torch._utils", "_rebuild_device_tensor_from_numpy"},
    {"torch._utils", "_rebuild_device_tensor_from_cpu_tensor"},
    {"torch._utils", "_rebuild_xla_tensor"},
    {"torch.jit._pickle", "restore_type_tag"},
});
Wrapping unwrap(const PickleGraph& graph, NodeId id, GlobalName callee) {
    const auto args = graph.items(graph.args(id));
    const bool parameter = (callee.module == "torch.nn.parameter" || callee.module == "torch.nn") &&
                           (callee.name == "Parameter" || callee.name == "Buffer");
    const bool wrapper = std::ranges::find(kWrappers, callee) != kWrappers.end();
    if (parameter &&
        args.empty()) { // the first versions: BUILD state (tensor, requires_grad, hooks)
        const auto state = graph.items(graph.state(id));
        return {!state.empty(), state.empty() ? NodeId{} : state[0]};
    }
    return {(parameter || wrapper) && !args.empty(), args.empty() ? NodeId{} : args[0]};
}

/// Functions of torch._utils that give a strided tensor.
struct Rebuilder {
    std::string_view name;
    Result<TorchTensor> (*rebuild)(const PickleGraph& graph, std::span<const NodeId> args);
};
constexpr auto kRebuilders = std::to_array<Rebuilder>({
    {"_rebuild_tensor", rebuiltV1},
    {"_rebuild_tensor_v2", rebuiltV2},
    {"_rebuild_tensor_v3", rebuiltV3},
    {"_rebuild_meta_tensor_no_storage", metaTensor},
    {"_rebuild_qtensor", rebuiltV1},
});

Found rebuild(const PickleGraph& graph, NodeId id, GlobalName callee,
              std::span<const NodeId> args) {
    const auto* known = std::ranges::find(kRebuilders, callee.name, &Rebuilder::name);
    if (callee.module == "torch._utils" && known != kRebuilders.end()) {
        return known->rebuild(graph, args);
    }
    if (isFirstVersionTensor(graph, id, callee)) {
        return rebuiltV1(graph, graph.items(graph.state(id)));
    }
    if (isNestedStorage(graph, id)) {
        return readNestedStorage(graph, id);
    }
    return readNumpyArray(graph, id);
}

} // namespace

Found readTorchTensor(const PickleGraph& graph, NodeId id) {
    for (int depth = 0; depth < kMaxWrapping; ++depth) {
        if (graph.kind(id) != NodeKind::Object) {
            return std::nullopt;
        }
        const GlobalName callee = graph.calleeName(id);
        const auto args = graph.items(graph.args(id));
        if (callee.name == "_rebuild_from_type_v2" || callee.name == "_rebuild_from_type") {
            // (function, class, arguments, state): the function is called with the arguments.
            if (args.size() < 3) {
                return badTensor("A tensor is rebuilt from too few arguments");
            }
            const GlobalName inner = pickle::python3Name(graph.global(args[0]));
            const auto innerArgs = graph.items(args[2]);
            if (inner.name == "_rebuild_parameter" ||
                inner.name == "_rebuild_parameter_with_state") {
                id = innerArgs.empty() ? NodeId{} : innerArgs[0];
                continue;
            }
            return rebuild(graph, NodeId{}, inner, innerArgs);
        }
        const Wrapping wrapping = unwrap(graph, id, callee);
        if (!wrapping.wraps) {
            return rebuild(graph, id, callee, args);
        }
        id = wrapping.inner;
    }
    return std::nullopt;
}

} // namespace cairn::formats
