// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/element_statistics.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cairn {

/// Values are near if |left - right| <= atol + rtol·|right|, as in torch.isclose(left, right,
/// equal_nan=True).
struct Tolerance {
    double rtol = 0;
    double atol = 0;
};

/// Differences between two runs of elements, mergeable. There are two notions of equality:
///   identical  every element has the same dtype and the same bits;
///   changed    counts elements whose values differ: +0 equals -0, and NaN equals NaN.
/// The measures are over the pairs of which both sides are finite. They are computed in double
/// precision, so between two dtypes they compare the values as stored, without a cast. Only the
/// norms of two sides with identical bits are added as those of statistics are
/// (element_statistics.h), to within 3·2^-24. A plain value.
struct ElementComparison {
    std::uint64_t count = 0;
    bool identical = true;
    bool numeric = true; ///< false: packed or opaque; only count, identical and changed are valid
    std::uint64_t changed = 0;   ///< if not numeric: elements with different bits
    std::uint64_t beyond = 0;    ///< outside the tolerance, or changed and one side is not finite
    std::uint64_t nonfinite = 0; ///< pairs with a non-finite side; not part of the measures
    double maxAbs = 0;
    double sumAbs = 0;
    double sumSquares = 0;  ///< sum of (left - right)²
    double leftSquares = 0; ///< squared L2 norms of the sides
    double rightSquares = 0;
    double dot = 0;
    /// For two float dtypes of different width: the number of elements that differ after the wider
    /// side is cast to the narrower dtype. Zero means that one side is the other, cast. Empty for
    /// equal dtypes.
    std::optional<std::uint64_t> changedAfterCast;

    [[nodiscard]] std::uint64_t measured() const { return numeric ? count - nonfinite : 0; }
    [[nodiscard]] double meanAbs() const; ///< 0 if measured() is 0, like rms()
    [[nodiscard]] double rms() const;     ///< of left - right
    /// |left - right| / |left| in the L2 norm. Empty if left is zero and right is not, or if both
    /// exceed the range of a double.
    [[nodiscard]] std::optional<double> relativeL2() const;
    /// left·right / (|left|·|right|), within [-1, 1]; for complex numbers its real part. Empty if a
    /// side is zero or exceeds the range of a double.
    [[nodiscard]] std::optional<double> cosine() const;
    friend bool operator==(const ElementComparison&, const ElementComparison&) = default;
};

/// Whether elements of the two dtypes can be compared: numbers with numbers, complex with complex,
/// anything with itself.
bool canCompare(Dtype left, Dtype right);

/// The dtype to which the wider side is cast for `changedAfterCast`. Empty if the dtypes are equal,
/// or not two floats of which one contains all values of the other.
std::optional<Dtype> narrowerFloat(Dtype left, Dtype right);

/// Compares one block of each side: dense, little-endian, complete elements, the same number on
/// both sides. Bit-identical on every processor (lanes.h). 64-bit integers are compared as integers
/// and measured as doubles. Never fails; any thread. REQUIRES: canCompare(); at most kBlockElements
/// elements.
ElementComparison compareBlock(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                               std::span<const std::byte> right, const Tolerance& tolerance);

/// Adds `next`, which follows `sums`. The order matters, as for statistics.
void merge(ElementComparison& sums, const ElementComparison& next);

/// Sets true for elements whose values differ, in the sense of `changed`. REQUIRES: as
/// compareBlock().
void changedElements(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                     std::span<const std::byte> right, std::span<std::uint8_t> out);

} // namespace cairn
