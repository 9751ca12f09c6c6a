// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/expected_elements.h"

#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace cairn {
namespace {

constexpr std::uint64_t kMaxScaleBytes = std::uint64_t{32} << 20U;

std::uint64_t unsignedBits(std::span<const std::byte> bytes) {
    std::uint64_t bits = 0; // little-endian, like the machine
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

/// Drops `count` low bits: to nearest, ties to even.
std::uint32_t dropBits(std::uint32_t value, unsigned count) {
    if (count == 0) {
        return value;
    }
    if (count > 31) {
        return 0;
    }
    const std::uint32_t kept = value >> count;
    const std::uint32_t rest = value & ((1U << count) - 1);
    const std::uint32_t half = 1U << (count - 1);
    const bool up = rest > half || (rest == half && (kept & 1U) != 0);
    return kept + (up ? 1 : 0);
}

std::uint32_t bfloatBits(float value, std::uint32_t nan) {
    return std::isnan(value) ? nan : dropBits(std::bit_cast<std::uint32_t>(value), 16);
}

std::uint32_t halfBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 31U << 15U;
    const std::uint32_t digits = bits & 0x7FFFFFU;
    const int exponent = static_cast<int>(bits >> 23U & 0xFFU) - 127;
    if (std::isnan(value)) {
        return sign | 0x7E00U | digits >> 13U;
    }
    if (exponent > 15) {
        return sign | 0x7C00U;
    }
    if (exponent >= -14) { // a carry may reach infinity
        const std::uint32_t place = static_cast<std::uint32_t>(exponent + 14) << 10U;
        return sign | (place + dropBits(digits | 0x800000U, 13));
    }
    if (exponent == -127) {
        return sign; // far below the smallest half
    }
    return sign | dropBits(digits | 0x800000U, static_cast<unsigned>(13 - 14 - exponent));
}

/// By looking for the neighbours among all numbers that the dtype has.
std::uint64_t eightBits(float value, Dtype to) {
    const bool bare = to == Dtype::Float8E4m3fnuz || to == Dtype::Float8E5m2fnuz;
    const std::uint64_t sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value)) {
        return bare ? 0x80 : sign | 0x7F;
    }
    const auto numberOf = [&](unsigned code) {
        return elementAsDouble(to, std::array{static_cast<std::byte>(code)});
    };
    unsigned last = 0x7F; // the largest number's code
    while (!std::isfinite(numberOf(last))) {
        --last;
    }
    const double magnitude = std::abs(static_cast<double>(value));
    unsigned low = 0; // numbers rise with their codes
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

} // namespace

std::uint64_t castBits(Dtype from, std::span<const std::byte> bytes, Dtype to) {
    return bitsOf(asFloat(from, bytes), to, isWide(from) ? 0xFFFFU : 0x7FC0U);
}

Result<ExpectedElements> ExpectedElements::open(const CopyPlan& plan,
                                                const TensorSegment& segment) {
    const Checkpoint& source = *plan.source;
    const TensorEntry& tensor = source.tensor(segment.source);
    ExpectedElements made(segment);
    const auto recipe = plan.recipes.find(segment.source);
    made.m_averages = recipe != plan.recipes.end() && !recipe->second.terms.empty();
    if (made.m_averages) {
        for (const AverageTerm& term : recipe->second.terms) {
            const TensorEntry& member = term.checkpoint->tensor(term.tensor);
            CAIRN_TRY(TensorReader reader, TensorReader::open(*term.checkpoint, member));
            made.m_inputs.push_back({std::move(reader), member.dtype, term.weight, {}});
        }
    } else {
        CAIRN_TRY(TensorReader reader, TensorReader::open(source, tensor));
        made.m_inputs.push_back({std::move(reader), tensor.dtype, 1, {}});
    }
    const std::uint64_t stored = made.m_inputs.front().reader.elementBytes();
    made.m_elementBytes = segment.dtype == tensor.dtype && !made.m_averages
                              ? stored
                              : dtypeInfo(segment.dtype).bits / 8;
    if (recipe != plan.recipes.end() && recipe->second.scales) {
        CAIRN_CHECK(made.openScales(source, recipe->second));
    }
    return made;
}

Result<void> ExpectedElements::openScales(const Checkpoint& source, const ElementRecipe& recipe) {
    const TensorEntry& scales = source.tensor(*recipe.scales);
    CAIRN_TRY(const auto bytes, readWhole(source, scales, kMaxScaleBytes));
    const std::size_t size = dtypeInfo(scales.dtype).bits / 8;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        m_scales.push_back(asFloat(scales.dtype, std::span(bytes).subspan(at, size)));
    }
    const Shape& shape = source.tensor(m_segment->source).shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        m_block.push_back(recipe.block[d]);
        m_grid.push_back((shape[d] + recipe.block[d] - 1) / recipe.block[d]);
    }
    return {};
}

float ExpectedElements::scaleAt(std::uint64_t element) const {
    std::int64_t stride = 1;
    std::int64_t place = 0;
    for (std::size_t d = m_grid.size(); d-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(m_segment->box.extent[d]);
        const std::int64_t at =
            m_segment->box.origin[d] + static_cast<std::int64_t>(element % extent);
        place += at / m_block[d] * stride;
        stride *= m_grid[d];
        element /= extent;
    }
    return m_scales[static_cast<std::size_t>(place)];
}

std::uint64_t ExpectedElements::elementAt(std::size_t i, std::uint64_t element) const {
    const auto stored = [i](const Input& input) {
        const auto size = static_cast<std::size_t>(input.reader.elementBytes());
        return std::span(input.bytes).subspan(i * size, size);
    };
    const Input& input = m_inputs.front();
    if (!m_averages) {
        return m_scales.empty() ? castBits(input.dtype, stored(input), m_segment->dtype)
                                : bitsOf(asFloat(input.dtype, stored(input)) * scaleAt(element),
                                         m_segment->dtype, 0xFFFFU);
    }
    double sum = 0;
    double weights = 0;
    for (const Input& term : m_inputs) {
        sum += elementAsDouble(term.dtype, stored(term)) * term.weight;
        weights += term.weight;
    }
    sum /= weights;
    return m_segment->dtype == Dtype::Float64
               ? std::bit_cast<std::uint64_t>(sum)
               : bitsOf(static_cast<float>(sum), m_segment->dtype, 0xFFFFU);
}

Result<void> ExpectedElements::read(std::uint64_t first, std::span<std::byte> out, std::size_t skip,
                                    CastTally& tally) {
    Input& only = m_inputs.front();
    if (!m_averages && m_scales.empty() && only.dtype == m_segment->dtype) {
        return only.reader.readBytes(m_segment->box, first, out, m_scratch);
    }
    constexpr std::size_t kStep = std::size_t{1} << 16U;
    const auto count = static_cast<std::size_t>(out.size() / m_elementBytes);
    for (std::size_t done = 0; done < count; done += std::min(kStep, count - done)) {
        const std::size_t size = std::min(kStep, count - done);
        const std::uint64_t element = first / m_elementBytes + done;
        for (Input& input : m_inputs) {
            const std::uint64_t bytes = input.reader.elementBytes();
            input.bytes.resize(static_cast<std::size_t>(size * bytes));
            CAIRN_CHECK(
                input.reader.readBytes(m_segment->box, element * bytes, input.bytes, m_scratch));
        }
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint64_t bits = elementAt(i, element + i);
            std::memcpy(out.data() + (done + i) * m_elementBytes, &bits,
                        static_cast<std::size_t>(m_elementBytes)); // little-endian
        }
        if (isCast()) {
            const std::size_t from = done == 0 ? std::min(skip, size) : 0;
            const std::size_t wide = only.bytes.size() / size;
            const auto made = out.subspan(done * m_elementBytes, size * m_elementBytes);
            tallyCast(only.dtype, std::span(only.bytes).subspan(from * wide), m_segment->dtype,
                      made.subspan(from * m_elementBytes), tally);
        }
    }
    return {};
}

} // namespace cairn
