// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn {

/// Step and epoch in a file or folder name: "checkpoint-500", "global_step20", "iter_0000100",
/// "epoch=3-step=128.ckpt", "checkpoint_epoch_2.pt", "1000".
struct NamedPosition {
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
};
NamedPosition positionFromName(std::string_view name);

/// "step_100", "global_step20", "iter_0000100", "epoch-3", "checkpoint-500": a folder that is one
/// position of a run. Other words ("model_7b", "1000") do not suffice for a folder.
bool isPositionFolder(std::string_view name);

} // namespace cairn
