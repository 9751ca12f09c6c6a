// SPDX-License-Identifier: Apache-2.0
//
// Which decoder and which multi-byte numbers each block dtype has. The numbers matter for
// big-endian files alone: there a block is copied, its numbers are swapped, and the same decoder
// goes on.
#include "core/compute/dequantize.h"

#include "core/compute/dequantize_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t kMaxBlockBytes = 292;

/// `count` numbers of `size` bytes from `offset` on.
struct Numbers {
    std::uint16_t offset = 0;
    std::uint8_t size = 2;
    std::uint8_t count = 0;
};

struct BlockKind {
    blocks::Decoder decode = nullptr;
    Numbers scales; ///< the first is the scale of the block
    Numbers others = {};
};

BlockKind kindOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q1_0:
        return {blocks::q1_0, {0, 2, 1}};
    case Dtype::Q4_0:
        return {blocks::q4_0, {0, 2, 1}};
    case Dtype::Q4_1:
        return {blocks::q4_1, {0, 2, 2}};
    case Dtype::Q5_0:
        return {blocks::q5_0, {0, 2, 1}, {2, 4, 1}};
    case Dtype::Q5_1:
        return {blocks::q5_1, {0, 2, 2}, {4, 4, 1}};
    case Dtype::Q8_0:
        return {blocks::q8_0, {0, 2, 1}};
    case Dtype::Q8_1:
        return {blocks::q8_1, {0, 2, 2}};
    case Dtype::Q2K:
        return {blocks::q2K, {80, 2, 2}};
    case Dtype::Q3K:
        return {blocks::q3K, {108, 2, 1}};
    case Dtype::Q4K:
        return {blocks::q4K, {0, 2, 2}};
    case Dtype::Q5K:
        return {blocks::q5K, {0, 2, 2}};
    case Dtype::Q6K:
        return {blocks::q6K, {208, 2, 1}};
    case Dtype::Q8K:
        return {blocks::q8K, {0, 4, 1}, {260, 2, 16}};
    case Dtype::Iq1S:
        return {blocks::iq1S, {0, 2, 1}, {34, 2, 8}};
    case Dtype::Iq1M:
        return {blocks::iq1M, {48, 2, 0}, {48, 2, 4}};
    case Dtype::Iq2Xxs:
        return {blocks::iq2Xxs, {0, 2, 1}, {2, 2, 32}};
    case Dtype::Iq2Xs:
        return {blocks::iq2Xs, {0, 2, 1}, {2, 2, 32}};
    case Dtype::Iq2S:
        return {blocks::iq2S, {0, 2, 1}};
    case Dtype::Iq3Xxs:
        return {blocks::iq3Xxs, {0, 2, 1}};
    case Dtype::Iq3S:
        return {blocks::iq3S, {0, 2, 1}};
    case Dtype::Iq4Nl:
        return {blocks::iq4Nl, {0, 2, 1}};
    case Dtype::Iq4Xs:
        return {blocks::iq4Xs, {0, 2, 1}, {2, 2, 1}};
    case Dtype::Tq1_0:
        return {blocks::tq1_0, {52, 2, 1}};
    case Dtype::Tq2_0:
        return {blocks::tq2_0, {64, 2, 1}};
    case Dtype::Mxfp4:
        return {blocks::mxfp4, {}};
    case Dtype::Nvfp4:
        return {blocks::nvfp4, {}};
    default:
        return {};
    }
}

void swapNumbers(std::uint8_t* block, Numbers numbers) {
    for (std::uint8_t i = 0; i < numbers.count; ++i) {
        std::uint8_t* const first = block + numbers.offset + std::size_t{numbers.size} * i;
        std::reverse(first, first + numbers.size);
    }
}

/// How far the sizes of the scales lie apart, as binary orders of magnitude; a scale that is no
/// number counts as far.
class Spread {
public:
    void add(float scale) {
        if (scale == 0.0F) {
            return;
        }
        const double order =
            std::isfinite(scale) ? std::log2(std::abs(static_cast<double>(scale))) : 40.0;
        ++m_count;
        m_sum += order;
        m_squares += order * order;
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

bool canDequantize(Dtype dtype) {
    return kindOf(dtype).decode != nullptr;
}

void dequantize(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out,
                bool bigEndian) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const BlockKind kind = kindOf(dtype);
    const auto* block = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::array<std::uint8_t, kMaxBlockBytes> swapped{};
    const std::size_t count = bytes.size() / info.blockBytes;
    for (std::size_t i = 0; i < count; ++i, block += info.blockBytes) {
        const std::uint8_t* from = block;
        if (bigEndian) {
            std::copy_n(block, info.blockBytes, swapped.begin());
            swapNumbers(swapped.data(), kind.scales);
            swapNumbers(swapped.data(), kind.others);
            from = swapped.data();
        }
        kind.decode(from, out.data() + i * info.blockElements);
    }
}

bool scalesAreBigEndian(Dtype dtype, std::span<const std::byte> bytes) {
    const DtypeInfo& info = dtypeInfo(dtype);
    const Numbers scales = kindOf(dtype).scales;
    if (scales.count == 0 || scales.size != 2) {
        return true;
    }
    Spread little;
    Spread big;
    for (std::size_t at = 0; at + info.blockBytes <= bytes.size(); at += info.blockBytes) {
        const std::uint16_t bits = blocks::load16(
            reinterpret_cast<const std::uint8_t*>(bytes.data()) + at + scales.offset);
        little.add(blocks::half(bits));
        big.add(blocks::half(static_cast<std::uint16_t>(bits << 8U | bits >> 8U)));
    }
    return !(little.variance() < big.variance());
}

} // namespace cairn
