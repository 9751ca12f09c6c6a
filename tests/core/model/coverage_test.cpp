// SPDX-License-Identifier: Apache-2.0
#include "core/model/coverage.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TensorEntry withBoxes(Shape shape, const std::vector<Box>& boxes) {
    TensorEntry tensor{"t", Dtype::Float32, std::move(shape), Role::Weight, {}, {}};
    for (const Box& box : boxes) {
        tensor.pieces.push_back({box, FileIndex(0), {}, {}, kRawCodec, {}});
    }
    return tensor;
}

TEST(Coverage, IsCompleteForWhatFrameworksWrite) {
    EXPECT_TRUE(coverage(withBoxes({}, {Box{}})).complete());
    EXPECT_TRUE(coverage(withBoxes({0, 4}, {})).complete());
    EXPECT_TRUE(coverage(withBoxes({10, 6}, synthetic::chunks({10, 6}, 1, 4))).complete());
    EXPECT_TRUE(coverage(withBoxes({3}, synthetic::chunks({3}, 0, 512))).complete());
    EXPECT_TRUE(coverage(withBoxes({100000}, synthetic::chunks({100000}, 0, 50000))).complete());
}

TEST(Coverage, CountsHolesInElementsNotNames) {
    auto boxes = synthetic::chunks({8, 4}, 0, 4);
    boxes.erase(boxes.begin() + 1);
    const Coverage result = coverage(withBoxes({8, 4}, boxes));
    EXPECT_EQ(result.holes, 8U);
    EXPECT_EQ(result.overlaps, 0U);
    ASSERT_EQ(result.holeBoxes.size(), 1U);
    EXPECT_EQ(result.holeBoxes[0], (Box{{2, 0}, {2, 4}}));
}

TEST(Coverage, SeesOverlapEvenWhenVolumesAddUp) {
    const Coverage result = coverage(withBoxes({4}, {Box{{0}, {2}}, Box{{0}, {2}}}));
    EXPECT_EQ(result.holes, 2U);
    EXPECT_EQ(result.overlaps, 2U);
    EXPECT_FALSE(result.complete());
}

TEST(Coverage, ScalarStoredTwiceOverlaps) {
    EXPECT_EQ(coverage(withBoxes({}, {Box{}, Box{}})).overlaps, 1U);
}

TEST(Coverage, StaysBoundedOnHostilePieces) {
    std::vector<Box> boxes;
    for (std::int64_t i = 0; i < 20000;
         ++i) { // all overlap on every axis but only cover a diagonal
        boxes.push_back({{i, i}, {1, 1}});
    }
    const Coverage result = coverage(withBoxes({20000, 20000}, boxes));
    EXPECT_GT(result.holes, 0U);
    EXPECT_FALSE(result.complete());
}

} // namespace
} // namespace cairn
