// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/model/checkpoint.h"
#include "core/model/training_position.h"
#include "core/model/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a checkpoint has of a training, whoever wrote it: the one place that maps each trainer's
/// names to its parts. A description over the tensors and values of the open checkpoint; nothing is
/// copied.
///
/// Sources: torch.optim.Optimizer.state_dict() (parameters by number, through all groups in order);
/// torch.distributed.checkpoint.state_dict.get_state_dict() (by name, nested, or flat as torchtitan
/// stores it); Lightning's dump_checkpoint(); the folders of transformers' Trainer and of
/// accelerate's save_state(), whose files are keys of the values.
namespace cairn {

/// A parameter as an optimizer lists it.
struct OptimizerParameter {
    std::string key; ///< in the optimizer's state dict: "3", or the model's name
    std::size_t group = 0;
    std::string recorded; ///< the model's name, where it is recorded; empty: not recorded
    Value state;          ///< a dict of moments and counters; null: none is stored
};

/// How an optimizer's state dict lists its parameters.
enum class StateForm : std::uint8_t {
    Numbered, ///< torch.optim: by position in the groups
    Named,    ///< get_state_dict(): by name, with the groups
    Flat      ///< the same flattened: groups and their order are not recorded
};

struct OptimizerState {
    std::string place; ///< dotted path in the values: "optimizer_states.0"
    Value stored;      ///< its state dict as it is stored
    StateForm form = StateForm::Numbered;
    std::vector<Value> groups;                  ///< hyper-parameters, with `params`; not if Flat
    std::vector<OptimizerParameter> parameters; ///< group by group, in their order
    std::vector<std::string> orphans;           ///< keys of states whose parameter is in no group

    [[nodiscard]] std::size_t withState() const;
    /// Parameters without state although others have one: frozen, or without a gradient so far.
    [[nodiscard]] std::vector<const OptimizerParameter*> withoutState() const;
    /// No parameter has a state and the hyper-parameters need none: SGD without momentum.
    [[nodiscard]] bool needsNone() const;
    /// The name in messages: as recorded, else "number 3".
    [[nodiscard]] static std::string labelOf(const OptimizerParameter& parameter);
};

struct StatePart {
    std::string place; ///< dotted path in the values
    Value value;
};

/// A tensor of the model under the model's own name, without containers and wrappers.
struct ModelTensor {
    std::string name;
    TensorIndex tensor;
};

/// Which trainer's conventions the other keys of the values follow.
enum class StateOrigin : std::uint8_t { Loop, Lightning, Folder };

struct TrainingState {
    StateOrigin origin = StateOrigin::Loop;
    std::vector<ModelTensor> model; ///< in the stored order, with tied names
    std::string modelPlace;         ///< dotted path of its state dict; empty: the tensors' names
    std::vector<OptimizerState> optimizers;
    std::vector<StatePart> schedulers;
    std::vector<StatePart> scalers;
    std::vector<StatePart> generators; ///< of random numbers, usually one for each rank
    std::vector<StatePart> data;       ///< positions of samplers and loaders
    std::vector<StatePart> others;     ///< further keys of the outermost dict
    RecordedTraining position;
};

enum class LossId : std::uint8_t {
    Moments,      ///< some parameters have none, although others have
    Optimizer,    ///< no optimizer, or none of its parameters has moments
    Foreign,      ///< states of parameters that are in no group
    Schedule,     ///< a scheduler was used, its state is missing
    Position,     ///< neither step nor epoch
    Generators,   ///< of random numbers
    Masters,      ///< 16-bit parameters without masters
    Objects,      ///< values of classes, of which only the state is written
    Data,         ///< position in the data
    TrainerState, ///< what only the source's trainer reads
    Unread,       ///< written, but the trainer does not load it
    LeftOut,      ///< tensors that the loader of the model's class does not take
};
std::string_view lossName(LossId id); ///< in documents: "moments"

/// Something that a resumed training does not get, and the consequence.
struct TrainingLoss {
    LossId id{};
    Sentence what;
    Sentence why;
};

/// Whether a checkpoint of Megatron-core's dist_checkpointing has the moments of Adam under the
/// keys of their parameters ("optimizer.state.exp_avg.KEY"). Its optimizer has none in
/// trainingState(): the groups do not list their parameters.
bool isStateOfMegatron(const Checkpoint& checkpoint);

/// Whether training continues as if it had not stopped, apart from random numbers and the order of
/// the data.
bool isExact(const std::vector<TrainingLoss>& losses);

/// Loads the values. Fails with the errors of Checkpoint::values(). Linear in the values; recursion
/// is limited.
Result<TrainingState> trainingState(const Checkpoint& checkpoint, const CancelToken& cancel = {});

/// The parameter's shape as its states tell it: that of moments, of two factors together
/// (Adafactor, CAME) and of bitsandbytes' codes; counters of one element say nothing. Empty: there
/// is none, or they contradict each other.
std::optional<Shape> shapeOfState(const Checkpoint& checkpoint, const Value& state);

} // namespace cairn
