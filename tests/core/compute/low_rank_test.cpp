// SPDX-License-Identifier: Apache-2.0
#include "core/compute/low_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace cairn {
namespace {

std::vector<float> randomFloats(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(generator); });
    return values;
}

/// The definition.
float elementOf(const LowRankProduct& p, std::size_t row, std::size_t column) {
    float total = 0;
    for (std::size_t begin = 0; begin < p.rank; begin += p.block) {
        float sum = 0;
        for (std::size_t k = begin; k < std::min(begin + p.block, p.rank); ++k) {
            const float left = p.left[row * p.rank + k];
            const float right = p.right[k * p.stride + column];
            const float product = left * right;
            sum = p.fused ? std::fma(left, right, sum) : sum + product;
        }
        total = begin == 0 ? sum : total + sum;
    }
    return total * p.scale;
}

void check(std::size_t rows, std::size_t columns, std::size_t rank, std::size_t block, bool fused) {
    const std::size_t stride = columns + 5;
    const std::vector<float> left = randomFloats(rows * rank, 1);
    const std::vector<float> right = randomFloats(rank * stride, 2);
    const LowRankProduct product{left, right, stride, rows, columns, rank, block, fused, 0.7F};
    std::vector<float> out(rows * columns + 1, 123.0F);
    multiplyLowRank(product, out);
    EXPECT_EQ(out.back(), 123.0F);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const float expected = elementOf(product, i, j);
            wrong += std::memcmp(&expected, &out[i * columns + j], sizeof expected) != 0 ? 1 : 0;
        }
    }
    const std::vector<float> before = randomFloats(out.size(), 3);
    std::vector<float> sums = before;
    addLowRank(product, sums);
    EXPECT_EQ(sums.back(), before.back());
    for (std::size_t i = 0; i < rows * columns; ++i) {
        wrong += sums[i] == before[i] + out[i] ? 0 : 1; // the product is rounded before it is added
    }
    EXPECT_EQ(wrong, 0) << rows << " rows, " << columns << " columns, rank " << rank;
}

} // namespace

TEST(LowRank, AddsInTheOrderOfItsDefinition) {
    for (const std::size_t columns : {1U, 3U, 7U, 8U, 15U, 16U, 17U, 31U, 32U, 33U, 67U}) {
        for (const std::size_t rows : {1U, 2U, 4U, 5U, 9U, 14U}) {
            check(rows, columns, 16, 16, true);
            check(rows, columns, 5, 5, false);
        }
    }
    for (const std::size_t rank : {1U, 2U, 3U, 64U, 192U}) {
        check(6, 37, rank, rank, true);
    }
    check(6, 37, 194, 97, true);
    check(6, 37, 384, 192, true);
    check(6, 37, 600, 192, true);
    check(13, 70, 600, 192, true); // bands that are copied, and one that is too large
    check(13, 70, 90, 90, false);
}

TEST(LowRank, FusedAndRoundedProductsDiffer) {
    const std::vector<float> left = {1.0F, 1.0F + 0x1p-12F};
    const std::vector<float> right = {-1.0F, 1.0F + 0x1p-12F};
    LowRankProduct product{left, right, 1, 1, 1, 2, 2, true, 1.0F};
    std::vector<float> out(1);
    multiplyLowRank(product, out);
    const float fused = out[0];
    product.fused = false;
    multiplyLowRank(product, out);
    EXPECT_NE(fused, out[0]);
    EXPECT_EQ(out[0], elementOf(product, 0, 0));
}

TEST(LowRank, ScaledVectorIsRoundedBeforeItIsAdded) {
    std::vector<float> values = {1.0F, -2.0F};
    addScaled(values, std::vector<float>{0.1F, 0.2F}, 3.0F);
    const float first = 0.1F * 3.0F;
    const float second = 0.2F * 3.0F;
    EXPECT_EQ(values[0], 1.0F + first);
    EXPECT_EQ(values[1], -2.0F + second);
}

} // namespace cairn
