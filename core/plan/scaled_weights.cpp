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

void refuse(Draft& draft, const QuantisedWeight& weight, const UnpackedWeights& unpacked) {
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
    const auto known = unpacked.refused.find(codes.name);
    Sentence reason = "only its library can";
    if (known != unpacked.refused.end()) {
        reason = known->second;
    } else if (weight.layout->unpacking == Unpacking::Multiply) {
        reason = hasOffsets(source, weight)
                     ? Sentence("zero points of float8 elements")
                     : "the config.json with the size of its blocks is missing";
    }
    addProblem(draft, ErrorCode::Unsupported, Severity::Error,
               sentence("The weight is quantised as %1; it cannot be dequantised here: %2",
                        weight.layout->name, std::move(reason)),
               weight.layout->unpack.empty()
                   ? Sentence("Use the library that wrote it")
                   : sentence("Use the library that wrote it: %1", weight.layout->unpack),
               codes.name);
}

/// The block that shares a scale; empty: it is not a product with scales, or the size is unknown.
std::optional<Shape> multipliedBlock(const Checkpoint& source, const QuantisedWeight& weight,
                                     const UnpackedWeights& unpacked) {
    const bool multiplies = weight.layout->unpacking == Unpacking::Multiply &&
                            weight.strength == Strength::Proven && !hasOffsets(source, weight);
    return multiplies ? scaleBlock(source.tensor(weight.codes).shape,
                                   source.tensor(weight.others.front()).shape, unpacked.block)
                      : std::nullopt;
}

} // namespace

void leaveOutParts(Draft& draft, const UnpackedWeights& unpacked) {
    std::erase_if(draft.chosen, [&](TensorIndex index) {
        return unpacked.parts.contains(draft.plan.source->tensor(index).name);
    });
}

void multiplyScales(Draft& draft, const QuantisedWeights& quantised,
                    const UnpackedWeights& unpacked) {
    const Checkpoint& source = *draft.plan.source;
    std::set<TensorIndex> usedUp;
    std::vector<std::string> weights;
    const bool renamed = // by a conversion of names
        std::ranges::none_of(unpacked.weights,
                             [&](const auto& name) { return source.find(name).has_value(); });
    if (renamed) {
        weights.assign(unpacked.weights.begin(), unpacked.weights.end());
    }
    for (const TensorIndex index : draft.chosen) {
        if (unpacked.weights.contains(source.tensor(index).name)) {
            weights.push_back(source.tensor(index).name);
        }
    }
    std::size_t left = 0;
    for (const TensorIndex index : draft.chosen) {
        const QuantisedWeight* weight = quantised.of(index);
        if (weight == nullptr || weight->codes != index ||
            weight->layout->unpacking == Unpacking::Blocks) {
            continue;
        }
        const TensorEntry& codes = source.tensor(index);
        const auto block = multipliedBlock(source, *weight, unpacked);
        if (!block) {
            if (++left <= kMaxProblems) {
                refuse(draft, *weight, unpacked);
            }
            continue;
        }
        ElementRecipe recipe;
        recipe.scales = weight->others.front();
        recipe.block = *block;
        draft.plan.recipes.emplace(index, std::move(recipe));
        usedUp.insert(weight->others.begin(), weight->others.end());
        weights.push_back(codes.name);
    }
    std::erase_if(draft.chosen, [&](TensorIndex index) { return usedUp.contains(index); });
    draft.plan.dequantised = !weights.empty();
    decide(draft, DecisionId::Dequantised,
           weights.empty() ? "nothing"
                           : sentence("%1 weights: %2", weights.size(), someOf(weights, 3)),
           weights.empty() ? "No quantised weight is selected"
                           : sentence("Computed from codes and scales as the library does; %1 "
                                      "tensors of scales and other parts are left out",
                                      usedUp.size() + unpacked.parts.size()));
}

} // namespace cairn
