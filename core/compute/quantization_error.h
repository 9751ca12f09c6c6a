// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/precision.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// How quantisation changes elements. Mergeable; sums are in float64, in order.
struct QuantizationError {
    std::uint64_t elements = 0;  ///< that are finite before and after; the rest counts these only
    std::uint64_t notFinite = 0; ///< before
    std::uint64_t lost = 0;      ///< finite before, but not after
    double squares = 0;          ///< of the differences
    double before = 0;           ///< squares of the elements
    double after = 0;
    double products = 0; ///< of elements before and after
    void add(const QuantizationError& other);
    /// 0 without elements.
    [[nodiscard]] double rmse() const;
    /// 1 for zeros that stay zeros, 0 if only one of the sides is zero.
    [[nodiscard]] double cosine() const;
};

/// The scale with which the largest magnitude of a group becomes the precision's largest element,
/// but a normal number; 1 for a group of zeros. REQUIRES: separate scales.
float quantizationScale(const Precision& precision, float largestMagnitude);

/// The largest magnitude among finite values; 0 if there is none.
float largestFinite(std::span<const float> values);

/// Quantises elements in memory, and back. Not thread-safe.
class Requantizer {
public:
    explicit Requantizer(const Precision& precision, Dtype blocks)
        : m_precision(precision), m_blocks(blocks) {}

    /// The error of elements that share `scale`, which blocks do not need. REQUIRES: for blocks,
    /// complete ones.
    QuantizationError measure(std::span<const float> values, float scale);

private:
    void convert(std::span<const float> values, float scale);

    const Precision& m_precision;
    Dtype m_blocks; ///< of this tensor, for a precision in blocks
    std::vector<std::byte> m_stored;
    std::vector<float> m_back;
};

} // namespace cairn
