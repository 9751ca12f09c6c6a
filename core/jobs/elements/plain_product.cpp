// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/plain_product.h"

#include "core/jobs/context/aligned_buffer.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn {
namespace {

float oneElement(std::span<const float> left, const float* wide, std::size_t stride,
                 std::size_t block, bool fused) {
    float total = 0;
    for (std::size_t begin = 0; begin < left.size(); begin += block) {
        float sum = 0;
        for (std::size_t k = begin; k < std::min(begin + block, left.size()); ++k) {
            const float right = wide[k * stride];
            const float product = left[k] * right;
            sum = fused ? std::fma(left[k], right, sum) : sum + product;
        }
        total = begin == 0 ? sum : total + sum;
    }
    return total;
}

#if defined(__x86_64__)
constexpr std::size_t kEight = 8;
constexpr std::size_t kVectors = 2;
constexpr std::size_t kBand = kVectors * kEight;

/// One chain of `Rows` rows of a band.
template <std::size_t Rows>
__attribute__((target("avx2,fma"), always_inline)) inline void
oneChain(const PlainProduct& p, const float* left, const float* band, std::size_t end,
         __m256 (&sum)[Rows][kVectors]) {
    for (std::size_t k = 0; k < end; ++k) {
        for (std::size_t i = 0; i < kVectors; ++i) {
            const __m256 right = _mm256_load_ps(band + k * kBand + i * kEight);
            for (std::size_t row = 0; row < Rows; ++row) {
                const __m256 factor = _mm256_set1_ps(left[row * p.rank + k]);
                sum[row][i] = _mm256_fmadd_ps(factor, right, sum[row][i]);
            }
        }
    }
}

/// `Rows` rows of a band. Four at a time, since one has too few chains to keep the processor busy.
template <std::size_t Rows, bool Adds>
__attribute__((target("avx2,fma"), always_inline)) inline void
fewRows(const PlainProduct& p, const float* left, const float* band, std::size_t columns,
        float* out) {
    __m256 total[Rows][kVectors] = {};
    oneChain<Rows>(p, left, band, std::min(p.block, p.rank), total);
    for (std::size_t begin = p.block; begin < p.rank; begin += p.block) {
        __m256 sum[Rows][kVectors] = {};
        oneChain<Rows>(p, left + begin, band + begin * kBand, std::min(p.block, p.rank - begin),
                       sum);
        for (std::size_t row = 0; row < Rows; ++row) {
            for (std::size_t i = 0; i < kVectors; ++i) {
                total[row][i] = _mm256_add_ps(total[row][i], sum[row][i]);
            }
        }
    }
    for (std::size_t row = 0; row < Rows; ++row) {
        for (std::size_t i = 0; i < kVectors; ++i) {
            float* to = out + row * columns + i * kEight;
            const __m256 change = _mm256_mul_ps(total[row][i], _mm256_set1_ps(p.scale));
            _mm256_storeu_ps(to, Adds ? _mm256_add_ps(_mm256_loadu_ps(to), change) : change);
        }
    }
}

/// A band of columns of all rows at a time, as many bands as are whole; each is copied to where its
/// rows are beside each other and begin with a cache line. Returns how many columns.
template <bool Adds>
__attribute__((target("avx2,fma"))) std::size_t manyColumns(const PlainProduct& p,
                                                            std::size_t columns, float* out) {
    const std::size_t whole = columns / kBand * kBand;
    const std::size_t rows = p.left.size() / p.rank;
    const AlignedBuffer buffer(p.rank * kBand * sizeof(float));
    auto* band = reinterpret_cast<float*>(buffer.bytes().data());
    for (std::size_t j = 0; j < whole; j += kBand) {
        for (std::size_t k = 0; k < p.rank; ++k) {
            std::copy_n(p.wide.data() + k * p.stride + j, kBand, band + k * kBand);
        }
        std::size_t row = 0;
        for (; row + 4 <= rows; row += 4) {
            fewRows<4, Adds>(p, p.left.data() + row * p.rank, band, columns,
                             out + row * columns + j);
        }
        for (; row < rows; ++row) {
            fewRows<1, Adds>(p, p.left.data() + row * p.rank, band, columns,
                             out + row * columns + j);
        }
    }
    return whole;
}

bool hasFusedVectors() {
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has;
}
#endif

template <bool Adds> void compute(const PlainProduct& product, std::span<float> out) {
    const std::size_t rows = product.left.size() / product.rank;
    const std::size_t columns = rows == 0 ? 0 : out.size() / rows;
    std::size_t done = 0;
#if defined(__x86_64__)
    if (product.fused && hasFusedVectors()) {
        done = manyColumns<Adds>(product, columns, out.data());
    }
#endif
    for (std::size_t row = 0; row < rows; ++row) {
        const auto left = product.left.subspan(row * product.rank, product.rank);
        for (std::size_t j = done; j < columns; ++j) {
            const float sum = oneElement(left, product.wide.data() + j, product.stride,
                                         product.block, product.fused);
            const float change = sum * product.scale;
            float& to = out[row * columns + j];
            to = Adds ? to + change : change;
        }
    }
}

} // namespace

void multiplyPlainly(const PlainProduct& product, std::span<float> out) {
    compute<false>(product, out);
}

void addPlainly(const PlainProduct& product, std::span<float> values) {
    compute<true>(product, values);
}

} // namespace cairn
