// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/plain_quantize.h"

#include "core/compute/dequantize.h"
#include "core/jobs/plain_cast.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
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

/// The element with the largest magnitude; NaN if there is one.
float extreme(std::span<const float> values) {
    float found = values[0];
    for (const float value : values) {
        if (std::isnan(value) || std::fabs(value) > std::fabs(found)) {
            found = value;
        }
    }
    return found;
}

void plainQ8(std::span<const float> values, std::byte* block) {
    const float scale = std::fabs(extreme(values)) / 127.0F;
    const float factor = scale == 0 ? 0 : 1.0F / scale;
    putScale(scale, block);
    const bool isUsable = std::isfinite(scale) && std::isfinite(factor);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float scaled = values[i] * factor;
        block[2 + i] = static_cast<std::byte>(isUsable ? code(std::round(scaled), -128, 127) : 0);
    }
}

void plainQ4(std::span<const float> values, std::byte* block) {
    const float scale = extreme(values) / -8.0F;
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
    tally.elements += values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool isFinite = std::isfinite(values[i]);
        if (isFinite && std::isfinite(numbers[i])) {
            const double change = std::fabs(static_cast<double>(values[i]) - numbers[i]);
            tally.maxAbs = std::max(tally.maxAbs, change);
            tally.becameZero += numbers[i] == 0 && values[i] != 0 ? 1 : 0;
        } else if (isFinite) {
            ++tally.overflowed;
        }
    }
}

} // namespace cairn
