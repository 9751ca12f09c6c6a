// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/rank/row_decision.h"

/// The rows of a step that was logged again, after a restart, are of different weights. Pure.
namespace cairn {

/// A checkpoint whose row was logged again with another value and that may have been saved before:
/// the match is undecided. Null: none.
///
/// It was saved again if it holds the value of the row, or if the resumed attempt saved at its step
/// as well: beyond the rows that it logged again there are two saves of that attempt or more, and
/// all from this checkpoint to the second of them have the same distance, so that its interval
/// is known. An attempt that ended before it reached a step of its own proves nothing. The times
/// of the files must agree, and are no evidence alone: files may have been copied in any order.
const ScannedCheckpoint* loggedAgain(const ScannedRun& run, const MetricSeries& series,
                                     const RowMatch& match);

} // namespace cairn
