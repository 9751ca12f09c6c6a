// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/plain_quantize.h"

#include "core/compute/dequantize.h"
#include "core/jobs/elements/plain_cast.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace cairn {
namespace {

/// A number as a code, if there is one.
int code(float number, int least, int most) {
    return std::isfinite(number) ? std::clamp(static_cast<int>(number), least, most) : 0;
}

void putScale(float scale, std::byte* block) {
    const auto half = static_cast<std::uint16_t>(
        std::isnan(scale)
            ? 0x7E00
            : castBits(Dtype::Float32, std::as_bytes(std::span(&scale, 1)), Dtype::Float16));
    std::memcpy(block, &half, sizeof half);
}

/// The largest magnitude; NaN if there is one.
float largestMagnitude(std::span<const float> values) {
    float most = 0;
    bool unordered = false;
    for (const float value : values) {
        most = std::max(most, std::fabs(value));
        unordered = unordered || value != value; // NaN
    }
    return unordered ? std::numeric_limits<float>::quiet_NaN() : most;
}

void plainQ8(std::span<const float> values, std::byte* block) {
    const float scale = largestMagnitude(values) / 127.0F;
    const float factor = scale == 0 ? 0 : 1.0F / scale;
    putScale(scale, block);
    if (!std::isfinite(scale) || !std::isfinite(factor)) {
        std::memset(block + 2, 0, values.size());
        return;
    }
    constexpr float kBelowHalf = 0x1.FFFFFEp-2F; // added and truncated: ties away from zero
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float scaled = values[i] * factor;
        block[2 + i] =
            static_cast<std::byte>(static_cast<int>(scaled + std::copysign(kBelowHalf, scaled)));
    }
}

void plainQ4(std::span<const float> values, std::byte* block) {
    const float most = largestMagnitude(values);
    const auto isExtreme = [&](float value) {
        return std::isnan(most) ? std::isnan(value) : std::fabs(value) == most;
    };
    const float scale = *std::ranges::find_if(values, isExtreme) / -8.0F;
    const float factor = scale == 0 ? 0 : 1.0F / scale;
    putScale(scale, block);
    const std::size_t half = values.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        unsigned pair = 0;
        for (const std::size_t place : {i + half, i}) {
            const float scaled = values[place] * factor;
            const float shifted = scaled + 8.5F;
            pair = pair << 4U | static_cast<unsigned>(code(shifted, 0, 15));
        }
        block[2 + i] = static_cast<std::byte>(pair);
    }
}

} // namespace

void raiseLargest(ScaleGroup scales, const Shape& matrix, std::int64_t row, std::int64_t column,
                  std::span<const float> values, std::span<std::uint32_t> largest) {
    constexpr std::uint32_t kInfinite = 0x7F800000U;
    const std::int64_t across = (matrix[1] + kSquareSide - 1) / kSquareSide;
    for (std::size_t at = 0; at < values.size();) {
        std::size_t count = values.size() - at;
        std::int64_t group = scales == ScaleGroup::Row ? row : 0;
        if (scales == ScaleGroup::Square) {
            const std::int64_t place = column + static_cast<std::int64_t>(at);
            group = row / kSquareSide * across + place / kSquareSide;
            count = std::min(count, static_cast<std::size_t>(kSquareSide - place % kSquareSide));
        }
        std::uint32_t most = 0; // magnitudes are in the order of their bits
        for (const float value : values.subspan(at, count)) {
            const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU;
            most = std::max(most, magnitude < kInfinite ? magnitude : 0);
        }
        std::uint32_t& known = largest[static_cast<std::size_t>(group)];
        known = std::max(known, most);
        at += count;
    }
}

float plainScale(double largestElement, std::uint32_t largest) {
    const auto magnitude = std::bit_cast<float>(largest);
    if (magnitude == 0) {
        return 1;
    }
    const float scale = magnitude / static_cast<float>(largestElement);
    return std::isnormal(scale) ? scale : std::numeric_limits<float>::min();
}

void quantizePlainly(Dtype dtype, std::span<const float> values, std::span<std::byte> blocks) {
    const DtypeInfo& info = dtypeInfo(dtype);
    for (std::size_t i = 0; i * info.blockElements < values.size(); ++i) {
        const auto group = values.subspan(i * info.blockElements, info.blockElements);
        std::byte* const block = blocks.data() + i * info.blockBytes;
        dtype == Dtype::Q8_0 ? plainQ8(group, block) : plainQ4(group, block);
    }
}

void tallyBlocks(Dtype dtype, std::span<const float> values, std::span<const std::byte> blocks,
                 CastTally& tally) {
    std::vector<float> numbers(values.size());
    dequantize(dtype, blocks, numbers);
    tallyNumbers(values, numbers, 1, tally);
}

void tallyNumbers(std::span<const float> before, std::span<const float> after, double unit,
                  CastTally& tally) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    double most = 0;
    std::uint64_t lost = 0;
    std::uint64_t zeros = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const bool wasFinite = std::fabs(before[i]) <= kLargest;
        const bool isFinite = std::fabs(after[i]) <= kLargest;
        const double change =
            std::fabs(static_cast<double>(before[i]) - static_cast<double>(after[i]));
        most = wasFinite && isFinite && change > most ? change : most;
        lost += wasFinite != isFinite ? 1 : 0;
        zeros += after[i] == 0 && before[i] != 0 ? 1 : 0;
    }
    tally.elements += before.size();
    tally.maxAbs = std::max(tally.maxAbs, most * unit);
    tally.overflowed += lost;
    tally.becameZero += zeros;
}

} // namespace cairn
