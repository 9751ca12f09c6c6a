// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"
#include "core/plan/consolidate.h"

#include <filesystem>

/// Facts about the locations of a source and its output on the disk. Reads (stat, statfs), writes
/// nothing. Any thread.
namespace cairn {

/// The nearest folder above the output that exists: the output's own may have to be made.
std::filesystem::path existingFolder(const std::filesystem::path& output);

/// The output's path with all links above its own name resolved: equal for equal places.
std::filesystem::path canonicalOutput(const std::filesystem::path& output);

/// Determines whether the source still exists, whether the output exists, is the source or is
/// inside it, and the free space. The other facts keep their defaults.
PlanFacts placeFacts(const Checkpoint& source, const std::filesystem::path& output);

} // namespace cairn
