// SPDX-License-Identifier: Apache-2.0
#include "core/model/strided_read.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cairn {
namespace {

using Ranges = std::vector<StridedRange>;

/// Elements of the selection of a counting tensor, one by one.
std::vector<std::int32_t> pickOneByOne(const Shape& shape, const Ranges& ranges) {
    std::vector<std::int32_t> out;
    const Strides strides = denseStrides(shape);
    std::uint64_t count = 1;
    for (const StridedRange& range : ranges) {
        count *= static_cast<std::uint64_t>(range.count);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t rest = i;
        std::int64_t linear = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            const auto extent = static_cast<std::uint64_t>(ranges[d].count);
            linear +=
                (ranges[d].first + static_cast<std::int64_t>(rest % extent) * ranges[d].step) *
                strides[d];
            rest /= extent;
        }
        out.push_back(static_cast<std::int32_t>(linear));
    }
    return out;
}

Ranges randomRanges(const Shape& shape, std::mt19937_64& random) {
    const auto number = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    Ranges ranges;
    for (const std::int64_t extent : shape.span()) {
        StridedRange range{number(0, extent - 1), number(1, 4) * (number(0, 1) == 1 ? 1 : -1), 0};
        const std::int64_t room =
            range.step > 0 ? (extent - 1 - range.first) / range.step : range.first / -range.step;
        range.count = number(0, room + 1);
        ranges.push_back(range);
    }
    return ranges;
}

CheckpointPtr countingCheckpoint(const Shape& shape, const std::vector<Box>& boxes) {
    CheckpointData data;
    data.tensors.push_back(synthetic::cutTensor(data, "t", shape, boxes));
    return Checkpoint::make(std::move(data));
}

Result<std::vector<std::byte>> readRanges(const Checkpoint& checkpoint, const Ranges& ranges) {
    const TensorEntry& tensor = checkpoint.tensors()[0];
    CAIRN_TRY(const std::uint64_t size, stridedBytes(tensor, ranges));
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    CAIRN_CHECK(readStrided(checkpoint, tensor, ranges, bytes, {}));
    return bytes;
}

TEST(StridedRead, EqualsPickingOneByOne) {
    std::mt19937_64 random(7);
    // the last one has gaps above and below the width at which boxes are split
    for (const Shape& shape :
         {Shape{}, Shape{9}, Shape{5, 7}, Shape{3, 4, 5}, Shape{2, 3, 2, 9}, Shape{6, 40, 300}}) {
        const auto boxes = shape.empty() ? std::vector<Box>{Box{}} : synthetic::chunks(shape, 0, 2);
        const auto checkpoint = countingCheckpoint(shape, boxes);
        for (int i = 0; i < 200; ++i) {
            const Ranges ranges = randomRanges(shape, random);
            const auto bytes = readRanges(*checkpoint, ranges);
            ASSERT_TRUE(bytes) << describe(bytes.error());
            ASSERT_EQ(*bytes, synthetic::bytesOf(pickOneByOne(shape, ranges)));
        }
    }
}

TEST(StridedRead, RefusesRangesThatDoNotFit) {
    const Shape shape{4, 6};
    const auto checkpoint = countingCheckpoint(shape, {Box::whole(shape)});
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    const auto refused = std::to_array<StridedRange>({{0, 1, 7},
                                                      {0, 2, 4},
                                                      {0, 0, 1},
                                                      {-1, 1, 1},
                                                      {6, 1, 1},
                                                      {3, -2, 3},
                                                      {0, kMax, 2},
                                                      {5, kMin, 1},
                                                      {5, -kMax, 2},
                                                      {kMax, 1, 1},
                                                      {0, 1, kMax},
                                                      {0, 1, -1}});
    for (const StridedRange& each : refused) {
        const auto bytes = readRanges(*checkpoint, {{0, 1, 4}, each});
        ASSERT_FALSE(bytes) << each.first << " " << each.step << " " << each.count;
        EXPECT_EQ(bytes.error().code, ErrorCode::BadSlice);
    }
    EXPECT_FALSE(readRanges(*checkpoint, {{0, 1, 4}}));
    EXPECT_TRUE(readRanges(*checkpoint, {{3, -kMax, 1}, {5, -5, 2}}));
    EXPECT_EQ(readRanges(*checkpoint, {{4, 1, 0}, {6, 1, 0}}).value().size(), 0U);
}

TEST(StridedRead, CutsBlocksOnlyBetweenThem) {
    CheckpointData data;
    std::vector<std::byte> bytes(4 * 3 * 18);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i);
    }
    const auto stored = bytes;
    TensorEntry tensor;
    tensor.name = "t";
    tensor.dtype = Dtype::Q4_0; // 32 elements in 18 bytes
    tensor.shape = {4, 96};
    tensor.pieces.push_back({Box::whole(tensor.shape),
                             synthetic::addMemoryFile(data, std::move(bytes), "blocks"),
                             {0, stored.size()},
                             {},
                             kRawCodec,
                             {}});
    data.tensors.push_back(tensor);
    const auto checkpoint = Checkpoint::make(std::move(data));
    const auto rows = readRanges(*checkpoint, {{3, -2, 2}, {32, 1, 64}});
    ASSERT_TRUE(rows) << describe(rows.error());
    std::vector<std::byte> expected;
    for (const std::size_t row : {3U, 1U}) {
        const auto at = stored.begin() + static_cast<std::ptrdiff_t>(row * 54 + 18);
        expected.insert(expected.end(), at, at + 36);
    }
    EXPECT_EQ(*rows, expected);
    EXPECT_EQ(readRanges(*checkpoint, {{0, 1, 4}, {1, 1, 32}}).error().code,
              ErrorCode::Unsupported);
    EXPECT_EQ(readRanges(*checkpoint, {{0, 1, 4}, {0, 2, 32}}).error().code,
              ErrorCode::Unsupported);
}

TEST(StridedRead, StopsWhenCancelled) {
    const Shape shape{4, 6};
    const auto checkpoint = countingCheckpoint(shape, {Box::whole(shape)});
    const CancelToken cancel;
    cancel.cancel();
    std::vector<std::byte> bytes(4 * 3 * 4);
    const Ranges ranges{{0, 1, 4}, {0, 2, 3}};
    const auto read = readStrided(*checkpoint, checkpoint->tensors()[0], ranges, bytes, cancel);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn
