// SPDX-License-Identifier: Apache-2.0
#include "core/plan/fold.h"

namespace cairn {

void planFold(Draft& draft, const ConsolidateOptions& /*options*/, const FoldedSource* fold) {
    if (fold == nullptr) {
        return;
    }
    for (const TensorIndex index : draft.chosen) {
        if (const auto recipe = fold->recipes.find(index); recipe != fold->recipes.end()) {
            draft.plan.recipes.insert(*recipe);
        }
    }
    draft.storedAs = fold->dtypes;
    draft.plan.adapters = fold->adapters;
    draft.plan.decisions.insert(draft.plan.decisions.end(), fold->decisions.begin(),
                                fold->decisions.end());
}

} // namespace cairn
