// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/health.h"
#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/model/training_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a checkpoint can do: the judge that `info`, the window and the plans of conversions ask.
namespace cairn {

/// What the checkpoint itself lacks for any trainer, by the state that it has. Without Generators
/// and Data, a resumed training continues with the same arithmetic. Linear in the values.
std::vector<TrainingLoss> missingState(const Checkpoint& checkpoint, const TrainingState& state);

/// The place of a further model beside the weights of a state without containers, so that no
/// trainer but its own knows which is trained; empty: there is none. Linear in the outer values.
std::string secondModel(const Checkpoint& checkpoint, const TrainingState& state);

/// Whether it is a folder of Megatron-LM's ranks (`mp_rank_00`). The optimizers in it, if any, do
/// not record the order of their parameters: only Megatron resumes from it.
bool isFolderOfRanks(const Checkpoint& checkpoint);

/// The parameter groups in a state of Megatron-core; null or without items: there are none.
const Value* groupsOfMegatron(const Value& values);

enum class AbilityId : std::uint8_t { Serve, Resume, ResumeElsewhere, Weights };
inline constexpr std::size_t kAbilities = 4;
std::string_view abilityName(AbilityId id); ///< "serve", "resume", "resume_elsewhere", "weights"

struct Ability {
    AbilityId id{};
    bool can = false;
    std::vector<Sentence> why;
    std::vector<TrainingLoss> lost; ///< with `can`: what it does not get
    /// Of Serve: whether the loader of the model's class takes the tensors. Undecided: `can` is
    /// false; Unknown: they were not compared with a class.
    LoaderAnswer loader = LoaderAnswer::All;
};

/// In the order of AbilityId. Reads no tensor but single numbers; an incomplete checkpoint can do
/// nothing. `health`: of this checkpoint, with or without its data; Serve is possible only if it
/// has no error, and the loader of the config's class takes the tensors or the class is not known.
/// Resume: in the trainer that wrote it; ResumeElsewhere: what `convert --for` can write. Fails
/// with the errors of Checkpoint::values(). jobs/bundle/model_health.h has a function for every
/// face.
Result<std::array<Ability, kAbilities>> abilitiesOf(const Checkpoint& checkpoint,
                                                    const HealthReport& health,
                                                    const CancelToken& cancel = {});

/// "yes", "yes, if the model's class takes the tensors", "yes, with new random numbers", "yes, but
/// not everything", "unknown", "no".
Sentence verdictOf(const Ability& ability);

} // namespace cairn
