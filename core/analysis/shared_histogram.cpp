// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/shared_histogram.h"

#include <utility>

namespace cairn {

SharedHistogram::Counter SharedHistogram::borrow(Dtype dtype) {
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<Counter>& free = m_free[dtype];
        if (!free.empty()) {
            Counter counter = std::move(free.back());
            free.pop_back();
            return counter;
        }
    }
    return std::make_unique<HistogramCounter>(dtype);
}

void SharedHistogram::giveBack(Dtype dtype, Counter counter) {
    const std::scoped_lock lock(m_mutex);
    m_free[dtype].push_back(std::move(counter));
}

ValueHistogram SharedHistogram::result() const {
    const std::scoped_lock lock(m_mutex);
    ValueHistogram sum;
    for (const auto& [dtype, counters] : m_free) {
        for (const Counter& counter : counters) {
            sum.add(counter->finish());
        }
    }
    return sum;
}

Counting::Counting(SharedHistogram* shared, Dtype dtype, StatisticsKernel& kernel)
    : m_shared(shared), m_dtype(dtype), m_kernel(kernel) {
    if (m_shared == nullptr) {
        m_kernel.countHistogram();
    } else if (canMeasure(dtype)) {
        m_counter = m_shared->borrow(dtype);
        m_kernel.countIn(m_counter.get());
    }
}

Counting::~Counting() {
    if (m_counter) {
        m_kernel.countIn(nullptr);
        m_shared->giveBack(m_dtype, std::move(m_counter));
    }
}

} // namespace cairn
