// SPDX-License-Identifier: Apache-2.0
#include "core/compute/cast.h"

#include "core/compute/cast_lanes.h"
#include "core/model/cast_pair.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

/// Every cast goes through float32, in blocks that stay in the first-level cache: eight source and
/// four target dtypes then need twelve loops instead of thirty-two. Where source or target is
/// float32 itself, one loop suffices.
namespace cairn {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr std::uint32_t kNanOfWide = 0xFFFF; ///< bfloat16 NaN from a float32 NaN, as in torch
constexpr std::uint32_t kNanOfNarrow = 0x7FC0;

std::size_t sizeOf(Dtype dtype) {
    return dtypeInfo(dtype).bits / 8;
}

/// The float32 of each byte of an 8-bit float; NaN as in torch.
using Table = std::array<float, 256>;

Table makeTable(Dtype dtype) {
    Table table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::array byte{static_cast<std::byte>(i)};
        const double value = elementAsDouble(dtype, byte);
        table[i] = static_cast<float>(value);
        if (!std::isnan(value)) {
            continue;
        }
        std::uint32_t bits = 0x7F800001; // for formats with a single NaN
        if (dtype == Dtype::Float8E4m3fn) {
            bits = 0x7FF00000;
        } else if (dtype == Dtype::Float8E5m2) { // e5m2 is the upper half of a float16
            bits = 0x7FC00000U | static_cast<std::uint32_t>((i & 3U) << 21U);
        }
        const bool negative =
            (i & 0x80U) != 0 && (dtype == Dtype::Float8E4m3fn || dtype == Dtype::Float8E5m2);
        table[i] = std::bit_cast<float>(bits | (negative ? 0x80000000U : 0U));
    }
    return table;
}

const Table& tableOf(Dtype dtype) {
    static const std::map<Dtype, Table> tables = [] {
        std::map<Dtype, Table> all;
        for (const DtypeInfo& info : allDtypes()) {
            if (info.kind == DtypeKind::Float && info.bits == 8) {
                all.emplace(info.dtype, makeTable(info.dtype));
            }
        }
        return all;
    }();
    return tables.at(dtype);
}

std::byte* bytesOf(float* values) {
    return reinterpret_cast<std::byte*>(values);
}
const std::byte* bytesOf(const float* values) {
    return reinterpret_cast<const std::byte*>(values);
}

void widen(Dtype from, const std::byte* in, float* out, std::size_t count) {
    switch (from) {
    case Dtype::Float32:
        std::memcpy(out, in, count * 4);
        return;
    case Dtype::Bfloat16:
        return lanes::floatFromBfloat(in, bytesOf(out), count);
    case Dtype::Float16:
        return lanes::floatFromHalf(in, bytesOf(out), count);
    case Dtype::Float64:
        for (std::size_t i = 0; i < count; ++i) {
            double value = 0;
            std::memcpy(&value, in + i * 8, 8);
            out[i] = static_cast<float>(value);
        }
        return;
    default:
        break;
    }
    const Table& table = tableOf(from);
    for (std::size_t i = 0; i < count; ++i) { // copies preserve the bits of NaN
        std::memcpy(out + i, &table[std::to_integer<std::size_t>(in[i])], 4);
    }
}

lanes::EightBitForm formOf(Dtype dtype, const EightBitFloat& info) {
    const auto exponent = [](int power) { return static_cast<std::uint32_t>(127 + power) << 23U; };
    lanes::EightBitForm form;
    form.drop = 23 - static_cast<int>(info.digits);
    form.rebias = static_cast<std::uint32_t>(127 - info.bias) << 23U;
    form.normal = exponent(1 - info.bias);
    form.magic = std::bit_cast<float>(exponent(1 - info.bias + form.drop));
    form.hasSign = dtype == Dtype::Float8E4m3fn || dtype == Dtype::Float8E5m2;
    form.nan = form.hasSign ? 0x7F : 0x80;
    form.most = dtype == Dtype::Float8E4m3fn ? 0x7E : dtype == Dtype::Float8E5m2 ? 0x7C : 0x80;
    form.bound = exponent(std::ilogb(info.largest) + 1);
    return form;
}

void narrow(const float* in, Dtype to, std::byte* out, std::size_t count, std::uint32_t nan) {
    switch (to) {
    case Dtype::Bfloat16:
        return lanes::bfloatFromFloat(bytesOf(in), out, count, nan);
    case Dtype::Float16:
        return lanes::halfFromFloat(bytesOf(in), out, count);
    case Dtype::Float64:
        for (std::size_t i = 0; i < count; ++i) {
            const double value = in[i];
            std::memcpy(out + i * 8, &value, 8);
        }
        return;
    default:
        break;
    }
    if (const EightBitFloat* eight = eightBitFloat(to)) {
        return lanes::eightFromFloat(bytesOf(in), out, count, formOf(to, *eight));
    }
    std::memcpy(out, in, count * 4);
}

float normalOf(Dtype dtype) {
    if (const EightBitFloat* eight = eightBitFloat(dtype)) {
        return eight->normal;
    }
    return dtype == Dtype::Float16 ? 0x1p-14F : std::numeric_limits<float>::min();
}

unsigned digitsOf(Dtype dtype) {
    if (const EightBitFloat* eight = eightBitFloat(dtype)) {
        return eight->digits;
    }
    return dtype == Dtype::Float32 ? 23 : dtype == Dtype::Float16 ? 10 : 7;
}

/// For formats without infinities: larger magnitudes count as overflow.
float limitOf(Dtype dtype) {
    const EightBitFloat* eight = eightBitFloat(dtype);
    return eight != nullptr && dtype != Dtype::Float8E5m2 ? eight->limit
                                                          : std::numeric_limits<float>::infinity();
}

/// From float64: the differences are computed in double precision.
void tallyDoubles(const std::byte* in, const float* result, std::size_t count, Dtype to,
                  CastTally& tally) {
    const double normal = normalOf(to);
    const int digits = static_cast<int>(digitsOf(to));
    const double limit = limitOf(to);
    for (std::size_t i = 0; i < count; ++i) {
        double x = 0;
        std::memcpy(&x, in + i * 8, 8);
        const double y = result[i];
        if (std::abs(static_cast<float>(x)) >
            limit) { // after rounding to float32, which is the first step of the cast
            ++tally.overflowed;
            continue;
        }
        if (!std::isfinite(x)) {
            continue;
        }
        if (!std::isfinite(y)) {
            ++tally.overflowed;
            continue;
        }
        const double distance = std::abs(x - y);
        const double power = std::max(normal, y == 0 ? 0 : std::ldexp(1.0, std::ilogb(y)));
        tally.maxAbs = std::max(tally.maxAbs, distance);
        tally.maxUlp = std::max(tally.maxUlp, std::ldexp(distance / power, digits));
        tally.becameZero += x != 0 && y == 0 ? 1 : 0;
        const bool wasNormal = std::abs(x) >= std::numeric_limits<double>::min();
        tally.becameSubnormal += y != 0 && std::abs(y) < normal && wasNormal ? 1 : 0;
    }
}

void castBlocks(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    const std::size_t fromSize = sizeOf(from);
    const std::size_t toSize = sizeOf(to);
    const std::size_t count = in.size() / fromSize;
    const bool wide = from == Dtype::Float32 || from == Dtype::Float64;
    const std::uint32_t nan = wide ? kNanOfWide : kNanOfNarrow;
    std::array<float, kBlock> values;
    for (std::size_t i = 0; i < count; i += kBlock) {
        const std::size_t size = std::min(kBlock, count - i);
        widen(from, in.data() + i * fromSize, values.data(), size);
        narrow(values.data(), to, out.data() + i * toSize, size, nan);
    }
}

/// Casts that need one loop and no block. False: not one of these.
bool castDirectly(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    const std::size_t count = in.size() / sizeOf(from);
    if (from == Dtype::Float32 && to == Dtype::Bfloat16) {
        lanes::bfloatFromFloat(in.data(), out.data(), count, kNanOfWide);
    } else if (from == Dtype::Float32 && to == Dtype::Float16) {
        lanes::halfFromFloat(in.data(), out.data(), count);
    } else if (from == Dtype::Bfloat16 && to == Dtype::Float32) {
        lanes::floatFromBfloat(in.data(), out.data(), count);
    } else if (from == Dtype::Float16 && to == Dtype::Float32) {
        lanes::floatFromHalf(in.data(), out.data(), count);
    } else {
        return false;
    }
    return true;
}

} // namespace

void CastTally::merge(const CastTally& other) {
    elements += other.elements;
    maxAbs = std::max(maxAbs, other.maxAbs);
    maxUlp = std::max(maxUlp, other.maxUlp);
    overflowed += other.overflowed;
    becameZero += other.becameZero;
    becameSubnormal += other.becameSubnormal;
}

void castElements(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    if (!castDirectly(from, in, to, out)) {
        castBlocks(from, in, to, out);
    }
}

void tallyCast(Dtype from, std::span<const std::byte> in, Dtype to, std::span<const std::byte> out,
               CastTally& tally) {
    const std::size_t fromSize = sizeOf(from);
    const std::size_t toSize = sizeOf(to);
    const std::size_t count = in.size() / fromSize;
    tally.elements += count;
    if (castIsExact(from, to)) {
        return;
    }
    const lanes::CastForm form{normalOf(from), normalOf(to),
                               std::ldexp(1.0F, static_cast<int>(digitsOf(to))), limitOf(to)};
    std::array<float, kBlock> values;
    std::array<float, kBlock> results;
    for (std::size_t i = 0; i < count; i += kBlock) {
        const std::size_t size = std::min(kBlock, count - i);
        widen(to, out.data() + i * toSize, results.data(), size);
        if (from == Dtype::Float64) {
            tallyDoubles(in.data() + i * fromSize, results.data(), size, to, tally);
        } else {
            widen(from, in.data() + i * fromSize, values.data(), size);
            lanes::tallyFloats(values.data(), results.data(), size, form, tally);
        }
    }
}

void widenElements(Dtype from, std::span<const std::byte> in, std::span<float> out) {
    widen(from, in.data(), out.data(), out.size());
}

} // namespace cairn
