// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn {

/// Step and epoch in a file or folder name: "checkpoint-500", "global_step20", "iter_0000100",
/// "epoch=3-step=128.ckpt", "checkpoint_epoch_2.pt", "10epoch.pth", "net_g_5000.pth",
/// "ema_0.9999_010000.pt", "1000". Dates ("model_2026-11-01_10-00.pt", "model_20261101.pt"),
/// fractions, shard numbers and negative numbers are not positions, nor are two numbers after a
/// word for a save ("checkpoint_1_4.pt").
struct NamedPosition {
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    /// The step follows a word for a save or a model ("checkpoint_3"): it may count saves.
    bool mayCountSaves = false;
    friend bool operator==(const NamedPosition&, const NamedPosition&) = default;
};
NamedPosition positionFromName(std::string_view name);

/// "step_100", "global_step20", "iter_0000100", "epoch-3", "checkpoint-500": a folder that is one
/// position of a run. Other words ("model_7b", "1000") do not suffice for a folder.
bool isPositionFolder(std::string_view name);

} // namespace cairn
