// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff_rollup.h"

#include "core/io/folder.h"
#include "core/model/module_tree.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>

namespace cairn {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool pairDiffers(const TensorPair& pair, const PairDiff* diff) {
    const bool structure = !pair.sameDtype || !pair.sameShape;
    return structure || (diff != nullptr && diff->compared() && !diff->values.identical);
}

void addPair(DiffSums& sums, const TensorPair& pair, const PairDiff* diff) {
    ++sums.tensors;
    sums.changed += pairDiffers(pair, diff) ? 1U : 0U;
    if (diff == nullptr) {
        return;
    }
    sums.unread += diff->compared() ? 0U : 1U;
    sums.sameFile += diff->by == DiffBy::SameFile ? 1U : 0U;
    if (diff->compared()) {
        sums.mostChanged = std::max(sums.mostChanged, diff->relativeChange());
    }
    if (diff->compared() && diff->values.numeric) {
        merge(sums.values, diff->values);
    }
}

/// The components of a dotted name; the last one contains the rest beyond the tree's depth.
std::vector<std::string_view> partsOf(std::string_view name) {
    std::vector<std::string_view> parts;
    while (parts.size() + 1 < kMaxModuleDepth) {
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos) {
            break;
        }
        parts.push_back(name.substr(0, dot));
        name.remove_prefix(dot + 1);
    }
    parts.push_back(name);
    return parts;
}

class TreeBuilder {
public:
    TreeBuilder() { m_tree.nodes.emplace_back(); }

    /// Calls `add` with the sums of every node from the root down to that of the name, and returns
    /// the latter.
    template <class Add> std::uint32_t visit(std::string_view name, const Add& add) {
        std::uint32_t node = 0;
        add(m_tree.nodes[0].sums);
        for (const std::string_view part : partsOf(name)) {
            node = childOf(node, part);
            add(m_tree.nodes[node].sums);
        }
        return node;
    }

    DiffNode& node(std::uint32_t index) { return m_tree.nodes[index]; }

    DiffTree finish() {
        for (DiffNode& node : m_tree.nodes) {
            std::ranges::stable_sort(node.children, [&](std::uint32_t a, std::uint32_t b) {
                return before(m_tree.nodes[a], m_tree.nodes[b]);
            });
        }
        return std::move(m_tree);
    }

private:
    std::uint32_t childOf(std::uint32_t parent, std::string_view name) {
        const auto [found, isNew] = m_children.try_emplace(
            {parent, std::string(name)}, static_cast<std::uint32_t>(m_tree.nodes.size()));
        if (isNew) {
            DiffNode child;
            child.name = name;
            child.parent = parent;
            m_tree.nodes.push_back(std::move(child));
            m_tree.nodes[parent].children.push_back(found->second);
        }
        return found->second;
    }

    static bool before(const DiffNode& a, const DiffNode& b) {
        const double left = a.sums.relativeChange();
        const double right = b.sums.relativeChange();
        if (left != right) {
            return left > right;
        }
        if (a.sums.differs() != b.sums.differs()) {
            return a.sums.differs();
        }
        return naturalLess(a.name, b.name);
    }

    DiffTree m_tree;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_children;
};

const PairDiff* diffOf(std::span<const PairDiff> values, std::size_t i) {
    return values.empty() ? nullptr : &values[i];
}

std::optional<std::uint64_t> numberIn(std::string_view part) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    const bool whole = error == std::errc() && end == part.data() + part.size();
    return whole && !part.empty() ? std::optional(number) : std::nullopt;
}

/// "model.layers.3" and 3, or the first component only.
std::pair<std::string, std::optional<std::uint64_t>> layerOf(std::string_view name) {
    std::string path;
    for (const std::string_view part : partsOf(name)) {
        path += path.empty() ? "" : ".";
        path += part;
        if (const auto number = numberIn(part)) {
            return {std::move(path), number};
        }
    }
    return {std::string(name.substr(0, name.find('.'))), std::nullopt};
}

} // namespace

double DiffSums::relativeChange() const {
    return values.relativeL2().value_or(kInfinite);
}

DiffTree rollUp(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                std::span<const PairDiff> values) {
    TreeBuilder builder;
    for (std::size_t i = 0; i < structure.pairs.size(); ++i) {
        const TensorPair& pair = structure.pairs[i];
        const std::uint32_t node =
            builder.visit(left.checkpoint->tensor(pair.left).name,
                          [&](DiffSums& sums) { addPair(sums, pair, diffOf(values, i)); });
        builder.node(node).pair = i;
    }
    for (const TensorIndex index : structure.onlyLeft) {
        builder.visit(left.checkpoint->tensor(index).name, [](DiffSums& sums) { ++sums.onlyLeft; });
    }
    for (const TensorIndex index : structure.onlyRight) {
        builder.visit(right.checkpoint->tensor(index).name,
                      [](DiffSums& sums) { ++sums.onlyRight; });
    }
    return builder.finish();
}

std::vector<LayerChange> layerStrip(const DiffSide& left, const StructureDiff& structure,
                                    std::span<const PairDiff> values) {
    std::map<std::string, std::size_t> positions;
    std::vector<LayerChange> layers;
    for (std::size_t i = 0; i < structure.pairs.size(); ++i) {
        auto [path, number] = layerOf(left.checkpoint->tensor(structure.pairs[i].left).name);
        const auto [found, isNew] = positions.try_emplace(path, layers.size());
        if (isNew) {
            layers.push_back({std::move(path), number, {}});
        }
        addPair(layers[found->second].sums, structure.pairs[i], diffOf(values, i));
    }
    std::ranges::stable_sort(layers, [](const LayerChange& a, const LayerChange& b) {
        return naturalLess(a.layer, b.layer);
    });
    return layers;
}

std::vector<std::size_t> mostChangedFirst(const StructureDiff& structure,
                                          std::span<const PairDiff> values) {
    std::vector<std::size_t> order(structure.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto change = [&](std::size_t i) {
        if (!values.empty()) {
            return values[i].relativeChange();
        }
        return pairDiffers(structure.pairs[i], nullptr) ? kInfinite : 0.0;
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const double left = change(a);
        const double right = change(b);
        return left > right; // never NaN: a relative change is a quotient of norms, or infinite
    });
    return order;
}

} // namespace cairn
