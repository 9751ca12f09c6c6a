// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/engine/engine.h"

#include <filesystem>
#include <optional>
#include <string>

namespace cairn {

/// The report of the job with this layoutDigest() if it has published `output`: the manifest names
/// the plan, and every file that it lists is there with its size. Nothing is hashed, because all
/// parts of an array that is submitted again ask for it. Empty: the output is missing, of another
/// job, or changed.
std::optional<JobReport> finishedOutput(const std::filesystem::path& output,
                                        const std::string& digest);

} // namespace cairn
