// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/object_source.h"

#include "core/analysis/abilities.h"
#include "core/base/counted.h"
#include "core/jobs/training/keras_groups.h"
#include "core/jobs/training/keras_source.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kSlot = "/.OPTIMIZER_SLOT/";
constexpr std::string_view kTensorflow = "tensorflow";
constexpr std::string_view kKeras = "keras";

std::string withUnderscores(std::string name) {
    std::ranges::replace(name, '/', '_');
    return name;
}

/// Which parameters have moments: by the path of a slot, or, in Keras 3, by the names of the
/// optimizer's variables ("adam/dense_kernel_momentum" of "dense/kernel").
class Moments {
public:
    Moments(const Checkpoint& source, const Value& values) : m_names(kerasNames(values)) {
        for (const TensorEntry& tensor : source.tensors()) {
            if (tensor.role != Role::Optimizer) {
                continue;
            }
            if (const std::size_t at = tensor.name.find(kSlot); at != std::string::npos) {
                m_slots.insert(tensor.name.substr(0, at));
                continue;
            }
            const auto name = m_names.find(tensor.name);
            if (name == m_names.end()) {
                continue;
            }
            const std::string::size_type optimizer = name->second.find('/');
            if (optimizer != std::string::npos) {
                m_variables.insert(withUnderscores(name->second.substr(optimizer + 1)));
            }
        }
    }

    [[nodiscard]] bool of(const std::string& key) const {
        const std::string_view path = std::string_view(key).substr(0, key.find("/.ATTRIBUTES/"));
        if (m_slots.contains(path)) {
            return true;
        }
        const auto name = m_names.find(key);
        if (name == m_names.end()) {
            return false;
        }
        const std::string start = withUnderscores(name->second) + "_";
        const auto found = m_variables.lower_bound(start);
        return found != m_variables.end() && found->starts_with(start);
    }

private:
    KerasNames m_names;
    std::set<std::string, std::less<>> m_slots;
    std::set<std::string, std::less<>> m_variables; ///< of optimizers
};

/// The source without the tensors that have no elements.
CheckpointPtr withoutOpaque(const CheckpointPtr& source, std::vector<TrainingLoss>& losses) {
    const auto isOpaque = [](const TensorEntry& tensor) { return tensor.dtype == Dtype::Opaque; };
    if (std::ranges::none_of(source->tensors(), isOpaque)) {
        return source;
    }
    CheckpointData data = source->data();
    for (const TensorEntry& tensor : data.tensors) {
        if (isOpaque(tensor)) {
            losses.push_back(lossOfVariable(tensor));
        }
    }
    std::map<TensorIndex, TensorIndex> moved;
    std::vector<TensorEntry> kept;
    for (std::size_t i = 0; i < data.tensors.size(); ++i) {
        if (!isOpaque(data.tensors[i])) {
            moved.emplace(TensorIndex(i), TensorIndex(kept.size()));
            kept.push_back(std::move(data.tensors[i]));
        }
    }
    for (TensorEntry& tensor : kept) {
        if (tensor.aliasOf) {
            tensor.aliasOf = moved.at(*tensor.aliasOf);
        }
    }
    data.tensors = std::move(kept);
    data.loadValues = [](const CancelToken&) { // they refer to other positions
        return Result<LoadedValues>(LoadedValues(Value::dict({})));
    };
    return Checkpoint::make(std::move(data));
}

bool hasOptimizer(const Checkpoint& source) {
    return std::ranges::any_of(
        source.tensors(), [](const TensorEntry& tensor) { return tensor.role == Role::Optimizer; });
}

/// Keras' files have no names of variables: moments have the shapes of their parameters.
void countMomentsByShape(const Checkpoint& keras, PlannedTraining& training) {
    std::set<std::vector<std::int64_t>> shapes;
    for (const TensorEntry& tensor : keras.tensors()) {
        if (tensor.role == Role::Optimizer && !tensor.shape.empty()) {
            shapes.emplace(tensor.shape.begin(), tensor.shape.end());
        }
    }
    for (const TensorEntry& tensor : keras.tensors()) {
        if (tensor.role == Role::Weight) {
            ++training.parameters;
            training.withMoments +=
                shapes.contains({tensor.shape.begin(), tensor.shape.end()}) ? 1 : 0;
        }
    }
}

/// What an optimizer in a file of Keras lacks: its variables are numbered without a gap, and it has
/// more than the count of steps and the learning rate once it was built.
void addLossesOfKeras(const Checkpoint& keras, const Value& values, PlannedTraining& training) {
    constexpr std::size_t kCounters = 2;
    bool needsMore = true;
    for (const KerasGroup& group : kerasGroups(keras, kerasNames(values))) {
        const bool isOptimizer = std::ranges::any_of(group.places, [&](TensorIndex place) {
            return keras.tensor(place).role == Role::Optimizer;
        });
        if (isOptimizer && !group.isNumbered) {
            training.lost.push_back({LossId::Moments, verbatim(group.place),
                                     "its variables are not numbered without a gap"});
        }
        const bool isPlain = withoutNumber(group.name) == "sgd"; // without momentum it has no more
        needsMore = needsMore && !(isOptimizer && (isPlain || group.places.size() > kCounters));
    }
    if (needsMore && training.parameters > 0) {
        training.lost.push_back({LossId::Optimizer, "moments",
                                 "the file has none, as of an optimizer that was not built; only "
                                 "SGD without momentum needs none"});
    }
}

/// A checkpoint of the trainer's own format, as it is.
Result<TrainerSource> asItIs(const CheckpointPtr& source, const Trainer& trainer,
                             const JobRequest& request, const CancelToken& cancel) {
    CAIRN_TRY(const Value values, source->values(cancel));
    TrainerSource made;
    made.training.trainer = trainer.id;
    made.training.step = source->data().step;
    made.training.groups = 1;
    if (trainer.format == kKeras) {
        const auto isForeign = [](const TensorEntry& tensor) { return !isKerasPlace(tensor.name); };
        const auto foreign = std::ranges::find_if(source->tensors(), isForeign);
        if (foreign != source->tensors().end()) {
            return fail(ErrorCode::Unsupported,
                        "This is not a file of Keras 3, whose names consist of places in its tree")
                .inFile(source->path().string())
                .inTensor(foreign->name)
                .withHint("Load it with the program that wrote it, and save it with Keras 3");
        }
        countMomentsByShape(*source, made.training);
        addLossesOfKeras(*source, values, made.training);
        made.training.lost.push_back(
            {LossId::Generators, "states of random generators",
             "Keras' files do not have them: dropout uses new random numbers"});
    } else {
        countMoments(*source, values, made.training);
    }
    const std::uint64_t bare = made.training.parameters - made.training.withMoments;
    if (made.training.withMoments > 0 && bare > 0 && trainer.format != kKeras) {
        made.training.lost.push_back({LossId::Moments,
                                      sentence("moments of %1", counting(bare, "parameter")),
                                      "the source has none, as of frozen parameters"});
    }
    made.checkpoint = withoutOpaque(source, made.training.lost);
    made.values = made.checkpoint == source ? values : Value::dict({});
    made.decisions.push_back(
        {DecisionId::StateFor, sentence("for %1", verbatim(std::string(trainer.title))),
         "All variables are written as they are; the program must make the same objects"});
    addProblemsOf(made, request);
    return made;
}

/// For TensorFlow: all tensors under their own names.
Result<TrainerSource> byName(const CheckpointPtr& source, const Trainer& trainer,
                             const JobRequest& request, const CancelToken& cancel) {
    CAIRN_TRY(const TrainingState state, trainingState(*source, cancel));
    TrainerSource made;
    PlannedTraining& training = made.training;
    training.trainer = trainer.id;
    training.step = state.position.position.step;
    countOptimizers(state, training);
    if (state.optimizers.empty()) {
        countMomentsByShape(*source, training);
        training.groups = 1;
    }
    training.lost.push_back(
        {LossId::Unread, "all variables",
         "they have their own names and no object graph: the program reads each with "
         "tf.train.load_checkpoint(), restore() finds none"});
    if (source->format() != kKeras) {
        training.lost.push_back({LossId::TrainerState,
                                 "plain values, such as hyper-parameters and the schedule",
                                 "a checkpoint of TensorFlow has tensors only"});
    }
    made.checkpoint = withoutOpaque(source, training.lost);
    made.values = Value::dict({});
    made.decisions.push_back(
        {DecisionId::StateFor, sentence("for %1", verbatim(std::string(trainer.title))),
         source->format() == kKeras
             ? Sentence("Loaded by name only; --like CHECKPOINT takes the object graph of one that "
                        "the same program saved with tf.train.Checkpoint")
             : "Loaded by name only: nothing relates the names to the objects of a program"});
    addProblemsOf(made, request);
    return made;
}

} // namespace

TrainingLoss lossOfVariable(const TensorEntry& tensor) {
    if (tensor.name.ends_with("ITERATOR_STATE")) {
        return {LossId::Data, verbatim(tensor.name), "the dataset is read from its start"};
    }
    if (tensor.role == Role::Rng || tensor.name.find("seed_generator") != std::string::npos) {
        return {LossId::Generators, verbatim(tensor.name), "dropout uses new random numbers"};
    }
    return {LossId::TrainerState, verbatim(tensor.name),
            tensor.dtype == Dtype::Opaque
                ? Sentence("its elements have no dtype that can be written")
                : "the trainer has no place for it"};
}

bool startsAgain(std::string_view key) {
    constexpr auto kParts =
        std::to_array<std::string_view>({"/_loss_tracker/", "/_compile_metrics/", "/_compile_loss/",
                                         "/_metrics/", "/metrics/", "/compiled_metrics/"});
    const std::string path = "/" + std::string(key);
    return path.starts_with("/save_counter/") ||
           std::ranges::any_of(
               kParts, [&](std::string_view part) { return path.find(part) != std::string::npos; });
}

void countMoments(const Checkpoint& tensorflow, const Value& values, PlannedTraining& training) {
    const Moments moments(tensorflow, values);
    for (const TensorEntry& tensor : tensorflow.tensors()) {
        if (tensor.role == Role::Weight && !startsAgain(tensor.name)) {
            ++training.parameters;
            training.withMoments += moments.of(tensor.name) ? 1 : 0;
        }
    }
}

Result<TrainerSource> sourceWithObjects(const CheckpointPtr& source, const Trainer& trainer,
                                        const JobRequest& request, const CancelToken& cancel) {
    if (!hasOptimizer(*source)) {
        return fail(ErrorCode::Unsupported, "The checkpoint contains no state of an optimizer")
            .inFile(source->path().string())
            .withHint(
                sentence("`cairn-cli consolidate --to %1` writes the weights", trainer.format));
    }
    const bool isOwn = source->format() == trainer.format;
    const bool hasLike = !request.like.empty();
    if (isOwn && hasLike) {
        return fail(ErrorCode::InvalidArgument,
                    "The source has the trainer's own names: nothing is taken from --like")
            .inField("--like");
    }
    if (isOwn) {
        return asItIs(source, trainer, request, cancel);
    }
    const bool isOther = source->format() == kTensorflow || source->format() == kKeras;
    if (isOther && hasLike) {
        return sourceLike(source, trainer, request, cancel);
    }
    if (trainer.format == kTensorflow && !hasLike) {
        return byName(source, trainer, request, cancel);
    }
    if (isOther) {
        return fail(ErrorCode::Unsupported,
                    "A checkpoint of TensorFlow does not record the classes of layers, of which "
                    "the names in a file of Keras consist")
            .inFile(source->path().string())
            .withHint("Save the same model with its built optimizer, trained or not, with "
                      "model.save_weights(), and name that file with --like");
    }
    return fail(ErrorCode::Unsupported,
                "Nothing relates the names of this checkpoint to the objects of the trainer")
        .inFile(source->path().string())
        .butFound(verbatim(std::string(source->format())))
        .expecting("a checkpoint of TensorFlow or Keras")
        .withHint(sentence("`cairn-cli consolidate --to %1` writes the weights, with --rename "
                           "under the trainer's names",
                           trainer.format));
}

} // namespace cairn
