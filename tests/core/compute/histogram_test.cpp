// SPDX-License-Identifier: Apache-2.0
#include "core/compute/value_histogram.h"
#include "tests/core/compute/random_elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace cairn {
namespace {

using namespace testing_elements;

/// Computed from the edges alone.
std::size_t binByEdges(double value) {
    if (value == 0) {
        return ValueHistogram::kZero;
    }
    const double magnitude = std::abs(value);
    std::size_t low = ValueHistogram::kZero + 1;
    std::size_t high = ValueHistogram::kBins;
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (ValueHistogram::lowerEdge(middle) <= magnitude ? low : high) = middle;
    }
    return value > 0 ? low : 2 * ValueHistogram::kZero - low;
}

TEST(Histogram, EveryDtypeCountsIntoTheBinsOfItsValues) {
    for (const Dtype dtype : measuredDtypes()) {
        for (const bool tame : {false, true}) {
            const auto bytes = randomElements(dtype, 20'001, 11, tame);
            std::vector<std::uint64_t> wanted(ValueHistogram::kBins);
            for (std::size_t i = 0; i < 20'001; ++i) {
                const double value = element(dtype, bytes, i);
                if (std::isfinite(value)) {
                    ++wanted[binByEdges(value)];
                }
            }
            HistogramCounter counter(dtype);
            const std::size_t size = dtypeInfo(dtype).bits / 8;
            counter.add(std::span(bytes).first(777 * size));
            counter.add(std::span(bytes).subspan(777 * size));
            EXPECT_EQ(counter.finish().counts, wanted) << dtypeName(dtype);
        }
    }
}

TEST(Histogram, EdgesRiseAndMeet) {
    for (std::size_t bin = 0; bin + 1 < ValueHistogram::kBins; ++bin) {
        ASSERT_EQ(ValueHistogram::upperEdge(bin), ValueHistogram::lowerEdge(bin + 1)) << bin;
        ASSERT_LE(ValueHistogram::lowerEdge(bin), ValueHistogram::upperEdge(bin)) << bin;
    }
    EXPECT_EQ(ValueHistogram::lowerEdge(0), -HUGE_VAL);
    EXPECT_EQ(ValueHistogram::upperEdge(0), -0x1p64);
    EXPECT_EQ(ValueHistogram::lowerEdge(ValueHistogram::binOf(1.0)), 1.0);
}

TEST(Histogram, LinearBinsKeepTheCounts) {
    const auto bytes = randomElements(Dtype::Float32, 50'000, 2, true);
    HistogramCounter counter(Dtype::Float32);
    counter.add(bytes);
    const ValueHistogram histogram = counter.finish();
    const auto linear = histogram.linear({-2, 2}, {-2, 2}, 64);
    ASSERT_EQ(linear.size(), 64U);
    EXPECT_NEAR(std::accumulate(linear.begin(), linear.end(), 0.0),
                static_cast<double>(histogram.total()), 1e-6);
    EXPECT_TRUE(histogram.linear({1, 1}, {-2, 2}, 8).empty());
    EXPECT_TRUE(histogram.linear({-1e308, 1e308}, {-2, 2}, 8).empty());
    EXPECT_TRUE(histogram.linear({0, 5e-324}, {-2, 2}, 8).empty());
    ValueHistogram one;
    one.counts.assign(ValueHistogram::kBins, 0);
    one.counts[ValueHistogram::binOf(0.0)] = 5;
    one.counts[ValueHistogram::binOf(1.0)] = 8;
    const auto drawn = one.linear({-1, 3}, {0, 1.01}, 4);
    EXPECT_EQ(drawn[0] + drawn[1], 5);
    EXPECT_EQ(drawn[2], 8);
}

TEST(Histogram, TheLeastAndTheLargestValueAreDrawn) {
    ValueHistogram mask; // ones and minus ones at the edges of their bins of the grid
    mask.counts.assign(ValueHistogram::kBins, 0);
    mask.counts[ValueHistogram::binOf(-1.0)] = 7;
    mask.counts[ValueHistogram::binOf(1.0)] = 9;
    const auto drawn = mask.linear({-1, 1}, {-1, 1}, 4);
    EXPECT_EQ(drawn, (std::vector<double>{7, 0, 0, 9}));
    ValueHistogram wide;
    wide.counts.assign(ValueHistogram::kBins, 0);
    wide.counts.front() = 3; // below -2^64
    wide.counts.back() = 2;
    const auto ends = wide.linear({-0x1p70, 0x1p70}, {-0x1p70, 0x1p70}, 2);
    EXPECT_EQ(ends, (std::vector<double>{3, 2}));
}

} // namespace
} // namespace cairn
