// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/trainer_source.h"

#include "core/analysis/abilities.h"
#include "core/base/counted.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/training/jax_source.h"
#include "core/jobs/training/megatron_state.h"
#include "core/jobs/training/object_source.h"
#include "core/jobs/training/state_folder.h"
#include "core/jobs/training/trainer_tree.h"
#include "core/jobs/training/tree_placer.h"
#include "core/model/parameter_names.h"
#include "core/model/role_decision.h"
#include "core/model/single_number.h"
#include "core/model/value_path.h"
#include "core/plan/trainers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

/// Megatron-LM's options of its own conversion: training/initialize.py asks for both.
Error staysInMegatron(const Checkpoint& source, const Sentence& why) {
    return fail(ErrorCode::Unsupported, why)
        .inFile(source.path().string())
        .withHint(source.format() == "megatron"
                      ? Sentence("Megatron-LM itself converts it with --ckpt-convert-format "
                                 "torch_dist --ckpt-convert-save FOLDER")
                      : "Copy the folder: Megatron-core loads it at any parallelism");
}

class TrainerConversion {
public:
    /// `config`: that of the model's library, for trainers with names of their own; may be null.
    TrainerConversion(const CheckpointPtr& source, const JobRequest& request,
                      const ModelConfig* config, const CancelToken& cancel)
        : m_base(source), m_source(*source), m_request(request), m_config(config), m_cancel(cancel),
          m_trainer(*findTrainer(request.trainer)) {}

    /// What the source's own form says of the conversion, before the rest.
    void startWith(std::vector<TrainingLoss> losses, std::vector<PlanDecision> decisions) {
        m_losses = std::move(losses);
        m_decisions = std::move(decisions);
    }

    Result<TrainerSource> run() {
        CAIRN_TRY(const Value values, m_source.values(m_cancel));
        CAIRN_TRY(m_state, trainingState(m_source, m_cancel));
        CAIRN_CHECK(checkParts());
        const std::vector<StatePart> objects = takeScalersOfDeepSpeed();
        std::ranges::move(missingState(m_source, m_state), std::back_inserter(m_losses));
        for (const StatePart& scaler : objects) {
            m_losses.push_back({LossId::TrainerState, verbatim(scaler.place),
                                "an object that only DeepSpeed reads"});
        }
        CAIRN_CHECK(nameParameters());
        compareSteps();
        nameShortSchedules();
        if (m_trainer.hasNames) {
            return placeForMegatron();
        }
        const Value* model =
            m_state.modelPlace.empty() ? nullptr : valueAt(values, m_state.modelPlace);
        CAIRN_TRY(const Value tree, trainerTree({m_source, m_trainer, m_state, values, model,
                                                 m_names, m_request.force, m_unequalSteps},
                                                m_losses));
        TreePlacer placer(m_source, {.filesApart = m_trainer.id == "deepspeed",
                                     .stepsApart = true,
                                     .bareKey = kWeightsStem});
        TrainerSource made;
        CAIRN_TRY(made.checkpoint, placer.place(tree));
        made.values = placer.values();
        listLeftOut([&](TensorIndex tensor) { return placer.isPlaced(tensor); });
        finish(made);
        return made;
    }

private:
    Result<TrainerSource> placeForMegatron() {
        CAIRN_TRY(MegatronState state, megatronState({m_base, m_state, m_names, m_config, m_updates,
                                                      m_unequalSteps, m_cancel},
                                                     m_losses));
        TrainerSource made;
        made.checkpoint = std::move(state.checkpoint);
        made.values = std::move(state.values);
        std::ranges::move(state.decisions, std::back_inserter(m_decisions));
        listLeftOut([&](TensorIndex tensor) {
            return state.placed.contains(m_source.tensor(tensor).aliasOf.value_or(tensor));
        });
        finish(made);
        return made;
    }

    void finish(TrainerSource& made) {
        made.training = describe();
        m_decisions.push_back(
            {DecisionId::StateFor,
             sentence("for %1", m_trainer.id == "torch" ? Sentence("a loop of torch")
                                                        : verbatim(std::string(m_trainer.title))),
             "The trainer must make the same model, and optimizers with the same "
             "groups in the same order"});
        made.decisions = std::move(m_decisions);
        made.problems = std::move(m_problems);
        addProblemsOf(made, m_request);
    }

    [[nodiscard]] Result<void> checkParts() const {
        if (m_state.model.empty() || m_state.optimizers.empty()) {
            return fail(ErrorCode::Unsupported,
                        m_state.model.empty()
                            ? Sentence("The checkpoint contains no weights")
                            : "The checkpoint contains no state of a torch optimizer")
                .inFile(m_source.path().string())
                .withHint(m_source.format() == "orbax" || m_source.format() == "flax"
                              ? Sentence("--for orbax and --for flax write states of JAX; "
                                         "`consolidate` writes the weights")
                              : "`cairn-cli info` shows what it can do; `consolidate` writes the "
                                "weights");
        }
        if (std::string second = secondModel(m_source, m_state); !second.empty()) {
            return fail(ErrorCode::Unsupported, "The checkpoint contains several models")
                .inFile(m_source.path().string())
                .inField(std::move(second))
                .withHint("`consolidate PATH#KEY` writes the weights of one");
        }
        if (isFolderOfRanks(m_source)) {
            return staysInMegatron(m_source,
                                   "The optimizers in the folders of Megatron-LM's ranks do not "
                                   "record which parameter each moment is of");
        }
        return {};
    }

    /// Pickled objects of its classes, which are not written.
    std::vector<StatePart> takeScalersOfDeepSpeed() {
        std::vector<StatePart> taken;
        if (m_source.format() == "deepspeed") {
            const auto isObject = [](const StatePart& part) {
                return part.value.kind() == ValueKind::Object;
            };
            std::ranges::copy_if(m_state.scalers, std::back_inserter(taken), isObject);
            std::erase_if(m_state.scalers, isObject);
        }
        return taken;
    }

    void addProblem(ErrorCode code, Severity severity, Sentence message, Sentence fix) {
        m_problems.push_back({code, severity, std::move(message), std::move(fix), {}});
    }

    /// Trainers that list parameters by name need all names; for the others, what the names of a
    /// state dict contradict is refused as well.
    Result<void> nameParameters() {
        for (const OptimizerState& optimizer : m_state.optimizers) {
            const ParameterNames found = parameterNames(m_source, m_state, optimizer);
            const bool hasNames = std::ranges::none_of(optimizer.parameters, &std::string::empty,
                                                       &OptimizerParameter::recorded);
            if (!found.decided && (m_trainer.isNamed || hasNames)) {
                return fail(ErrorCode::StateWithoutParameter,
                            "The states of the optimizer do not match the model's parameters")
                    .inField(optimizer.place)
                    .butFound(found.problem)
                    .withHint(hasNames ? Sentence("")
                                       : "Save an optimizer that was made from "
                                         "named_parameters(), which records the names, or use a "
                                         "trainer with numbers");
            }
            if (m_trainer.isNamed && !found.decided.isAtLeast(Strength::Recorded)) {
                addProblem(ErrorCode::StateWithoutParameter,
                           m_request.force ? Severity::Warning : Severity::Error,
                           sentence("%1: only their order relates the numbers of the parameters to "
                                    "names",
                                    optimizer.place),
                           m_request.force
                               ? Sentence("")
                               : "--force takes the order in which the model lists them; an "
                                 "optimizer made from named_parameters() records the names");
            }
            if (m_trainer.isNamed && found.decided) {
                m_decisions.push_back(
                    {DecisionId::StateNames,
                     sentence("names of %1", counting(found.names.size(), "parameter")),
                     found.decided.because.front().says});
            }
            for (const std::string& name : found.names) {
                if (m_trainer.isNamed && !m_seen.insert(name).second) {
                    return fail(ErrorCode::Unsupported, "Two optimizers list the same parameter")
                        .inField(optimizer.place)
                        .butFound(verbatim(name));
                }
            }
            m_names.push_back(found.names);
            checkCount(optimizer);
        }
        return {};
    }

    void checkCount(const OptimizerState& optimizer) {
        const auto weights = std::ranges::count_if(m_state.model, [&](const ModelTensor& each) {
            return m_source.tensor(each.tensor).role == Role::Weight;
        });
        if (optimizer.parameters.size() > static_cast<std::size_t>(weights)) {
            addProblem(ErrorCode::StateWithoutParameter, Severity::Error,
                       sentence("%1: the groups list %2 parameters, but the model has %3",
                                optimizer.place, optimizer.parameters.size(), weights),
                       "The optimizer and the model are not of one training");
        }
    }

    /// Moments of another step are legal (a parameter that was used later) and named. For
    /// DeepSpeed and Megatron-core, which have one step for all, every step is read.
    void compareSteps() {
        constexpr double kMostStep = 9e15; // NaN is no key of a map
        const bool readsAll = m_trainer.id == "deepspeed" || m_trainer.hasNames;
        std::map<double, std::size_t> counts;
        std::size_t read = 0;
        bool isAnyOdd = false;
        for (const OptimizerState& optimizer : m_state.optimizers) {
            for (const OptimizerParameter& parameter : optimizer.parameters) {
                const Value* step = parameter.state.find("step");
                if (step == nullptr || (++read > kMaxSteps && !readsAll)) {
                    continue;
                }
                auto number = numberOf(*step);
                if (const TensorIndex* tensor = step->asTensor()) {
                    number = singleNumber(m_source, m_source.tensor(*tensor));
                }
                if (number && std::abs(*number) < kMostStep) {
                    ++counts[*number];
                } else {
                    isAnyOdd = true;
                }
            }
        }
        m_unequalSteps = counts.size() > 1 || (isAnyOdd && !counts.empty());
        if (counts.size() == 1) {
            m_updates = counts.begin()->first;
        }
        if (counts.size() > 1) {
            addProblem(ErrorCode::UnequalSteps, Severity::Warning,
                       sentence("The moments are of different steps: %1 to %2",
                                static_cast<std::int64_t>(counts.begin()->first),
                                static_cast<std::int64_t>(counts.rbegin()->first)),
                       "They are written as they are");
        }
    }

    /// torchtitan keeps nothing else of a schedule.
    void nameShortSchedules() {
        for (const StatePart& part : m_state.schedulers) {
            if (m_trainer.id != "torchtitan" && part.value.items().size() == 1 &&
                part.value.find("last_epoch") != nullptr) {
                m_losses.push_back({LossId::Schedule, sentence("%1 but last_epoch", part.place),
                                    "the source keeps no more of its schedule; base_lrs and the "
                                    "count of steps are those of a new one"});
            }
        }
    }

    template <class IsPlaced> void listLeftOut(const IsPlaced& isPlaced) {
        std::map<Role, std::size_t> left;
        for (std::size_t i = 0; i < m_source.tensors().size(); ++i) {
            const bool isCopy = m_source.format() == "deepspeed" && // 16 bits, of an fp32 master
                                m_source.tensors()[i].role == Role::Other;
            const bool isStep = m_source.format() == "deepspeed" && // of a flat group
                                m_source.tensors()[i].name.ends_with(".step");
            if (!isPlaced(TensorIndex(i)) && !isCopy && !isStep) {
                ++left[m_source.tensors()[i].role];
            }
        }
        for (const auto& [role, count] : left) {
            m_losses.push_back(
                {role == Role::Rng ? LossId::Generators : LossId::TrainerState,
                 sentence("%1 of the role %2", counting(count, "tensor"), roleName(role)),
                 "the trainer has no place for them"});
        }
    }

    [[nodiscard]] PlannedTraining describe() const {
        PlannedTraining training;
        training.trainer = m_trainer.id;
        countOptimizers(m_state, training);
        training.step = m_state.position.position.step;
        training.lost = m_losses;
        return training;
    }

    const CheckpointPtr& m_base;
    const Checkpoint& m_source;
    const JobRequest& m_request;
    const ModelConfig* m_config;
    CancelToken m_cancel;
    const Trainer& m_trainer;
    TrainingState m_state;
    std::vector<NamesOfOptimizer> m_names;
    std::set<std::string> m_seen; ///< names in all of them
    bool m_unequalSteps = false;
    std::optional<double> m_updates; ///< the step of all moments
    std::vector<TrainingLoss> m_losses;
    std::vector<PlanDecision> m_decisions;
    std::vector<PlanProblem> m_problems;
};

/// The config in the folder that the user names, else one that is found around the checkpoint.
Result<std::optional<ModelConfig>> configFor(const Checkpoint& source, const JobRequest& request) {
    if (!request.like.path().empty()) {
        CAIRN_TRY(const SidecarSearch found, findSidecars(source, request.like.path()));
        return sidecarFields(found.files, "config.json");
    }
    const auto found = findModelConfig(source);
    return found ? std::optional(found->fields) : std::nullopt;
}

Result<TrainerSource> sourceWithNames(const CheckpointPtr& source, const Trainer& trainer,
                                      const JobRequest& request, const CancelToken& cancel) {
    CAIRN_TRY(const std::optional<ModelConfig> config, configFor(*source, request));
    const ModelConfig* known = config ? &*config : nullptr;
    if (trainer.hasNames && source->framework() == "megatron" && !isFolderOfRanks(*source)) {
        return staysInMegatron(*source, "The checkpoint is already one of Megatron-core's "
                                        "dist_checkpointing");
    }
    if (trainer.hasNames) {
        return TrainerConversion(source, request, known, cancel).run();
    }
    CAIRN_TRY(MegatronLoop loop, loopOfMegatron(source, known, cancel));
    TrainerConversion conversion(loop.checkpoint, request, nullptr, cancel);
    conversion.startWith(std::move(loop.losses), std::move(loop.decisions));
    return conversion.run();
}

} // namespace

void countOptimizers(const TrainingState& state, PlannedTraining& training) {
    for (const OptimizerState& optimizer : state.optimizers) {
        training.parameters += optimizer.parameters.size();
        training.withMoments += optimizer.withState();
        training.groups += // the flat form does not record them
            optimizer.form == StateForm::Flat ? 0 : optimizer.groups.size();
    }
}

void addProblemsOf(TrainerSource& made, const JobRequest& request) {
    for (const TrainingLoss& loss : made.training.lost) {
        // A dict in place of an object would be loaded, and fail later or never.
        const bool changes = loss.id == LossId::Objects && !request.force;
        const bool stops = changes || (request.mustResume && !isExact({loss}));
        made.problems.push_back({ErrorCode::MissingState,
                                 stops ? Severity::Error : Severity::Warning,
                                 sentence("Not restored: %1; %2", loss.what, loss.why),
                                 changes ? Sentence("--force writes it anyway") : Sentence(""),
                                 {}});
    }
}

Result<TrainerSource> sourceForTrainer(const CheckpointPtr& source, const JobRequest& request,
                                       const CancelToken& cancel) {
    if (!request.only.subtree.empty()) {
        return fail(ErrorCode::InvalidArgument, "A training state cannot be written in part")
            .butFound(verbatim(request.only.subtree));
    }
    const Trainer& trainer = *findTrainer(request.trainer);
    const bool isOther = trainer.keepsObjects || isTrainerOfJax(request.trainer);
    const bool isOfMegatron = isStateOfMegatron(*source) ||
                              (source->format() == "dcp" && source->framework() == "megatron");
    if (!isOther && (trainer.hasNames || isOfMegatron)) {
        return sourceWithNames(source, trainer, request, cancel);
    }
    if (trainer.keepsObjects) { // --like relates its objects
        return sourceWithObjects(source, trainer, request, cancel);
    }
    if (!request.like.path().empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "Only names of Megatron-core are converted by a config")
            .inField("--like");
    }
    return isTrainerOfJax(request.trainer)
               ? sourceForJax(source, request, cancel)
               : TrainerConversion(source, request, nullptr, cancel).run();
}

} // namespace cairn
