// SPDX-License-Identifier: Apache-2.0
//
// Each key of the values is a file below the checkpoint's root, without its ending. Sources:
// deepspeed 0.19, checkpoint/ds_to_universal.py, checkpoint/universal_checkpoint.py
// (load_hp_checkpoint_state), runtime/base_optimizer.py, runtime/zero/stage3.py, runtime/engine.py
// (_load_checkpoint).
#include "core/base/counted.h"
#include "core/jobs/training/state_folder.h"
#include "core/jobs/training/tree_parts.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cairn::trainer_tree {
namespace {

constexpr std::string_view kDeepSpeedVersion = "0.19.8";    // whose files these are
constexpr std::string_view kSkippedSteps = "skipped_steps"; // which the engine requires
constexpr std::string_view kGlobalSamples = "global_samples";

class Universal {
public:
    Universal(const TreeRequest& request, std::vector<TrainingLoss>& losses)
        : m_request(request), m_state(request.state), m_optimizer(m_state.optimizers.front()),
          m_names(request.names.front()), m_losses(losses) {
        for (const ModelTensor& each : m_state.model) {
            m_tensors.emplace(each.name, each.tensor);
        }
    }

    Result<Value> run() {
        CAIRN_CHECK(checkOptimizer());
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            CAIRN_CHECK(addParameter(m_optimizer.parameters[i], m_names[i]));
        }
        addOptimizer();
        addModel();
        nameLosses();
        m_files.push_back({Value("latest_universal"), Value(m_tag)});
        return Value::dict(std::move(m_files));
    }

private:
    [[nodiscard]] Error refuse(Sentence what, Sentence found) const {
        return fail(ErrorCode::Unsupported, std::move(what))
            .inField(m_optimizer.place)
            .butFound(std::move(found))
            .withHint("Use --for torch or fsdp2");
    }

    /// DeepSpeed joins the parameters of a group into one, with one step and the same states.
    Result<void> checkOptimizer() {
        if (m_state.optimizers.size() > 1) {
            return refuse("DeepSpeed has one optimizer",
                          counting(m_state.optimizers.size(), "optimizer"));
        }
        if (m_state.schedulers.size() > 1) {
            return refuse("DeepSpeed has one scheduler",
                          counting(m_state.schedulers.size(), "scheduler"));
        }
        if (!m_state.position.position.step) {
            return fail(ErrorCode::MissingState,
                        "DeepSpeed continues at a step, and the checkpoint records none")
                .withHint("Use --for torch or fsdp2");
        }
        m_tag = "global_step" + std::to_string(*m_state.position.position.step) + "_universal";
        const auto without = m_optimizer.withoutState();
        if (!without.empty() && !m_optimizer.needsNone()) {
            return refuse("DeepSpeed needs the moments of all parameters of a group",
                          sentence("%1 parameters without: %2", without.size(),
                                   verbatim(OptimizerState::labelOf(*without.front()))));
        }
        std::map<std::size_t, std::set<std::string>> keys;
        for (const OptimizerParameter& parameter : m_optimizer.parameters) {
            std::string text;
            for (const ValueItem& item : parameter.state.items()) {
                text += (text.empty() ? "" : ", ") + keyText(item.key);
            }
            keys[parameter.group].insert(text);
        }
        for (const auto& [group, texts] : keys) {
            if (texts.size() > 1) {
                return refuse(
                    "DeepSpeed needs the same states for all parameters of a group",
                    sentence("group %1: %2, and also %3", group, *texts.begin(), *texts.rbegin()));
            }
        }
        if (m_request.unequalSteps) {
            return refuse("DeepSpeed has one step for all parameters of a group",
                          "moments of different steps");
        }
        return {};
    }

    Result<void> addParameter(const OptimizerParameter& parameter, const std::string& name) {
        const TensorIndex tensor = m_tensors.at(name);
        const TensorEntry& entry = m_request.source.tensor(tensor);
        if (entry.dtype != Dtype::Float32) {
            return fail(ErrorCode::MissingState,
                        "DeepSpeed keeps parameters in fp32, and the checkpoint has no fp32 master "
                        "of this one")
                .inTensor(name)
                .butFound(verbatim(std::string(dtypeName(entry.dtype))))
                .withHint("`consolidate --dtype fp32` writes the weights alone, widened");
        }
        if (name.find('/') != std::string::npos || name == "." || name == "..") {
            return fail(ErrorCode::NameNotRepresentable,
                        "DeepSpeed names a folder after this parameter")
                .inTensor(name);
        }
        m_written.insert(name);
        const std::string folder = m_tag + "/zero/" + name + "/";
        addTensor(folder + "fp32", tensor);
        for (const ValueItem& item : parameter.state.items()) {
            const std::string key = keyText(item.key);
            const TensorIndex* moment = item.value.asTensor();
            if (key == "step") {
                m_step = item.value;
                m_files.push_back({Value(folder + key), item.value});
            } else if (moment != nullptr && m_request.source.tensor(*moment).shape == entry.shape) {
                addTensor(folder + key, *moment);
            } else {
                return refuse("DeepSpeed keeps states of the parameter's shape",
                              sentence("%1 of %2", key, name));
            }
        }
        return {};
    }

    void addTensor(const std::string& file, TensorIndex tensor) {
        m_files.push_back({Value(file), Value::dict({{Value("param"), Value(tensor)},
                                                     {Value("cat_dim"), Value(std::int64_t{0})}})});
    }

    [[nodiscard]] std::vector<Value> groups() const {
        std::vector<Value> groups;
        for (const Value& group : m_optimizer.groups) {
            std::vector<ValueItem> items;
            std::ranges::copy_if(group.items(), std::back_inserter(items), [](const auto& item) {
                const std::string key = keyText(item.key);
                return key != "params" && key != "param_names";
            });
            groups.push_back(Value::dict(std::move(items)));
        }
        return groups;
    }

    /// Settings for ZeRO 1 and 2 at the root, those for ZeRO 3 in the optimizer's state dict.
    void addOptimizer() {
        const std::vector<Value> all = groups();
        std::vector<ValueItem> states;
        if (m_step.kind() != ValueKind::Null) {
            states.push_back({Value(std::int64_t{0}), Value::dict({{Value("step"), m_step}})});
        }
        m_files.push_back(
            {Value(m_tag + "/zero/optimizer_state"),
             Value::dict({{Value("ds_version"), Value(kDeepSpeedVersion)},
                          {Value("param_groups"), Value::list(all)},
                          {Value("optimizer_state_dict"),
                           Value::dict({{Value("state"), Value::dict(std::move(states))},
                                        {Value("param_groups"), Value::list(all)}})}})});
    }

    [[nodiscard]] Value shapeValue(TensorIndex tensor) const {
        ValueNode node{ValueKind::Tuple, {}, {}};
        for (const std::int64_t size : m_request.source.tensor(tensor).shape) {
            node.items.push_back({{}, Value(size)});
        }
        return Value::container(std::move(node));
    }

    /// Buffers, frozen parameters and further names; the others are in their own files.
    void addModel() {
        std::vector<std::vector<ValueItem>> shapes(m_optimizer.groups.size());
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            shapes[m_optimizer.parameters[i].group].push_back(
                {Value(m_names[i]), shapeValue(m_tensors.at(m_names[i]))});
        }
        std::vector<Value> lists;
        for (std::vector<ValueItem>& each : shapes) {
            lists.push_back(Value::dict(std::move(each)));
        }
        std::map<TensorIndex, std::string> stored;
        for (const std::string& name : m_written) {
            const TensorIndex tensor = m_tensors.at(name);
            stored.emplace(m_request.source.tensor(tensor).aliasOf.value_or(tensor), name);
        }
        std::vector<ValueItem> module;
        std::vector<ValueItem> shared;
        std::vector<ValueItem> frozen;
        std::vector<Value> buffers;
        for (const ModelTensor& each : m_state.model) {
            const TensorEntry& entry = m_request.source.tensor(each.tensor);
            const auto same = stored.find(entry.aliasOf.value_or(each.tensor));
            if (m_written.contains(each.name)) {
                continue;
            }
            if (same != stored.end()) {
                shared.push_back({Value(each.name), Value(same->second)});
                continue;
            }
            module.push_back({Value(each.name), Value(each.tensor)});
            if (entry.role == Role::Buffer) {
                buffers.emplace_back(each.name);
            } else {
                frozen.push_back({Value(each.name), shapeValue(each.tensor)});
            }
        }
        m_unread = module.size();
        const std::int64_t step = *m_state.position.position.step;
        const Value* skipped = countAt(kSkippedSteps);
        std::vector<ValueItem> items{
            {Value("module"), Value::dict(std::move(module))},
            {Value("buffer_names"), Value::list(std::move(buffers))},
            {Value("param_shapes"), Value::list(std::move(lists))},
            {Value("frozen_param_shapes"), Value::dict(std::move(frozen))},
            {Value("shared_params"), Value::dict(std::move(shared))},
            {Value("lr_scheduler"),
             m_state.schedulers.empty() ? Value() : m_state.schedulers.front().value},
            {Value("global_steps"), Value(step)},
            {Value(kSkippedSteps), skipped != nullptr ? *skipped : Value(std::int64_t{0})},
            {Value("dp_world_size"), Value(std::int64_t{1})},
            {Value("mp_world_size"), Value(std::int64_t{1})},
            {Value("ds_version"), Value(kDeepSpeedVersion)},
            {Value("universal_checkpoint_info"),
             Value::dict({{Value("universal_checkpoint_version"), Value(0.2)}})}};
        if (const Value* samples = countAt(kGlobalSamples)) { // else from the batch size
            items.push_back({Value(kGlobalSamples), *samples});
        }
        if (const auto epoch = m_state.position.position.epoch) {
            items.push_back({Value("epoch"), epochValue(*epoch)}); // client state
        }
        m_files.push_back(
            {Value(m_tag + "/mp_rank_00_model_states"), Value::dict(std::move(items))});
    }

    /// The source's own count; null: it has none.
    [[nodiscard]] const Value* countAt(std::string_view key) const {
        const Value* count = m_request.values.find(key);
        return count != nullptr && count->asInt() != nullptr ? count : nullptr;
    }

    [[nodiscard]] bool isCopied(const StatePart& part) const {
        return (part.place == kSkippedSteps || part.place == kGlobalSamples) &&
               countAt(part.place) != nullptr;
    }

    void nameLosses() {
        if (m_unread > 0) {
            m_losses.push_back(
                {LossId::Unread,
                 counting(m_unread, "buffer or frozen parameter", "buffers and frozen parameters"),
                 "DeepSpeed does not load them from a universal checkpoint: they are in `module` "
                 "of "
                 "mp_rank_00_model_states.pt"});
        }
        if (m_optimizer.groups.size() > 1) {
            m_losses.push_back({LossId::Optimizer, "for ZeRO 3 only: settings of the other groups",
                                "it gives all groups those of the first"});
        }
        addUnplaced(m_losses, m_state, "DeepSpeed has no place for it",
                    [this](const StatePart& part) { return isCopied(part); });
    }

    const TreeRequest& m_request;
    const TrainingState& m_state;
    const OptimizerState& m_optimizer;
    const NamesOfOptimizer& m_names;
    std::vector<TrainingLoss>& m_losses;
    std::map<std::string, TensorIndex, std::less<>> m_tensors; ///< of the model
    std::set<std::string, std::less<>> m_written;              ///< parameters with files
    std::string m_tag;
    Value m_step;
    std::size_t m_unread = 0;
    std::vector<ValueItem> m_files;
};

} // namespace

Result<Value> deepspeedTree(const TreeRequest& request, std::vector<TrainingLoss>& losses) {
    return Universal(request, losses).run();
}

} // namespace cairn::trainer_tree
