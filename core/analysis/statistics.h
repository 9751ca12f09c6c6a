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

/// Statistics of one tensor's elements, or of several tensors' together; of quantised blocks, of
/// the numbers that they stand for. min, max, mean, std, l1, l2 and absmax are those of the finite
/// elements (of complex ones: of their modulus); std is that of the population. They are zero when
/// `finite()` is. Elements are added in a fixed order (core/compute/element_statistics.h), so that
/// neither threads nor cuts show in a digit.
struct TensorStatistics : ElementStatistics {
    double l2 = 0;
    double absmax = 0;
    bool numeric = true;      ///< false: packed or opaque elements, nothing but `count` is known
    bool sampled = false;     ///< only some of the elements were examined
    ValueHistogram histogram; ///< empty unless asked for

    [[nodiscard]] double std() const;
};

/// One pass over elements that come in chunks of any size. One thread at a time.
class StatisticsKernel {
public:
    explicit StatisticsKernel(Dtype dtype, bool histogram = false);
    /// REQUIRES: whole elements, dense and little-endian.
    void add(std::span<const std::byte> bytes);
    /// A block that was measured elsewhere. REQUIRES: no histogram; complete blocks so far.
    void addMeasured(const ElementStatistics& block);
    /// Of what was added so far.
    [[nodiscard]] TensorStatistics result() const;

private:
    void addBlock(std::span<const std::byte> bytes);

    Dtype m_dtype;
    bool m_numeric = true;
    std::uint64_t m_uncounted = 0; ///< elements that are not numeric
    ElementStatistics m_total;     ///< whole segments
    ElementStatistics m_segment;
    std::size_t m_segmentBlocks = 0;
    std::vector<std::byte> m_pending;          ///< begins the next block
    std::vector<HistogramCounter> m_histogram; ///< one or none
};

struct StatisticsOptions {
    CancelToken cancel;
    bool sample = false; ///< tensors above kSampleAbove: kSampleBlocks blocks spread evenly
    std::atomic<std::uint64_t>* progress = nullptr; ///< bytes done so far are added to it
    bool histogram = false;                         ///< costs about as much as all the rest
    std::size_t threads = 0; ///< 0: as many as there are processors, up to kMaxThreads
    /// Measures what is not sampled and has no histogram; 16 MiB a thread. Null: the processor,
    /// whose sums do not depend on threads and come from where the elements are.
    ComputeBackendPtr backend;
    static constexpr std::uint64_t kSampleAbove = std::uint64_t{64} << 20U;
    static constexpr std::uint64_t kSampleBlocks = 64;
    static constexpr std::size_t kMaxThreads = 16;
};

/// Reads the tensor once, on this thread. Fails with the errors of reading, or Cancelled.
Result<TensorStatistics> tensorStatistics(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                          const StatisticsOptions& options, PassBuffer& buffer);

/// The same for many tensors on several threads, which share large tensors. Memory: 1 MiB a thread.
/// `done` (may be empty) is called with a position in `tensors` as soon as that result stands, from
/// any thread, one call at a time. A tensor that cannot be read has its error and the others
/// continue; once cancelled, what is left has Cancelled.
std::vector<Result<TensorStatistics>>
measureTensors(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
               const StatisticsOptions& options,
               const std::function<void(std::size_t, const Result<TensorStatistics>&)>& done = {});

/// Several tensors' statistics as one, added in order: a module, a selection, a checkpoint. Keeps
/// one histogram, however many are added. Parts without numbers count nothing.
class StatisticsSum {
public:
    void add(const TensorStatistics& part);
    [[nodiscard]] TensorStatistics result() const;

private:
    ElementStatistics m_sums;
    ValueHistogram m_histogram;
    bool m_sampled = false;
};

/// Those of all of them together.
TensorStatistics together(std::span<const TensorStatistics> parts);

/// As measureTensors(), some tensors at a time, so that memory does not grow with their number and
/// no more than kMeasuredAtOnce histograms are kept at once. `take` gets each result in order, on
/// this thread; what it fails with ends the measurement.
inline constexpr std::size_t kMeasuredAtOnce = 512;
Result<void>
measureInOrder(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
               const StatisticsOptions& options,
               const std::function<Result<void>(std::size_t, Result<TensorStatistics>)>& take);

/// All of the tensors as one. Fails with the first tensor's error, or Cancelled.
Result<TensorStatistics> measureTogether(const Checkpoint& checkpoint,
                                         std::span<const TensorIndex> tensors,
                                         const StatisticsOptions& options);

} // namespace cairn
