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

/// Differences of several tensors together. A plain value.
struct DiffSums {
    std::uint64_t tensors = 0;  ///< pairs
    std::uint64_t changed = 0;  ///< pairs of which bits, dtype or shape differ
    std::uint64_t unread = 0;   ///< pairs without figures: other shape or kind, or unreadable
    std::uint64_t sameFile = 0; ///< equal without reading; their norms are not in `values`
    std::uint64_t onlyLeft = 0; ///< tensors without a partner
    std::uint64_t onlyRight = 0;
    ElementComparison values; ///< of the pairs that are compared and numeric
    double mostChanged = 0;   ///< largest relative change of one tensor; may be infinite

    /// |left - right| / |left| over all elements that were read; infinite when only left is zero.
    [[nodiscard]] double relativeChange() const;
    [[nodiscard]] bool differs() const { return changed + onlyLeft + onlyRight > 0; }
};

/// One module, or at the end of a branch one tensor, named as on the left side (of tensors that are
/// only on the right: as there).
struct DiffNode {
    std::string name;                    ///< one part of the dotted name
    std::uint32_t parent = 0;            ///< the root is its own
    std::vector<std::uint32_t> children; ///< the most changed first, equals in natural order
    DiffSums sums;
    std::optional<std::size_t> pair; ///< into StructureDiff::pairs
};

/// nodes[0] is the root. Sums are added in the pairs' order. Names are cut at dots down to
/// kMaxModuleDepth levels.
struct DiffTree {
    std::vector<DiffNode> nodes;
    [[nodiscard]] const DiffNode& root() const { return nodes.front(); }
};

/// REQUIRES: one PairDiff a pair, or none at all (structure alone).
DiffTree rollUp(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                std::span<const PairDiff> values);

/// One cell of the strip of layers: what is at or below the first part of the names that is a
/// number ("model.layers.3"). Tensors without such a part are gathered under their first part.
struct LayerChange {
    std::string layer;
    std::optional<std::uint64_t> number; ///< nothing: not a numbered layer
    DiffSums sums;
};

/// In natural order of their names, numbered or not. REQUIRES: as rollUp().
std::vector<LayerChange> layerStrip(const DiffSide& left, const StructureDiff& structure,
                                    std::span<const PairDiff> values);

/// Positions of pairs, the largest relative change first, equals in the pairs' order. With nothing
/// compared, pairs with another dtype or shape come first.
std::vector<std::size_t> mostChangedFirst(const StructureDiff& structure,
                                          std::span<const PairDiff> values);

} // namespace cairn
