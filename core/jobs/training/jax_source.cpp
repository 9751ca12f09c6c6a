// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/jax_source.h"

#include "core/analysis/jax_moments.h"
#include "core/analysis/optimizer_health.h"
#include "core/base/counted.h"
#include "core/jobs/training/tree_placer.h"
#include "core/model/training_position.h"
#include "core/plan/trainers.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::string_view kOrbax = "orbax";
constexpr std::string_view kFlax = "flax";
constexpr std::string_view kDefaultItem = "default"; ///< of a CheckpointManager with one item

bool holds(const Value& value, const std::function<bool(const Value&, std::string_view)>& is,
           std::string_view key = {}, int depth = 0) {
    return is(value, key) ||
           (depth < Value::kMaxDepth &&
            std::ranges::any_of(value.items(), [&](const ValueItem& item) {
                return holds(item.value, is,
                             item.key.kind() == ValueKind::Null ? "" : keyText(item.key),
                             depth + 1);
            }));
}

bool hasTensor(const Value& value) {
    return holds(value,
                 [](const Value& each, std::string_view) { return each.asTensor() != nullptr; });
}

/// The number after the last letter or separator: "step_100", "checkpoint_100.msgpack".
std::optional<std::int64_t> numberIn(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
        name.resize(dot);
    }
    const std::size_t begin = name.find_last_not_of("0123456789") + 1;
    std::int64_t number = 0;
    const auto read = std::from_chars(name.data() + begin, name.data() + name.size(), number);
    return read.ec == std::errc() && begin < name.size() ? std::optional(number) : std::nullopt;
}

/// Changes what one format records and the other does not.
class TreeChange {
public:
    TreeChange(bool fromFlax, bool toFlax)
        : m_isToFlax(toFlax && !fromFlax), m_isFromFlax(fromFlax && !toFlax) {}

    Value change(const Value& tree) {
        if (!m_isToFlax && !m_isFromFlax) {
            return tree;
        }
        if (m_isToFlax) {
            collectNone(tree, {}, false);
        } else {
            collectNumbered(tree, {}, false);
        }
        return copy(tree, {}, false);
    }

    std::size_t lists = 0;              ///< made of dicts with the keys 0, 1, …
    std::vector<std::string> undecided; ///< dicts with these keys that stay dicts
    std::size_t empty = 0;              ///< named tuples without fields

private:
    using Keys = std::vector<std::string>;

    /// The items of a dict whose keys are 0, 1, …, in the order of the numbers; empty: it is none.
    /// Flax sorts keys as text: 0, 1, 10, 2.
    static std::vector<const ValueItem*> numbered(const Value& value) {
        std::vector<const ValueItem*> items(value.items().size(), nullptr);
        for (const ValueItem& item : value.items()) {
            const std::string key = keyText(item.key);
            std::size_t number = 0;
            const auto read = std::from_chars(key.data(), key.data() + key.size(), number);
            const bool isNumber = value.kind() == ValueKind::Dict && read.ec == std::errc() &&
                                  key == std::to_string(number) && number < items.size();
            if (!isNumber || items[number] != nullptr) {
                return {};
            }
            items[number] = &item;
        }
        return items;
    }

    static std::string joined(const Keys& keys, std::size_t first) {
        std::string text;
        for (std::size_t i = first; i < keys.size(); ++i) {
            text += (i == first ? "" : ".") + keys[i];
        }
        return text;
    }

    /// Numbered dicts outside of optimizers, by their names below the model.
    void collectNumbered(const Value& value, Keys keys, bool inOptimizer) {
        if (inOptimizer) {
            return;
        }
        if (!keys.empty() && !numbered(value).empty()) {
            const auto params = std::ranges::find(keys, "params");
            const std::size_t model = params == keys.end()
                                          ? std::size_t{1}
                                          : static_cast<std::size_t>(params - keys.begin()) + 1;
            m_numbered.emplace(joined(keys, model), value);
            undecided.push_back(joined(keys, 0));
        }
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            keys.push_back(keyOf(item, position++));
            collectNumbered(item.value, keys, isKeyOfOptimizer(keys.back()));
            keys.pop_back();
        }
    }

    /// Whether a part of an optimizer has the nesting of a part of the model, where masked
    /// parameters are empty.
    static bool mirrors(const Value& state, const Value& model) {
        const bool isEmpty =
            state.kind() == ValueKind::Null || (state.isContainer() && state.items().empty());
        if (isEmpty || !model.isContainer()) {
            return isEmpty || !state.isContainer();
        }
        return state.items().size() == model.items().size() &&
               std::ranges::all_of(state.items(), [&](const ValueItem& item) {
                   const Value* same = model.find(keyText(item.key));
                   return same != nullptr && mirrors(item.value, *same);
               });
    }

    /// Whether a numbered dict of an optimizer is what it keeps for a numbered dict of the model:
    /// by its name, or by its nesting where the name is only numbers.
    [[nodiscard]] bool isOfModel(const Value& value, const Keys& keys) const {
        for (std::size_t first = 0; first <= keys.size(); ++first) {
            const auto [begin, end] = m_numbered.equal_range(joined(keys, first));
            const bool isNamed = first < keys.size() &&
                                 keys.back().find_first_not_of("0123456789") != std::string::npos;
            for (auto each = begin; each != end; ++each) {
                if (isNamed || (hasTensor(value) && mirrors(value, each->second))) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Chains of optax. The dict of labels of multi_transform() stays one.
    [[nodiscard]] bool becomesList(const Value& value, const Keys& keys, bool inOptimizer) const {
        return m_isFromFlax && inOptimizer && !numbered(value).empty() &&
               keys.back() != "inner_states" && !isOfModel(value, keys);
    }

    static std::string keyOf(const ValueItem& item, std::size_t position) {
        return item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
    }

    /// Paths of None in the model, below its key: the moments of such a parameter are None, too.
    void collectNone(const Value& value, const std::string& path, bool inOptimizer) {
        if (value.kind() == ValueKind::Null && !inOptimizer &&
            path.find('.') != std::string::npos) {
            m_none.insert(path.substr(path.find('.') + 1));
        }
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            const std::string key = keyOf(item, position++);
            collectNone(item.value, path.empty() ? key : path + "." + key,
                        inOptimizer || isKeyOfOptimizer(key));
        }
    }

    [[nodiscard]] bool isNoneInModel(const std::string& path) const {
        for (std::size_t dot = path.find('.'); dot != std::string::npos;
             dot = path.find('.', dot + 1)) {
            if (m_none.contains(path.substr(dot + 1))) {
                return true;
            }
        }
        return false;
    }

    Value copy(const Value& value, const Keys& keys, bool inOptimizer) {
        if (m_isToFlax && inOptimizer && value.kind() == ValueKind::Null &&
            !isNoneInModel(joined(keys, 0))) {
            ++empty;
            return Value::dict({});
        }
        if (!value.isContainer()) {
            return value;
        }
        if (m_isFromFlax && inOptimizer && value.items().empty()) {
            ++empty;
            return {};
        }
        ValueNode node = *value.asNode();
        const bool isList = becomesList(value, keys, inOptimizer);
        if (isList) {
            ++lists;
            node.kind = ValueKind::List;
            node.items.clear();
            for (const ValueItem* item : numbered(value)) {
                node.items.push_back(*item);
            }
        }
        std::size_t position = 0;
        for (ValueItem& item : node.items) {
            Keys inside = keys;
            inside.push_back(keyOf(item, position++));
            const bool isOptimizer = inOptimizer || isKeyOfOptimizer(inside.back());
            item.value = copy(item.value, inside, isOptimizer);
            if (isList) {
                item.key = Value();
            }
        }
        return Value::container(std::move(node));
    }

    bool m_isToFlax;
    bool m_isFromFlax;
    std::set<std::string> m_none;
    std::multimap<std::string, Value> m_numbered; ///< by the name below the model
};

class JaxConversion {
public:
    JaxConversion(const Checkpoint& source, const JobRequest& request, const CancelToken& cancel)
        : m_source(source), m_request(request), m_cancel(cancel),
          m_isFromFlax(source.format() == kFlax), m_isToFlax(request.trainer == kFlax) {}

    Result<TrainerSource> run() {
        CAIRN_CHECK(checkSource());
        CAIRN_TRY(const Value values, m_source.values(m_cancel));
        CAIRN_CHECK(splitItems(values));
        CAIRN_TRY(const Value state, stateOf());
        CAIRN_TRY(const JaxMoments moments, m_isOneTree || m_isToFlax
                                                ? momentsOf(m_source, state)
                                                : momentsOfState(m_source, Value::dict(m_trees)));
        CAIRN_CHECK(checkState(state, moments));
        std::ranges::move(missingMoments(moments), std::back_inserter(m_losses));
        namePosition(moments, state);
        TreeChange change(m_isFromFlax, m_isToFlax);
        const Value changed = change.change(state);
        const Value tree = m_isToFlax ? changed : stepOf(changed);
        describeChange(change);
        TreePlacer placer(m_source, {.filesApart = false, .stepsApart = false, .bareKey = {}});
        TrainerSource made;
        CAIRN_TRY(made.checkpoint, placer.place(tree));
        made.values = placer.values();
        nameLeftOut(placer);
        made.training.trainer = m_request.trainer;
        made.training.parameters = moments.parameters;
        made.training.withMoments = moments.withMoments;
        made.training.step = m_position.position.step;
        made.training.lost = std::move(m_losses);
        made.decisions = std::move(m_decisions);
        addProblemsOf(made, m_request);
        return made;
    }

private:
    [[nodiscard]] Result<void> checkSource() const {
        if (!isStateOfJax(m_source)) {
            return fail(ErrorCode::Unsupported,
                        "No table relates the names of this trainer's parameters and moments to a "
                        "tree of JAX: only states of Orbax and Flax can be written for these")
                .inFile(m_source.path().string())
                .butFound(verbatim(std::string(m_source.format())))
                .withHint(sentence("`consolidate --to %1` writes the weights under their own names",
                                   m_request.trainer));
        }
        return {};
    }

    /// The items of a step, or the one tree.
    Result<void> splitItems(const Value& values) {
        if (values.kind() != ValueKind::Dict) {
            return fail(ErrorCode::Unsupported, "The root of the state is not a dict")
                .inFile(m_source.path().string());
        }
        const bool isStep = !m_isFromFlax && !hasTreeOfOrbax(m_source, {}) &&
                            std::ranges::any_of(values.items(), [&](const ValueItem& item) {
                                return hasTreeOfOrbax(m_source, keyText(item.key) + "/");
                            });
        if (!isStep) {
            m_trees.push_back({Value(kDefaultItem), values});
            m_isOneTree = true;
            return {};
        }
        for (const ValueItem& item : values.items()) {
            const std::string name = keyText(item.key);
            if (hasTreeOfOrbax(m_source, name + "/")) {
                m_trees.push_back(item);
            } else if (!hasTensor(item.value) && !item.value.items().empty()) {
                m_documents.push_back(item);
            } else {
                m_dropped.insert(name);
                m_losses.push_back({lossOf(item.value), sentence("the item %1", name),
                                    "only the handler that wrote it reads it"});
            }
        }
        return {};
    }

    /// Random keys are no loss of arithmetic.
    [[nodiscard]] LossId lossOf(const Value& item) const {
        const bool hasOthers = holds(item, [&](const Value& value, std::string_view) {
            const TensorIndex* tensor = value.asTensor();
            return tensor != nullptr && m_source.tensor(*tensor).role != Role::Rng;
        });
        return hasTensor(item) && !hasOthers ? LossId::Generators : LossId::TrainerState;
    }

    [[nodiscard]] bool isState(const Value& tree) const {
        const bool hasWeights = holds(tree, [&](const Value& value, std::string_view) {
            const TensorIndex* tensor = value.asTensor();
            return tensor != nullptr && m_source.tensor(*tensor).role == Role::Weight;
        });
        return hasWeights && holds(tree, [](const Value&, std::string_view key) {
                   return isKeyOfOptimizer(key);
               });
    }

    /// The tree with parameters and optimizer: one item, or several together.
    Result<Value> stateOf() {
        std::vector<const ValueItem*> states;
        for (const ValueItem& item : m_trees) {
            if (isState(item.value)) {
                states.push_back(&item);
            }
        }
        if (states.size() > 1 && m_isToFlax) {
            return fail(ErrorCode::Unsupported,
                        "The checkpoint contains several training states, and a file of Flax one")
                .inFile(m_source.path().string())
                .butFound(sentence("%1 and %2", keyText(states[0]->key), keyText(states[1]->key)))
                .withHint("Use --for orbax, which keeps the items");
        }
        if (states.size() != 1) {
            return Value::dict(m_trees);
        }
        for (const ValueItem& item : m_trees) {
            if (m_isToFlax && &item != states.front()) {
                m_dropped.insert(keyText(item.key));
                m_losses.push_back({lossOf(item.value), sentence("the item %1", keyText(item.key)),
                                    "a file of Flax contains one tree"});
            }
        }
        return states.front()->value;
    }

    [[nodiscard]] Result<void> checkState(const Value& state, const JaxMoments& moments) const {
        if (moments.parameters > 0 && moments.hasOptimizer && hasTensor(state)) {
            return {};
        }
        return fail(ErrorCode::Unsupported,
                    moments.parameters == 0 ? Sentence("The checkpoint contains no weights")
                                            : "The checkpoint contains no state of an optimizer")
            .inFile(m_source.path().string())
            .withHint(sentence("`consolidate --to %1` writes the weights", m_request.trainer));
    }

    /// A step folder: trees and JSON documents by their items.
    [[nodiscard]] Value stepOf(const Value& state) const {
        std::vector<ValueItem> items =
            m_isOneTree ? std::vector<ValueItem>{{Value(kDefaultItem), state}} : m_trees;
        items.insert(items.end(), m_documents.begin(), m_documents.end());
        return Value::dict(std::move(items));
    }

    /// A step that only a name records is that of the output's name.
    void namePosition(const JaxMoments& moments, const Value& state) {
        m_position = recordedTraining(m_source, m_cancel);
        const auto step = m_position.position.step;
        const auto named = numberIn(m_request.output.path());
        if (!step && !m_position.position.epoch && !moments.hasCount) {
            m_losses.push_back({LossId::Position, "step and epoch", "a resumed run counts from 0"});
        }
        const bool isInTree = holds(state, [](const Value&, std::string_view key) {
            return key == "step" || key == "global_step";
        });
        if (step && !isInTree && named != step) {
            m_losses.push_back({LossId::Position,
                                sentence("step %1, which the name of the source records", *step),
                                m_isToFlax ? sentence("name the output checkpoint_%1", *step)
                                           : sentence("name the output %1", *step)});
        }
        const bool isUnnamed = !m_isToFlax && !named;
        m_decisions.push_back(
            {DecisionId::StateFor, sentence("for %1", findTrainer(m_request.trainer)->title),
             isUnnamed
                 ? Sentence(
                       "CheckpointManager finds a step by its folder's name, which is a number; "
                       "the program must make the same model and the same optimizer")
                 : "The program must make the same model and the same optimizer"});
    }

    void describeChange(const TreeChange& change) {
        if (!change.undecided.empty()) {
            m_losses.push_back(
                {LossId::TrainerState,
                 sentence("whether these are lists: %1", firstNames(change.undecided)),
                 "Flax records lists as dicts with the keys 0, 1, …, and a model's "
                 "own dicts may have these keys: they become dicts"});
        }
        if (change.lists > 0) {
            m_decisions.push_back(
                {DecisionId::StateTree,
                 counting(change.lists, "list of the keys 0, 1, …", "lists of the keys 0, 1, …"),
                 "Flax writes the tuples of optax's chains as dicts with these keys; Orbax "
                 "restores "
                 "only into the kind that is recorded"});
        }
        if (change.empty > 0) {
            m_decisions.push_back(
                {DecisionId::StateTree,
                 counting(change.empty, "state without fields", "states without fields"),
                 "Flax writes optax's named tuples without fields as empty dicts, Orbax as None"});
        }
    }

    void nameLeftOut(const TreePlacer& placer) {
        if (m_isToFlax) {
            for (const ValueItem& item : m_documents) {
                m_losses.push_back({LossId::TrainerState,
                                    sentence("the item %1", keyText(item.key)),
                                    "a file of Flax contains one tree"});
            }
        }
        std::map<Role, std::size_t> left;
        std::size_t keys = 0;
        for (std::size_t i = 0; i < m_source.tensors().size(); ++i) {
            keys += placer.isPlaced(TensorIndex(i)) && !m_isFromFlax &&
                            m_source.tensors()[i].role == Role::Rng &&
                            m_source.tensors()[i].dtype == Dtype::Uint32
                        ? 1U
                        : 0U;
            const std::string& name = m_source.tensors()[i].name;
            if (!placer.isPlaced(TensorIndex(i)) &&
                !m_dropped.contains(name.substr(0, name.find('.')))) {
                ++left[m_source.tensors()[i].role];
            }
        }
        if (keys > 0) {
            m_losses.push_back({LossId::Generators,
                                sentence("the kind of %1 of jax.random", counting(keys, "key")),
                                "if they are typed: jax.random.wrap_key_data() makes such keys of "
                                "their data, which is written"});
        }
        for (const auto& [role, count] : left) {
            const bool isNamed = role != Role::Weight && role != Role::Optimizer;
            m_losses.push_back(
                {isNamed ? LossId::TrainerState : LossId::Moments,
                 sentence("%1 of the role %2", counting(count, "tensor"), roleName(role)),
                 "the trainer has no place for them"});
        }
    }

    const Checkpoint& m_source;
    const JobRequest& m_request;
    CancelToken m_cancel;
    bool m_isFromFlax;
    bool m_isToFlax;
    bool m_isOneTree = false;
    std::vector<ValueItem> m_trees;
    std::vector<ValueItem> m_documents; ///< JSON items of a step
    std::set<std::string> m_dropped;    ///< items that are named as lost
    RecordedTraining m_position;
    std::vector<TrainingLoss> m_losses;
    std::vector<PlanDecision> m_decisions;
};

} // namespace

bool hasTreeOfOrbax(const Checkpoint& source, const std::string& folder) {
    return std::ranges::any_of(source.files(), [&](const CheckpointFile& file) {
        return file.path == folder + "_METADATA" || file.path == folder + "manifest.ocdbt" ||
               file.path == folder + "checkpoint";
    });
}

bool isTrainerOfJax(std::string_view trainer) {
    return trainer == kOrbax || trainer == kFlax;
}

Result<TrainerSource> sourceForJax(const CheckpointPtr& source, const JobRequest& request,
                                   const CancelToken& cancel) {
    return JaxConversion(*source, request, cancel).run();
}

} // namespace cairn
