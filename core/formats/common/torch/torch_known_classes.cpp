// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_walker.h"

#include <array>
#include <limits>
#include <span>

// Converts objects of known classes: of Python's standard library, and those of torch and NumPy
// other than strided tensors.

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;

/// "Path" -> "Path"; "pathlib*" -> "pathlib._local"; "*Path" -> "PosixPath".
bool matches(std::string_view pattern, std::string_view text) {
    if (pattern.starts_with('*')) {
        return text.ends_with(pattern.substr(1));
    }
    return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : text == pattern;
}

} // namespace

/// A class or function, and how its calls become values. Empty: use unknownObject().
struct TorchWalker::KnownCall {
    GlobalName callee; ///< each part may begin or end with a star
    std::size_t least; ///< arguments
    std::size_t most;
    std::optional<Value> (TorchWalker::*read)(const Call& call);
};

std::optional<Value> TorchWalker::knownObject(const Call& call) {
    using Walker = TorchWalker;
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    static constexpr auto kKnown = std::to_array<KnownCall>({
        {{"builtins", "dict"}, 0, kAny, &Walker::dictValue},
        {{"collections", "OrderedDict"}, 0, kAny, &Walker::dictValue},
        {{"collections", "defaultdict"}, 0, kAny, &Walker::dictValue},
        {{"collections", "Counter"}, 0, kAny, &Walker::dictValue},
        {{"builtins", "list"}, 0, kAny, &Walker::sequenceValue<ValueKind::List>},
        {{"collections", "deque"}, 0, kAny, &Walker::sequenceValue<ValueKind::List>},
        {{"builtins", "tuple"}, 0, kAny, &Walker::sequenceValue<ValueKind::Tuple>},
        {{"builtins", "set"}, 0, kAny, &Walker::sequenceValue<ValueKind::Set>},
        {{"builtins", "frozenset"}, 0, kAny, &Walker::sequenceValue<ValueKind::Set>},
        {{"builtins", "complex"}, 2, 2, &Walker::complexValue},
        {{"pathlib*", "*Path"}, 0, kAny, &Walker::pathValue},
        {{"_io", "BytesIO"}, 0, kAny, &Walker::bufferValue},
        {{"io", "BytesIO"}, 0, kAny, &Walker::bufferValue},
        {{"torch", "Size"}, 0, kAny, &Walker::sizeValue},
        {{"torch", "device"}, 1, kAny, &Walker::deviceValue},
        {{"torch.serialization", "_get_layout"}, 1, kAny, &Walker::layoutValue},
        {{"torch._utils", "_rebuild_sparse*"}, 0, kAny, &Walker::sparseTensor},
        {{"torch.jit._pickle", "*"}, 1, kAny, &Walker::firstArgument},
        {{"torch.storage", "TypedStorage"}, 0, kAny, &Walker::typedStorageValue},
        {{"torch.storage", "_TypedStorage"}, 0, kAny, &Walker::typedStorageValue},
        {{"tensordict._reductions", "_make_td"}, 2, 2, &Walker::tensorDictValue},
    });
    for (const KnownCall& known : kKnown) {
        if (matches(known.callee.module, call.callee.module) &&
            matches(known.callee.name, call.callee.name) && call.args.size() >= known.least &&
            call.args.size() <= known.most) {
            return (this->*known.read)(call);
        }
    }
    if (auto bytes = pickledBytes(call.id)) {
        return bytes;
    }
    if (auto scalar = readNumpyScalar(m_graph, call.id)) {
        return scalar;
    }
    return isNumpyArray(m_graph, call.id) ? std::optional(numpyObjects(call)) : std::nullopt;
}

std::optional<Value> TorchWalker::dictValue(const Call& call) {
    std::vector<ValueItem> items = pairs(m_graph.pairs(call.id), call.depth);
    const auto args = call.args;
    if (!args.empty() && m_graph.kind(args.back()) == NodeKind::Dict) { // Counter({…})
        items = pairs(m_graph.pairs(args.back()), call.depth);
    }
    const auto given = args.empty() ? args : m_graph.items(args.back());
    for (std::size_t i = 0; i < given.size(); ++i) { // OrderedDict([(k, v), …])
        if (const auto both = m_graph.items(given[i]); both.size() == 2) {
            addEntry(items, {both[0], both[1]}, i, call.depth, given.size() > kMany);
        }
    }
    return Value::dict(std::move(items),
                       call.callee.name == "dict" ? std::string() : fullName(call.callee));
}

template <ValueKind kind> std::optional<Value> TorchWalker::sequenceValue(const Call& call) {
    const auto given = m_graph.items(call.id);
    return sequence(kind, !given.empty() || call.args.empty() ? given : m_graph.items(call.args[0]),
                    call.depth);
}

std::optional<Value> TorchWalker::complexValue(const Call& call) {
    return Value::list({m_graph.number(call.args[0]), m_graph.number(call.args[1])});
}

std::optional<Value> TorchWalker::pathValue(const Call& call) {
    std::string path;
    for (const NodeId part : call.args) {
        path += path.empty() || path.ends_with('/') ? "" : "/";
        path += m_graph.text(part);
    }
    return Value::object(fullName(call.callee), {{Value("path"), Value(std::move(path))}});
}

std::optional<Value> TorchWalker::bufferValue(const Call& call) {
    const auto state = m_graph.items(m_graph.state(call.id));
    return state.empty() ? Value() : pickledBytes(state[0]).value_or(Value());
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

/// An array of objects, text, dates or records.
Value TorchWalker::numpyObjects(const Call& call) {
    const auto state = m_graph.items(m_graph.state(call.id));
    const bool objects = !state.empty() && m_graph.kind(state.back()) == NodeKind::List;
    const auto held = objects ? m_graph.items(state.back()) : state;
    const auto shape =
        objects && state.size() >= 4 ? readDims(m_graph, state[state.size() - 4]) : std::nullopt;
    if (shape && shape->empty() && held.size() == 1) { // a dict saved with numpy.save
        return walk(held[0], call.depth + 1);
    }
    return objects ? sequence(ValueKind::List, held, call.depth)
                   : describeNumpyArray(m_graph, call.id);
}

std::optional<Value> TorchWalker::sizeValue(const Call& call) {
    return sequence(ValueKind::Tuple, call.args.empty() ? call.args : m_graph.items(call.args[0]),
                    call.depth);
}

std::optional<Value> TorchWalker::deviceValue(const Call& call) {
    std::string name(m_graph.text(call.args[0]));
    name += call.args.size() > 1 ? ":" + m_graph.integerText(call.args[1]) : "";
    return Value(std::move(name));
}

std::optional<Value> TorchWalker::layoutValue(const Call& call) {
    return text(call.args[0]);
}

std::optional<Value> TorchWalker::firstArgument(const Call& call) {
    return walk(call.args[0], call.depth + 1);
}

std::optional<Value> TorchWalker::typedStorageValue(const Call& call) {
    const NodeId inner = m_graph.find(m_graph.state(call.id), "_untyped_storage");
    if (inner.present()) {
        return walk(inner, call.depth + 1);
    }
    return call.args.empty() ? Value() : walk(call.args[0], call.depth + 1);
}

/// Named like the members of a module. Empty: a class that stores its tensors differently.
std::optional<Value> TorchWalker::tensorDictValue(const Call& call) {
    const NodeId held = m_graph.find(call.args[1], "_tensordict");
    if (!held.present()) {
        return std::nullopt;
    }
    std::vector<ValueItem> items = pairs(m_graph.pairs(held), call.depth);
    for (const auto& [key, value] : m_graph.pairs(call.args[1])) {
        if (value != held) {
            addEntry(items, {key, value}, items.size(), call.depth);
        }
    }
    return Value::dict(std::move(items), className(call.args[0]));
}

} // namespace cairn::formats
