// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/optimizer_health.h"

#include "core/base/counted.h"
#include "core/model/value_roles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn {
namespace {

using names::StateKind;

constexpr std::size_t kNamed = 3; ///< names in one finding

/// Dtypes in which squares of usual gradients become zero: float16 ends at 6e-8, which is the
/// square of 2.4e-4. bfloat16 has the range of float32.
bool underflows(Dtype dtype) {
    return dtype == Dtype::Float16 ||
           (dtypeInfo(dtype).kind == DtypeKind::Float && dtypeInfo(dtype).bits == 8);
}

/// As short as it can be read back.
std::string numberText(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

/// The first tensor of all its names.
std::size_t storedAs(const Checkpoint& checkpoint, TensorIndex tensor) {
    return checkpoint.tensor(tensor).aliasOf.value_or(tensor).position();
}

} // namespace

std::string firstNames(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    if (names.size() > kNamed) {
        text += " and " + std::to_string(names.size() - kNamed) + " more";
    }
    return text;
}

OptimizerHealth::OptimizerHealth(const Checkpoint& checkpoint, const CancelToken& cancel)
    : m_checkpoint(checkpoint), m_cancel(cancel),
      m_least(checkpoint.tensors().size(), std::numeric_limits<double>::quiet_NaN()) {
    findKinds();
    const auto isState = [](const TensorEntry& each) { return each.role == Role::Optimizer; };
    if (std::ranges::none_of(checkpoint.tensors(), isState)) {
        return;
    }
    if (const auto values = checkpoint.values(m_cancel)) {
        std::set<const void*> seen;
        findOptimizers(*values, {}, seen);
    }
    readCounters();
}

void OptimizerHealth::findKinds() {
    const auto tensors = m_checkpoint.tensors();
    m_kinds.resize(tensors.size(), StateKind::Other);
    std::set<std::string, std::less<>> withFirst; // optimizers that also have a first moment "m"
    std::vector<std::size_t> uncertain;           // "v" is also a usual name of a velocity
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].role != Role::Optimizer) {
            continue;
        }
        const auto name = names::stateName(tensors[i].name);
        if (!name) {
            continue;
        }
        m_kinds[i] = name->word->kind;
        if (name->word->text == "m") {
            withFirst.emplace(name->optimizer);
        } else if (name->word->text == "v") {
            uncertain.push_back(i);
        }
    }
    for (const std::size_t i : uncertain) {
        if (!withFirst.contains(names::stateName(tensors[i].name)->optimizer)) {
            m_kinds[i] = StateKind::Other;
        }
    }
}

/// Recursion is limited by Value::kMaxDepth.
void OptimizerHealth::findOptimizers(const Value& value, const std::string& name,
                                     std::set<const void*>& seen) {
    if (!value.isContainer() || m_cancel.cancelled() || !seen.insert(value.identity()).second) {
        return;
    }
    if (isOptimizerState(value)) {
        readOptimizer(value, name);
        return;
    }
    std::size_t position = 0;
    for (const ValueItem& item : value.items()) {
        const std::string key =
            item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
        findOptimizers(item.value, name.empty() ? key : name + "." + key, seen);
        ++position;
    }
}

/// The groups of the parameters by key; empty if not all groups list theirs.
std::map<std::string, std::size_t> OptimizerHealth::readGroups(const Value& groups,
                                                               Optimizer& optimizer) {
    std::map<std::string, std::size_t> groupOf;
    for (const ValueItem& group : groups.items()) {
        const Value* parameters = group.value.find("params");
        const auto isKey = [](const ValueItem& each) {
            return each.value.asInt() != nullptr || each.value.asString() != nullptr;
        };
        if (parameters == nullptr || !std::ranges::all_of(parameters->items(), isKey)) {
            optimizer.kept.clear(); // pickled as an object: the parameters themselves are listed
            return {};
        }
        const Value* texts = group.value.find("param_names");
        const auto& keys = parameters->items();
        const bool named = texts != nullptr && texts->items().size() == keys.size();
        const auto number = static_cast<std::size_t>(&group - groups.items().data());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::string key = keyText(keys[i].value);
            if (!groupOf.emplace(key, number).second) {
                continue;
            }
            std::string label = key;
            if (const std::string* text = named ? texts->items()[i].value.asString() : nullptr) {
                label = *text;
                m_names[optimizer.name + ".state." + key] = label;
            }
            optimizer.kept.push_back({std::move(label), number, false, {}, {}});
        }
    }
    return groupOf;
}

void OptimizerHealth::readOptimizer(const Value& node, const std::string& name) {
    Optimizer optimizer{name, {}, {}};
    const Value* groups = node.find("param_groups");
    const Value* states = node.find("state");
    if (groups == nullptr || states == nullptr) {
        return;
    }
    const auto groupOf = readGroups(*groups, optimizer);
    std::map<std::string, std::size_t> places; // of parameters in `kept`
    std::size_t place = 0;
    if (!groupOf.empty()) {
        for (const ValueItem& group : groups->items()) {
            for (const ValueItem& each : group.value.find("params")->items()) {
                place += places.emplace(keyText(each.value), place).second ? 1 : 0;
            }
        }
    }
    for (const ValueItem& item : states->items()) {
        const std::string key = keyText(item.key);
        if (const auto at = places.find(key); at != places.end()) {
            readState(item.value, optimizer.kept[at->second]);
        } else if (!groupOf.empty() && !item.value.items().empty()) {
            optimizer.orphans.push_back(key);
        }
    }
    m_optimizers.push_back(std::move(optimizer));
}

void OptimizerHealth::readState(const Value& state, Kept& kept) {
    for (const ValueItem& item : state.items()) {
        kept.hasState = kept.hasState || item.value.kind() != ValueKind::Null;
        if (keyText(item.key) == "step") {
            kept.step = numberOf(item.value);
            if (const TensorIndex* tensor = item.value.asTensor()) {
                kept.stepTensor = *tensor;
            }
        }
    }
}

/// Counters that only the names of their tensors assign to a parameter.
void OptimizerHealth::readCounters() {
    std::set<TensorIndex> known;
    for (const Optimizer& optimizer : m_optimizers) {
        for (const Kept& kept : optimizer.kept) {
            if (kept.stepTensor) {
                known.insert(*kept.stepTensor);
            }
        }
    }
    std::map<std::string, Optimizer, std::less<>> named;
    for (std::size_t i = 0; i < m_kinds.size(); ++i) {
        if (m_kinds[i] != StateKind::Counter || known.contains(TensorIndex(i))) {
            continue;
        }
        const auto name = names::stateName(m_checkpoint.tensors()[i].name);
        if (name && !name->parameter.empty()) {
            Optimizer& optimizer = named[std::string(name->optimizer)];
            optimizer.name = name->optimizer;
            optimizer.kept.push_back({std::string(name->parameter), 0, true, {}, TensorIndex(i)});
        }
    }
    for (auto& [name, optimizer] : named) {
        m_optimizers.push_back(std::move(optimizer));
    }
}

std::string OptimizerHealth::describe(TensorIndex tensor) const {
    const StateKind kind = m_kinds[tensor.position()];
    const auto name = kind == StateKind::Other ? std::nullopt
                                               : names::stateName(m_checkpoint.tensor(tensor).name);
    if (!name) {
        return {};
    }
    std::string text = "The " + std::string(stateKindName(kind));
    if (name->parameter.empty()) {
        return text;
    }
    const std::string key = std::string(name->optimizer) + "." + std::string(name->parameter);
    const auto known = m_names.find(key);
    const bool numbered = name->parameter.find_first_not_of("0123456789") == std::string::npos;
    return text + (numbered && known == m_names.end() ? " of parameter " : " of ") +
           (known == m_names.end() ? std::string(name->parameter) : known->second);
}

void OptimizerHealth::take(TensorIndex tensor, const TensorStatistics& statistics) {
    if (statistics.numeric && statistics.finite() > 0) {
        m_least[tensor.position()] = statistics.min;
    }
}

std::optional<double> OptimizerHealth::stepOf(const Kept& kept) const {
    const double number = kept.stepTensor
                              ? m_least[storedAs(m_checkpoint, *kept.stepTensor)]
                              : kept.step.value_or(std::numeric_limits<double>::quiet_NaN());
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

void OptimizerHealth::addNarrow(std::vector<Notice>& out) const {
    std::map<Dtype, std::vector<std::string>> narrow;
    for (std::size_t i = 0; i < m_kinds.size(); ++i) {
        const TensorEntry& tensor = m_checkpoint.tensors()[i];
        if (m_kinds[i] == StateKind::Square && underflows(tensor.dtype)) {
            narrow[tensor.dtype].push_back(tensor.name);
        }
    }
    for (const auto& [dtype, tensors] : narrow) {
        out.push_back(
            {Severity::Warning,
             fail(ErrorCode::NarrowMoment,
                  "Second moments are stored in a dtype too narrow for them")
                 .inTensor(tensors.front())
                 .butFound(
                     sentence("%1 in %2", counting(tensors.size(), "tensor"), dtypeName(dtype)))
                 .expecting("float32 or bfloat16")
                 .withHint(
                     "Squares of small gradients become zero, which makes updates too large")});
    }
}

void OptimizerHealth::addNegative(std::vector<Notice>& out) const {
    for (std::size_t i = 0; i < m_kinds.size(); ++i) {
        const TensorEntry& tensor = m_checkpoint.tensors()[i];
        if (m_kinds[i] != StateKind::Square || !(m_least[i] < 0) ||
            dtypeInfo(tensor.dtype).kind != DtypeKind::Float) {
            continue;
        }
        out.push_back({Severity::Warning,
                       fail(ErrorCode::NegativeMoment,
                            sentence("%1 contains negative numbers", describe(TensorIndex(i))))
                           .inTensor(tensor.name)
                           .butFound(sentence("a minimum of %1", numberText(m_least[i])))
                           .expecting("zero or more")
                           .withHint("Its square root is NaN, and so will be the weights after the "
                                     "next step")});
    }
}

void OptimizerHealth::addSteps(const Optimizer& optimizer, std::vector<Notice>& out) const {
    std::map<std::size_t, std::map<double, std::vector<std::string>>> groups;
    for (const Kept& kept : optimizer.kept) {
        if (const auto step = stepOf(kept)) {
            groups[kept.group][*step].push_back(kept.parameter);
        }
    }
    std::set<double> starts;
    for (const auto& [group, steps] : groups) {
        starts.insert(steps.begin()->first);
        if (steps.size() < 2) {
            continue;
        }
        const auto most = std::ranges::max_element(
            steps, {}, [](const auto& each) { return each.second.size(); });
        const auto other = most == steps.begin() ? std::next(steps.begin()) : steps.begin();
        out.push_back(
            {Severity::Warning,
             fail(ErrorCode::UnequalSteps,
                  "The step counters of an optimizer differ between parameters of one group")
                 .inField(optimizer.name)
                 .butFound(sentence("step %1 for %2", numberText(other->first),
                                    firstNames(other->second)))
                 .expecting(sentence("step %1, as for %2", numberText(most->first),
                                     counting(most->second.size(), "other parameter")))
                 .withHint("Parameters that were frozen, or had no gradient in some steps (experts "
                           "without tokens), count less; otherwise parts of different saves may be "
                           "mixed")});
    }
    if (starts.size() > 1) {
        out.push_back({Severity::Info,
                       fail(ErrorCode::UnequalSteps, "The parameter groups of an optimizer have "
                                                     "been trained for different numbers of steps")
                           .inField(optimizer.name)
                           .butFound(sentence("steps %1 to %2", numberText(*starts.begin()),
                                              numberText(*starts.rbegin())))});
    }
}

void OptimizerHealth::addUnpaired(const Optimizer& optimizer, std::vector<Notice>& out) {
    std::vector<std::string> without;
    for (const Kept& kept : optimizer.kept) {
        if (!kept.hasState) {
            without.push_back(kept.parameter);
        }
    }
    if (!without.empty() && without.size() < optimizer.kept.size()) {
        out.push_back(
            {Severity::Info,
             fail(ErrorCode::MissingState, "Some parameters have no optimizer state")
                 .inField(optimizer.name)
                 .butFound(sentence("%1 of %2: %3", without.size(),
                                    counting(optimizer.kept.size(), "parameter"),
                                    firstNames(without)))
                 .withHint("Frozen parameters have none, nor those without a gradient so far")});
    }
    if (!optimizer.orphans.empty()) {
        out.push_back({Severity::Warning,
                       fail(ErrorCode::StateWithoutParameter,
                            "The optimizer has states of parameters that none of its groups lists")
                           .inField(optimizer.name)
                           .butFound(sentence("%1: %2", counting(optimizer.orphans.size(), "state"),
                                              firstNames(optimizer.orphans)))});
    }
}

std::vector<Notice> OptimizerHealth::findings() const {
    std::vector<Notice> found;
    addNegative(found);
    addNarrow(found);
    for (const Optimizer& optimizer : m_optimizers) {
        addSteps(optimizer, found);
        addUnpaired(optimizer, found);
    }
    std::vector<Notice> unpaired = compareStatesWithWeights(m_checkpoint);
    std::ranges::move(unpaired, std::back_inserter(found));
    return found;
}

} // namespace cairn
