// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/row_roles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace cairn::history {
namespace {

/// The most reliable names first.
constexpr auto kSteps = std::to_array<std::string_view>({
    "step",                 // Lightning, most loops
    "global_step",          // Trainer, TensorBoard exports
    "trainer/global_step",  // Lightning through W&B
    "train/global_step",    // Trainer through W&B
    "training/global_step", // verl
    "current_steps",        // LLaMA-Factory
    "num_updates",          // fairseq
    "iteration",            // Megatron, detectron2
    "iterations",
    "train_step",
    "train_steps",
    "iter", // mmengine, nanoGPT
    "it",
    "update",
    "updates",
    "training_iteration",   // Ray Tune
    "time/total_timesteps", // Stable-Baselines3
    "total_timesteps",
    "timesteps_total", // RLlib
    "timesteps",
    "num_env_steps",
    "num_env_steps_sampled_lifetime", // RLlib
    "_step",                          // W&B: calls of its log function
    "tokens",
    "num_tokens",
    "total_tokens",
    "tokens_seen",
    "train/tokens",
});
/// From this name on, the columns count something other than steps of training.
constexpr std::string_view kFirstOther = "_step";
constexpr auto kEpochs =
    std::to_array<std::string_view>({"epoch", "epochs", "current_epoch", "train/epoch"});
constexpr auto kWalls = std::to_array<std::string_view>(
    {"_timestamp", "timestamp", "wall_time", "walltime", "wall time", "time"});

} // namespace

RoleOfName roleOfName(std::string_view name) {
    constexpr std::size_t kLongest = 32;
    if (name.size() > kLongest) {
        return {};
    }
    std::string lower(name);
    for (char& c : lower) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (const auto* found = std::find(kSteps.begin(), kSteps.end(), lower); found != kSteps.end()) {
        const bool isOther = found >= std::find(kSteps.begin(), kSteps.end(), kFirstOther);
        return {ColumnRole::Step, static_cast<int>(found - kSteps.begin()),
                isOther ? Strength::Named : Strength::Recorded, *found};
    }
    if (const auto* found = std::find(kEpochs.begin(), kEpochs.end(), lower);
        found != kEpochs.end()) {
        return {ColumnRole::Epoch, static_cast<int>(found - kEpochs.begin())};
    }
    if (const auto* found = std::find(kWalls.begin(), kWalls.end(), lower); found != kWalls.end()) {
        return {ColumnRole::Wall, static_cast<int>(found - kWalls.begin())};
    }
    return {};
}

std::optional<double> wallTime(double number) {
    constexpr double kEarliest = 631'152'000; // 1990
    constexpr double kLatest = 4'102'444'800; // 2100
    if (number >= kEarliest && number < kLatest) {
        return number;
    }
    if (number >= kEarliest * 1000 && number < kLatest * 1000) {
        return number / 1000;
    }
    return std::nullopt;
}

} // namespace cairn::history
