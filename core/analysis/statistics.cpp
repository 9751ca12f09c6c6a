// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"

#include "core/analysis/dequantized.h"
#include "core/analysis/segments.h"
#include "core/analysis/tensor_pass.h"
#include "core/analysis/warm_tensor.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

namespace cairn {
namespace {

TensorStatistics named(const ElementStatistics& sums) {
    TensorStatistics result;
    static_cast<ElementStatistics&>(result) = sums;
    result.l2 = std::sqrt(sums.sumSquares);
    result.absmax = std::max(std::abs(sums.min), std::abs(sums.max));
    return result;
}

/// Decoded elements take more bytes than stored ones, which progress counts.
StatisticsOptions withoutProgress(StatisticsOptions options) {
    options.progress = nullptr;
    return options;
}

void addProgress(const StatisticsOptions& options, std::uint64_t bytes) {
    if (options.progress != nullptr) {
        options.progress->fetch_add(bytes, std::memory_order_relaxed);
    }
}

bool measurable(const TensorEntry& tensor) {
    return canMeasure(tensor.dtype);
}

bool isSampled(const TensorEntry& tensor, const StatisticsOptions& options) {
    return options.sample && dtypeInfo(tensor.dtype).bits % 8 == 0 &&
           tensor.bytes() > StatisticsOptions::kSampleAbove;
}

/// Statistics of blocks that are evenly distributed over a large tensor, complete elements each.
Result<TensorStatistics> sampleOf(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                  const StatisticsOptions& options, PassBuffer& buffer) {
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    StatisticsKernel kernel(tensor.dtype, true);
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
    if (options.progress != nullptr) {
        options.progress->fetch_add(tensor.bytes(), std::memory_order_relaxed);
    }
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

/// A tensor whose segments are measured by several threads.
struct Measured {
    std::mutex mutex; ///< guards reader, warm, error, histogram and unitsLeft
    std::shared_ptr<const TensorReader> reader;
    std::shared_ptr<const WarmTensor> warm; ///< set together with the reader
    std::optional<Error> error;
    ValueHistogram histogram;
    std::size_t unitsLeft = 0;
    std::vector<ElementStatistics> segments; ///< each written by one thread
};

class Measurement {
public:
    Measurement(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
                const StatisticsOptions& options)
        : m_checkpoint(checkpoint), m_tensors(tensors), m_options(options),
          m_states(tensors.size()),
          m_results(tensors.size(),
                    Result<TensorStatistics>(fail(ErrorCode::Cancelled, "Stopped"))) {}

    std::vector<Result<TensorStatistics>>
    run(const std::function<void(std::size_t, const Result<TensorStatistics>&)>& done) {
        std::vector<segments::Item> items;
        for (const TensorIndex index : m_tensors) {
            const TensorEntry& tensor = m_checkpoint.tensor(index);
            const bool whole = !measurable(tensor) || mayExpand(tensor) ||
                               isSampled(tensor, m_options) ||
                               !hasRandomAccess(m_checkpoint, tensor);
            items.push_back({tensor.elements(), !whole});
        }
        const std::vector<segments::Unit> units = segments::unitsOf(items);
        for (const segments::Unit& unit : units) {
            ++m_states[unit.item].unitsLeft;
        }
        forEachParallel(units.size(), segments::threadsFor(m_options.threads), m_options.cancel,
                        [&](std::size_t i) { work(units[i], done); });
        return std::move(m_results);
    }

private:
    const TensorEntry& tensorOf(std::size_t item) const {
        return m_checkpoint.tensor(m_tensors[item]);
    }

    void work(const segments::Unit& unit,
              const std::function<void(std::size_t, const Result<TensorStatistics>&)>& done) {
        thread_local PassBuffer buffer;
        Measured& state = m_states[unit.item];
        const TensorEntry& tensor = tensorOf(unit.item);
        if (!measurable(tensor)) {
            m_results[unit.item] = countOf(m_checkpoint, tensor, m_options, buffer);
        } else if (isSampled(tensor, m_options)) {
            m_results[unit.item] = sampleOf(m_checkpoint, tensor, m_options, buffer);
        } else {
            auto read = readUnit(unit, state, buffer);
            const std::lock_guard lock(state.mutex);
            if (!read && !state.error) {
                state.error = std::move(read).error();
            }
            if (--state.unitsLeft > 0) {
                return;
            }
            finish(unit.item, state);
        }
        if (done) {
            const std::lock_guard lock(m_doneMutex);
            done(unit.item, m_results[unit.item]);
        }
    }

    Result<void> open(const TensorEntry& tensor, Measured& state) {
        const std::lock_guard lock(state.mutex);
        if (state.error) {
            return *state.error;
        }
        if (!state.reader) {
            CAIRN_TRY(TensorReader opened, TensorReader::open(m_checkpoint, tensor));
            CAIRN_CHECK(checkExpansion(tensor, opened));
            state.warm = std::make_shared<const WarmTensor>(tensor, opened);
            state.reader = std::make_shared<const TensorReader>(std::move(opened));
            state.segments.resize(segments::segmentCount(tensor.elements()));
        }
        return {};
    }

    Result<void> readUnit(const segments::Unit& unit, Measured& state, PassBuffer& buffer) {
        const TensorEntry& tensor = tensorOf(unit.item);
        CAIRN_CHECK(open(tensor, state));
        for (std::size_t i = unit.firstSegment; i < unit.firstSegment + unit.segments; ++i) {
            CAIRN_CHECK(readSegment(tensor, i, state, buffer));
        }
        return {};
    }

    Result<void> readSegment(const TensorEntry& tensor, std::size_t segment, Measured& state,
                             PassBuffer& buffer) {
        const std::uint64_t first = segment * std::uint64_t{kSegmentElements};
        const std::uint64_t count =
            std::min<std::uint64_t>(kSegmentElements, tensor.elements() - first);
        if (m_options.backend != nullptr && !m_options.histogram) {
            CAIRN_TRY(state.segments[segment],
                      queryBackend(tensor, first, count, *state.reader, buffer));
            return {};
        }
        StatisticsKernel kernel(tensor.dtype, m_options.histogram);
        const auto add = [&](std::span<const std::byte> bytes) -> Result<void> {
            kernel.add(bytes);
            addProgress(m_options, bytes.size());
            return {};
        };
        const std::uint64_t size = state.reader->elementBytes();
        const std::uint64_t step = segments::readElementsAtOnce(size);
        state.warm->willRead(first * size, count * size);
        for (std::uint64_t done = 0; done < count;) {
            if (!m_options.histogram &&
                addWarm(tensor, state, first + done, count - done, kernel)) {
                done += kBlockElements;
                CAIRN_CHECK(m_options.cancel.check());
                continue;
            }
            const std::uint64_t length = std::min(step, count - done);
            CAIRN_CHECK(segments::readElements(*state.reader, tensor.shape, first + done, length,
                                               m_options.cancel, buffer, add));
            done += length;
        }
        const TensorStatistics result = kernel.result();
        state.segments[segment] = result;
        const std::lock_guard lock(state.mutex);
        state.histogram.add(result.histogram);
        return {};
    }

    Result<ElementStatistics> queryBackend(const TensorEntry& tensor, std::uint64_t first,
                                           std::uint64_t count, const TensorReader& reader,
                                           PassBuffer& buffer) const {
        const std::uint64_t size = reader.elementBytes();
        const std::uint64_t step = segments::kBackendBytes / size;
        ElementStatistics sums;
        for (std::uint64_t done = 0; done < count; done += step) {
            CAIRN_CHECK(m_options.cancel.check());
            CAIRN_TRY(const auto bytes,
                      segments::readAt(reader, tensor.shape, (first + done) * size,
                                       std::min(step, count - done) * size, buffer));
            CAIRN_TRY(const ElementStatistics part,
                      m_options.backend->statistics(tensor.dtype, bytes));
            merge(sums, part);
            addProgress(m_options, bytes.size());
        }
        return sums;
    }

    /// Measures a complete block in place if it is in the page cache. False otherwise.
    bool addWarm(const TensorEntry& tensor, const Measured& state, std::uint64_t first,
                 std::uint64_t count, StatisticsKernel& kernel) const {
        const std::uint64_t size = state.reader->elementBytes();
        if (count < kBlockElements) {
            return false;
        }
        const auto bytes =
            state.warm->view(first * size, static_cast<std::size_t>(kBlockElements * size));
        ElementStatistics block;
        const bool seen = !bytes.empty() && FileMapping::guarded([&] {
            block = blockStatistics(tensor.dtype, bytes);
        });
        if (seen) {
            kernel.addMeasured(block);
            addProgress(m_options, bytes.size());
        }
        return seen;
    }

    void finish(std::size_t item, Measured& state) {
        if (!state.error) {
            if (auto unchanged = checkUnchanged(*state.reader); !unchanged) {
                state.error = std::move(unchanged).error();
            }
        }
        state.reader.reset();
        state.warm.reset();
        if (state.error) {
            m_results[item] = std::move(*state.error);
            return;
        }
        ElementStatistics sums;
        for (const ElementStatistics& segment : state.segments) {
            merge(sums, segment);
        }
        state.segments = {};
        TensorStatistics result = named(sums);
        result.histogram = std::move(state.histogram);
        m_results[item] = std::move(result);
    }

    const Checkpoint& m_checkpoint;
    std::span<const TensorIndex> m_tensors;
    const StatisticsOptions& m_options;
    std::vector<Measured> m_states;
    std::vector<Result<TensorStatistics>> m_results; ///< each written by one thread
    std::mutex m_doneMutex;
};

} // namespace

double TensorStatistics::std() const {
    return finite() > 0 ? std::sqrt(m2 / static_cast<double>(finite())) : 0.0;
}

StatisticsKernel::StatisticsKernel(Dtype dtype, bool histogram)
    : m_dtype(dtype), m_numeric(canMeasure(dtype)) {
    if (histogram && m_numeric) {
        m_histogram.emplace_back(dtype);
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
        m_pending.insert(m_pending.end(), head.begin(), head.end());
        bytes = bytes.subspan(head.size());
        if (m_pending.size() < block) {
            return;
        }
        addBlock(m_pending);
        m_pending.clear();
    }
    for (; bytes.size() >= block; bytes = bytes.subspan(block)) {
        addBlock(bytes.first(block));
    }
    m_pending.assign(bytes.begin(), bytes.end());
}

void StatisticsKernel::addBlock(std::span<const std::byte> bytes) {
    for (HistogramCounter& histogram : m_histogram) {
        histogram.add(bytes);
    }
    addMeasured(blockStatistics(m_dtype, bytes));
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
    std::vector<HistogramCounter> histogram = m_histogram;
    if (!m_pending.empty()) {
        merge(segment, blockStatistics(m_dtype, m_pending));
        for (HistogramCounter& counter : histogram) {
            counter.add(m_pending);
        }
    }
    merge(sums, segment);
    TensorStatistics result = named(sums);
    result.numeric = m_numeric;
    result.count += m_uncounted;
    if (!histogram.empty()) {
        result.histogram = histogram.front().finish();
    }
    return result;
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
    if (!measurable(tensor)) {
        return countOf(checkpoint, tensor, options, buffer);
    }
    if (isSampled(tensor, options)) {
        return sampleOf(checkpoint, tensor, options, buffer);
    }
    StatisticsKernel kernel(tensor.dtype, options.histogram);
    CAIRN_CHECK(streamTensor(checkpoint, tensor, options.cancel, options.progress, buffer,
                             [&](std::span<const std::byte> bytes) -> Result<void> {
                                 kernel.add(bytes);
                                 return {};
                             }));
    return kernel.result();
}

namespace {

/// `numbers` belongs to `checkpoint`.
std::vector<Result<TensorStatistics>>
measureNumbers(const Numbers& numbers, const Checkpoint& checkpoint,
               std::span<const TensorIndex> tensors, const StatisticsOptions& options,
               const std::function<void(std::size_t, const Result<TensorStatistics>&)>& done) {
    if (&numbers.checkpoint() == &checkpoint) {
        return Measurement(checkpoint, tensors, options).run(done);
    }
    const StatisticsOptions own = withoutProgress(options);
    return Measurement(numbers.checkpoint(), tensors, own)
        .run([&](std::size_t i, const Result<TensorStatistics>& result) {
            addProgress(options, checkpoint.tensor(tensors[i]).bytes());
            if (done) {
                done(i, result);
            }
        });
}

} // namespace

std::vector<Result<TensorStatistics>>
measureTensors(const Checkpoint& checkpoint, std::span<const TensorIndex> tensors,
               const StatisticsOptions& options,
               const std::function<void(std::size_t, const Result<TensorStatistics>&)>& done) {
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
    TensorStatistics result = named(m_sums);
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
    CAIRN_CHECK(measureInOrder(checkpoint, tensors, options,
                               [&](std::size_t, Result<TensorStatistics> part) -> Result<void> {
                                   if (!part) {
                                       return std::move(part).error();
                                   }
                                   sum.add(*part);
                                   return {};
                               }));
    CAIRN_CHECK(options.cancel.check());
    return sum.result();
}

} // namespace cairn
