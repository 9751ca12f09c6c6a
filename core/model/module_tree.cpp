// SPDX-License-Identifier: Apache-2.0
//
// Names are sorted part by part in natural order; then one pass over the sorted list makes each
// level: a range of names that share their first `depth` parts is one node, and splitting the range
// by the next part gives its children. Nodes are made breadth first, so that a node's children are
// side by side and sizes roll up in one backward pass.
#include "core/model/module_tree.h"

#include "core/io/folder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cairn {
namespace {

/// The first component of `rest` and the text after its separator; `last` is true for the final
/// component.
struct Cut {
    std::string_view part;
    std::string_view rest;
    bool last = true;
};

Cut cutPart(std::string_view rest, std::size_t depth, char separator) {
    const std::size_t at =
        depth + 1 < kMaxModuleDepth ? rest.find(separator) : std::string_view::npos;
    if (at == std::string_view::npos) {
        return {rest, {}, true};
    }
    return {rest.substr(0, at), rest.substr(at + 1), false};
}

/// Components that naturalLess considers equal ("01", "1") still need a fixed order.
int comparePart(std::string_view a, std::string_view b) {
    if (a == b) {
        return 0;
    }
    if (naturalLess(a, b)) {
        return -1;
    }
    return naturalLess(b, a) || b < a ? 1 : -1;
}

/// Compares component by component; the common prefix is skipped at once, because neighbours in a
/// sort share most of it.
bool pathLess(std::string_view a, std::string_view b, char separator) {
    const auto differ = std::ranges::mismatch(a, b).in1;
    const auto same = static_cast<std::size_t>(differ - a.begin());
    if (const std::size_t at = a.substr(0, same).rfind(separator); at != std::string_view::npos) {
        a.remove_prefix(at + 1);
        b.remove_prefix(at + 1);
    }
    while (true) {
        const Cut left = cutPart(a, 0, separator);
        const Cut right = cutPart(b, 0, separator);
        if (const int order = comparePart(left.part, right.part); order != 0) {
            return order < 0;
        }
        if (left.last || right.last) {
            return left.last && !right.last;
        }
        a = left.rest;
        b = right.rest;
    }
}

struct Row {
    std::string_view name;
    std::string_view rest; ///< the part of the name below the current node
    TensorIndex tensor;
};

struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

class Builder {
public:
    Builder(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors)
        : m_checkpoint(checkpoint) {
        m_rows.reserve(tensors.size());
        std::size_t slashed = 0;
        for (const TensorIndex index : tensors) {
            const std::string_view name = checkpoint.tensor(index).name;
            m_rows.push_back({name, name, index});
            slashed += name.find('/') != std::string_view::npos ? 1 : 0;
        }
        m_tree.separator = 2 * slashed > tensors.size() ? '/' : '.';
        std::ranges::sort(m_rows, [this](const Row& a, const Row& b) {
            return pathLess(a.name, b.name, m_tree.separator);
        });
    }

    ModuleTree build() {
        m_tree.nodes.emplace_back();
        std::vector<Range> level{{0, m_rows.size()}};
        std::size_t levelStart = 0;
        for (std::size_t depth = 0; !level.empty(); ++depth) {
            std::vector<Range> next;
            for (std::size_t i = 0; i < level.size(); ++i) {
                addChildren(levelStart + i, level[i], depth, next);
            }
            levelStart += level.size();
            level = std::move(next);
        }
        rollUp();
        return std::move(m_tree);
    }

private:
    void addChildren(std::size_t parent, Range range, std::size_t depth, std::vector<Range>& next) {
        m_tree.nodes[parent].firstChild = static_cast<std::uint32_t>(m_tree.nodes.size());
        std::size_t at = range.begin;
        while (at < range.end) {
            const std::string_view part = cutPart(m_rows[at].rest, depth, m_tree.separator).part;
            ModuleNode node;
            node.name = part;
            node.parent = static_cast<std::uint32_t>(parent);
            Range inner{at, at};
            for (; at < range.end; ++at) {
                const Cut cut = cutPart(m_rows[at].rest, depth, m_tree.separator);
                if (cut.part != part) {
                    break;
                }
                if (cut.last) {
                    addTensor(node, m_rows[at].tensor);
                    inner.begin = at + 1; // names that end here come first
                } else {
                    m_rows[at].rest = cut.rest;
                }
            }
            inner.end = at;
            m_tree.nodes.push_back(node);
            ++m_tree.nodes[parent].childCount;
            next.push_back(inner);
        }
    }

    void addTensor(ModuleNode& node, TensorIndex index) {
        const TensorEntry& tensor = m_checkpoint.tensor(index);
        node.tensor = index;
        node.tensors += 1;
        node.bytes += tensor.aliasOf ? 0 : tensor.bytes();
    }

    void rollUp() {
        for (std::size_t i = m_tree.nodes.size() - 1; i > 0; --i) {
            ModuleNode& parent = m_tree.nodes[m_tree.nodes[i].parent];
            parent.bytes += m_tree.nodes[i].bytes;
            parent.tensors += m_tree.nodes[i].tensors;
        }
    }

    const Checkpoint& m_checkpoint;
    std::vector<Row> m_rows;
    ModuleTree m_tree;
};

} // namespace

const ModuleNode* ModuleTree::find(std::string_view name) const {
    const ModuleNode* node = &root();
    std::string_view rest = name;
    for (std::size_t depth = 0; !name.empty(); ++depth) {
        const Cut cut = cutPart(rest, depth, separator);
        const auto below = children(*node);
        const auto found = std::ranges::find(below, cut.part, &ModuleNode::name);
        if (found == below.end()) {
            return nullptr;
        }
        node = &*found;
        if (cut.last) {
            return node;
        }
        rest = cut.rest;
    }
    return node;
}

ModuleTree buildModuleTree(const Checkpoint& checkpoint) {
    std::vector<TensorIndex> all;
    all.reserve(checkpoint.tensors().size());
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        all.emplace_back(i);
    }
    return Builder(checkpoint, all).build();
}

ModuleTree buildModuleTree(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors) {
    return Builder(checkpoint, tensors).build();
}

} // namespace cairn
