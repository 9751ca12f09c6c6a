// SPDX-License-Identifier: Apache-2.0
//
// The IQ types: groups of four or eight elements are entries of a codebook, with signs and small
// scales beside them.
#include "core/compute/dequantize_blocks.h"

#include <array>

namespace cairn::blocks {
namespace {

#include "core/compute/ggml_grids.inc"

constexpr std::array<std::int8_t, 16> kIq4Values = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                    1,    13,   25,  38,  53,  69,  89,  113};
constexpr std::array<float, 3> kIq2Values = {0x08, 0x19, 0x2b};
constexpr std::array<float, 8> kIq3XxsValues = {0x04, 0x0c, 0x14, 0x1c, 0x24, 0x2c, 0x34, 0x3e};
constexpr float kDelta = 0.125F;

/// Seven stored sign bits; the eighth makes the parity even.
std::uint8_t eightSigns(std::uint32_t seven) {
    return static_cast<std::uint8_t>(seven | static_cast<std::uint32_t>(std::popcount(seven) & 1)
                                                 << 7U);
}

/// Applies the sign to the codebook's value: a NaN product then has the scale's sign, as in ggml.
float withSign(float value, std::uint8_t signs, int i) {
    return (signs >> i & 1) != 0 ? -value : value;
}

void eightOfIq2(float scale, std::uint16_t entry, std::uint8_t signs, float* out) {
    for (int i = 0; i < 8; ++i) {
        out[i] = scale * withSign(kIq2Values[entry >> 2 * i & 3U], signs, i);
    }
}

void eightOfIq1(float scale, std::uint16_t entry, float delta, float* out) {
    for (int i = 0; i < 8; ++i) {
        out[i] = scale * (static_cast<float>((entry >> 2 * i & 3) - 1) + delta);
    }
}

} // namespace

void iq2Xxs(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int part = 0; part < 8; ++part) {
        const std::uint8_t* const indices = block + 2 + part * 8;
        const std::uint32_t packed = load32(indices + 4);
        const float scale = d * (0.5F + static_cast<float>(packed >> 28U)) * 0.25F;
        for (int group = 0; group < 4; ++group) {
            eightOfIq2(scale, kIq2XxsGrid[indices[group]], eightSigns(packed >> 7 * group & 0x7FU),
                       out + part * 32 + group * 8);
        }
    }
}

void iq2Xs(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const std::uint8_t* const scales = block + 66;
    for (int group = 0; group < 32; ++group) {
        const std::uint16_t packed = load16(block + 2 + group * 2);
        const float scale =
            d * (0.5F + static_cast<float>(scales[group / 4] >> group / 2 % 2 * 4 & 0x0F)) * 0.25F;
        eightOfIq2(scale, kIq2XsGrid[packed & 511U], eightSigns(packed >> 9U), out + group * 8);
    }
}

void iq2S(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const std::uint8_t* const signs = block + 34;
    const std::uint8_t* const high = block + 66;
    const std::uint8_t* const scales = block + 74;
    for (int group = 0; group < 32; ++group) {
        const float scale =
            d * (0.5F + static_cast<float>(scales[group / 4] >> group / 2 % 2 * 4 & 0x0F)) * 0.25F;
        const unsigned index = block[2 + group] | (high[group / 4] >> group % 4 * 2 & 3U) << 8U;
        eightOfIq2(scale, kIq2SGrid[index], signs[group], out + group * 8);
    }
}

void iq3Xxs(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int part = 0; part < 8; ++part) {
        const std::uint32_t packed = load32(block + 66 + part * 4);
        const float scale = d * (0.5F + static_cast<float>(packed >> 28U)) * 0.5F;
        for (int i = 0; i < 32; ++i) {
            const std::uint16_t entry = kIq3XxsGrid[block[2 + part * 8 + i / 4]];
            const std::uint8_t signs = eightSigns(packed >> 7 * (i / 8) & 0x7FU);
            out[part * 32 + i] =
                scale * withSign(kIq3XxsValues[entry >> i % 4 * 4 & 7U], signs, i % 8);
        }
    }
}

void iq3S(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const std::uint8_t* const high = block + 66;
    const std::uint8_t* const signs = block + 74;
    const std::uint8_t* const scales = block + 106;
    for (int part = 0; part < 8; ++part) {
        const float scale =
            d * static_cast<float>(1 + 2 * (scales[part / 2] >> part % 2 * 4 & 0x0F));
        for (int i = 0; i < 32; ++i) {
            const unsigned index = block[2 + part * 8 + i / 4] | (high[part] >> i / 4 & 1U) << 8U;
            const int value = kIq3SGrid[index] >> i % 4 * 4 & 7;
            out[part * 32 + i] =
                scale * withSign(static_cast<float>(2 * value + 1), signs[part * 4 + i / 8], i % 8);
        }
    }
}

void iq1S(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int part = 0; part < 8; ++part) {
        const std::uint16_t packed = load16(block + 34 + part * 2);
        const float scale = d * static_cast<float>(2 * (packed >> 12 & 7) + 1);
        const float delta = (packed & 0x8000U) != 0 ? -kDelta : kDelta;
        for (int group = 0; group < 4; ++group) {
            const unsigned index = block[2 + part * 4 + group] | (packed >> group * 3 & 7U) << 8U;
            eightOfIq1(scale, kIq1SGrid[index], delta, out + part * 32 + group * 8);
        }
    }
}

void iq1M(const std::uint8_t* block, float* out) {
    std::array<std::uint16_t, 4> scales{};
    unsigned bits = 0; // collects the block's scale: four bits from each of four words
    for (std::size_t i = 0; i < 4; ++i) {
        scales[i] = load16(block + 48 + i * 2);
        bits |= (scales[i] >> 12U) << 4 * i;
    }
    const float d = half(static_cast<std::uint16_t>(bits));
    for (int group = 0; group < 32; ++group) {
        const int packed = block[32 + group / 2] >> group % 2 * 4 & 0x0F;
        const int step = scales[static_cast<std::size_t>(group / 8)] >> group / 2 % 4 * 3 & 7;
        const unsigned index = block[group] | (static_cast<unsigned>(packed) & 7U) << 8U;
        eightOfIq1(d * static_cast<float>(2 * step + 1), kIq1SGrid[index],
                   (packed & 8) != 0 ? -kDelta : kDelta, out + group * 8);
    }
}

void iq4Nl(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int i = 0; i < 16; ++i) {
        out[i] = d * static_cast<float>(kIq4Values[block[2 + i] & 0x0FU]);
        out[16 + i] = d * static_cast<float>(kIq4Values[block[2 + i] >> 4U]);
    }
}

void iq4Xs(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const std::uint16_t high = load16(block + 2);
    for (int part = 0; part < 8; ++part) {
        const int low = block[4 + part / 2] >> part % 2 * 4 & 0x0F;
        const float scale = d * static_cast<float>((low | (high >> part * 2 & 3) << 4) - 32);
        for (int i = 0; i < 16; ++i) {
            const std::uint8_t pair = block[8 + part * 16 + i];
            out[part * 32 + i] = scale * static_cast<float>(kIq4Values[pair & 0x0FU]);
            out[part * 32 + 16 + i] = scale * static_cast<float>(kIq4Values[pair >> 4U]);
        }
    }
}

} // namespace cairn::blocks
