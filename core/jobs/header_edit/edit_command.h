// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/header_edit/header_edit.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// Whether an edit is only shown or also applied.
enum class EditRun : std::uint8_t { Plan, Apply };

/// The arguments of `cairn-cli edit` that plan or execute the same changes. For the rules
/// `changes.renameText` is used. Pure. Fails: InvalidArgument for a key that cannot be an argument.
Result<std::vector<std::string>> editCommand(const std::filesystem::path& file,
                                             const HeaderChanges& changes,
                                             const HeaderEditOptions& options, EditRun run);

} // namespace cairn
