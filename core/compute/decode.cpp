// SPDX-License-Identifier: Apache-2.0
#include "core/compute/decode.h"

#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "the kernels read elements in place");

template <class T> void convert(const std::byte* bytes, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        T value;
        std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
        out[i] = static_cast<double>(value);
    }
}

void convertBfloat(const std::byte* bytes, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes + i * 2, 2);
        out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U);
    }
}

using Table = std::array<double, 256>;

Table makeTable(Dtype dtype) {
    Table table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::array byte{static_cast<std::byte>(i)};
        table[i] = elementAsDouble(dtype, byte);
    }
    return table;
}

void lookUp(const Table& table, const std::byte* bytes, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = table[std::to_integer<std::size_t>(bytes[i])];
    }
}

/// Null for dtypes other than 8-bit floats.
const Table* tableOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::Float8E4m3fn: {
        static const Table table = makeTable(Dtype::Float8E4m3fn);
        return &table;
    }
    case Dtype::Float8E5m2: {
        static const Table table = makeTable(Dtype::Float8E5m2);
        return &table;
    }
    case Dtype::Float8E4m3fnuz: {
        static const Table table = makeTable(Dtype::Float8E4m3fnuz);
        return &table;
    }
    case Dtype::Float8E5m2fnuz: {
        static const Table table = makeTable(Dtype::Float8E5m2fnuz);
        return &table;
    }
    case Dtype::Float8E8m0fnu: {
        static const Table table = makeTable(Dtype::Float8E8m0fnu);
        return &table;
    }
    case Dtype::Bool: {
        static const Table table = makeTable(Dtype::Bool);
        return &table;
    }
    default:
        return nullptr;
    }
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Rounds the double's 53-bit mantissa as an integer: removes `drop` low bits, to nearest with ties
/// to even; more bits below the format's smallest normal number.
double roundDigits(const FloatForm& form, double value) {
    constexpr std::uint64_t kOne = std::uint64_t{1} << 52U;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>((bits >> 52U) & 0x7FFU) - 1023;
    const int drop = 53 - form.digits + std::max(0, form.lowest - exponent);
    if (drop > 53) {
        return std::copysign(0.0, value);
    }
    const std::uint64_t digits = (bits & (kOne - 1)) | kOne;
    const auto low = static_cast<unsigned>(drop);
    const std::uint64_t half = (std::uint64_t{1} << (low - 1)) - 1 + ((digits >> low) & 1U);
    const auto kept = static_cast<double>((digits + half) >> low);
    const auto scale = static_cast<std::uint64_t>(exponent - 52 + drop + 1023) << 52U;
    return std::copysign(kept * std::bit_cast<double>(scale), value);
}

} // namespace

void decodeElements(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out) {
    if (const Table* table = tableOf(dtype)) {
        return lookUp(*table, bytes.data(), out);
    }
    switch (dtype) {
    case Dtype::Float64:
        return convert<double>(bytes.data(), out);
    case Dtype::Float32:
        return convert<float>(bytes.data(), out);
    case Dtype::Bfloat16:
        return convertBfloat(bytes.data(), out);
    case Dtype::Uint8:
    case Dtype::Quint8:
        return convert<std::uint8_t>(bytes.data(), out);
    case Dtype::Int8:
    case Dtype::Qint8:
        return convert<std::int8_t>(bytes.data(), out);
    case Dtype::Uint16:
        return convert<std::uint16_t>(bytes.data(), out);
    case Dtype::Int16:
        return convert<std::int16_t>(bytes.data(), out);
    case Dtype::Uint32:
        return convert<std::uint32_t>(bytes.data(), out);
    case Dtype::Int32:
    case Dtype::Qint32:
        return convert<std::int32_t>(bytes.data(), out);
    case Dtype::Uint64:
        return convert<std::uint64_t>(bytes.data(), out);
    case Dtype::Int64:
        return convert<std::int64_t>(bytes.data(), out);
    default:
        return elementsAsDoubles(dtype, bytes, out);
    }
}

std::optional<FloatForm> floatForm(Dtype dtype) {
    switch (dtype) {
    case Dtype::Float64:
        return FloatForm{53, -1022, std::numeric_limits<double>::max()};
    case Dtype::Float32:
        return FloatForm{24, -126, std::numeric_limits<float>::max()};
    case Dtype::Bfloat16:
        return FloatForm{8, -126, 0x1.FEp127};
    case Dtype::Float16:
        return FloatForm{11, -14, 65504};
    case Dtype::Float8E4m3fn:
        return FloatForm{4, -6, 448, 448};
    case Dtype::Float8E5m2:
        return FloatForm{3, -14, 57344};
    case Dtype::Float8E4m3fnuz:
        return FloatForm{4, -7, 240, kNan};
    case Dtype::Float8E5m2fnuz:
        return FloatForm{3, -15, 57344, kNan};
    default:
        return std::nullopt;
    }
}

bool canRoundTo(Dtype dtype) {
    return floatForm(dtype).has_value();
}

double roundTo(Dtype dtype, double value) {
    const auto form = floatForm(dtype);
    if (!form || std::isnan(value) || value == 0 || dtype == Dtype::Float64) {
        return value;
    }
    if (dtype == Dtype::Float32 && std::abs(value) <= form->largest) {
        return static_cast<float>(value);
    }
    const double rounded = std::isinf(value) ? value : roundDigits(*form, value);
    return std::abs(rounded) <= form->largest ? rounded : std::copysign(form->beyond, value);
}

} // namespace cairn
