// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/saved_values.h"
#include "core/plan/consolidate.h"

#include <cstdint>
#include <vector>

namespace cairn {

/// How to treat problems that stop a job only without --force (Stops::UnlessForced).
enum class Forcible : std::uint8_t { Stops, Warns };

/// Problems that prevent copying the selected tensors, causes before effects: missing files, damage
/// found when opening, elements in no piece or in several, an incomplete checkpoint. Counted in
/// elements. At most kMaxProblems of each kind, then the number of the others. Linear in pieces for
/// the shardings of known frameworks.
std::vector<PlanProblem> sourceProblems(const Checkpoint& source,
                                        const std::vector<TensorIndex>& chosen,
                                        const Selection& selection, Forcible forcible);
inline constexpr std::size_t kMaxProblems = 20;

/// Values that a job would carry but which are not what was saved, except tensors. Warns: they are
/// left out; of a record that is damaged elsewhere, the values that are there are carried.
std::vector<PlanProblem> valueProblems(const SavedValues& saved, Forcible forcible);

/// Removes the tensors of facts.damagedTensors from `chosen`, whatever a job is forced to, and
/// reports those. A name that the source of the job does not have was converted: such a job stops.
std::vector<PlanProblem> leaveOutDamaged(const Checkpoint& source, const PlanFacts& facts,
                                         Forcible forcible, std::vector<TensorIndex>& chosen);

/// There is no usable value at all.
bool isAllUnusable(const SavedValues& saved);

/// Problems of the locations of source and output. `bytes`: the disk space that it needs.
std::vector<PlanProblem> outputProblems(const PlanFacts& facts, std::uint64_t bytes);

} // namespace cairn
