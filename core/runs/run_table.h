// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/index_cache.h"
#include "core/runs/ranking.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// One table of every run and every metric: where a curve is, its number of points, its last and
/// its best value. The points stay in their files. Stored in the index cache: 1,500 runs with 1,500
/// metrics are 2.25 million cells of 40 bytes.
namespace cairn {

struct RunSource {
    std::string kind;
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::vector<std::uint32_t>
        metrics; ///< indices into RunRow::names: the metrics with points in it
};

/// One curve (join_series.h); x is its step, else its position.
struct MetricCell {
    std::uint32_t source = 0; ///< index into RunRow::sources; see MetricSeries
    std::uint32_t points = 0;
    double lastX = 0;
    double last = 0; ///< may be NaN or infinite
    double bestX = 0;
    double best = 0; ///< NaN if no value is finite, or the better direction is unknown
};

struct RunRow {
    std::string id; ///< ScannedRun::id
    IndexStamp stamp{};
    std::vector<RunSource> sources;
    std::shared_ptr<const std::vector<std::string>> names; ///< shared by runs with the same metrics
    std::vector<MetricCell> cells;                         ///< parallel to `names`
    RunScores scores;                                      ///< of its checkpoints
};

struct RunTable {
    std::vector<RunRow> rows; ///< parallel to Experiment::runs
    std::size_t fromCache = 0;
    std::vector<Notice> notices;
    [[nodiscard]] const RunRow* find(std::string_view id) const;
};

/// Calls its argument for each index below a count, on any number of threads.
using ForEach = std::function<void(std::size_t, const std::function<void(std::size_t)>&)>;

/// Reads the histories of all runs (unchanged ones from the cache), sets the checkpoints' scores
/// and sorts them. `experiment`: already examined, if recorded steps should count. Without
/// `forEach` one run after another. Fails only with Cancelled; a run with an unreadable history
/// becomes a notice.
Result<RunTable> readRunTable(Experiment& experiment, const IndexCache& cache,
                              const CancelToken& cancel = {}, const ForEach& forEach = {});

} // namespace cairn
