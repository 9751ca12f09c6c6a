// SPDX-License-Identifier: Apache-2.0
#include "core/model/block_numbers.h"

#include "core/base/endian.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cairn {
namespace {

/// `count` numbers of `size` bytes, starting at `offset`.
struct Numbers {
    std::uint16_t offset = 0;
    std::uint8_t size = 2;
    std::uint8_t count = 0;
};

/// Positions of numbers with more than one byte in the structs of ggml-common.h: scales, and
/// others.
struct BlockNumbers {
    Numbers scales;
    Numbers others = {};
};

BlockNumbers numbersOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q1_0:
    case Dtype::Q4_0:
    case Dtype::Q8_0:
    case Dtype::Iq2S:
    case Dtype::Iq3Xxs:
    case Dtype::Iq3S:
    case Dtype::Iq4Nl:
        return {{0, 2, 1}};
    case Dtype::Q4_1:
    case Dtype::Q8_1:
    case Dtype::Q4K:
    case Dtype::Q5K:
        return {{0, 2, 2}};
    case Dtype::Q5_0:
        return {{0, 2, 1}, {2, 4, 1}};
    case Dtype::Q5_1:
        return {{0, 2, 2}, {4, 4, 1}};
    case Dtype::Q2K:
        return {{80, 2, 2}};
    case Dtype::Q3K:
        return {{108, 2, 1}};
    case Dtype::Q6K:
        return {{208, 2, 1}};
    case Dtype::Q8K:
        return {{0, 4, 1}, {260, 2, 16}};
    case Dtype::Iq1S:
        return {{0, 2, 1}, {34, 2, 8}};
    case Dtype::Iq1M:
        return {{}, {48, 2, 4}};
    case Dtype::Iq2Xxs:
    case Dtype::Iq2Xs:
        return {{0, 2, 1}, {2, 2, 32}};
    case Dtype::Iq4Xs:
        return {{0, 2, 1}, {2, 2, 1}};
    case Dtype::Tq1_0:
        return {{52, 2, 1}};
    case Dtype::Tq2_0:
        return {{64, 2, 1}};
    default: // mxfp4 and nvfp4 contain only bytes
        return {};
    }
}

void swapNumbers(std::byte* block, Numbers numbers) {
    for (std::uint8_t i = 0; i < numbers.count; ++i) {
        std::byte* const first = block + numbers.offset + std::size_t{numbers.size} * i;
        std::reverse(first, first + numbers.size);
    }
}

/// The binary order of magnitude of a half-precision number; implausible for values that are not a
/// scale.
double orderOf(std::uint16_t half) {
    constexpr double kNoScale = 40;
    const int exponent = half >> 10 & 0x1F;
    if (exponent == 0x1F) {
        return kNoScale;
    }
    const int mantissa = half & 0x3FF;
    return exponent == 0 ? std::log2(mantissa) - 24 : std::log2(1024 + mantissa) + exponent - 25;
}

class Spread {
public:
    void add(std::uint16_t scale) {
        if ((scale & 0x7FFFU) != 0) {
            const double order = orderOf(scale);
            ++m_count;
            m_sum += order;
            m_squares += order * order;
        }
    }
    [[nodiscard]] double variance() const {
        const double mean = m_count > 0 ? m_sum / m_count : 0;
        return m_count > 0 ? m_squares / m_count - mean * mean : 0;
    }

private:
    double m_count = 0;
    double m_sum = 0;
    double m_squares = 0;
};

} // namespace

void swapBlockNumbers(Dtype dtype, std::span<std::byte> blocks) {
    const std::size_t size = dtypeInfo(dtype).blockBytes;
    const BlockNumbers numbers = numbersOf(dtype);
    for (std::size_t at = 0; at + size <= blocks.size(); at += size) {
        swapNumbers(blocks.data() + at, numbers.scales);
        swapNumbers(blocks.data() + at, numbers.others);
    }
}

bool scalesAreBigEndian(Dtype dtype, std::span<const std::byte> blocks) {
    const std::size_t size = dtypeInfo(dtype).blockBytes;
    const Numbers scales = numbersOf(dtype).scales;
    if (scales.count == 0 || scales.size != 2) {
        return true;
    }
    Spread little;
    Spread big;
    for (std::size_t at = 0; at + size <= blocks.size(); at += size) {
        const auto scale = loadLittle<std::uint16_t>(blocks, at + scales.offset);
        little.add(scale);
        big.add(static_cast<std::uint16_t>(scale << 8U | scale >> 8U));
    }
    return !(little.variance() < big.variance());
}

} // namespace cairn
