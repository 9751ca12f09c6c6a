// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <memory>
#include <span>
#include <vector>

/// The mean of several adapters: one adapter, whose change is the weighted mean of theirs.
namespace cairn {

/// What a job reads instead of the members.
struct CombinedSource {
    CheckpointPtr checkpoint; ///< the tensors of one adapter, under PEFT's names
    CheckpointPtr expected;   ///< the same, as verification reads it; null: nothing is computed
    std::shared_ptr<const ComputedSource> computed; ///< its parts; null: all are stored
    std::vector<JoinedMember> joined;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
};

/// Whether all members of an average, which may be empty, are adapters: of PEFT, or of diffusers
/// and kohya.
bool areAdapters(std::span<const AverageMember> members);

/// Joins the matrices of the members (families/adapters/adapter_combination.h), and writes the
/// settings of the result over those of a member among `sidecars`; those of diffusers and kohya get
/// their scales into the matrices instead. Matrices keep their dtype,
/// unless they have to be multiplied or differ in it: they become float32 then. Fails with the
/// errors of combineAdapters(), checkMemberWeights() and readAdapterSettings(); NotFound if
/// `sidecars` has no adapter_config.json.
Result<CombinedSource> combineMembers(const std::vector<AverageMember>& members,
                                      std::vector<Sidecar>& sidecars);

} // namespace cairn
