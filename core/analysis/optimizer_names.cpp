// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/optimizer_health.h"
#include "core/base/counted.h"
#include "core/model/dims.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kProbed = 16;    ///< names from which renamings are derived
constexpr std::size_t kRenamings = 64; ///< at most

struct Parameter {
    std::string_view name;
    const TensorEntry* moment = nullptr; ///< one of the shape of the parameter, if there is one
};

bool isNumber(std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Parameters by name that have moments in the checkpoint; numbered ones have no name.
std::unordered_map<std::string_view, Parameter> parametersWithState(const Checkpoint& checkpoint) {
    std::unordered_map<std::string_view, Parameter> found;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        if (tensor.role != Role::Optimizer) {
            continue;
        }
        const auto name = names::stateName(tensor.name);
        const bool isMoment = name && (name->word->kind == names::StateKind::Average ||
                                       name->word->kind == names::StateKind::Square);
        if (isMoment && !isNumber(name->parameter)) {
            Parameter& parameter = found[name->parameter];
            parameter.name = name->parameter;
            if (parameter.moment == nullptr || tensor.elements() > parameter.moment->elements()) {
                parameter.moment = &tensor;
            }
        }
    }
    return found;
}

using Weights = std::unordered_map<std::string_view, const TensorEntry*>;

/// How names of parameters become those of weights.
struct Renaming {
    std::string drop;
    std::string add;
    friend bool operator==(const Renaming&, const Renaming&) = default;
    [[nodiscard]] std::string apply(std::string_view name) const {
        return name.starts_with(drop) ? add + std::string(name.substr(drop.size()))
                                      : std::string(name);
    }
};

/// The renamings that map `parameter` to a weight.
void addRenamings(std::string_view parameter, const Weights& weights,
                  std::vector<Renaming>& found) {
    const auto add = [&](const Renaming& renaming) {
        if (found.size() < kRenamings && std::ranges::find(found, renaming) == found.end()) {
            found.push_back(renaming);
        }
    };
    for (const auto& [weight, entry] : weights) {
        if (weight.size() > parameter.size() && weight.ends_with(parameter) &&
            weight[weight.size() - parameter.size() - 1] == '.') {
            add({{}, std::string(weight.substr(0, weight.size() - parameter.size()))});
        } else if (parameter.size() > weight.size() && parameter.ends_with(weight) &&
                   parameter[parameter.size() - weight.size() - 1] == '.') {
            add({std::string(parameter.substr(0, parameter.size() - weight.size())), {}});
        }
    }
}

std::string_view moduleOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

struct Comparison {
    std::vector<std::string> orphans;
    std::vector<std::string> without; ///< weights that have no state
    std::size_t matched = 0;
    bool sameModule = false; ///< others of the module of one of `without` have states
};

std::size_t countMatches(const std::unordered_map<std::string_view, Parameter>& parameters,
                         const Weights& weights, const Renaming& renaming) {
    return static_cast<std::size_t>(std::ranges::count_if(parameters, [&](const auto& each) {
        return weights.contains(renaming.apply(each.first));
    }));
}

/// Whether the weight is another copy of one of `trained`: "module.w" beside "w".
bool isCopy(std::string_view weight, const std::set<std::string_view>& trained) {
    for (std::size_t dot = weight.find('.'); dot != std::string_view::npos;
         dot = weight.find('.', dot + 1)) {
        if (trained.contains(weight.substr(dot + 1))) {
            return true;
        }
    }
    return false;
}

Comparison compare(const std::unordered_map<std::string_view, Parameter>& parameters,
                   const Weights& weights, const Renaming& renaming) {
    Comparison result;
    std::set<std::string_view> trained;
    std::set<std::string_view> modules;
    std::vector<const Parameter*> unmatched;
    for (const auto& [name, parameter] : parameters) {
        const auto weight = weights.find(renaming.apply(name));
        if (weight == weights.end()) {
            unmatched.push_back(&parameter);
            continue;
        }
        trained.insert(weight->first);
        modules.insert(moduleOf(weight->first));
        ++result.matched;
    }
    std::map<std::string, std::vector<std::string_view>> without; // by shape
    for (const auto& [name, entry] : weights) {
        if (!trained.contains(name) && !entry->aliasOf && !isCopy(name, trained)) {
            without[formatDims(entry->shape)].push_back(name);
        }
    }
    // One of two tied names may have been left out of the weights: then the other has no state.
    for (const Parameter* parameter : unmatched) {
        const auto tied = without.find(formatDims(parameter->moment->shape));
        if (tied == without.end() || tied->second.empty()) {
            result.orphans.emplace_back(parameter->name);
        } else {
            tied->second.pop_back();
        }
    }
    for (const auto& [shape, names] : without) {
        for (const std::string_view name : names) {
            result.without.emplace_back(name);
            result.sameModule = result.sameModule || modules.contains(moduleOf(name));
        }
    }
    std::ranges::sort(result.without);
    std::ranges::sort(result.orphans);
    return result;
}

std::vector<Notice> noticesOf(const Comparison& result, std::size_t parameters) {
    std::vector<Notice> found;
    if (!result.without.empty()) {
        found.push_back(
            {Severity::Info,
             fail(ErrorCode::MissingState,
                  result.sameModule
                      ? Sentence("Some weights have no optimizer state, although others of "
                                 "their module have")
                      : "Some weights have no optimizer state")
                 .inTensor(result.without.front())
                 .butFound(sentence("%1 of %2: %3", result.without.size(),
                                    counting(result.without.size() + result.matched, "weight"),
                                    firstNames(result.without)))
                 .withHint("Frozen parameters have none, nor those without a gradient so far")});
    }
    if (!result.orphans.empty()) {
        found.push_back(
            {Severity::Warning, fail(ErrorCode::StateWithoutParameter,
                                     "The optimizer has states of parameters that are not in the "
                                     "checkpoint")
                                    .butFound(sentence("%1 of %2: %3", result.orphans.size(),
                                                       counting(parameters, "parameter"),
                                                       firstNames(result.orphans)))});
    }
    return found;
}

} // namespace

std::vector<Notice> compareStatesWithWeights(const Checkpoint& checkpoint) {
    const auto parameters = parametersWithState(checkpoint);
    Weights weights;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        if (tensor.role == Role::Weight) {
            weights.emplace(tensor.name, &tensor);
        }
    }
    if (parameters.empty() || weights.empty()) {
        return {};
    }
    std::vector<Renaming> renamings{{}};
    std::size_t probed = 0;
    for (const auto& [name, parameter] : parameters) {
        if (probed++ == kProbed) {
            break;
        }
        addRenamings(name, weights, renamings);
    }
    const auto best = std::ranges::max_element(renamings, {}, [&](const Renaming& each) {
        return countMatches(parameters, weights, each);
    });
    const Comparison result = compare(parameters, weights, *best);
    return 5 * result.matched >= 4 * parameters.size() ? noticesOf(result, parameters.size())
                                                       : std::vector<Notice>();
}

} // namespace cairn
