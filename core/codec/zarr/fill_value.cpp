// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/zarr/array_fields.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace cairn::zarr {
namespace {

template <class T> std::vector<std::byte> bytesOf(T value) {
    std::vector<std::byte> bytes(sizeof(T));
    storeLittle(bytes, 0, value);
    return bytes;
}

std::vector<std::byte> lowBytes(std::uint64_t bits, std::size_t count) {
    auto bytes = bytesOf(bits);
    bytes.resize(count);
    return bytes;
}

std::optional<double> realOf(const JsonValue& value) {
    if (const auto number = value.asReal()) {
        return *number;
    }
    const auto text = value.asString();
    if (!text) {
        return std::nullopt;
    }
    if (*text == "NaN") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (*text == "Infinity" || *text == "-Infinity") {
        const double infinity = std::numeric_limits<double>::infinity();
        return *text == "Infinity" ? infinity : -infinity;
    }
    return std::nullopt;
}

/// "0x7fc00000": the bits of the value.
std::optional<std::uint64_t> bitsOf(const JsonValue& value) {
    const auto text = value.asString();
    if (!text || !text->starts_with("0x")) {
        return std::nullopt;
    }
    std::uint64_t bits = 0;
    const auto result = std::from_chars(text->data() + 2, text->data() + text->size(), bits, 16);
    const bool whole = result.ec == std::errc() && result.ptr == text->data() + text->size();
    return whole ? std::optional(bits) : std::nullopt;
}

/// Only values that need no rounding: zero, one, infinity and NaN of the small floats.
std::optional<std::vector<std::byte>> smallFloat(double value, const ElementType& type) {
    if (type.name == "bfloat16") {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        const std::uint32_t rounded = bits + 0x7FFFU + ((bits >> 16U) & 1U);
        const bool special = !std::isfinite(value);
        return lowBytes((special ? bits : rounded) >> 16U, 2);
    }
    if (value == 0 && type.name == "float8_e8m0fnu") {
        return lowBytes(0xFF, 1); // has no zero: NaN, as in ml_dtypes
    }
    if (value == 0) {
        const bool negative = std::signbit(value) && !type.name.ends_with("fnuz");
        const std::size_t bits = type.name.starts_with("float6")   ? 6
                                 : type.name.starts_with("float4") ? 4
                                                                   : 8 * type.bytes;
        return lowBytes(negative ? std::uint64_t{1} << (bits - 1) : 0, type.bytes);
    }
    if (type.name == "float16" && std::abs(value) >= 0x1p-14 && std::abs(value) <= 65504) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const std::uint64_t mantissa = (bits >> 42U) & 0x3FFU;
        const std::uint64_t exponent = ((bits >> 52U) & 0x7FFU) - 1023 + 15;
        const bool exact = (bits & ((std::uint64_t{1} << 42U) - 1)) == 0;
        return exact ? std::optional(lowBytes((bits >> 63U) << 15U | exponent << 10U | mantissa, 2))
                     : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::vector<std::byte>> realBytes(const JsonValue& value, const ElementType& type,
                                                std::size_t bytes) {
    if (const auto bits = bitsOf(value)) {
        return lowBytes(*bits, bytes);
    }
    const auto real = realOf(value);
    if (!real) {
        return std::nullopt;
    }
    if (bytes == 8) {
        return bytesOf(std::bit_cast<std::uint64_t>(*real));
    }
    if (bytes == 4) {
        return bytesOf(std::bit_cast<std::uint32_t>(static_cast<float>(*real)));
    }
    return smallFloat(*real, type);
}

std::optional<std::vector<std::byte>> fullBytes(const JsonValue& value, const ElementType& type) {
    if (const auto integer = value.asInteger()) {
        return lowBytes(static_cast<std::uint64_t>(*integer), type.bytes);
    }
    const auto wide = value.asUnsigned();
    return wide ? std::optional(lowBytes(*wide, type.bytes)) : std::nullopt;
}

/// One element's bytes in the stored order; numbers, "NaN", "Infinity", "0x…" bits, booleans,
/// [real, imaginary]. Empty: not a valid value.
std::optional<std::vector<std::byte>> fillBytes(const JsonValue& value, const ElementType& type) {
    std::optional<std::vector<std::byte>> bytes;
    std::size_t component = type.bytes;
    if (type.name == "bool") {
        const auto flag = value.asBool();
        const auto number = value.asInteger();
        if (flag || number) {
            bytes = lowBytes(flag.value_or(false) || number.value_or(0) != 0 ? 1 : 0, 1);
        }
    } else if (type.name.starts_with("complex")) {
        component = type.bytes / 2;
        const auto parts = value.elements();
        if (parts.size() == 2) {
            auto real = realBytes(parts[0], type, component);
            const auto imaginary = realBytes(parts[1], type, component);
            if (real && imaginary) {
                real->insert(real->end(), imaginary->begin(), imaginary->end());
                bytes = std::move(real);
            }
        } else if (realOf(value).value_or(1) == 0) {
            bytes = std::vector<std::byte>(type.bytes);
        }
    } else if (type.name.find("float") != std::string::npos) {
        bytes = realBytes(value, type, component);
    } else {
        bytes = fullBytes(value, type);
    }
    if (bytes && type.bigEndian) {
        for (std::size_t at = 0; at < bytes->size(); at += component) {
            const auto begin = bytes->begin() + static_cast<std::ptrdiff_t>(at);
            std::reverse(begin, begin + static_cast<std::ptrdiff_t>(component));
        }
    }
    return bytes;
}

} // namespace

Result<void> takeFill(const JsonValue& root, ArrayInfo& info) {
    const JsonValue* fill = root.find("fill_value");
    info.hasFill = fill != nullptr && !fill->isNull();
    info.fill.assign(info.type.bytes, std::byte{0});
    if (info.hasFill) {
        auto bytes = fillBytes(*fill, info.type);
        if (!bytes) {
            return badField("fill_value", verbatim(shortText(fill)));
        }
        info.fill = std::move(*bytes);
    }
    return {};
}

} // namespace cairn::zarr
