// SPDX-License-Identifier: Apache-2.0
#include "core/model/element.h"

#include "core/base/endian.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace cairn {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// A float of 16 bits or fewer. Ieee: an exponent of all ones is inf or NaN. Fn: finite, NaN if all
/// bits except the sign are one. Fnuz: finite, without negative zero, whose pattern is the only NaN
/// (OCP OFP8 and the Graphcore/AMD proposal).
enum class SmallKind : std::uint8_t { Ieee, Fn, Fnuz };
struct SmallFloat {
    unsigned exponentBits;
    unsigned mantissaBits;
    int bias;
    SmallKind kind;
};

std::optional<SmallFloat> smallFloat(Dtype dtype) {
    switch (dtype) {
    case Dtype::Float16:
    case Dtype::Complex32:
        return SmallFloat{5, 10, 15, SmallKind::Ieee};
    case Dtype::Bfloat16:
        return SmallFloat{8, 7, 127, SmallKind::Ieee};
    case Dtype::Float8E4m3fn:
        return SmallFloat{4, 3, 7, SmallKind::Fn};
    case Dtype::Float8E5m2:
        return SmallFloat{5, 2, 15, SmallKind::Ieee};
    case Dtype::Float8E4m3fnuz:
        return SmallFloat{4, 3, 8, SmallKind::Fnuz};
    case Dtype::Float8E5m2fnuz:
        return SmallFloat{5, 2, 16, SmallKind::Fnuz};
    case Dtype::Float8E4m3b11fnuz:
        return SmallFloat{4, 3, 11, SmallKind::Fnuz};
    default:
        return std::nullopt;
    }
}

double decodeSmall(const SmallFloat& form, std::uint32_t bits) {
    const std::uint32_t mantissa = bits & ((1U << form.mantissaBits) - 1U);
    const std::uint32_t allOnes = (1U << form.exponentBits) - 1U;
    const std::uint32_t exponent = (bits >> form.mantissaBits) & allOnes;
    const bool negative = ((bits >> (form.mantissaBits + form.exponentBits)) & 1U) != 0;
    if (form.kind == SmallKind::Ieee && exponent == allOnes) {
        return mantissa != 0 ? kNan : (negative ? -kInf : kInf);
    }
    if (form.kind == SmallKind::Fn && exponent == allOnes &&
        mantissa == (1U << form.mantissaBits) - 1U) {
        return kNan;
    }
    if (form.kind == SmallKind::Fnuz && negative && exponent == 0 && mantissa == 0) {
        return kNan;
    }
    const int shift = static_cast<int>(form.mantissaBits);
    const double value = exponent == 0 ? std::ldexp(mantissa, 1 - form.bias - shift)
                                       : std::ldexp(mantissa + (1U << form.mantissaBits),
                                                    static_cast<int>(exponent) - form.bias - shift);
    return negative ? -value : value;
}

std::uint32_t smallBits(std::span<const std::byte> bytes) {
    return bytes.size() == 1 ? loadLittle<std::uint8_t>(bytes) : loadLittle<std::uint16_t>(bytes);
}

/// One component of `componentBytes` bytes at the front of `bytes`.
double floatComponent(Dtype dtype, std::span<const std::byte> bytes) {
    if (const auto form = smallFloat(dtype)) {
        const bool isByte = form->exponentBits + form->mantissaBits == 7;
        return decodeSmall(*form, smallBits(bytes.first(isByte ? 1 : 2)));
    }
    switch (dtype) {
    case Dtype::Float32:
    case Dtype::Complex64:
        return std::bit_cast<float>(loadLittle<std::uint32_t>(bytes));
    case Dtype::Float64:
    case Dtype::Complex128:
        return std::bit_cast<double>(loadLittle<std::uint64_t>(bytes));
    case Dtype::Float8E8m0fnu: {
        const auto exponent = loadLittle<std::uint8_t>(bytes);
        return exponent == 0xff ? kNan : std::ldexp(1.0, static_cast<int>(exponent) - 127);
    }
    default:
        return kNan;
    }
}

/// An integer with fewer bits than its byte.
std::optional<int> narrowInteger(Dtype dtype, std::span<const std::byte> bytes) {
    const auto byte = [&] { return static_cast<unsigned>(loadLittle<std::uint8_t>(bytes)); };
    const auto cut = [&](unsigned bits) { return static_cast<int>(byte() & ((1U << bits) - 1U)); };
    const auto extended = [&](unsigned bits) {
        const int sign = 1 << (bits - 1U);
        return (cut(bits) ^ sign) - sign;
    };
    switch (dtype) {
    case Dtype::Int4:
        return extended(4);
    case Dtype::Uint4:
        return cut(4);
    case Dtype::Int2:
        return extended(2);
    case Dtype::Uint2:
        return cut(2);
    default:
        return std::nullopt;
    }
}

template <class T> std::string integerText(std::span<const std::byte> bytes) {
    return std::to_string(loadLittle<T>(bytes));
}

/// Empty for dtypes that are not integers.
std::string wholeText(Dtype dtype, std::span<const std::byte> bytes) {
    switch (dtype) {
    case Dtype::Bool:
        return loadLittle<std::uint8_t>(bytes) != 0 ? "True" : "False";
    case Dtype::Uint8:
    case Dtype::Quint8:
        return integerText<std::uint8_t>(bytes);
    case Dtype::Int8:
    case Dtype::Qint8:
        return integerText<std::int8_t>(bytes);
    case Dtype::Uint16:
    case Dtype::Quint16:
        return integerText<std::uint16_t>(bytes);
    case Dtype::Int16:
    case Dtype::Qint16:
        return integerText<std::int16_t>(bytes);
    case Dtype::Uint32:
        return integerText<std::uint32_t>(bytes);
    case Dtype::Int32:
    case Dtype::Qint32:
        return integerText<std::int32_t>(bytes);
    case Dtype::Uint64:
        return integerText<std::uint64_t>(bytes);
    case Dtype::Int64:
        return integerText<std::int64_t>(bytes);
    default:
        const auto narrow = narrowInteger(dtype, bytes);
        return narrow ? std::to_string(*narrow) : std::string();
    }
}

double wholeAsDouble(Dtype dtype, std::span<const std::byte> bytes) {
    switch (dtype) {
    case Dtype::Bool:
        return loadLittle<std::uint8_t>(bytes) != 0 ? 1.0 : 0.0;
    case Dtype::Uint8:
    case Dtype::Quint8:
        return loadLittle<std::uint8_t>(bytes);
    case Dtype::Int8:
    case Dtype::Qint8:
        return loadLittle<std::int8_t>(bytes);
    case Dtype::Uint16:
    case Dtype::Quint16:
        return loadLittle<std::uint16_t>(bytes);
    case Dtype::Int16:
    case Dtype::Qint16:
        return loadLittle<std::int16_t>(bytes);
    case Dtype::Uint32:
        return loadLittle<std::uint32_t>(bytes);
    case Dtype::Int32:
    case Dtype::Qint32:
        return loadLittle<std::int32_t>(bytes);
    case Dtype::Uint64:
        return static_cast<double>(loadLittle<std::uint64_t>(bytes));
    case Dtype::Int64:
        return static_cast<double>(loadLittle<std::int64_t>(bytes));
    default:
        const auto narrow = narrowInteger(dtype, bytes);
        return narrow ? *narrow : kNan;
    }
}

bool isWhole(Dtype dtype) {
    const DtypeInfo& info = dtypeInfo(dtype);
    return info.kind == DtypeKind::Bool || info.kind == DtypeKind::Unsigned ||
           info.kind == DtypeKind::Signed || (info.kind == DtypeKind::Quantized && info.bits >= 8);
}

std::string roundedText(double value, int digits) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, digits);
    return {buffer.data(), end.ptr};
}

template <class T> std::string shortestText(T value) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

/// Integers unchanged; otherwise the fewest digits that distinguish the value from all other values
/// of the small dtype.
std::string shortestSmall(const SmallFloat& form, std::uint32_t bits, double value) {
    if (std::abs(value) < 0x1p17 && value == std::trunc(value)) {
        return roundedText(value, 6);
    }
    const double up = std::abs(decodeSmall(form, bits + 1) - value);
    const double down = std::abs(decodeSmall(form, bits - 1) - value);
    double gap = kInf;
    for (const double distance : {up, down}) {
        gap = std::isfinite(distance) && distance > 0 ? std::min(gap, distance) : gap;
    }
    for (int digits = 1; digits < 9; ++digits) {
        std::string text = roundedText(value, digits);
        double parsed = 0;
        std::from_chars(text.data(), text.data() + text.size(), parsed);
        if (std::abs(parsed - value) < gap / 2) {
            return text;
        }
    }
    return roundedText(value, 9);
}

std::string floatText(Dtype dtype, std::span<const std::byte> bytes, int digits) {
    const double value = floatComponent(dtype, bytes);
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    if (digits > 0) {
        return roundedText(value, digits);
    }
    if (const auto form = smallFloat(dtype); form && value != 0) {
        const bool isByte = form->exponentBits + form->mantissaBits == 7;
        return shortestSmall(*form, smallBits(bytes.first(isByte ? 1 : 2)), value);
    }
    const bool isDouble = dtype == Dtype::Float64 || dtype == Dtype::Complex128;
    return isDouble ? shortestText(value) : shortestText(static_cast<float>(value));
}

std::string hexText(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "0x";
    for (std::size_t i = bytes.size(); i-- > 0;) {
        text += kDigits[std::to_integer<std::size_t>(bytes[i] >> 4U)];
        text += kDigits[std::to_integer<std::size_t>(bytes[i] & std::byte{15})];
    }
    return text;
}

} // namespace

bool hasNumericElements(Dtype dtype) {
    return isWhole(dtype) || dtypeInfo(dtype).kind == DtypeKind::Float;
}

double elementAsDouble(Dtype dtype, std::span<const std::byte> bytes) {
    return isWhole(dtype) ? wholeAsDouble(dtype, bytes) : floatComponent(dtype, bytes);
}

double elementImaginary(Dtype dtype, std::span<const std::byte> bytes) {
    const bool isComplex = dtypeInfo(dtype).kind == DtypeKind::Complex;
    return isComplex ? floatComponent(dtype, bytes.subspan(bytes.size() / 2)) : 0.0;
}

void elementsAsDoubles(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out) {
    const std::size_t width = out.empty() ? 0 : bytes.size() / out.size();
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = elementAsDouble(dtype, bytes.subspan(i * width, width));
    }
}

std::string elementText(Dtype dtype, std::span<const std::byte> bytes, int digits) {
    switch (dtypeInfo(dtype).kind) {
    case DtypeKind::Float:
        return floatText(dtype, bytes, digits);
    case DtypeKind::Complex: {
        const std::string imaginary = floatText(dtype, bytes.subspan(bytes.size() / 2), digits);
        return floatText(dtype, bytes, digits) + (imaginary.starts_with('-') ? "" : "+") +
               imaginary + "j";
    }
    default:
        return isWhole(dtype) ? wholeText(dtype, bytes) : hexText(bytes);
    }
}

} // namespace cairn
