// SPDX-License-Identifier: Apache-2.0
#include "core/base/position_table.h"
#include "core/formats/common/torch/torch_keys.h"
#include "core/formats/common/torch/torch_walker.h"

#include <algorithm>
#include <array>

// Lists and dicts, and the names of their items.

namespace cairn::formats {
namespace {

using pickle::NodeId;
using pickle::NodeKind;
using pickle::PickleGraph;

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

/// Whether one more plain value is kept. Long lists (a sampler's order, for example) have a
/// separate limit, so that they leave room for the small dicts that describe the tensors.
bool TorchWalker::takeItem(bool ofMany) {
    ++m_itemsMet;
    if (m_keys > 0 || m_searching > 0) {
        return m_keys > 0;
    }
    std::uint64_t& left = ofMany ? m_itemsOfManyLeft : m_itemsLeft;
    if (left == 0) {
        noteOnce(m_notedItems, ErrorCode::LimitExceeded,
                 "The checkpoint has more values than can be shown");
        return false;
    }
    --left;
    return true;
}

/// Whether to examine an item: an item that is not kept may still contain tensors.
bool TorchWalker::isSelected(NodeId id, bool taken) const {
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
        return m_descriptions > 0 || id.value >= m_bare.size() || !m_bare[id.value];
    default:
        return false;
    }
}

/// Converts one item of a container. If not `taken`, it is kept only if it contains tensors.
std::optional<Value> TorchWalker::item(std::string_view part, NodeId id, int depth, bool taken) {
    const std::size_t before = m_out.tensors.size();
    m_searching += taken ? 0 : 1;
    Value value = walkAt(part, id, depth);
    m_searching -= taken ? 0 : 1;
    const bool holds = m_out.tensors.size() > before || value.asTensor() != nullptr;
    return taken || holds ? std::optional(std::move(value)) : std::nullopt;
}

void TorchWalker::addItem(std::vector<ValueItem>& items, std::string_view name, NodeId id,
                          int depth) {
    const bool taken = takeItem();
    if (!isSelected(id, taken)) {
        return;
    }
    if (auto value = item(name, id, depth, taken)) {
        items.push_back({Value(name), std::move(*value)});
    }
}

Value TorchWalker::sequence(ValueKind kind, std::span<const NodeId> items, int depth) {
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
std::uint64_t TorchWalker::roomFor(bool many) const {
    return m_searching > 0 ? 0 : many ? m_itemsOfManyLeft : m_itemsLeft;
}

/// Adds one entry of a dict.
void TorchWalker::addEntry(std::vector<ValueItem>& items, pickle::PairView::Pair pair,
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

std::vector<ValueItem> TorchWalker::pairs(pickle::PairView all, int depth) {
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

Value TorchWalker::dictionary(NodeId id, std::string className, int depth) {
    if (const NodeId groups = m_graph.find(id, "param_groups"); groups.present()) {
        m_groups = groups;
    }
    return Value::dict(pairs(m_graph.pairs(id), depth), std::move(className));
}

/// Keys may contain dots, so two positions can have the same name: {"a.b": …, "a": {"b": …}}.
/// Python distinguishes them, and here every tensor needs a unique name.
void TorchWalker::makeNamesUnique() {
    constexpr std::size_t kMaxListed = 3;
    auto& tensors = m_out.tensors;
    PositionTable names(tensors.size());
    std::unordered_map<std::string, std::size_t> uses;
    std::size_t renamed = 0;
    std::string listed;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto isFree = [&](const std::string& name) {
            const auto own = static_cast<std::uint32_t>(i);
            return names.add(hashOf(name), own, [&](std::uint32_t earlier) {
                return tensors[earlier].name == name;
            }) == own;
        };
        if (isFree(tensors[i].name)) {
            continue;
        }
        const std::string stem = tensors[i].name + "@";
        std::size_t& count = uses.try_emplace(tensors[i].name, 1).first->second;
        do {
            tensors[i].name = stem + std::to_string(++count);
        } while (!isFree(tensors[i].name));
        if (++renamed <= kMaxListed) {
            listed += (listed.empty() ? "" : ", ") + tensors[i].name;
        }
    }
    if (renamed > 0) {
        m_out.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::DuplicateTensor,
                  "Several entries have the same name when their keys are joined with dots")
                 .butFound(sentence(
                     "%1%2", listed,
                     renamed > kMaxListed ? sentence(" and %1 more", renamed - kMaxListed) : ""))
                 .withHint("The later ones are shown with the suffixes @2, @3 …")});
    }
}

} // namespace cairn::formats
