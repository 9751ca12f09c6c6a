// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"

#include <vector>

namespace cairn {

/// Problems that prevent copying the selected tensors, causes before effects: missing files, damage
/// that was found when opening, elements in no piece or in several, an incomplete checkpoint.
/// Counted in elements, not by names. At most kMaxProblems of a kind, with the number of the
/// others. `force`: problems that stop a job only without --force (Stops::UnlessForced) become
/// warnings. Linear in pieces for the shardings that frameworks write.
std::vector<PlanProblem> sourceProblems(const Checkpoint& source,
                                        const std::vector<TensorIndex>& chosen,
                                        const Selection& selection, bool force);
inline constexpr std::size_t kMaxProblems = 20;

/// Problems of the output's location. `bytes`: the space that it needs on the disk.
std::vector<PlanProblem> outputProblems(const PlanFacts& facts, std::uint64_t bytes);

} // namespace cairn
