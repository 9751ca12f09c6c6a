// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/plain_cast.h"

#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

/// A single element is converted by castBits(). For many elements, sources of 8 or 16 bits use a
/// table of all their patterns. For targets of 8 bits, the table is indexed by the upper half of
/// the float32 and by whether the lower half is zero: 8-bit floats, and the midpoints between them,
/// have at most four significant bits, so the rest does not matter.
namespace cairn {
namespace {

constexpr std::uint32_t kComputedNan = 0xFFFF; ///< bfloat16 NaN as the result of arithmetic
constexpr std::uint32_t kStoredNan = 0x7FC0;

std::uint64_t unsignedBits(std::span<const std::byte> bytes) {
    std::uint64_t bits = 0; // little-endian, like the processor
    std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof(bits)));
    return bits;
}

bool isWide(Dtype dtype) {
    return dtype == Dtype::Float32 || dtype == Dtype::Float64;
}

std::uint32_t nanBits(Dtype from, std::uint64_t bits) {
    const auto payload = static_cast<std::uint32_t>(bits);
    switch (from) {
    case Dtype::Float16:
        return (payload & 0x8000U) << 16U | 0x7FC00000U | (payload & 0x3FFU) << 13U;
    case Dtype::Float8E5m2:
        return (payload & 0x80U) << 24U | 0x7FC00000U | (payload & 3U) << 21U;
    case Dtype::Float8E4m3fn:
        return (payload & 0x80U) << 24U | 0x7FF00000U;
    default:
        return 0x7F800001U;
    }
}

/// The element as float32.
float asFloat(Dtype from, std::span<const std::byte> bytes) {
    const std::uint64_t bits = unsignedBits(bytes);
    switch (from) {
    case Dtype::Float32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Dtype::Float64:
        return static_cast<float>(std::bit_cast<double>(bits));
    case Dtype::Bfloat16:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16U));
    default:
        break;
    }
    const double value = elementAsDouble(from, bytes);
    return std::isnan(value) ? std::bit_cast<float>(nanBits(from, bits))
                             : static_cast<float>(value);
}

/// Drops the lowest `count` bits (1 to 31), rounding to nearest, ties to even.
std::uint32_t dropBits(std::uint32_t value, unsigned count) {
    const std::uint32_t kept = value >> count;
    const std::uint32_t rest = value & ((1U << count) - 1);
    return kept + (rest + (kept & 1U) > 1U << (count - 1) ? 1 : 0);
}

std::uint32_t bfloatBits(float value, std::uint32_t nan) {
    return std::isnan(value) ? nan : dropBits(std::bit_cast<std::uint32_t>(value), 16);
}

/// How a half represents a float32 with this sign and exponent: `base` plus its 24-bit significand
/// without the lowest `drop` bits; a carry may reach the exponent, and infinity.
struct HalfPlace {
    std::uint16_t base = 0;
    std::uint8_t drop = 31; ///< drops all bits without a carry
};

constexpr std::array<HalfPlace, 512> kHalfPlaces = [] {
    std::array<HalfPlace, 512> places{};
    for (unsigned i = 0; i < places.size(); ++i) {
        const unsigned sign = i >> 8U << 15U;
        const int exponent = static_cast<int>(i & 0xFFU) - 127;
        HalfPlace& place = places[i];
        place.base = static_cast<std::uint16_t>(sign);
        if (exponent > 15) {
            place.base |= 0x7C00U;
        } else if (exponent >= -14) { // the implicit leading bit adds one
            place.base |= static_cast<std::uint16_t>((exponent + 14) << 10);
            place.drop = 13;
        } else if (exponent >= -32) {
            place.drop = static_cast<std::uint8_t>(-1 - exponent);
        }
    }
    return places;
}();

std::uint32_t halfBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t digits = bits & 0x7FFFFFU;
    const HalfPlace place = kHalfPlaces[bits >> 23U];
    return std::isnan(value) ? bits >> 31U << 15U | 0x7E00U | digits >> 13U
                             : place.base + dropBits(digits | 0x800000U, place.drop);
}

/// Searches for the nearest number among all numbers of the dtype.
std::uint64_t eightBits(float value, Dtype to) {
    const bool bare = to == Dtype::Float8E4m3fnuz || to == Dtype::Float8E5m2fnuz;
    const std::uint64_t sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value)) {
        return bare ? 0x80 : sign | 0x7F;
    }
    const auto numberOf = [&](unsigned code) {
        return elementAsDouble(to, std::array{static_cast<std::byte>(code)});
    };
    unsigned last = 0x7F; // code of the largest number
    while (!std::isfinite(numberOf(last))) {
        --last;
    }
    const double magnitude = std::abs(static_cast<double>(value));
    unsigned low = 0; // codes are in the order of the numbers
    for (unsigned step = 64; step > 0; step /= 2) {
        low += low + step <= last && numberOf(low + step) <= magnitude ? step : 0;
    }
    const double number = numberOf(low);
    const double next = low < last ? numberOf(low + 1) : 2 * number - numberOf(low - 1);
    const double middle = (number + next) / 2;
    const bool up = magnitude > middle || (magnitude == middle && low % 2 == 1);
    const unsigned code = low + (up ? 1 : 0);
    if (code > last) {
        return bare ? 0x80 : to == Dtype::Float8E4m3fn ? sign | last : sign | 0x7C;
    }
    return bare && code == 0 ? 0 : sign | code;
}

std::uint64_t bitsOf(float value, Dtype to, std::uint32_t bfloatNan) {
    switch (to) {
    case Dtype::Bfloat16:
        return bfloatBits(value, bfloatNan);
    case Dtype::Float16:
        return halfBits(value);
    case Dtype::Float64:
        return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    case Dtype::Float32:
        return std::bit_cast<std::uint32_t>(value);
    default:
        return eightBits(value, to);
    }
}

using Table = std::vector<std::byte>; ///< entries have the target's size, little-endian

/// A table with `bitsAt` of all positions.
template <class BitsAt> Table tableOf(std::size_t places, std::size_t width, BitsAt bitsAt) {
    Table table(places * width);
    for (std::size_t i = 0; i < places; ++i) {
        const std::uint64_t bits = bitsAt(i);
        std::memcpy(table.data() + i * width, &bits, width);
    }
    return table;
}

/// Indexed by all patterns of `from`, or for Float32 as described at the top.
Table makeTable(Dtype from, Dtype to) {
    const std::size_t wide = dtypeInfo(from).bits / 8;
    const std::size_t narrow = dtypeInfo(to).bits / 8;
    if (wide > 2) {
        return tableOf(std::size_t{1} << 17U, narrow, [&](std::size_t place) {
            const auto bits = static_cast<std::uint32_t>(place >> 1U << 16U | (place & 1U));
            return eightBits(std::bit_cast<float>(bits), to);
        });
    }
    return tableOf(std::size_t{1} << (8 * wide), narrow, [&](std::size_t pattern) {
        return castBits(from, std::as_bytes(std::span(&pattern, 1)).first(wide), to);
    });
}

const Table& tableFor(Dtype from, Dtype to) {
    static std::mutex mutex;
    static std::map<std::pair<Dtype, Dtype>, Table> made; // entries have stable addresses
    const std::scoped_lock lock(mutex);
    Table& table = made[{from, to}];
    if (table.empty()) {
        table = makeTable(from, to);
    }
    return table;
}

template <class Element> Element elementAt(std::span<const std::byte> bytes, std::size_t i) {
    Element element;
    std::memcpy(&element, bytes.data() + i * sizeof(Element), sizeof(Element));
    return element;
}

/// Applies `make` to each element; both types are unsigned integers or floats of the dtype's size.
template <class From, class To, class Make>
void eachElement(std::span<const std::byte> in, std::span<std::byte> out, Make make) {
    const std::size_t count = in.size() / sizeof(From);
    for (std::size_t i = 0; i < count; ++i) {
        const To made = make(elementAt<From>(in, i));
        std::memcpy(out.data() + i * sizeof(To), &made, sizeof(To));
    }
}

template <class From, class To>
void lookUp(const Table& table, std::span<const std::byte> in, std::span<std::byte> out) {
    eachElement<From, To>(in, out, [&](From place) { return elementAt<To>(table, place); });
}

template <class From>
void lookUpNarrow(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    const Table& table = tableFor(from, to);
    switch (dtypeInfo(to).bits / 8) {
    case 1:
        return lookUp<From, std::uint8_t>(table, in, out);
    case 2:
        return lookUp<From, std::uint16_t>(table, in, out);
    case 4:
        return lookUp<From, std::uint32_t>(table, in, out);
    default:
        return lookUp<From, std::uint64_t>(table, in, out);
    }
}

/// For float32, and float64, which is rounded to float32 first.
template <class From>
void castWide(std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    const auto rounded = [](From value) { return static_cast<float>(value); };
    switch (to) {
    case Dtype::Bfloat16:
        return eachElement<From, std::uint16_t>(in, out, [&](From value) {
            return static_cast<std::uint16_t>(bfloatBits(rounded(value), kComputedNan));
        });
    case Dtype::Float16:
        return eachElement<From, std::uint16_t>(in, out, [&](From value) {
            return static_cast<std::uint16_t>(halfBits(rounded(value)));
        });
    case Dtype::Float32:
        return eachElement<From, float>(in, out, rounded);
    case Dtype::Float64:
        return eachElement<From, double>(
            in, out, [&](From value) { return static_cast<double>(rounded(value)); });
    default:
        break;
    }
    const Table& table = tableFor(Dtype::Float32, to);
    eachElement<From, std::byte>(in, out, [&](From value) {
        const auto bits = std::bit_cast<std::uint32_t>(rounded(value));
        return table[bits >> 16U << 1U | ((bits & 0xFFFFU) != 0 ? 1U : 0U)];
    });
}

} // namespace

std::uint64_t castBits(Dtype from, std::span<const std::byte> bytes, Dtype to) {
    return bitsOf(asFloat(from, bytes), to, isWide(from) ? kComputedNan : kStoredNan);
}

void castPlainly(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    if (from == Dtype::Bfloat16 && to == Dtype::Float32) { // the upper half of a float
        return eachElement<std::uint16_t, std::uint32_t>(
            in, out, [](std::uint16_t half) { return std::uint32_t{half} << 16U; });
    }
    switch (dtypeInfo(from).bits / 8) {
    case 1:
        return lookUpNarrow<std::uint8_t>(from, in, to, out);
    case 2:
        return lookUpNarrow<std::uint16_t>(from, in, to, out);
    case 4:
        return castWide<float>(in, to, out);
    default:
        return castWide<double>(in, to, out);
    }
}

namespace {

/// As bfloatBits(), without branches.
[[gnu::always_inline]] inline void roundEach(std::span<const float> in, std::byte* out) {
    constexpr std::uint32_t kInfinity = 0x7F800000U;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(in[i]);
        const std::uint32_t odd = bits >> 16U & 1U;
        const std::uint32_t rounded = (bits + 0x7FFFU + odd) >> 16U;
        const bool isNan = (bits & 0x7FFFFFFFU) > kInfinity;
        const auto made = static_cast<std::uint16_t>(isNan ? kComputedNan : rounded);
        std::memcpy(out + i * sizeof made, &made, sizeof made);
    }
}

#if defined(__x86_64__)
/// The same, compiled for processors that narrow eight integers at a time.
__attribute__((target("avx2"))) void roundEachWide(std::span<const float> in, std::byte* out) {
    roundEach(in, out);
}
#endif

void roundToBfloat(std::span<const float> in, std::byte* out) {
#if defined(__x86_64__)
    static const bool isWide = __builtin_cpu_supports("avx2");
    if (isWide) {
        return roundEachWide(in, out);
    }
#endif
    roundEach(in, out);
}

} // namespace

void roundPlainly(std::span<const float> in, Dtype to, std::span<std::byte> out) {
    if (to == Dtype::Bfloat16) {
        return roundToBfloat(in, out.data());
    }
    castWide<float>(std::as_bytes(in), to, out);
}

} // namespace cairn
