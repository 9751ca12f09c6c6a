// SPDX-License-Identifier: Apache-2.0
#include "core/compute/lanes.h"

// Scalable vectors cannot be kept in arrays; their machines have fixed ones as well.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/statistics_lanes.cpp"
#include "core/compute/vector_sources-inl.h"

#include <hwy/foreach_target.h> // IWYU pragma: keep, before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

struct Registers {
    V sum[kParts];
    V squares[kParts];
    V abs[kParts];
    V low;
    V high;
};

HWY_INLINE void load(const StatisticsLanes& lanes, Registers& r) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kParts; ++j) {
        r.sum[j] = hn::LoadU(d, &lanes.sum[j * kWide]);
        r.squares[j] = hn::LoadU(d, &lanes.squares[j * kWide]);
        r.abs[j] = hn::LoadU(d, &lanes.abs[j * kWide]);
    }
    r.low = hn::Set(d, lanes.low);
    r.high = hn::Set(d, lanes.high);
}

HWY_INLINE void store(const Registers& r, StatisticsLanes& lanes) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kParts; ++j) {
        hn::StoreU(r.sum[j], d, &lanes.sum[j * kWide]);
        hn::StoreU(r.squares[j], d, &lanes.squares[j * kWide]);
        hn::StoreU(r.abs[j], d, &lanes.abs[j * kWide]);
    }
    lanes.low = hn::GetLane(hn::MinOfLanes(d, r.low));
    lanes.high = hn::GetLane(hn::MaxOfLanes(d, r.high));
}

/// A group with NaN or infinities in it, element by element.
HWY_NOINLINE void addSlowly(const V (&x)[kParts], Registers& r, StatisticsLanes& lanes) {
    Lanes values;
    for (std::size_t j = 0; j < kParts; ++j) {
        hn::StoreU(x[j], D(), &values[j * kWide]);
    }
    store(r, lanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes.add(lane, values[lane]);
    }
    load(lanes, r);
}

template <class Source>
void addAll(const std::byte* bytes, std::size_t groups, StatisticsLanes& lanes) {
    const D d;
    const V pivot = hn::Set(d, lanes.pivot);
    const V inf = hn::Set(d, kInf);
    const V zero = hn::Zero(d);
    Registers r;
    load(lanes, r);
    std::size_t zeros = 0;
    for (std::size_t g = 0; g < groups; ++g, bytes += kLanes * Source::kBytes) {
        V x[kParts];
        V magnitude[kParts];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kParts; ++j) {
            x[j] = Source::load(bytes + j * kWide * Source::kBytes);
            magnitude[j] = hn::Abs(x[j]);
        }
        auto finite = hn::Lt(magnitude[0], inf);
#pragma GCC unroll 8
        for (std::size_t j = 1; j < kParts; ++j) {
            finite = hn::And(finite, hn::Lt(magnitude[j], inf));
        }
        if (HWY_UNLIKELY(!hn::AllTrue(d, finite))) {
            addSlowly(x, r, lanes);
            continue;
        }
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kParts; ++j) {
            zeros += hn::CountTrue(d, hn::Eq(x[j], zero));
            const V distance = hn::Sub(x[j], pivot);
            r.sum[j] = hn::Add(r.sum[j], distance);
            r.squares[j] = hn::Add(r.squares[j], hn::Mul(distance, distance));
            r.abs[j] = hn::Add(r.abs[j], magnitude[j]);
            r.low = hn::Min(r.low, x[j]);
            r.high = hn::Max(r.high, x[j]);
        }
    }
    store(r, lanes);
    lanes.zeros += zeros;
}

bool addStatistics(Dtype dtype, const std::byte* bytes, std::size_t groups,
                   StatisticsLanes& lanes) {
    return withSource(dtype, [&](auto source) { addAll<decltype(source)>(bytes, groups, lanes); });
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {

HWY_EXPORT(addStatistics);

bool addGroups(Dtype dtype, const std::byte* bytes, std::size_t groups, StatisticsLanes& lanes) {
    return HWY_DYNAMIC_DISPATCH(addStatistics)(dtype, bytes, groups, lanes);
}

} // namespace cairn::lanes
#endif
