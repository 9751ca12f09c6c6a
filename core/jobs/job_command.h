// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/header_edit.h"
#include "core/plan/consolidate.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// The words of cairn-cli, without the program's name, that make the same plan: the verb, whole
/// paths of the sources, then one word for each option ("--to=dcp"; a value may begin with a dash).
/// What prepareConsolidate() takes and no word states (`container`, `tied`, `metadata`) must be at
/// its default. Pure.
std::vector<std::string> jobCommand(const std::filesystem::path& source,
                                    const ConsolidateOptions& options);

/// The words of `cairn-cli edit` that plan the same changes, and do them with `apply`. Of the rules
/// `changes.renameText` counts. Pure. Fails: InvalidArgument for a key that no word can state.
Result<std::vector<std::string>> editCommand(const std::filesystem::path& file,
                                             const HeaderChanges& changes,
                                             const HeaderEditOptions& options, bool apply);

} // namespace cairn
