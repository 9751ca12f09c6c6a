// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/compute/element_statistics.h"
#include "core/runs/experiment.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/history/history.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The development of a tensor, a layer or all weights during a training run: their statistics in
/// every checkpoint of the run, in training order, as an additional curve beside the loss.
/// Checkpoints are read one after another; results are cached in the user's cache folder by the
/// stamp of the checkpoint's files.
namespace cairn {

enum class WeightMeasure : std::uint8_t {
    Mean,
    Std,
    L1,
    L2,
    AbsMax,
    Min,
    Max,
    Zeros,     ///< share of elements that are zero, 0…1
    NonFinite, ///< share of elements that are NaN or infinite, 0…1
    Change, ///< |this - previous| / |previous| in the L2 norm, relative to the previous checkpoint
};
inline constexpr std::size_t kWeightMeasures = 10;
std::string_view weightMeasureName(WeightMeasure measure); ///< "mean", …, "nonfinite", "change"

struct WeightRequest {
    /// Globs of full names; a full name selects that tensor, too. Empty: all weights
    /// (Role::Weight). If weights or buffers match, other matches (their moments in the optimizer)
    /// are ignored. Of tensors that share their elements one is counted.
    std::vector<std::string> tensors;
    bool change =
        false; ///< also compute WeightMeasure::Change, for which each checkpoint is read twice
};

/// One checkpoint of the run.
struct WeightStop {
    std::string name; ///< ScannedCheckpoint::name
    std::filesystem::path path;
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    std::int64_t modifiedNs = 0;
    std::uint64_t tensors = 0;             ///< number of measured tensors
    std::optional<ElementStatistics> sums; ///< over all of them; empty if there is an `error`
    std::optional<double> change;          ///< infinite if all previous elements are zero
    std::optional<Error> error;            ///< being written, unreadable, no such tensor
    bool fromCache = false;

    /// NaN if unknown, or if no element is finite.
    [[nodiscard]] double value(WeightMeasure measure) const;
};

struct WeightTimeline {
    std::vector<WeightStop> stops; ///< in training order, without links
    std::size_t measured = 0;      ///< number of stops with sums
    std::size_t fromCache = 0;
    /// One measure as a curve: a point for each stop that has it. Steps or epochs are set if all of
    /// these have one; `wall` is the time at which the checkpoint was written. `name`: name of the
    /// series.
    [[nodiscard]] MetricSeries series(WeightMeasure measure, std::string name) const;
};

struct WeightTimelineOptions {
    CancelToken cancel;
    std::size_t threads = 0; ///< for one checkpoint's tensors; 0: one per processor
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes read
    /// Called on the caller's thread after each stop with the number of finished stops and the
    /// total. May be empty.
    std::function<void(const WeightStop& stop, std::size_t done, std::size_t total)> done;
};

/// Measures stops that are not cached. `run`: as scanned; examined, if recorded steps should count.
/// Blocks: call it on a separate thread. Memory: the indexes of two checkpoints and 2 MiB a thread.
/// An unreadable checkpoint gets its error and the others continue; one whose files change
/// meanwhile gets ChangedOnDisk. Fails with InvalidArgument (a glob), TensorNotFound if no readable
/// checkpoint has such a tensor, and Cancelled; finished stops stay cached.
Result<WeightTimeline> weightTimeline(const ScannedRun& run, const WeightRequest& request,
                                      const IndexCache& cache,
                                      const WeightTimelineOptions& options = {});

} // namespace cairn
