// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/value.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/facts/index_stamp.h"
#include "core/runs/history/history.h"
#include "core/runs/rank/ranking.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// One table of every run, every metric and every setting: where a curve is, its number of points,
/// its last and its best value. The points stay in their files. Stored in the index cache: 1,500
/// runs with 1,500 metrics are 2.25 million cells of 48 bytes. run_grid.h shows it in columns.
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
    double best = 0;            ///< NaN if no value is finite, or the better direction is unknown
    std::int16_t lastXRest = 0; ///< what rounding to doubles took from integers, see Number
    std::int16_t lastRest = 0;
    std::int16_t bestXRest = 0;
    std::int16_t bestRest = 0;
};

/// A setting of a run (flatSettings()): a plain value, or an empty container.
struct RowSetting {
    std::string key;       ///< "optimizer.lr"
    Value value;           ///< if disputed, a text with all of them: "0.1 | 0.05"
    bool disputed = false; ///< the run's sources contain different values
};
inline constexpr std::size_t kMaxRowSettings = 5'000;

/// The shape of a curve, for a picture of a few pixels: its last value in each of at most
/// kMaxPoints equal parts of the steps; NaN in parts without a finite value.
struct CurveOutline {
    static constexpr std::size_t kMaxPoints = 48;
    std::string metric; ///< the one that ranks the checkpoints, else the first of metricRank()
    std::vector<float> values;
};

struct RunRow {
    std::string id; ///< ScannedRun::id
    IndexStamp stamp{};
    std::vector<RunSource> sources;
    std::shared_ptr<const std::vector<std::string>> names; ///< shared by runs with the same metrics
    std::vector<MetricCell> cells;                         ///< parallel to `names`
    RunScores scores;                                      ///< of its checkpoints
    std::vector<RowSetting> settings;     ///< of logs and the newest checkpoint, in natural order
    bool settingsCut = false;             ///< there were more than kMaxRowSettings
    std::vector<MetricGoal> goals;        ///< recorded directions; their sources are not stored
    std::optional<std::int64_t> lastStep; ///< the greatest recorded step of any curve
    std::optional<double> firstWall;      ///< seconds since 1970, of the curves' points
    std::optional<double> lastWall;
    CurveOutline outline;
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
