// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/diff.h"
#include "core/analysis/weight_values.h"

#include <cstddef>

namespace cairn {

/// The structure of a diff in which quantised weights are compared as weights.
struct WeightsDiff {
    DiffSide left; ///< with the view of `leftWeights`
    DiffSide right;
    WeightValues leftWeights;
    WeightValues rightWeights;
    StructureDiff structure;

    /// Pairs in which a quantised weight is compared as numbers, and those of codes with codes.
    [[nodiscard]] std::size_t comparedAsNumbers() const;
    [[nodiscard]] std::size_t comparedAsCodes() const;
};

/// structureDiff() of two sides of quantised or plain weights. A quantised weight is read as its
/// numbers where the other side has the weight, quantised in any layout that is known or plain;
/// then its scales and other parts are compared only with parts of the same layout, and are not
/// listed as tensors of one side. Else its codes and parts are compared as they are stored, bit by
/// bit (TensorPair::stored). `leftWeights`, `rightWeights`: of the sides' checkpoints.
WeightsDiff weightsDiff(DiffSide left, const WeightValues& leftWeights, DiffSide right,
                        const WeightValues& rightWeights, const NameRules& rules = {});

} // namespace cairn
