// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/dequantised_source.h"

#include "core/analysis/unpacked_weights.h"
#include "core/families/quantised/quantised_weights.h"
#include "core/families/quantised/scale_blocks.h"
#include "core/families/quantised/weight_recipe.h"

#include <utility>
#include <vector>

namespace cairn {

Result<DequantisedSource> dequantisedSource(const CheckpointPtr& source, const ModelConfig* config,
                                            bool all, std::optional<Dtype> wanted,
                                            const CancelToken& cancel) {
    DequantisedSource made{source, {}};
    made.weights.block = config != nullptr ? recordedBlock(*config) : std::nullopt;
    std::vector<WeightRecipe> recipes;
    const QuantisedWeights quantised(*source);
    for (const QuantisedWeight& weight : quantised.all()) {
        if (cancel.cancelled()) {
            return fail(ErrorCode::Cancelled, "Stopped");
        }
        const bool isPlanned = weight.layout->unpacking == Unpacking::Multiply && !all;
        if (isPlanned || !weight.mayBeUnpacked()) {
            continue;
        }
        auto recipe = weightRecipe(*source, weight, config);
        if (!recipe && recipe.error().code == ErrorCode::Unsupported) {
            made.weights.refused.emplace(source->tensor(weight.codes).name, recipe.error().message);
            continue;
        }
        CAIRN_CHECK(recipe);
        if (recipe->anyDtype) {
            recipe->dtype = wanted.value_or(Dtype::Float32);
        }
        made.weights.weights.insert(recipe->name);
        for (const TensorIndex part : weight.others) {
            made.weights.parts.insert(source->tensor(part).name);
        }
        recipes.push_back(std::move(*recipe));
    }
    if (!recipes.empty()) {
        made.checkpoint = unpackedView(source, recipes);
    }
    return made;
}

} // namespace cairn
