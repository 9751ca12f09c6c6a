// SPDX-License-Identifier: Apache-2.0
#include "core/plan/fold.h"

#include "core/families/adapters/adapter.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn {
namespace {

/// Whether a tensor of this name can be in an adapter's own file: not the layers below the
/// adapters, which are there if a whole model with adapters was saved, except for the embeddings.
bool isSavedByPeft(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kSaved = {
        "embed_tokens", "wte", "word_embeddings", "embed_in", "lm_head", "embed_out"};
    const std::size_t below = name.find(".base_layer.weight");
    return name.starts_with(kPeftPrefix) &&
           (below == name.npos || std::ranges::any_of(kSaved, [&](std::string_view each) {
                return name.substr(0, below).ends_with(each);
            }));
}

/// An adapter's tensors in a bundle: alone they stay an adapter, beside a model's they are an
/// error, because every library would load the model without them.
void checkUnfolded(Draft& draft, const JobRequest& request) {
    const auto nameOf = [&](TensorIndex index) -> const std::string& {
        return draft.plan.source->tensor(index).name;
    };
    const auto first = std::ranges::find_if(
        draft.chosen, [&](TensorIndex index) { return isAdapterTensor(nameOf(index)); });
    if (!request.bundle || first == draft.chosen.end()) {
        return;
    }
    const bool alone = std::ranges::all_of(
        draft.chosen, [&](TensorIndex index) { return isSavedByPeft(nameOf(index)); });
    if (alone) {
        draft.baseName = "adapter_model";
        decide(draft, DecisionId::AdapterKept, "stays an adapter",
               "It is all that is written; `fold BASE --adapter` writes the model with it");
        return;
    }
    addProblem(
        draft, ErrorCode::Unsupported, Severity::Error,
        sentence("An adapter is among the weights, which a library would load without it: %1",
                 nameOf(*first)),
        "Fold it: `cairn-cli fold BASE --adapter FOLDER`, with the folder that PEFT saved",
        nameOf(*first));
}

} // namespace

void planFold(Draft& draft, const JobRequest& request, const FoldedSource* fold) {
    if (fold == nullptr) {
        checkUnfolded(draft, request);
        return;
    }
    if (!draft.plan.computed) {
        for (const TensorIndex index : draft.chosen) {
            if (const auto recipe = fold->recipes.find(index); recipe != fold->recipes.end()) {
                draft.plan.recipes.insert(*recipe);
            }
        }
        draft.storedAs = fold->dtypes;
    }
    draft.plan.adapters = fold->adapters;
    draft.plan.decisions.insert(draft.plan.decisions.end(), fold->decisions.begin(),
                                fold->decisions.end());
}

} // namespace cairn
