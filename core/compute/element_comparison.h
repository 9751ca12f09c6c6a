// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/element_statistics.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cairn {

/// How far two values may be apart and still count as near: |left - right| <= atol + rtol·|right|,
/// as torch.isclose(left, right, equal_nan=True) has it.
struct Tolerance {
    double rtol = 0;
    double atol = 0;
};

/// Differences of two runs of elements, mergeable. Two notions of "the same":
///   identical  every element has the same dtype and the same bits;
///   changed    counts elements whose values differ: +0 and -0 do not, two NaN do not.
/// The measures are of the pairs of which both sides are finite; they are made in double precision
/// whatever the dtypes are, so between two dtypes they are those of the values as stored, neither
/// being cast. Only the norms of two sides that are the same bits are added as those of statistics
/// are (element_statistics.h), to within 3·2^-24. A plain value.
struct ElementComparison {
    std::uint64_t count = 0;
    bool identical = true;
    bool numeric = true;       ///< false: packed or opaque; only count, identical, changed hold
    std::uint64_t changed = 0; ///< of numeric == false: elements whose bits differ
    std::uint64_t beyond = 0;  ///< further apart than the tolerance, or one not finite and changed
    std::uint64_t nonfinite = 0; ///< pairs of which a side is not finite; not in the measures
    double maxAbs = 0;
    double sumAbs = 0;
    double sumSquares = 0;  ///< of left - right
    double leftSquares = 0; ///< squared L2 norms of the sides
    double rightSquares = 0;
    double dot = 0;
    /// Between two float dtypes, one narrower: elements that differ when the wider side is cast to
    /// the narrower dtype. Zero means that one is the other, cast. Nothing between equal dtypes.
    std::optional<std::uint64_t> changedAfterCast;

    [[nodiscard]] std::uint64_t measured() const { return numeric ? count - nonfinite : 0; }
    [[nodiscard]] double meanAbs() const; ///< 0 when measured() is, like the next
    [[nodiscard]] double rms() const;     ///< of left - right
    /// |left - right| / |left| in the L2 norm. Nothing when left is zero and right is not,
    /// or both are beyond the range of a double.
    [[nodiscard]] std::optional<double> relativeL2() const;
    /// left·right / (|left|·|right|), within [-1, 1]; of complex numbers the real part of it.
    /// Nothing when a side is zero or beyond the range of a double.
    [[nodiscard]] std::optional<double> cosine() const;
    friend bool operator==(const ElementComparison&, const ElementComparison&) = default;
};

/// True when elements of the two dtypes can be compared: numbers with numbers, complex with
/// complex, anything with itself.
bool canCompare(Dtype left, Dtype right);

/// The dtype that the wider side would be cast to for `changedAfterCast`; nothing when the dtypes
/// are equal or are not both floats of which one holds all values of the other.
std::optional<Dtype> narrowerFloat(Dtype left, Dtype right);

/// One block of each side: dense, little-endian, whole elements, equally many. The same bits from
/// every processor (lanes.h). 64-bit integers are compared as integers and measured as doubles.
/// Never fails; any thread. REQUIRES: canCompare(); at most kBlockElements elements.
ElementComparison compareBlock(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                               std::span<const std::byte> right, const Tolerance& tolerance);

/// `sums` followed by `next`. Mind the order, as with statistics.
void merge(ElementComparison& sums, const ElementComparison& next);

/// True where the elements' values differ, in the sense of `changed`. REQUIRES: as compareBlock().
void changedElements(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                     std::span<const std::byte> right, std::span<std::uint8_t> out);

} // namespace cairn
