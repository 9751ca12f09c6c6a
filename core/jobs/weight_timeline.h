// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/base/result.h"
#include "core/compute/element_statistics.h"
#include "core/runs/experiment.h"
#include "core/runs/history/history.h"
#include "core/runs/index_cache.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How a tensor, a layer or all weights went through a training run: statistics of them in every
/// checkpoint of the run, in training order, as one more curve beside the loss. One checkpoint is
/// read after another; what was once measured is kept in the user's cache folder by the stamp of
/// the checkpoint's files.
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
    Change,    ///< |this - previous| / |previous| in the L2 norm, against the checkpoint before
};
inline constexpr std::size_t kWeightMeasures = 10;
std::string_view weightMeasureName(WeightMeasure measure); ///< "mean", …, "nonfinite", "change"

struct WeightRequest {
    /// Globs of full names; a name itself selects that tensor too. None: all weights
    /// (Role::Weight). Where weights or buffers match, what else does (their moments in the
    /// optimizer) does not count. Of tensors that share their elements one is counted.
    std::vector<std::string> tensors;
    bool change = false; ///< also WeightMeasure::Change, for which each checkpoint is read twice
};

/// One checkpoint of the run.
struct WeightStop {
    std::string name; ///< ScannedCheckpoint::name
    std::filesystem::path path;
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    std::int64_t modifiedNs = 0;
    std::uint64_t tensors = 0;             ///< how many were measured together
    std::optional<ElementStatistics> sums; ///< of all of them; nothing when `error` states why
    std::optional<double> change;          ///< infinite when the previous ones are all zero
    std::optional<Error> error;            ///< being written, unreadable, without such a tensor
    bool fromCache = false;

    /// NaN where it is not known, or no element is finite.
    [[nodiscard]] double value(WeightMeasure measure) const;
};

struct WeightTimeline {
    std::vector<WeightStop> stops; ///< training order, without links
    std::size_t measured = 0;      ///< stops with sums
    std::size_t fromCache = 0;
    /// One measure as a curve: a point for each stop that has it. Steps or epochs are there where
    /// all of those have one; wall is when the checkpoint was written. `name`: as it shall be
    /// called.
    [[nodiscard]] MetricSeries series(WeightMeasure measure, std::string name) const;
};

struct WeightTimelineOptions {
    CancelToken cancel;
    std::size_t threads = 0; ///< for one checkpoint's tensors; 0: as many as there are processors
    std::atomic<std::uint64_t>* progress = nullptr; ///< bytes read are added to it
    /// Called on the caller's thread as soon as a stop is known: how many are, of how many. May be
    /// empty.
    std::function<void(const WeightStop& stop, std::size_t done, std::size_t total)> done;
};

/// Measures what is not in the cache. `run`: as scanned; examined, if steps inside are to count.
/// Blocks: call it on a thread of your own. Memory: the indexes of two checkpoints and 2 MiB a
/// thread. A checkpoint that cannot be read has its error and the others continue; one whose files
/// change meanwhile has ChangedOnDisk. Fails with InvalidArgument (a glob), TensorNotFound when no
/// readable checkpoint has such a tensor, and Cancelled: what was measured until then is kept.
Result<WeightTimeline> weightTimeline(const ScannedRun& run, const WeightRequest& request,
                                      const IndexCache& cache,
                                      const WeightTimelineOptions& options = {});

} // namespace cairn
