// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_arrangement.h"

#include "core/base/large_pages.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_tree.h"

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>
#include <span>
#include <utility>

namespace cairn::ui {
namespace {

using Node = TensorArrangement::Node;
constexpr std::uint32_t kNone = TensorArrangement::kNone;

/// Numbers with the order of a column. Equal ones keep the natural order of the names.
class SortKeys {
public:
    SortKeys(const TensorTable& table, TensorColumn column) : m_table(table), m_column(column) {
        for (const DtypeInfo& info : allDtypes()) {
            m_dtypeOrder[static_cast<std::size_t>(info.dtype)] =
                static_cast<std::uint8_t>(std::ranges::count_if(
                    allDtypes(), [&](const DtypeInfo& other) { return other.name < info.name; }));
        }
    }

    std::uint64_t of(const Node& node) const {
        constexpr std::uint64_t kMixed = 1U << 16U;
        switch (m_column) {
        case TensorColumn::Dtype: // by name, as people read them
            return node.dtype ? m_dtypeOrder[static_cast<std::size_t>(*node.dtype)] : kMixed;
        case TensorColumn::Shape:
            return node.tensor == kNone ? 0 : m_table.tensor(node.tensor).elements();
        case TensorColumn::Bytes:
            return node.tensor == kNone ? node.bytes : m_table.figures(node.tensor).bytes;
        case TensorColumn::Role:
            return node.role ? static_cast<std::uint64_t>(*node.role) : kMixed;
        case TensorColumn::Shards:
            return node.tensor == kNone ? 0 : filesOf(node.tensor);
        case TensorColumn::Pieces:
            return node.pieces;
        case TensorColumn::Name:
            return 0;
        }
        return 0;
    }

private:
    std::uint64_t filesOf(std::uint32_t tensor) const {
        const PieceList& pieces = m_table.tensor(tensor).pieces;
        const std::uint64_t first = pieces.empty() ? 0 : pieces.front().file.value;
        return std::uint64_t{m_table.figures(tensor).files} << 32U | first;
    }

    const TensorTable& m_table;
    TensorColumn m_column;
    std::array<std::uint8_t, 256> m_dtypeOrder{};
};

/// Sorts the siblings of one level. `rankOf` gives the natural order; `areNatural`: the levels are
/// in it.
template <class RankOf> class LevelSorter {
public:
    LevelSorter(const std::vector<Node>& nodes, const SortKeys& keys,
                const ArrangementRequest& request, bool areNatural, RankOf rankOf)
        : m_nodes(nodes), m_keys(keys), m_request(request), m_areNatural(areNatural),
          m_rankOf(std::move(rankOf)) {}

    void operator()(std::span<std::uint32_t> level) {
        if (m_areNatural && m_request.sortColumn == TensorColumn::Name && !m_request.descending) {
            return;
        }
        m_siblings.clear();
        for (const std::uint32_t node : level) {
            const std::uint64_t key = m_keys.of(m_nodes[node]);
            const std::uint32_t rank = m_rankOf(node);
            const bool byName = m_request.sortColumn == TensorColumn::Name;
            m_siblings.push_back({m_request.descending ? ~key : key,
                                  byName && m_request.descending ? ~rank : rank, node});
        }
        if (!std::ranges::is_sorted(m_siblings)) {
            std::ranges::sort(m_siblings);
        }
        std::ranges::transform(m_siblings, level.begin(), &Sibling::node);
    }

private:
    struct Sibling {
        std::uint64_t key = 0;
        std::uint32_t rank = 0;
        std::uint32_t node = 0;
        friend auto operator<=>(const Sibling&, const Sibling&) = default;
    };

    const std::vector<Node>& m_nodes;
    const SortKeys& m_keys;
    const ArrangementRequest& m_request;
    bool m_areNatural;
    RankOf m_rankOf;
    std::vector<Sibling> m_siblings;
};

/// Level order with sorted siblings. `childrenOf(node)` gives the old numbers of a node's children,
/// and for kNone the top level.
template <class ChildrenOf, class Sorter>
std::vector<Node> layLevels(const std::vector<Node>& nodes, ChildrenOf childrenOf, Sorter sorter) {
    std::vector<Node> laid;
    reserveInLargePages(laid, nodes.size());
    const auto layLevel = [&](std::uint32_t of, std::uint32_t parent) {
        const std::span<std::uint32_t> level = childrenOf(of);
        sorter(level);
        for (std::uint32_t row = 0; row < level.size(); ++row) {
            laid.push_back(nodes[level[row]]);
            laid.back().parent = parent;
            laid.back().row = row;
            laid.back().firstChild = level[row]; // its old number, until its children are placed
        }
        return static_cast<std::uint32_t>(level.size());
    };
    layLevel(kNone, kNone);
    for (std::uint32_t i = 0; i < laid.size(); ++i) {
        const std::uint32_t old = laid[i].firstChild;
        laid[i].firstChild = static_cast<std::uint32_t>(laid.size());
        const std::uint32_t count = layLevel(old, i); // moves `laid`
        laid[i].childCount = count;
    }
    return laid;
}

/// Of depth-first nodes with parents, in natural order.
std::vector<Node> layOut(const std::vector<Node>& nodes, const SortKeys& keys,
                         const ArrangementRequest& request) {
    std::vector<std::uint32_t> starts(nodes.size() + 2,
                                      0); // of node's children; the last one is of the top level
    const auto slot = [&](std::uint32_t parent) { return parent == kNone ? nodes.size() : parent; };
    for (const Node& node : nodes) {
        ++starts[slot(node.parent) + 1];
    }
    for (std::size_t i = 1; i < starts.size(); ++i) {
        starts[i] += starts[i - 1];
    }
    std::vector<std::uint32_t> children(nodes.size());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        children[next[slot(nodes[i].parent)]++] = i;
    }
    const auto childrenOf = [&](std::uint32_t node) {
        const std::size_t of = slot(node);
        return std::span(children).subspan(starts[of], starts[of + 1] - starts[of]);
    };
    return layLevels(
        nodes, childrenOf,
        LevelSorter(nodes, keys, request, true, [](std::uint32_t node) { return node; }));
}

/// Of nodes that are laid out already, in another order.
std::vector<Node> reorderNodes(const TensorArrangement& before, const SortKeys& keys,
                               const ArrangementRequest& request) {
    const std::vector<Node>& nodes = before.nodes();
    const std::span<const std::uint32_t> natural = before.table().naturalOrder();
    std::vector<std::uint32_t> rankOfTensor(natural.size());
    for (std::uint32_t rank = 0; rank < natural.size(); ++rank) {
        rankOfTensor[natural[rank]] = rank;
    }
    std::vector<std::uint32_t> level;
    const auto childrenOf = [&](std::uint32_t node) {
        const std::uint32_t first = node == kNone ? 0 : nodes[node].firstChild;
        level.resize(node == kNone ? before.topLevelCount() : nodes[node].childCount);
        std::iota(level.begin(), level.end(), first);
        return std::span(level);
    };
    // A group's first tensor gives it its place among its siblings.
    return layLevels(nodes, childrenOf,
                     LevelSorter(nodes, keys, request, false, [&](std::uint32_t node) {
                         return rankOfTensor[nodes[node].nameOf];
                     }));
}

bool isNaturalTree(const ArrangementRequest& request) {
    return request.tree && request.sortColumn == TensorColumn::Name && !request.descending;
}

/// Rows of the tensors that the filter leaves.
Result<std::vector<Node>> arrangeNodes(const TensorTable& table,
                                       std::span<const std::uint32_t> ranks, const SortKeys& keys,
                                       const ArrangementRequest& request,
                                       const CancelToken& cancel) {
    std::vector<Node> nodes;
    if (request.tree) {
        CAIRN_TRY(nodes, buildTree(table, ranks, cancel));
    } else {
        reserveInLargePages(nodes, ranks.size());
        for (const std::uint32_t rank : ranks) {
            nodes.push_back(leafNode(table, table.naturalOrder()[rank]));
        }
    }
    CAIRN_CHECK(cancel.check());
    return layOut(nodes, keys, request);
}

} // namespace

Result<TensorArrangementPtr> TensorArrangement::make(TensorTablePtr table,
                                                     ArrangementRequest request,
                                                     const CancelToken& cancel,
                                                     const TensorArrangementPtr& previous) {
    const bool isSame = previous && previous->m_table == table;
    const bool onlyOrder = isSame && previous->m_request.tree == request.tree &&
                           previous->m_request.filter == request.filter;
    const bool fromAll = isSame && previous->m_request.filter.isEmpty();
    const bool narrows =
        isSame && !fromAll && filterNarrows(request.filter, previous->m_request.filter);
    const std::shared_ptr<TensorArrangement> arrangement(new TensorArrangement);
    const SortKeys keys(*table, request.sortColumn);
    std::vector<std::uint32_t> ranks;
    if (onlyOrder) {
        ranks = previous->m_ranks;
    } else {
        CAIRN_TRY(ranks, filterTensors(*table, request.filter, cancel,
                                       narrows ? &previous->m_ranks : nullptr));
    }
    const bool sameTensors =
        onlyOrder || ((fromAll || narrows) && previous->m_request.tree == request.tree &&
                      ranks.size() == previous->m_tensorCount);
    if (sameTensors) {
        arrangement->m_nodes = reorderNodes(*previous, keys, request);
    } else if ((fromAll || narrows) && isNaturalTree(request) &&
               isNaturalTree(previous->m_request)) {
        CAIRN_TRY(arrangement->m_nodes, pruneTree(*previous, ranks, cancel));
    } else {
        CAIRN_TRY(arrangement->m_nodes, arrangeNodes(*table, ranks, keys, request, cancel));
    }
    CAIRN_CHECK(cancel.check());
    arrangement->m_nodeOf.assign(table->size(), kNone);
    for (std::uint32_t i = 0; i < arrangement->m_nodes.size(); ++i) {
        const Node& node = arrangement->m_nodes[i];
        if (node.tensor != kNone) {
            arrangement->m_nodeOf[node.tensor] = i;
            arrangement->m_bytes += node.bytes;
        }
        arrangement->m_topLevel += node.parent == kNone ? 1 : 0;
    }
    arrangement->m_tensorCount = sameTensors ? previous->m_tensorCount : ranks.size();
    if (!request.filter.isEmpty()) {
        arrangement->m_ranks = std::move(ranks);
    }
    arrangement->m_table = std::move(table);
    arrangement->m_request = std::move(request);
    return arrangement;
}

} // namespace cairn::ui
