// SPDX-License-Identifier: Apache-2.0
#include "core/compute/decode.h"
#include "core/compute/element_statistics.h"
#include "tests/core/compute/random_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

namespace cairn {
namespace {

using namespace testing_elements;

/// The mean of the first 64 finite elements.
double firstMean(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t count) {
    double first = 0;
    double firsts = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 64); ++i) {
        const double x = element(dtype, bytes, i);
        if (std::isfinite(x)) {
            first += x;
            firsts += 1;
        }
    }
    return std::isfinite(first / firsts) ? first / firsts : 0.0;
}

/// Number of elements of a block that are added by trees: all of its runs, or none.
std::size_t treeElements(Dtype dtype, const std::vector<std::byte>& bytes) {
    const std::size_t count = bytes.size() / 2;
    const std::size_t whole = isTreeFloat(dtype) && count >= 4096 ? count / 128 * 128 : 0;
    for (std::size_t i = 0; i < whole; ++i) {
        if (!isTame(dtype, element(dtype, bytes, i))) {
            return 0;
        }
    }
    return whole;
}

/// The block's sums in the order that lanes.h defines; shares no code with the kernels.
ElementStatistics around(double pivot, Dtype dtype, const std::vector<std::byte>& bytes) {
    ElementStatistics result;
    const std::size_t count = bytes.size() / (dtypeInfo(dtype).bits / 8);
    std::vector<double> sum(16);
    std::vector<double> squares(16);
    std::vector<double> magnitudes(16);
    result.count = count;
    bool any = false;
    const std::size_t trees = treeElements(dtype, bytes);
    for (std::size_t run = 0; run < trees; run += 128) {
        const auto x = [&](std::size_t i) {
            return static_cast<float>(element(dtype, bytes, run + i));
        };
        const auto p = static_cast<float>(pivot);
        for (std::size_t lane = 0; lane < 16; ++lane) {
            const auto distance = [&](std::size_t i) -> float { return x(i) - p; };
            const auto square = [&](std::size_t i) -> float { return distance(i) * distance(i); };
            const auto magnitude = [&](std::size_t i) { return std::abs(x(i)); };
            sum[lane] = sum[lane] + runTree(dtype, lane, distance);
            squares[lane] = squares[lane] + runTree(dtype, lane, square);
            magnitudes[lane] = magnitudes[lane] + runTree(dtype, lane, magnitude);
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double x = element(dtype, bytes, i);
        result.nan += std::isnan(x) ? 1 : 0;
        result.inf += std::isinf(x) ? 1 : 0;
        if (!std::isfinite(x)) {
            continue;
        }
        result.zeros += x == 0 ? 1 : 0;
        result.min = any ? std::min(result.min, x) : x;
        result.max = any ? std::max(result.max, x) : x;
        any = true;
        if (i < trees) {
            continue;
        }
        const double distance = x - pivot;
        const double square = distance * distance;
        sum[i % 16] = sum[i % 16] + distance;
        squares[i % 16] = squares[i % 16] + square;
        magnitudes[i % 16] = magnitudes[i % 16] + std::abs(x);
    }
    if (!any) {
        return result;
    }
    const auto n = static_cast<double>(result.finite());
    const double total = tree(sum);
    const double spread = tree(squares);
    result.min += 0.0;
    result.max += 0.0;
    result.mean = pivot + total / n;
    const double m2 = spread - total * (total / n);
    result.m2 = std::isnan(m2) ? HUGE_VAL : std::max(0.0, m2);
    const double moved = spread + pivot * (2 * total + n * pivot);
    result.sumSquares = std::isnan(moved) ? HUGE_VAL : std::max(0.0, moved);
    result.l1 = tree(magnitudes);
    return result;
}

ElementStatistics reference(Dtype dtype, const std::vector<std::byte>& bytes) {
    if (dtype != Dtype::Bfloat16 && dtype != Dtype::Float16 && dtype != Dtype::Float32) {
        const std::size_t count = bytes.size() / (dtypeInfo(dtype).bits / 8);
        return around(firstMean(dtype, bytes, count), dtype, bytes);
    }
    ElementStatistics result = around(0, dtype, bytes);
    if (result.m2 < result.sumSquares / (isTreeFloat(dtype) ? 4 : 64)) {
        const bool trees = treeElements(dtype, bytes) > 0;
        const double pivot =
            trees ? static_cast<double>(static_cast<float>(result.mean)) : result.mean;
        const ElementStatistics again = around(pivot, dtype, bytes);
        result.mean = again.mean;
        result.m2 = again.m2;
    }
    return result;
}

void expectSameBits(const ElementStatistics& got, const ElementStatistics& wanted) {
    EXPECT_EQ(got.count, wanted.count);
    EXPECT_EQ(got.nan, wanted.nan);
    EXPECT_EQ(got.inf, wanted.inf);
    EXPECT_EQ(got.zeros, wanted.zeros);
    const auto same = [](double a, double b) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
            << a << " and " << b;
    };
    same(got.min, wanted.min);
    same(got.max, wanted.max);
    same(got.mean, wanted.mean);
    same(got.m2, wanted.m2);
    same(got.l1, wanted.l1);
    same(got.sumSquares, wanted.sumSquares);
}

TEST(StatisticsKernels, EveryDtypeOnEveryTargetIsTheScalarReferenceToTheBit) {
    std::set<std::int64_t> targets;
    onEveryTarget([&](std::int64_t target) {
        targets.insert(target);
        for (const Dtype dtype : measuredDtypes()) {
            for (const std::size_t count :
                 {0U, 1U, 15U, 16U, 17U, 63U, 64U, 65U, 127U, 128U, 1000U, 4095U, 4096U, 4099U}) {
                for (const bool tame : {false, true}) {
                    SCOPED_TRACE(std::string(dtypeName(dtype)) + " x " + std::to_string(count) +
                                 " on " + hwy::TargetName(target) + (tame ? " tame" : " wild"));
                    const auto bytes =
                        randomElements(dtype, count, static_cast<std::uint32_t>(count), tame);
                    expectSameBits(blockStatistics(dtype, bytes), reference(dtype, bytes));
                    const auto weights = randomWeights(dtype, bytes);
                    expectSameBits(blockStatistics(dtype, weights), reference(dtype, weights));
                }
            }
        }
    });
    EXPECT_GE(targets.size(), 2U);
}

TEST(StatisticsKernels, AWholeBlockAgrees) {
    for (const Dtype dtype :
         {Dtype::Bfloat16, Dtype::Float16, Dtype::Float32, Dtype::Float64, Dtype::Float8E4m3fn}) {
        const auto bytes = randomElements(dtype, kBlockElements, 7, true);
        onEveryTarget([&](std::int64_t target) {
            SCOPED_TRACE(std::string(dtypeName(dtype)) + " on " + hwy::TargetName(target));
            expectSameBits(blockStatistics(dtype, bytes), reference(dtype, bytes));
        });
    }
}

TEST(StatisticsKernels, EveryPatternOfSixteenBitsIsRead) {
    for (const Dtype dtype : {Dtype::Bfloat16, Dtype::Float16, Dtype::Int16, Dtype::Uint16}) {
        std::vector<std::byte> bytes(2 * 65536);
        for (std::size_t i = 0; i < 65536; ++i) {
            bytes[2 * i] = static_cast<std::byte>(i & 0xFFU);
            bytes[2 * i + 1] = static_cast<std::byte>(i >> 8U);
        }
        onEveryTarget([&](std::int64_t target) {
            SCOPED_TRACE(std::string(dtypeName(dtype)) + " on " + hwy::TargetName(target));
            expectSameBits(blockStatistics(dtype, bytes), reference(dtype, bytes));
            const auto half =
                std::vector<std::byte>(bytes.begin(), bytes.begin() + 0xF000); // finite groups
            expectSameBits(blockStatistics(dtype, half), reference(dtype, half));
        });
    }
}

/// The nearest element.
void putElement(Dtype dtype, float value, std::span<std::byte> out) {
    const auto rounded = static_cast<float>(roundTo(dtype, value));
    const auto bits = std::bit_cast<std::uint32_t>(rounded);
    if (dtype == Dtype::Float32) {
        std::memcpy(out.data(), &bits, 4);
        return;
    }
    auto half = static_cast<std::uint16_t>(bits >> 16U);
    if (dtype == Dtype::Float16) { // some half has exactly this value
        const auto magnitude = std::bit_cast<std::uint32_t>(std::abs(rounded) * 0x1p-112F);
        half = static_cast<std::uint16_t>((magnitude >> 13U) | ((bits >> 16U) & 0x8000U));
    }
    std::memcpy(out.data(), &half, 2);
}

TEST(StatisticsKernels, AConstantHasNoSpread) {
    const auto result = blockStatistics(Dtype::Float32, bytesOf(std::vector<float>(60'001, 0.1F)));
    EXPECT_EQ(result.m2, 0);
    EXPECT_EQ(result.mean, static_cast<double>(0.1F));
}

TEST(StatisticsKernels, ALargeMeanCostsNoDigits) {
    std::vector<double> values;
    double exact = 0; // of values from -2 to 2 in equal steps
    for (int i = 0; i < 50'000; ++i) {
        values.push_back(1e9 + (i % 5 - 2));
        exact += static_cast<double>((i % 5 - 2) * (i % 5 - 2));
    }
    values[0] = 1e9 + 2; // was 1e9 - 2: the mean moves by 4 / n
    exact -= 4.0 * 4.0 / 50'000;
    const auto result = blockStatistics(Dtype::Float64, bytesOf(values));
    EXPECT_NEAR(result.m2 / exact, 1, 1e-12);
    EXPECT_NEAR(result.mean, 1e9, 1e-3);
}

TEST(StatisticsKernels, AnOutlierAmongTheFirstDoesNotSpoilTheSpread) {
    std::mt19937 random(1);
    std::normal_distribution<float> small(0, 1e-3F);
    std::vector<float> values(kBlockElements);
    std::ranges::generate(values, [&] { return small(random); });
    values[3] = 1e6F;
    long double sum = 0;
    for (const float value : values) {
        sum += value;
    }
    const long double mean = sum / values.size();
    long double m2 = 0;
    long double squares = 0;
    for (const float value : values) {
        m2 += (value - mean) * (value - mean);
        squares += static_cast<long double>(value) * value;
    }
    const auto result = blockStatistics(Dtype::Float32, bytesOf(values));
    EXPECT_NEAR(result.m2 / static_cast<double>(m2), 1, 1e-12);
    EXPECT_NEAR(result.sumSquares / static_cast<double>(squares), 1, 1e-12);
}

/// Compares a block with sums computed in long double. Trees of floats may lose 3·2^-24 of a sum of
/// magnitudes, and the deviation a millionth; sums of doubles only the rounding of their additions.
void expectDigits(Dtype dtype, const std::function<float(std::size_t)>& make) {
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    std::vector<std::byte> bytes(kBlockElements * size);
    for (std::size_t i = 0; i < kBlockElements; ++i) {
        putElement(dtype, make(i), std::span(bytes).subspan(i * size, size));
    }
    long double sum = 0;
    long double magnitudes = 0;
    long double squares = 0;
    for (std::size_t i = 0; i < kBlockElements; ++i) {
        const long double x = element(dtype, bytes, i);
        sum += x;
        magnitudes += std::abs(x);
        squares += x * x;
    }
    const long double mean = sum / kBlockElements;
    long double m2 = 0;
    for (std::size_t i = 0; i < kBlockElements; ++i) {
        const long double distance = element(dtype, bytes, i) - mean;
        m2 += distance * distance;
    }
    const bool trees = treeElements(dtype, bytes) > 0;
    const long double doubles = kBlockElements / 16 * 0x1p-53L; // of the additions of one lane
    const long double sums = trees ? 3 * 0x1p-24L : doubles;
    const auto result = blockStatistics(dtype, bytes);
    const auto near = [](double got, long double wanted, long double allowed) {
        EXPECT_LE(std::abs(got - wanted), allowed) << got;
    };
    near(result.mean, mean, sums * magnitudes / kBlockElements);
    near(result.l1, magnitudes, sums * magnitudes);
    near(result.sumSquares, squares, sums * squares);
    if (trees) {
        near(std::sqrt(result.m2), std::sqrt(m2), 1e-6L * std::sqrt(m2));
    } else {
        near(result.m2, m2, doubles * m2);
    }
}

/// Elements whose sums lose precision in a careless implementation: all of one sign, cancelling
/// each other, of all exponents, and nearly equal.
TEST(StatisticsKernels, NoDigitsAreGivenAway) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    const auto uniform = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    const std::vector<std::pair<const char*, std::function<float(std::size_t)>>> kinds{
        {"normal", [&](std::size_t) { return 0.02F * normal(random); }},
        {"positive", [&](std::size_t) { return uniform(0, 1); }},
        {"cancelling",
         [&](std::size_t i) { return (i % 2 == 0 ? 1.0F : -1.0F) * 1000 + uniform(0, 8); }},
        {"all exponents",
         [&](std::size_t) {
             return std::ldexp(normal(random), static_cast<int>(uniform(-14, 14)));
         }},
        {"nearly one", [&](std::size_t) { return 1 + 0.01F * normal(random); }},
        {"one apart", [&](std::size_t i) { return i == 40'000 ? 1.0078125F : 1.0F; }},
        {"all the same", [&](std::size_t) { return 0.3F; }},
        {"far from zero", [&](std::size_t) { return 30 + normal(random); }},
        {"a little from zero", [&](std::size_t) { return 1.7F + normal(random); }},
        {"an outlier", [&](std::size_t i) { return i == 9 ? 60'000 : 1e-4F * normal(random); }},
        {"tiny", [&](std::size_t) { return 1e-7F * normal(random); }},
    };
    for (const Dtype dtype : {Dtype::Bfloat16, Dtype::Float16, Dtype::Float32}) {
        for (const auto& [name, make] : kinds) {
            SCOPED_TRACE(std::string(name) + " as " + std::string(dtypeName(dtype)));
            expectDigits(dtype, make);
        }
    }
}

/// Values whose squares are outside the range of floats.
TEST(StatisticsKernels, TheEndsOfTheRangeKeepTheirDigits) {
    std::mt19937 random(12);
    std::normal_distribution<float> normal;
    for (const auto& end : std::vector<std::pair<int, bool>>{
             {-130, false}, {-80, false}, {-40, true}, {50, true}, {62, false}, {117, false}}) {
        const int exponent = end.first; // a lambda takes no structured binding
        const bool tame = end.second;
        for (const int spread : {0, 8}) {
            SCOPED_TRACE(std::to_string(exponent) + " and " + std::to_string(spread));
            const auto make = [&](std::size_t i) {
                const int scale = exponent + static_cast<int>(i % 8) * spread / 8;
                const float magnitude = std::clamp(std::abs(normal(random)), 0.1F, 7.0F);
                return std::ldexp(i % 2 == 0 ? magnitude : -magnitude, scale);
            };
            expectDigits(Dtype::Bfloat16, make);
            std::array<std::byte, 2> one{};
            putElement(Dtype::Bfloat16, std::ldexp(1.0F, exponent), one);
            EXPECT_EQ(
                isTame(Dtype::Bfloat16, element(Dtype::Bfloat16, {one.begin(), one.end()}, 0)),
                tame);
        }
    }
}

/// A single element decides which sums are used for a block: each is tried on both sides of the
/// limit.
TEST(StatisticsKernels, OneElementThatIsNotTameIsFoundWhereverItIs) {
    for (const unsigned bits : {0x1F80U, 0x1F7FU, 0x9F80U, 0x9F7FU, 0x5D7FU, 0x5D80U, 0xDD7FU,
                                0xDD80U, 0x0001U, 0x8001U, 0x0000U, 0x8000U, 0x7F80U, 0xFFC0U}) {
        for (const std::size_t at : {0U, 1U, 31U, 130U, 4095U, 4096U}) {
            for (const bool zeros : {false, true}) {
                SCOPED_TRACE(std::to_string(bits) + " at " + std::to_string(at));
                std::vector<std::byte> bytes = randomElements(Dtype::Bfloat16, 4099, 5, true);
                for (std::size_t i = 1; i < bytes.size(); i += 2) {
                    bytes[i] = (bytes[i] & std::byte{0x80}) | std::byte{0x3B};
                }
                if (zeros) {
                    bytes[80] = bytes[81] = std::byte{0};
                }
                bytes[2 * at] = static_cast<std::byte>(bits & 0xFFU);
                bytes[2 * at + 1] = static_cast<std::byte>(bits >> 8U);
                onEveryTarget([&](std::int64_t) {
                    expectSameBits(blockStatistics(Dtype::Bfloat16, bytes),
                                   reference(Dtype::Bfloat16, bytes));
                });
            }
        }
    }
}

TEST(StatisticsKernels, NegativeZeroIsAZeroAndNeitherMinimumNorMaximum) {
    std::vector<float> values(32, 0.0F);
    values[7] = -0.0F;
    onEveryTarget([&](std::int64_t) {
        const auto result = blockStatistics(Dtype::Float32, bytesOf(values));
        EXPECT_EQ(result.zeros, 32U);
        EXPECT_FALSE(std::signbit(result.min));
        EXPECT_FALSE(std::signbit(result.max));
    });
}

TEST(StatisticsKernels, BlocksMergeToTheWhole) {
    const auto bytes = randomElements(Dtype::Float32, kBlockElements, 3, true);
    ElementStatistics merged;
    constexpr std::size_t kPart = 1000 * 4;
    for (std::size_t at = 0; at < bytes.size(); at += kPart) {
        merge(merged, blockStatistics(Dtype::Float32, std::span(bytes).subspan(
                                                          at, std::min(kPart, bytes.size() - at))));
    }
    const auto whole = blockStatistics(Dtype::Float32, bytes);
    EXPECT_EQ(merged.count, whole.count);
    EXPECT_EQ(merged.zeros, whole.zeros);
    EXPECT_EQ(merged.min, whole.min);
    EXPECT_EQ(merged.max, whole.max);
    EXPECT_NEAR(merged.mean / whole.mean, 1, 1e-9);
    EXPECT_NEAR(merged.m2 / whole.m2, 1, 1e-12);
    EXPECT_NEAR(merged.l1 / whole.l1, 1, 1e-12);
    EXPECT_NEAR(merged.sumSquares / whole.sumSquares, 1, 1e-12);
}

TEST(StatisticsKernels, BlocksAtTheTwoEndsOfFloat64Merge) {
    const auto block = [](double value) {
        return blockStatistics(Dtype::Float64, std::as_bytes(std::span(&value, 1)));
    };
    ElementStatistics merged = block(1.7e308);
    merge(merged, block(-1.7e308));
    EXPECT_EQ(merged.mean, 0);
    EXPECT_EQ(merged.m2, std::numeric_limits<double>::infinity());
    EXPECT_EQ(merged.min, -1.7e308);
    EXPECT_EQ(merged.max, 1.7e308);
}

} // namespace
} // namespace cairn
