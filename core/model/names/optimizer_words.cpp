// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/optimizer_words.h"

#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace cairn::names {
namespace {

using enum StateKind;

/// Sources: torch.optim 2.13, transformers' and timm's optimizers, optax 0.2, tf.keras.optimizers,
/// apex, DeepSpeed, Megatron.
constexpr auto kStateWords = std::to_array<StateWord>({
    {"param_groups", Other},
    {"param_states", Other},
    {"exp_avg", Average},
    {"exp_avg_sq", Square},
    {"max_exp_avg_sq", Square},
    {"exp_avg_var", Square},
    {"max_exp_avg_var", Square},
    {"exp_inf", Square},
    {"exp_avg_diff", Average},
    {"exp_avg_slow", Average},
    {"exp_avg_sq_row", Square},
    {"exp_avg_sq_col", Square},
    {"momentum_buffer", Average},
    {"square_avg", Square},
    {"acc_delta", Square},
    {"grad_avg", Average},
    {"mu_product", Other},
    {"row_var", Square},
    {"col_var", Square},
    {"fp32_param", Other},
    {"fp32_from_fp16_params", Other},
    {"first_moments", Average},
    {"second_moments", Square},
    {"past_loss_values", Other},
    {"sum_of_squares", Square, false},
    {"mu", Average, false},
    {"nu", Square, false},
    {"trace", Average, false},
    {"m", Average, false},
    {"v", Square, false},
    {"vhat", Square, false},
    {"v_row", Square, false},
    {"v_col", Square, false},
    {"momentum", Average, false},
    {"sum", Square, false},
    {"variance", Square, false},
    {"accumulator", Square, false},
    {"rms", Square, false},
    {"step", Counter, false},
    {"count", Counter, false},
});

/// Keys between the root of optax's state and a state: "inner_states" of multi_transform, …
constexpr auto kOptaxWrappers = std::to_array<std::string_view>(
    {"inner_state", "inner_states", "inner_opt_state", "base_state", "opt_state"});

bool isOnlyDigits(std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The components of a name, each a view of it.
std::vector<std::string_view> partsOf(std::string_view name) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find_first_of("./", at), name.size());
        parts.push_back(name.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

/// The components from `first` to before `end` as one view.
std::string_view joined(std::string_view name, const std::vector<std::string_view>& parts,
                        std::size_t first, std::size_t end) {
    if (first >= end) {
        return {};
    }
    const auto begin = static_cast<std::size_t>(parts[first].data() - name.data());
    const auto last = static_cast<std::size_t>(parts[end - 1].data() - name.data());
    return name.substr(begin, last + parts[end - 1].size() - begin);
}

/// The position of "state" in "optimizer.state.0.exp_avg": behind a component that names an
/// optimizer, otherwise the first.
std::optional<std::size_t> stateKey(const std::vector<std::string_view>& parts) {
    std::optional<std::size_t> found;
    bool inOptimizer = false;
    for (std::size_t i = 0; i + 2 < parts.size(); ++i) {
        if (parts[i] == "state" && parts[i + 1] != "state" && (!found || inOptimizer)) {
            found = i;
            if (inOptimizer) {
                break;
            }
        }
        inOptimizer = inOptimizer || lowered(parts[i]).find("optim") != std::string::npos;
    }
    return found;
}

std::optional<StateName> ofTorch(std::string_view name, const std::vector<std::string_view>& parts,
                                 std::size_t key) {
    const std::string_view optimizer = joined(name, parts, 0, key + 1);
    if (const StateWord* first = stateWord(parts[key + 1]); first != nullptr && first->distinct) {
        return StateName{optimizer, joined(name, parts, key + 2, parts.size()), first};
    }
    if (const StateWord* last = stateWord(parts.back()); last != nullptr) {
        return StateName{optimizer, joined(name, parts, key + 1, parts.size() - 1), last};
    }
    return std::nullopt;
}

/// "w/.OPTIMIZER_SLOT/adam/m/.ATTRIBUTES/VARIABLE_VALUE"
std::optional<StateName> ofTensorFlow(std::string_view name) {
    constexpr std::string_view kSlot = "/.OPTIMIZER_SLOT/";
    const std::size_t at = name.find(kSlot);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t optimizer = at + kSlot.size();
    const std::size_t end = name.find('/', optimizer);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view slot = name.substr(end + 1, name.find('/', end + 1) - end - 1);
    const StateWord* word = stateWord(slot);
    return word == nullptr ? std::nullopt
                           : std::optional(StateName{name.substr(optimizer, end - optimizer),
                                                     name.substr(0, at), word});
}

/// "opt_state.0.mu.params.w": nothing but keys of the optimizer, numbers and wrappers in front.
std::optional<StateName> ofOptax(std::string_view name,
                                 const std::vector<std::string_view>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const StateWord* word = i == 0 ? nullptr : stateWord(parts[i]);
        if (word != nullptr) {
            return StateName{joined(name, parts, 0, i), joined(name, parts, i + 1, parts.size()),
                             word};
        }
        const bool known = isOnlyDigits(parts[i]) || isWrapperKey(parts[i]) ||
                           roleOfKey(parts[i]) == Role::Optimizer ||
                           std::ranges::find(kOptaxWrappers, parts[i]) != kOptaxWrappers.end();
        if (!known) {
            break;
        }
    }
    return std::nullopt;
}

} // namespace

const StateWord* stateWord(std::string_view part) {
    const auto found = std::ranges::find(kStateWords, part, &StateWord::text);
    return found == kStateWords.end() ? nullptr : &*found;
}

std::optional<StateName> stateName(std::string_view name) {
    if (auto slot = ofTensorFlow(name)) {
        return slot;
    }
    const std::vector<std::string_view> parts = partsOf(name);
    if (const auto key = stateKey(parts)) {
        if (auto torch = ofTorch(name, parts, *key)) {
            return torch;
        }
    }
    if (const StateWord* last = stateWord(parts.back()); last != nullptr && last->distinct) {
        return StateName{{}, joined(name, parts, 0, parts.size() - 1), last};
    }
    return ofOptax(name, parts);
}

std::string_view stateKindName(StateKind kind) {
    switch (kind) {
    case Average:
        return "first moment";
    case Square:
        return "second moment";
    case Counter:
        return "step counter";
    case Other:
        break;
    }
    return "state";
}

} // namespace cairn::names
