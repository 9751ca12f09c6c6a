// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/health.h"
#include "core/model/checkpoint.h"
#include "core/report/report.h"
#include "core/runs/compare/compare.h"
#include "core/runs/history/history.h"
#include "core/runs/table/run_grid.h"

#include <cstdint>
#include <span>
#include <string>

namespace cairn {

/// A run of a comparison. Borrowed.
struct ReportedRun {
    std::string name;
    const ScannedRun* run = nullptr; ///< null: without checkpoints
    const RunHistory* history = nullptr;
};

/// The sentence of compare_summary.h, the metrics with best and last values, the curves of the
/// first metrics, the settings that differ. `pairs`: each run but the first, compared with the
/// first.
Report comparisonReport(std::span<const ReportedRun> runs, std::span<const RunComparison> pairs);

/// The best of these rows by the leading metric, and the table, which is one of exactText().
Report runsReport(const std::string& title, const RunGrid& grid,
                  std::span<const std::uint32_t> rows, TextGrid table);

/// The verdict, what was checked, and every finding.
Report healthReport(const Checkpoint& checkpoint, const HealthReport& health);

} // namespace cairn
