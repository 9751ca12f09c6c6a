// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/tensor_entry.h"
#include "core/model/roles.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr std::string_view kSeparators = "./~"; // JAX's people flatten trees with slashes, and with tildes in names of files

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
    const std::string first = names::lowered(name.substr(0, end));
    if (end < name.size() && isTargetOfOptimizer(first, name.substr(end + 1))) {
        return isBufferName(name) ? Role::Buffer : Role::Weight;
    }
    if (const auto role = names::roleOfKey(first)) {
        return *role;
    }
    return isBufferName(name) ? Role::Buffer : Role::Weight;
}

} // namespace cairn
