// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/checkpoint_values/checkpoint_values.h"

#include "core/runs/history/common/series_table.h"
#include "core/runs/history/join_series.h"
#include "core/runs/run_counts.h"

#include <algorithm>

namespace cairn {

void addCheckpointValues(RunHistory& history, const ScannedRun& run) {
    using history::RowPlace;
    history::SeriesTable table;
    std::size_t number = 0;
    std::size_t unplaced = 0;
    std::size_t unread = 0;
    const EvidentSaves saves(run);
    for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
        if (!saves.has(checkpoint)) {
            continue;
        }
        const auto count = static_cast<double>(number++);
        unread += checkpoint.examined && !checkpoint.opened ? 1 : 0;
        if (checkpoint.metrics.empty()) {
            continue;
        }
        unplaced += checkpoint.step || checkpoint.epoch ? 0 : 1;
        RowPlace place;
        place.step =
            checkpoint.step ? Number(*checkpoint.step) : Number(checkpoint.epoch.value_or(count));
        place.epoch = checkpoint.epoch.value_or(history::kNothing);
        for (const auto& [name, value] : checkpoint.metrics) {
            table.add(name, place, value);
        }
    }
    if (table.points() == 0) {
        return;
    }
    HistorySource source{"checkpoint_values", run.path, 0, table.notices()};
    const auto report = [&](std::size_t checkpoints, ErrorCode code, Sentence message) {
        if (checkpoints > 0) {
            source.warnings.push_back(
                {Severity::Info, fail(code, message)
                                     .inFile(run.path.string())
                                     .butFound(sentence("%1 checkpoints", checkpoints))});
        }
    };
    report(unplaced, ErrorCode::HistoryNoStep,
           "Some checkpoints have no step; they are ordered by time");
    report(unread, ErrorCode::HistorySkipped,
           "Some checkpoints cannot be read and are not plotted");
    const auto index = static_cast<std::uint32_t>(history.sources.size());
    history.sources.push_back(std::move(source));
    for (MetricSeries& series : table.take()) {
        series.source = index;
        series = risingCurve(std::move(series)); // several checkpoints may have the same step
        const auto place =
            std::upper_bound(history.series.begin(), history.series.end(), series.name,
                             [](const std::string& name, const MetricSeries& each) {
                                 return metricNameLess(name, each.name);
                             });
        history.series.insert(place, std::move(series));
    }
}

} // namespace cairn
