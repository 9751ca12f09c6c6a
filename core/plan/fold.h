// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/adapters/adapter.h"
#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

/// Adapters that are folded into the weights of a plan.
namespace cairn {

/// The adapters of a job, applied to its source.
struct FoldedSource {
    /// The source with replaced and added tensors: what the plan reads.
    CheckpointPtr checkpoint;
    std::map<TensorIndex, ElementRecipe> recipes;
    std::set<TensorIndex> changed;       ///< those that are computed, replaced or added
    std::optional<TiedHead> tied;        ///< of the source, before the adapters
    std::map<TensorIndex, Dtype> dtypes; ///< that replaced tensors had before
    std::vector<FoldedAdapter> adapters;
    std::vector<PlanDecision> decisions;
};

/// Internal to core/plan: adds the recipes of facts.fold to a draft, unless its source has their
/// results already (CopyPlan::computed). Tensors of adapters that are
/// selected without being folded are a problem of severity Error for a bundle, unless there is
/// nothing else (an adapter's own bundle).
void planFold(Draft& draft, const JobRequest& request, const FoldedSource* fold);

} // namespace cairn
