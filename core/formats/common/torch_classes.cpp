// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/torch_walker.h"

#include <algorithm>

// Converts the objects of a pickle: to tensors, plain values, or generic objects.

namespace cairn::formats {
namespace {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;

bool isDictClass(GlobalName name) {
    return (name.module == "collections" &&
            (name.name == "OrderedDict" || name.name == "defaultdict" || name.name == "Counter")) ||
           name == GlobalName{"builtins", "dict"};
}

std::string joined(GlobalName name) {
    return std::string(name.module) + "." + std::string(name.name);
}

} // namespace

std::string TorchWalker::className(NodeId callable) const {
    switch (m_graph.kind(callable)) {
    case NodeKind::Global:
        return joined(pickle::python3Name(m_graph.global(callable)));
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
            return joined(pickle::python3Name(m_graph.global(args[0]))) + "." +
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
    Value value;
    if (pythonObject(id, callee, depth, value) || torchObject(id, callee, depth, value)) {
        return value;
    }
    return unknownObject(id, depth);
}

Value TorchWalker::pathValue(std::span<const NodeId> parts) {
    std::string path;
    for (const NodeId part : parts) {
        path += path.empty() || path.ends_with('/') ? "" : "/";
        path += m_graph.text(part);
    }
    return Value(std::move(path));
}

/// A bytes value, however it was pickled; of long ones the graph's buffer may contain only the
/// beginning. Empty: not bytes.
std::optional<Value> TorchWalker::pickledBytes(NodeId id) {
    std::string decoded;
    const auto bytes = readPickledBytes(m_graph, id, decoded);
    if (!bytes) {
        return std::nullopt;
    }
    if (!decoded.empty()) {
        return Value::bytes({bytes->begin(), bytes->end()});
    }
    auto content = m_storages.contentOf(*bytes);
    return content ? Value::bytes(std::move(*content)) : complain(std::move(content).error());
}

/// Standard library classes that become plain values.
bool TorchWalker::pythonObject(NodeId id, GlobalName callee, int depth, Value& out) {
    const auto args = m_graph.items(m_graph.args(id));
    const auto is = [&](std::string_view module, std::string_view name) {
        return callee == GlobalName{module, name};
    };
    if (isDictClass(callee)) {
        std::vector<ValueItem> items = pairs(m_graph.pairs(id), depth);
        if (!args.empty() && m_graph.kind(args.back()) == NodeKind::Dict) { // Counter({…})
            items = pairs(m_graph.pairs(args.back()), depth);
        }
        const auto given = args.empty() ? args : m_graph.items(args.back());
        for (std::size_t i = 0; i < given.size(); ++i) { // OrderedDict([(k, v), …])
            if (const auto both = m_graph.items(given[i]); both.size() == 2) {
                addEntry(items, {both[0], both[1]}, i, depth, given.size() > kMany);
            }
        }
        out = Value::dict(std::move(items), callee.name == "dict" ? std::string() : joined(callee));
        return true;
    }
    if (is("builtins", "set") || is("builtins", "frozenset") || is("builtins", "list") ||
        is("builtins", "tuple") || is("collections", "deque")) {
        const ValueKind kind = callee.name == "list" || callee.name == "deque" ? ValueKind::List
                               : callee.name == "tuple"                        ? ValueKind::Tuple
                                                                               : ValueKind::Set;
        const auto given = m_graph.items(id);
        out =
            sequence(kind, !given.empty() || args.empty() ? given : m_graph.items(args[0]), depth);
        return true;
    }
    if (auto bytes = pickledBytes(id)) {
        out = std::move(*bytes);
        return true;
    }
    if (callee.module.starts_with("pathlib") && callee.name.ends_with("Path")) {
        out = Value::object(joined(callee), {{Value("path"), pathValue(args)}});
        return true;
    }
    if (is("builtins", "complex") && args.size() == 2) {
        out = Value::list({m_graph.number(args[0]), m_graph.number(args[1])});
        return true;
    }
    if ((is("_io", "BytesIO") || is("io", "BytesIO"))) {
        const auto state = m_graph.items(m_graph.state(id));
        out = state.empty() ? Value() : pickledBytes(state[0]).value_or(Value());
        return true;
    }
    return false;
}

/// Classes of torch and NumPy other than strided tensors.
bool TorchWalker::torchObject(NodeId id, GlobalName callee, int depth, Value& out) {
    const auto args = m_graph.items(m_graph.args(id));
    if (auto scalar = readNumpyScalar(m_graph, id)) {
        out = std::move(*scalar);
        return true;
    }
    if (isNumpyArray(m_graph, id)) { // an array of objects, text, dates or records
        const auto state = m_graph.items(m_graph.state(id));
        const bool objects = !state.empty() && m_graph.kind(state.back()) == NodeKind::List;
        const auto held = objects ? m_graph.items(state.back()) : state;
        const auto shape = objects && state.size() >= 4 ? readDims(m_graph, state[state.size() - 4])
                                                        : std::nullopt;
        if (shape && shape->empty() && held.size() == 1) { // a dict saved with numpy.save
            out = walk(held[0], depth + 1);
            return true;
        }
        out = objects ? sequence(ValueKind::List, m_graph.items(state.back()), depth)
                      : describeNumpyArray(m_graph, id);
        return true;
    }
    if (callee == GlobalName{"torch", "Size"}) {
        out = sequence(ValueKind::Tuple, args.empty() ? args : m_graph.items(args[0]), depth);
        return true;
    }
    if (callee == GlobalName{"torch", "device"} && !args.empty()) {
        std::string name(m_graph.text(args[0]));
        name += args.size() > 1 ? ":" + m_graph.integerText(args[1]) : "";
        out = Value(std::move(name));
        return true;
    }
    if (callee == GlobalName{"torch.serialization", "_get_layout"} && !args.empty()) {
        out = text(args[0]);
        return true;
    }
    if (callee.name.starts_with("_rebuild_sparse") && callee.module == "torch._utils") {
        out = sparseTensor(id, callee, args, depth);
        return true;
    }
    if (callee.module == "torch.jit._pickle" && !args.empty()) {
        out = walk(args[0], depth + 1);
        return true;
    }
    if (callee == GlobalName{"tensordict._reductions", "_make_td"} && args.size() == 2) {
        const NodeId held =
            m_graph.find(args[1], "_tensordict"); // named like the members of a module
        if (!held.present()) {
            return false; // a class that stores its tensors differently
        }
        std::vector<ValueItem> items = pairs(m_graph.pairs(held), depth);
        for (const auto& [key, value] : m_graph.pairs(args[1])) {
            if (value != held) {
                addEntry(items, {key, value}, items.size(), depth);
            }
        }
        out = Value::dict(std::move(items), className(args[0]));
        return true;
    }
    if ((callee.name == "TypedStorage" || callee.name == "_TypedStorage") &&
        callee.module == "torch.storage") {
        const NodeId inner = m_graph.find(m_graph.state(id), "_untyped_storage");
        out = inner.present() ? walk(inner, depth + 1)
              : args.empty()  ? Value()
                              : walk(args[0], depth + 1);
        return true;
    }
    return false;
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
