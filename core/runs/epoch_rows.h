// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/compare.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"

#include <optional>
#include <vector>

/// Which row of a log by epochs a checkpoint was saved after. Logs and checkpoints count epochs
/// each from 0 or from 1: Keras' CSVLogger writes row 0 for the epoch after which ModelCheckpoint
/// saves "…-01.keras". Only what lies there decides; where it does not, nothing is matched. Pure.
namespace cairn {

/// For each checkpoint of the run the epoch, as `series` counts them, that it was saved after;
/// nothing for links, for those that tell no epoch, and for all where it cannot be told how the
/// two count. `series`: one of the history's.
std::vector<std::optional<double>> epochRows(const ScannedRun& run, const RunHistory& history,
                                             const MetricSeries& series);

/// The series by its epochs; of one that tells none by what stands for them.
std::vector<CurvePoint> curveByEpochs(const MetricSeries& series);

} // namespace cairn
