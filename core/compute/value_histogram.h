// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

/// Frequencies of values, in bins that are the same for every tensor, so that no first pass must
/// find the range, and histograms of parts, of tensors and of checkpoints can be added.
///
/// Bins follow the floating-point grid: each power of two from 2^kLowest up to 2^(kHighest + 1), of
/// either sign, is divided into kPerOctave bins of equal width (a bin is at most 1/16 of its value
/// wide). For each sign two further bins count smaller and larger magnitudes; one bin counts both
/// zeros. In ascending order:
///     [0] below -2^64 … [kZero - 1] just below zero, [kZero] zeros, [kZero + 1] … [kBins - 1]
/// Negative bins are mirrored. NaN and infinities are not counted. Complex elements count with
/// their modulus. A plain value; empty() until something was counted.
struct ValueHistogram {
    static constexpr int kLowest = -64;
    static constexpr int kHighest = 63;
    static constexpr std::size_t kPerOctave = 16;
    static constexpr std::size_t kPerSign =
        static_cast<std::size_t>(kHighest - kLowest + 1) * kPerOctave + 2;
    static constexpr std::size_t kZero = kPerSign;
    static constexpr std::size_t kBins = 2 * kPerSign + 1;

    std::vector<std::uint64_t> counts; ///< kBins of them, or none

    [[nodiscard]] bool empty() const { return counts.empty(); }
    [[nodiscard]] std::uint64_t total() const;
    void add(const ValueHistogram& other);

    /// The bin of a finite value.
    static std::size_t binOf(double value);
    /// A bin's bounds: low < high except for zeros; infinite at the ends. The bound that is closer
    /// to zero belongs to the bin.
    static double lowerEdge(std::size_t bin);
    static double upperEdge(std::size_t bin);

    struct Range {
        double low;
        double high;
    };
    /// Rebins to `bins` equal bins over `shown`, ends included, for drawing. `values`: the smallest
    /// and largest counted value. A bin of the grid is spread evenly over its part within `values`;
    /// counts outside `shown` are dropped. Empty if bins == 0, or if a bin would be too narrow for
    /// a double.
    [[nodiscard]] std::vector<double> linear(Range shown, Range values, std::size_t bins) const;
    friend bool operator==(const ValueHistogram&, const ValueHistogram&) = default;
};

/// Counts elements of one dtype. The result does not depend on the order or on how the elements are
/// split. Not thread-safe.
class HistogramCounter {
public:
    /// REQUIRES: canMeasure(dtype).
    explicit HistogramCounter(Dtype dtype);
    /// REQUIRES: complete elements, dense and little-endian.
    void add(std::span<const std::byte> bytes);
    [[nodiscard]] ValueHistogram finish() const;

private:
    Dtype m_dtype;
    /// Indexed by bit pattern (8 and 16 bits), by a float's upper bits, or by bin.
    std::vector<std::uint64_t> m_counts;
};

} // namespace cairn
