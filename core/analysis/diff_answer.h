// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/diff.h"
#include "core/analysis/diff_rollup.h"
#include "core/base/sentence.h"

#include <cstdint>
#include <span>
#include <string>

namespace cairn {

/// What the answer to "how do they differ" is made of.
struct DiffAnswer {
    std::uint64_t pairs = 0;
    std::uint64_t differing = 0; ///< pairs; by dtype and shape alone if the values are not known
    std::uint64_t unread = 0;    ///< pairs that cannot be compared
    std::uint64_t onlyLeft = 0;  ///< tensors
    std::uint64_t onlyRight = 0;
    bool hasValues = false;  ///< the elements were compared
    bool isBitwise = true;   ///< equal means the same bits
    bool areWeights = false; ///< every tensor is a weight or a buffer
    std::string mostIn;      ///< the layer with the largest relative change; empty: not known

    /// Nothing differs as far as is known, and no side has a tensor of its own.
    [[nodiscard]] bool isSame() const {
        return pairs > 0 && differing + unread + onlyLeft + onlyRight == 0;
    }
};

/// `differing`: pairs that are not equal by the criterion `isBitwise` stands for, without those
/// that cannot be compared. `layers`: of layerStrip() with these values. Pure.
DiffAnswer diffAnswer(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                      std::span<const PairDiff> values, std::span<const LayerChange> layers,
                      std::uint64_t differing, bool isBitwise);

/// "Identical: 38 weights, bit for bit", "38 weights changed, most in layers.0", "21 of 38 weights
/// changed, most in lm_head, 3 only in A".
Sentence answerText(const DiffAnswer& answer);

} // namespace cairn
