// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

/// Decoders of one block each, private to this folder: `block` and `out` have the sizes in the
/// dtype table. Numbers are little-endian.
namespace cairn::blocks {

inline std::uint16_t load16(const std::uint8_t* at) {
    std::uint16_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    return value;
}

inline std::uint32_t load32(const std::uint8_t* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof(value));
    return value;
}

/// Converts IEEE half precision, exactly; the payload of NaN is preserved.
inline float half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
    const std::uint32_t mantissa = bits & 0x3FFU;
    if (exponent == 0) {
        const float small = static_cast<float>(mantissa) * 0x1p-24F;
        return sign != 0 ? -small : small;
    }
    const std::uint32_t wide = exponent == 0x1FU ? 0xFFU : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23U | mantissa << 13U);
}

inline float loadHalf(const std::uint8_t* at) {
    return half(load16(at));
}

using Decoder = void (*)(const std::uint8_t* block, float* out);

void q1_0(const std::uint8_t* block, float* out);
void q4_0(const std::uint8_t* block, float* out);
void q4_1(const std::uint8_t* block, float* out);
void q5_0(const std::uint8_t* block, float* out);
void q5_1(const std::uint8_t* block, float* out);
void q8_0(const std::uint8_t* block, float* out);
void q8_1(const std::uint8_t* block, float* out);
void q2K(const std::uint8_t* block, float* out);
void q3K(const std::uint8_t* block, float* out);
void q4K(const std::uint8_t* block, float* out);
void q5K(const std::uint8_t* block, float* out);
void q6K(const std::uint8_t* block, float* out);
void q8K(const std::uint8_t* block, float* out);
void iq1S(const std::uint8_t* block, float* out);
void iq1M(const std::uint8_t* block, float* out);
void iq2Xxs(const std::uint8_t* block, float* out);
void iq2Xs(const std::uint8_t* block, float* out);
void iq2S(const std::uint8_t* block, float* out);
void iq3Xxs(const std::uint8_t* block, float* out);
void iq3S(const std::uint8_t* block, float* out);
void iq4Nl(const std::uint8_t* block, float* out);
void iq4Xs(const std::uint8_t* block, float* out);
void tq1_0(const std::uint8_t* block, float* out);
void tq2_0(const std::uint8_t* block, float* out);
void mxfp4(const std::uint8_t* block, float* out);
void nvfp4(const std::uint8_t* block, float* out);

} // namespace cairn::blocks
