// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <span>

namespace cairn {

struct PassBuffer;

/// Statistics of one tensor's elements. min, max, mean, std, l2 and absmax are those of the finite
/// elements (of complex ones: of their modulus); std is that of the population. They are zero when
/// `finite()` is.
struct TensorStatistics {
    std::uint64_t count = 0; ///< elements looked at
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::uint64_t zeros = 0;
    double min = 0;
    double max = 0;
    double mean = 0;
    double m2 = 0; ///< sum of squared distances from the mean
    double l2 = 0;
    double absmax = 0;
    bool numeric = true;  ///< false: packed or opaque elements, nothing but `count` is known
    bool sampled = false; ///< only some of the elements were looked at

    [[nodiscard]] std::uint64_t finite() const { return count - nan - inf; }
    [[nodiscard]] double std() const;
};

/// One pass, mergeable: blocks are summed in two steps and merged by Chan's formula, so that a
/// large mean costs no digits. One thread at a time.
class StatisticsKernel {
public:
    explicit StatisticsKernel(Dtype dtype);
    /// REQUIRES: whole elements, dense and little-endian.
    void add(std::span<const std::byte> bytes);
    [[nodiscard]] const TensorStatistics& result() const { return m_result; }

private:
    struct Block {
        std::uint64_t finite = 0;
        double sum = 0;
        double squares = 0;
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
    };
    void addBlock(std::span<const double> values);
    void merge(const Block& block, double mean, double m2);

    Dtype m_dtype;
    TensorStatistics m_result;
    std::uint64_t m_finite = 0;
    double m_sumOfSquares = 0;
};

struct StatisticsOptions {
    CancelToken cancel;
    bool sample = false; ///< tensors above kSampleAbove: kSampleBlocks blocks spread evenly
    std::atomic<std::uint64_t>* progress = nullptr;
    static constexpr std::uint64_t kSampleAbove = std::uint64_t{64} << 20U;
    static constexpr std::uint64_t kSampleBlocks = 64;
};

/// Reads the tensor once. Fails with what reading says, or Cancelled.
Result<TensorStatistics> tensorStatistics(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                          const StatisticsOptions& options, PassBuffer& buffer);

} // namespace cairn
