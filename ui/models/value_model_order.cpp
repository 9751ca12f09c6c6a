// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/value_model.h"

#include <algorithm>
#include <numeric>

namespace cairn::ui {
namespace {

bool isTensor(const Value& container, std::uint32_t position) {
    return container.items()[position].value.asTensor() != nullptr;
}

/// The keys of a list or tuple are positions; they stay in order unless they are sorted.
bool mayReorder(const Value& container) {
    return container.kind() == ValueKind::Dict || container.kind() == ValueKind::Object;
}

} // namespace

ValueModel::Order ValueModel::orderOf(const Value& container) const {
    if (m_orders) {
        const auto found = m_orders->find(container.identity());
        return found != m_orders->end() ? found->second : nullptr;
    }
    if (!mayReorder(container)) {
        return nullptr;
    }
    std::vector<std::uint32_t> order(container.items().size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_partition(
        order, [&](std::uint32_t position) { return !isTensor(container, position); });
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
}

void ValueModel::setOrders(ValueOrdersPtr orders) {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    m_orders = std::move(orders);
    std::vector<bool> gone(m_nodes.size(), false);
    for (std::size_t number = 0; number < m_nodes.size(); ++number) {
        Node& node = m_nodes[number];
        gone[number] = gone[number] || (node.parent != kNone && gone[node.parent]);
        const Value* container = node.value != nullptr ? node.value : node.container;
        node.order = number == 0 || node.value == nullptr || !node.children.empty()
                         ? orderOf(*container)
                         : nullptr;
        const bool isCut = node.value == nullptr || childCount(node) < node.end - node.begin;
        if (!node.children.empty() && isCut && !node.narrowed) {
            for (const std::uint32_t child : node.children) { // other items are in these ranges now
                if (child != kNone) {
                    gone[child] = true;
                }
            }
            node.children.clear();
        }
        placeChildren(node);
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& index : before) {
        const std::uint32_t number = nodeNumber(index);
        after << (gone[number] ? QModelIndex()
                               : createIndex(static_cast<int>(m_nodes[number].row), index.column(),
                                             index.internalId()));
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

/// Gives the existing children of a node the rows that its order says.
void ValueModel::placeChildren(Node& node) {
    if (node.children.empty()) {
        return;
    }
    std::vector<std::uint32_t> rank(node.value->items().size());
    for (std::size_t i = 0; i < rank.size(); ++i) {
        rank[node.order ? (*node.order)[i] : i] = static_cast<std::uint32_t>(i);
    }
    std::vector<std::uint32_t> known;
    std::ranges::copy_if(node.children, std::back_inserter(known),
                         [](std::uint32_t child) { return child != kNone; });
    if (node.narrowed) {
        std::ranges::sort(known, {}, [&](std::uint32_t c) { return rank[m_nodes[c].position]; });
        node.children = known;
        for (std::size_t row = 0; row < known.size(); ++row) {
            m_nodes[known[row]].row = static_cast<std::uint32_t>(row);
        }
        return;
    }
    std::uint32_t fold = kNone;
    std::ranges::fill(node.children, kNone);
    for (const std::uint32_t child : known) {
        Node& placed = m_nodes[child];
        if (placed.value == nullptr) {
            fold = child; // stays below the other rows
            continue;
        }
        placed.row = rank[placed.position];
        node.children[placed.row] = child;
    }
    if (fold != kNone) {
        node.children.back() = fold;
    }
}

} // namespace cairn::ui
