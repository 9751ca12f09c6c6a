// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/plain_product.h"

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

/// Four times eight columns of all rows at a time, so that `wide` stays in the first cache; as many
/// as are whole. Returns how many columns.
__attribute__((target("avx2,fma"))) std::size_t manyColumns(const PlainProduct& p,
                                                            std::size_t columns, float* out) {
    const std::size_t whole = columns / (4 * kEight) * (4 * kEight);
    const std::size_t rows = p.left.size() / p.rank;
    for (std::size_t j = 0; j < whole; j += 4 * kEight) {
        for (std::size_t row = 0; row < rows; ++row) {
            const float* left = p.left.data() + row * p.rank;
            __m256 total[4] = {};
            for (std::size_t begin = 0; begin < p.rank; begin += p.block) {
                __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                                 _mm256_setzero_ps()};
                for (std::size_t k = begin; k < std::min(begin + p.block, p.rank); ++k) {
                    const __m256 factor = _mm256_set1_ps(left[k]);
                    const float* from = p.wide.data() + k * p.stride + j;
                    for (std::size_t i = 0; i < 4; ++i) {
                        sum[i] =
                            _mm256_fmadd_ps(factor, _mm256_loadu_ps(from + i * kEight), sum[i]);
                    }
                }
                for (std::size_t i = 0; i < 4; ++i) {
                    total[i] = begin == 0 ? sum[i] : _mm256_add_ps(total[i], sum[i]);
                }
            }
            for (std::size_t i = 0; i < 4; ++i) {
                _mm256_storeu_ps(out + row * columns + j + i * kEight,
                                 _mm256_mul_ps(total[i], _mm256_set1_ps(p.scale)));
            }
        }
    }
    return whole;
}

bool hasFusedVectors() {
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has;
}
#endif

} // namespace

void multiplyPlainly(const PlainProduct& product, std::span<float> out) {
    const std::size_t rows = product.left.size() / product.rank;
    const std::size_t columns = rows == 0 ? 0 : out.size() / rows;
    std::size_t done = 0;
#if defined(__x86_64__)
    if (product.fused && hasFusedVectors()) {
        done = manyColumns(product, columns, out.data());
    }
#endif
    for (std::size_t row = 0; row < rows; ++row) {
        const auto left = product.left.subspan(row * product.rank, product.rank);
        for (std::size_t j = done; j < columns; ++j) {
            const float sum = oneElement(left, product.wide.data() + j, product.stride,
                                         product.block, product.fused);
            out[row * columns + j] = sum * product.scale;
        }
    }
}

} // namespace cairn
