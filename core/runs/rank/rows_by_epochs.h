// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/history/curve.h"
#include "core/runs/rank/counted_saves.h"

#include <vector>

/// Epochs as the unit of a log's rows: decides the difference between the epochs of checkpoints and
/// rows. Pure.
namespace cairn {

struct EpochRows {
    std::vector<CountedSave> placed;
    std::vector<ExactPoint> curve; ///< over epochs, or over the column that is used instead
    Decided<double> offset;        ///< of the checkpoints' epochs from those of their rows
};

/// As row_decision.h states. `series` belongs to the history.
EpochRows epochRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series);

} // namespace cairn
