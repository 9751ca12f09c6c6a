// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_keys.h"

#include "core/formats/common/torch/torch_numpy.h"

#include <algorithm>
#include <utility>

// Converts the keys of dicts, from which names are built.

namespace cairn::formats {
namespace {

using pickle::GlobalName;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

constexpr std::size_t kMaxNodes = 64; ///< limit on nodes in a key: tuples may share items
constexpr std::size_t kMaxBytes = 1024;

/// Protocols before 3 write bytes as a call.
bool isShortBytes(const PickleGraph& graph, NodeId key) {
    const auto args = graph.items(graph.args(key));
    if (graph.isCallOf(key, {"builtins", "bytes"})) {
        return args.empty();
    }
    std::string decoded;
    return graph.isCallOf(key, {"_codecs", "encode"}) && !args.empty() &&
           graph.bytes(args[0]).size() <= 2 * kMaxBytes && // a byte may take two in UTF-8
           readPickledBytes(graph, key, decoded).has_value();
}

bool isPlain(const PickleGraph& graph, NodeId key, std::size_t& left) {
    if (left == 0) {
        return false;
    }
    --left;
    switch (graph.kind(key)) {
    case NodeKind::Bytes:
        return graph.bytes(key).size() <= kMaxBytes;
    case NodeKind::Tuple:
        return std::ranges::all_of(graph.items(key),
                                   [&](NodeId item) { return isPlain(graph, item, left); });
    case NodeKind::Object:
        return graph.isCallOf(key, {"torch", "device"}) || isShortBytes(graph, key) ||
               readNumpyScalar(graph, key).has_value();
    case NodeKind::Global:
        return true;
    default:
        return isPrimitiveKey(graph.kind(key));
    }
}

} // namespace

bool isPrimitiveKey(NodeKind kind) {
    switch (kind) {
    case NodeKind::Str:
    case NodeKind::Bytes:
    case NodeKind::Int:
    case NodeKind::BigInt:
    case NodeKind::Float:
    case NodeKind::Bool:
    case NodeKind::None:
    case NodeKind::Tuple:
        return true;
    default:
        return false;
    }
}

bool isPlainKey(const PickleGraph& graph, NodeId key) {
    std::size_t left = kMaxNodes;
    return isPlain(graph, key, left);
}

std::optional<std::string> memberText(const PickleGraph& graph, NodeId key) {
    const NodeId callable = graph.callable(key);
    const auto args = graph.items(graph.args(key));
    const bool bare =
        !graph.state(key).present() && graph.items(key).empty() && graph.pairs(key).empty();
    if (graph.kind(key) != NodeKind::Object || graph.kind(callable) != NodeKind::Global || !bare) {
        return std::nullopt;
    }
    GlobalName owner = pickle::python3Name(graph.global(callable));
    std::size_t value = 0;
    if (owner == GlobalName{"builtins", "getattr"} && args.size() == 2 &&
        graph.kind(args[0]) == NodeKind::Global && graph.kind(args[1]) == NodeKind::Str) {
        owner = pickle::python3Name(graph.global(args[0])); // Python 3.11 wrote some by name
        value = 1;
    } else if (args.size() != 1) {
        return std::nullopt;
    }
    std::string text(owner.name);
    switch (graph.kind(args[value])) {
    case NodeKind::Str:
        text += "." + std::string(graph.text(args[value]).substr(0, kMaxBytes + 1));
        break;
    case NodeKind::Int:
        text += "." + graph.integerText(args[value]);
        break;
    case NodeKind::Bool:
        text += graph.boolean(args[value]) ? ".True" : ".False";
        break;
    default:
        return std::nullopt;
    }
    return text.size() <= kMaxBytes ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<TorchKeys> TorchKeys::ofDict(const PickleGraph& graph, pickle::PairView pairs) {
    bool plain = true;
    for (std::size_t i = 0; plain && i < pairs.size(); ++i) {
        plain = isPrimitiveKey(graph.kind(pairs[i].key));
    }
    if (plain) {
        return std::nullopt;
    }
    TorchKeys keys;
    for (const auto& pair : pairs) {
        if (graph.kind(pair.key) == NodeKind::Str) {
            keys.m_texts.insert(graph.text(pair.key));
        } else if (graph.kind(pair.key) == NodeKind::Int) {
            keys.m_numbers.insert(graph.integer(pair.key));
        }
    }
    return keys;
}

Value TorchKeys::madeDistinct(Value key) {
    const std::int64_t* number = key.asInt();
    if (number != nullptr && m_numbers.insert(*number).second) {
        return key;
    }
    const std::string stem = keyText(key);
    std::size_t& count = m_uses.try_emplace(stem, number != nullptr ? 1 : 0).first->second;
    std::string text;
    do {
        ++count;
        text = count == 1 ? stem : stem + "@" + std::to_string(count);
    } while (m_texts.contains(text) || !m_made.insert(text).second);
    return Value(std::move(text));
}

TorchObjectKeys::TorchObjectKeys(const PickleGraph& graph, TorchNotes& notes)
    : m_graph(graph), m_notes(notes), m_numberingLeft(2 * graph.storedNodes() + 1024) {}

Value TorchObjectKeys::replacement(NodeId key, std::size_t position) {
    if (auto text = memberText(m_graph, key)) {
        m_notes.once(TorchNote::Members, ErrorCode::Unsupported,
                     "Keys that are enum members are shown, and written, as text", Severity::Info);
        return Value(std::move(*text));
    }
    if (const auto number = numberOf(key)) {
        return Value(static_cast<std::int64_t>(*number));
    }
    m_notes.once(TorchNote::Keys, ErrorCode::Unsupported,
                 "Keys that are objects are named by their positions");
    return Value(static_cast<std::int64_t>(position));
}

/// The number of a parameter in the groups of the current optimizer, counted through all groups as
/// in its state_dict(). Many optimizers may share their parameters, so the map is built when it is
/// first needed, within a limit.
std::optional<std::size_t> TorchObjectKeys::numberOf(NodeId parameter) {
    if (m_numberedGroups != m_groups.value) {
        m_numberedGroups = m_groups.value;
        m_parameterNumbers = {};
        std::size_t number = 0;
        const auto groups =
            m_groups.present() ? m_graph.items(m_groups) : std::span<const NodeId>{};
        for (const NodeId group : groups) {
            const NodeId parameters = m_graph.find(group, "params");
            const auto each =
                parameters.present() ? m_graph.items(parameters) : std::span<const NodeId>{};
            const std::uint64_t cost = m_graph.pairs(group).size() + each.size() + 1;
            if (cost > m_numberingLeft) {
                break;
            }
            m_numberingLeft -= cost;
            for (const NodeId one : each) {
                m_parameterNumbers.try_emplace(one.value, number++);
            }
        }
    }
    const auto known = m_parameterNumbers.find(parameter.value);
    return known == m_parameterNumbers.end() ? std::nullopt : std::optional(known->second);
}

} // namespace cairn::formats
