// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/plain_quantize.h"

#include "core/compute/dequantize.h"
#include "core/jobs/elements/plain_cast.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

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

constexpr std::size_t kLanes = 8; ///< independent results, so that compilers make vectors

/// The largest magnitude; NaN if there is one. REQUIRES: a multiple of kLanes.
float largestMagnitude(std::span<const float> values) {
    std::array<float, kLanes> most{};
    std::array<std::uint32_t, kLanes> unordered{};
    for (std::size_t i = 0; i < values.size(); i += kLanes) {
        for (std::size_t j = 0; j < kLanes; ++j) {
            const float magnitude = std::fabs(values[i + j]);
            most[j] = magnitude > most[j] ? magnitude : most[j];
            unordered[j] |= magnitude != magnitude ? 1U : 0U; // NaN
        }
    }
    const bool isNan = std::ranges::any_of(unordered, [](std::uint32_t each) { return each != 0; });
    return isNan ? std::numeric_limits<float>::quiet_NaN() : *std::ranges::max_element(most);
}

/// What tallyNumbers() finds, in independent lanes.
struct NumberLanes {
    std::array<double, kLanes> most{};
    std::array<std::uint64_t, kLanes> lost{};
    std::array<std::uint64_t, kLanes> zeros{};
};

/// One element for each of `count` lanes. Everything has 64 bits, and the sums no branches.
[[gnu::always_inline]] inline void tallyLanes(const float* before, const float* after,
                                              std::size_t count, NumberLanes& lanes) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    for (std::size_t j = 0; j < count; ++j) {
        const double from = before[j];
        const double to = after[j];
        const std::uint64_t wasFinite = std::fabs(from) <= kLargest ? 1 : 0;
        const std::uint64_t isFinite = std::fabs(to) <= kLargest ? 1 : 0;
        const double change = std::fabs(from - to);
        const double finite = change <= 2 * kLargest ? change : 0; // else one of them is not
        lanes.most[j] = finite > lanes.most[j] ? finite : lanes.most[j];
        lanes.lost[j] += wasFinite ^ isFinite;
        lanes.zeros[j] += (to == 0 ? 1U : 0U) & (from != 0 ? 1U : 0U);
    }
}

[[gnu::always_inline]] inline NumberLanes tallyEach(std::span<const float> before,
                                                    std::span<const float> after) {
    NumberLanes lanes;
    std::size_t i = 0;
    for (; i + kLanes <= before.size(); i += kLanes) {
        tallyLanes(before.data() + i, after.data() + i, kLanes, lanes);
    }
    tallyLanes(before.data() + i, after.data() + i, before.size() - i, lanes);
    return lanes;
}

#if defined(__x86_64__)
/// The same, compiled for vectors of four doubles.
__attribute__((target("avx2"))) NumberLanes tallyEachWide(std::span<const float> before,
                                                          std::span<const float> after) {
    return tallyEach(before, after);
}
#endif

NumberLanes tallyQuickly(std::span<const float> before, std::span<const float> after) {
#if defined(__x86_64__)
    static const bool isWide = __builtin_cpu_supports("avx2");
    if (isWide) {
        return tallyEachWide(before, after);
    }
#endif
    return tallyEach(before, after);
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
    const DtypeInfo& info = dtypeInfo(dtype);
    std::array<float, 4096> numbers{}; // of complete blocks, in the first cache
    const std::size_t step = numbers.size() / info.blockElements;
    for (std::size_t done = 0; done * info.blockElements < values.size(); done += step) {
        const auto some = values.subspan(done * info.blockElements);
        const std::size_t count = std::min(step, some.size() / info.blockElements);
        const auto made = std::span(numbers).first(count * info.blockElements);
        dequantize(dtype, blocks.subspan(done * info.blockBytes, count * info.blockBytes), made);
        tallyNumbers(some.first(made.size()), made, 1, tally);
    }
}

void tallyNumbers(std::span<const float> before, std::span<const float> after, double unit,
                  CastTally& tally) {
    const NumberLanes lanes = tallyQuickly(before, after);
    tally.elements += before.size();
    tally.maxAbs = std::max(tally.maxAbs, *std::ranges::max_element(lanes.most) * unit);
    for (std::size_t j = 0; j < kLanes; ++j) {
        tally.overflowed += lanes.lost[j];
        tally.becameZero += lanes.zeros[j];
    }
}

} // namespace cairn
