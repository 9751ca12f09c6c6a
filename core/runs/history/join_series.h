// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <filesystem>

/// One curve for each metric of a training, from whatever files it was written to. Everything that
/// draws, compares, scores or lists a curve uses the result. Pure.
namespace cairn {

/// Replaces `history.series`, which are as the readers give them, by curves: the points of one
/// training in rising steps, one value a step. Of several the one that was written last counts; the
/// others are in MetricSeries::replaced. Where training continued from an earlier step than it had
/// reached is in MetricSeries::restarts.
///
/// Joined are the sources of one training: several files of one writer (SourceLineage::stream);
/// logs in numbered folders whose steps continue each other, as Lightning's version_0 and version_1
/// do after a resume; logs of any kind where one begins where the other ends. In the order of the
/// times that they record, else of their names, else of the files' times. What begins again is
/// another training and stays a series of its own, and so does the same metric in other units of
/// its steps. Curves of training and of validation data that have one name ("train/events…" and
/// "validation/events…") are distinguished by the word in front of the latter:
/// "validation/epoch_loss".
///
/// `run`: the folder that was asked for. O(points), and O(n log n) for those that are not in order.
void joinSeries(RunHistory& history, const std::filesystem::path& run);

/// The same for the points of one source alone.
MetricSeries risingCurve(MetricSeries written);

} // namespace cairn
