// SPDX-License-Identifier: Apache-2.0
//
// The same sums as statistics_lanes.cpp and compare_lanes.cpp make, for the floats of which weights
// consist: float32, and bfloat16 and float16 where they are not added by trees. What makes them
// faster changes no bit:
//   - nothing is examined in the loop for NaN and infinities; the largest magnitude shows at the
//     end, and then nothing has been added and the other kernels do the block;
//   - extremes and zeros are found in the elements' own bits, as integers: a float's order is that
//     of its bits, but for the sign, so half (a quarter) as many vectors are compared;
//   - squares are exact in a double, so that fused and rounded sums are the same;
//   - bfloat16 is taken apart into even and odd elements, which are already floats then; a register
//     of sums holds lanes 0, 2, 4 … or 1, 3, 5 …, each of which still adds its elements in order.
#include "core/compute/lanes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/narrow_lanes.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include "core/compute/vector_sources.inc"
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// One full vector of stored elements and the resulting doubles. `laneOf` gives the lane of the
/// k-th double of sum register `part`.
template <class Source, class Int, Int kInfinity> struct InOrder {
    using Tag = hn::Repartition<Int, D>;
    static constexpr Int kInfinityBits = kInfinity;
    static constexpr std::size_t kVectors = sizeof(double) / sizeof(Int); ///< vectors of doubles
    static constexpr std::size_t kElements = kVectors * kWide;

    static HWY_INLINE void decode(const std::byte* bytes, hn::Vec<Tag>, V (&x)[kVectors]) {
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kVectors; ++j) {
            x[j] = Source::load(bytes + j * kWide * sizeof(Int));
        }
    }
    static constexpr std::size_t laneOf(std::size_t part, std::size_t k) {
        return part * kWide + k;
    }
};
struct EvenOdd {
    using Tag = hn::Repartition<std::int16_t, D>;
    static constexpr std::int16_t kInfinityBits = 0x7F80;
    static constexpr std::size_t kVectors = 4;
    static constexpr std::size_t kElements = kVectors * kWide;

    static HWY_INLINE void decode(const std::byte*, hn::Vec<Tag> bits, V (&x)[kVectors]) {
        const D d;
        const hn::Repartition<float, D> df;
        const hn::Repartition<std::uint32_t, D> du;
        const hn::Half<decltype(df)> half;
        const auto pairs = hn::BitCast(du, bits);
        const auto even = hn::BitCast(df, hn::ShiftLeft<16>(pairs));
        const auto odd = hn::BitCast(df, hn::And(pairs, hn::Set(du, 0xFFFF0000U)));
        x[0] = hn::PromoteTo(d, hn::LowerHalf(half, even));
        x[1] = hn::PromoteTo(d, hn::LowerHalf(half, odd));
        x[2] = hn::PromoteTo(d, hn::UpperHalf(half, even));
        x[3] = hn::PromoteTo(d, hn::UpperHalf(half, odd));
    }
    static constexpr std::size_t laneOf(std::size_t part, std::size_t k) {
        return part / 2 * 2 * kWide + 2 * k + part % 2;
    }
};

/// The unit of the inner loop: complete vectors and complete groups.
template <class Form>
inline constexpr std::size_t kUnit = kLanes > Form::kElements ? kLanes : Form::kElements;

template <class Form> struct Sums {
    V parts[kParts];

    HWY_INLINE void load(const Lanes& lanes) {
        for (std::size_t part = 0; part < kParts; ++part) {
            alignas(64) double values[kWide];
            for (std::size_t k = 0; k < kWide; ++k) {
                values[k] = lanes[Form::laneOf(part, k)];
            }
            parts[part] = hn::Load(D(), values);
        }
    }
    HWY_INLINE void store(Lanes& lanes) const {
        for (std::size_t part = 0; part < kParts; ++part) {
            alignas(64) double values[kWide];
            hn::Store(parts[part], D(), values);
            for (std::size_t k = 0; k < kWide; ++k) {
                lanes[Form::laneOf(part, k)] = values[k];
            }
        }
    }
};

template <class Form> using Int = hn::TFromD<typename Form::Tag>;
template <class Form> inline constexpr Int<Form> kMagnitude = std::numeric_limits<Int<Form>>::max();

template <class Form> HWY_INLINE hn::Vec<typename Form::Tag> loadBits(const std::byte* bytes) {
    return hn::LoadU(typename Form::Tag(), reinterpret_cast<const Int<Form>*>(bytes));
}

/// The value of a finite float, from its bits.
inline double valueOf(EvenOdd, std::int16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}
template <class Source, class Int, Int kInfinity>
double valueOf(InOrder<Source, Int, kInfinity>, Int bits) {
    std::array<Int, kLanes> all{};
    all[0] = bits;
    return hn::GetLane(Source::load(reinterpret_cast<const std::byte*>(all.data())));
}

/// False (and nothing was added) if there are NaN or infinities.
template <class Form>
bool addFinite(const std::byte* bytes, std::size_t units, StatisticsLanes& lanes) {
    const typename Form::Tag di;
    const auto magnitude = hn::Set(di, kMagnitude<Form>);
    const auto zero = hn::Zero(di);
    Sums<Form> sum;
    Sums<Form> squares;
    Sums<Form> abs;
    sum.load(lanes.sum);
    squares.load(lanes.squares);
    abs.load(lanes.abs);
    auto low = hn::Set(di, kMagnitude<Form>);
    auto high = hn::Set(di, std::numeric_limits<Int<Form>>::min());
    std::size_t zeros = 0;
    for (std::size_t unit = 0; unit < units; ++unit) {
#pragma GCC unroll 8
        for (std::size_t w = 0; w < kUnit<Form> / Form::kElements; ++w) {
            fetchAhead<Form::kElements * sizeof(Int<Form>)>(bytes);
            const auto bits = loadBits<Form>(bytes);
            const auto sign = hn::BroadcastSignBit(bits);
            const auto key = hn::Xor(bits, hn::And(sign, magnitude)); // in the order of the values
            low = hn::Min(low, key);
            high = hn::Max(high, key);
            zeros += hn::CountTrue(di, hn::Eq(hn::And(bits, magnitude), zero));
            V x[Form::kVectors];
            Form::decode(bytes, bits, x);
#pragma GCC unroll 8
            for (std::size_t j = 0; j < Form::kVectors; ++j) {
                const std::size_t part = (w * Form::kVectors + j) % kParts;
                sum.parts[part] = hn::Add(sum.parts[part], x[j]);
                squares.parts[part] = hn::MulAdd(x[j], x[j], squares.parts[part]);
                abs.parts[part] = hn::Add(abs.parts[part], hn::Abs(x[j]));
            }
            bytes += Form::kElements * sizeof(Int<Form>);
        }
    }
    const Int<Form> lowest = hn::GetLane(hn::MinOfLanes(di, low));
    const Int<Form> highest = hn::GetLane(hn::MaxOfLanes(di, high));
    if (units == 0 ||
        std::max<Int<Form>>(highest, static_cast<Int<Form>>(~lowest)) >= Form::kInfinityBits) {
        return units == 0;
    }
    const auto value = [](Int<Form> key) {
        return valueOf(Form(), static_cast<Int<Form>>(key < 0 ? key ^ kMagnitude<Form> : key));
    };
    lanes.low = std::min(lanes.low, value(lowest));
    lanes.high = std::max(lanes.high, value(highest));
    lanes.zeros += zeros;
    sum.store(lanes.sum);
    squares.store(lanes.squares);
    abs.store(lanes.abs);
    return true;
}

/// Compares both sides in one pass over memory; a difference is detected after each kStride bytes.
constexpr std::size_t kStride = 4096;

template <class Form>
Equality addEqual(const std::byte* left, const std::byte* right, std::size_t units, Lanes& lanes) {
    const typename Form::Tag di;
    constexpr std::size_t kBytes = kUnit<Form> * sizeof(Int<Form>);
    const auto magnitude = hn::Set(di, kMagnitude<Form>);
    Sums<Form> squares;
    squares.load(lanes);
    auto highest = hn::Zero(di);
    while (units > 0) {
        auto different = hn::Zero(di);
        const std::size_t now = std::min(units, kStride / kBytes);
        units -= now;
        for (std::size_t unit = 0; unit < now; ++unit) {
#pragma GCC unroll 8
            for (std::size_t w = 0; w < kUnit<Form> / Form::kElements; ++w) {
                fetchAhead<Form::kElements * sizeof(Int<Form>)>(left);
                fetchAhead<Form::kElements * sizeof(Int<Form>)>(right);
                const auto bits = loadBits<Form>(left);
                different = hn::Or(different, hn::Xor(bits, loadBits<Form>(right)));
                highest = hn::Max(highest, hn::And(bits, magnitude));
                V x[Form::kVectors];
                Form::decode(left, bits, x);
#pragma GCC unroll 8
                for (std::size_t j = 0; j < Form::kVectors; ++j) {
                    const std::size_t part = (w * Form::kVectors + j) % kParts;
                    squares.parts[part] = hn::MulAdd(x[j], x[j], squares.parts[part]);
                }
                left += Form::kElements * sizeof(Int<Form>);
                right += Form::kElements * sizeof(Int<Form>);
            }
        }
        if (!hn::AllTrue(di, hn::Eq(different, hn::Zero(di)))) {
            return Equality::Different;
        }
    }
    if (hn::GetLane(hn::MaxOfLanes(di, highest)) >= Form::kInfinityBits) {
        return Equality::Unknown;
    }
    squares.store(lanes);
    return Equality::Equal;
}

/// Counts pairs that differ, without tolerances. False (and nothing was added) if a side has NaN or
/// infinities.
template <class Form>
bool compareFinite(const std::byte* left, const std::byte* right, std::size_t units,
                   CompareLanes& lanes) {
    const typename Form::Tag di;
    const D d;
    const auto magnitude = hn::Set(di, kMagnitude<Form>);
    const auto zero = hn::Zero(di);
    Sums<Form> abs;
    Sums<Form> squares;
    Sums<Form> lefts;
    Sums<Form> rights;
    Sums<Form> dot;
    abs.load(lanes.abs);
    squares.load(lanes.squares);
    lefts.load(lanes.left);
    rights.load(lanes.right);
    dot.load(lanes.dot);
    V most[kParts];
#pragma GCC unroll 8
    for (V& one : most) {
        one = hn::Set(d, lanes.maxAbs);
    }
    auto highest = zero;
    std::size_t equal = 0;
    for (std::size_t unit = 0; unit < units; ++unit) {
#pragma GCC unroll 8
        for (std::size_t w = 0; w < kUnit<Form> / Form::kElements; ++w) {
            fetchAhead<Form::kElements * sizeof(Int<Form>)>(left);
            fetchAhead<Form::kElements * sizeof(Int<Form>)>(right);
            const auto leftBits = loadBits<Form>(left);
            const auto rightBits = loadBits<Form>(right);
            highest = hn::Max(highest, hn::And(leftBits, magnitude));
            highest = hn::Max(highest, hn::And(rightBits, magnitude));
            const auto zeros = hn::Eq(hn::And(hn::Or(leftBits, rightBits), magnitude), zero);
            equal += hn::CountTrue(di, hn::Or(hn::Eq(leftBits, rightBits), zeros));
            V l[Form::kVectors];
            V r[Form::kVectors];
            Form::decode(left, leftBits, l);
            Form::decode(right, rightBits, r);
#pragma GCC unroll 8
            for (std::size_t j = 0; j < Form::kVectors; ++j) {
                const std::size_t part = (w * Form::kVectors + j) % kParts;
                const V distance = hn::Abs(hn::Sub(l[j], r[j]));
                abs.parts[part] = hn::Add(abs.parts[part], distance);
                squares.parts[part] = hn::Add(squares.parts[part], hn::Mul(distance, distance));
                lefts.parts[part] = hn::MulAdd(l[j], l[j], lefts.parts[part]);
                rights.parts[part] = hn::MulAdd(r[j], r[j], rights.parts[part]);
                dot.parts[part] = hn::MulAdd(l[j], r[j], dot.parts[part]);
                most[part] = hn::Max(most[part], distance);
            }
            left += Form::kElements * sizeof(Int<Form>);
            right += Form::kElements * sizeof(Int<Form>);
        }
    }
    if (hn::GetLane(hn::MaxOfLanes(di, highest)) >= Form::kInfinityBits) {
        return false;
    }
    for (const V& one : most) {
        lanes.maxAbs = std::max(lanes.maxAbs, hn::GetLane(hn::MaxOfLanes(d, one)));
    }
    const std::size_t changed = units * kUnit<Form> - equal;
    lanes.changed += changed;
    lanes.beyond += changed;
    abs.store(lanes.abs);
    squares.store(lanes.squares);
    lefts.store(lanes.left);
    rights.store(lanes.right);
    dot.store(lanes.dot);
    return true;
}

using Half = InOrder<FromFloat16, std::int16_t, 0x7C00>;
using Single = InOrder<FromFloat32, std::int32_t, 0x7F800000>;

/// Calls `work` with the dtype's form; false if there is none.
template <class Work> bool withForm(Dtype dtype, const Work& work) {
    switch (dtype) {
    case Dtype::Bfloat16:
        work(EvenOdd());
        return true;
    case Dtype::Float16:
        work(Half());
        return true;
    case Dtype::Float32:
        work(Single());
        return true;
    default:
        return false;
    }
}

std::size_t finiteStatistics(Dtype dtype, const std::byte* bytes, std::size_t groups,
                             StatisticsLanes& lanes) {
    std::size_t done = 0;
    withForm(dtype, [&](auto form) {
        using Form = decltype(form);
        const std::size_t units = groups * kLanes / kUnit<Form>;
        done = addFinite<Form>(bytes, units, lanes) ? units * kUnit<Form> / kLanes : 0;
    });
    return done;
}

std::size_t finiteComparison(Dtype dtype, const std::byte* left, const std::byte* right,
                             std::size_t groups, CompareLanes& lanes) {
    std::size_t done = 0;
    withForm(dtype, [&](auto form) {
        using Form = decltype(form);
        const std::size_t units = groups * kLanes / kUnit<Form>;
        done = compareFinite<Form>(left, right, units, lanes) ? units * kUnit<Form> / kLanes : 0;
    });
    return done;
}

Equality equalSquares(Dtype dtype, const std::byte* left, const std::byte* right,
                      std::size_t elements, Lanes& squares) {
    Equality result = Equality::Unknown;
    withForm(dtype, [&](auto form) {
        using Form = decltype(form);
        if (elements % kUnit<Form> == 0) {
            result = addEqual<Form>(left, right, elements / kUnit<Form>, squares);
        }
    });
    return result;
}

#else // a vector of one double cannot hold a pair of elements

std::size_t finiteStatistics(Dtype, const std::byte*, std::size_t, StatisticsLanes&) {
    return 0;
}
std::size_t finiteComparison(Dtype, const std::byte*, const std::byte*, std::size_t,
                             CompareLanes&) {
    return 0;
}
Equality equalSquares(Dtype, const std::byte*, const std::byte*, std::size_t, Lanes&) {
    return Equality::Unknown;
}

#endif

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {

HWY_EXPORT(finiteStatistics);
HWY_EXPORT(finiteComparison);
HWY_EXPORT(equalSquares);

std::size_t addFiniteGroups(Dtype dtype, const std::byte* bytes, std::size_t groups,
                            StatisticsLanes& lanes) {
    return HWY_DYNAMIC_DISPATCH(finiteStatistics)(dtype, bytes, groups, lanes);
}

std::size_t addFiniteGroups(Dtype dtype, const std::byte* left, const std::byte* right,
                            std::size_t groups, CompareLanes& lanes) {
    return HWY_DYNAMIC_DISPATCH(finiteComparison)(dtype, left, right, groups, lanes);
}

Equality addEqualGroups(Dtype dtype, const std::byte* left, const std::byte* right,
                        std::size_t elements, Lanes& squares) {
    return HWY_DYNAMIC_DISPATCH(equalSquares)(dtype, left, right, elements, squares);
}

} // namespace cairn::lanes
#endif
