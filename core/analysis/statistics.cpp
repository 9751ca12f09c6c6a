// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"

#include "core/analysis/tensor_pass.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t kBlock = 4096;

} // namespace

double TensorStatistics::std() const {
    return finite() > 0 ? std::sqrt(m2 / static_cast<double>(finite())) : 0.0;
}

StatisticsKernel::StatisticsKernel(Dtype dtype) : m_dtype(dtype) {
    m_result.numeric = hasNumericElements(dtype) || dtypeInfo(dtype).kind == DtypeKind::Complex;
}

void StatisticsKernel::add(std::span<const std::byte> bytes) {
    const std::uint32_t bits = dtypeInfo(m_dtype).bits;
    if (!m_result.numeric || bits % 8 != 0) {
        m_result.numeric = false;
        m_result.count += bytes.size() * 8 / bits;
        return;
    }
    const std::size_t element = bits / 8;
    const bool complex = dtypeInfo(m_dtype).kind == DtypeKind::Complex;
    std::array<double, kBlock> values{};
    while (bytes.size() >= element) {
        const std::size_t count = std::min(kBlock, bytes.size() / element);
        const auto block = bytes.first(count * element);
        if (complex) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto one = block.subspan(i * element, element);
                values.at(i) =
                    std::hypot(elementAsDouble(m_dtype, one), elementImaginary(m_dtype, one));
            }
        } else {
            elementsAsDoubles(m_dtype, block, std::span(values).first(count));
        }
        addBlock(std::span(values).first(count));
        bytes = bytes.subspan(count * element);
    }
}

void StatisticsKernel::addBlock(std::span<const double> values) {
    Block block;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            ++(std::isnan(value) ? m_result.nan : m_result.inf);
            continue;
        }
        ++block.finite;
        m_result.zeros += value == 0 ? 1U : 0U;
        block.sum += value;
        block.squares += value * value;
        block.low = std::min(block.low, value);
        block.high = std::max(block.high, value);
    }
    m_result.count += values.size();
    if (block.finite == 0) {
        return;
    }
    const double mean = block.sum / static_cast<double>(block.finite);
    double m2 = 0;
    for (const double value : values) {
        m2 += std::isfinite(value) ? (value - mean) * (value - mean) : 0.0;
    }
    merge(block, mean, m2);
}

void StatisticsKernel::merge(const Block& block, double mean, double m2) {
    const auto n = static_cast<double>(block.finite);
    const auto before = static_cast<double>(m_finite);
    const double delta = mean - m_result.mean;
    m_result.min = m_finite == 0 ? block.low : std::min(m_result.min, block.low);
    m_result.max = m_finite == 0 ? block.high : std::max(m_result.max, block.high);
    m_result.mean += delta * (n / (before + n));
    m_result.m2 += m2 + delta * delta * (before * n / (before + n));
    m_finite += block.finite;
    m_sumOfSquares += block.squares;
    m_result.l2 = std::sqrt(m_sumOfSquares);
    m_result.absmax = std::max(std::abs(m_result.min), std::abs(m_result.max));
}

namespace {

/// Blocks spread evenly over a large tensor, whole elements each.
Result<void> sampleOver(const Checkpoint& checkpoint, const TensorEntry& tensor,
                        const StatisticsOptions& options, PassBuffer& buffer,
                        StatisticsKernel& kernel) {
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    const std::uint64_t element = reader.elementBytes();
    const std::uint64_t block = (std::uint64_t{256} << 10U) / element * element;
    const std::uint64_t stride =
        tensor.bytes() / StatisticsOptions::kSampleBlocks / element * element;
    buffer.bytes.resize(static_cast<std::size_t>(block));
    for (std::uint64_t i = 0; i < StatisticsOptions::kSampleBlocks; ++i) {
        CAIRN_CHECK(options.cancel.check());
        CAIRN_CHECK(
            reader.readBytes(Box::whole(tensor.shape), i * stride, buffer.bytes, buffer.scratch));
        kernel.add(buffer.bytes);
    }
    if (options.progress != nullptr) {
        options.progress->fetch_add(tensor.bytes(), std::memory_order_relaxed);
    }
    return {};
}

} // namespace

Result<TensorStatistics> tensorStatistics(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                          const StatisticsOptions& options, PassBuffer& buffer) {
    StatisticsKernel kernel(tensor.dtype);
    const bool whole = dtypeInfo(tensor.dtype).bits % 8 == 0;
    const bool sample = options.sample && whole && tensor.bytes() > StatisticsOptions::kSampleAbove;
    if (sample) {
        CAIRN_CHECK(sampleOver(checkpoint, tensor, options, buffer, kernel));
    } else {
        CAIRN_CHECK(passOver(checkpoint, tensor, options.cancel, options.progress, buffer,
                             [&](std::span<const std::byte> bytes) -> Result<void> {
                                 kernel.add(bytes);
                                 return {};
                             }));
    }
    TensorStatistics result = kernel.result();
    result.sampled = sample;
    if (!sample && !result.numeric) {
        result.count = tensor.elements();
    }
    return result;
}

} // namespace cairn
