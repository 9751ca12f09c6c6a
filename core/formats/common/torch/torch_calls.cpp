// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_calls.h"

#include "core/formats/common/torch/torch_classes.h"
#include "core/formats/common/torch/torch_module.h"
#include "core/formats/common/torch/torch_numpy.h"
#include "core/formats/common/torch/torch_subclasses.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats {
namespace {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

// Objects of known classes: of Python's standard library, and those of torch and NumPy other than
// strided tensors.

std::optional<Value> dictValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    TorchItems& reader = walker.items();
    std::vector<ValueItem> items = reader.pairs(graph.pairs(call.id), call.depth);
    const auto args = call.args;
    if (!args.empty() && graph.kind(args.back()) == NodeKind::Dict) { // Counter({…})
        items = reader.pairs(graph.pairs(args.back()), call.depth);
    }
    const auto given = args.empty() ? args : graph.items(args.back());
    for (std::size_t i = 0; i < given.size(); ++i) { // OrderedDict([(k, v), …])
        if (const auto both = graph.items(given[i]); both.size() == 2) {
            reader.addEntry(items, {both[0], both[1]}, i, call.depth,
                            given.size() > TorchItems::kMany);
        }
    }
    return Value::dict(std::move(items),
                       call.callee.name == "dict" ? std::string() : fullName(call.callee));
}

template <ValueKind kind>
std::optional<Value> sequenceValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    const auto given = graph.items(call.id);
    return walker.items().sequence(
        kind, !given.empty() || call.args.empty() ? given : graph.items(call.args[0]), call.depth);
}

std::optional<Value> complexValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    return Value::list({graph.number(call.args[0]), graph.number(call.args[1])});
}

std::optional<Value> pathValue(TorchWalker& walker, const TorchCall& call) {
    std::string path;
    for (const NodeId part : call.args) {
        path += path.empty() || path.ends_with('/') ? "" : "/";
        path += walker.graph().text(part);
    }
    return Value::object(fullName(call.callee), {{Value("path"), Value(std::move(path))}});
}

/// A bytes value, however it was pickled. Empty: not bytes.
std::optional<Value> pickledBytes(TorchWalker& walker, NodeId id) {
    std::string decoded;
    const auto bytes = readPickledBytes(walker.graph(), id, decoded);
    if (!bytes) {
        return std::nullopt;
    }
    return decoded.empty() ? walker.bytes(*bytes) : Value::bytes({bytes->begin(), bytes->end()});
}

std::optional<Value> bufferValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    const auto state = graph.items(graph.state(call.id));
    return state.empty() ? Value() : pickledBytes(walker, state[0]).value_or(Value());
}

std::optional<Value> sizeValue(TorchWalker& walker, const TorchCall& call) {
    return walker.items().sequence(
        ValueKind::Tuple, call.args.empty() ? call.args : walker.graph().items(call.args[0]),
        call.depth);
}

std::optional<Value> deviceValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    std::string name(graph.text(call.args[0]));
    name += call.args.size() > 1 ? ":" + graph.integerText(call.args[1]) : "";
    return Value(std::move(name));
}

std::optional<Value> layoutValue(TorchWalker& walker, const TorchCall& call) {
    return walker.text(call.args[0]);
}

std::optional<Value> firstArgument(TorchWalker& walker, const TorchCall& call) {
    return walker.walk(call.args[0], call.depth + 1);
}

/// A module that torch.fx traced: the attributes of the module (torch/fx/graph_module.py).
std::optional<Value> tracedModule(TorchWalker& walker, const TorchCall& call) {
    const auto attributes = attributesOf(walker.graph(), call.args[0]);
    return attributes.empty()
               ? std::nullopt
               : std::optional(convertModule(walker, call.id, attributes, call.depth));
}

/// A module that torch.compile wrapped, which its state_dict() names.
std::optional<Value> compiledModule(TorchWalker& walker, const TorchCall& call) {
    std::vector<ValueItem> items;
    walker.items().addItem(items, "_orig_mod", call.args[0], call.depth + 1);
    return Value::dict(std::move(items), fullName(call.callee));
}

std::optional<Value> typedStorageValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    const NodeId inner = graph.find(graph.state(call.id), "_untyped_storage");
    if (inner.present()) {
        return walker.walk(inner, call.depth + 1);
    }
    return call.args.empty() ? Value() : walker.walk(call.args[0], call.depth + 1);
}

/// Named like the members of a module. Empty: a class that stores its tensors differently.
std::optional<Value> tensorDictValue(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    const NodeId held = graph.find(call.args[1], "_tensordict");
    if (!held.present()) {
        return std::nullopt;
    }
    std::vector<ValueItem> items = walker.items().pairs(graph.pairs(held), call.depth);
    for (const auto& [key, value] : graph.pairs(call.args[1])) {
        if (value != held) {
            walker.items().addEntry(items, {key, value}, items.size(), call.depth);
        }
    }
    return Value::dict(std::move(items), className(graph, call.args[0]));
}

/// An array of objects, text, dates or records.
Value numpyObjects(TorchWalker& walker, const TorchCall& call) {
    const PickleGraph& graph = walker.graph();
    const auto state = graph.items(graph.state(call.id));
    const bool objects = !state.empty() && graph.kind(state.back()) == NodeKind::List;
    const auto held = objects ? graph.items(state.back()) : state;
    const auto shape =
        objects && state.size() >= 4 ? readDims(graph, state[state.size() - 4]) : std::nullopt;
    if (shape && shape->empty() && held.size() == 1) { // a dict saved with numpy.save
        return walker.walk(held[0], call.depth + 1);
    }
    return objects ? walker.items().sequence(ValueKind::List, held, call.depth)
                   : describeNumpyArray(graph, call.id);
}

/// A class or function, and how its calls become values. Empty: as an unknown object.
struct KnownCall {
    GlobalName callee; ///< each part may begin or end with a star
    std::size_t least; ///< arguments
    std::size_t most;
    std::optional<Value> (*convert)(TorchWalker& walker, const TorchCall& call);
};

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr auto kKnown = std::to_array<KnownCall>({
    {{"builtins", "dict"}, 0, kAny, dictValue},
    {{"collections", "OrderedDict"}, 0, kAny, dictValue},
    {{"collections", "defaultdict"}, 0, kAny, dictValue},
    {{"collections", "Counter"}, 0, kAny, dictValue},
    {{"builtins", "list"}, 0, kAny, sequenceValue<ValueKind::List>},
    {{"collections", "deque"}, 0, kAny, sequenceValue<ValueKind::List>},
    {{"builtins", "tuple"}, 0, kAny, sequenceValue<ValueKind::Tuple>},
    {{"builtins", "set"}, 0, kAny, sequenceValue<ValueKind::Set>},
    {{"builtins", "frozenset"}, 0, kAny, sequenceValue<ValueKind::Set>},
    {{"builtins", "complex"}, 2, 2, complexValue},
    {{"pathlib*", "*Path"}, 0, kAny, pathValue},
    {{"_io", "BytesIO"}, 0, kAny, bufferValue},
    {{"io", "BytesIO"}, 0, kAny, bufferValue},
    {{"torch", "Size"}, 0, kAny, sizeValue},
    {{"torch", "device"}, 1, kAny, deviceValue},
    {{"torch.serialization", "_get_layout"}, 1, kAny, layoutValue},
    {{"torch._utils", "_rebuild_sparse*"}, 0, kAny, convertSparse},
    {{"numpy*", "_mareconstruct"}, 0, kAny, convertMasked},
    {{"torch.jit._pickle", "*"}, 1, kAny, firstArgument},
    {{"torch.storage", "TypedStorage"}, 0, kAny, typedStorageValue},
    {{"torch.storage", "_TypedStorage"}, 0, kAny, typedStorageValue},
    {{"tensordict._reductions", "_make_td"}, 2, 2, tensorDictValue},
    {{"torch.fx.graph_module", "reduce_graph_module"}, 2, 2, tracedModule},
    {{"torch._dynamo.eval_frame", "OptimizedModule"}, 2, 2, compiledModule},
    {{"flax.core.frozen_dict", "FrozenDict"}, 1, 1, firstArgument},
    {{"haiku._src.data_structures", "FlatMapping"}, 1, 1, firstArgument},
    {{"haiku._src.data_structures", "frozendict"}, 1, 1, firstArgument},
});

/// "Path" -> "Path"; "pathlib*" -> "pathlib._local"; "*Path" -> "PosixPath".
bool matches(std::string_view pattern, std::string_view text) {
    if (pattern.starts_with('*')) {
        return text.ends_with(pattern.substr(1));
    }
    return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : text == pattern;
}

std::optional<Value> knownObject(TorchWalker& walker, const TorchCall& call) {
    for (const KnownCall& known : kKnown) {
        if (matches(known.callee.module, call.callee.module) &&
            matches(known.callee.name, call.callee.name) && call.args.size() >= known.least &&
            call.args.size() <= known.most) {
            return known.convert(walker, call);
        }
    }
    if (auto bytes = pickledBytes(walker, call.id)) {
        return bytes;
    }
    if (auto scalar = readNumpyScalar(walker.graph(), call.id)) {
        return scalar;
    }
    return isNumpyArray(walker.graph(), call.id) ? std::optional(numpyObjects(walker, call))
                                                 : std::nullopt;
}

Value unknownObject(TorchWalker& walker, NodeId id, int depth) {
    const PickleGraph& graph = walker.graph();
    const auto state = attributes(graph, id);
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(state, [&](const auto& item) { return item.first == name; });
    };
    if (has("_parameters") && has("_modules")) {
        return convertModule(walker, id, state, depth);
    }
    for (const auto& [name, value] : state) {
        if (name == "param_groups") {
            walker.items().enterOptimizer(value);
        }
    }
    std::vector<ValueItem> items;
    const auto add = [&](std::string_view name, NodeId value) {
        walker.items().addItem(items, name, value, depth + 1);
    };
    const auto args = graph.items(graph.args(id));
    if (!args.empty()) {
        add("args", graph.args(id));
    }
    if (graph.kwargs(id).present() && !graph.pairs(graph.kwargs(id)).empty()) {
        add("kwargs", graph.kwargs(id));
    }
    for (const auto& [name, value] : state) {
        add(name, value);
    }
    if (state.empty() && graph.state(id).present() && !graph.isNone(graph.state(id))) {
        add("state", graph.state(id));
    }
    for (ValueItem& item : walker.items().pairs(graph.pairs(id), depth)) {
        items.push_back(std::move(item));
    }
    if (const auto more = graph.items(id); !more.empty()) {
        items.push_back(
            {Value("items"), walker.items().sequence(ValueKind::List, more, depth + 1)});
    }
    return Value::object(className(graph, graph.callable(id)), std::move(items));
}

} // namespace

Value convertObject(TorchWalker& walker, NodeId id, int depth) {
    const PickleGraph& graph = walker.graph();
    const TorchCall call{id, graph.calleeName(id), graph.items(graph.args(id)), depth};
    if (call.callee.name.starts_with("_rebuild_from_type") && call.args.size() >= 3) {
        return convertSubclass(walker, call);
    }
    if (auto tensor = walker.entries().read(id)) {
        if (!*tensor) {
            return walker.entries().addDamaged(tensor->error());
        }
        if (call.callee.name == "_rebuild_qtensor") {
            return convertQuantized(walker, call);
        }
        return walker.addTensor(id, **tensor);
    }
    auto known = knownObject(walker, call);
    return known ? std::move(*known) : unknownObject(walker, id, depth);
}

Value convertPersistentId(TorchWalker& walker, NodeId id) {
    const PickleGraph& graph = walker.graph();
    const NodeId payload = graph.payload(id);
    if (!isTorchStorage(graph, payload)) {
        return Value(className(graph, id));
    }
    auto storage = readTorchStorage(graph, payload);
    if (!storage) {
        return walker.entries().addDamaged(storage.error());
    }
    TorchTensor tensor;
    tensor.dtype = storage->dtype.value_or(Dtype::Uint8);
    tensor.shape = Shape{static_cast<std::int64_t>(storage->numel)};
    tensor.strides = Strides{1};
    tensor.storage = std::move(*storage);
    return walker.addTensor(id, tensor);
}

} // namespace cairn::formats
