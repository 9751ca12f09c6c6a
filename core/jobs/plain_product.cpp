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

/// Four times eight elements at a time; as many as are whole. Returns how many.
__attribute__((target("avx2,fma"))) std::size_t manyElements(std::span<const float> left,
                                                             const float* wide, std::size_t stride,
                                                             std::size_t block, float scale,
                                                             std::span<float> out) {
    const std::size_t whole = out.size() / (4 * kEight) * (4 * kEight);
    for (std::size_t j = 0; j < whole; j += 4 * kEight) {
        __m256 total[4] = {};
        for (std::size_t begin = 0; begin < left.size(); begin += block) {
            __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                             _mm256_setzero_ps()};
            for (std::size_t k = begin; k < std::min(begin + block, left.size()); ++k) {
                const __m256 factor = _mm256_set1_ps(left[k]);
                const float* from = wide + k * stride + j;
                for (std::size_t i = 0; i < 4; ++i) {
                    sum[i] = _mm256_fmadd_ps(factor, _mm256_loadu_ps(from + i * kEight), sum[i]);
                }
            }
            for (std::size_t i = 0; i < 4; ++i) {
                total[i] = begin == 0 ? sum[i] : _mm256_add_ps(total[i], sum[i]);
            }
        }
        for (std::size_t i = 0; i < 4; ++i) {
            _mm256_storeu_ps(out.data() + j + i * kEight,
                             _mm256_mul_ps(total[i], _mm256_set1_ps(scale)));
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

void multiplyPlainly(std::span<const float> left, std::span<const float> wide, std::size_t stride,
                     std::size_t block, bool fused, float scale, std::span<float> out) {
    std::size_t done = 0;
#if defined(__x86_64__)
    if (fused && hasFusedVectors()) {
        done = manyElements(left, wide.data(), stride, block, scale, out);
    }
#endif
    for (; done < out.size(); ++done) {
        const float sum = oneElement(left, wide.data() + done, stride, block, fused);
        out[done] = sum * scale;
    }
}

} // namespace cairn
