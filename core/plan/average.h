// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <vector>

/// Internal to core/plan: plans the mean of several checkpoints of one model.
namespace cairn {

/// Fails with InvalidArgument for fewer than two members, for weights below 0, and if all are 0.
Result<void> checkMemberWeights(const std::vector<AverageMember>& members);

/// Recipes for every selected float parameter: the weighted mean over `members`. Integers,
/// flags, packed elements and buffers (a mean of counts or running statistics is meaningless) are
/// copied from the plan's source, the last member. Problems of severity Error: a tensor that
/// `selection` selects in one member only, or with another shape; quantised weights, whose codes
/// and scales have no mean; factors of adapters; complex and float8 weights. Linear in tensors.
/// Fails with the errors of checkMemberWeights().
Result<void> planAverage(Draft& draft, const Selection& selection,
                         const std::vector<AverageMember>& members);

/// The mean that other plans read, with the dtypes of the first member.
struct AveragedSource {
    ComputedSource computed;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
};

/// The mean of the tensors of `source`, the last member, that `selection` selects. Fails with the
/// errors of planAverage() and selectTensors().
Result<AveragedSource> averagedSource(const CheckpointPtr& source, const Selection& selection,
                                      const std::vector<AverageMember>& members);

} // namespace cairn
