// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/pickle/pickle.h"
#include "core/codec/pickle/pickle_node.h"
#include "core/codec/pickle/pickle_text.h"

#include <bit>
#include <cstring>

namespace cairn::pickle {

std::span<const std::byte> node::countedContent(std::span<const std::byte> buffer,
                                                std::uint64_t offset) {
    const auto rest = buffer.subspan(static_cast<std::size_t>(offset) + 1);
    switch (std::to_integer<std::uint8_t>(buffer[static_cast<std::size_t>(offset)])) {
    case 'U':
    case 'C':
    case 0x8c:
    case 0x8a:
        return rest.subspan(1, std::to_integer<std::size_t>(rest[0]));
    case 'T':
    case 'X':
    case 'B':
    case 0x8b:
        return rest.subspan(4, loadLittle<std::uint32_t>(rest));
    case 0x8d:
    case 0x8e:
    case 0x96:
        return rest.subspan(8, static_cast<std::size_t>(loadLittle<std::uint64_t>(rest)));
    default:
        return {};
    }
}

namespace {

/// The line of a text opcode; the machine has checked that it ends.
std::string_view lineAt(std::span<const std::byte> buffer, std::uint64_t offset) {
    const std::string_view rest = asText(buffer).substr(static_cast<std::size_t>(offset) + 1);
    return rest.substr(0, rest.find('\n'));
}

bool isLineOpcode(std::span<const std::byte> buffer, std::uint64_t offset) {
    const auto opcode = std::to_integer<char>(buffer[static_cast<std::size_t>(offset)]);
    return opcode == 'I' || opcode == 'L' || opcode == 'F';
}

} // namespace

bool PickleGraph::boolean(NodeId id) const {
    return id == node::kTrue;
}

std::optional<std::int64_t> PickleGraph::asInteger(NodeId id) const {
    if (node::isSmallInt(id)) {
        return node::smallIntValue(id);
    }
    const NodeKind found = kind(id);
    if (found == NodeKind::Bool) {
        return boolean(id) ? 1 : 0;
    }
    if (found != NodeKind::Int) {
        return std::nullopt;
    }
    const std::uint64_t packed = nodeOf(id);
    if (node::formOf(packed) != node::kWide) {
        return static_cast<std::int64_t>(packed) >> 8;
    }
    const std::uint64_t offset = node::payloadOf(packed);
    if (isLineOpcode(buffer(), offset)) {
        return readIntegerLine(lineAt(buffer(), offset)).value;
    }
    return littleInteger(node::countedContent(buffer(), offset));
}

std::int64_t PickleGraph::integer(NodeId id) const {
    return asInteger(id).value_or(0);
}

double PickleGraph::number(NodeId id) const {
    if (kind(id) != NodeKind::Float) {
        return static_cast<double>(integer(id));
    }
    const std::uint64_t offset = node::payloadOf(nodeOf(id));
    if (isLineOpcode(buffer(), offset)) {
        return readFloatLine(lineAt(buffer(), offset)).value_or(0);
    }
    const auto bits = loadLittle<std::uint64_t>(buffer(), static_cast<std::size_t>(offset) + 1);
    return std::bit_cast<double>(__builtin_bswap64(bits));
}

std::string PickleGraph::integerText(NodeId id) const {
    if (const auto value = asInteger(id)) {
        return std::to_string(*value);
    }
    if (kind(id) != NodeKind::BigInt) {
        return {};
    }
    const std::uint64_t offset = node::payloadOf(nodeOf(id));
    if (isLineOpcode(buffer(), offset)) {
        return std::string(readIntegerLine(lineAt(buffer(), offset)).digits);
    }
    return integerToText(node::countedContent(buffer(), offset));
}

std::span<const std::byte> PickleGraph::bytes(NodeId id) const {
    const NodeKind found = kind(id);
    if (found != NodeKind::Str && found != NodeKind::Bytes && found != NodeKind::ByteArray) {
        return {};
    }
    const std::uint64_t packed = nodeOf(id);
    const std::uint64_t payload = node::payloadOf(packed);
    switch (node::formOf(packed)) {
    case node::kOwned:
        return asBytes(m_owned[static_cast<std::size_t>(payload)]);
    case node::kLine:
        return buffer().subspan(static_cast<std::size_t>(payload >> 16),
                                static_cast<std::size_t>(payload & node::kRunMax));
    default:
        return node::countedContent(buffer(), payload);
    }
}

std::string_view PickleGraph::text(NodeId id) const {
    return kind(id) == NodeKind::Str ? asText(bytes(id)) : std::string_view{};
}

std::span<const NodeId> PickleGraph::run(std::uint64_t packed) const {
    const auto start = static_cast<std::size_t>(node::startOf(packed));
    if ((node::formOf(packed) & node::kBig) != 0) {
        return {m_children.data() + start + node::kRunHeader, m_children[start].value};
    }
    return {m_children.data() + start, static_cast<std::size_t>(node::countOf(packed))};
}

NodeId PickleGraph::slot(NodeId id, std::size_t index) const {
    if (kind(id) != NodeKind::Object) {
        return {};
    }
    return m_children[static_cast<std::size_t>(node::startOf(nodeOf(id))) + index];
}

NodeId PickleGraph::extra(NodeId id, std::size_t index) const {
    if (kind(id) != NodeKind::Object || (node::flagsOf(nodeOf(id)) & node::kExtended) == 0) {
        return {};
    }
    return slot(id, index);
}

std::span<const NodeId> PickleGraph::items(NodeId id) const {
    switch (kind(id)) {
    case NodeKind::Tuple:
    case NodeKind::List:
    case NodeKind::Set:
    case NodeKind::FrozenSet:
        return node::isImmediate(id) ? std::span<const NodeId>{} : run(nodeOf(id));
    case NodeKind::Object: {
        const NodeId hidden = extra(id, node::kItems);
        return hidden.present() ? run(nodeOf(hidden)) : std::span<const NodeId>{};
    }
    default:
        return {};
    }
}

PairView PickleGraph::pairs(NodeId id) const {
    if (kind(id) == NodeKind::Dict) {
        return PairView(run(nodeOf(id)));
    }
    const NodeId hidden = extra(id, node::kPairs);
    return PairView(hidden.present() ? run(nodeOf(hidden)) : std::span<const NodeId>{});
}

NodeId PickleGraph::find(NodeId id, std::string_view key) const {
    const PairView all = pairs(id);
    for (std::size_t i = all.size(); i-- > 0;) {
        const auto [name, value] = all[i];
        if (kind(name) == NodeKind::Str && text(name) == key) {
            return value;
        }
    }
    return {};
}

std::size_t PickleGraph::globalIndex(NodeId id) const {
    return kind(id) == NodeKind::Global ? static_cast<std::size_t>(node::payloadOf(nodeOf(id))) : 0;
}

GlobalName PickleGraph::global(NodeId id) const {
    if (kind(id) != NodeKind::Global) {
        return {};
    }
    return m_globals[static_cast<std::size_t>(node::payloadOf(nodeOf(id)))].name;
}

MadeBy PickleGraph::madeBy(NodeId id) const {
    return kind(id) == NodeKind::Object
               ? static_cast<MadeBy>(node::flagsOf(nodeOf(id)) & node::kMadeByMask)
               : MadeBy::Reduce;
}
NodeId PickleGraph::callable(NodeId id) const {
    return slot(id, node::kCallable);
}
NodeId PickleGraph::args(NodeId id) const {
    return slot(id, node::kArgs);
}
NodeId PickleGraph::kwargs(NodeId id) const {
    return extra(id, node::kKwargs);
}

NodeId PickleGraph::state(NodeId id) const {
    if (kind(id) != NodeKind::Object) {
        return {};
    }
    if ((node::flagsOf(nodeOf(id)) & node::kHasStateSlot) != 0) {
        return slot(id, node::kStateSlot);
    }
    const NodeId hidden = extra(id, node::kStates);
    return hidden.present() ? run(nodeOf(hidden)).back() : NodeId{};
}

std::vector<NodeId> PickleGraph::states(NodeId id) const {
    if (const NodeId hidden = extra(id, node::kStates); hidden.present()) {
        const auto all = run(nodeOf(hidden));
        return {all.begin(), all.end()};
    }
    const NodeId only = state(id);
    return only.present() ? std::vector{only} : std::vector<NodeId>{};
}

NodeId PickleGraph::payload(NodeId id) const {
    return kind(id) == NodeKind::PersistentId
               ? NodeId{static_cast<std::uint32_t>(node::payloadOf(nodeOf(id)))}
               : NodeId{};
}

std::uint64_t PickleGraph::bufferIndex(NodeId id) const {
    return kind(id) == NodeKind::Buffer ? node::payloadOf(nodeOf(id)) : 0;
}

GlobalName PickleGraph::calleeName(NodeId id) const {
    return python3Name(global(callable(id)));
}

bool PickleGraph::isCallOf(NodeId id, GlobalName name) const {
    return kind(id) == NodeKind::Object && calleeName(id) == name;
}

std::optional<std::span<const std::byte>> PickleGraph::inlineArray(NodeId id) const {
    const auto found = m_inlineArrays.find(id.value);
    return found == m_inlineArrays.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t PickleGraph::memoryBytes() const {
    std::uint64_t owned = 0;
    for (const std::string& text : m_owned) {
        owned += sizeof(text) + (text.capacity() > 15 ? text.capacity() : 0);
    }
    return m_nodes.size() * sizeof(std::uint64_t) + m_children.size() * sizeof(NodeId) +
           m_globals.capacity() * sizeof(GlobalUse) + owned;
}

void forEachReachable(const PickleGraph& graph, NodeId from,
                      const std::function<bool(NodeId)>& visit) {
    std::vector<bool> seen(graph.storedNodes(), false);
    std::vector<NodeId> waiting{from};
    const auto add = [&](NodeId id) {
        if (id.present()) {
            waiting.push_back(id);
        }
    };
    while (!waiting.empty()) {
        const NodeId id = waiting.back();
        waiting.pop_back();
        if (!node::isImmediate(id)) {
            if (id.value >= seen.size() || seen[id.value]) {
                continue;
            }
            seen[id.value] = true;
        }
        if (!id.present() || !visit(id)) {
            continue;
        }
        // Pushed in reverse, so that values are visited in stream order.
        const std::vector<NodeId> states = graph.states(id);
        for (std::size_t i = states.size(); i-- > 0;) {
            add(states[i]);
        }
        const PairView pairs = graph.pairs(id);
        for (std::size_t i = pairs.size(); i-- > 0;) {
            add(pairs[i].value);
            add(pairs[i].key);
        }
        const auto items = graph.items(id);
        for (std::size_t i = items.size(); i-- > 0;) {
            add(items[i]);
        }
        add(graph.kwargs(id));
        add(graph.args(id));
        add(graph.callable(id));
        add(graph.payload(id));
    }
}

} // namespace cairn::pickle
