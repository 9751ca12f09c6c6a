// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/compute/compute_backend.h"
#include "core/compute/element_statistics.h"
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

/// Statistics of the elements of one tensor, or of several tensors; for quantised blocks, of their
/// numbers. min, max, mean, std, l1, l2 and absmax are over the finite elements (for complex ones,
/// over their modulus); std is that of the population. They are zero if `finite()` is zero.
/// Elements are added in a fixed order (core/compute/element_statistics.h), so that the result does
/// not depend on threads or splitting.
struct TensorStatistics : ElementStatistics {
    double l2 = 0;
    double absmax = 0;
    bool numeric = true;      ///< false: packed or opaque elements; only `count` is valid
    bool sampled = false;     ///< only some of the elements were examined
    ValueHistogram histogram; ///< empty unless requested

    [[nodiscard]] double std() const;
};

/// One pass over elements that arrive in chunks of any size. Not thread-safe.
class StatisticsKernel {
public:
    explicit StatisticsKernel(Dtype dtype, bool histogram = false);
    /// REQUIRES: complete elements, dense and little-endian.
    void add(std::span<const std::byte> bytes);
    /// Adds the statistics of a separately measured block. REQUIRES: no histogram; complete blocks
    /// so far.
    void addMeasured(const ElementStatistics& block);
    /// The result for the elements added so far.
    [[nodiscard]] TensorStatistics result() const;

private:
    void addBlock(std::span<const std::byte> bytes);

    Dtype m_dtype;
    bool m_numeric = true;
    std::uint64_t m_uncounted = 0; ///< non-numeric elements
    ElementStatistics m_total;     ///< complete segments
    ElementStatistics m_segment;
    std::size_t m_segmentBlocks = 0;
    std::vector<std::byte> m_pending;          ///< start of the next block
    std::vector<HistogramCounter> m_histogram; ///< one or none
};

struct StatisticsOptions {
    CancelToken cancel;
    bool sample =
        false; ///< for tensors above kSampleAbove: measure kSampleBlocks evenly distributed blocks
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes processed
    bool histogram = false;                         ///< costs about as much as everything else
    std::size_t threads = 0;                        ///< 0: one per processor, up to kMaxThreads
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

/// The same for many tensors on several threads, which share large tensors. Memory: 1 MiB a thread.
/// `done` (may be empty) is called with a position in `tensors` when its result is available, from
/// any thread, one call at a time. An unreadable tensor gets its error and the others continue;
/// after cancelling, the rest gets Cancelled.
std::vector<Result<TensorStatistics>>
measureTensors(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
               const StatisticsOptions& options,
               const std::function<void(std::size_t, const Result<TensorStatistics>&)>& done = {});

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
