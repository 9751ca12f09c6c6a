// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics_pass.h"

#include "core/analysis/segments.h"
#include "core/analysis/shared_histogram.h"
#include "core/analysis/tensor_pass.h"
#include "core/analysis/warm_tensor.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace cairn {
namespace {

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

    std::vector<Result<TensorStatistics>> run(const MeasuredTensor& done) {
        std::vector<segments::Item> items;
        for (const TensorIndex index : m_tensors) {
            const TensorEntry& tensor = m_checkpoint.tensor(index);
            const bool whole = isMeasuredWhole(tensor, m_options) || mayExpand(tensor) ||
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

    void work(const segments::Unit& unit, const MeasuredTensor& done) {
        thread_local PassBuffer buffer;
        Measured& state = m_states[unit.item];
        const TensorEntry& tensor = tensorOf(unit.item);
        if (isMeasuredWhole(tensor, m_options)) {
            m_results[unit.item] = tensorStatistics(m_checkpoint, tensor, m_options, buffer);
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
        StatisticsKernel kernel(tensor.dtype);
        std::optional<Counting> counting;
        if (m_options.histogram) {
            counting.emplace(m_options.shared, tensor.dtype, kernel);
        }
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
            CAIRN_CHECK(segments::readElements(*state.reader, tensor.shape, {first + done, length},
                                               m_options.cancel, buffer, add));
            done += length;
        }
        TensorStatistics result = kernel.result();
        state.segments[segment] = result;
        const std::lock_guard lock(state.mutex);
        if (state.histogram.empty()) {
            state.histogram = std::move(result.histogram);
        } else {
            state.histogram.add(result.histogram);
        }
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
        TensorStatistics result = statisticsOf(sums);
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

void addProgress(const StatisticsOptions& options, std::uint64_t bytes) {
    if (options.progress != nullptr) {
        options.progress->fetch_add(bytes, std::memory_order_relaxed);
    }
}

std::vector<Result<TensorStatistics>> measureSegments(const Checkpoint& checkpoint,
                                                      std::span<const TensorIndex> tensors,
                                                      const StatisticsOptions& options,
                                                      const MeasuredTensor& done) {
    return Measurement(checkpoint, tensors, options).run(done);
}

} // namespace cairn
