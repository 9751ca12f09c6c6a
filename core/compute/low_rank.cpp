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
/// the width of the vectors does not show in the result. Matrices rarely begin at the boundary of a
/// cache line, where loads of such vectors take half the time; a band is therefore copied.
HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<float>;
using Sums = hn::Vec<Wide>;

/// The columns of `right` that a band needs: either in place, or copied beside each other.
struct Columns {
    const float* first;
    std::size_t stride;
};

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

/// `Rows` rows of `Vectors` vectors, added in one chain.
template <std::size_t Rows, std::size_t Vectors, bool Fused>
HWY_INLINE void addProducts(const LowRankProduct& p, Columns columns, std::size_t row,
                            std::size_t begin, std::size_t end, Sums (&sums)[Rows][Vectors]) {
    const Wide d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < Rows; ++i) {
        for (std::size_t j = 0; j < Vectors; ++j) {
            sums[i][j] = hn::Zero(d);
        }
    }
    for (std::size_t k = begin; k < end; ++k) {
        const float* from = columns.first + k * columns.stride;
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
}

/// The complete product of a tile. Few ranks have more than one chain, whose sum needs registers.
template <std::size_t Rows, std::size_t Vectors, bool Fused, bool Adds>
HWY_INLINE void multiplyTile(const LowRankProduct& p, Columns columns, std::size_t row,
                             std::size_t column, float* out) {
    const Wide d;
    const std::size_t lanes = hn::Lanes(d);
    Sums total[Rows][Vectors];
    addProducts<Rows, Vectors, Fused>(p, columns, row, 0, std::min(p.block, p.rank), total);
    for (std::size_t begin = p.block; begin < p.rank; begin += p.block) {
        Sums sums[Rows][Vectors];
        addProducts<Rows, Vectors, Fused>(p, columns, row, begin, std::min(begin + p.block, p.rank),
                                          sums);
        for (std::size_t i = 0; i < Rows; ++i) {
            for (std::size_t j = 0; j < Vectors; ++j) {
                total[i][j] = hn::Add(total[i][j], sums[i][j]);
            }
        }
    }
    const Sums scale = hn::Set(d, p.scale);
    for (std::size_t i = 0; i < Rows; ++i) {
        float* to = out + (row + i) * p.columns + column;
        for (std::size_t j = 0; j < Vectors; ++j) {
            const Sums scaled = hn::Mul(total[i][j], scale);
            hn::StoreU(Adds ? hn::Add(hn::LoadU(d, to + j * lanes), scaled) : scaled, d,
                       to + j * lanes);
        }
    }
}

template <std::size_t Vectors, bool Fused, bool Adds>
HWY_INLINE void multiplyBand(const LowRankProduct& p, std::size_t column, float* out) {
    constexpr std::size_t kPacked = 4096; // floats, a third of the first cache
    constexpr std::size_t kMinPackedRows = 8;
    const std::size_t width = Vectors * hn::Lanes(Wide());
    HWY_ALIGN float packed[kPacked];
    Columns columns{p.right.data() + column, p.stride};
    if (p.rows >= kMinPackedRows && p.rank * width <= kPacked) {
        for (std::size_t k = 0; k < p.rank; ++k) {
            std::copy_n(columns.first + k * p.stride, width, packed + k * width);
        }
        columns = {packed, width};
    }
    std::size_t row = 0;
    for (; row + 4 <= p.rows; row += 4) {
        multiplyTile<4, Vectors, Fused, Adds>(p, columns, row, column, out);
    }
    for (; row < p.rows; ++row) {
        multiplyTile<1, Vectors, Fused, Adds>(p, columns, row, column, out);
    }
}

/// The columns from `column` on, fewer than a vector has.
template <bool Fused, bool Adds>
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
    multiplyBand<1, Fused, false>(padded, 0, made.data());
    for (std::size_t row = 0; row < p.rows; ++row) {
        const float* from = made.data() + row * lanes;
        float* to = out + row * p.columns + column;
        for (std::size_t i = 0; i < rest; ++i) {
            to[i] = Adds ? to[i] + from[i] : from[i];
        }
    }
}

template <bool Fused, bool Adds> HWY_INLINE void multiplyAll(const LowRankProduct& p, float* out) {
    const std::size_t lanes = hn::Lanes(Wide());
    std::size_t column = 0;
    for (; column + 2 * lanes <= p.columns; column += 2 * lanes) {
        multiplyBand<2, Fused, Adds>(p, column, out);
    }
    for (; column + lanes <= p.columns; column += lanes) {
        multiplyBand<1, Fused, Adds>(p, column, out);
    }
    if (column < p.columns) {
        multiplyRest<Fused, Adds>(p, column, out);
    }
}

void multiplyHere(const LowRankProduct& p, float* out) {
    if (p.fused) {
        multiplyAll<true, false>(p, out);
    } else {
        multiplyAll<false, false>(p, out);
    }
}

void addHere(const LowRankProduct& p, float* values) {
    if (p.fused) {
        multiplyAll<true, true>(p, values);
    } else {
        multiplyAll<false, true>(p, values);
    }
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {
HWY_EXPORT(addHere);
HWY_EXPORT(multiplyHere);
} // namespace cairn::lanes

namespace cairn {

void multiplyLowRank(const LowRankProduct& product, std::span<float> out) {
    using namespace lanes;
    HWY_DYNAMIC_DISPATCH(multiplyHere)(product, out.data());
}

void addLowRank(const LowRankProduct& product, std::span<float> values) {
    using namespace lanes;
    HWY_DYNAMIC_DISPATCH(addHere)(product, values.data());
}

void addScaled(std::span<float> values, std::span<const float> vector, float scale) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += scale * vector[i];
    }
}

} // namespace cairn
#endif
