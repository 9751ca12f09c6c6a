// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/jax_source.h"

#include "core/analysis/jax_moments.h"
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
        }
        return copy(tree, {}, false);
    }

    std::size_t lists = 0; ///< made of dicts with the keys 0, 1, …
    std::size_t empty = 0; ///< named tuples without fields

private:
    static bool isList(const Value& value) {
        std::size_t position = 0;
        return value.kind() == ValueKind::Dict && !value.items().empty() &&
               std::ranges::all_of(value.items(), [&](const ValueItem& item) {
                   return keyText(item.key) == std::to_string(position++);
               });
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

    Value copy(const Value& value, const std::string& path, bool inOptimizer) {
        if (m_isToFlax && inOptimizer && value.kind() == ValueKind::Null && !isNoneInModel(path)) {
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
        const bool becomesList = m_isFromFlax && isList(value);
        std::size_t position = 0;
        for (ValueItem& item : node.items) {
            const std::string key = keyOf(item, position++);
            item.value = copy(item.value, path.empty() ? key : path + "." + key,
                              inOptimizer || isKeyOfOptimizer(key));
            if (becomesList) {
                item.key = Value();
            }
        }
        if (becomesList) {
            ++lists;
            node.kind = ValueKind::List;
        }
        return Value::container(std::move(node));
    }

    bool m_isToFlax;
    bool m_isFromFlax;
    std::set<std::string> m_none;
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
        CAIRN_TRY(const JaxMoments moments, momentsOf(m_source, state));
        CAIRN_CHECK(checkState(state, moments));
        std::ranges::move(missingMoments(moments), std::back_inserter(m_losses));
        namePosition(moments, state);
        TreeChange change(m_isFromFlax, m_isToFlax);
        const Value tree = change.change(m_isToFlax ? state : stepOf(state));
        describeChange(change);
        TreePlacer placer(m_source, false);
        TrainerSource made;
        CAIRN_TRY(made.checkpoint, placer.place(tree));
        made.values = placer.values();
        nameLeftOut(placer);
        made.training.trainer = m_request.trainer;
        made.training.parameters = moments.parameters;
        made.training.withMoments = moments.withMoments;
        made.training.step = m_position.position.step;
        addLosses();
        made.training.lost = std::move(m_losses);
        made.decisions = std::move(m_decisions);
        made.problems = std::move(m_problems);
        return made;
    }

private:
    [[nodiscard]] Result<void> checkSource() const {
        if (!m_request.only.subtree.empty()) {
            return fail(ErrorCode::InvalidArgument, "A training state cannot be written in part")
                .butFound(verbatim(m_request.only.subtree));
        }
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

    [[nodiscard]] bool hasFile(std::string_view path) const {
        return std::ranges::any_of(m_source.files(),
                                   [&](const CheckpointFile& file) { return file.path == path; });
    }

    [[nodiscard]] bool hasTreeIn(const std::string& folder) const {
        return hasFile(folder + "_METADATA") || hasFile(folder + "manifest.ocdbt") ||
               hasFile(folder + "checkpoint");
    }

    /// The items of a step, or the one tree.
    Result<void> splitItems(const Value& values) {
        if (values.kind() != ValueKind::Dict) {
            return fail(ErrorCode::Unsupported, "The root of the state is not a dict")
                .inFile(m_source.path().string());
        }
        const bool isStep = !m_isFromFlax && !hasTreeIn({}) &&
                            std::ranges::any_of(values.items(), [&](const ValueItem& item) {
                                return hasTreeIn(keyText(item.key) + "/");
                            });
        if (!isStep) {
            m_trees.push_back({Value(kDefaultItem), values});
            m_isOneTree = true;
            return {};
        }
        for (const ValueItem& item : values.items()) {
            const std::string name = keyText(item.key);
            if (hasTreeIn(name + "/")) {
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
        if (change.lists > 0) {
            m_decisions.push_back(
                {DecisionId::StateTree,
                 counting(change.lists, "list of the keys 0, 1, …", "lists of the keys 0, 1, …"),
                 "Flax writes lists and tuples as dicts with these keys; Orbax restores only into "
                 "the kind that is recorded"});
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

    void addLosses() {
        for (const TrainingLoss& loss : m_losses) {
            const bool stops = m_request.mustResume && !isExact({loss});
            m_problems.push_back({ErrorCode::MissingState,
                                  stops ? Severity::Error : Severity::Warning,
                                  sentence("Not in the output: %1; %2", loss.what, loss.why),
                                  {},
                                  {}});
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
    std::vector<PlanProblem> m_problems;
};

} // namespace

bool isTrainerOfJax(std::string_view trainer) {
    return trainer == kOrbax || trainer == kFlax;
}

Result<TrainerSource> sourceForJax(const CheckpointPtr& source, const JobRequest& request,
                                   const CancelToken& cancel) {
    return JaxConversion(*source, request, cancel).run();
}

} // namespace cairn
