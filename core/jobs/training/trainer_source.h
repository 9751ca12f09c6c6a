// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/training_state.h"
#include "core/plan/consolidate.h"

#include <vector>

namespace cairn {

/// A job's source as a trainer keeps its state.
struct TrainerSource {
    CheckpointPtr checkpoint; ///< its tensors, under the names and in the order of the trainer
    Value values;             ///< the trainer's nesting; refers to tensors of `checkpoint`
    PlannedTraining training;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems; ///< of severity Error: the job does not run
};

/// For `request.trainer`. To and from Megatron-core, names and layouts are those of the model's
/// config (request.like, else what findModelConfig() finds). Tensors that the trainer has no place
/// for are left out, and named. Problems: names that follow from an order only, and objects that
/// would become dicts, unless request.force; more parameters than the model has; with
/// request.mustResume everything that is lost but random numbers and the order of the data. Reads
/// single numbers (steps), at most kMaxSteps, for DeepSpeed all. Fails: Unsupported (no torch
/// optimizer, no model, several models), StateWithoutParameter (names that the model contradicts,
/// or that are needed and undecided), the errors of trainerTree() and of the values.
Result<TrainerSource> sourceForTrainer(const CheckpointPtr& source, const JobRequest& request,
                                       const CancelToken& cancel);
inline constexpr std::size_t kMaxSteps = 4096;

/// Counts the parameters, moments and groups of a state's optimizers.
void countOptimizers(const TrainingState& state, PlannedTraining& training);

/// Adds a problem for each loss: an error with request.mustResume, unless only random numbers or
/// the order of the data change, and for objects that would become dicts, unless request.force.
void addProblemsOf(TrainerSource& made, const JobRequest& request);

} // namespace cairn
