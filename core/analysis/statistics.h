// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/statistics_kernel.h"
#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/compute/compute_backend.h"
#include "core/compute/value_histogram.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn {

struct PassBuffer;
class SharedHistogram;

struct StatisticsOptions {
    CancelToken cancel;
    bool sample =
        false; ///< for tensors above kSampleAbove: measure kSampleBlocks evenly distributed blocks
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes processed
    bool histogram = false;                         ///< costs about as much as everything else
    /// Gets the counts instead of each tensor's histogram, but of a sampled one; internal to
    /// measureTogether(). May be null.
    SharedHistogram* shared = nullptr;
    std::size_t threads = 0; ///< 0: one per processor, up to kMaxThreads
    /// Computes everything except samples and histograms; 16 MiB a thread. Null: the processor's
    /// kernels, whose sums do not depend on threads and which can work in place.
    ComputeBackendPtr backend;
    static constexpr std::uint64_t kSampleAbove = std::uint64_t{64} << 20U;
    static constexpr std::uint64_t kSampleBlocks = 64;
    static constexpr std::size_t kMaxThreads = 16;
};

/// Reads the tensor once, on this thread. Fails with the errors of reading, or Cancelled.
Result<TensorStatistics> tensorStatistics(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                          const StatisticsOptions& options, PassBuffer& buffer);

using MeasuredTensor = std::function<void(std::size_t, const Result<TensorStatistics>&)>;

/// The same for many tensors on several threads, which share large tensors. Memory: 1 MiB a thread.
/// `done` (may be empty) is called with a position in `tensors` when its result is available, from
/// any thread, one call at a time. An unreadable tensor gets its error and the others continue;
/// after cancelling, the rest gets Cancelled.
std::vector<Result<TensorStatistics>> measureTensors(const Checkpoint& checkpoint,
                                                     std::span<const TensorIndex> tensors,
                                                     const StatisticsOptions& options,
                                                     const MeasuredTensor& done = {});

/// The combined statistics of several tensors, added in order: a module, a selection, a checkpoint.
/// Keeps one histogram, however many are added. Non-numeric tensors are ignored.
class StatisticsSum {
public:
    void add(const TensorStatistics& part);
    [[nodiscard]] TensorStatistics result() const;

private:
    ElementStatistics m_sums;
    ValueHistogram m_histogram;
    bool m_sampled = false;
};

/// The combined statistics of all parts.
TensorStatistics together(std::span<const TensorStatistics> parts);

/// As measureTensors(), some tensors at a time, so that memory does not grow with their number: at
/// most kMeasuredAtOnce histograms are kept. `take` gets each result in order, on this thread; an
/// error from it ends the measurement.
inline constexpr std::size_t kMeasuredAtOnce = 512;
Result<void>
measureInOrder(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
               const StatisticsOptions& options,
               const std::function<Result<void>(std::size_t, Result<TensorStatistics>)>& take);

/// The combined statistics of all tensors. Fails with the first tensor's error, or Cancelled.
Result<TensorStatistics> measureTogether(const Checkpoint& checkpoint,
                                         std::span<const TensorIndex> tensors,
                                         const StatisticsOptions& options);

} // namespace cairn
