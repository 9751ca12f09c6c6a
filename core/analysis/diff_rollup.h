// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/diff.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// Combined differences of several tensors. A plain value.
struct DiffSums {
    std::uint64_t tensors = 0;  ///< pairs
    std::uint64_t changed = 0;  ///< pairs with different bits, dtype or shape
    std::uint64_t unread = 0;   ///< pairs without figures: different shape or kind, or unreadable
    std::uint64_t sameFile = 0; ///< equal without reading; their norms are not in `values`
    std::uint64_t onlyLeft = 0; ///< tensors without a partner
    std::uint64_t onlyRight = 0;
    ElementComparison values; ///< over the compared numeric pairs
    double mostChanged = 0;   ///< largest relative change of one tensor; may be infinite

    /// |left - right| / |left| over all elements that were read; infinite if only left is zero.
    [[nodiscard]] double relativeChange() const;
    [[nodiscard]] bool differs() const { return changed + onlyLeft + onlyRight > 0; }
};

/// One module, or at a leaf one tensor, with the name of the left side (for tensors only on the
/// right: of that side).
struct DiffNode {
    std::string name;                    ///< one component of the dotted name
    std::uint32_t parent = 0;            ///< the root is its own parent
    std::vector<std::uint32_t> children; ///< the most changed first, equal ones in natural order
    DiffSums sums;
    std::optional<std::size_t> pair; ///< into StructureDiff::pairs
};

/// nodes[0] is the root. Sums are added in the pairs' order. Names are split at dots down to
/// kMaxModuleDepth levels.
struct DiffTree {
    std::vector<DiffNode> nodes;
    [[nodiscard]] const DiffNode& root() const { return nodes.front(); }
};

/// REQUIRES: one PairDiff for each pair, or none at all (structure only).
DiffTree rollUp(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                std::span<const PairDiff> values);

/// One cell of the layer strip: everything at or below the first numeric component of the names
/// ("model.layers.3"). Tensors without such a component are combined under their first component.
struct LayerChange {
    std::string layer;
    std::optional<std::uint64_t> number; ///< empty: not a numbered layer
    DiffSums sums;
};

/// In natural order of their names, numbered or not. REQUIRES: as rollUp().
std::vector<LayerChange> layerStrip(const DiffSide& left, const StructureDiff& structure,
                                    std::span<const PairDiff> values);

/// Positions of pairs, the largest relative change first, equal ones in the pairs' order. If
/// nothing was compared, pairs with different dtypes or shapes come first.
std::vector<std::size_t> mostChangedFirst(const StructureDiff& structure,
                                          std::span<const PairDiff> values);

} // namespace cairn
