// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_arrangement.h"

#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_name.h"
#include "ui/models/tensor_tree.h"

#include <algorithm>
#include <unordered_map>

namespace cairn::ui {
namespace {

using Node = TensorArrangement::Node;
constexpr std::uint32_t kNone = TensorArrangement::kNone;

/// Numbers with the order of a column. Equal ones keep the natural order of the names.
class SortKeys {
public:
    SortKeys(const TensorTable& table, TensorColumn column, bool tree)
        : m_table(table), m_column(column) {
        if (column == TensorColumn::Name && !tree) {
            rankLeaves();
        }
    }

    std::uint64_t of(const Node& node) const {
        constexpr std::uint64_t kMixed = 1U << 16U;
        switch (m_column) {
        case TensorColumn::Dtype:
            return node.dtype ? dtypeOrder(*node.dtype) : kMixed;
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
            return m_leafRank.empty() ? 0 : m_leafRank[node.nameOf];
        case TensorColumn::Path:
            return 0;
        }
        return 0;
    }

private:
    /// By name, as people read them.
    static std::uint64_t dtypeOrder(Dtype dtype) {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            allDtypes(), [dtype](const DtypeInfo& info) { return info.name < dtypeName(dtype); }));
    }

    std::uint64_t filesOf(std::uint32_t tensor) const {
        const PieceList& pieces = m_table.tensor(tensor).pieces;
        const std::uint64_t first = pieces.empty() ? 0 : pieces.front().file.value;
        return std::uint64_t{m_table.figures(tensor).files} << 32U | first;
    }

    /// There are few different leaves: sort those, not the tensors.
    void rankLeaves() {
        std::unordered_map<std::string_view, std::uint32_t> ids;
        std::vector<std::pair<std::string, std::uint32_t>> keys;
        m_leafRank.resize(m_table.size());
        for (std::uint32_t tensor = 0; tensor < m_table.size(); ++tensor) {
            const std::string_view leaf = splitName(m_table.name(tensor)).leaf;
            const auto [entry, isNew] = ids.emplace(leaf, static_cast<std::uint32_t>(ids.size()));
            if (isNew) {
                keys.emplace_back(naturalKey(leaf), entry->second);
            }
            m_leafRank[tensor] = entry->second;
        }
        std::ranges::sort(keys);
        std::vector<std::uint32_t> rankOf(keys.size());
        for (std::uint32_t rank = 0; rank < keys.size(); ++rank) {
            rankOf[keys[rank].second] = rank;
        }
        for (std::uint32_t& leaf : m_leafRank) {
            leaf = rankOf[leaf];
        }
    }

    const TensorTable& m_table;
    TensorColumn m_column;
    std::vector<std::uint32_t> m_leafRank; ///< by tensor position
};

/// One level, in natural order on entry.
void sortLevel(std::span<std::uint32_t> level, const std::vector<Node>& nodes, const SortKeys& keys,
               const ArrangementRequest& request) {
    const bool natural = request.sortColumn == TensorColumn::Path ||
                         (request.tree && request.sortColumn == TensorColumn::Name);
    if (natural) {
        if (request.descending) {
            std::ranges::reverse(level);
        }
        return;
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed;
    keyed.reserve(level.size());
    for (const std::uint32_t node : level) {
        const std::uint64_t key = keys.of(nodes[node]);
        keyed.emplace_back(request.descending ? ~key : key,
                           node); // node numbers ascend with the names
    }
    std::ranges::sort(keyed);
    std::ranges::transform(keyed, level.begin(), [](const auto& pair) { return pair.second; });
}

/// Converts depth-first nodes with parents to level order, with sorted siblings.
std::vector<Node> layOut(const std::vector<Node>& nodes, const SortKeys& keys,
                         const ArrangementRequest& request) {
    std::vector<std::uint32_t> starts(nodes.size() + 2,
                                      0); // of node's children; the last one is of the top level
    const auto slot = [&](const Node& node) {
        return node.parent == kNone ? nodes.size() : node.parent;
    };
    for (const Node& node : nodes) {
        ++starts[slot(node) + 1];
    }
    for (std::size_t i = 1; i < starts.size(); ++i) {
        starts[i] += starts[i - 1];
    }
    std::vector<std::uint32_t> children(nodes.size());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        children[next[slot(nodes[i])]++] = i;
    }
    std::vector<Node> laid;
    laid.reserve(nodes.size());
    const auto layLevel = [&](std::size_t of, std::uint32_t parent) {
        const std::span level(children.data() + starts[of], starts[of + 1] - starts[of]);
        sortLevel(level, nodes, keys, request);
        for (std::uint32_t row = 0; row < level.size(); ++row) {
            laid.push_back(nodes[level[row]]);
            laid.back().parent = parent;
            laid.back().row = row;
            laid.back().firstChild = level[row]; // its old number, until its children are placed
        }
    };
    layLevel(nodes.size(), kNone);
    for (std::uint32_t i = 0; i < laid.size(); ++i) {
        const std::uint32_t old = laid[i].firstChild;
        laid[i].firstChild = static_cast<std::uint32_t>(laid.size());
        laid[i].childCount = starts[old + 1] - starts[old];
        layLevel(old, i);
    }
    return laid;
}

} // namespace

Result<TensorArrangementPtr> TensorArrangement::make(TensorTablePtr table,
                                                     ArrangementRequest request,
                                                     const CancelToken& cancel) {
    CAIRN_TRY(const std::vector<std::uint32_t> ranks,
              filterTensors(*table, request.filter, cancel));
    std::vector<Node> nodes;
    if (request.tree) {
        CAIRN_TRY(nodes, buildTree(*table, ranks, cancel));
    } else {
        nodes.reserve(ranks.size());
        for (const std::uint32_t rank : ranks) {
            nodes.push_back(leafNode(*table, table->naturalOrder()[rank]));
        }
    }
    CAIRN_CHECK(cancel.check());
    const std::shared_ptr<TensorArrangement> arrangement(new TensorArrangement);
    arrangement->m_nodes =
        layOut(nodes, SortKeys(*table, request.sortColumn, request.tree), request);
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
    arrangement->m_tensorCount = ranks.size();
    arrangement->m_table = std::move(table);
    arrangement->m_request = std::move(request);
    return arrangement;
}

} // namespace cairn::ui
