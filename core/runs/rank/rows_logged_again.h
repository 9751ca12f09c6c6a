// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/rank/row_decision.h"

#include <cstddef>

/// Attempts of one training, after restarts, have different weights at the same step. Pure.
namespace cairn {

/// A checkpoint that an attempt may have saved which measured another value than that of its row:
/// the match is undecided. Null: none. An attempt may have saved at all steps from one interval
/// before its first row to one after its last; the interval is the widest distance of its rows. Of
/// one row, it is that of all attempts, or the distance from the save before if that is wider.
///
/// It was saved again by the attempt of its row if it holds the value of the row, or if the resumed
/// attempt saved at its step as well: beyond the steps of the others there are two saves of that
/// attempt or more, and all from this checkpoint to the second of them have the same distance, so
/// that its interval is known. An attempt that ended before it reached a step of its own proves
/// nothing. The times of the files must agree, and are no evidence alone: files may have been
/// copied in any order.
///
/// REQUIRES: not hasTooManyAttempts().
const ScannedCheckpoint* loggedAgain(const ScannedRun& run, const MetricSeries& series,
                                     const RowMatch& match);

/// Whether a curve has too many attempts to compare each with that many saves: which of them saved
/// a checkpoint is undecided. Linear in the points.
bool hasTooManyAttempts(const MetricSeries& series, std::size_t saves);

} // namespace cairn
