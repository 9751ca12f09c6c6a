// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

#include <filesystem>

/// One curve for each metric of a training, whatever files it was logged to. All views,
/// comparisons, scores and tables use the result. Pure.
namespace cairn {

/// Replaces `history.series`, as returned by the readers, by curves: the points of one training in
/// ascending steps, one value per step. If a step was logged several times, the last value is used
/// and the others are in MetricSeries::replaced. Points at which training was resumed from an
/// earlier step are in MetricSeries::restarts.
///
/// Sources of one training are joined: several files of one writer (SourceLineage::stream); logs in
/// numbered folders whose steps continue each other, such as Lightning's version_0 and version_1
/// after a resume; logs of any kind where one begins where the other ends. They are ordered by
/// their recorded times, else by name, else by file time. A log that begins again is another
/// training and stays a separate series, and so does the same metric with a different unit of
/// steps. Curves of training and validation data with the same name ("train/events…" and
/// "validation/events…") are distinguished by a prefix for the latter: "validation/epoch_loss".
///
/// `run`: the requested folder. O(points), and O(n log n) for those that are not in order.
void joinSeries(RunHistory& history, const std::filesystem::path& run);

/// The same for the points of a single source.
MetricSeries risingCurve(MetricSeries written);

} // namespace cairn
