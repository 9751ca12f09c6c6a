// SPDX-License-Identifier: Apache-2.0
#include "core/compute/low_rank.h"

#include <algorithm>
#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/low_rank.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

/// The wide matrix is taken in bands of a few vectors, which stay in the first cache while all rows
/// pass; the sums of four rows of a band are in registers. Each element has its own chain, so that
/// the width of the vectors does not show in the result.
HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<float>;
using Sums = hn::Vec<Wide>;

#if HWY_NATIVE_FMA
HWY_INLINE Sums fusedSum(Sums a, Sums b, Sums sum) {
    return hn::MulAdd(a, b, sum);
}
#else
HWY_INLINE Sums fusedSum(Sums a, Sums b, Sums sum) {
    const Wide d;
    HWY_ALIGN float x[hn::MaxLanes(Wide())];
    HWY_ALIGN float y[hn::MaxLanes(Wide())];
    HWY_ALIGN float z[hn::MaxLanes(Wide())];
    hn::Store(a, d, x);
    hn::Store(b, d, y);
    hn::Store(sum, d, z);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
        z[i] = std::fma(x[i], y[i], z[i]);
    }
    return hn::Load(d, z);
}
#endif

/// `Rows` rows of `Vectors` vectors.
template <std::size_t Rows, std::size_t Vectors, bool Fused>
HWY_INLINE void multiplyTile(const LowRankProduct& p, std::size_t row, std::size_t column,
                             float* out) {
    const Wide d;
    const std::size_t lanes = hn::Lanes(d);
    Sums total[Rows][Vectors];
    for (std::size_t begin = 0; begin < p.rank; begin += p.block) {
        const std::size_t end = std::min(begin + p.block, p.rank);
        Sums sums[Rows][Vectors];
        for (std::size_t i = 0; i < Rows; ++i) {
            for (std::size_t j = 0; j < Vectors; ++j) {
                sums[i][j] = hn::Zero(d);
            }
        }
        for (std::size_t k = begin; k < end; ++k) {
            const float* from = p.right.data() + k * p.stride + column;
            Sums right[Vectors];
            for (std::size_t j = 0; j < Vectors; ++j) {
                right[j] = hn::LoadU(d, from + j * lanes);
            }
            for (std::size_t i = 0; i < Rows; ++i) {
                const Sums left = hn::Set(d, p.left[(row + i) * p.rank + k]);
                for (std::size_t j = 0; j < Vectors; ++j) {
                    sums[i][j] = Fused ? fusedSum(left, right[j], sums[i][j])
                                       : hn::Add(sums[i][j], hn::Mul(left, right[j]));
                }
            }
        }
        for (std::size_t i = 0; i < Rows; ++i) {
            for (std::size_t j = 0; j < Vectors; ++j) {
                total[i][j] = begin == 0 ? sums[i][j] : hn::Add(total[i][j], sums[i][j]);
            }
        }
    }
    const Sums scale = hn::Set(d, p.scale);
    for (std::size_t i = 0; i < Rows; ++i) {
        float* to = out + (row + i) * p.columns + column;
        for (std::size_t j = 0; j < Vectors; ++j) {
            hn::StoreU(hn::Mul(total[i][j], scale), d, to + j * lanes);
        }
    }
}

template <std::size_t Vectors, bool Fused>
HWY_INLINE void multiplyBand(const LowRankProduct& p, std::size_t column, float* out) {
    std::size_t row = 0;
    for (; row + 4 <= p.rows; row += 4) {
        multiplyTile<4, Vectors, Fused>(p, row, column, out);
    }
    for (; row < p.rows; ++row) {
        multiplyTile<1, Vectors, Fused>(p, row, column, out);
    }
}

/// The columns from `column` on, fewer than a vector has.
template <bool Fused>
HWY_INLINE void multiplyRest(const LowRankProduct& p, std::size_t column, float* out) {
    const std::size_t lanes = hn::Lanes(Wide());
    const std::size_t rest = p.columns - column;
    std::vector<float> right(p.rank * lanes);
    std::vector<float> made(p.rows * lanes);
    for (std::size_t k = 0; k < p.rank; ++k) {
        std::copy_n(p.right.data() + k * p.stride + column, rest, right.data() + k * lanes);
    }
    LowRankProduct padded = p;
    padded.right = right;
    padded.stride = lanes;
    padded.columns = lanes;
    multiplyBand<1, Fused>(padded, 0, made.data());
    for (std::size_t row = 0; row < p.rows; ++row) {
        std::copy_n(made.data() + row * lanes, rest, out + row * p.columns + column);
    }
}

template <bool Fused> HWY_INLINE void multiplyAll(const LowRankProduct& p, float* out) {
    const std::size_t lanes = hn::Lanes(Wide());
    std::size_t column = 0;
    for (; column + 2 * lanes <= p.columns; column += 2 * lanes) {
        multiplyBand<2, Fused>(p, column, out);
    }
    for (; column + lanes <= p.columns; column += lanes) {
        multiplyBand<1, Fused>(p, column, out);
    }
    if (column < p.columns) {
        multiplyRest<Fused>(p, column, out);
    }
}

void multiplyHere(const LowRankProduct& p, float* out) {
    if (p.fused) {
        multiplyAll<true>(p, out);
    } else {
        multiplyAll<false>(p, out);
    }
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {
HWY_EXPORT(multiplyHere);
} // namespace cairn::lanes

namespace cairn {

void multiplyLowRank(const LowRankProduct& product, std::span<float> out) {
    using namespace lanes;
    HWY_DYNAMIC_DISPATCH(multiplyHere)(product, out.data());
}

void addScaled(std::span<float> values, std::span<const float> vector, float scale) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += scale * vector[i];
    }
}

} // namespace cairn
#endif
