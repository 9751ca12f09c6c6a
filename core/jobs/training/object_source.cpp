// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/object_source.h"

#include "core/base/counted.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kSlot = "/.OPTIMIZER_SLOT/";

/// The names that the object graph records, by key; empty: there is none.
std::map<std::string, std::string, std::less<>> namesInGraph(const Value& values) {
    std::map<std::string, std::string, std::less<>> names;
    const Value* graph = values.find("object_graph");
    const Value* recorded = graph != nullptr ? graph->find("names") : nullptr;
    if (recorded == nullptr || !recorded->isContainer()) {
        return names;
    }
    for (const ValueItem& item : recorded->items()) {
        if (const std::string* name = item.value.asString()) {
            names.emplace(keyText(item.key), *name);
        }
    }
    return names;
}

std::string withUnderscores(std::string name) {
    std::ranges::replace(name, '/', '_');
    return name;
}

/// Which parameters have moments: by the path of a slot, or, in Keras 3, by the names of the
/// optimizer's variables ("adam/dense_kernel_momentum" of "dense/kernel").
class Moments {
public:
    Moments(const Checkpoint& source, const Value& values) : m_names(namesInGraph(values)) {
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
    std::map<std::string, std::string, std::less<>> m_names;
    std::set<std::string, std::less<>> m_slots;
    std::set<std::string, std::less<>> m_variables; ///< of optimizers
};

TrainingLoss lossOf(const TensorEntry& tensor) {
    const bool isIterator = tensor.name.ends_with("ITERATOR_STATE");
    return {isIterator ? LossId::Data : LossId::TrainerState, verbatim(tensor.name),
            isIterator ? Sentence("the dataset is read from its start")
                       : "its elements have no dtype that can be written"};
}

/// The source without the tensors that have no elements.
CheckpointPtr withoutOpaque(const CheckpointPtr& source, std::vector<TrainingLoss>& losses) {
    const auto isOpaque = [](const TensorEntry& tensor) { return tensor.dtype == Dtype::Opaque; };
    if (std::ranges::none_of(source->tensors(), isOpaque)) {
        return source;
    }
    CheckpointData data = source->data();
    for (const TensorEntry& tensor : data.tensors) {
        if (isOpaque(tensor)) {
            losses.push_back(lossOf(tensor));
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

} // namespace

Result<TrainerSource> sourceWithObjects(const CheckpointPtr& source, const Trainer& trainer,
                                        const JobRequest& request, const CancelToken& cancel) {
    if (source->format() != trainer.format) {
        return fail(ErrorCode::Unsupported,
                    "Nothing relates the names of this checkpoint to the objects of the trainer")
            .inFile(source->path().string())
            .butFound(verbatim(std::string(source->format())))
            .expecting(sentence("a checkpoint of %1", trainer.title))
            .withHint(sentence("`cairn-cli consolidate --to %1` writes the weights, which are "
                               "loaded by their names",
                               trainer.format));
    }
    if (!request.only.subtree.empty()) {
        return fail(ErrorCode::InvalidArgument, "A training state cannot be written in part")
            .butFound(verbatim(request.only.subtree));
    }
    CAIRN_TRY(const Value values, source->values(cancel));
    TrainerSource made;
    made.training.trainer = trainer.id;
    made.training.step = source->data().step;
    const Moments moments(*source, values);
    bool hasOptimizer = false;
    for (const TensorEntry& tensor : source->tensors()) {
        hasOptimizer = hasOptimizer || tensor.role == Role::Optimizer;
        if (tensor.role == Role::Weight) {
            ++made.training.parameters;
            made.training.withMoments += moments.of(tensor.name) ? 1 : 0;
        }
    }
    if (!hasOptimizer) {
        return fail(ErrorCode::Unsupported, "The checkpoint contains no state of an optimizer")
            .inFile(source->path().string())
            .withHint(
                sentence("`cairn-cli consolidate --to %1` writes the weights", trainer.format));
    }
    made.training.groups = 1;
    const std::uint64_t bare = made.training.parameters - made.training.withMoments;
    if (made.training.withMoments > 0 && bare > 0) {
        made.training.lost.push_back({LossId::Moments,
                                      sentence("moments of %1", counting(bare, "parameter")),
                                      "the source has none, as of frozen parameters"});
    }
    made.checkpoint = withoutOpaque(source, made.training.lost);
    made.values = made.checkpoint == source ? values : Value::dict({});
    made.decisions.push_back(
        {DecisionId::StateFor, sentence("for %1", verbatim(std::string(trainer.title))),
         "All variables are written as they are; the program must make the same objects"});
    for (const TrainingLoss& loss : made.training.lost) {
        const bool stops = request.mustResume && !isExact({loss});
        made.problems.push_back({ErrorCode::MissingState,
                                 stops ? Severity::Error : Severity::Warning,
                                 sentence("Not in the output: %1; %2", loss.what, loss.why),
                                 Sentence(""),
                                 {}});
    }
    return made;
}

} // namespace cairn
