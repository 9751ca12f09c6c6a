// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/plan/consolidate.h"

#include <filesystem>

/// The formats as needed by the planner. Pure.
namespace cairn {

/// The planner's view of a format.
LayoutTarget layoutTarget(const FormatInfo& format);

/// The format in which a file of that name's ending is written; null: none.
const FormatInfo* formatForEnding(const std::filesystem::path& output);

} // namespace cairn
