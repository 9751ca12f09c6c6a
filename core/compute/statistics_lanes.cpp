// SPDX-License-Identifier: Apache-2.0
#include "core/compute/lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/statistics_lanes.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include "core/compute/vector_sources.inc"
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

struct Registers {
    V sum[kParts];
    V squares[kParts];
    V abs[kParts];
    V low[kParts];
    V high[kParts];
};

HWY_INLINE void load(const StatisticsLanes& lanes, Registers& r) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kParts; ++j) {
        r.sum[j] = hn::LoadU(d, &lanes.sum[j * kWide]);
        r.squares[j] = hn::LoadU(d, &lanes.squares[j * kWide]);
        r.abs[j] = hn::LoadU(d, &lanes.abs[j * kWide]);
        r.low[j] = hn::Set(d, lanes.low);
        r.high[j] = hn::Set(d, lanes.high);
    }
}

HWY_INLINE void store(const Registers& r, StatisticsLanes& lanes) {
    const D d;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kParts; ++j) {
        hn::StoreU(r.sum[j], d, &lanes.sum[j * kWide]);
        hn::StoreU(r.squares[j], d, &lanes.squares[j * kWide]);
        hn::StoreU(r.abs[j], d, &lanes.abs[j * kWide]);
    }
    V low = r.low[0];
    V high = r.high[0];
#pragma GCC unroll 8
    for (std::size_t j = 1; j < kParts; ++j) {
        low = hn::Min(low, r.low[j]);
        high = hn::Max(high, r.high[j]);
    }
    lanes.low = hn::GetLane(hn::MinOfLanes(d, low));
    lanes.high = hn::GetLane(hn::MaxOfLanes(d, high));
}

/// A group that contains NaN or infinities, element by element. It gets no Registers, because
/// variables whose address is taken do not stay in processor registers.
template <class Source>
HWY_NOINLINE void addSlowly(const std::byte* bytes, StatisticsLanes& lanes) {
    Lanes values;
    for (std::size_t j = 0; j < kParts; ++j) {
        hn::StoreU(Source::load(bytes + j * kWide * Source::kBytes), D(), &values[j * kWide]);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes.add(lane, values[lane]);
    }
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
            store(r, lanes);
            addSlowly<Source>(bytes, lanes);
            load(lanes, r);
            continue;
        }
#pragma GCC unroll 8
        for (std::size_t j = 0; j < kParts; ++j) {
            zeros += hn::CountTrue(d, hn::Eq(x[j], zero));
            const V distance = hn::Sub(x[j], pivot);
            r.sum[j] = hn::Add(r.sum[j], distance);
            r.squares[j] = hn::Add(r.squares[j], hn::Mul(distance, distance));
            r.abs[j] = hn::Add(r.abs[j], magnitude[j]);
            r.low[j] = hn::Min(r.low[j], x[j]);
            r.high[j] = hn::Max(r.high[j], x[j]);
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
