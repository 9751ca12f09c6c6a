// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/space/cell_table.h"
#include "ui/pages/space/retention_controller.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <vector>

/// A retention plan as texts and rows.
namespace cairn::ui {

/// "run-a / step-500", or only the checkpoint's name if there is one run.
QString planName(const RetentionController::RunPlan& run, const std::filesystem::path& checkpoint,
                 bool several);

/// A size, sorted by its bytes.
CellTable::Cell sizeCell(std::uint64_t bytes);

/// Checkpoint, frees, why, what would be lost.
std::vector<CellTable::Column> planColumns();

/// What moves, then what is not touched, then what is kept. A row's key is its position in `paths`,
/// which is filled.
std::vector<CellTable::Row> planRows(const RetentionController::Outcome& outcome,
                                     std::vector<std::filesystem::path>& paths);

} // namespace cairn::ui
