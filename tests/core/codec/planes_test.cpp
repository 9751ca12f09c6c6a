// SPDX-License-Identifier: Apache-2.0
#include "core/codec/planes/planes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace cairn::planes {
namespace {

using Bytes = std::vector<std::byte>;

constexpr ElementForm kForms[] = {{1, false}, {2, false}, {2, true}, {4, false},
                                  {4, true},  {8, false}, {8, true}};

Bytes noise(std::size_t size, unsigned seed, unsigned most = 255) {
    std::mt19937 random(seed);
    Bytes bytes(size);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random() % (most + 1)); });
    return bytes;
}

/// Gaussian weights as float32, or their upper halves (bfloat16 by truncation).
Bytes weights(std::size_t count, std::size_t width) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 0.02F);
    Bytes bytes(count * width);
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(normal(random));
        std::memcpy(bytes.data() + i * width, reinterpret_cast<const std::byte*>(&bits) + 4 - width,
                    width);
    }
    return bytes;
}

Bytes packed(ElementForm form, const Bytes& elements, int level = 1) {
    Packer packer(level);
    Bytes out;
    EXPECT_TRUE(packer.pack(form, elements, out));
    return out;
}

/// One element at a time, according to the byte map.
Bytes planesByHand(ElementForm form, const Bytes& elements) {
    const std::size_t count = elements.size() / form.bytes;
    Bytes planes(elements.size());
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, elements.data() + i * form.bytes, form.bytes);
        const std::size_t bits = 8 * form.bytes;
        if (form.rotate) {
            word = word << 1U | word >> (bits - 1);
        }
        for (std::size_t plane = 0; plane < form.bytes; ++plane) {
            planes[plane * count + i] = static_cast<std::byte>(word >> (8 * plane) & 0xFFU);
        }
    }
    return planes;
}

TEST(Split, IsTheByteMapForEveryFormAndLength) {
    for (const ElementForm form : kForms) {
        if (form.bytes == 1) {
            continue;
        }
        for (const std::size_t count : {1U, 2U, 15U, 16U, 31U, 63U, 64U, 65U, 200U, 1000U}) {
            const Bytes elements = noise(count * form.bytes, static_cast<unsigned>(count));
            Bytes planes(elements.size());
            split(form, elements, planes);
            EXPECT_EQ(planes, planesByHand(form, elements)) << form.bytes << " " << count;
            Bytes back(elements.size());
            join(form, planes, back);
            EXPECT_EQ(back, elements) << form.bytes << " " << count;
        }
    }
}

TEST(Split, BringsTheExponentOfABfloat16IntoTheUpperPlane) {
    const std::uint16_t minusTwo = 0xC000; // sign 1, exponent 128, mantissa 0
    Bytes element(2);
    std::memcpy(element.data(), &minusTwo, 2);
    Bytes planes(2);
    split({2, true}, element, planes);
    EXPECT_EQ(planes[1], std::byte{128});
    EXPECT_EQ(planes[0], std::byte{1});
}

TEST(Pack, ComesBackTheSameWhateverTheBytes) {
    for (const ElementForm form : kForms) {
        for (const std::size_t count : {1U, 7U, 64U, 511U, 5000U, 70000U}) {
            const std::size_t size = count * form.bytes;
            for (const Bytes& elements : {noise(size, 1), noise(size, 2, 3),
                                          Bytes(size, std::byte{9}), noise(size, 3, 60)}) {
                for (const int level : {1, 5}) {
                    const Bytes stored = packed(form, elements, level);
                    Bytes back(size);
                    Unpacker unpacker;
                    ASSERT_TRUE(unpacker.unpack(form, stored, back));
                    ASSERT_EQ(back, elements) << form.bytes << " " << count << " " << level;
                }
            }
        }
    }
}

TEST(Pack, ReachesTheEntropyOfGaussianWeights) {
    const Bytes narrow = weights(1U << 19U, 2);
    EXPECT_GT(static_cast<double>(narrow.size()) /
                  static_cast<double>(packed({2, true}, narrow).size()),
              1.47);
    const Bytes wide = weights(1U << 18U, 4);
    EXPECT_GT(static_cast<double>(wide.size()) /
                  static_cast<double>(packed({4, true}, wide).size()),
              1.18);
}

TEST(Pack, NoiseGrowsByItsHeadAlone) {
    const Bytes elements = noise(1U << 20U, 5);
    EXPECT_EQ(packed({4, true}, elements).size(), elements.size() + 20);
}

TEST(Pack, OneValueTakesAByteAPlane) {
    EXPECT_EQ(packed({8, true}, Bytes(1U << 20U)).size(), 8U * 6U);
}

TEST(Pack, FewChangesTakeLittle) {
    Bytes changed(1U << 20U);
    std::mt19937 random(8);
    for (std::size_t i = 0; i < changed.size() / 200; ++i) { // 1 % of the 16-bit elements
        changed[random() % changed.size()] = std::byte{1};
    }
    EXPECT_LT(packed({2, true}, changed).size() * 40, changed.size());
}

TEST(Steps, ComeBackForEveryWidthAndWrapAround) {
    for (const std::size_t width : {1U, 2U, 4U, 8U}) {
        const Bytes before = noise(800, 1);
        Bytes after = noise(800, 2);
        std::fill_n(after.begin(), 100, std::byte{0xFF});
        Bytes steps = after;
        toSteps(width, steps, before);
        EXPECT_NE(steps, after);
        takeSteps(width, steps, before);
        EXPECT_EQ(steps, after) << width;
    }
}

TEST(Steps, SmallChangesAreSmallNumbers) {
    const std::array<std::uint16_t, 4> before{0x3F80, 0x3F80, 0x3F80, 0};
    std::array<std::uint16_t, 4> after{0x3F80, 0x3F7F, 0x3F81, 0xFFFF};
    toSteps(2, std::as_writable_bytes(std::span(after)), std::as_bytes(std::span(before)));
    EXPECT_EQ(after, (std::array<std::uint16_t, 4>{0, 1, 2, 1}));
}

TEST(Unpack, RefusesEveryShorteningAndEveryLie) {
    const Bytes elements = weights(3000, 4);
    const Bytes stored = packed({4, true}, elements);
    Unpacker unpacker;
    Bytes back(elements.size());
    for (std::size_t size = 0; size < stored.size(); size += 1 + size / 50) {
        EXPECT_FALSE(unpacker.unpack({4, true}, std::span(stored).first(size), back)) << size;
    }
    Bytes longer = stored;
    longer.push_back({});
    EXPECT_FALSE(unpacker.unpack({4, true}, longer, back));
    Bytes fewer(elements.size() - 4);
    EXPECT_FALSE(unpacker.unpack({4, true}, stored, fewer));
    for (std::size_t at = 0; at < 20; ++at) { // any other mode or length
        Bytes lie = stored;
        lie[at] ^= std::byte{0x40};
        EXPECT_FALSE(unpacker.unpack({4, true}, lie, back)) << at;
    }
}

} // namespace
} // namespace cairn::planes
