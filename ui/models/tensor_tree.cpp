// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_tree.h"

#include "core/base/large_pages.h"
#include "ui/models/tensor_name.h"

#include <algorithm>

// In natural order the tensors of one module are contiguous, so that the tree is built in one pass
// over the names: a stack contains the groups of the last name; the next name closes those that do
// not contain it and opens new ones. Then groups with one child are folded into that child, and
// sums are added from the last node to the first, children before parents.

namespace cairn::ui {
namespace {

using Node = TensorArrangement::Node;
constexpr std::uint32_t kNoIndex = TensorArrangement::kNone;
constexpr std::size_t kTreeStride = 4096;
constexpr std::size_t kMaxDepth = 256; ///< deeper names keep their dots

class TreeBuilder {
public:
    TreeBuilder(const TensorTable& table, std::size_t tensors) : m_table(table) {
        reserveInLargePages(m_nodes, tensors + tensors / 2); // unused capacity takes no memory
    }

    void add(std::uint32_t tensor) {
        const std::string_view name = m_table.name(tensor);
        leaveGroups(name);
        std::size_t begin = m_open.empty() ? 0 : m_nodes[m_open.back()].labelEnd + 1;
        for (std::size_t i = begin; i < name.size(); ++i) {
            const bool isCut = isSeparator(name[i]) && i > begin && i + 1 < name.size();
            if (isCut && m_open.size() < kMaxDepth) {
                openGroup(tensor, begin, i);
                begin = i + 1;
            }
        }
        Node leaf = leafNode(m_table, tensor);
        leaf.labelBegin = static_cast<std::uint32_t>(begin);
        leaf.parent = m_open.empty() ? kNoIndex : m_open.back();
        m_nodes.push_back(leaf);
        m_last = name;
    }

    std::vector<Node> take() { return std::move(m_nodes); }

private:
    void leaveGroups(std::string_view name) {
        const auto common =
            static_cast<std::size_t>(std::ranges::mismatch(m_last, name).in1 - m_last.begin());
        while (!m_open.empty()) {
            const std::size_t end = m_nodes[m_open.back()].labelEnd;
            // At least one character must follow the separator, or the label would be empty.
            if (end < common && end + 1 < name.size()) {
                break;
            }
            m_open.pop_back();
        }
    }

    void openGroup(std::uint32_t tensor, std::size_t begin, std::size_t end) {
        Node group;
        group.parent = m_open.empty() ? kNoIndex : m_open.back();
        group.nameOf = tensor;
        group.labelBegin = static_cast<std::uint32_t>(begin);
        group.labelEnd = static_cast<std::uint32_t>(end);
        group.tensors = 0;
        m_open.push_back(static_cast<std::uint32_t>(m_nodes.size()));
        m_nodes.push_back(group);
    }

    const TensorTable& m_table;
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_open;
    std::string_view m_last;
};

/// Removes groups with one child; the child's label gets theirs as prefix.
void fold(std::vector<Node>& nodes) {
    std::vector<std::uint32_t> children(nodes.size(), 0);
    for (const Node& node : nodes) {
        if (node.parent != kNoIndex) {
            ++children[node.parent];
        }
    }
    std::vector<std::uint32_t> moved(nodes.size(), kNoIndex); // new position of a node that stays
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        const bool folds = node.tensor == kNoIndex && children[i] == 1;
        if (folds) { // its only child is the next node
            nodes[i + 1].labelBegin = node.labelBegin;
            nodes[i + 1].parent = node.parent;
            continue;
        }
        moved[i] = kept;
        node.parent = node.parent == kNoIndex ? kNoIndex : moved[node.parent];
        nodes[kept++] = node;
    }
    nodes.resize(kept);
}

void rollUp(std::vector<Node>& nodes) {
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node& child = nodes[i];
        if (child.parent == kNoIndex) {
            continue;
        }
        Node& parent = nodes[child.parent];
        const bool isFirst = parent.tensors == 0;
        parent.dtype = isFirst || parent.dtype == child.dtype ? child.dtype : std::nullopt;
        parent.role = isFirst || parent.role == child.role ? child.role : std::nullopt;
        parent.nameOf = child.nameOf; // in the end that of the first
        parent.tensors += child.tensors;
        parent.pieces += child.pieces;
        parent.bytes += child.bytes;
        parent.incomplete = parent.incomplete || child.incomplete;
    }
}

/// Takes the rows of some tensors out of a tree that is laid out in natural order.
class TreePruner {
public:
    explicit TreePruner(const TensorArrangement& tree)
        : m_tree(tree), m_nodes(tree.nodes()), m_kept(m_nodes.size(), 0) {}

    void keep(std::uint32_t tensor) { m_kept[m_tree.nodeOf(tensor)] = 1; }

    std::vector<Node> take() {
        for (std::size_t i = m_nodes.size(); i-- > 0;) { // children before parents
            if (m_kept[i] > 0 && m_nodes[i].parent != kNoIndex) {
                ++m_kept[m_nodes[i].parent];
            }
        }
        std::vector<Node> rows;
        std::vector<std::uint32_t> places; // of the rows, in the tree
        reserveInLargePages(rows, m_nodes.size());
        places.reserve(m_nodes.size());
        addLevel(0, m_tree.topLevelCount(), kNoIndex, rows, places);
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            const Node& group = m_nodes[places[i]];
            rows[i].firstChild = static_cast<std::uint32_t>(rows.size());
            addLevel(group.firstChild, group.childCount, i, rows, places); // moves `rows`
            rows[i].childCount = static_cast<std::uint32_t>(rows.size()) - rows[i].firstChild;
        }
        rollUp(rows);
        return rows;
    }

private:
    /// The rows that stay of `count` siblings from `first` on.
    void addLevel(std::uint32_t first, std::uint32_t count, std::uint32_t parent,
                  std::vector<Node>& rows, std::vector<std::uint32_t>& places) const {
        std::uint32_t row = 0;
        for (std::uint32_t i = first; i < first + count; ++i) {
            if (m_kept[i] == 0) {
                continue;
            }
            const std::uint32_t place = foldedInto(i);
            Node& node = rows.emplace_back(m_nodes[place]);
            places.push_back(place);
            node.labelBegin = m_nodes[i].labelBegin;
            node.parent = parent;
            node.row = row++;
            if (node.tensor == kNoIndex) {
                node.tensors = 0;
                node.pieces = 0;
                node.bytes = 0;
                node.incomplete = false;
            }
        }
    }

    /// The row itself, or what is left of a group of one.
    [[nodiscard]] std::uint32_t foldedInto(std::uint32_t node) const {
        while (m_nodes[node].tensor == kNoIndex && m_kept[node] == 1) {
            node = m_nodes[node].firstChild;
            while (m_kept[node] == 0) {
                ++node;
            }
        }
        return node;
    }

    const TensorArrangement& m_tree;
    const std::vector<Node>& m_nodes;
    std::vector<std::uint32_t> m_kept; ///< of a tensor 1, of a group the children that stay
};

} // namespace

Node leafNode(const TensorTable& table, std::uint32_t tensor) {
    const TensorEntry& entry = table.tensor(tensor);
    const TensorTable::Figures& figures = table.figures(tensor);
    Node node;
    node.tensor = tensor;
    node.nameOf = tensor;
    node.labelEnd = static_cast<std::uint32_t>(entry.name.size());
    node.pieces = figures.pieces;
    node.bytes = entry.aliasOf ? 0 : figures.bytes;
    node.dtype = entry.dtype;
    node.role = entry.role;
    node.incomplete = figures.incomplete;
    return node;
}

Result<std::vector<Node>> buildTree(const TensorTable& table, std::span<const std::uint32_t> ranks,
                                    const CancelToken& cancel) {
    constexpr std::size_t kAhead = 8;
    TreeBuilder grower(table, ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i % kTreeStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        if (i + kAhead < ranks.size()) {
            table.prefetch(table.naturalOrder()[ranks[i + kAhead]]);
        }
        grower.add(table.naturalOrder()[ranks[i]]);
    }
    std::vector<Node> nodes = grower.take();
    fold(nodes);
    rollUp(nodes);
    return nodes;
}

Result<std::vector<Node>> pruneTree(const TensorArrangement& tree,
                                    std::span<const std::uint32_t> ranks,
                                    const CancelToken& cancel) {
    TreePruner pruner(tree);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (i % kTreeStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        pruner.keep(tree.table().naturalOrder()[ranks[i]]);
    }
    return pruner.take();
}

} // namespace cairn::ui
