// SPDX-License-Identifier: Apache-2.0
//
// q4_k: 256 elements in eight groups of 32, each with a scale and a minimum of 6 bits, which share
// two halves. Scale and minimum of a group are searched for by weighted least squares, as in ggml's
// make_qkx2_quants(32, 15, …, -1, 0.1, 20, false).
#include "core/compute/dequantize_blocks.h"
#include "core/compute/quantize_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace cairn::blocks {
namespace {

constexpr std::size_t kGroup = 32;
constexpr std::size_t kGroups = 8;
constexpr int kLargestCode = 15;
constexpr int kLargestScale = 63;
constexpr int kTrials = 20;

using Codes = std::array<std::uint8_t, kGroup>;

/// To nearest, ties to even, within [0, most]; 0 for NaN.
int nearest(float value, int most) {
    if (!(value > 0)) {
        return 0;
    }
    return value >= static_cast<float>(most) ? most : static_cast<int>(std::nearbyint(value));
}

struct Group {
    const float* values;
    std::array<float, kGroup> weights{};
    float min = 0;
    float max = 0;
    float sumWeights = 0;
    float sumValues = 0; ///< weighted

    explicit Group(const float* theValues) : values(theValues) {
        float squares = 0;
        for (std::size_t i = 0; i < kGroup; ++i) {
            squares += values[i] * values[i];
        }
        const float average = std::sqrt(squares / static_cast<float>(kGroup));
        min = max = values[0];
        for (std::size_t i = 0; i < kGroup; ++i) {
            weights[i] = average + std::fabs(values[i]);
            min = std::min(min, values[i]);
            max = std::max(max, values[i]);
            sumWeights += weights[i];
            sumValues += weights[i] * values[i];
        }
        min = std::min(min, 0.0F);
    }

    void encode(float factor, float lowest, Codes& codes) const {
        for (std::size_t i = 0; i < kGroup; ++i) {
            codes[i] =
                static_cast<std::uint8_t>(nearest(factor * (values[i] - lowest), kLargestCode));
        }
    }

    [[nodiscard]] float error(const Codes& codes, float scale, float lowest) const {
        float sum = 0;
        for (std::size_t i = 0; i < kGroup; ++i) {
            const float difference = scale * static_cast<float>(codes[i]) + lowest - values[i];
            sum += weights[i] * (difference * difference);
        }
        return sum;
    }
};

struct Line {
    float scale = 0;
    float minimum = 0; ///< subtracted
};

/// Scale and minimum for which these codes have the least error; nothing if all are the same.
bool fit(const Group& group, const Codes& codes, float& scale, float& lowest) {
    float sum = 0;
    float squares = 0;
    float products = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
        const auto code = static_cast<float>(codes[i]);
        const float weight = group.weights[i];
        sum += weight * code;
        squares += weight * code * code;
        products += weight * code * group.values[i];
    }
    const float determinant = group.sumWeights * squares - sum * sum;
    if (!(determinant > 0)) {
        return false;
    }
    scale = (group.sumWeights * products - group.sumValues * sum) / determinant;
    lowest = (squares * group.sumValues - sum * products) / determinant;
    if (lowest > 0) {
        lowest = 0;
        scale = products / squares;
    }
    return true;
}

Line bestLine(const float* values) {
    const Group group(values);
    if (group.max == group.min) {
        return {0, -group.min};
    }
    const float factor = static_cast<float>(kLargestCode) / (group.max - group.min);
    float scale = 1 / factor;
    float lowest = group.min;
    Codes codes{};
    group.encode(factor, lowest, codes);
    float least = group.error(codes, scale, lowest);
    for (int trial = 0; trial <= kTrials; ++trial) {
        const float steps =
            -1.0F + 0.1F * static_cast<float>(trial) + static_cast<float>(kLargestCode);
        group.encode(steps / (group.max - lowest), lowest, codes); // ggml's range moves, too
        float otherScale = 0;
        float otherLowest = 0;
        if (!fit(group, codes, otherScale, otherLowest)) {
            continue;
        }
        const float error = group.error(codes, otherScale, otherLowest);
        if (error < least) {
            least = error;
            scale = otherScale;
            lowest = otherLowest;
        }
    }
    return {scale, -lowest};
}

} // namespace

void quantizeQ4K(const float* values, std::uint8_t* block) {
    std::array<Line, kGroups> lines;
    float scale = 0;
    float minimum = 0;
    for (std::size_t g = 0; g < kGroups; ++g) {
        lines[g] = bestLine(values + g * kGroup);
        scale = std::max(scale, lines[g].scale);
        minimum = std::max(minimum, lines[g].minimum);
    }
    const float scaleFactor = scale > 0 ? static_cast<float>(kLargestScale) / scale : 0;
    const float minimumFactor = minimum > 0 ? static_cast<float>(kLargestScale) / minimum : 0;
    const std::uint16_t d = halfOf(scale / static_cast<float>(kLargestScale));
    const std::uint16_t dmin = halfOf(minimum / static_cast<float>(kLargestScale));
    std::memset(block, 0, 144);
    std::memcpy(block, &d, sizeof d);
    std::memcpy(block + 2, &dmin, sizeof dmin);
    std::uint8_t* const packed = block + 4;
    for (std::size_t g = 0; g < kGroups; ++g) {
        const auto s = static_cast<unsigned>(nearest(scaleFactor * lines[g].scale, kLargestScale));
        const auto m =
            static_cast<unsigned>(nearest(minimumFactor * lines[g].minimum, kLargestScale));
        if (g < 4) { // the other groups add their upper bits
            packed[g] = static_cast<std::uint8_t>(packed[g] | s);
            packed[g + 4] = static_cast<std::uint8_t>(packed[g + 4] | m);
        } else {
            packed[g + 4] = static_cast<std::uint8_t>((s & 15U) | (m & 15U) << 4U);
            packed[g - 4] = static_cast<std::uint8_t>(packed[g - 4] | (s >> 4U) << 6U);
            packed[g] = static_cast<std::uint8_t>(packed[g] | (m >> 4U) << 6U);
        }
        const float step = half(d) * static_cast<float>(s);
        const float offset = half(dmin) * static_cast<float>(m);
        for (std::size_t i = 0; i < kGroup; ++i) {
            const float code = step == 0 ? 0 : (values[g * kGroup + i] + offset) / step;
            const auto bits = static_cast<unsigned>(nearest(code, kLargestCode));
            std::uint8_t& target = block[16 + g / 2 * kGroup + i];
            target = static_cast<std::uint8_t>(target | bits << (g % 2 * 4));
        }
    }
}

} // namespace cairn::blocks
