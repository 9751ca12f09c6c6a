// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/header_edit/header_edit.h"
#include "core/plan/consolidate.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// The arguments of cairn-cli that make the same plan: the verb, absolute paths of the sources,
/// then one argument for each option ("--to=dcp"; a value may begin with a dash). Options of
/// prepareConsolidate() without an argument (`container`, `tied`, `metadata`) must have their
/// defaults. Pure.
std::vector<std::string> jobCommand(const std::filesystem::path& source,
                                    const ConsolidateOptions& options);

/// Whether an edit is only shown or also applied.
enum class EditRun : std::uint8_t { Plan, Apply };

/// The arguments of `cairn-cli edit` that plan or execute the same changes. For the rules
/// `changes.renameText` is used. Pure. Fails: InvalidArgument for a key that cannot be an argument.
Result<std::vector<std::string>> editCommand(const std::filesystem::path& file,
                                             const HeaderChanges& changes,
                                             const HeaderEditOptions& options, EditRun run);

} // namespace cairn
