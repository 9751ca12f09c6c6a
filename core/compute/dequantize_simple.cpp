// SPDX-License-Identifier: Apache-2.0
//
// Blocks of 32 to 256 elements with one scale: q4 to q8, ternary, and the two 4-bit floats.
#include "core/compute/dequantize_blocks.h"

#include <array>

namespace cairn::blocks {
namespace {

/// e2m1 values, doubled.
constexpr std::array<std::int8_t, 16> kFloat4 = {0, 1,  2,  3,  4,  6,  8,  12,
                                                 0, -1, -2, -3, -4, -6, -8, -12};

int low(std::uint8_t byte) {
    return byte & 0x0F;
}
int high(std::uint8_t byte) {
    return byte >> 4;
}

/// The fifth bit of element i.
int fifth(std::uint32_t bits, int i) {
    return static_cast<int>(bits >> i & 1U) << 4;
}

/// 2^(e - 128); exact even if subnormal.
float halfPower(std::uint8_t e) {
    return std::bit_cast<float>(e < 2 ? 0x00200000U << e : (e - 1U) << 23U);
}

/// Unsigned e4m3, halved because kFloat4 is doubled.
float unsignedFloat8(std::uint8_t bits) {
    if (bits == 0 || bits == 0x7F) {
        return 0.0F;
    }
    const int exponent = bits >> 3 & 0x0F;
    const auto mantissa = static_cast<float>(bits & 7);
    if (exponent == 0) {
        return mantissa * 0x1p-9F * 0.5F;
    }
    const auto power = std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 120) << 23U);
    return (1.0F + mantissa / 8.0F) * power * 0.5F;
}

/// One of the five base-3 digits in a byte, which stores them as a fraction of 256.
float ternary(std::uint8_t byte, int power) {
    const auto shifted = static_cast<std::uint8_t>(byte * power);
    return static_cast<float>((shifted * 3 >> 8) - 1);
}

constexpr std::array<int, 5> kPowers = {1, 3, 9, 27, 81};

} // namespace

void q1_0(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int i = 0; i < 128; ++i) {
        out[i] = (block[2 + i / 8] >> i % 8 & 1) != 0 ? d : -d;
    }
}

void q4_0(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int i = 0; i < 16; ++i) {
        out[i] = d * static_cast<float>(low(block[2 + i]) - 8);
        out[16 + i] = d * static_cast<float>(high(block[2 + i]) - 8);
    }
}

void q4_1(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const float m = loadHalf(block + 2);
    for (int i = 0; i < 16; ++i) {
        out[i] = d * static_cast<float>(low(block[4 + i])) + m;
        out[16 + i] = d * static_cast<float>(high(block[4 + i])) + m;
    }
}

void q5_0(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const std::uint32_t bits = load32(block + 2);
    for (int i = 0; i < 16; ++i) {
        out[i] = d * static_cast<float>((low(block[6 + i]) | fifth(bits, i)) - 16);
        out[16 + i] = d * static_cast<float>((high(block[6 + i]) | fifth(bits, i + 16)) - 16);
    }
}

void q5_1(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    const float m = loadHalf(block + 2);
    const std::uint32_t bits = load32(block + 4);
    for (int i = 0; i < 16; ++i) {
        out[i] = d * static_cast<float>(low(block[8 + i]) | fifth(bits, i)) + m;
        out[16 + i] = d * static_cast<float>(high(block[8 + i]) | fifth(bits, i + 16)) + m;
    }
}

void q8_0(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block);
    for (int i = 0; i < 32; ++i) {
        out[i] = static_cast<float>(static_cast<std::int8_t>(block[2 + i])) * d;
    }
}

void q8_1(const std::uint8_t* block, float* out) { // the second half is not needed: d times the sum
    const float d = loadHalf(block);
    for (int i = 0; i < 32; ++i) {
        out[i] = static_cast<float>(static_cast<std::int8_t>(block[4 + i])) * d;
    }
}

void tq1_0(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block + 52);
    for (int digit = 0; digit < 5; ++digit) {
        for (int i = 0; i < 32; ++i) {
            out[digit * 32 + i] = d * ternary(block[i], kPowers[static_cast<std::size_t>(digit)]);
        }
        for (int i = 0; i < 16; ++i) {
            out[160 + digit * 16 + i] =
                d * ternary(block[32 + i], kPowers[static_cast<std::size_t>(digit)]);
        }
    }
    for (int digit = 0; digit < 4; ++digit) {
        for (int i = 0; i < 4; ++i) {
            out[240 + digit * 4 + i] =
                d * ternary(block[48 + i], kPowers[static_cast<std::size_t>(digit)]);
        }
    }
}

void tq2_0(const std::uint8_t* block, float* out) {
    const float d = loadHalf(block + 64);
    for (int i = 0; i < 256; ++i) {
        const int shift = i % 128 / 32 * 2;
        out[i] = d * static_cast<float>((block[i / 128 * 32 + i % 32] >> shift & 3) - 1);
    }
}

void mxfp4(const std::uint8_t* block, float* out) {
    const float d = halfPower(block[0]);
    for (int i = 0; i < 16; ++i) {
        out[i] = d * static_cast<float>(kFloat4[block[1 + i] & 0x0FU]);
        out[16 + i] = d * static_cast<float>(kFloat4[block[1 + i] >> 4U]);
    }
}

void nvfp4(const std::uint8_t* block, float* out) {
    for (int part = 0; part < 4; ++part) {
        const float d = unsignedFloat8(block[part]);
        for (int i = 0; i < 8; ++i) {
            const std::uint8_t pair = block[4 + part * 8 + i];
            out[part * 16 + i] = d * static_cast<float>(kFloat4[pair & 0x0FU]);
            out[part * 16 + 8 + i] = d * static_cast<float>(kFloat4[pair >> 4U]);
        }
    }
}

} // namespace cairn::blocks
