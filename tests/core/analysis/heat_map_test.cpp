// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/heat_map.h"
#include "core/base/endian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

namespace cairn {
namespace {

/// One float tensor in memory with the elements 0, 1, 2 … in C order; `edit` may change some.
CheckpointPtr counting(const Shape& shape,
                       const std::function<void(std::vector<float>&)>& edit = {}) {
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape).value_or(0)));
    std::iota(values.begin(), values.end(), 0.0F);
    if (edit) {
        edit(values);
    }
    const auto stored = std::as_bytes(std::span(values));
    std::vector<std::byte> bytes(stored.begin(), stored.end());
    CheckpointData data;
    CheckpointFile file;
    file.path = "memory";
    file.identity.size = bytes.size();
    file.source = makeMemorySource(std::move(bytes), file.path);
    TensorEntry entry;
    entry.name = "w";
    entry.shape = shape;
    Piece piece;
    piece.box = Box::whole(shape);
    piece.file = data.addFile(std::move(file));
    piece.bytes = {0, values.size() * sizeof(float)};
    entry.pieces.push_back(std::move(piece));
    data.tensors.push_back(std::move(entry));
    return Checkpoint::make(std::move(data));
}

HeatMap mapOf(const CheckpointPtr& checkpoint, const HeatMapOptions& options) {
    auto map = heatMap(*checkpoint, checkpoint->tensors()[0], options);
    EXPECT_TRUE(map) << (map ? "" : describe(map.error()));
    return map ? std::move(*map) : HeatMap{};
}

TEST(HeatMap, AveragesBlocksOfUnevenSlices) {
    const HeatMap map = mapOf(counting({5, 7}), {.maxRows = 2, .maxColumns = 3});
    ASSERT_EQ(map.rows, 2U);
    ASSERT_EQ(map.columns, 3U);
    EXPECT_EQ(map.blockRows, 3);
    EXPECT_EQ(map.blockColumns, 3);
    EXPECT_FALSE(map.sampled);
    EXPECT_DOUBLE_EQ(map.cells[0], 8);    // rows 0-2, columns 0-2
    EXPECT_DOUBLE_EQ(map.cells[2], 13);   // rows 0-2, column 6
    EXPECT_DOUBLE_EQ(map.cells[5], 30.5); // rows 3-4, column 6
}

TEST(HeatMap, TakesTheSliceThatIsAskedFor) {
    const std::vector<std::int64_t> leading{2};
    const HeatMap map =
        mapOf(counting({4, 2, 2}), {.maxRows = 2, .maxColumns = 2, .leading = leading});
    EXPECT_EQ(map.cells, (std::vector<double>{8, 9, 10, 11}));
}

TEST(HeatMap, MarksWhatIsNotFinite) {
    const auto checkpoint = counting({2, 2}, [](std::vector<float>& values) {
        values[0] = NAN;
        values[3] = INFINITY;
    });
    const HeatMap fine = mapOf(checkpoint, {});
    EXPECT_TRUE(std::isnan(fine.cells[0]));
    EXPECT_EQ(fine.broken, (std::vector<bool>{true, false, false, true}));
    const HeatMap coarse = mapOf(checkpoint, {.maxRows = 1, .maxColumns = 1});
    EXPECT_DOUBLE_EQ(coarse.cells[0], 1.5); // of 1 and 2
    EXPECT_TRUE(coarse.broken[0]);
}

TEST(HeatMap, AVectorIsOneRow) {
    const HeatMap map = mapOf(counting({10}), {.maxRows = 4, .maxColumns = 5});
    EXPECT_EQ(map.rows, 1U);
    EXPECT_EQ(map.cells, (std::vector<double>{0.5, 2.5, 4.5, 6.5, 8.5}));
}

TEST(HeatMap, SamplesWhatIsTooLargeAndSaysSo) {
    const auto checkpoint = counting({64, 256});
    const HeatMap rows = mapOf(checkpoint, {.maxRows = 4, .maxColumns = 4, .maxBytes = 16384});
    EXPECT_TRUE(rows.sampled);                          // four rows of sixteen
    EXPECT_NEAR(rows.cells[0], 256.0 * 6 + 31.5, 1e-9); // rows 0, 4, 8, 12
    const HeatMap parts = mapOf(checkpoint, {.maxRows = 4, .maxColumns = 2, .maxBytes = 64});
    EXPECT_TRUE(parts.sampled); // the first 64 elements of each block's first row
    EXPECT_NEAR(parts.cells[1], 128 + 31.5, 1e-9);
}

TEST(HeatMap, RefusesWhatHasNone) {
    const auto one = counting({1});
    EXPECT_EQ(heatMap(*one, one->tensors()[0]).error().code, ErrorCode::Unsupported);
    const auto none = counting({0, 4});
    EXPECT_EQ(heatMap(*none, none->tensors()[0]).error().code, ErrorCode::Unsupported);
}

TEST(DifferenceMap, AveragesHowFarPairsAreApart) {
    const auto left = counting({4, 6});
    const auto right = counting({4, 6}, [](std::vector<float>& values) {
        values[0] += 4;                                       // block 0, 0
        values[5] -= 8;                                       // block 0, 1
        values[23] = std::numeric_limits<float>::quiet_NaN(); // block 1, 1
        values[20] = std::numeric_limits<float>::infinity();  // likewise: column 2 of block 1, 0
    });
    const auto map = differenceMap(*left, left->tensors()[0], *right, right->tensors()[0],
                                   {.maxRows = 2, .maxColumns = 2});
    ASSERT_TRUE(map) << describe(map.error());
    ASSERT_EQ(map->cells.size(), 4U);
    EXPECT_DOUBLE_EQ(map->cells[0], 4.0 / 6);
    EXPECT_DOUBLE_EQ(map->cells[1], 8.0 / 6);
    EXPECT_DOUBLE_EQ(map->cells[2], 0);
    EXPECT_DOUBLE_EQ(map->cells[3], 0);
    EXPECT_EQ(map->broken, (std::vector<bool>{false, false, true, true}));
}

TEST(DifferenceMap, WantsOneShape) {
    const auto left = counting({4, 6});
    const auto right = counting({6, 4});
    EXPECT_EQ(differenceMap(*left, left->tensors()[0], *right, right->tensors()[0]).error().code,
              ErrorCode::InvalidArgument);
}

} // namespace
} // namespace cairn
