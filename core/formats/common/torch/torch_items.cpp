// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_items.h"

#include "core/base/position_table.h"
#include "core/formats/common/torch/torch_walker.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

constexpr std::uint64_t kMaxItems = 4'000'000;

/// Converts a list with skipped items to a dict by position, so that the other items keep their
/// positions.
void numberItems(ValueNode& node) {
    if (node.kind == ValueKind::Dict) {
        return;
    }
    node.kind = ValueKind::Dict;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        node.items[i].key = Value(static_cast<std::int64_t>(i));
    }
}

/// Which pairs have a text key that a later pair repeats: the last of equal keys is valid. Empty if
/// there are none, which is what Python writes.
std::vector<bool> superseded(const PickleGraph& graph, pickle::PairView all) {
    std::vector<bool> found;
    PositionTable last(all.size());
    for (std::size_t i = all.size(); i-- > 0;) {
        if (graph.kind(all[i].key) != NodeKind::Str) {
            continue;
        }
        const std::string_view text = graph.text(all[i].key);
        const auto own = static_cast<std::uint32_t>(i);
        const auto sameText = [&](std::uint32_t later) {
            return graph.text(all[later].key) == text;
        };
        if (last.add(hashOf(text), own, sameText) != own) {
            found.resize(all.size(), false);
            found[i] = true;
        }
    }
    return found;
}

} // namespace

TorchItems::TorchItems(const PickleGraph& graph, TorchNotes& notes, TorchWalker& walker)
    : m_graph(graph), m_notes(notes), m_walker(walker), m_objectKeys(graph, notes),
      m_left(kMaxItems), m_ofManyLeft(kMaxItems) {}

/// Whether one more plain value is kept. Long lists (a sampler's order, for example) have a
/// separate limit, so that they leave room for the small dicts that describe the tensors.
bool TorchItems::takeItem(bool ofMany) {
    ++m_met;
    if (m_keys > 0 || m_searching > 0) {
        return m_keys > 0;
    }
    std::uint64_t& left = ofMany ? m_ofManyLeft : m_left;
    if (left == 0) {
        m_notes.once(TorchNote::Items, ErrorCode::LimitExceeded,
                     "The checkpoint has more values than can be shown");
        return false;
    }
    --left;
    return true;
}

/// Whether to examine an item: an item that is not kept may still contain tensors.
bool TorchItems::isSelected(NodeId id, bool taken) const {
    if (taken) {
        return true;
    }
    switch (m_graph.kind(id)) {
    case NodeKind::Tuple:
    case NodeKind::List:
    case NodeKind::Dict:
    case NodeKind::Set:
    case NodeKind::FrozenSet:
    case NodeKind::Object:
    case NodeKind::PersistentId:
        return m_walker.isDescribing() || id.value >= m_bare.size() || !m_bare[id.value];
    default:
        return false;
    }
}

/// Converts one item of a container. If not `taken`, it is kept only if it contains tensors.
std::optional<Value> TorchItems::item(std::string_view part, NodeId id, int depth, bool taken) {
    const std::size_t before = m_walker.entries().size();
    m_searching += taken ? 0 : 1;
    Value value = m_walker.walkAt(part, id, depth);
    m_searching -= taken ? 0 : 1;
    const bool holds = m_walker.entries().size() > before || value.asTensor() != nullptr;
    return taken || holds ? std::optional(std::move(value)) : std::nullopt;
}

void TorchItems::addItem(std::vector<ValueItem>& items, std::string_view name, NodeId id,
                         int depth) {
    const bool taken = takeItem();
    if (!isSelected(id, taken)) {
        return;
    }
    if (auto value = item(name, id, depth, taken)) {
        items.push_back({Value(name), std::move(*value)});
    }
}

Value TorchItems::sequence(ValueKind kind, std::span<const NodeId> items, int depth) {
    ValueNode node{kind, {}, {}};
    const bool many = items.size() > kMany;
    node.items.reserve(std::min<std::uint64_t>(items.size(), roomFor(many)));
    std::array<char, 24> digits{};
    for (std::size_t i = 0; i < items.size(); ++i) {
        const bool taken = takeItem(many);
        if (!isSelected(items[i], taken)) {
            continue;
        }
        const int length = std::snprintf(digits.data(), digits.size(), "%zu", i);
        auto value =
            item({digits.data(), static_cast<std::size_t>(length)}, items[i], depth + 1, taken);
        if (!value) {
            continue;
        }
        if (node.items.size() < i && node.kind != ValueKind::Set) { // an earlier item was skipped
            numberItems(node);
            node.items.push_back({Value(static_cast<std::int64_t>(i)), std::move(*value)});
        } else {
            node.items.push_back({{}, std::move(*value)});
        }
    }
    return Value::container(std::move(node));
}

/// Remaining number of items that a container may keep.
std::uint64_t TorchItems::roomFor(bool many) const {
    return m_searching > 0 ? 0 : many ? m_ofManyLeft : m_left;
}

/// The key of an entry as a value. Objects are replaced; a replacement differs from the other keys.
Value TorchItems::keyOf(NodeId key, std::size_t position, int depth, TorchKeys* keys) {
    if (isPlainKey(m_graph, key)) {
        ++m_keys;
        Value name = m_walker.walkAt("key", key, depth + 1);
        --m_keys;
        const bool own = keys == nullptr || isPrimitiveKey(m_graph.kind(key));
        const bool text = name.asString() != nullptr || name.asInt() != nullptr;
        return own || !text ? name : keys->madeDistinct(std::move(name));
    }
    Value name = m_objectKeys.replacement(key, position);
    return keys != nullptr ? keys->madeDistinct(std::move(name)) : name;
}

void TorchItems::addEntry(std::vector<ValueItem>& items, pickle::PairView::Pair pair,
                          std::size_t position, int depth, bool ofMany, TorchKeys* keys) {
    const bool taken = takeItem(ofMany);
    if (!isSelected(pair.value, taken)) {
        return;
    }
    Value key = keyOf(pair.key, position, depth, keys);
    const std::string part = keyText(key);
    if (auto value = item(part, pair.value, depth + 1, taken)) {
        items.push_back({std::move(key), std::move(*value)});
    }
}

std::vector<ValueItem> TorchItems::pairs(pickle::PairView all, int depth) {
    const std::vector<bool> hidden =
        all.size() > 1 ? superseded(m_graph, all) : std::vector<bool>();
    std::vector<ValueItem> items;
    const bool many = all.size() > kMany;
    items.reserve(std::min<std::uint64_t>(all.size(), roomFor(many)));
    std::optional<TorchKeys> keys = TorchKeys::ofDict(m_graph, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (hidden.empty() || !hidden[i]) {
            addEntry(items, all[i], i, depth, many, keys ? &*keys : nullptr);
        }
    }
    return items;
}

Value TorchItems::dictionary(NodeId id, int depth) {
    if (const NodeId groups = m_graph.find(id, "param_groups"); groups.present()) {
        enterOptimizer(groups);
    }
    return Value::dict(pairs(m_graph.pairs(id), depth));
}

void TorchItems::noteBare(NodeId id) {
    // Of keys and of () nothing needs to be remembered.
    if (m_keys == 0 && id.value < m_graph.storedNodes()) {
        m_bare.resize(m_graph.storedNodes());
        m_bare[id.value] = true;
    }
}

} // namespace cairn::formats
