// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/lanes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

/// The two 16-bit float formats that are added by trees (lanes.h), and predicates on their bits.
/// Internal to the tree kernels.
namespace cairn::lanes {

inline constexpr std::size_t kRowBytes = 2 * 2 * kLanes; ///< a pair for each lane
inline constexpr std::size_t kRunBytes = 2 * kRun;
static_assert(kRunBytes == 4 * kRowBytes);

/// bfloat16: pairs are neighbours. Squares of tame elements and products of two are exact floats,
/// and their sums only lose bits beyond a float's 24: exponents neither overflow nor underflow.
struct BrainForm {
    static constexpr unsigned kSmallest = (127 - 64) << 7U;
    static constexpr unsigned kAbove = (127 + 60) << 7U;
    static constexpr std::size_t kSecond =
        1; ///< distance from the first element of a pair to the second
    static constexpr std::size_t kNext =
        2; ///< distance between the first elements of successive pairs

    static float value(std::uint16_t bits) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
    }
};

/// float16: the elements of a pair are sixteen apart. All finite elements are tame.
struct HalfForm {
    static constexpr unsigned kSmallest = 1;
    static constexpr unsigned kAbove = 0x7C00;
    static constexpr std::size_t kSecond = kLanes;
    static constexpr std::size_t kNext = 1;

    /// Value of a finite half: its bits, shifted to the fields of a float, are the value times
    /// 2^-112.
    static float value(std::uint16_t bits) {
        const std::uint32_t sign = (bits & 0x8000U) << 16U;
        const float scaled = std::bit_cast<float>((bits & 0x7FFFU) << 13U) * 0x1p112F;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
    }
};

/// Calls `work` with the dtype's form; false if there is none.
template <class Work> bool withTreeForm(Dtype dtype, const Work& work) {
    switch (dtype) {
    case Dtype::Bfloat16:
        work(BrainForm());
        return true;
    case Dtype::Float16:
        work(HalfForm());
        return true;
    default:
        return false;
    }
}

/// The extremes of 16-bit patterns, read as signed and as unsigned numbers.
struct Patterns {
    static constexpr std::uint16_t kSign = 0x8000;
    static constexpr std::uint16_t kMagnitude = 0x7FFF;

    std::int16_t signedLeast = std::numeric_limits<std::int16_t>::max();
    std::int16_t signedMost = std::numeric_limits<std::int16_t>::min();
    std::uint16_t least = std::numeric_limits<std::uint16_t>::max();
    std::uint16_t most = 0;

    void add(std::uint16_t bits) {
        signedLeast = std::min(signedLeast, static_cast<std::int16_t>(bits));
        signedMost = std::max(signedMost, static_cast<std::int16_t>(bits));
        least = std::min(least, bits);
        most = std::max(most, bits);
    }

    // REQUIRES (for all of these): at least one element.
    [[nodiscard]] bool anyPositive() const { return least < kSign; }
    [[nodiscard]] bool anyNegative() const { return most >= kSign; }
    [[nodiscard]] std::uint16_t lowest() const { return anyNegative() ? most : least; }
    [[nodiscard]] std::uint16_t highest() const {
        return static_cast<std::uint16_t>(anyPositive() ? signedMost : signedLeast);
    }
    [[nodiscard]] unsigned largestMagnitude() const {
        return static_cast<unsigned>(std::max(lowest() & kMagnitude, highest() & kMagnitude));
    }
    [[nodiscard]] unsigned smallestMagnitude() const {
        const int positive = anyPositive() ? least : kMagnitude;
        const int negative = anyNegative() ? signedLeast & kMagnitude : kMagnitude;
        return static_cast<unsigned>(std::min(positive, negative));
    }
};

/// Result of a second pass over the bits, which is needed if there are zeros.
struct Zeros {
    std::uint64_t count = 0;
    unsigned smallest = Patterns::kMagnitude; ///< smallest magnitude other than zero
};

/// Whether all elements are tame. `zerosOf` is only called if there are zeros.
template <class Form, class ZerosOf>
bool areTame(const Patterns& patterns, Zeros& zeros, const ZerosOf& zerosOf) {
    if (patterns.largestMagnitude() >= Form::kAbove) {
        return false;
    }
    zeros.smallest = patterns.smallestMagnitude();
    if (zeros.smallest == 0) {
        zeros = zerosOf();
    }
    return zeros.smallest >= Form::kSmallest;
}

} // namespace cairn::lanes
