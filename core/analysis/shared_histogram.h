// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/statistics_kernel.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace cairn {

/// One histogram of many tensors, counted by several threads. A counter's table is larger than a
/// small tensor by far, so that each thread borrows one and counts many tensors with it. Any
/// thread.
class SharedHistogram {
public:
    using Counter = std::unique_ptr<HistogramCounter>;

    /// REQUIRES: canMeasure(dtype).
    Counter borrow(Dtype dtype);
    /// What a counter counted that is not given back is missing in the result.
    void giveBack(Dtype dtype, Counter counter);
    [[nodiscard]] ValueHistogram result() const;

private:
    mutable std::mutex m_mutex;
    std::map<Dtype, std::vector<Counter>> m_free;
};

/// While it lives, `kernel` counts for the shared histogram, or, if that is null, for its own.
class Counting {
public:
    Counting(SharedHistogram* shared, Dtype dtype, StatisticsKernel& kernel);
    ~Counting();
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

private:
    SharedHistogram* m_shared;
    Dtype m_dtype;
    StatisticsKernel& m_kernel;
    SharedHistogram::Counter m_counter;
};

} // namespace cairn
