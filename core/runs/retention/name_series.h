// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

/// The common pattern of the names of one writer's checkpoints: numbers that are positions or
/// metrics become '#'; others remain, because they distinguish models. "ckpt_100.pt" ->
/// "ckpt_#.pt", "fold_2_epoch_07-val_loss=0.15.ckpt" -> "fold_2_epoch_#-val_loss=#.#.ckpt". `step`
/// and `epoch` are those recorded in the checkpoint. Empty: no number in the name is known to be a
/// position. Pure.
std::string seriesOfName(std::string_view name, std::optional<std::int64_t> step,
                         std::optional<double> epoch);

} // namespace cairn
