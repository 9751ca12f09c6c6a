// SPDX-License-Identifier: Apache-2.0
//
// One block at a time, in loops that compilers turn into vectors. Magnitudes are compared as
// integers: the bits of non-negative floats are in the order of the numbers, with NaN above
// infinity.
#include "core/compute/quantize.h"

#include "core/compute/quantize_blocks.h"
#include "core/compute/scale_runs.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace cairn::blocks {
namespace {

constexpr int kSize = 32;
constexpr std::int32_t kInfinity = 0x7F800000;

std::int32_t magnitudeBits(float value) {
    return std::bit_cast<std::int32_t>(value) & 0x7FFFFFFF;
}

std::int32_t largestMagnitude(const float* values) {
    std::int32_t most = 0;
    for (int i = 0; i < kSize; ++i) {
        const std::int32_t bits = magnitudeBits(values[i]);
        most = bits > most ? bits : most;
    }
    return most;
}

/// The reciprocal of a scale; 0 for 0.
float inverse(float scale) {
    return scale == 0 ? 0.0F : 1.0F / scale;
}

} // namespace

std::uint16_t halfOf(float value) {
    constexpr std::uint32_t kTooLarge = 0x47800000; // 65536
    constexpr std::uint32_t kNormal = 0x38800000;   // the smallest normal half
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
    if (std::isnan(value)) {
        return 0x7E00;
    }
    if (magnitude >= kTooLarge) {
        return sign | 0x7C00U;
    }
    if (magnitude < kNormal) { // the sum has the subnormal half as its lowest bits, rounded
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign |
                                          (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000U));
    }
    const std::uint32_t odd = magnitude >> 13U & 1U;
    return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000U + 0xFFFU + odd) >> 13U));
}

void quantizeQ8_0(const float* values, std::uint8_t* block) {
    const std::int32_t most = largestMagnitude(values);
    const float scale = std::bit_cast<float>(most) / 127.0F;
    const float factor = inverse(scale);
    const std::uint16_t half = halfOf(scale);
    std::memcpy(block, &half, sizeof half);
    if (most >= kInfinity || !std::isfinite(factor)) {
        std::memset(block + 2, 0, kSize);
        return;
    }
    for (int i = 0; i < kSize; ++i) { // rounds to nearest, ties away from zero
        const float scaled = values[i] * factor;
        const float magnitude = std::fabs(scaled);
        const auto whole = static_cast<std::int32_t>(magnitude);
        const std::int32_t rounded =
            whole + (magnitude - static_cast<float>(whole) >= 0.5F ? 1 : 0);
        block[2 + i] = static_cast<std::uint8_t>(scaled < 0 ? -rounded : rounded);
    }
}

void quantizeQ4_0(const float* values, std::uint8_t* block) {
    const std::int32_t most = largestMagnitude(values);
    int first = 0; // of the largest magnitude, whose sign the scale has
    while (magnitudeBits(values[first]) != most) {
        ++first;
    }
    const float scale = values[first] / -8.0F;
    const float factor = inverse(scale);
    const std::uint16_t half = halfOf(scale);
    std::memcpy(block, &half, sizeof half);
    std::array<std::uint8_t, kSize> codes{};
    if (most == kInfinity) {
        for (int i = 0; i < kSize; ++i) {
            codes[static_cast<std::size_t>(i)] = magnitudeBits(values[i]) == kInfinity ? 0 : 8;
        }
    } else if (most < kInfinity && std::isfinite(factor)) {
        for (int i = 0; i < kSize; ++i) {
            const auto code = static_cast<std::int32_t>(values[i] * factor + 8.5F);
            codes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(code > 15 ? 15 : code);
        }
    }
    for (std::size_t i = 0; i < kSize / 2; ++i) {
        block[2 + i] = static_cast<std::uint8_t>(codes[i] | codes[i + kSize / 2] << 4U);
    }
}

} // namespace cairn::blocks

namespace cairn {
namespace {

using Encoder = void (*)(const float* values, std::uint8_t* block);

Encoder encoderOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q8_0:
        return blocks::quantizeQ8_0;
    case Dtype::Q4_0:
        return blocks::quantizeQ4_0;
    default:
        return blocks::quantizeQ4K;
    }
}

} // namespace

void quantizeBlocks(Dtype dtype, std::span<const float> values, std::span<std::byte> out) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const Encoder encode = encoderOf(dtype);
    auto* block = reinterpret_cast<std::uint8_t*>(out.data());
    for (std::size_t i = 0; i < values.size(); i += info.blockElements) {
        encode(values.data() + i, block);
        block += info.blockBytes;
    }
}

void divideByScales(const BlockScales& scales, std::uint64_t first, std::span<float> values) {
    eachScaleRun(scales, first, values.size(), [&](std::size_t i, std::size_t end, float scale) {
        for (; i < end; ++i) {
            values[i] /= scale;
        }
    });
}

} // namespace cairn
