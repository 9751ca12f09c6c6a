// SPDX-License-Identifier: Apache-2.0
#include "core/compute/lanes.h"
#include "core/compute/tree_forms.h"
#include "core/compute/tree_plain.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/tree_compare.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include "core/compute/tree_rows.inc"
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

template <class Form>
HWY_INLINE Row squaresOf(const std::byte* left, const std::byte* right, RowPatterns& patterns,
                         RowDifference& difference) {
    Row squares;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kRowVectors; ++v) {
        const auto bits = loadBits(left, v);
        difference.add(bits, loadBits(right, v));
        patterns.add(bits);
        const Pairs x = pairsOf(Form(), left, v, bits);
        squares.vectors[v] = hn::MulAdd(x.second, x.second, hn::Mul(x.first, x.first));
    }
    return squares;
}

/// False if the sides differ, which is detected after each stride.
template <class Form>
bool squaresIfEqual(const std::byte* left, const std::byte* right, std::size_t runs, Lanes& lanes,
                    Patterns& patterns) {
    constexpr std::size_t kStride = 32; // 8 KiB per side
    Sums squares(lanes);
    RowPatterns found;
    while (runs > 0) {
        const std::size_t now = std::min(runs, kStride);
        RowDifference difference;
        for (std::size_t run = 0; run < now; ++run, left += kRunBytes, right += kRunBytes) {
            fetchAhead<kRunBytes>(left);
            fetchAhead<kRunBytes>(right);
            const Row front =
                squaresOf<Form>(left, right, found, difference) +
                squaresOf<Form>(left + kRowBytes, right + kRowBytes, found, difference);
            const Row back =
                squaresOf<Form>(left + 2 * kRowBytes, right + 2 * kRowBytes, found, difference) +
                squaresOf<Form>(left + 3 * kRowBytes, right + 3 * kRowBytes, found, difference);
            squares += front + back;
        }
        if (difference.any()) {
            return false;
        }
        runs -= now;
    }
    squares.store(lanes);
    patterns = found.together();
    return true;
}

#else

template <class Form>
bool squaresIfEqual(const std::byte* left, const std::byte* right, std::size_t runs, Lanes& lanes,
                    Patterns& patterns) {
    return plainSquaresIfEqual(Form(), left, right, runs, lanes, patterns);
}

#endif

Equality equalRuns(Dtype dtype, const std::byte* left, const std::byte* right, std::size_t elements,
                   Lanes& squares) {
    const std::size_t runs = elements / kRun;
    Equality result = Equality::Unknown;
    withTreeForm(dtype, [&](auto form) {
        using Form = decltype(form);
        if (runs == 0) {
            result = Equality::Equal;
            return;
        }
        Lanes sums = squares;
        Patterns patterns;
        if (!squaresIfEqual<Form>(left, right, runs, sums, patterns)) {
            result = Equality::Different;
            return;
        }
        Zeros zeros;
        if (areTame<Form>(patterns, zeros, [&] { return zerosOf(left, runs); })) {
            squares = sums;
            result = Equality::Equal;
        }
    });
    return result;
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {

HWY_EXPORT(equalRuns);

Equality addEqualRuns(Dtype dtype, const std::byte* left, const std::byte* right,
                      std::size_t elements, Lanes& squares) {
    return HWY_DYNAMIC_DISPATCH(equalRuns)(dtype, left, right, elements, squares);
}

} // namespace cairn::lanes
#endif
