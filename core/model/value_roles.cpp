// SPDX-License-Identifier: Apache-2.0
#include "core/model/value_roles.h"

#include "core/model/names/role_words.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cairn {
namespace {

bool isGenerator(const Value& value) {
    const ValueNode* node = value.asNode();
    return node != nullptr && node->kind == ValueKind::Object &&
           (node->className == "torch.Generator" || node->className == "torch._C.Generator");
}

/// numpy.random.get_state(): ("MT19937", words, position, …).
bool isNumpyGenerator(const Value& value) {
    const ValueNode* node = value.asNode();
    if (node == nullptr || node->kind != ValueKind::Tuple || node->items.empty()) {
        return false;
    }
    const std::string* algorithm = node->items.front().value.asString();
    return algorithm != nullptr && *algorithm == "MT19937";
}

/// The result of torch.get_rng_state(): the complete state of the CPU generator.
bool isTorchGenerator(const TensorEntry& tensor) {
    constexpr std::int64_t kStateBytes = 5056;
    return tensor.dtype == Dtype::Uint8 && tensor.shape.size() == 1 &&
           tensor.shape[0] == kStateBytes;
}

/// optax stores its state in named tuples of its own: ScaleByAdamState, TraceState, MaskedState.
bool isOptaxState(const Value& value) {
    const ValueNode* node = value.asNode();
    return node != nullptr && node->kind == ValueKind::Object &&
           node->className.starts_with("optax.") && node->className.ends_with("State");
}

/// A plain dict, not a flattened module with its class.
bool isPlainDict(const Value& value) {
    const ValueNode* node = value.asNode();
    return node != nullptr && node->kind == ValueKind::Dict &&
           (node->className.empty() || node->className.starts_with("collections."));
}

/// torch_ema and diffusers number the averaged parameters.
bool isNumberedAverage(const Value& value) {
    return isPlainDict(value) && value.find("shadow_params") != nullptr &&
           value.find("decay") != nullptr;
}

/// Recognises an optimizer's state dict. Examines each list of groups and each group once, however
/// many dicts share them.
class OptimizerDetector {
public:
    bool isState(const Value& value) {
        const Value* state = value.find("state");
        const Value* groups = value.find("param_groups");
        return state != nullptr && groups != nullptr &&
               (state->kind() == ValueKind::Dict || state->kind() == ValueKind::Object) &&
               areGroups(*groups);
    }

private:
    /// There must be at least one group.
    bool areGroups(const Value& groups) {
        const bool isList = groups.kind() == ValueKind::List || groups.kind() == ValueKind::Tuple;
        return isList && !groups.items().empty() && remembered(groups, [&] {
                   return std::ranges::all_of(groups.items(), [&](const ValueItem& group) {
                       return isGroup(group.value);
                   });
               });
    }

    bool isGroup(const Value& group) {
        return group.kind() == ValueKind::Dict &&
               remembered(group, [&] { return group.find("params") != nullptr; });
    }

    template <class Decide> bool remembered(const Value& value, const Decide& decide) {
        const auto known = m_known.find(value.identity());
        if (known != m_known.end()) {
            return known->second;
        }
        const bool is = decide();
        m_known.emplace(value.identity(), is);
        return is;
    }

    std::unordered_map<const void*, bool> m_known; ///< by the identity of the container
};

/// Limit on averages, because each is compared with all models.
constexpr std::size_t kMaxAverages = 64;

class Refiner {
public:
    explicit Refiner(std::span<TensorEntry> tensors) : m_tensors(tensors) {}

    void run(const Value& root) {
        findOptimizers(root);
        const ValueNode* node = root.asNode();
        if (!isPlainDict(root) && (node == nullptr || node->kind != ValueKind::Object)) {
            return;
        }
        const PartsBelow below = [this](const RolePart& part) {
            return partsBelow(*m_nodes[part.node]);
        };
        decideRoles(partsOf(root), below, m_tensors);
        if (!isPlainDict(root)) {
            return;
        }
        m_seen.clear();
        setCounts(root);
        for (const ValueItem& item : root.items()) {
            setCounts(item.value);
            if (item.key.asString() != nullptr) {
                m_parts.push_back(partOf(item));
            }
        }
        if (std::ranges::none_of(m_parts, &Part::isModel)) { // then it is the model
            std::ranges::for_each(m_parts, [](Part& part) { part.best = false; });
        }
        setAverages();
        setKeptByTraining();
        setTheOnlyModel();
    }

private:
    /// One entry of the outermost dict.
    struct Part {
        const ValueItem* item;
        std::string_view key;
        std::vector<std::size_t> weights; ///< positions of its weights and buffers
        bool average = false;             ///< by its name
        bool best = false;                ///< a copy of the model at its best step, by its name
        bool training = false;
        [[nodiscard]] bool isModel() const {
            return item->value.isContainer() && !weights.empty() && !average && !best && !training;
        }
    };

    /// The keys of a dict or object, with the tensors below each.
    std::vector<RolePart> partsOf(const Value& value) {
        m_seen = {}; // clear() would visit all buckets ever allocated
        std::vector<RolePart> parts;
        for (const ValueItem& item : value.items()) {
            RolePart& part = parts.emplace_back();
            if (const std::string* text = item.key.asString()) {
                part.key = *text;
            }
            part.container = item.value.isContainer();
            part.empty = item.value.kind() == ValueKind::Null;
            part.node = m_nodes.size();
            m_nodes.push_back(&item.value);
            collect(item.value, part.tensors);
        }
        return parts;
    }

    /// Empty for a module, whose keys are its own.
    std::vector<RolePart> partsBelow(const Value& value) {
        return isPlainDict(value) ? partsOf(value) : std::vector<RolePart>();
    }

    void findOptimizers(const Value& value) {
        if (!value.isContainer() || !m_seen.insert(value.identity()).second) {
            return;
        }
        if (m_optimizers.isState(value) || isOptaxState(value)) {
            countTrained(value);
            setAll(value, Role::Optimizer);
            return;
        }
        if (isGenerator(value) || isNumpyGenerator(value)) {
            setAll(value, Role::Rng);
            return;
        }
        if (isNumberedAverage(value)) {
            setAll(value, Role::Ema);
            return;
        }
        for (const ValueItem& item : value.items()) {
            const TensorIndex* one = item.value.asTensor();
            const bool known = one != nullptr && one->position() < m_tensors.size();
            if (known && isTorchGenerator(m_tensors[one->position()])) {
                set({one->position()}, Role::Rng);
            }
            findOptimizers(item.value);
        }
    }

    void countTrained(const Value& optimizer) {
        const Value* groups = optimizer.find("param_groups");
        if (groups == nullptr || !m_counted.insert(groups->identity()).second) {
            return; // shared ones are examined once
        }
        const Value* states = optimizer.find("state");
        const bool isFresh = states == nullptr || states->items().empty();
        for (const ValueItem& group : groups->items()) {
            if (!m_counted.insert(group.value.identity()).second) {
                continue;
            }
            const Value* listed = group.value.find("params");
            if (listed == nullptr || listed->items().empty() ||
                !m_counted.insert(listed->identity()).second) {
                continue;
            }
            const auto& withState = isFresh ? m_noKeys : keysOf(*states);
            m_trained += static_cast<std::size_t>(
                std::ranges::count_if(listed->items(), [&](const ValueItem& parameter) {
                    return isFresh || withState.contains(keyText(parameter.value));
                }));
        }
    }

    /// Shared states are read once.
    const std::unordered_set<std::string>& keysOf(const Value& states) {
        const auto [at, isNew] = m_keys.try_emplace(states.identity());
        if (isNew) {
            for (const ValueItem& each : states.items()) {
                at->second.insert(keyText(each.key));
            }
        }
        return at->second;
    }

    void setAll(const Value& value, Role role) {
        std::vector<std::size_t> below;
        for (const ValueItem& item : value.items()) {
            collect(item.value, below);
        }
        set(below, role);
    }

    void set(const std::vector<std::size_t>& positions, Role role,
             RoleBasis basis = RoleBasis::Structure) {
        for (const std::size_t i : positions) {
            m_tensors[i].role = role;
            m_tensors[i].roleBasis = basis;
        }
    }

    /// Examines no container twice: shared containers have no tensors, because readers give each
    /// name of a tensor a separate entry.
    void collect(const Value& value, std::vector<std::size_t>& out) {
        if (const TensorIndex* index = value.asTensor()) {
            if (index->position() < m_tensors.size()) {
                out.push_back(index->position());
            }
            return;
        }
        if (!value.isContainer() || !m_seen.insert(value.identity()).second) {
            return;
        }
        for (const ValueItem& item : value.items()) {
            collect(item.value, out);
        }
    }

    Part partOf(const ValueItem& item) {
        const std::string_view key = *item.key.asString();
        const bool holds = item.value.isContainer(); // the names in a flat state dict show no role
        const bool average = holds && names::isAverageKey(key);
        Part part{&item,
                  key,
                  {},
                  average,
                  holds && !average && names::isBestKey(key),
                  holds && names::isTrainingKey(key)};
        collect(item.value, part.weights);
        std::erase_if(part.weights, [&](std::size_t i) { return !isModelRole(m_tensors[i].role); });
        return part;
    }

    void setAverages() {
        std::vector<Shapes> models;
        const bool any = std::ranges::any_of(m_parts, [](const Part& part) {
            return (part.average || part.best) && !part.weights.empty();
        });
        for (const Part& part : m_parts) {
            if (any && part.isModel()) {
                models.push_back(shapesOf(part.weights, m_tensors));
            }
        }
        std::size_t averages = 0;
        for (Part& part : m_parts) {
            const bool copies = part.average || part.best;
            if (!copies || part.weights.empty() || ++averages > kMaxAverages) {
                continue;
            }
            const Shapes shapes = shapesOf(part.weights, m_tensors);
            if (std::ranges::any_of(models,
                                    [&](const Shapes& model) { return isCopy(shapes, model); })) {
                set(part.weights, part.average ? Role::Ema : Role::TrainingState);
                part.weights.clear();
            }
        }
        for (Part& part : m_parts) {
            if (part.key == "state_dict" && isPlainDict(part.item->value)) {
                setAverageInside(part);
            }
        }
    }

    /// Tensors of a flat state dict below one first component.
    struct Group {
        std::vector<std::string_view> rests; ///< of the names, parallel to `positions`
        std::vector<std::size_t> positions;
    };

    [[nodiscard]] std::size_t parameters(const Group& group) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            group.positions, [&](std::size_t i) { return m_tensors[i].role == Role::Weight; }));
    }

    /// The name without its first `count` components; empty: it has no more.
    static std::string_view withoutParts(std::string_view name, int count) {
        for (; count > 0; --count) {
            const std::size_t dot = name.find('.');
            name = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
        }
        return name;
    }

    /// The same, after this many components of the names.
    [[nodiscard]] bool repeats(const Group& average, int own, const Group& model, int other) const {
        std::map<std::string_view, std::size_t> known;
        for (std::size_t k = 0; k < average.rests.size(); ++k) {
            known.emplace(withoutParts(average.rests[k], own), average.positions[k]);
        }
        known.erase(std::string_view());
        std::unordered_set<std::size_t> repeated;
        for (std::size_t k = 0; k < model.rests.size(); ++k) {
            const TensorEntry& tensor = m_tensors[model.positions[k]];
            if (tensor.role != Role::Weight || tensor.shape.empty()) {
                continue;
            }
            const auto at = known.find(withoutParts(model.rests[k], other));
            if (at == known.end() || m_tensors[at->second].shape != tensor.shape ||
                !repeated.insert(at->second).second) {
                return false;
            }
        }
        return !repeated.empty();
    }

    /// Whether the average has a tensor of its own, of the same shape, for each parameter of the
    /// model: under the same name, after up to two components of each.
    [[nodiscard]] bool repeats(const Group& average, const Group& model) const {
        constexpr int kWrappers = 2;
        for (int own = 0; own <= kWrappers; ++own) {
            for (int other = 0; other <= kWrappers; ++other) {
                if (repeats(average, own, model, other)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// `model_ema.` beside `model.`, as diffusion models are trained, and `ema.model.` beside
    /// `model.model.`: averages that are modules of the trainer's module. A module of the model may
    /// have such a name, too: then the optimizer trains it, so that all parameters have a state.
    /// Groups may list more than is trained, and equal numbers of parameters prove nothing.
    /// Averages that store their decay or count their updates may omit what is not trained and use
    /// other names; others repeat a model's. Only a count of updates is more than a name.
    void setAverageInside(Part& part) {
        std::map<std::string_view, Group> groups; // by the first component
        for (const ValueItem& item : part.item->value.items()) {
            const TensorIndex* index = item.value.asTensor();
            const std::string* key = item.key.asString();
            if (index != nullptr && key != nullptr && index->position() < m_tensors.size()) {
                const std::string_view name = *key;
                const std::size_t dot = std::min(name.find('.'), name.size() - 1);
                Group& group = groups[name.substr(0, name.find('.'))];
                group.positions.push_back(index->position());
                group.rests.push_back(name.substr(dot + 1));
            }
        }
        std::map<std::string_view, Shapes> models;
        std::size_t parametersOfAll = 0;
        bool isAnyUpdated = false;
        for (const auto& [name, group] : groups) {
            parametersOfAll += parameters(group);
            if (!names::isAverageKey(name)) {
                models.emplace(name, shapesOf(group.positions, m_tensors));
            } else {
                isAnyUpdated = isAnyUpdated || isUpdated(group.positions);
            }
        }
        if (m_trained > 0 && m_trained == parametersOfAll && !isAnyUpdated) {
            return; // the optimizer trains everything, and no average
        }
        std::size_t averages = 0;
        for (const auto& [name, group] : groups) {
            if (models.contains(name) || ++averages > kMaxAverages) {
                continue;
            }
            const Shapes shapes = shapesOf(group.positions, m_tensors);
            const bool updated = isUpdated(group.positions);
            const Group& average = group; // clang 14 captures no structured binding
            const bool copies = std::ranges::any_of(models, [&](const auto& model) {
                return isCopy(shapes, model.second) &&
                       (updated || repeats(average, groups.at(model.first)));
            });
            if (copies) {
                set(group.positions, Role::Ema,
                    countsUpdates(group.positions) ? RoleBasis::Structure : RoleBasis::Name);
            }
        }
    }

    /// What averages keep beside their tensors.
    [[nodiscard]] bool countsUpdates(const std::vector<std::size_t>& positions) const {
        return hasNumber(positions, ".num_updates") || hasNumber(positions, ".n_averaged");
    }

    [[nodiscard]] bool hasNumber(const std::vector<std::size_t>& positions,
                                 std::string_view end) const {
        return std::ranges::any_of(positions, [&](std::size_t i) {
            return m_tensors[i].shape.empty() && m_tensors[i].name.ends_with(end);
        });
    }

    /// By a count of updates, or a decay.
    [[nodiscard]] bool isUpdated(const std::vector<std::size_t>& positions) const {
        return countsUpdates(positions) || hasNumber(positions, ".decay");
    }

    /// {"val_loss": 0.5, "acc": 0.9} beside the model.
    [[nodiscard]] bool hasMeasures(const Part& part) const {
        return std::ranges::all_of(part.weights, [&](std::size_t i) {
            const std::string_view name = m_tensors[i].name;
            return m_tensors[i].shape.empty() &&
                   names::namesAMeasure(name.substr(name.rfind('.') + 1));
        });
    }

    void setKeptByTraining() {
        if (std::ranges::none_of(m_parts, &Part::isModel)) {
            return;
        }
        for (const Part& part : m_parts) {
            const TensorIndex* one = part.item->value.asTensor();
            const bool kept = one == nullptr
                                  ? part.training || hasMeasures(part)
                                  : !part.weights.empty() &&
                                        isMeasure(part.key, m_tensors[one->position()].shape);
            if (kept) {
                set(part.weights, Role::TrainingState);
            }
        }
    }

    /// {"model": None, "ema": …} or {"ema": …, "step": 3}: the average is the only model that was
    /// saved. Of several, none is.
    void setTheOnlyModel() {
        const bool gone = std::ranges::any_of(m_parts, [](const Part& part) {
            return names::isModelKey(part.key) && part.item->value.kind() == ValueKind::Null;
        });
        const bool isAny = std::ranges::any_of(
            m_tensors, [](const TensorEntry& tensor) { return isModelRole(tensor.role); });
        if ((!gone && isAny) || std::ranges::any_of(m_parts, &Part::isModel)) {
            return;
        }
        std::vector<std::size_t> only;
        for (const Part& part : m_parts) {
            m_seen.clear();
            std::vector<std::size_t> all;
            if (part.average && part.weights.empty()) {
                collect(part.item->value, all);
            }
            std::erase_if(all, [&](std::size_t i) { return m_tensors[i].role != Role::Ema; });
            if (!all.empty() && (!only.empty() || holdsTwoModels(part.item->value))) {
                return;
            }
            if (!all.empty()) {
                only = std::move(all);
            }
        }
        for (const std::size_t i : only) {
            m_tensors[i].role = modelRole(m_tensors[i].name);
            m_tensors[i].roleBasis = RoleBasis::Structure;
        }
    }

    /// An average that keeps the model beside itself: "online_model.0.weight" and
    /// "ema_model.0.weight".
    [[nodiscard]] bool holdsTwoModels(const Value& average) const {
        std::map<std::string_view, std::vector<std::size_t>> groups;
        for (const ValueItem& item : average.items()) {
            const TensorIndex* index = item.value.asTensor();
            const std::string* key = item.key.asString();
            if (index != nullptr && key != nullptr && index->position() < m_tensors.size()) {
                groups[std::string_view(*key).substr(0, key->find('.'))].push_back(
                    index->position());
            }
        }
        const auto isEma = [&](const auto& group) { return names::isAverageKey(group.first); };
        return groups.size() > 1 && std::ranges::any_of(groups, isEma) &&
               std::ranges::any_of(groups, [&](const auto& group) {
                   return !isEma(group) && !shapesOf(group.second, m_tensors).empty();
               });
    }

    /// The count of torch's AveragedModel beside its model, "module.".
    void setCounts(const Value& value) {
        const Value* count = value.find("n_averaged");
        const TensorIndex* index = count != nullptr ? count->asTensor() : nullptr;
        const bool wraps = std::ranges::all_of(value.items(), [&](const ValueItem& item) {
            const std::string* key = item.key.asString();
            return key != nullptr && (*key == "n_averaged" || key->starts_with("module."));
        });
        if (index != nullptr && index->position() < m_tensors.size() && value.items().size() > 1 &&
            wraps && m_tensors[index->position()].shape.empty()) {
            set({index->position()}, Role::TrainingState);
        }
    }

    std::span<TensorEntry> m_tensors;
    std::unordered_set<const void*> m_seen;    ///< containers visited in one pass
    std::unordered_set<const void*> m_counted; ///< lists of groups, groups, lists of parameters
    std::unordered_map<const void*, std::unordered_set<std::string>> m_keys; ///< of states
    const std::unordered_set<std::string> m_noKeys;
    std::size_t m_trained = 0; ///< parameters with a state in optimizers
    OptimizerDetector m_optimizers;
    std::vector<Part> m_parts;
    std::vector<const Value*> m_nodes; ///< indexed by RolePart::node
};

} // namespace

bool isOptimizerState(const Value& value) {
    return OptimizerDetector().isState(value);
}

void refineRoles(const Value& root, std::span<TensorEntry> tensors) {
    if (!tensors.empty()) {
        Refiner(tensors).run(root);
    }
}

} // namespace cairn
