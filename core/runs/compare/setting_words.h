// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The meaning of setting names. Pure; any thread.
namespace cairn {

/// Whether a setting names a run rather than its training: "output_dir", "run_name", "wandb_id".
bool namesRun(std::string_view key);

/// Rank of a setting for a short text: learning rate, batch size, optimizer … come first, unknown
/// names after them, seeds and settings of logging last. Lower means earlier.
int settingRank(std::string_view key);

/// The last part of a dotted key; with its list position: "betas.0".
std::string_view lastPartOf(std::string_view key);

} // namespace cairn
