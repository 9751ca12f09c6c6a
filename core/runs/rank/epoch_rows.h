// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"
#include "core/runs/history/curve.h"
#include "core/runs/history/history.h"

#include <optional>
#include <vector>

/// Finds the row of a log by epochs after which a checkpoint was saved. Logs and checkpoints may
/// count epochs from 0 or from 1: Keras' CSVLogger logs row 0 for the epoch after which
/// ModelCheckpoint saves "…-01.keras". Without evidence in the data nothing is matched. Pure.
namespace cairn {

/// For each checkpoint of the run, the epoch (in the count of `series`) after which it was saved;
/// empty for links, for checkpoints without an epoch, and for all of them if the relation of the
/// two counts is unknown. `series` belongs to the history.
std::vector<std::optional<double>> epochRows(const ScannedRun& run, const RunHistory& history,
                                             const MetricSeries& series);

/// The series by epoch, or by the column that is used instead of epochs.
std::vector<CurvePoint> curveByEpochs(const MetricSeries& series);

} // namespace cairn
