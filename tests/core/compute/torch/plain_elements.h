// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/compute/torch/module_access.h"

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

/// Elements one by one, in plain C++ that shares no code with the module: the reference for its
/// results.
namespace plain {

/// float8_e4m3fn: a table that contains NaN and subnormal numbers.
inline std::array<std::uint32_t, 256> e4m3Table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        const std::uint32_t exponent = (i >> 3U) & 15U;
        const std::uint32_t mantissa = i & 7U;
        const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                              : std::ldexp(static_cast<float>(mantissa + 8),
                                                           static_cast<int>(exponent) - 10);
        std::uint32_t bits = std::bit_cast<std::uint32_t>(magnitude);
        if ((i & 0x7FU) == 0x7FU) {
            bits = 0x7FF00000U;
        }
        table[i] = bits | ((i & 0x80U) << 24U);
    }
    return table;
}

inline const std::array<std::uint32_t, 256>& table() {
    static const std::array<std::uint32_t, 256> made = e4m3Table();
    return made;
}

struct Buffer {
    int kind = 0;
    std::vector<std::byte> bytes;

    [[nodiscard]] std::size_t count() const { return bytes.size() / module_access::widthOf(kind); }
    [[nodiscard]] CairnElements elements() const {
        return {bytes.data(), kind, kind == kCairnTable8 ? table().data() : nullptr};
    }
    template <class T> [[nodiscard]] T at(std::size_t i) const {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        return value;
    }
};

inline bool isComplex(int kind) {
    return kind == kCairnComplex32 || kind == kCairnComplex64 || kind == kCairnComplex128;
}
inline bool isFloat(int kind) {
    return kind == kCairnFloat16 || kind == kCairnBfloat16 || kind == kCairnFloat32 ||
           kind == kCairnFloat64;
}

/// Random bits, including subnormal numbers, infinities and NaN. `tame` clears the highest exponent
/// bit of floats: then all are finite and below 2.
inline Buffer random(int kind, std::size_t count, std::uint32_t seed, bool tame) {
    std::mt19937 engine(seed);
    Buffer made{kind, std::vector<std::byte>(count * module_access::widthOf(kind))};
    for (std::byte& byte : made.bytes) {
        byte = static_cast<std::byte>(engine() & 0xFFU);
    }
    const std::size_t component = module_access::widthOf(kind) / (isComplex(kind) ? 2 : 1);
    if (tame && (isFloat(kind) || isComplex(kind))) {
        for (std::size_t i = component - 1; i < made.bytes.size(); i += component) {
            made.bytes[i] &= std::byte{0xBF};
        }
    }
    if (tame && kind == kCairnTable8) {
        for (std::byte& byte : made.bytes) {
            byte &= std::byte{0xBF};
        }
    }
    return made;
}

/// float16 to float32, exactly; a NaN becomes quiet and keeps its sign and payload.
inline float widenHalf(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 31U;
    const std::uint32_t mantissa = half & 0x3FFU;
    if (exponent == 31) {
        const std::uint32_t quiet = mantissa != 0 ? 0x00400000U : 0U;
        return std::bit_cast<float>(sign | 0x7F800000U | quiet | (mantissa << 13U));
    }
    const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                          : std::ldexp(static_cast<float>(mantissa + 1024U),
                                                       static_cast<int>(exponent) - 25);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

inline float widenBfloat(std::uint16_t value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

/// A quiet NaN made from the bits of a float64 NaN.
inline float floatOf(double value) {
    if (!std::isnan(value)) {
        return static_cast<float>(value);
    }
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto payload = static_cast<std::uint32_t>(bits >> 29U) & 0x3FFFFFU;
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 63U) << 31U | 0x7FC00000U |
                                payload);
}

inline float asFloat(const Buffer& from, std::size_t i) {
    switch (from.kind) {
    case kCairnTable8:
        return std::bit_cast<float>(table()[from.at<std::uint8_t>(i)]);
    case kCairnFloat16:
        return widenHalf(from.at<std::uint16_t>(i));
    case kCairnBfloat16:
        return widenBfloat(from.at<std::uint16_t>(i));
    case kCairnFloat32:
        return from.at<float>(i);
    default:
        return floatOf(from.at<double>(i));
    }
}

/// Value of one element; for complex elements, of one component.
inline double asDouble(const Buffer& from, std::size_t i) {
    switch (from.kind) {
    case kCairnInt16:
        return from.at<std::int16_t>(i);
    case kCairnUint16:
        return from.at<std::uint16_t>(i);
    case kCairnInt32:
        return from.at<std::int32_t>(i);
    case kCairnUint32:
        return from.at<std::uint32_t>(i);
    case kCairnInt64:
        return static_cast<double>(from.at<std::int64_t>(i));
    case kCairnUint64:
        return static_cast<double>(from.at<std::uint64_t>(i));
    case kCairnFloat64:
    case kCairnComplex128:
        return from.at<double>(i);
    case kCairnComplex32:
        return widenHalf(from.at<std::uint16_t>(i));
    case kCairnComplex64:
        return from.at<float>(i);
    default:
        return asFloat(from, i);
    }
}

/// A real or complex element.
inline std::complex<double> valueAt(const Buffer& from, std::size_t i) {
    return isComplex(from.kind)
               ? std::complex<double>(asDouble(from, 2 * i), asDouble(from, 2 * i + 1))
               : std::complex<double>(asDouble(from, i), 0);
}

/// Rounds a magnitude of `digits` digits to nearest, ties to even, in integers.
inline std::uint16_t halfBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) {
        return static_cast<std::uint16_t>(sign | 0x7E00U | ((magnitude >> 13U) & 0x3FFU));
    }
    const double exact = std::abs(static_cast<double>(value));
    if (exact >= 65520) {
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    }
    const int exponent = exact < 0x1p-14 ? -14 : std::ilogb(exact);
    const double units = std::nearbyint(std::ldexp(exact, 10 - exponent)); // ties to even
    const auto whole = static_cast<std::uint32_t>(units);
    const auto biased = static_cast<std::uint32_t>(exponent + 14);
    return static_cast<std::uint16_t>(sign | ((biased << 10U) + whole));
}

inline std::uint16_t bfloatBits(float value, bool wide) {
    if (std::isnan(value)) {
        return wide ? 0xFFFF : 0x7FC0;
    }
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

inline std::uint64_t doubleBits(float value) {
    if (!std::isnan(value)) {
        return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    }
    const std::uint64_t bits = std::bit_cast<std::uint32_t>(value);
    return (bits >> 31U) << 63U | 0x7FF8000000000000U | (bits & 0x7FFFFFU) << 29U;
}

/// float32 converted to another kind; `wide`: the source is float32 or float64.
inline std::uint64_t bitsAt(float value, int to, bool wide) {
    switch (to) {
    case kCairnFloat16:
        return halfBits(value);
    case kCairnBfloat16:
        return bfloatBits(value, wide);
    case kCairnFloat32:
        return std::bit_cast<std::uint32_t>(value);
    default:
        return doubleBits(value);
    }
}

} // namespace plain
