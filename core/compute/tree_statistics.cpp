// SPDX-License-Identifier: Apache-2.0
#include "core/compute/lanes.h"
#include "core/compute/tree_forms.h"
#include "core/compute/tree_plain.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/tree_statistics.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include "core/compute/tree_rows.inc"
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// Sums over the pairs of rows. Squares are exact, so that fused and separate operations give the
/// same result.
struct Moments {
    Row sum;
    Row squares;
    Row abs;
};

HWY_INLINE Moments operator+(const Moments& a, const Moments& b) {
    return {a.sum + b.sum, a.squares + b.squares, a.abs + b.abs};
}

template <class Form> HWY_INLINE Moments momentsOf(const std::byte* row, RowPatterns& patterns) {
    Moments moments;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kRowVectors; ++v) {
        const auto bits = loadBits(row, v);
        patterns.add(bits);
        const Pairs x = pairsOf(Form(), row, v, bits);
        moments.sum.vectors[v] = hn::Add(x.first, x.second);
        moments.squares.vectors[v] = hn::MulAdd(x.second, x.second, hn::Mul(x.first, x.first));
        moments.abs.vectors[v] = hn::Add(hn::Abs(x.first), hn::Abs(x.second));
    }
    return moments;
}

template <class Form>
Patterns sumsOf(const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    Sums sum(lanes.sum);
    Sums squares(lanes.squares);
    Sums abs(lanes.abs);
    RowPatterns patterns;
    for (std::size_t run = 0; run < runs; ++run, bytes += kRunBytes) {
        fetchAhead<kRunBytes>(bytes);
        const Moments front =
            momentsOf<Form>(bytes, patterns) + momentsOf<Form>(bytes + kRowBytes, patterns);
        const Moments back = momentsOf<Form>(bytes + 2 * kRowBytes, patterns) +
                             momentsOf<Form>(bytes + 3 * kRowBytes, patterns);
        const Moments tree = front + back;
        sum += tree.sum;
        squares += tree.squares;
        abs += tree.abs;
    }
    sum.store(lanes.sum);
    squares.store(lanes.squares);
    abs.store(lanes.abs);
    return patterns.together();
}

struct Distances {
    Row sum;
    Row squares;
};

HWY_INLINE Distances operator+(const Distances& a, const Distances& b) {
    return {a.sum + b.sum, a.squares + b.squares};
}

template <class Form> HWY_INLINE Distances distancesOf(const std::byte* row, Floats pivot) {
    Distances distances;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kRowVectors; ++v) {
        const Pairs x = pairsOf(Form(), row, v, loadBits(row, v));
        const Floats first = hn::Sub(x.first, pivot);
        const Floats second = hn::Sub(x.second, pivot);
        distances.sum.vectors[v] = hn::Add(first, second);
        distances.squares.vectors[v] = hn::Add(hn::Mul(first, first), hn::Mul(second, second));
    }
    return distances;
}

template <class Form>
void addDistances(const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    const Floats pivot = hn::Set(F(), static_cast<float>(lanes.pivot));
    Sums sum(lanes.sum);
    Sums squares(lanes.squares);
    for (std::size_t run = 0; run < runs; ++run, bytes += kRunBytes) {
        const Distances front =
            distancesOf<Form>(bytes, pivot) + distancesOf<Form>(bytes + kRowBytes, pivot);
        const Distances back = distancesOf<Form>(bytes + 2 * kRowBytes, pivot) +
                               distancesOf<Form>(bytes + 3 * kRowBytes, pivot);
        const Distances tree = front + back;
        sum += tree.sum;
        squares += tree.squares;
    }
    sum.store(lanes.sum);
    squares.store(lanes.squares);
}

#else

template <class Form>
Patterns sumsOf(const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    return plainSums(Form(), bytes, runs, lanes);
}
template <class Form>
void addDistances(const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    plainDistances(Form(), bytes, runs, lanes);
}

#endif

template <class Form>
bool addTame(const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    StatisticsLanes sums = lanes;
    const Patterns patterns = sumsOf<Form>(bytes, runs, sums);
    Zeros zeros;
    if (!areTame<Form>(patterns, zeros, [&] { return zerosOf(bytes, runs); })) {
        return false;
    }
    sums.low = std::min<double>(sums.low, Form::value(patterns.lowest()));
    sums.high = std::max<double>(sums.high, Form::value(patterns.highest()));
    sums.zeros += zeros.count;
    lanes = sums;
    return true;
}

bool tameStatistics(Dtype dtype, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    bool added = false;
    return withTreeForm(dtype,
                        [&](auto form) {
                            added = runs == 0 || addTame<decltype(form)>(bytes, runs, lanes);
                        }) &&
           added;
}

void tameDistances(Dtype dtype, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    withTreeForm(dtype, [&](auto form) { addDistances<decltype(form)>(bytes, runs, lanes); });
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {

HWY_EXPORT(tameStatistics);
HWY_EXPORT(tameDistances);

bool addTameRuns(Dtype dtype, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    return HWY_DYNAMIC_DISPATCH(tameStatistics)(dtype, bytes, runs, lanes);
}

void addTameDistances(Dtype dtype, const std::byte* bytes, std::size_t runs,
                      StatisticsLanes& lanes) {
    HWY_DYNAMIC_DISPATCH(tameDistances)(dtype, bytes, runs, lanes);
}

} // namespace cairn::lanes
#endif
