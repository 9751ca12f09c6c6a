// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/element_statistics.h"
#include "core/compute/value_histogram.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

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

/// The derived figures of sums.
TensorStatistics statisticsOf(const ElementStatistics& sums);

/// One pass over elements that arrive in chunks of any size. Not thread-safe.
class StatisticsKernel {
public:
    explicit StatisticsKernel(Dtype dtype);
    /// From the next element on, also counts for a histogram.
    void countHistogram();
    /// From the next element on, also counts in `counter`, which belongs to the caller; null: no
    /// longer.
    void countIn(HistogramCounter* counter) { m_counter = counter; }
    /// REQUIRES: complete elements, dense and little-endian.
    void add(std::span<const std::byte> bytes);
    /// Adds the statistics of a separately measured block. REQUIRES: no histogram; complete blocks
    /// so far.
    void addMeasured(const ElementStatistics& block);
    /// The result for the elements added so far.
    [[nodiscard]] TensorStatistics result() const;

private:
    void count(std::span<const std::byte> bytes);

    Dtype m_dtype;
    bool m_numeric = true;
    std::uint64_t m_uncounted = 0; ///< non-numeric elements
    ElementStatistics m_total;     ///< complete segments
    ElementStatistics m_segment;
    std::size_t m_segmentBlocks = 0;
    std::vector<std::byte> m_pending;          ///< start of the next block
    std::vector<HistogramCounter> m_histogram; ///< one or none
    HistogramCounter* m_counter = nullptr;
};

} // namespace cairn
