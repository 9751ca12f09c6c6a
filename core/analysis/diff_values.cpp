// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dequantized.h"
#include "core/analysis/diff.h"
#include "core/analysis/diff_unread.h"
#include "core/analysis/read_check.h"
#include "core/analysis/segments.h"
#include "core/analysis/tensor_pass.h"
#include "core/analysis/warm_tensor.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace cairn {
namespace {

bool isPacked(Dtype dtype) {
    return dtypeInfo(dtype).bits % 8 != 0;
}

/// Elements of fewer than eight bits are compared as stored bytes.
std::uint64_t unitsOfTensor(const TensorEntry& tensor) {
    return isPacked(tensor.dtype) ? tensor.bytes() : tensor.elements();
}

/// Integers of the same width, whose values differ if the bits do; the dtype itself if there is
/// none.
Dtype bitsOf(Dtype dtype) {
    switch (dtypeInfo(dtype).bits) {
    case 8:
        return Dtype::Uint8;
    case 16:
        return Dtype::Uint16;
    case 32:
        return Dtype::Uint32;
    case 64:
        return Dtype::Uint64;
    default:
        return dtype;
    }
}

/// A pair whose segments are compared by several threads.
struct Compared {
    std::mutex mutex; ///< guards the readers, the warm tensors, error and unitsLeft
    std::shared_ptr<const TensorReader> left;
    std::shared_ptr<const TensorReader> right;
    std::shared_ptr<const WarmTensor> warmLeft; ///< set together with the readers
    std::shared_ptr<const WarmTensor> warmRight;
    std::optional<Error> error;
    std::size_t unitsLeft = 0;
    std::vector<ElementComparison> segments; ///< each written by one thread
};

struct Buffers {
    PassBuffer left;
    PassBuffer right;
};

class ValuesDiff {
public:
    ValuesDiff(const Checkpoint& left, const Checkpoint& right, std::span<const TensorPair> pairs,
               const DiffOptions& options)
        : m_left(left), m_right(right), m_pairs(pairs), m_options(options), m_states(pairs.size()),
          m_results(pairs.size()) {}

    Result<std::vector<PairDiff>> run() {
        std::vector<segments::Item> items;
        for (std::size_t i = 0; i < m_pairs.size(); ++i) {
            CAIRN_CHECK(m_options.cancel.check());
            const TensorEntry& l = leftOf(i);
            const TensorEntry& r = rightOf(i);
            if (auto known = diffWithoutReading(m_left, m_right, m_pairs[i])) {
                m_results[i] = std::move(*known);
                m_known.push_back(i);
            }
            const bool divisible = !isPacked(l.dtype) && !hasStrings(l.dtype) &&
                                   hasRandomAccess(m_left, l) && hasRandomAccess(m_right, r) &&
                                   !mayExpand(l) && !mayExpand(r);
            items.push_back({m_results[i].by == DiffBy::Unread ? unitsOfTensor(l) : 0, divisible});
        }
        const std::vector<segments::Unit> units = segments::unitsOf(items);
        for (const segments::Unit& unit : units) {
            ++m_states[unit.item].unitsLeft;
        }
        for (const std::size_t i : m_known) {
            report(i);
        }
        forEachParallel(units.size(), segments::threadsFor(m_options.threads), m_options.cancel,
                        [&](std::size_t i) {
                            if (m_results[units[i].item].by == DiffBy::Unread &&
                                !m_changed.load(std::memory_order_relaxed)) {
                                work(units[i]);
                            }
                        });
        CAIRN_CHECK(m_options.cancel.check());
        CAIRN_CHECK(checkNothingChanged());
        return std::move(m_results);
    }

private:
    const TensorEntry& leftOf(std::size_t i) const { return m_left.tensor(m_pairs[i].left); }
    const TensorEntry& rightOf(std::size_t i) const { return m_right.tensor(m_pairs[i].right); }
    /// As what the left elements are compared, and the right ones.
    std::pair<Dtype, Dtype> dtypesOf(std::size_t i) const {
        const Dtype left = leftOf(i).dtype;
        const Dtype right = rightOf(i).dtype;
        const Dtype asBits = m_pairs[i].stored && left == right ? bitsOf(left) : left;
        return {asBits, left == right ? asBits : right};
    }

    void report(std::size_t i) {
        if (m_options.done) {
            const std::lock_guard lock(m_doneMutex);
            m_options.done(i, m_results[i]);
        }
    }

    void work(const segments::Unit& unit) {
        thread_local Buffers buffers;
        Compared& state = m_states[unit.item];
        auto read = readUnit(unit, state, buffers);
        {
            const std::lock_guard lock(state.mutex);
            if (!read && !state.error) {
                state.error = std::move(read).error();
            }
            if (--state.unitsLeft > 0) {
                return;
            }
            finish(unit.item, state);
        }
        report(unit.item);
    }

    Result<void> open(std::size_t item, Compared& state) {
        const std::lock_guard lock(state.mutex);
        if (state.error) {
            return *state.error;
        }
        if (state.left) {
            return {};
        }
        CAIRN_TRY(TensorReader left, TensorReader::open(m_left, leftOf(item)));
        CAIRN_CHECK(checkExpansion(leftOf(item), left));
        CAIRN_TRY(TensorReader right, TensorReader::open(m_right, rightOf(item)));
        CAIRN_CHECK(checkExpansion(rightOf(item), right));
        state.warmLeft = std::make_shared<const WarmTensor>(leftOf(item), left);
        state.warmRight = std::make_shared<const WarmTensor>(rightOf(item), right);
        state.left = std::make_shared<const TensorReader>(std::move(left));
        state.right = std::make_shared<const TensorReader>(std::move(right));
        state.segments.resize(segments::segmentCount(unitsOfTensor(leftOf(item))));
        return {};
    }

    Result<void> readUnit(const segments::Unit& unit, Compared& state, Buffers& buffers) {
        if (hasStrings(leftOf(unit.item).dtype)) {
            CAIRN_TRY(state.segments, compareStrings(unit.item));
            return {};
        }
        CAIRN_CHECK(open(unit.item, state));
        for (std::size_t i = unit.firstSegment; i < unit.firstSegment + unit.segments; ++i) {
            CAIRN_CHECK(readSegment(unit.item, i, state, buffers));
        }
        return {};
    }

    /// In one pass, because a stream of strings cannot be continued at the next segment.
    Result<std::vector<ElementComparison>> compareStrings(std::size_t item) {
        const Box whole = Box::whole(leftOf(item).shape);
        const CancelToken& cancel = m_options.cancel;
        CAIRN_TRY(const auto left,
                  readStrings(m_left, leftOf(item), whole, kMaxStringMemory, cancel));
        CAIRN_TRY(const auto right,
                  readStrings(m_right, rightOf(item), whole, kMaxStringMemory, cancel));
        ElementComparison sums;
        sums.numeric = false;
        sums.count = left.size();
        for (std::size_t i = 0; i < left.size(); ++i) {
            sums.changed += left[i] == right[i] ? 0 : 1;
        }
        sums.identical = sums.changed == 0;
        if (m_options.progress != nullptr) {
            m_options.progress->fetch_add(leftOf(item).bytes() + rightOf(item).bytes(),
                                          std::memory_order_relaxed);
        }
        return std::vector{sums};
    }

    Result<void> readSegment(std::size_t item, std::size_t segment, Compared& state,
                             Buffers& buffers) {
        const TensorEntry& l = leftOf(item);
        const TensorEntry& r = rightOf(item);
        const std::uint64_t first = segment * std::uint64_t{kSegmentElements};
        const std::uint64_t count =
            std::min<std::uint64_t>(kSegmentElements, unitsOfTensor(l) - first);
        const std::uint64_t leftSize = state.left->elementBytes();
        const std::uint64_t rightSize = state.right->elementBytes();
        if (m_options.backend != nullptr && canMeasure(l.dtype) && canMeasure(r.dtype) &&
            !m_pairs[item].stored) {
            CAIRN_TRY(state.segments[segment], queryBackend(item, first, count, state, buffers));
            return {};
        }
        state.warmLeft->willRead(first * leftSize, count * leftSize);
        state.warmRight->willRead(first * rightSize, count * rightSize);
        ElementComparison sums;
        for (std::uint64_t at = 0; at < count; at += kBlockElements) {
            CAIRN_CHECK(m_options.cancel.check());
            const std::uint64_t length = std::min<std::uint64_t>(kBlockElements, count - at);
            if (const auto seen = compareWarm(item, state, first + at, length)) {
                merge(sums, *seen);
            } else {
                CAIRN_TRY(const auto left, read(*state.left, l, first + at, length, buffers.left));
                CAIRN_TRY(const auto right,
                          read(*state.right, r, first + at, length, buffers.right));
                const auto [leftType, rightType] = dtypesOf(item);
                merge(sums, compareBlock(leftType, left, rightType, right, m_options.tolerance));
            }
            if (m_options.progress != nullptr) {
                m_options.progress->fetch_add(length * (leftSize + rightSize),
                                              std::memory_order_relaxed);
            }
        }
        state.segments[segment] = sums;
        return {};
    }

    Result<ElementComparison> queryBackend(std::size_t item, std::uint64_t first,
                                           std::uint64_t count, const Compared& state,
                                           Buffers& buffers) const {
        const TensorEntry& l = leftOf(item);
        const TensorEntry& r = rightOf(item);
        const std::uint64_t leftSize = state.left->elementBytes();
        const std::uint64_t rightSize = state.right->elementBytes();
        const std::uint64_t step = segments::kBackendBytes / std::max(leftSize, rightSize);
        ElementComparison sums;
        for (std::uint64_t at = 0; at < count; at += step) {
            CAIRN_CHECK(m_options.cancel.check());
            const std::uint64_t length = std::min(step, count - at);
            CAIRN_TRY(const auto left,
                      segments::readAt(*state.left, l.shape, (first + at) * leftSize,
                                       length * leftSize, buffers.left));
            CAIRN_TRY(const auto right,
                      segments::readAt(*state.right, r.shape, (first + at) * rightSize,
                                       length * rightSize, buffers.right));
            CAIRN_TRY(
                const ElementComparison part,
                m_options.backend->compare(l.dtype, left, r.dtype, right, m_options.tolerance));
            merge(sums, part);
            if (m_options.progress != nullptr) {
                m_options.progress->fetch_add(left.size() + right.size(),
                                              std::memory_order_relaxed);
            }
        }
        return sums;
    }

    /// Compares a block in place if both sides are in the page cache.
    std::optional<ElementComparison> compareWarm(std::size_t item, const Compared& state,
                                                 std::uint64_t first, std::uint64_t count) const {
        const std::uint64_t leftSize = state.left->elementBytes();
        const std::uint64_t rightSize = state.right->elementBytes();
        const auto left =
            state.warmLeft->view(first * leftSize, static_cast<std::size_t>(count * leftSize));
        const auto right =
            state.warmRight->view(first * rightSize, static_cast<std::size_t>(count * rightSize));
        if (left.empty() || right.empty()) {
            return std::nullopt;
        }
        ElementComparison result;
        const auto types = dtypesOf(item);
        const bool seen = FileMapping::guarded([&] {
            result = compareBlock(types.first, left, types.second, right, m_options.tolerance);
        });
        return seen ? std::optional(result) : std::nullopt;
    }

    static Result<std::span<const std::byte>> read(const TensorReader& reader,
                                                   const TensorEntry& tensor, std::uint64_t first,
                                                   std::uint64_t count, PassBuffer& buffer) {
        const std::uint64_t size = reader.elementBytes();
        const auto bytes = static_cast<std::size_t>(count * size);
        if (buffer.bytes.size() < bytes) {
            buffer.bytes.resize(bytes);
        }
        const auto out = std::span(buffer.bytes).first(bytes);
        CAIRN_CHECK(reader.readBytes(Box::whole(tensor.shape), first * size, out, buffer.scratch));
        return std::span<const std::byte>(out);
    }

    void finish(std::size_t item, Compared& state) {
        for (const auto& reader : {state.left, state.right}) {
            if (!state.error && reader) {
                if (auto unchanged = checkUnchanged(*reader); !unchanged) {
                    state.error = std::move(unchanged).error();
                }
            }
        }
        state.left.reset();
        state.right.reset();
        state.warmLeft.reset();
        state.warmRight.reset();
        PairDiff& diff = m_results[item];
        if (state.error) {
            diff.error = std::move(state.error);
            diff.values.identical = false;
            if (diff.error->where.tensor.empty()) {
                diff.error->where.tensor = leftOf(item).name;
            }
            if (diff.error->code == ErrorCode::ChangedOnDisk) {
                m_changed.store(true, std::memory_order_relaxed);
            }
            return;
        }
        for (const ElementComparison& segment : state.segments) {
            merge(diff.values, segment);
        }
        state.segments = {};
        diff.values.numeric = canMeasure(leftOf(item).dtype) && !m_pairs[item].stored;
        if (m_pairs[item].stored) {
            diff.values.beyond = diff.values.changed; // no tolerance
        }
        diff.values.count = leftOf(item).elements();
        diff.by = DiffBy::Values;
    }

    /// Includes files that were compared without reading, or replaced while open.
    Result<void> checkNothingChanged() const {
        for (const PairDiff& diff : m_results) {
            if (diff.error && diff.error->code == ErrorCode::ChangedOnDisk) {
                return *diff.error;
            }
        }
        std::vector<TensorIndex> left;
        std::vector<TensorIndex> right;
        for (std::size_t i = 0; i < m_pairs.size(); ++i) {
            if (m_results[i].compared()) {
                left.push_back(m_pairs[i].left);
                right.push_back(m_pairs[i].right);
            }
        }
        CAIRN_CHECK(checkFilesUnchanged(m_left, left));
        return checkFilesUnchanged(m_right, right);
    }

    const Checkpoint& m_left;
    const Checkpoint& m_right;
    std::span<const TensorPair> m_pairs;
    const DiffOptions& m_options;
    std::vector<Compared> m_states;
    std::vector<PairDiff> m_results;  ///< each written by one thread
    std::vector<std::size_t> m_known; ///< not read
    std::atomic<bool> m_changed{false};
    std::mutex m_doneMutex;
};

} // namespace

std::string_view diffByName(DiffBy by) {
    switch (by) {
    case DiffBy::Values:
        return "values";
    case DiffBy::SameFile:
        return "same-file";
    case DiffBy::OtherShape:
        return "shape";
    case DiffBy::OtherDtype:
        return "dtype";
    case DiffBy::Unread:
        return "unread";
    }
    return "unread";
}

double PairDiff::relativeChange() const {
    if (!compared()) {
        return std::numeric_limits<double>::infinity();
    }
    if (!values.numeric) {
        return values.identical ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return values.relativeL2().value_or(std::numeric_limits<double>::infinity());
}

Result<std::vector<PairDiff>> diffValues(const Checkpoint& left, const Checkpoint& right,
                                         std::span<const TensorPair> pairs,
                                         const DiffOptions& options) {
    const Numbers leftNumbers(left);
    const Numbers rightNumbers(right);
    if (&leftNumbers.checkpoint() == &left && &rightNumbers.checkpoint() == &right) {
        return ValuesDiff(left, right, pairs, options).run();
    }
    DiffOptions own = options; // progress counts stored bytes, not decoded ones
    own.progress = nullptr;
    own.done = [&](std::size_t i, const PairDiff& diff) {
        if (options.progress != nullptr && diff.by == DiffBy::Values) {
            options.progress->fetch_add(left.tensor(pairs[i].left).bytes() +
                                            right.tensor(pairs[i].right).bytes(),
                                        std::memory_order_relaxed);
        }
        if (options.done) {
            options.done(i, diff);
        }
    };
    return ValuesDiff(leftNumbers.checkpoint(), rightNumbers.checkpoint(), pairs, own).run();
}

std::uint64_t diffBytes(const Checkpoint& left, const Checkpoint& right,
                        std::span<const TensorPair> pairs) {
    const Numbers leftNumbers(left);
    const Numbers rightNumbers(right);
    std::uint64_t bytes = 0;
    for (const TensorPair& pair : pairs) {
        if (!diffWithoutReading(leftNumbers.checkpoint(), rightNumbers.checkpoint(), pair)) {
            bytes += left.tensor(pair.left).bytes() + right.tensor(pair.right).bytes();
        }
    }
    return bytes;
}

} // namespace cairn
