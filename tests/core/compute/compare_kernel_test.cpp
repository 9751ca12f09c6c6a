// SPDX-License-Identifier: Apache-2.0
#include "core/compute/decode.h"
#include "core/compute/element_comparison.h"
#include "tests/core/compute/random_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace cairn {
namespace {

using namespace testing_elements;

struct Parts {
    double re = 0;
    double im = 0;
};

Parts partsAt(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t i) {
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    const auto one = std::span(bytes).subspan(i * size, size);
    return {elementAsDouble(dtype, one), elementImaginary(dtype, one)};
}

bool unequal(double a, double b) {
    return a != b && !(std::isnan(a) && std::isnan(b));
}

/// Adds the squares of equal sides in the order of lanes.h, where their runs are tame and the rest
/// is finite; returns the number of those elements.
std::size_t addTrees(Dtype dtype, const std::vector<std::byte>& bytes, std::vector<double>& lanes) {
    const std::size_t count = isTreeFloat(dtype) ? bytes.size() / 2 : 0;
    const std::size_t whole = count / 128 * 128;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = element(dtype, bytes, i);
        if (i < whole ? !isTame(dtype, x) : !std::isfinite(x)) {
            return 0;
        }
    }
    for (std::size_t run = 0; run < whole; run += 128) {
        for (std::size_t lane = 0; lane < 16; ++lane) {
            lanes[lane] = lanes[lane] + runTree(dtype, lane, [&](std::size_t i) -> float {
                              const auto x = static_cast<float>(element(dtype, bytes, run + i));
                              return x * x;
                          });
        }
    }
    return whole;
}

ElementComparison reference(Dtype leftType, const std::vector<std::byte>& left, Dtype rightType,
                            const std::vector<std::byte>& right, const Tolerance& tolerance) {
    ElementComparison result;
    const std::size_t size = dtypeInfo(leftType).bits / 8;
    result.count = left.size() / size;
    result.identical = leftType == rightType && left == right;
    const bool complex = dtypeInfo(leftType).kind == DtypeKind::Complex;
    const bool wide =
        leftType == rightType && (leftType == Dtype::Int64 || leftType == Dtype::Uint64);
    std::vector<std::vector<double>> lanes(5, std::vector<double>(16));
    const std::size_t trees = result.identical ? addTrees(leftType, left, lanes[2]) : 0;
    if (trees > 0) {
        lanes[3] = lanes[2];
        lanes[4] = lanes[2];
    }
    for (std::size_t i = 0; i < result.count; ++i) {
        const Parts l = partsAt(leftType, left, i);
        const Parts r = partsAt(rightType, right, i);
        const bool finite = std::isfinite(l.re) && std::isfinite(l.im) && std::isfinite(r.re) &&
                            std::isfinite(r.im);
        bool changed = unequal(l.re, r.re) || unequal(l.im, r.im);
        if (wide) {
            changed = std::memcmp(&left[i * size], &right[i * size], size) != 0;
        }
        result.changed += changed ? 1 : 0;
        if (!finite) {
            ++result.nonfinite;
            result.beyond += changed ? 1 : 0;
            continue;
        }
        const double distance =
            complex ? std::hypot(l.re - r.re, l.im - r.im) : std::abs(l.re - r.re);
        const double size2 = complex ? std::hypot(r.re, r.im) : std::abs(r.re);
        const double scaled = tolerance.rtol * size2;
        const bool exact = tolerance.rtol == 0 && tolerance.atol == 0;
        result.beyond += (wide && exact ? changed : distance > tolerance.atol + scaled) ? 1 : 0;
        result.maxAbs = std::max(result.maxAbs, distance);
        if (i < trees) {
            continue;
        }
        const auto square = [&](const Parts& a, const Parts& b) {
            const double re = a.re * b.re;
            const double im = a.im * b.im;
            return complex ? re + im : re;
        };
        const double d2 = distance * distance;
        const std::vector<double> terms{distance, d2, square(l, l), square(r, r), square(l, r)};
        for (std::size_t t = 0; t < terms.size(); ++t) {
            lanes[t][i % 16] = lanes[t][i % 16] + terms[t];
        }
    }
    result.sumAbs = tree(lanes[0]);
    result.sumSquares = tree(lanes[1]);
    result.leftSquares = tree(lanes[2]);
    result.rightSquares = tree(lanes[3]);
    result.dot = tree(lanes[4]);
    return result;
}

void expectSameBits(const ElementComparison& got, const ElementComparison& wanted) {
    EXPECT_EQ(got.count, wanted.count);
    EXPECT_EQ(got.identical, wanted.identical);
    EXPECT_EQ(got.changed, wanted.changed);
    EXPECT_EQ(got.beyond, wanted.beyond);
    EXPECT_EQ(got.nonfinite, wanted.nonfinite);
    const auto same = [](double a, double b) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
            << a << " and " << b;
    };
    same(got.maxAbs, wanted.maxAbs);
    same(got.sumAbs, wanted.sumAbs);
    same(got.sumSquares, wanted.sumSquares);
    same(got.leftSquares, wanted.leftSquares);
    same(got.rightSquares, wanted.rightSquares);
    same(got.dot, wanted.dot);
}

/// `bytes` with some elements replaced.
std::vector<std::byte> perturbed(Dtype dtype, const std::vector<std::byte>& bytes, bool tame) {
    std::vector<std::byte> result = bytes;
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    const auto other = randomElements(dtype, bytes.size() / size, 99, tame);
    std::mt19937 random(5);
    for (std::size_t at = 0; at < bytes.size(); at += size) {
        if (random() % 3 == 0) {
            std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(at), size,
                        result.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    return result;
}

/// Numbers of elements; without the largest one under sanitizers, where it takes two minutes.
std::vector<std::size_t> blockSizes() {
    std::vector<std::size_t> sizes{0, 1, 15, 16, 33, 128, 1000};
    if (std::getenv("CAIRN_SANITIZED") == nullptr) {
        sizes.push_back(4099);
    }
    return sizes;
}

TEST(CompareKernels, EveryDtypeOnEveryTargetIsTheScalarReferenceToTheBit) {
    onEveryTarget([&](std::int64_t target) {
        for (const Dtype dtype : measuredDtypes()) {
            for (const std::size_t count : blockSizes()) {
                for (const bool tame : {false, true}) {
                    for (const Tolerance tolerance : {Tolerance{}, Tolerance{1e-2, 1e-3}}) {
                        SCOPED_TRACE(std::string(dtypeName(dtype)) + " x " + std::to_string(count) +
                                     " on " + hwy::TargetName(target) + (tame ? " tame" : " wild"));
                        const auto left =
                            randomElements(dtype, count, static_cast<std::uint32_t>(count), tame);
                        const auto right = perturbed(dtype, left, tame);
                        expectSameBits(compareBlock(dtype, left, dtype, right, tolerance),
                                       reference(dtype, left, dtype, right, tolerance));
                        expectSameBits(compareBlock(dtype, left, dtype, left, tolerance),
                                       reference(dtype, left, dtype, left, tolerance));
                        const auto l = randomWeights(dtype, left);
                        const auto r = randomWeights(dtype, right);
                        expectSameBits(compareBlock(dtype, l, dtype, r, tolerance),
                                       reference(dtype, l, dtype, r, tolerance));
                        expectSameBits(compareBlock(dtype, l, dtype, l, tolerance),
                                       reference(dtype, l, dtype, l, tolerance));
                    }
                }
            }
        }
    });
}

TEST(CompareKernels, BetweenDtypesTheValuesAreComparedAsStored) {
    onEveryTarget([&](std::int64_t target) {
        for (const Dtype leftType : measuredDtypes()) {
            for (const Dtype rightType : measuredDtypes()) {
                if (leftType == rightType || !canCompare(leftType, rightType)) {
                    continue;
                }
                SCOPED_TRACE(std::string(dtypeName(leftType)) + " and " +
                             std::string(dtypeName(rightType)) + " on " + hwy::TargetName(target));
                const auto left = randomElements(leftType, 333, 1, true);
                const auto right = randomElements(rightType, 333, 2, true);
                expectSameBits(compareBlock(leftType, left, rightType, right, {}),
                               reference(leftType, left, rightType, right, {}));
            }
        }
    });
}

TEST(CompareKernels, TellsBitsFromValues) {
    const auto compare = [](std::uint32_t left, std::uint32_t right) {
        return compareBlock(Dtype::Float32, bytesOf(std::vector{left}), Dtype::Float32,
                            bytesOf(std::vector{right}), {});
    };
    const auto zeros = compare(0x00000000, 0x80000000);
    EXPECT_FALSE(zeros.identical);
    EXPECT_EQ(zeros.changed, 0U);
    const auto sameNan = compare(0x7FC00001, 0x7FC00001);
    EXPECT_TRUE(sameNan.identical);
    EXPECT_EQ(sameNan.changed, 0U);
    const auto otherNan = compare(0x7FC00001, 0x7FC00002);
    EXPECT_FALSE(otherNan.identical);
    EXPECT_EQ(otherNan.changed, 0U);
    const auto nanAndNumber = compare(0x7FC00001, 0x3F800000);
    EXPECT_EQ(nanAndNumber.changed, 1U);
    EXPECT_EQ(nanAndNumber.beyond, 1U);
    EXPECT_EQ(nanAndNumber.nonfinite, 1U);
    EXPECT_EQ(compare(0x7F800000, 0x7F800000).changed, 0U);
    EXPECT_EQ(compare(0x7F800000, 0xFF800000).changed, 1U);
}

TEST(CompareKernels, OneDifferenceIsSeenWhereverItIs) {
    for (const Dtype dtype : {Dtype::Bfloat16, Dtype::Float16, Dtype::Float32}) {
        const std::size_t size = dtypeInfo(dtype).bits / 8;
        constexpr std::size_t kCount = 5003;
        const auto left = randomElements(dtype, kCount, 8, true);
        onEveryTarget([&](std::int64_t target) {
            for (const std::size_t at : {0U, 1U, 31U, 2047U, 2048U, 4999U, 5001U, 5002U}) {
                SCOPED_TRACE(std::string(dtypeName(dtype)) + " at " + std::to_string(at) + " on " +
                             hwy::TargetName(target));
                auto right = left;
                right[at * size] ^= std::byte{1};
                const auto result = compareBlock(dtype, left, dtype, right, {});
                EXPECT_FALSE(result.identical);
                EXPECT_EQ(result.changed, 1U);
                expectSameBits(result, reference(dtype, left, dtype, right, {}));
            }
        });
    }
}

TEST(CompareKernels, WideIntegersAreComparedExactly) {
    const auto result =
        compareBlock(Dtype::Int64, bytesOf(std::vector<std::int64_t>{(1LL << 60) + 1, 5}),
                     Dtype::Int64, bytesOf(std::vector<std::int64_t>{1LL << 60, 5}), {});
    EXPECT_EQ(result.changed, 1U);
}

TEST(CompareKernels, PackedElementsAreOnlyTold) {
    const std::vector<std::byte> left{std::byte{0x12}, std::byte{0x34}};
    const std::vector<std::byte> right{std::byte{0x13}, std::byte{0x34}};
    const auto result = compareBlock(Dtype::Float4, left, Dtype::Float4, right, {});
    EXPECT_FALSE(result.numeric);
    EXPECT_EQ(result.count, 4U);
    EXPECT_EQ(result.changed, 1U);
}

TEST(CompareKernels, MeasuresHaveTheirNames) {
    const auto result = compareBlock(Dtype::Float32, bytesOf(std::vector<float>{3, 0, 4, 0}),
                                     Dtype::Float32, bytesOf(std::vector<float>{0, 0, 4, 4}), {});
    EXPECT_EQ(result.changed, 2U);
    EXPECT_EQ(result.maxAbs, 4);
    EXPECT_EQ(result.meanAbs(), 7.0 / 4);
    EXPECT_EQ(result.rms(), 2.5);
    EXPECT_EQ(result.relativeL2(), 1.0);
    EXPECT_NEAR(result.cosine().value(), 16 / (5 * std::sqrt(32.0)), 1e-15);
    const auto fromZero = compareBlock(Dtype::Float32, bytesOf(std::vector<float>{0}),
                                       Dtype::Float32, bytesOf(std::vector<float>{1}), {});
    EXPECT_FALSE(fromZero.relativeL2());
    EXPECT_FALSE(fromZero.cosine());
}

TEST(CompareKernels, SaysWhenOneSideIsTheOtherCast) {
    std::vector<float> wide;
    std::vector<std::uint16_t> narrow;
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (int i = 0; i < 1000; ++i) {
        wide.push_back(normal(random));
        const auto bits = std::bit_cast<std::uint32_t>(wide.back());
        narrow.push_back(static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16));
    }
    auto result = compareBlock(Dtype::Float32, bytesOf(wide), Dtype::Bfloat16, bytesOf(narrow), {});
    EXPECT_EQ(result.changedAfterCast, 0U);
    EXPECT_GT(result.changed, 900U);
    narrow[10] ^= 1;
    result = compareBlock(Dtype::Bfloat16, bytesOf(narrow), Dtype::Float32, bytesOf(wide), {});
    EXPECT_EQ(result.changedAfterCast, 1U);
}

TEST(CompareKernels, ChangedElementsAreTheOnesThatAreCounted) {
    for (const Dtype dtype : measuredDtypes()) {
        const auto left = randomElements(dtype, 3001, 1, false);
        const auto right = perturbed(dtype, left, false);
        std::vector<std::uint8_t> changed(3001);
        changedElements(dtype, left, dtype, right, changed);
        EXPECT_EQ(static_cast<std::uint64_t>(std::ranges::count(changed, 1)),
                  compareBlock(dtype, left, dtype, right, {}).changed)
            << dtypeName(dtype);
    }
}

/// Every value of a small dtype is kept; a value between two representable ones is rounded to the
/// nearer, ties to the even pattern.
TEST(Decode, RoundsToEveryNeighbour) {
    for (const Dtype dtype : {Dtype::Float8E4m3fn, Dtype::Float8E5m2, Dtype::Float8E4m3fnuz,
                              Dtype::Float8E5m2fnuz, Dtype::Float16, Dtype::Bfloat16}) {
        const std::size_t size = dtypeInfo(dtype).bits / 8;
        const std::size_t patterns = std::size_t{1} << (size * 8 - 1);
        const auto valueAt = [&](std::size_t pattern) {
            const std::array bytes{static_cast<std::byte>(pattern & 0xFFU),
                                   static_cast<std::byte>(pattern >> 8U)};
            return elementAsDouble(dtype, std::span(bytes).first(size));
        };
        for (std::size_t i = 0; i + 1 < patterns; ++i) {
            const double low = valueAt(i);
            const double high = valueAt(i + 1);
            if (!std::isfinite(low) || !std::isfinite(high)) {
                continue;
            }
            ASSERT_EQ(roundTo(dtype, low), low) << dtypeName(dtype) << " " << i;
            ASSERT_EQ(roundTo(dtype, -high), -high);
            const double middle = (low + high) / 2;
            ASSERT_EQ(roundTo(dtype, middle), i % 2 == 0 ? low : high)
                << dtypeName(dtype) << " " << i;
            ASSERT_EQ(roundTo(dtype, std::nextafter(middle, low)), low);
            ASSERT_EQ(roundTo(dtype, std::nextafter(middle, high)), high);
        }
    }
    EXPECT_EQ(roundTo(Dtype::Float16, 65520), HUGE_VAL);
    EXPECT_EQ(roundTo(Dtype::Float8E4m3fn, -1000), -448);
    EXPECT_EQ(roundTo(Dtype::Float8E4m3fn, HUGE_VAL), 448);
    EXPECT_TRUE(std::isnan(roundTo(Dtype::Float8E4m3fnuz, 1000)));
    EXPECT_EQ(roundTo(Dtype::Float8E5m2, 61440), HUGE_VAL);
    EXPECT_EQ(roundTo(Dtype::Float32, 1e300), HUGE_VAL);
    EXPECT_EQ(roundTo(Dtype::Float32, 0.1), static_cast<double>(0.1F));
}

TEST(Decode, IsTheElementsValue) {
    for (const Dtype dtype : measuredDtypes()) {
        const auto bytes = randomElements(dtype, 2000, 4, false);
        std::vector<double> fast(2000);
        std::vector<double> plain(2000);
        decodeElements(dtype, bytes, fast);
        elementsAsDoubles(dtype, bytes, plain);
        for (std::size_t i = 0; i < fast.size(); ++i) {
            EXPECT_TRUE(fast[i] == plain[i] || (std::isnan(fast[i]) && std::isnan(plain[i])))
                << dtypeName(dtype);
        }
    }
}

} // namespace
} // namespace cairn
