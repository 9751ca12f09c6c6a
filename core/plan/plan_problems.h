// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"

#include <vector>

namespace cairn {

/// What stands against copying the chosen tensors, causes before effects: files that are not there,
/// damage that opening found, elements that are in no piece or in several, an incomplete checkpoint. Counted in
/// elements, never by names. At most kMaxProblems of a kind, with the number of the others. `force`: what stops only
/// until somebody insists (Stops::UnlessForced) is a warning. Linear in pieces for the shardings that frameworks write.
std::vector<PlanProblem> sourceProblems(const Checkpoint& source,
                                        const std::vector<TensorIndex>& chosen,
                                        const Selection& selection, bool force);
inline constexpr std::size_t kMaxProblems = 20;

/// What stands against the place of the output. `bytes`: that it takes on the disk.
std::vector<PlanProblem> outputProblems(const PlanFacts& facts, std::uint64_t bytes);

} // namespace cairn
