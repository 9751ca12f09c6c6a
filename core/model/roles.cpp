// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor_entry.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn {
namespace {

constexpr std::string_view kSeparators = "./~"; // JAX's people flatten trees with slashes, and with tildes in names of files

/// The first part of a name decides: what a training loop calls its state dicts. What the values around a tensor tell
/// beyond that: value_roles.h.
struct Prefix {
    std::string_view word;
    Role role;
};

constexpr auto kFirstParts = std::to_array<Prefix>({
    {"optimizer", Role::Optimizer},  {"optimizers", Role::Optimizer},   {"optim", Role::Optimizer},
    {"optimizer_states", Role::Optimizer}, {"optimizer_state", Role::Optimizer}, {"opt", Role::Optimizer},
    {"optimizer_state_dict", Role::Optimizer}, {"optim_state_dict", Role::Optimizer}, {"opt_state", Role::Optimizer},
    {"ema", Role::Ema},              {"model_ema", Role::Ema},          {"ema_model", Role::Ema},
    {"ema_params", Role::Ema},       {"ema_state_dict", Role::Ema},   {"state_dict_ema", Role::Ema},     {"ema_state", Role::Ema},
    {"scheduler", Role::Scheduler},  {"lr_scheduler", Role::Scheduler}, {"lr_schedulers", Role::Scheduler},
    {"lr_scheduler_state_dict", Role::Scheduler}, {"scheduler_state_dict", Role::Scheduler}, {"sched", Role::Scheduler},
    {"rng", Role::Rng},              {"rng_state", Role::Rng},          {"rng_states", Role::Rng},
    {"random_states", Role::Rng},    {"rng_state_dict", Role::Rng},     {"cuda_rng_state", Role::Rng},
    {"torch_rng_state", Role::Rng},  {"numpy_rng_state", Role::Rng},    {"random_state", Role::Rng},
    {"trainer_state", Role::TrainingState}, {"train_state", Role::TrainingState}, {"loops", Role::TrainingState},
    {"callbacks", Role::TrainingState}, {"dataloader", Role::TrainingState}, {"scaler", Role::TrainingState},
    {"grad_scaler", Role::TrainingState}, {"training_args", Role::TrainingState}, {"hyper_parameters", Role::TrainingState},
    {"args", Role::TrainingState},   {"sampler", Role::TrainingState},
});

constexpr auto kBufferLeaves = std::to_array<std::string_view>({
    "running_mean", "running_var", "num_batches_tracked", "inv_freq", "position_ids", "token_type_ids", "rotary_emb",
    "masked_bias", "attn_mask", "freqs_cis", "_extra_state",
});

/// "opt/target/embedding/kernel": optimizers of old JAX programs hold what they train as their target.
bool isTargetOfOptimizer(std::string_view first, std::string_view rest) {
    const bool isOptimizer = first == "opt" || first == "optimizer";
    return isOptimizer && rest.substr(0, rest.find_first_of(kSeparators)) == "target";
}

} // namespace

std::string_view roleName(Role role) {
    switch (role) {
    case Role::Weight:
        return "weight";
    case Role::Buffer:
        return "buffer";
    case Role::Optimizer:
        return "optimizer";
    case Role::Ema:
        return "ema";
    case Role::Scheduler:
        return "scheduler";
    case Role::Rng:
        return "rng";
    case Role::TrainingState:
        return "training_state";
    case Role::Other:
        return "other";
    }
    return "other";
}

bool isBufferName(std::string_view name) {
    const std::string_view leaf = name.substr(name.find_last_of(kSeparators) + 1);
    return std::ranges::find(kBufferLeaves, leaf) != kBufferLeaves.end();
}

Role roleFromName(std::string_view name) {
    const std::size_t end = std::min(name.find_first_of(kSeparators), name.size());
    std::string first(name.substr(0, end));
    std::ranges::transform(first, first.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (end < name.size() && isTargetOfOptimizer(first, name.substr(end + 1))) {
        return isBufferName(name) ? Role::Buffer : Role::Weight;
    }
    const auto strip = first.find_last_not_of("0123456789_");
    const std::string stem = strip == std::string::npos ? first : first.substr(0, strip + 1); // optimizer_0, rng_state_1
    for (const Prefix& prefix : kFirstParts) {
        if (first == prefix.word || stem == prefix.word) {
            return prefix.role;
        }
    }
    return isBufferName(name) ? Role::Buffer : Role::Weight;
}

} // namespace cairn
