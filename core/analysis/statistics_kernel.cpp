// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics_kernel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn {

double TensorStatistics::std() const {
    return finite() > 0 ? std::sqrt(m2 / static_cast<double>(finite())) : 0.0;
}

TensorStatistics statisticsOf(const ElementStatistics& sums) {
    TensorStatistics result;
    static_cast<ElementStatistics&>(result) = sums;
    result.l2 = std::sqrt(sums.sumSquares);
    result.absmax = std::max(std::abs(sums.min), std::abs(sums.max));
    return result;
}

StatisticsKernel::StatisticsKernel(Dtype dtype) : m_dtype(dtype), m_numeric(canMeasure(dtype)) {}

void StatisticsKernel::countHistogram() {
    if (m_numeric && m_histogram.empty()) {
        m_histogram.emplace_back(m_dtype);
    }
}

void StatisticsKernel::add(std::span<const std::byte> bytes) {
    if (!m_numeric) {
        m_uncounted += bytes.size() * 8 / dtypeInfo(m_dtype).bits;
        return;
    }
    const std::size_t block = kBlockElements * dtypeInfo(m_dtype).bits / 8;
    if (!m_pending.empty()) {
        const auto head = bytes.first(std::min(bytes.size(), block - m_pending.size()));
        count(head);
        m_pending.insert(m_pending.end(), head.begin(), head.end());
        bytes = bytes.subspan(head.size());
        if (m_pending.size() < block) {
            return;
        }
        addMeasured(blockStatistics(m_dtype, m_pending));
        m_pending.clear();
    }
    for (; bytes.size() >= block; bytes = bytes.subspan(block)) {
        count(bytes.first(block));
        addMeasured(blockStatistics(m_dtype, bytes.first(block)));
    }
    count(bytes);
    m_pending.assign(bytes.begin(), bytes.end());
}

void StatisticsKernel::count(std::span<const std::byte> bytes) {
    for (HistogramCounter& histogram : m_histogram) {
        histogram.add(bytes);
    }
    if (m_counter != nullptr) {
        m_counter->add(bytes);
    }
}

void StatisticsKernel::addMeasured(const ElementStatistics& block) {
    merge(m_segment, block);
    if (++m_segmentBlocks == kSegmentBlocks) {
        merge(m_total, std::exchange(m_segment, {}));
        m_segmentBlocks = 0;
    }
}

TensorStatistics StatisticsKernel::result() const {
    ElementStatistics sums = m_total;
    ElementStatistics segment = m_segment;
    if (!m_pending.empty()) {
        merge(segment, blockStatistics(m_dtype, m_pending));
    }
    merge(sums, segment);
    TensorStatistics result = statisticsOf(sums);
    result.numeric = m_numeric;
    result.count += m_uncounted;
    if (!m_histogram.empty()) {
        result.histogram = m_histogram.front().finish();
    }
    return result;
}

} // namespace cairn
