// SPDX-License-Identifier: Apache-2.0
#include "core/compute/cast.h"
#include "core/jobs/elements/plain_cast.h"
#include "core/jobs/elements/plain_quantize.h"
#include "core/model/cast_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <span>

/// The vector kernels against the verifier's scalar code, with which they share nothing; and both
/// against known numbers.
namespace cairn {
namespace {

constexpr std::array kTargets = {Dtype::Float64,        Dtype::Float32,       Dtype::Float16,
                                 Dtype::Bfloat16,       Dtype::Float8E4m3fn,  Dtype::Float8E5m2,
                                 Dtype::Float8E4m3fnuz, Dtype::Float8E5m2fnuz};

template <class T> std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

void expectSame(Dtype from, const std::vector<std::byte>& in) {
    const std::size_t wide = dtypeInfo(from).bits / 8;
    const std::size_t count = in.size() / wide;
    for (const Dtype to : kTargets) {
        if (!canCast(from, to)) {
            continue;
        }
        const std::size_t narrow = dtypeInfo(to).bits / 8;
        std::vector<std::byte> out(count * narrow);
        castElements(from, in, to, out);
        std::vector<std::byte> plain(out.size());
        castPlainly(from, in, to, plain);
        ASSERT_TRUE(plain == out) << dtypeName(from) << " to " << dtypeName(to);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, out.data() + i * narrow, narrow);
            const auto element = std::span(in).subspan(i * wide, wide);
            ASSERT_EQ(bits, castBits(from, element, to))
                << dtypeName(from) << " to " << dtypeName(to) << ", element " << i;
        }
    }
}

std::vector<std::uint32_t> trickyFloats() {
    std::vector<std::uint32_t> bits;
    for (const std::uint32_t exponent :
         {0U, 1U, 100U, 101U, 102U, 103U, 112U, 113U, 126U, 127U, 141U, 142U, 143U, 254U, 255U}) {
        for (const std::uint32_t digits :
             {0U, 1U, 0xFFFU, 0x1000U, 0x1001U, 0x2000U, 0x3000U, 0x7FFFU, 0x8000U, 0x8001U,
              0x18000U, 0x400000U, 0x7FE000U, 0x7FF000U, 0x7FFFFFU}) {
            bits.push_back(exponent << 23U | digits);
            bits.push_back(1U << 31U | exponent << 23U | digits);
        }
    }
    return bits;
}

TEST(Cast, AgreesWithTheReferenceOnEverySixteenBitPattern) {
    std::vector<std::uint16_t> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::uint16_t>(i);
    }
    expectSame(Dtype::Float16, bytesOf(all));
    expectSame(Dtype::Bfloat16, bytesOf(all));
}

TEST(Cast, AgreesWithTheReferenceOnEveryEightBitPattern) {
    std::vector<std::byte> all(256);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::byte>(i);
    }
    for (const DtypeInfo& info : allDtypes()) {
        if (info.kind == DtypeKind::Float && info.bits == 8) {
            expectSame(info.dtype, all);
        }
    }
}

TEST(Cast, AgreesWithTheReferenceOnFloats) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> bits = trickyFloats();
    for (int i = 0; i < 300000; ++i) {
        bits.push_back(static_cast<std::uint32_t>(random()));
    }
    for (int i = 0; i < 100000; ++i) { // becomes a subnormal half
        const auto word = static_cast<std::uint32_t>(random());
        bits.push_back((word & 0x807FFFFFU) | (98U + word % 18U) << 23U);
    }
    expectSame(Dtype::Float32, bytesOf(bits));
    std::vector<double> wide;
    for (const std::uint32_t each : bits) {
        wide.push_back(std::bit_cast<float>(each) * (1.0 + 1e-9 * (each % 7)));
    }
    wide.insert(wide.end(), {1e300, -1e300, 5e-324, 1e-40, std::nan("")});
    expectSame(Dtype::Float64, bytesOf(wide));
}

/// As its definition says, one element after the other.
CastTally tallied(std::span<const float> before, std::span<const float> after) {
    CastTally tally;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double change = std::fabs(double{before[i]} - double{after[i]});
        const bool bothFinite = std::isfinite(before[i]) && std::isfinite(after[i]);
        tally.maxAbs = bothFinite ? std::max(tally.maxAbs, change) : tally.maxAbs;
        tally.overflowed += std::isfinite(before[i]) != std::isfinite(after[i]) ? 1 : 0;
        tally.becameZero += after[i] == 0 && before[i] != 0 ? 1 : 0;
    }
    tally.elements = before.size();
    return tally;
}

TEST(Cast, TalliesNumbersOfEveryKindAndLength) {
    std::mt19937 random(8);
    const std::vector<std::uint32_t> tricky = trickyFloats();
    for (std::size_t count = 0; count < 600; ++count) {
        std::vector<float> before(count);
        std::vector<float> after(count);
        for (std::vector<float>* values : {&before, &after}) {
            std::ranges::generate(*values, [&] {
                const auto word = static_cast<std::uint32_t>(random());
                return std::bit_cast<float>(word % 3 == 0   ? tricky[word % tricky.size()]
                                            : word % 3 == 1 ? 0U
                                                            : word);
            });
        }
        const CastTally wanted = tallied(before, after);
        CastTally found;
        tallyNumbers(before, after, 1, found);
        ASSERT_EQ(found.elements, wanted.elements);
        ASSERT_EQ(found.maxAbs, wanted.maxAbs) << count;
        ASSERT_EQ(found.overflowed, wanted.overflowed) << count;
        ASSERT_EQ(found.becameZero, wanted.becameZero) << count;
    }
}

TEST(Cast, TreatsEveryLengthAlike) {
    std::mt19937 random(6);
    for (std::size_t count = 0; count < 70; ++count) {
        std::vector<std::uint32_t> bits(count);
        std::ranges::generate(bits, std::ref(random));
        expectSame(Dtype::Float32, bytesOf(bits));
    }
}

std::uint64_t castOne(float value, Dtype to) {
    const auto in = bytesOf(std::vector{value});
    std::vector<std::byte> out(dtypeInfo(to).bits / 8);
    castElements(Dtype::Float32, in, to, out);
    std::uint64_t bits = 0;
    std::memcpy(&bits, out.data(), out.size());
    return bits;
}

TEST(Cast, RoundsTiesToEvenAndBeyondTheRangeToInfinity) {
    EXPECT_EQ(castOne(1.00390625F, Dtype::Bfloat16), 0x3F80U); // halfway, down to even
    EXPECT_EQ(castOne(1.01171875F, Dtype::Bfloat16), 0x3F82U); // halfway, up to even
    EXPECT_EQ(castOne(3.4e38F, Dtype::Bfloat16), 0x7F80U);     // carries to infinity
    EXPECT_EQ(castOne(65519.99F, Dtype::Float16), 0x7BFFU);
    EXPECT_EQ(castOne(65520.0F, Dtype::Float16), 0x7C00U);
    EXPECT_EQ(castOne(-1e9F, Dtype::Float16), 0xFC00U);
    EXPECT_EQ(castOne(0x1p-24F, Dtype::Float16), 1U);
    EXPECT_EQ(castOne(0x1p-25F, Dtype::Float16), 0U); // halfway to the smallest, to even
    EXPECT_EQ(castOne(0x1.8p-24F, Dtype::Float16), 2U);
    EXPECT_EQ(castOne(-0.0F, Dtype::Float16), 0x8000U);
    EXPECT_EQ(castOne(std::nanf(""), Dtype::Bfloat16), 0xFFFFU); // as torch on AVX2
    EXPECT_EQ(castOne(std::nanf(""), Dtype::Float16), 0x7E00U);
}

TEST(Cast, TellsWhatBecameOfTheValues) {
    const auto in =
        bytesOf(std::vector<float>{1.0F, 1.0004F, 70000.0F, 1e-6F, 1e-9F, 0.0F,
                                   std::numeric_limits<float>::infinity(), std::nanf("")});
    std::vector<std::byte> out(16);
    castElements(Dtype::Float32, in, Dtype::Float16, out);
    CastTally tally;
    tallyCast(Dtype::Float32, in, Dtype::Float16, out, tally);
    EXPECT_EQ(tally.elements, 8U);
    EXPECT_EQ(tally.overflowed, 1U);
    EXPECT_EQ(tally.becameSubnormal, 1U);
    EXPECT_EQ(tally.becameZero, 1U);
    EXPECT_NEAR(tally.maxAbs, 0.0004, 1e-4);
    EXPECT_LE(tally.maxUlp, 0.5);
    EXPECT_GT(tally.maxUlp, 0.3);
}

CastTally tallyOf(Dtype to, const std::vector<float>& values, std::vector<std::byte>& out) {
    CastTally tally;
    out.resize(values.size());
    castElements(Dtype::Float32, bytesOf(values), to, out);
    tallyCast(Dtype::Float32, bytesOf(values), to, out, tally);
    std::vector<double> wide(values.begin(), values.end());
    CastTally ofDoubles;
    tallyCast(Dtype::Float64, bytesOf(wide), to, out, ofDoubles);
    EXPECT_EQ(tally.overflowed, ofDoubles.overflowed);
    EXPECT_EQ(tally.becameZero, ofDoubles.becameZero);
    EXPECT_EQ(tally.becameSubnormal, ofDoubles.becameSubnormal);
    EXPECT_EQ(tally.maxAbs, ofDoubles.maxAbs);
    EXPECT_EQ(tally.maxUlp, ofDoubles.maxUlp);
    return tally;
}

TEST(Cast, TellsWhatEightBitsLose) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    std::vector<std::byte> out;
    // 464 is a tie and rounds down, 465 and infinity become 448; 2^-10 is a tie and becomes 0.
    CastTally tally =
        tallyOf(Dtype::Float8E4m3fn,
                {464, 465, -1e9F, -kInf, kInf, 0x1p-10F, 0x1.2p-10F, 17, std::nanf("")}, out);
    EXPECT_EQ(out[0], std::byte{0x7E});
    EXPECT_EQ(out[2], std::byte{0xFE});
    EXPECT_EQ(out[8], std::byte{0x7F});
    EXPECT_EQ(tally.overflowed, 4U);
    EXPECT_EQ(tally.becameZero, 1U);
    EXPECT_EQ(tally.becameSubnormal, 1U);
    EXPECT_EQ(tally.maxAbs, 16);
    EXPECT_EQ(tally.maxUlp, 0.5);
    tally = tallyOf(Dtype::Float8E5m2, {61439, 61440, kInf, -1e9F, 0x1p-17F, -0.0F, 9}, out);
    EXPECT_EQ(out[0], std::byte{0x7B});
    EXPECT_EQ(out[1], std::byte{0x7C});
    EXPECT_EQ(out[5], std::byte{0x80});
    EXPECT_EQ(tally.overflowed, 2U) << "infinity stays what it is";
    EXPECT_EQ(tally.becameZero, 1U);
    tally = tallyOf(Dtype::Float8E4m3fnuz, {247, 248, kInf, -0.0F, -1e-9F, 240}, out);
    EXPECT_EQ(out[0], std::byte{0x7F});
    EXPECT_EQ(out[1], std::byte{0x80});
    EXPECT_EQ(out[3], std::byte{0});
    EXPECT_EQ(out[4], std::byte{0});
    EXPECT_EQ(tally.overflowed, 2U);
    EXPECT_EQ(tally.becameZero, 1U);
    tally = tallyOf(Dtype::Float8E5m2fnuz, {61439, -61440, kInf, 1}, out);
    EXPECT_EQ(out[1], std::byte{0x80});
    EXPECT_EQ(tally.overflowed, 2U);
}

TEST(Cast, LosesNothingWhereItSaysSo) {
    EXPECT_TRUE(castIsExact(Dtype::Bfloat16, Dtype::Float32));
    EXPECT_TRUE(castIsExact(Dtype::Float8E4m3fn, Dtype::Float16));
    EXPECT_FALSE(castIsExact(Dtype::Float16, Dtype::Bfloat16));
    EXPECT_FALSE(castIsExact(Dtype::Float8E8m0fnu, Dtype::Float16));
    EXPECT_FALSE(canCast(Dtype::Int64, Dtype::Float32));
    EXPECT_FALSE(canCast(Dtype::Float8E5m2, Dtype::Float8E4m3fn));
    EXPECT_FALSE(canCast(Dtype::Float32, Dtype::Float8E8m0fnu));
    EXPECT_FALSE(castIsExact(Dtype::Float16, Dtype::Float8E5m2));
}

} // namespace
} // namespace cairn
