// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/megatron_state.h"

#include "core/base/counted.h"
#include "core/families/names/framework.h"
#include "core/jobs/bundle/tied_heads.h"
#include "core/jobs/training/derived_tensors.h"
#include "core/jobs/training/megatron_groups.h"
#include "core/jobs/training/megatron_names.h"
#include "core/jobs/training/tree_parts.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

namespace cairn {
namespace {

using namespace megatron_names;

constexpr std::string_view kReshardable = "fully_reshardable"; ///< whole parameters
/// Modules whose linear layers store a state beside their weights, which is None without fp8;
/// megatron-core's loader asks for it. Source: megatron-core 0.16 tensor_parallel/layers.py
/// (get_extra_state), extensions/transformer_engine.py.
constexpr auto kWithExtraState = std::to_array<std::string_view>(
    {"self_attention.linear_qkv", "self_attention.linear_proj", "self_attention.core_attention",
     "mlp.linear_fc1", "mlp.linear_fc2"});

Value settingValue(const ConfigField& field) {
    return std::visit([](const auto& value) { return Value(value); }, field.value);
}

class ToMegatron {
public:
    ToMegatron(const MegatronRequest& request, std::vector<TrainingLoss>& losses)
        : m_request(request), m_source(*request.source), m_state(request.state), m_losses(losses),
          m_tensors(*request.source) {}

    Result<MegatronState> run() {
        CAIRN_CHECK(checkState());
        CAIRN_CHECK(useConfig());
        CAIRN_CHECK(tieHead());
        CAIRN_CHECK(listMoments());
        CAIRN_CHECK(convertAll());
        CAIRN_TRY(m_settings, megatron_groups::settingsOf(m_source, optimizer(), m_decayed));
        nameLosses();
        MegatronState made;
        std::vector<ValueItem> sharded;
        const auto& tensors = m_tensors.data().tensors;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            sharded.push_back({Value(tensors[i].name), Value(TensorIndex(i))});
        }
        addExtraStates(sharded);
        made.values = Value::dict({{Value(kMegatronCommon), commonValues()},
                                   {Value(kMegatronSharded), Value::dict(std::move(sharded))}});
        m_tensors.data().loadValues = [values = made.values](const CancelToken&) {
            return Result<LoadedValues>(LoadedValues(values));
        };
        made.checkpoint = Checkpoint::make(std::move(m_tensors.data()));
        made.placed = std::move(m_placed);
        made.decisions = std::move(m_decisions);
        return made;
    }

private:
    [[nodiscard]] const OptimizerState& optimizer() const { return m_state.optimizers.front(); }

    [[nodiscard]] Error refuse(Sentence what, Sentence found) const {
        return fail(ErrorCode::Unsupported, std::move(what))
            .inField(optimizer().place)
            .butFound(std::move(found))
            .withHint("Use --for torch or fsdp2");
    }

    Result<void> checkState() const {
        if (m_state.optimizers.size() > 1) {
            return refuse("Megatron-core has one optimizer",
                          counting(m_state.optimizers.size(), "optimizer"));
        }
        if (optimizer().withState() == 0) {
            return refuse("No parameter has moments, which Megatron-core loads for all",
                          optimizer().needsNone() ? Sentence("SGD without momentum")
                                                  : Sentence("no state"));
        }
        if (!m_state.position.position.step) {
            return fail(ErrorCode::MissingState, "Megatron-core continues at an iteration, and the "
                                                 "checkpoint records no step")
                .withHint("Use --for torch or fsdp2");
        }
        if (m_request.unequalSteps || !m_request.updates) {
            return refuse("Megatron-core has one step for the moments of all parameters",
                          m_request.unequalSteps ? Sentence("moments of different steps")
                                                 : "moments without a step");
        }
        return {};
    }

    Result<void> useConfig() {
        if (m_request.config == nullptr) {
            return fail(ErrorCode::NotFound,
                        "No config.json was found, which Megatron-core's names and layout need")
                .inFile(m_source.path().string())
                .withHint("--like FOLDER takes the config from the folder of the model");
        }
        m_config = *m_request.config;
        return {};
    }

    [[nodiscard]] TensorIndex storedOf(TensorIndex tensor) const {
        return m_source.tensor(tensor).aliasOf.value_or(tensor);
    }

    /// Megatron-core stores tied embeddings once.
    Result<void> tieHead() {
        const ModelTensor* head = nullptr;
        const ModelTensor* embedding = nullptr;
        for (const ModelTensor& each : m_state.model) {
            head = each.name == kHead ? &each : head;
            const bool isFirst = std::ranges::find(kEmbeddings, each.name) != kEmbeddings.end();
            embedding = isFirst ? &each : embedding;
        }
        constexpr std::string_view kTie = "tie_word_embeddings";
        const bool isBoth = head != nullptr && embedding != nullptr;
        bool isSame = isBoth && storedOf(head->tensor) == storedOf(embedding->tensor);
        const bool ties =
            m_config.integer(kTie).value_or(m_config.text("model_type") == "gpt2" ? 1 : 0) != 0;
        if (isBoth && ties && !isSame) { // a distributed checkpoint stores both
            CAIRN_TRY(isSame,
                      haveSameBytes(m_source, head->tensor, embedding->tensor, m_request.cancel));
        }
        if (head != nullptr && ties && !isSame) {
            return fail(ErrorCode::Unsupported,
                        "The config ties the head to the embeddings, but they differ")
                .inTensor(std::string(kHead))
                .withHint("--like FOLDER takes another config");
        }
        if (head == nullptr && embedding != nullptr && !ties) {
            return fail(ErrorCode::MissingState,
                        "The checkpoint contains no head, and the config does not tie it to the "
                        "embeddings")
                .inTensor(std::string(kHead))
                .withHint("--like FOLDER takes another config");
        }
        m_dropsHead = isSame;
        m_embedding = isSame ? embedding->name : std::string();
        m_config.set(kTie, std::int64_t{head == nullptr || isSame});
        return {};
    }

    Result<void> listMoments() {
        std::map<std::string_view, TensorIndex> model;
        for (const ModelTensor& each : m_state.model) {
            model.emplace(each.name, each.tensor);
            m_placed.insert(storedOf(each.tensor));
        }
        const NamesOfOptimizer& names = m_request.names.front();
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const OptimizerParameter& parameter = optimizer().parameters[i];
            const std::string& name = m_dropsHead && names[i] == kHead ? m_embedding : names[i];
            const TensorIndex tensor = model.at(name);
            const Shape& shape = m_source.tensor(tensor).shape;
            m_listed.insert(storedOf(tensor));
            m_decayed.push_back(megatron_groups::isDecayed(name, shape));
            if (!parameter.state.isContainer()) {
                continue;
            }
            if (!seen.insert(name).second) {
                return refuse("The head and the embeddings are one tensor with moments of both",
                              verbatim(name));
            }
            std::size_t found = 0;
            for (const ValueItem& item : parameter.state.items()) {
                const std::string key = keyText(item.key);
                const TensorIndex* moment = item.value.asTensor();
                if (moment != nullptr) {
                    m_placed.insert(storedOf(*moment));
                }
                if (key == "step") {
                    continue;
                }
                const auto known = std::ranges::find(kMomentsOfAdam, key);
                if (known == kMomentsOfAdam.end() || moment == nullptr ||
                    m_source.tensor(*moment).shape != shape) {
                    return refuse("Only the moments of Adam are converted to Megatron-core",
                                  sentence("%1 of %2", key, name));
                }
                m_moments[*known].push_back({*moment, name});
                ++found;
            }
            if (found != kMomentsOfAdam.size()) {
                return refuse("Adam has two moments for each parameter",
                              sentence("%1 of %2", found, name));
            }
            m_withMoments.push_back({tensor, name});
        }
        return {};
    }

    /// Masks and positions, which older versions of transformers stored beside the parameters.
    [[nodiscard]] bool isComputed(const ModelTensor& each) const {
        constexpr auto kEnds = std::to_array<std::string_view>(
            {".attn.bias", ".attn.masked_bias", ".rotary_emb.inv_freq"});
        return m_source.tensor(each.tensor).role == Role::Buffer ||
               std::ranges::any_of(kEnds,
                                   [&](std::string_view end) { return each.name.ends_with(end); });
    }

    [[nodiscard]] Result<FrameworkConversion> convert(std::vector<NamedTensor> tensors,
                                                      bool isPartial) const {
        if (m_dropsHead) {
            std::erase_if(tensors, [](const NamedTensor& each) { return each.name == kHead; });
        }
        FrameworkRequest request{m_request.source, tensors, &m_config, {}};
        request.isPartial = isPartial;
        return convertToStored(request, megatron());
    }

    Result<void> convertAll() {
        std::vector<NamedTensor> model;
        std::size_t buffers = 0;
        for (const ModelTensor& each : m_state.model) {
            if (isComputed(each)) {
                ++buffers;
            } else {
                model.push_back({each.tensor, each.name});
            }
        }
        if (buffers > 0) {
            m_decisions.push_back({DecisionId::StateTree,
                                   sentence("without %1", counting(buffers, "buffer")),
                                   "Megatron-core computes masks and positions itself"});
        }
        CAIRN_TRY(const FrameworkConversion weights, convert(std::move(model), false));
        const std::size_t first =
            m_tensors.add(*weights.made.checkpoint, [](const std::string& name) { return name; });
        const std::size_t count = weights.made.checkpoint->tensors().size();
        m_decisions.push_back({DecisionId::NamesFromFramework,
                               sentence("%1 to %2: %3", weights.family->family,
                                        weights.framework->title, counting(count, "tensor")),
                               "Projections are fused and layers stacked as Megatron-core stores "
                               "them, moments as their parameters"});
        for (const std::string_view key : kMomentsOfAdam) {
            CAIRN_TRY(const FrameworkConversion moments, convert(m_moments[key], true));
            m_tensors.add(*moments.made.checkpoint, [key](const std::string& name) {
                return std::string(kStatePrefix) + std::string(key) + "." + name;
            });
        }
        // Masters are the parameters: the same bytes under a second name.
        CAIRN_TRY(const FrameworkConversion trained, convert(m_withMoments, true));
        std::map<std::string, std::size_t> positions;
        for (std::size_t i = first; i < first + count; ++i) {
            positions.emplace(m_tensors.data().tensors[i].name, i);
        }
        for (const TensorEntry& each : trained.made.checkpoint->tensors()) {
            const auto at = positions.find(each.name);
            if (at == positions.end() || m_tensors.data().tensors[at->second].shape != each.shape) {
                return fail(ErrorCode::StateWithoutParameter,
                            "Only a part of the layers' parameters has moments")
                    .inTensor(each.name);
            }
            const std::size_t position = at->second;
            for (const std::string_view key : kMasterKeys) {
                TensorEntry master = m_tensors.data().tensors[position];
                master.name = std::string(kStatePrefix) + std::string(key) + "." + each.name;
                master.role = Role::Optimizer;
                master.aliasOf = TensorIndex(position);
                m_tensors.add(std::move(master));
            }
        }
        return {};
    }

    /// An object for each layer, as ShardedObject of megatron-core names and stores it.
    void addExtraStates(std::vector<ValueItem>& sharded) const {
        const auto args = settingsOf(megatron(), m_config);
        const auto found = std::ranges::find(args, "num_layers", &ConfigField::name);
        const auto* layers =
            found != args.end() ? std::get_if<std::int64_t>(&found->value) : nullptr;
        for (std::int64_t i = 0; layers != nullptr && i < *layers; ++i) {
            for (const std::string_view module : kWithExtraState) {
                sharded.push_back(
                    {Value("decoder.layers." + std::string(module) + "._extra_state/shard_" +
                           std::to_string(i) + "_" + std::to_string(*layers)),
                     Value::list({Value()})});
            }
        }
    }

    void nameLosses() {
        std::ranges::copy(m_settings.losses, std::back_inserter(m_losses));
        if (m_settings.notDecayed > 0) {
            m_losses.push_back(
                {LossId::Optimizer,
                 sentence("the weight decay of %1",
                          counting(m_settings.notDecayed, "bias or vector", "biases and vectors")),
                 "Megatron-core does not decay parameters of one dimension"});
        }
        const auto frozen = std::ranges::count_if(m_state.model, [&](const ModelTensor& each) {
            return m_source.tensor(each.tensor).role == Role::Weight && !isComputed(each) &&
                   !(m_dropsHead && each.name == kHead) &&
                   !m_listed.contains(storedOf(each.tensor));
        });
        if (frozen > 0) {
            m_losses.push_back({LossId::Moments,
                                sentence("moments of %1 that the optimizer does not list",
                                         counting(static_cast<std::uint64_t>(frozen), "parameter")),
                                "Megatron-core asks for them unless they are frozen there, too"});
        }
        for (const StatePart& part : m_state.schedulers) {
            m_losses.push_back({LossId::Schedule, verbatim(part.place),
                                "Megatron-core's own schedule counts samples: the current learning "
                                "rate is kept, --override-opt_param-scheduler takes the run's"});
        }
        m_losses.push_back({LossId::Data, "consumed samples",
                            "the data is read from the start: the checkpoint does not record how "
                            "many samples a step has"});
        trainer_tree::addUnplaced(m_losses, m_state, "Megatron-core has no place for it");
    }

    /// An argparse.Namespace, as Megatron-LM stores it.
    [[nodiscard]] Value args() const {
        std::vector<ValueItem> items;
        for (const ConfigField& field : settingsOf(megatron(), m_config)) {
            items.push_back({Value(field.name), settingValue(field)});
        }
        const auto add = [&](std::string_view key, Value value) {
            items.push_back({Value(key), std::move(value)});
        };
        for (const std::string_view one :
             {"tensor_model_parallel_size", "pipeline_model_parallel_size",
              "expert_model_parallel_size", "context_parallel_size", "world_size",
              "data_parallel_size"}) {
            add(one, Value(std::int64_t{1}));
        }
        add("virtual_pipeline_model_parallel_size", Value());
        add("iteration", Value(*m_state.position.position.step));
        add("consumed_train_samples", Value(std::int64_t{0}));
        add("skipped_train_samples", Value(std::int64_t{0}));
        add("consumed_valid_samples", Value(std::int64_t{0}));
        add("data_parallel_random_init", Value(false));
        add("no_save_rng", Value(true)); // so that its loader does not ask for random numbers
        add("ckpt_format", Value("torch_dist"));
        return Value::object("argparse.Namespace", std::move(items));
    }

    /// A constant learning rate, which the groups have.
    [[nodiscard]] Value schedule() const {
        const std::int64_t step = *m_state.position.position.step;
        std::vector<ValueItem> items;
        const auto add = [&](std::string_view key, Value value) {
            items.push_back({Value(key), std::move(value)});
        };
        add("max_lr", Value(m_settings.lr));
        add("lr_warmup_steps", Value(std::int64_t{0}));
        add("num_steps", Value(step));
        add("lr_decay_style", Value("constant"));
        add("lr_decay_steps", Value(std::max<std::int64_t>(step, 1)));
        add("min_lr", Value(0.0));
        add("start_wd", Value(m_settings.decay));
        add("end_wd", Value(m_settings.decay));
        add("wd_incr_style", Value("constant"));
        add("wd_incr_steps", Value(step));
        return Value::dict(std::move(items));
    }

    /// For all three optimizers of Megatron-core: the FP32 one reads `state` and `param_groups`,
    /// that of mixed precision and the distributed one the same in `optimizer`.
    [[nodiscard]] Value optimizerValues() const {
        const auto updates = static_cast<std::int64_t>(*m_request.updates);
        const auto inner = [&] { // dicts of its own each time: the loader adds to them
            return std::vector<ValueItem>{
                {Value("state"), Value::dict({{Value("common_step"), Value(updates)}})},
                {Value("param_groups"),
                 megatron_groups::groupsFor(m_settings, updates, m_decayed)}};
        };
        std::vector<ValueItem> items = inner();
        items.push_back({Value("optimizer"), Value::dict(inner())});
        items.push_back({Value("param_state_sharding_type"), Value(kReshardable)});
        return Value::dict(std::move(items));
    }

    [[nodiscard]] Value commonValues() const {
        return Value::dict(
            {{Value("args"), args()},
             {Value("checkpoint_version"), Value(3.0)},
             {Value("iteration"), Value(*m_state.position.position.step)},
             {Value("optimizer"), optimizerValues()},
             {Value("opt_param_scheduler"), schedule()},
             {Value("num_floating_point_operations_so_far"), Value(std::int64_t{0})},
             {Value("content_metadata"),
              Value::dict({{Value("distrib_optim_sharding_type"), Value(kReshardable)},
                           {Value("singleton_local_shards"), Value(false)},
                           {Value("chained_optim_avoid_prefix"), Value(true)}})}});
    }

    const MegatronRequest& m_request;
    const Checkpoint& m_source;
    const TrainingState& m_state;
    std::vector<TrainingLoss>& m_losses;
    DerivedTensors m_tensors;
    ModelConfig m_config;
    bool m_dropsHead = false;
    std::string m_embedding;                                        ///< that stands for the head
    std::map<std::string_view, std::vector<NamedTensor>> m_moments; ///< by key
    std::vector<NamedTensor> m_withMoments;                         ///< parameters
    std::vector<bool> m_decayed;                                    ///< by parameter
    megatron_groups::Settings m_settings;
    std::set<TensorIndex> m_listed; ///< parameters of the optimizer
    std::set<TensorIndex> m_placed;
    std::vector<PlanDecision> m_decisions;
};

} // namespace

std::string folderOfIteration(std::int64_t iteration) {
    constexpr std::size_t kDigits = 7;
    const std::string number = std::to_string(iteration);
    return "iter_" + std::string(kDigits - std::min(kDigits, number.size()), '0') + number;
}

Result<MegatronState> megatronState(const MegatronRequest& request,
                                    std::vector<TrainingLoss>& losses) {
    return ToMegatron(request, losses).run();
}

} // namespace cairn
