// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/experiment.h"

#include <QString>

#include <filesystem>

namespace cairn::ui {

/// A run of the navigator: its path, the folder in which its logs may be, and its checkpoints. A
/// plain value.
struct RunPlace {
    std::filesystem::path path;
    std::filesystem::path root; ///< the opened experiment
    QString name;
    ScannedRun run;
    int mark = -1; ///< 0: A of the comparison, 1: B; its curves look the same everywhere
};

} // namespace cairn::ui
