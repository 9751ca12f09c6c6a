// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/jobs/training/trainer_tree.h"
#include "core/model/training_state.h"
#include "core/plan/consolidate.h"

#include <optional>
#include <set>
#include <span>
#include <vector>

/// Internal to trainer_source.h: training states of Megatron-core, whose parameters have names and
/// layouts of their own (families/names/framework.h). Sources: megatron-core 0.16,
/// dist_checkpointing/{serialization,optimizer}.py, strategies/{common,torch}.py,
/// optimizer/{optimizer,distrib_optimizer}.py, optimizer_param_scheduler.py; Megatron-LM's
/// training/checkpointing.py (check_checkpoint_args, load_checkpoint).
namespace cairn {

/// Folder of an iteration in a run of Megatron: "iter_0000012".
std::string folderOfIteration(std::int64_t iteration);

/// Keys of the values that megatronState() makes: the plain values in common.pt, and the tensors.
inline constexpr std::string_view kMegatronCommon = "common";
inline constexpr std::string_view kMegatronSharded = "sharded";

struct MegatronRequest {
    const CheckpointPtr& source;
    const TrainingState& state;
    std::span<const NamesOfOptimizer> names; ///< by optimizer
    const ModelConfig* config = nullptr;     ///< that of the model's library; null: none was found
    std::optional<double> updates;           ///< the step of all moments; empty: there is none
    bool unequalSteps = false;
    const CancelToken& cancel;
};

struct MegatronState {
    CheckpointPtr checkpoint;     ///< under the keys that Megatron-core stores
    Value values;                 ///< of common.pt and of the tensors; refers to `checkpoint`
    std::set<TensorIndex> placed; ///< tensors of the source that are written
    std::vector<PlanDecision> decisions;
};

/// A state under the names of the model's library as Megatron-core's dist_checkpointing loads it,
/// at any tensor and pipeline parallelism, into its FP32, mixed-precision and (fully reshardable)
/// distributed optimizers: moments are fused and stacked as their parameters are; the master of a
/// parameter is the parameter itself, under the names that the two latter ask for. Parameters of
/// one dimension and biases are a group without weight decay, as Megatron-core makes its groups.
/// `losses`: schedules, whose learning rate is kept, weight decay that Megatron-core does not
/// apply, and what has no place. Fails: Unsupported (a family without a table, optimizers other
/// than one Adam, hyper-parameters that differ within a group, biases that Megatron-core has
/// together only, a head that differs from the embeddings to which it is tied or has moments of its
/// own, moments of different steps), MissingState (no step, no head although the config does not
/// tie it), NotFound (no config; a moment that is joined with another is missing), and the errors
/// of convertToStored().
Result<MegatronState> megatronState(const MegatronRequest& request,
                                    std::vector<TrainingLoss>& losses);

/// A state of Megatron-core as that of a loop of torch with names of the model's library.
struct MegatronLoop {
    CheckpointPtr checkpoint; ///< values {model, optimizer (by name), step}
    std::vector<TrainingLoss> losses;
    std::vector<PlanDecision> decisions;
};

/// The fp32 master stands for a parameter that has one; a tied head has both names again. The
/// groups of parameters are not recorded; they are made as Megatron-core makes them. Without
/// `config`, the checkpoint's args describe the model. Fails: Unsupported (names of no family with
/// a table, an optimizer in buckets or other than one Adam, other groups), MissingState (no groups,
/// no step), and the errors of convertFramework().
Result<MegatronLoop> loopOfMegatron(const CheckpointPtr& source, const ModelConfig* config,
                                    const CancelToken& cancel);

} // namespace cairn
