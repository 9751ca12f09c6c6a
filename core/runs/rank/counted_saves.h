// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/experiment.h"
#include "core/runs/history/curve.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/own_numbers.h"

#include <string_view>
#include <vector>

/// What the judges of rows share (row_decision.h): a checkpoint with its number, and what is
/// compared with the rows. Pure.
namespace cairn {

struct CountedSave {
    const ScannedCheckpoint* checkpoint = nullptr; ///< of the run
    Number at;                                     ///< step or epoch, in the checkpoints' count
    std::vector<NamedDecimal> decimals = {};
};

/// A log may round a value to six digits.
inline constexpr double kRoundedValue = 1e-5;
/// Beyond this, two values are different measurements.
inline constexpr double kDifferentValue = 1e-3;
bool isCloseValue(double left, double right, double tolerance);

/// The value of the curve at exactly `x`; null: there is none.
const double* valueAt(const std::vector<ExactPoint>& curve, const Number& x);
/// The checkpoint's own value of the metric; null: it holds none.
const double* heldValue(const ScannedCheckpoint& checkpoint, std::string_view metric);
bool hasEvidence(const ScannedCheckpoint& checkpoint, std::string_view id);
/// The column of the series in its source.
Place placeIn(const RunHistory& history, const MetricSeries& series);

} // namespace cairn
