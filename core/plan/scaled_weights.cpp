// SPDX-License-Identifier: Apache-2.0
#include "core/plan/scaled_weights.h"

#include "core/families/quantised/scale_blocks.h"
#include "core/plan/plan_problems.h"

#include <algorithm>
#include <set>
#include <string>

namespace cairn {
namespace {

/// Codes count from a zero point.
bool hasOffsets(const Checkpoint& source, const QuantisedWeight& weight) {
    return std::ranges::any_of(weight.others, [&](TensorIndex other) {
        return source.tensor(other).name.ends_with("zero_point") &&
               !source.tensor(other).name.ends_with(".input_zero_point");
    });
}

void refuse(Draft& draft, const QuantisedWeight& weight) {
    const Checkpoint& source = *draft.plan.source;
    const TensorEntry& codes = source.tensor(weight.codes);
    if (weight.strength != Strength::Proven) {
        addProblem(draft, ErrorCode::BadSlice, Severity::Error,
                   sentence("The scales %1 do not match the weight %2",
                            formatDims(source.tensor(weight.others.front()).shape),
                            formatDims(codes.shape)),
                   "Leave out the tensor, or leave out --dequantize", codes.name);
        return;
    }
    addProblem(draft, ErrorCode::Unsupported, Severity::Error,
               sentence("The weight is quantised as %1%2; this layout cannot be dequantised here",
                        weight.layout->name,
                        hasOffsets(source, weight) ? Sentence(" with zero points") : Sentence()),
               weight.layout->unpack.empty()
                   ? Sentence("Use the library that wrote it")
                   : sentence("Use the library that wrote it: %1", weight.layout->unpack),
               codes.name);
}

} // namespace

bool canMultiply(const Checkpoint& source, const QuantisedWeight& weight) {
    return weight.layout->unpacking == Unpacking::Multiply && weight.strength == Strength::Proven &&
           !hasOffsets(source, weight);
}

void multiplyScales(Draft& draft, const QuantisedWeights& quantised) {
    const Checkpoint& source = *draft.plan.source;
    std::set<TensorIndex> usedUp;
    std::vector<std::string> weights;
    std::size_t left = 0;
    for (const TensorIndex index : draft.chosen) {
        const QuantisedWeight* weight = quantised.of(index);
        if (weight == nullptr || weight->codes != index ||
            weight->layout->unpacking == Unpacking::Blocks) {
            continue;
        }
        const TensorEntry& codes = source.tensor(index);
        if (!canMultiply(source, *weight)) {
            if (++left <= kMaxProblems) {
                refuse(draft, *weight);
            }
            continue;
        }
        ElementRecipe recipe;
        recipe.scales = weight->others.front();
        recipe.block = *scaleBlock(codes.shape, source.tensor(*recipe.scales).shape);
        draft.plan.recipes.emplace(index, std::move(recipe));
        usedUp.insert(weight->others.begin(), weight->others.end());
        weights.push_back(codes.name);
    }
    const std::size_t before = draft.chosen.size();
    std::erase_if(draft.chosen, [&](TensorIndex index) { return usedUp.contains(index); });
    decide(
        draft, DecisionId::Dequantised,
        weights.empty() ? "nothing"
                        : sentence("%1 weights: %2", weights.size(), someOf(weights, 3)),
        weights.empty()
            ? "No 8-bit weight has scales"
            : sentence(
                  "Each is multiplied with its scale in float32; %1 tensors of scales are left out",
                  before - draft.chosen.size()));
}

} // namespace cairn
