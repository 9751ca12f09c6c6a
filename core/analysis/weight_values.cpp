// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/weight_values.h"

#include "core/analysis/unpacked_weights.h"

#include <utility>

namespace cairn {
namespace {

Sentence whyOnlyCodes(const QuantisedWeight& weight) {
    if (weight.strength != Strength::Proven) {
        return "The shapes of its parts do not match";
    }
    return weight.layout->unpack.empty()
               ? Sentence("Only its library computes the weight")
               : sentence("Only its library computes the weight: %1", weight.layout->unpack);
}

} // namespace

std::string_view quantisedKindName(QuantisedTensor::Kind kind) {
    switch (kind) {
    case QuantisedTensor::Kind::Weight:
        return "weight";
    case QuantisedTensor::Kind::Codes:
        return "codes";
    case QuantisedTensor::Kind::Part:
        break;
    }
    return "part";
}

Sentence quantisedText(const QuantisedTensor& tensor) {
    switch (tensor.kind) {
    case QuantisedTensor::Kind::Weight:
        return sentence("dequantised, %1", tensor.layout);
    case QuantisedTensor::Kind::Codes:
        return sentence("codes of %1", tensor.layout);
    case QuantisedTensor::Kind::Part:
        break;
    }
    return sentence("part of %1", tensor.layout);
}

Result<WeightValues> WeightValues::of(CheckpointPtr stored, const ModelConfig* config,
                                      const CancelToken& cancel) {
    WeightValues values = asStored(std::move(stored));
    const Checkpoint& checkpoint = *values.m_stored;
    const QuantisedWeights quantised(checkpoint);
    std::vector<WeightRecipe> recipes;
    for (const QuantisedWeight& weight : quantised.all()) {
        CAIRN_CHECK(cancel.check());
        if (weight.layout->unpacking == Unpacking::Blocks) {
            continue;
        }
        QuantisedTensor codes{QuantisedTensor::Kind::Codes,
                              weight.layout->name,
                              checkpoint.tensor(weight.codes).name,
                              {}};
        if (!weight.mayBeUnpacked()) {
            codes.why = whyOnlyCodes(weight);
        } else if (auto recipe = weightRecipe(checkpoint, weight, config)) {
            codes.kind = QuantisedTensor::Kind::Weight;
            codes.weight = recipe->name;
            recipes.push_back(*recipe);
            values.m_recipes.emplace(weight.codes, std::move(*recipe));
        } else {
            codes.why = recipe.error().message;
        }
        for (const TensorIndex part : weight.others) {
            values.m_tensors.try_emplace(
                part, QuantisedTensor{QuantisedTensor::Kind::Part, codes.layout, codes.weight, {}});
        }
        values.m_tensors.insert_or_assign(weight.codes, std::move(codes));
    }
    if (!recipes.empty()) {
        values.m_checkpoint = unpackedView(values.m_stored, recipes);
    }
    return values;
}

WeightValues WeightValues::asStored(CheckpointPtr stored) {
    WeightValues values;
    values.m_checkpoint = stored;
    values.m_stored = std::move(stored);
    return values;
}

const QuantisedTensor* WeightValues::find(TensorIndex tensor) const {
    const auto found = m_tensors.find(tensor);
    return found == m_tensors.end() ? nullptr : &found->second;
}

bool WeightValues::isNumbers(TensorIndex tensor) const {
    const QuantisedTensor* found = find(tensor);
    return found == nullptr || found->kind == QuantisedTensor::Kind::Weight;
}

bool WeightValues::isWeight(TensorIndex tensor) const {
    const QuantisedTensor* found = find(tensor);
    return found != nullptr && found->kind == QuantisedTensor::Kind::Weight;
}

Result<void> WeightValues::checkNumbers(TensorIndex tensor) const {
    const QuantisedTensor* found = find(tensor);
    if (found == nullptr || found->kind != QuantisedTensor::Kind::Codes) {
        return {};
    }
    return fail(ErrorCode::Unsupported,
                sentence("The codes of %1 are not numbers of the weight: %2", found->layout,
                         found->why))
        .inTensor(m_stored->tensor(tensor).name);
}

bool WeightValues::hasAnyDtype(TensorIndex weight) const {
    const auto found = m_recipes.find(weight);
    return found != m_recipes.end() && found->second.anyDtype;
}

WeightValues WeightValues::only(const std::map<TensorIndex, std::optional<Dtype>>& weights,
                                const Sentence& why) const {
    WeightValues values = asStored(m_stored);
    values.m_tensors = m_tensors;
    std::vector<WeightRecipe> recipes;
    for (const auto& [codes, recipe] : m_recipes) {
        const auto wanted = weights.find(codes);
        if (wanted == weights.end()) {
            QuantisedTensor& tensor = values.m_tensors.at(codes);
            tensor.kind = QuantisedTensor::Kind::Codes;
            tensor.why = why;
            continue;
        }
        recipes.push_back(recipe);
        if (wanted->second && recipe.anyDtype) {
            recipes.back().dtype = *wanted->second;
        }
        values.m_recipes.emplace(codes, recipes.back());
    }
    if (!recipes.empty()) {
        values.m_checkpoint = unpackedView(m_stored, recipes);
    }
    return values;
}

std::optional<TensorIndex> WeightValues::find(std::string_view name) const {
    const auto found = m_checkpoint->find(name);
    return found ? found : m_stored->find(name);
}

} // namespace cairn
