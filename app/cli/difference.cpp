// SPDX-License-Identifier: Apache-2.0
#include "app/cli/difference.h"

#include <algorithm>

namespace cairn::cli {

bool Difference::pairDiffers(std::size_t pair) const {
    const TensorPair& which = structure().pairs[pair];
    if (!which.sameDtype || !which.sameShape) {
        return true;
    }
    if (!hasValues) {
        return false;
    }
    const PairDiff& diff = values[pair];
    if (!diff.compared()) {
        return true;
    }
    return tolerant ? diff.values.beyond > 0 : !diff.values.identical;
}

bool Difference::differs() const {
    const bool names = !structure().onlyLeft.empty() || !structure().onlyRight.empty();
    return names || (plain && !plain->changed.empty()) ||
           std::ranges::any_of(order, [&](std::size_t pair) { return pairDiffers(pair); });
}

std::size_t Difference::changedPairs() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(order, [&](std::size_t pair) { return pairDiffers(pair); }));
}

bool Difference::hasNothingInCommon() const {
    return structure().pairs.empty() &&
           (!structure().onlyLeft.empty() || !structure().onlyRight.empty());
}

DiffAnswer Difference::answer() const {
    const auto differing = std::ranges::count_if(order, [&](std::size_t pair) {
        return pairDiffers(pair) && (!hasValues || values[pair].compared());
    });
    return diffAnswer(left(), right(), structure(), values, layerStrip(left(), structure(), values),
                      static_cast<std::uint64_t>(differing), !tolerant);
}

DiffSums Difference::sums() const {
    return rollUp(left(), right(), structure(), values).root().sums;
}

} // namespace cairn::cli
