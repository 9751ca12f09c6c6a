// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/experiment.h"
#include "core/runs/history/curve.h"
#include "core/runs/history/history.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Decides what the rows of a curve count, and which row is a checkpoint's. Pure.
///
/// Saves, if the log records with which row each checkpoint was saved (Ray): Recorded.
/// Steps, if the log records steps and the checkpoints have any (of Lightning the batches that its
/// loggers count):
///   Proven    a metric in a checkpoint equals the row at its step (in each checkpoint, where
///             the column may count something else)
///   Recorded  the step column; the epochs of checkpoints and rows agree over two epochs or more
///   against   a held-out metric in a checkpoint differs from that row; the epochs of checkpoints
///             and rows differ by other numbers at different steps; checkpoints lie beyond the end
///             of the log, or where its next row is due while none is at a row (only Named if the
///             epochs agree, or if the step column and the checkpoint's field have one declared
///             name, "global_step": the log ended earlier). Where nothing but the step column
///             speaks for it, also: the log goes on to about twice the newest checkpoint's number;
///             one of the two counts iterations and the other steps; the numbers are of names and
///             may count saves
/// A log that counts from step 0 may count each step one less than the checkpoints, as Lightning's
/// loggers do, or its rows: two rows that follow each other at a checkpoint's step, or anywhere
/// after the first two, speak against steps, too, and so do rows at 3, 7, 11 if too few checkpoints
/// are at such numbers to exclude chance.
///
/// Epochs, else. Logs and checkpoints may count them from 0 or from 1 (Keras logs row 0 for the
/// epoch after which "…-01.keras" is saved, Ultralytics row 1 for epoch 0), so that a checkpoint's
/// row is that of its epoch, the one before or the one after:
///   Proven    what checkpoints hold ("val_loss") or have in their names ("model.03-1.6806.keras")
///             is in one of these rows only; recorded steps in proportion to the epochs that are
///             done; each of three or more rows has its checkpoint, unless recorded steps show
///             checkpoints within epochs. Nothing is decided where an
///             epoch has several checkpoints of different steps
///   Recorded  only one of these rows exists for all checkpoints: both begin with 0. Where a log
///             begins with row 1, the newest checkpoint may have been saved before its row was
///             logged, so that the ends prove nothing
/// Attempts of one training, after restarts, have other weights at the same step. Where several may
/// have saved a checkpoint with different values, its row is decided only if the checkpoint holds
/// its value, or if the interval of the row's attempt shows that it saved at that step again
/// (rows_logged_again.h).
///
/// Row numbers, W&B's "_step", columns without a name and file times never match alone. Undecided:
/// no checkpoint has a row.
namespace cairn {

enum class RowUnit : std::uint8_t { Steps, Batches, Epochs };

struct RowMatch {
    Decided<RowUnit> unit;
    /// For each checkpoint of the run its position on the curve; empty for links, without a
    /// position, and for all if the unit is undecided.
    std::vector<std::optional<Number>> places;
    std::vector<ExactPoint> curve; ///< over that unit
};

/// `series` belongs to the history.
RowMatch decideRows(const ScannedRun& run, const RunHistory& history, const MetricSeries& series);

/// The last position to which a curve's values apply: the last point plus the widest gap between
/// two points, at least 1.
Number endOf(const std::vector<ExactPoint>& curve);

} // namespace cairn
