// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/keras_source.h"

#include "core/analysis/optimizer_health.h"
#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/object_graph.h"
#include "core/jobs/training/keras_pairs.h"
#include "core/jobs/training/object_source.h"
#include "core/model/memory_tensor.h"
#include "core/model/single_number.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kKerasFormat = "keras";
using formats::tensorflow::kObjectGraphKey;

/// The message in the tensor of the object graph.
Result<std::vector<std::byte>> graphOf(const Checkpoint& checkpoint) {
    const auto index = checkpoint.find(kObjectGraphKey);
    if (!index) {
        return fail(ErrorCode::Unsupported, "The checkpoint has no object graph")
            .inFile(checkpoint.path().string())
            .expecting("a checkpoint of tf.train.Checkpoint");
    }
    CAIRN_TRY(std::vector<std::byte> bytes,
              readStringBytes(checkpoint, checkpoint.tensor(*index), kMaxStringMemory));
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min(bytes.size(), sizeof(std::uint64_t))));
    return bytes;
}

class KerasConversion {
public:
    KerasConversion(const CheckpointPtr& source, CheckpointPtr like, const Trainer& trainer,
                    const JobRequest& request, const CancelToken& cancel)
        : m_source(*source), m_like(std::move(like)), m_request(request), m_cancel(cancel),
          m_isToKeras(trainer.format == kKerasFormat) {
        m_made.training.trainer = trainer.id;
    }

    Result<TrainerSource> run() {
        const Checkpoint& tensorflow = m_isToKeras ? m_source : *m_like;
        const Checkpoint& keras = m_isToKeras ? *m_like : m_source;
        CAIRN_TRY(const std::vector<std::byte> message, graphOf(tensorflow));
        const auto graph = formats::tensorflow::objectsOf(message);
        if (!graph) {
            return fail(ErrorCode::BadEncoding, "The object graph is not a valid message")
                .inFile(tensorflow.path().string());
        }
        CAIRN_TRY(const Value values, keras.values(m_cancel));
        CAIRN_TRY(const KerasPairs pairs, pairKerasVariables(tensorflow, *graph, keras, values));
        CAIRN_CHECK(nameRest(tensorflow, keras, pairs));
        if (m_isToKeras) {
            makeForKeras(pairs, values);
        } else {
            CAIRN_CHECK(makeForTensorflow(pairs, message));
        }
        CAIRN_TRY(const Value names, tensorflow.values(m_cancel));
        m_made.training.step = m_source.data().step;
        m_made.training.groups = pairs.optimizers;
        countMoments(tensorflow, names, m_made.training);
        describe(pairs);
        m_made.values = Value::dict({});
        return std::move(m_made);
    }

private:
    static CheckpointPtr withTensors(CheckpointData data, std::vector<TensorEntry> tensors,
                                     Value values) {
        data.tensors = std::move(tensors);
        data.loadValues = [values = std::move(values)](const CancelToken&) {
            return Result<LoadedValues>(LoadedValues(values));
        };
        return Checkpoint::make(std::move(data));
    }

    /// With the names of layers that the other file records.
    void makeForKeras(const KerasPairs& pairs, const Value& values) {
        std::map<TensorIndex, TensorIndex> byPlace; // in the order of the file
        for (const KerasPairs::Pair& pair : pairs.pairs) {
            byPlace.emplace(pair.place, pair.variable);
        }
        std::vector<TensorEntry> tensors;
        for (const auto& [place, variable] : byPlace) {
            tensors.push_back(m_source.tensor(variable));
            tensors.back().name = m_like->tensor(place).name;
            tensors.back().aliasOf.reset();
        }
        const Value* graph = values.find("object_graph");
        m_made.checkpoint = withTensors(
            m_source.data(), std::move(tensors),
            Value::dict({{Value("object_graph"), graph == nullptr ? Value::dict({}) : *graph}}));
    }

    Result<void> makeForTensorflow(const KerasPairs& pairs, std::span<const std::byte> message) {
        CheckpointData data = m_source.data();
        std::vector<TensorEntry> tensors;
        std::set<std::string, std::less<>> keys;
        for (const KerasPairs::Pair& pair : pairs.pairs) {
            const TensorEntry& wanted = m_like->tensor(pair.variable);
            const TensorEntry& stored = m_source.tensor(pair.place);
            if (!keys.insert(wanted.name).second) {
                continue; // loss scaling stores its inner optimizer twice
            }
            if (stored.dtype == wanted.dtype) {
                tensors.push_back(stored);
                tensors.back().name = wanted.name;
                tensors.back().aliasOf.reset();
                continue;
            }
            CAIRN_TRY(TensorEntry counter, counterOf(data, stored, wanted));
            tensors.push_back(std::move(counter));
        }
        const auto graph = formats::tensorflow::graphWithKeys(message, [&](std::string_view key) {
            return keys.contains(key) ? std::string(key) : std::string();
        });
        std::vector<std::byte> canonical;
        appendStringElement(canonical, asBytes(graph.value_or("")));
        tensors.push_back(memoryTensor(data, std::string(kObjectGraphKey), Dtype::String, {},
                                       std::move(canonical),
                                       std::string(kObjectGraphKey) + " (in memory)"));
        m_made.checkpoint = withTensors(std::move(data), std::move(tensors), Value::dict({}));
        return {};
    }

    /// A count of steps with the bits of the other backend, which restore() asks for.
    Result<TensorEntry> counterOf(CheckpointData& data, const TensorEntry& stored,
                                  const TensorEntry& wanted) const {
        const auto number = singleNumber(m_source, stored);
        constexpr double kMost = 2147483647.0;
        if (!number || *number < 0 || *number > kMost) {
            return fail(ErrorCode::DtypeNotRepresentable,
                        "The count of steps cannot be written with the bits of the other backend")
                .inTensor(stored.name);
        }
        const auto count = static_cast<std::uint64_t>(*number);
        std::vector<std::byte> bytes(sizeof(count));
        storeLittle(std::span(bytes), 0, count);
        bytes.resize(wanted.dtype == Dtype::Int64 ? sizeof(std::uint64_t) : sizeof(std::uint32_t));
        TensorEntry counter = memoryTensor(data, wanted.name, wanted.dtype, {}, std::move(bytes),
                                           wanted.name + " (in memory)");
        counter.role = stored.role;
        return counter;
    }

    void addLoss(TrainingLoss loss) { m_made.training.lost.push_back(std::move(loss)); }

    /// What only one of the two has.
    Result<void> nameRest(const Checkpoint& tensorflow, const Checkpoint& keras,
                          const KerasPairs& pairs) {
        std::vector<std::string> needed;
        std::size_t restarted = 0;
        for (const TensorIndex index : pairs.variables) {
            const TensorEntry& tensor = tensorflow.tensor(index);
            if (startsAgain(tensor.name)) {
                ++restarted;
            } else if (tensor.role == Role::Weight || tensor.role == Role::Buffer ||
                       tensor.role == Role::Optimizer || tensor.role == Role::Ema) {
                needed.push_back(tensor.name);
            } else if (m_isToKeras) {
                addLoss(lossOfVariable(tensor));
            }
        }
        if (!needed.empty()) {
            return fail(ErrorCode::StateWithoutParameter,
                        "The file of Keras has no place for some variables of the program")
                .inFile(keras.path().string())
                .butFound(
                    sentence("%1: %2", counting(needed.size(), "variable"), firstNames(needed)))
                .withHint("Both must be of the same program");
        }
        for (const TensorIndex index : pairs.places) {
            needed.push_back(keras.tensor(index).name);
        }
        if (!needed.empty()) {
            return fail(ErrorCode::StateWithoutParameter,
                        "The checkpoint of TensorFlow has no variable for some places of the file")
                .inFile(tensorflow.path().string())
                .butFound(sentence("%1: %2", counting(needed.size(), "place"), firstNames(needed)))
                .withHint("Both must be of the same program");
        }
        for (const TensorEntry& tensor : m_source.tensors()) {
            if (m_isToKeras && hasStrings(tensor.dtype) && tensor.name != kObjectGraphKey) {
                addLoss({LossId::TrainerState, verbatim(tensor.name),
                         "Keras' files have no place for it"});
            }
        }
        if (restarted > 0) {
            m_made.decisions.push_back(
                {DecisionId::StateTree, sentence("without %1", counting(restarted, "variable")),
                 "Metrics and the number of saves start again: Keras' files do not have them"});
        }
        if (!isAnyLost(LossId::Generators)) {
            addLoss({LossId::Generators, "states of random generators",
                     "Keras' files do not have them: dropout uses new random numbers"});
        }
        return {};
    }

    [[nodiscard]] bool isAnyLost(LossId id) const {
        return std::ranges::any_of(m_made.training.lost,
                                   [&](const TrainingLoss& loss) { return loss.id == id; });
    }

    void describe(const KerasPairs& pairs) {
        m_made.decisions.push_back(
            {DecisionId::StateNames, sentence("names of %1", counting(pairs.pairs.size(), "place")),
             sentence("by the names of layers and optimizers in %1, and by the order in which they "
                      "list their variables",
                      m_like->path().string())});
        m_made.decisions.push_back(
            {DecisionId::StateFor,
             sentence("for %1", m_isToKeras ? Sentence("Keras") : Sentence("TensorFlow")),
             "The program must make the same model and the same optimizers, and build these "
             "before it loads"});
        if (!pairs.undecided.empty()) {
            m_made.problems.push_back(
                {ErrorCode::StateWithoutParameter,
                 m_request.force ? Severity::Warning : Severity::Error,
                 sentence(
                     "No optimizer trains all variables of %1, and it is not recorded which of "
                     "those of one shape can be trained, which decides their order",
                     firstNames(pairs.undecided)),
                 m_request.force ? Sentence("")
                                 : "--force takes the order in which the layer made them",
                 {}});
        }
        addProblemsOf(m_made, m_request);
    }

    const Checkpoint& m_source;
    CheckpointPtr m_like;
    const JobRequest& m_request;
    CancelToken m_cancel;
    bool m_isToKeras;
    TrainerSource m_made;
};

} // namespace

Result<TrainerSource> sourceLike(const CheckpointPtr& source, const Trainer& trainer,
                                 const JobRequest& request, const CancelToken& cancel) {
    CAIRN_TRY(CheckpointPtr like, openCheckpoint(request.like, cancel));
    if (like->format() != trainer.format) {
        return fail(ErrorCode::Unsupported, "--like names a checkpoint in a different format")
            .inFile(like->path().string())
            .butFound(verbatim(std::string(like->format())))
            .expecting(sentence("one that the same program saved for %1", trainer.title));
    }
    return KerasConversion(source, std::move(like), trainer, request, cancel).run();
}

} // namespace cairn
