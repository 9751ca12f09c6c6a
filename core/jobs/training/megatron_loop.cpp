// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/abilities.h"
#include "core/analysis/optimizer_health.h"
#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/families/expected/expected.h"
#include "core/families/names/framework.h"
#include "core/jobs/bundle/tied_heads.h"
#include "core/jobs/training/derived_tensors.h"
#include "core/jobs/training/megatron_groups.h"
#include "core/jobs/training/megatron_names.h"
#include "core/jobs/training/megatron_state.h"
#include "core/model/memory_tensor.h"
#include "core/model/role_decision.h"
#include "core/model/single_number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace cairn {
namespace {

using namespace megatron_names;

constexpr std::string_view kOptimizer = "optimizer.";
constexpr std::string_view kArgs = "args";

class FromMegatron {
public:
    FromMegatron(const CheckpointPtr& source, const ModelConfig* config, const CancelToken& cancel)
        : m_base(source), m_source(*source), m_config(config), m_cancel(cancel),
          m_tensors(*source) {}

    Result<MegatronLoop> run() {
        CAIRN_TRY(m_values, m_source.values(m_cancel));
        CAIRN_CHECK(sortTensors());
        CAIRN_CHECK(findGroups());
        CAIRN_CHECK(findStep());
        CAIRN_CHECK(convertModel());
        CAIRN_CHECK(convertMoments());
        MegatronLoop loop;
        CAIRN_TRY(const Value values, loopValues());
        nameLost();
        m_tensors.data().loadValues = [values](const CancelToken&) {
            return Result<LoadedValues>(LoadedValues(values));
        };
        m_tensors.data().framework = "torch";
        m_tensors.data().step = m_iteration;
        loop.checkpoint = Checkpoint::make(std::move(m_tensors.data()));
        loop.losses = std::move(m_losses);
        loop.decisions = std::move(m_decisions);
        return loop;
    }

private:
    [[nodiscard]] Error refuse(Sentence what, std::string found) const {
        return fail(ErrorCode::Unsupported, std::move(what))
            .inFile(m_source.path().string())
            .butFound(verbatim(std::move(found)));
    }

    [[nodiscard]] Error noMoment(const std::string& name) const {
        return refuse("Only the moments of Adam are converted from Megatron-core", name);
    }

    static bool isStep(std::string_view name) {
        return name.ends_with(".step") || name.ends_with("common_step") ||
               name.starts_with("optimizer.state.step.");
    }

    /// Single numbers of common.pt that are tensors: of a group, or of the scaler of gradients.
    static bool isSetting(std::string_view name) {
        return name.find("param_groups.") != std::string_view::npos ||
               name.find("grad_scaler.") != std::string_view::npos;
    }

    Result<void> sortTensors() {
        for (std::size_t i = 0; i < m_source.tensors().size(); ++i) {
            const TensorEntry& tensor = m_source.tensors()[i];
            const std::string_view name = tensor.name;
            if (name.starts_with(kStatePrefix)) {
                const std::string_view rest = name.substr(kStatePrefix.size());
                const std::size_t dot = std::min(rest.find('.'), rest.size());
                const std::string_view key = rest.substr(0, dot);
                if (isStep(name)) {
                    continue;
                }
                const auto isKey = [&](const auto& keys) {
                    return dot < rest.size() && std::ranges::find(keys, key) != keys.end();
                };
                if (!isKey(kMomentsOfAdam) && !isKey(kMasterKeys)) {
                    return noMoment(tensor.name);
                }
                m_states[std::string(key)].push_back(
                    {TensorIndex(i), std::string(rest.substr(dot + 1))});
            } else if (isModelRole(tensor.role) && !name.starts_with("rng_state")) {
                m_model.push_back({TensorIndex(i), tensor.name});
            } else if (name.starts_with("optimizer.distributed.") || name.starts_with("chained_")) {
                return refuse("Moments in buckets of Megatron-core's distributed optimizer have no "
                              "names of parameters",
                              tensor.name)
                    .withHint("Save again with --dist-ckpt-optim-fully-reshardable");
            } else if (name.starts_with(kOptimizer)) {
                if (!isStep(name) && !isSetting(name)) {
                    return noMoment(tensor.name);
                }
            } else if (tensor.role != Role::Rng && !name.starts_with("rng_state") &&
                       name.find("_extra_state") == std::string_view::npos) {
                m_unread.push_back(tensor.name);
            }
        }
        if (m_model.empty() || !m_states.contains(std::string(kMomentsOfAdam.front()))) {
            return fail(ErrorCode::Unsupported,
                        m_model.empty()
                            ? Sentence("The checkpoint contains no weights")
                            : "The checkpoint contains no moments of Megatron-core's optimizer")
                .inFile(m_source.path().string())
                .withHint("`convert --names hf` converts the weights");
        }
        return {};
    }

    Result<void> findGroups() {
        const Value* groups = groupsOfMegatron(m_values);
        if (groups == nullptr || groups->items().empty()) {
            return fail(ErrorCode::MissingState, "The checkpoint contains no parameter groups")
                .inFile("common.pt")
                .inField("optimizer.param_groups");
        }
        CAIRN_TRY(m_groups, megatron_groups::pairOf(groups->items()));
        const Value* decaysNorms = m_values.findPath({kArgs, "apply_wd_to_qk_layernorm"});
        if (decaysNorms != nullptr && decaysNorms->asBool() != nullptr && *decaysNorms->asBool()) {
            return refuse("The groups of the optimizer are not Megatron-core's usual ones",
                          "args.apply_wd_to_qk_layernorm");
        }
        return {};
    }

    [[nodiscard]] std::optional<double> numberAt(const Value* value) const {
        if (value == nullptr) {
            return std::nullopt;
        }
        const TensorIndex* tensor = value->asTensor();
        return tensor != nullptr ? singleNumber(m_source, m_source.tensor(*tensor))
                                 : numberOf(*value);
    }

    /// That of the moments, and that of the training.
    Result<void> findStep() {
        const Value* state = m_values.findPath({"optimizer", "optimizer", "state"});
        state = state != nullptr ? state : m_values.findPath({"optimizer", "state"});
        std::optional<double> step =
            numberAt(state != nullptr ? state->find("common_step") : nullptr);
        const Value* groups = groupsOfMegatron(m_values);
        for (const ValueItem& group : groups->items()) {
            const auto own = numberAt(group.value.find("step"));
            if (own && step && *own != *step) {
                return refuse("The steps of the optimizer's groups differ",
                              std::to_string(*own) + ", " + std::to_string(*step));
            }
            step = step ? step : own;
        }
        const Value* iteration = m_values.find("iteration");
        if (!step || iteration == nullptr || iteration->asInt() == nullptr) {
            return fail(ErrorCode::MissingState,
                        step ? Sentence("The checkpoint records no iteration")
                             : "The checkpoint records no step of the optimizer")
                .inFile("common.pt");
        }
        m_updates = *step;
        m_iteration = *iteration->asInt();
        return {};
    }

    /// `weights`: for moments, of which frozen parameters have none; null for the weights.
    Result<FrameworkConversion> convert(std::span<const NamedTensor> tensors,
                                        const FrameworkConversion* weights) {
        FrameworkRequest request{m_base, tensors, m_config, {}};
        request.isPartial = weights != nullptr;
        request.weights = weights;
        const auto settings = [&](std::string_view name) -> std::optional<ModelConfig> {
            const Value* found = m_values.find(name);
            return found != nullptr ? std::optional(ModelConfig::of(*found)) : std::nullopt;
        };
        CAIRN_TRY(auto made, convertFramework(request, settings));
        if (!made || made->framework != &megatron()) {
            return refuse("The names are not those of a model of Megatron-core",
                          tensors.empty() ? std::string() : tensors.front().name);
        }
        if (!isTrainedFamily(megatron(), made->family->family)) {
            return refuse("The training state of this model family cannot be converted from "
                          "Megatron-core",
                          std::string(made->family->family));
        }
        return std::move(*made);
    }

    /// The master of a parameter is the truth; its 16-bit copy follows from it.
    Result<void> convertModel() {
        std::map<std::string_view, TensorIndex> masters;
        for (const std::string_view key : kMasterKeys) {
            for (const NamedTensor& each : m_states[std::string(key)]) {
                const auto [known, isNew] = masters.emplace(each.name, each.tensor);
                CAIRN_TRY(const bool isSame,
                          isNew ? Result<bool>(true)
                                : haveSameBytes(m_source, known->second, each.tensor, m_cancel));
                if (!isSame) {
                    return refuse("A parameter has two masters that differ", each.name);
                }
            }
        }
        std::size_t replaced = 0;
        for (NamedTensor& each : m_model) {
            const auto master = masters.find(each.name);
            if (master == masters.end()) {
                continue;
            }
            const TensorEntry& stored = m_source.tensor(master->second);
            if (stored.shape != m_source.tensor(each.tensor).shape) {
                return refuse("The master's shape does not match its parameter", stored.name);
            }
            replaced += m_source.tensor(each.tensor).dtype != stored.dtype ? 1U : 0U;
            each.tensor = master->second;
            masters.erase(master);
        }
        if (!masters.empty()) {
            return fail(ErrorCode::StateWithoutParameter, "A master has no parameter of its name")
                .inTensor(m_source.tensor(masters.begin()->second).name);
        }
        CAIRN_TRY(m_weights, convert(m_model, nullptr));
        const FrameworkConversion& weights = m_weights;
        const std::size_t first = m_tensors.add(
            *weights.made.checkpoint, [](const std::string& name) { return "model." + name; });
        for (const TensorEntry& each : weights.made.checkpoint->tensors()) {
            const std::size_t position = first + m_names.size();
            m_tensors.data().tensors[position].role = Role::Weight;
            m_names.push_back(each.name);
            m_parameters.emplace(each.name, TensorIndex(position));
        }
        CAIRN_CHECK(orderNames(weights));
        if (weights.paddedVocabulary) {
            m_losses.push_back({LossId::TrainerState, "the size of the vocabulary before padding",
                                "the checkpoint does not record it, so that all rows are kept"});
        }
        m_decisions.push_back({DecisionId::NamesFromFramework,
                               sentence("%1 to %2: %3", weights.framework->title,
                                        weights.family->family, counting(m_names.size(), "tensor")),
                               "Projections are split and layers taken apart, moments as their "
                               "parameters; groups are those that Megatron-core makes: biases and "
                               "parameters of one dimension without weight decay"});
        if (replaced > 0) {
            m_decisions.push_back({DecisionId::StateTree,
                                   sentence("%1 as fp32 masters", counting(replaced, "parameter")),
                                   "Their 16-bit copies are rounded from them"});
        }
        return {};
    }

    /// Trainers with numbers take the order of the model's own parameters, which Megatron-core does
    /// not store.
    Result<void> orderNames(const FrameworkConversion& weights) {
        const ModelConfig config = m_config != nullptr ? *m_config : configOfFields(weights.config);
        const auto models = knownModels();
        const auto known = std::ranges::find_if(models, [&](const KnownModel& each) {
            return each.name == weights.family->modelClass && each.type == weights.family->family;
        });
        constexpr std::size_t kMostTensors = 1'000'000;
        if (known == models.end()) {
            return refuse("The order of the model's parameters is unknown",
                          std::string(weights.family->modelClass));
        }
        CAIRN_TRY(const ExpectedTensors expected,
                  ExpectedTensors::of(*known, config, kMostTensors));
        std::vector<std::string> ordered;
        for (std::string& name : expected.inOrder()) {
            if (m_parameters.contains(name)) {
                ordered.push_back(std::move(name));
            }
        }
        if (ordered.size() != m_names.size()) {
            const auto other = std::ranges::find_if(
                m_names, [&](const std::string& name) { return expected.find(name) == nullptr; });
            return refuse("The order of the model's parameters is unknown",
                          other != m_names.end() ? *other : std::string());
        }
        m_names = std::move(ordered);
        return {};
    }

    Result<void> convertMoments() {
        for (const std::string_view key : kMomentsOfAdam) {
            CAIRN_TRY(const FrameworkConversion moments,
                      convert(m_states[std::string(key)], &m_weights));
            const std::size_t first =
                m_tensors.add(*moments.made.checkpoint, [key](const std::string& name) {
                    return "optimizer.state." + name + "." + std::string(key);
                });
            std::size_t position = first;
            for (const TensorEntry& each : moments.made.checkpoint->tensors()) {
                const auto parameter = m_parameters.find(each.name);
                if (parameter == m_parameters.end() ||
                    m_tensors.data().tensors[parameter->second.position()].shape != each.shape) {
                    return fail(ErrorCode::StateWithoutParameter,
                                "A moment has no parameter of its name and shape")
                        .inTensor(each.name);
                }
                m_momentsOf[each.name].push_back({Value(key), Value(TensorIndex(position++))});
            }
        }
        for (const auto& [name, moments] : m_momentsOf) {
            if (moments.size() != kMomentsOfAdam.size()) {
                return fail(ErrorCode::MissingState, "A parameter has one of Adam's two moments")
                    .inTensor(name);
            }
        }
        return {};
    }

    /// A tensor, as Adam of torch keeps it; all parameters have the same.
    TensorIndex addStep() {
        const auto number = static_cast<float>(m_updates);
        std::vector<std::byte> bytes(sizeof(float));
        storeLittle(std::span(bytes), 0, std::bit_cast<std::uint32_t>(number));
        TensorEntry step = memoryTensor(m_tensors.data(), "optimizer.step", Dtype::Float32, {},
                                        std::move(bytes), "step of the optimizer");
        step.role = Role::Optimizer;
        return m_tensors.add(std::move(step));
    }

    /// Megatron-core stores tied embeddings once; loaders that ask for each name need both.
    void addTiedHead(std::vector<ValueItem>& model) {
        const auto embedding = std::ranges::find_if(kEmbeddings, [&](std::string_view name) {
            return m_parameters.contains(std::string(name));
        });
        if (embedding == kEmbeddings.end() || m_parameters.contains(std::string(kHead))) {
            return;
        }
        const TensorIndex tied = m_parameters.at(std::string(*embedding));
        TensorEntry head = m_tensors.data().tensors[tied.position()];
        head.name = "model." + std::string(kHead);
        head.aliasOf = tied;
        model.push_back({Value(kHead), Value(m_tensors.add(std::move(head)))});
        m_decisions.push_back({DecisionId::StateTree, sentence("%1 as %2", kHead, *embedding),
                               "Tied embeddings, which Megatron-core stores once"});
    }

    Result<Value> loopValues() {
        std::vector<ValueItem> model;
        std::vector<ValueItem> states;
        std::vector<Value> plain;
        std::vector<Value> decayed;
        const TensorIndex step = addStep();
        for (const std::string& name : m_names) {
            const TensorIndex tensor = m_parameters.at(name);
            model.push_back({Value(name), Value(tensor)});
            const auto moments = m_momentsOf.find(name);
            if (moments == m_momentsOf.end()) { // frozen: in no group
                continue;
            }
            const Shape& shape = m_tensors.data().tensors[tensor.position()].shape;
            std::vector<ValueItem> state{{Value("step"), Value(step)}};
            state.insert(state.end(), moments->second.begin(), moments->second.end());
            states.push_back({Value(name), Value::dict(std::move(state))});
            const bool decays = m_groups.isOne || megatron_groups::isDecayed(name, shape);
            (decays ? decayed : plain).emplace_back(name);
        }
        std::vector<Value> groups;
        const auto addGroup = [&](const std::vector<ValueItem>& settings,
                                  std::vector<Value>& names) {
            if (!names.empty()) {
                std::vector<ValueItem> items = settings;
                items.push_back({Value("params"), Value::list(std::move(names))});
                groups.push_back(Value::dict(std::move(items)));
            }
        };
        addGroup(m_groups.decayed, decayed);
        addGroup(m_groups.plain, plain);
        addTiedHead(model);
        return Value::dict(
            {{Value("model"), Value::dict(std::move(model))},
             {Value("optimizer"),
              Value::dict({{Value("state"), Value::dict(std::move(states))},
                           {Value("param_groups"), Value::list(std::move(groups))}})},
             {Value("step"), Value(m_iteration)}});
    }

    void nameLost() {
        if (!m_unread.empty()) {
            m_losses.push_back(
                {LossId::TrainerState,
                 sentence("%1: %2", counting(m_unread.size(), "tensor"), firstNames(m_unread)),
                 "only Megatron-core reads it"});
        }
        if (m_momentsOf.size() < m_names.size()) {
            m_losses.push_back({LossId::Moments,
                                sentence("moments of %1 of %2", m_names.size() - m_momentsOf.size(),
                                         counting(m_names.size(), "parameter")),
                                "frozen or not used so far; otherwise their moments are lost"});
        }
        if (m_values.find("opt_param_scheduler") != nullptr) {
            m_losses.push_back({LossId::Schedule, "opt_param_scheduler",
                                "Megatron-core's own schedule; the groups keep the learning rate"});
        }
        if (const Value* samples = m_values.findPath({kArgs, "consumed_train_samples"});
            samples != nullptr && numberOf(*samples).value_or(0) != 0) {
            m_losses.push_back({LossId::Data, sentence("%1 consumed samples", keyText(*samples)),
                                "the position in the data is the trainer's own"});
        }
        for (const std::string_view key : {"grad_scaler", "rerun_state_machine"}) {
            if (m_values.find(key) != nullptr || m_values.findPath({"optimizer", key}) != nullptr) {
                m_losses.push_back({LossId::TrainerState, verbatim(std::string(key)),
                                    "only Megatron-core reads it"});
            }
        }
    }

    const CheckpointPtr& m_base;
    const Checkpoint& m_source;
    const ModelConfig* m_config;
    CancelToken m_cancel;
    DerivedTensors m_tensors;
    Value m_values;
    std::vector<NamedTensor> m_model;
    FrameworkConversion m_weights;
    std::map<std::string, std::vector<NamedTensor>> m_states; ///< by key of the state
    megatron_groups::Pair m_groups;
    double m_updates = 0;
    std::int64_t m_iteration = 0;
    std::vector<std::string> m_names;                ///< of the library, in the stored order
    std::map<std::string, TensorIndex> m_parameters; ///< in m_tensors
    std::map<std::string, std::vector<ValueItem>> m_momentsOf;
    std::vector<std::string> m_unread; ///< tensors of no part that is known
    std::vector<TrainingLoss> m_losses;
    std::vector<PlanDecision> m_decisions;
};

} // namespace

Result<MegatronLoop> loopOfMegatron(const CheckpointPtr& source, const ModelConfig* config,
                                    const CancelToken& cancel) {
    return FromMegatron(source, config, cancel).run();
}

} // namespace cairn
