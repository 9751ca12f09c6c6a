// SPDX-License-Identifier: Apache-2.0
#include "core/compute/lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/compare_lanes.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include "core/compute/vector_sources.inc"
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

struct CompareRegisters {
    V abs[kParts];
    V squares[kParts];
    V left[kParts];
    V right[kParts];
    V dot[kParts];
    V maxAbs[kParts];
};

HWY_INLINE void load(const CompareLanes& lanes, CompareRegisters& r) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kParts; ++j) {
        r.abs[j] = hn::LoadU(d, &lanes.abs[j * kWide]);
        r.squares[j] = hn::LoadU(d, &lanes.squares[j * kWide]);
        r.left[j] = hn::LoadU(d, &lanes.left[j * kWide]);
        r.right[j] = hn::LoadU(d, &lanes.right[j * kWide]);
        r.dot[j] = hn::LoadU(d, &lanes.dot[j * kWide]);
        r.maxAbs[j] = hn::Set(d, lanes.maxAbs);
    }
}

HWY_INLINE void store(const CompareRegisters& r, CompareLanes& lanes) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kParts; ++j) {
        hn::StoreU(r.abs[j], d, &lanes.abs[j * kWide]);
        hn::StoreU(r.squares[j], d, &lanes.squares[j * kWide]);
        hn::StoreU(r.left[j], d, &lanes.left[j * kWide]);
        hn::StoreU(r.right[j], d, &lanes.right[j * kWide]);
        hn::StoreU(r.dot[j], d, &lanes.dot[j * kWide]);
    }
    V most = r.maxAbs[0];
#pragma GCC unroll 8
    for (std::size_t j = 1; j < kParts; ++j) {
        most = hn::Max(most, r.maxAbs[j]);
    }
    lanes.maxAbs = hn::GetLane(hn::MaxOfLanes(d, most));
}

/// A group that contains NaN or infinities, element by element. It gets no Registers, because
/// variables whose address is taken do not stay in processor registers.
template <class Left, class Right>
HWY_NOINLINE void addSlowly(const std::byte* left, const std::byte* right, CompareLanes& lanes) {
    Lanes l;
    Lanes r;
    for (std::size_t j = 0; j < kParts; ++j) {
        hn::StoreU(Left::load(left + j * kWide * Left::kBytes), D(), &l[j * kWide]);
        hn::StoreU(Right::load(right + j * kWide * Right::kBytes), D(), &r[j * kWide]);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes.add(lane, l[lane], r[lane]);
    }
}

/// sum + a·b; fused if the product is exact, because the result is then the same.
template <bool Exact> HWY_INLINE V addProduct(V sum, V a, V b) {
    if constexpr (Exact) {
        return hn::MulAdd(a, b, sum);
    } else {
        return hn::Add(sum, hn::Mul(a, b));
    }
}

template <class Left, class Right, bool Tolerant>
void compareAll(const std::byte* left, const std::byte* right, std::size_t groups,
                CompareLanes& lanes) {
    constexpr bool kExact = Left::kExact && Right::kExact;
    const D d;
    const V inf = hn::Set(d, kInf);
    const V rtol = hn::Set(d, lanes.rtol);
    const V atol = hn::Set(d, lanes.atol);
    CompareRegisters sums;
    load(lanes, sums);
    std::size_t equal = 0;
    std::size_t beyond = 0;
    std::size_t slow = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        V l[kParts];
        V r[kParts];
        V distance[kParts];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kParts; ++j) {
            l[j] = Left::load(left + (g * kLanes + j * kWide) * Left::kBytes);
            r[j] = Right::load(right + (g * kLanes + j * kWide) * Right::kBytes);
            distance[j] = hn::Abs(hn::Sub(l[j], r[j])); // infinite or NaN if a side is
        }
        auto finite = hn::Lt(distance[0], inf);
#pragma GCC unroll 8
        for (std::size_t j = 1; j < kParts; ++j) {
            finite = hn::And(finite, hn::Lt(distance[j], inf));
        }
        if (HWY_UNLIKELY(!hn::AllTrue(d, finite))) {
            store(sums, lanes);
            addSlowly<Left, Right>(left + g * kLanes * Left::kBytes,
                                   right + g * kLanes * Right::kBytes, lanes);
            load(lanes, sums);
            ++slow;
            continue;
        }
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kParts; ++j) {
            equal += hn::CountTrue(d, hn::Eq(l[j], r[j]));
            sums.abs[j] = hn::Add(sums.abs[j], distance[j]);
            sums.squares[j] = hn::Add(sums.squares[j], hn::Mul(distance[j], distance[j]));
            sums.left[j] = addProduct<kExact>(sums.left[j], l[j], l[j]);
            sums.right[j] = addProduct<kExact>(sums.right[j], r[j], r[j]);
            sums.dot[j] = addProduct<kExact>(sums.dot[j], l[j], r[j]);
            sums.maxAbs[j] = hn::Max(sums.maxAbs[j], distance[j]);
            if constexpr (Tolerant) {
                const V allowed = hn::Add(atol, hn::Mul(rtol, hn::Abs(r[j])));
                beyond += hn::CountTrue(d, hn::Gt(distance[j], allowed));
            }
        }
    }
    store(sums, lanes);
    const std::size_t changed = (groups - slow) * kLanes - equal;
    lanes.changed += changed;
    lanes.beyond += Tolerant ? beyond : changed;
}

template <class Left, class Right>
void comparePair(const std::byte* left, const std::byte* right, std::size_t groups,
                 CompareLanes& lanes) {
    if (lanes.rtol == 0 && lanes.atol == 0) {
        compareAll<Left, Right, false>(left, right, groups, lanes);
    } else {
        compareAll<Left, Right, true>(left, right, groups, lanes);
    }
}

bool addComparison(Dtype leftType, const std::byte* left, Dtype rightType, const std::byte* right,
                   std::size_t groups, CompareLanes& lanes) {
    if (leftType == rightType) {
        return withSource(leftType, [&](auto source) {
            comparePair<decltype(source), decltype(source)>(left, right, groups, lanes);
        });
    }
    if (leftType == Dtype::Float32 && rightType == Dtype::Bfloat16) {
        comparePair<FromFloat32, FromBfloat16>(left, right, groups, lanes);
        return true;
    }
    if (leftType == Dtype::Bfloat16 && rightType == Dtype::Float32) {
        comparePair<FromBfloat16, FromFloat32>(left, right, groups, lanes);
        return true;
    }
    return false;
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {

HWY_EXPORT(addComparison);

bool addGroups(Dtype leftType, const std::byte* left, Dtype rightType, const std::byte* right,
               std::size_t groups, CompareLanes& lanes) {
    return HWY_DYNAMIC_DISPATCH(addComparison)(leftType, left, rightType, right, groups, lanes);
}

} // namespace cairn::lanes
#endif
