// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/diff_answer.h"

#include "core/model/role_decision.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace cairn {
namespace {

/// The layer that changed most, if there are several to choose from.
std::string mostChangedLayer(std::span<const LayerChange> layers) {
    const auto changeOf = [](const LayerChange& layer) {
        const double change = layer.sums.relativeChange();
        return std::isfinite(change) ? change : 0; // from zero
    };
    const auto most = std::ranges::max_element(layers, {}, changeOf);
    return layers.size() > 1 && changeOf(*most) > 0 ? most->layer : std::string();
}

Sentence nounOf(const DiffAnswer& answer, std::uint64_t count) {
    return answer.areWeights ? counting(count, "weight") : counting(count, "tensor");
}

/// "38 weights", "21 of 38 weights"
Sentence share(const DiffAnswer& answer, std::uint64_t part) {
    Sentence all = nounOf(answer, answer.pairs);
    return part == answer.pairs ? all : sentence("%1 of %2", part, std::move(all));
}

/// Of the pairs.
Sentence inBoth(const DiffAnswer& answer) {
    if (answer.pairs == 0) {
        return "The two checkpoints have no tensor in common";
    }
    if (!answer.hasValues) {
        return answer.differing == 0
                   ? sentence("Names, dtypes and shapes of %1 are equal; values not compared yet",
                              nounOf(answer, answer.pairs))
                   : sentence("%1 with a different dtype or shape; values not compared yet",
                              share(answer, answer.differing));
    }
    if (answer.differing > 0) {
        Sentence changed = share(answer, answer.differing);
        return answer.mostIn.empty()
                   ? sentence("%1 changed", std::move(changed))
                   : sentence("%1 changed, most in %2", std::move(changed), answer.mostIn);
    }
    if (answer.unread == answer.pairs) {
        return sentence("%1 cannot be compared", nounOf(answer, answer.pairs));
    }
    Sentence equal = nounOf(answer, answer.pairs - answer.unread);
    if (!answer.isBitwise) {
        return sentence("Equal: %1", std::move(equal));
    }
    return sentence("Identical: %1, bit for bit", std::move(equal));
}

} // namespace

DiffAnswer diffAnswer(const DiffSide& left, const DiffSide& right, const StructureDiff& structure,
                      std::span<const PairDiff> values, std::span<const LayerChange> layers,
                      std::uint64_t differing, bool isBitwise) {
    DiffAnswer answer;
    answer.pairs = structure.pairs.size();
    answer.differing = differing;
    answer.onlyLeft = structure.onlyLeft.size();
    answer.onlyRight = structure.onlyRight.size();
    answer.hasValues = !values.empty();
    answer.isBitwise = isBitwise;
    answer.unread = static_cast<std::uint64_t>(
        std::ranges::count_if(values, [](const PairDiff& pair) { return !pair.compared(); }));
    const auto isWeight = [](const DiffSide& side, TensorIndex index) {
        return isModelRole(side.checkpoint->tensor(index).role);
    };
    answer.areWeights = std::ranges::all_of(structure.pairs, [&](const TensorPair& pair) {
        return isWeight(left, pair.left) && isWeight(right, pair.right);
    });
    if (answer.hasValues && differing > 0) {
        answer.mostIn = mostChangedLayer(layers);
    }
    return answer;
}

Sentence answerText(const DiffAnswer& answer) {
    std::vector<Sentence> parts{inBoth(answer)};
    if (answer.hasValues && answer.unread > 0 && answer.unread < answer.pairs) {
        parts.push_back(sentence("%1 cannot be compared", answer.unread));
    }
    if (answer.onlyLeft > 0) {
        parts.push_back(sentence("%1 only in A", answer.onlyLeft));
    }
    if (answer.onlyRight > 0) {
        parts.push_back(sentence("%1 only in B", answer.onlyRight));
    }
    return sentenceList(parts, "; ");
}

} // namespace cairn
