// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"

#include "core/analysis/dequantized.h"
#include "core/analysis/shared_histogram.h"
#include "core/analysis/statistics_pass.h"
#include "core/analysis/tensor_pass.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn {
namespace {

/// Decoded elements take more bytes than stored ones, which progress counts.
StatisticsOptions withoutProgress(StatisticsOptions options) {
    options.progress = nullptr;
    return options;
}

bool isSampled(const TensorEntry& tensor, const StatisticsOptions& options) {
    return options.sample && dtypeInfo(tensor.dtype).bits % 8 == 0 &&
           tensor.bytes() > StatisticsOptions::kSampleAbove;
}

/// Statistics of blocks that are evenly distributed over a large tensor, complete elements each.
Result<TensorStatistics> sampleOf(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                  const StatisticsOptions& options, PassBuffer& buffer) {
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    StatisticsKernel kernel(tensor.dtype);
    kernel.countHistogram();
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
    CAIRN_CHECK(checkUnchanged(reader));
    addProgress(options, tensor.bytes());
    TensorStatistics result = kernel.result();
    result.sampled = true;
    return result;
}

/// For non-numeric elements, only checks that the bytes can be read.
Result<TensorStatistics> countOf(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                 const StatisticsOptions& options, PassBuffer& buffer) {
    CAIRN_CHECK(streamTensor(checkpoint, tensor, options.cancel, options.progress, buffer,
                             [](std::span<const std::byte>) -> Result<void> { return {}; }));
    TensorStatistics result;
    result.numeric = false;
    result.count = tensor.elements();
    return result;
}

} // namespace

bool isMeasuredWhole(const TensorEntry& tensor, const StatisticsOptions& options) {
    return !canMeasure(tensor.dtype) || isSampled(tensor, options);
}

Result<TensorStatistics> tensorStatistics(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                          const StatisticsOptions& options, PassBuffer& buffer) {
    if (dtypeInfo(tensor.dtype).isBlock()) {
        const TensorNumbers numbers(checkpoint, tensor);
        auto result = tensorStatistics(numbers.checkpoint(), numbers.tensor(),
                                       withoutProgress(options), buffer);
        addProgress(options, tensor.bytes());
        return result;
    }
    if (!canMeasure(tensor.dtype)) {
        return countOf(checkpoint, tensor, options, buffer);
    }
    if (isSampled(tensor, options)) {
        return sampleOf(checkpoint, tensor, options, buffer);
    }
    StatisticsKernel kernel(tensor.dtype);
    std::optional<Counting> counting;
    if (options.histogram) {
        counting.emplace(options.shared, tensor.dtype, kernel);
    }
    CAIRN_CHECK(streamTensor(checkpoint, tensor, options.cancel, options.progress, buffer,
                             [&](std::span<const std::byte> bytes) -> Result<void> {
                                 kernel.add(bytes);
                                 return {};
                             }));
    return kernel.result();
}

namespace {

/// `numbers` belongs to `checkpoint`.
std::vector<Result<TensorStatistics>> measureNumbers(const Numbers& numbers,
                                                     const Checkpoint& checkpoint,
                                                     std::span<const TensorIndex> tensors,
                                                     const StatisticsOptions& options,
                                                     const MeasuredTensor& done) {
    if (&numbers.checkpoint() == &checkpoint) {
        return measureSegments(checkpoint, tensors, options, done);
    }
    const StatisticsOptions own = withoutProgress(options);
    return measureSegments(numbers.checkpoint(), tensors, own,
                           [&](std::size_t i, const Result<TensorStatistics>& result) {
                               addProgress(options, checkpoint.tensor(tensors[i]).bytes());
                               if (done) {
                                   done(i, result);
                               }
                           });
}

} // namespace

std::vector<Result<TensorStatistics>> measureTensors(const Checkpoint& checkpoint,
                                                     std::span<const TensorIndex> tensors,
                                                     const StatisticsOptions& options,
                                                     const MeasuredTensor& done) {
    return measureNumbers(Numbers(checkpoint), checkpoint, tensors, options, done);
}

void StatisticsSum::add(const TensorStatistics& part) {
    if (part.numeric) {
        merge(m_sums, part);
        m_histogram.add(part.histogram);
        m_sampled = m_sampled || part.sampled;
    }
}

TensorStatistics StatisticsSum::result() const {
    TensorStatistics result = statisticsOf(m_sums);
    result.histogram = m_histogram;
    result.sampled = m_sampled;
    return result;
}

TensorStatistics together(std::span<const TensorStatistics> parts) {
    StatisticsSum sum;
    for (const TensorStatistics& part : parts) {
        sum.add(part);
    }
    return sum.result();
}

Result<void>
measureInOrder(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
               const StatisticsOptions& options,
               const std::function<Result<void>(std::size_t, Result<TensorStatistics>)>& take) {
    const Numbers numbers(checkpoint);
    for (std::size_t begin = 0; begin < tensors.size(); begin += kMeasuredAtOnce) {
        const auto some = tensors.subspan(begin, std::min(kMeasuredAtOnce, tensors.size() - begin));
        auto results = measureNumbers(numbers, checkpoint, some, options, {});
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAIRN_CHECK(take(begin + i, std::move(results[i])));
        }
    }
    return {};
}

Result<TensorStatistics> measureTogether(const Checkpoint& checkpoint,
                                         std::span<const TensorIndex> tensors,
                                         const StatisticsOptions& options) {
    StatisticsSum sum;
    SharedHistogram histogram;
    StatisticsOptions own = options;
    own.shared = &histogram;
    CAIRN_CHECK(measureInOrder(checkpoint, tensors, own,
                               [&](std::size_t, Result<TensorStatistics> part) -> Result<void> {
                                   if (!part) {
                                       return std::move(part).error();
                                   }
                                   sum.add(*part);
                                   return {};
                               }));
    CAIRN_CHECK(options.cancel.check());
    TensorStatistics all = sum.result();
    all.histogram.add(histogram.result());
    return all;
}

} // namespace cairn
