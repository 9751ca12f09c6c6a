// SPDX-License-Identifier: Apache-2.0
#include "core/plan/scaled_weights.h"

#include "core/plan/plan_problems.h"

#include <algorithm>
#include <set>

/// Matches 8-bit weights with their scales.
///
/// Frameworks store them side by side, distinguished by name: DeepSeek's `q_proj.weight` and
/// `q_proj.weight_scale_inv`, float32 [ceil(m/128), ceil(n/128)], with the last blocks clipped;
/// `q_proj.weight_scale` of vLLM and compressed-tensors, with one element, or with one for each row
/// ([m, 1] or [m]). In spite of its name, DeepSeek's is multiplied, too. The block size of a grid
/// of scales is not recorded: 128 if that matches, else the only power of two that does.
namespace cairn {
namespace {

bool isEightBitFloat(Dtype dtype) {
    return dtypeInfo(dtype).bits == 8 && dtypeInfo(dtype).kind == DtypeKind::Float &&
           dtype != Dtype::Float8E8m0fnu;
}

bool isScale(const TensorEntry& tensor) {
    return dtypeInfo(tensor.dtype).kind == DtypeKind::Float;
}

/// The tensor of the weight's scales.
std::optional<TensorIndex> scalesOf(const Checkpoint& source, const TensorEntry& weight) {
    for (const char* suffix : {"_scale_inv", "_scale"}) {
        const auto index = source.find(weight.name + suffix);
        if (index && isScale(source.tensor(*index))) {
            return index;
        }
    }
    return std::nullopt;
}

/// `q_proj.input_scale` for `q_proj.weight`: the scale of the activations.
std::optional<TensorIndex> inputScaleOf(const Checkpoint& source, const TensorEntry& weight) {
    const std::size_t dot = weight.name.rfind('.');
    return dot == std::string::npos ? std::nullopt
                                    : source.find(weight.name.substr(0, dot) + ".input_scale");
}

std::int64_t blocksOf(std::int64_t extent, std::int64_t block) {
    return (extent + block - 1) / block;
}

/// Elements of one dimension that share a scale.
std::optional<std::int64_t> blockOf(std::int64_t extent, std::int64_t scales) {
    if (scales == 1) {
        return std::max<std::int64_t>(extent, 1);
    }
    if (scales == extent) {
        return 1;
    }
    constexpr std::int64_t kUsual = 128;
    if (blocksOf(extent, kUsual) == scales) {
        return kUsual;
    }
    std::optional<std::int64_t> found;
    for (std::int64_t block = 2; block < extent; block *= 2) {
        if (blocksOf(extent, block) == scales) {
            if (found) {
                return std::nullopt;
            }
            found = block;
        }
    }
    return found;
}

/// The block of a scale, in elements of each of the weight's dimensions; empty if the shapes do not
/// match.
std::optional<Shape> blockShape(const Shape& weight, const Shape& scales) {
    Shape block = weight;
    for (std::int64_t& extent : block) {
        extent = std::max<std::int64_t>(extent, 1);
    }
    if (elementCount(scales) == 1) {
        return block; // one for all elements
    }
    Shape grid = scales;
    if (scales.size() == 1 && weight.size() > 1 && scales[0] == weight[0]) {
        block[0] = 1; // one per row
        return block;
    }
    if (grid.size() != weight.size()) {
        return std::nullopt;
    }
    for (std::size_t d = 0; d < weight.size(); ++d) {
        const auto extent = blockOf(weight[d], grid[d]);
        if (!extent) {
            return std::nullopt;
        }
        block[d] = *extent;
    }
    return block;
}

} // namespace

void multiplyScales(Draft& draft) {
    const Checkpoint& source = *draft.plan.source;
    std::set<TensorIndex> usedUp;
    std::vector<std::string> weights;
    std::size_t wrong = 0;
    for (const TensorIndex index : draft.chosen) {
        const TensorEntry& weight = source.tensor(index);
        const auto scales = isEightBitFloat(weight.dtype) ? scalesOf(source, weight) : std::nullopt;
        if (!scales) {
            continue;
        }
        const auto block = blockShape(weight.shape, source.tensor(*scales).shape);
        if (!block) {
            if (++wrong <= kMaxProblems) {
                addProblem(draft, ErrorCode::BadSlice, Severity::Error,
                           sentence("The scales %1 do not match the weight %2",
                                    formatDims(source.tensor(*scales).shape),
                                    formatDims(weight.shape)),
                           "Leave out the tensor, or leave out --dequantize", weight.name);
            }
            continue;
        }
        ElementRecipe recipe;
        recipe.scales = *scales;
        recipe.block = *block;
        draft.plan.recipes.emplace(index, std::move(recipe));
        usedUp.insert(*scales);
        if (const auto input = inputScaleOf(source, weight)) {
            usedUp.insert(*input);
        }
        weights.push_back(weight.name);
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

std::vector<TensorIndex> quantisedTensors(const Checkpoint& source,
                                          const std::vector<TensorIndex>& chosen) {
    std::vector<TensorIndex> all;
    for (const TensorIndex index : chosen) {
        const TensorEntry& weight = source.tensor(index);
        const auto scales = isEightBitFloat(weight.dtype) ? scalesOf(source, weight) : std::nullopt;
        if (!scales) {
            continue;
        }
        all.push_back(index);
        all.push_back(*scales);
        if (const auto input = inputScaleOf(source, weight)) {
            all.push_back(*input);
        }
    }
    return all;
}

} // namespace cairn
