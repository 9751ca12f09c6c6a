// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/table/run_grid.h"

#include <cstdint>
#include <span>
#include <utility>

namespace cairn {

/// Fills the different values of a setting (`values`, in ascending order, numbers first, each with
/// the text that is shown), and which of them each run has (`ofRow`, which has an element for each
/// row). `given`: rows and what their runs record. Text equals a number that another run records as
/// a number. Pure; n log n in the values.
void collectValues(GridSetting& setting,
                   std::span<const std::pair<std::uint32_t, const RowSetting*>> given);

} // namespace cairn
