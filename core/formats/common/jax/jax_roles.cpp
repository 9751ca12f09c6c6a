// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/jax/jax_roles.h"

#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <optional>

namespace cairn {
namespace {

struct Word {
    std::string_view text;
    Role role;
};

constexpr auto kWords = std::to_array<Word>({
    {"opt_state", Role::Optimizer},
    {"opt_states", Role::Optimizer},
    {"optimizer_state", Role::Optimizer},
    {"param_states", Role::Optimizer},
    {"mdl_vars", Role::Weight},
    {"params", Role::Weight},
    {"param", Role::Weight},
    {"target", Role::Weight},
    {"batch_stats", Role::Buffer},
    {"trainable_variables", Role::Weight}, // from Keras' get_state_tree()
    {"non_trainable_variables", Role::Weight},
    {"optimizer_variables", Role::Optimizer},
    {"metrics_variables", Role::TrainingState},
    {"ema", Role::Ema},
    {"ema_params", Role::Ema},
    {"params_ema", Role::Ema},
    {"ema_state", Role::Ema},
    {"rng", Role::Rng},
    {"rngs", Role::Rng},
    {"dropout_rng", Role::Rng},
    {"rng_key", Role::Rng},
    {"prng_key", Role::Rng},
    {"key", Role::Rng},
    {"training_key", Role::Rng},
    {"step", Role::TrainingState},
    {"epoch", Role::TrainingState},
    {"global_step", Role::TrainingState},
    {"dynamic_scale", Role::TrainingState},
    {"chrono", Role::TrainingState},
});
constexpr auto kWrappers = std::to_array<std::string_view>(
    {"state", "default", "pytree", "train_state", "model", "checkpoint", "items"});

/// "model.dropout.rngs.key.value", "rngs.params.count": a flax.nnx random stream, in any module.
bool isRandomStream(std::string_view name) {
    constexpr std::string_view kStreams = "rngs.";
    const std::size_t at = name.rfind(kStreams);
    if (at == std::string_view::npos || (at > 0 && name[at - 1] != '.')) {
        return false;
    }
    std::string_view rest = name.substr(at + kStreams.size());
    constexpr std::string_view kValue = ".value";
    if (rest.ends_with(kValue)) {
        rest.remove_suffix(kValue.size());
    }
    const std::size_t dot = rest.find('.');
    const std::string_view last = rest.substr(dot == std::string_view::npos ? 0 : dot + 1);
    return last == "key" || last == "count";
}

/// An index into a tuple or list of states: (model, optimizer).
bool isPosition(std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Models use these words for layers, too: only a leaf of the state itself has this meaning.
/// flax.nnx stores a leaf's array in its `value`.
bool isOtherThanLeaf(std::string_view part, std::string_view after, bool inTuple) {
    if (part == "key") {
        return !after.empty() || inTuple; // a tuple may be a list of layers
    }
    return (part == "step" || part == "epoch") && !after.empty() && after != "value";
}

/// "opt_state", "g_opt_state", "optimizer_d": never the name of a layer.
bool namesAnOptimizer(std::string_view part) {
    constexpr auto kNames = std::to_array<std::string_view>(
        {"opt_state", "opt_states", "optimizer_state", "optimizer_states", "optimizer"});
    return std::ranges::any_of(kNames, [&](std::string_view name) {
        const std::size_t at = part.find(name);
        const std::size_t end = at + name.size();
        return at != std::string_view::npos && (at == 0 || part[at - 1] == '_') &&
               (end == part.size() || part[end] == '_');
    });
}

/// One of several states side by side: "actor.opt_state.0.mu.…", "critic.params.…". Only components
/// above the parameters are considered.
bool isOfOptimizerAmongSeveral(std::string_view name) {
    for (int depth = 0; depth < 4 && !name.empty(); ++depth) {
        const std::size_t end = std::min(name.find_first_of(names::kPartEnds), name.size());
        const std::string_view part = name.substr(0, end);
        name.remove_prefix(std::min(end + 1, name.size()));
        if (part == "params" || part == "target") {
            return false;
        }
        if (!name.empty() && namesAnOptimizer(part)) {
            return name.substr(0, name.find_first_of(names::kPartEnds)) !=
                   "target"; // the parameters that it trains
        }
    }
    return false;
}

struct Known {
    std::optional<Role> role;
    bool state = false;   ///< occurs only in the state of a training loop
    bool anyWord = false; ///< a word that other frameworks use, too
};

/// "opt_state.0.mu.dense.kernel": has a component that only optimizers use.
bool hasMoment(std::string_view name) {
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find_first_of(names::kPartEnds, begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        if (part == "mu" || part == "nu" || part == "trace" || part == "count" ||
            names::isMomentName(part)) {
            return true;
        }
        begin = end + 1;
    }
    return false;
}

/// The role that the components around a train state's own components imply.
Known knownByParts(std::string_view name) {
    std::string_view rest = name;
    bool inTuple = false;
    for (int depth = 0; depth < 3 && !rest.empty(); ++depth) {
        const std::size_t end = std::min(rest.find_first_of(names::kPartEnds), rest.size());
        const std::string_view part = rest.substr(0, end);
        const std::string_view after = rest.substr(std::min(end + 1, rest.size()));
        const auto known = std::ranges::find(kWords, part, &Word::text);
        if (known != kWords.end() && !isOtherThanLeaf(part, after, inTuple)) {
            const bool model = known->role == Role::Weight || known->role == Role::Buffer;
            const bool state = known->role == Role::Optimizer ? hasMoment(after) : model;
            return {known->role, state && !after.empty(), false};
        }
        const bool position = isPosition(part);
        if (after.empty() || (!position && std::ranges::find(kWrappers, part) == kWrappers.end())) {
            break;
        }
        inTuple = inTuple || position;
        rest = after;
    }
    if (isOfOptimizerAmongSeveral(rest)) {
        return {Role::Optimizer, hasMoment(rest), false};
    }
    const std::size_t end = std::min(rest.find_first_of(names::kPartEnds), rest.size());
    const auto role = names::roleOfKey(names::lowered(rest.substr(0, end)));
    const std::string_view after = rest.substr(std::min(end + 1, rest.size()));
    const bool target = role == Role::Optimizer &&
                        after.substr(0, after.find_first_of(names::kPartEnds)) == "target";
    return {target ? std::nullopt : role, false,
            true}; // the parameters that an old flax.optim optimizer trains
}

bool isStream(std::string_view name) {
    constexpr std::string_view kSeed = ".seed_generator_state"; // of a Keras layer
    return isRandomStream(name) || name.ends_with(kSeed);
}

} // namespace

void decideJaxRoles(std::span<TensorEntry> tensors) {
    const bool state = std::ranges::any_of(
        tensors, [](const TensorEntry& tensor) { return knownByParts(tensor.name).state; });
    if (!state) {
        decideRolesByName(tensors); // only parameters, or components of an unknown kind
    }
    for (TensorEntry& tensor : tensors) {
        if (isStream(tensor.name)) {
            tensor.role = Role::Rng;
        } else if (state) {
            const Known known = knownByParts(tensor.name);
            const std::string_view name = tensor.name;
            const bool module =
                names::isParameterName(name.substr(name.find_last_of(names::kPartEnds) + 1));
            tensor.role = known.role.value_or(modelRole(name));
            tensor.roleBasis =
                known.role && known.anyWord && module ? RoleBasis::Name : RoleBasis::Structure;
        }
    }
}

} // namespace cairn
