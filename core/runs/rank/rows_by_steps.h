// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/rank/counted_saves.h"
#include "core/runs/rank/row_decision.h"

#include <optional>
#include <vector>

/// The step column as the unit of a log's rows: what speaks for it and against it. Pure.
namespace cairn {

struct StepRows {
    bool isPossible = false; ///< the rows and at least one checkpoint have steps
    std::vector<CountedSave> placed;
    /// Without a unit: what speaks against steps.
    std::vector<Claim<std::optional<RowUnit>>> claims;
};

/// As row_decision.h states. `series` belongs to the history.
StepRows stepRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series);

} // namespace cairn
