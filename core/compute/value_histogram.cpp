// SPDX-License-Identifier: Apache-2.0
#include "core/compute/value_histogram.h"

#include "core/compute/decode.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace cairn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::size_t kPatterns16 = std::size_t{1} << 16U;
// A float's sign, exponent and upper four mantissa bits determine its bin, except for zero and tiny
// values.
constexpr std::size_t kFloatKeys = std::size_t{1} << 13U;
constexpr unsigned kFloatShift = 32 - 13;
constexpr std::size_t kFloatZero = kFloatKeys;
// Neighbouring elements count in separate tables, because an increment must wait for a preceding
// one of the same counter.
constexpr std::size_t kTables = 2;

/// Numbered from zero outwards: 0 for tiny values, then the grid, then huge values.
std::size_t binOfMagnitude(double magnitude) {
    const auto bits = std::bit_cast<std::uint64_t>(magnitude);
    const int exponent = static_cast<int>(bits >> 52U) - 1023;
    if (exponent < ValueHistogram::kLowest) {
        return 0;
    }
    if (exponent > ValueHistogram::kHighest) {
        return ValueHistogram::kPerSign - 1;
    }
    const auto octave = static_cast<std::size_t>(exponent - ValueHistogram::kLowest);
    return 1 + octave * ValueHistogram::kPerOctave +
           static_cast<std::size_t>((bits >> 48U) & (ValueHistogram::kPerOctave - 1));
}

/// Lower edge of bin `i`, numbered outwards.
double edgeOfMagnitude(std::size_t i) {
    if (i == 0) {
        return 0;
    }
    const std::size_t octave = (i - 1) / ValueHistogram::kPerOctave;
    const std::size_t part = (i - 1) % ValueHistogram::kPerOctave;
    return std::ldexp(1.0 + static_cast<double>(part) / ValueHistogram::kPerOctave,
                      ValueHistogram::kLowest + static_cast<int>(octave));
}

enum class Keys { Bytes, Patterns16, FloatTop, Bfloat, Bins };

Keys keysOf(Dtype dtype) {
    const DtypeInfo& info = dtypeInfo(dtype);
    if (dtype == Dtype::Float32) {
        return Keys::FloatTop;
    }
    if (dtype == Dtype::Bfloat16) {
        return Keys::Bfloat;
    }
    if (info.kind == DtypeKind::Complex || info.bits > 16) {
        return Keys::Bins;
    }
    return info.bits == 8 ? Keys::Bytes : Keys::Patterns16;
}

std::size_t tableSize(Keys keys) {
    switch (keys) {
    case Keys::Bytes:
        return 256;
    case Keys::Patterns16:
        return kPatterns16;
    case Keys::FloatTop:
    case Keys::Bfloat:
        return kFloatKeys + 1;
    case Keys::Bins:
        return ValueHistogram::kBins;
    }
    return 0;
}

template <class T, class Key>
void countKeys(std::span<const std::byte> bytes, std::uint64_t* counts, std::size_t table,
               const Key& key) {
    const std::size_t count = bytes.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        ++counts[(i % kTables) * table + key(value)];
    }
}

std::size_t floatKey(std::uint32_t bits) {
    return (bits << 1U) == 0 ? kFloatZero : bits >> kFloatShift;
}

void countBins(Dtype dtype, std::span<const std::byte> bytes, std::uint64_t* counts) {
    const bool complex = dtypeInfo(dtype).kind == DtypeKind::Complex;
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    std::array<double, 1024> values; // not initialized: filled before it is read
    while (bytes.size() >= size) {
        const std::size_t count = std::min(values.size(), bytes.size() / size);
        const auto block = bytes.first(count * size);
        if (complex) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto one = block.subspan(i * size, size);
                values.at(i) =
                    std::hypot(elementAsDouble(dtype, one), elementImaginary(dtype, one));
            }
        } else {
            decodeElements(dtype, block, std::span(values).first(count));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (std::isfinite(values[i])) {
                ++counts[ValueHistogram::binOf(values[i])];
            }
        }
        bytes = bytes.subspan(count * size);
    }
}

/// A value that has this key; NaN if the key has no finite value.
double valueOfKey(Dtype dtype, Keys keys, std::size_t key) {
    switch (keys) {
    case Keys::Bytes: {
        const std::array byte{static_cast<std::byte>(key)};
        return elementAsDouble(dtype, byte);
    }
    case Keys::Patterns16: {
        const std::array bytes{static_cast<std::byte>(key & 0xFFU),
                               static_cast<std::byte>(key >> 8U)};
        return elementAsDouble(dtype, bytes);
    }
    case Keys::FloatTop:
    case Keys::Bfloat: {
        if (key == kFloatZero) {
            return 0;
        }
        const auto bits = static_cast<std::uint32_t>(key << kFloatShift);
        const bool subnormal =
            (bits << 1U) == 0; // for these 1/16 of the exponent's range is still tiny
        return std::bit_cast<float>(subnormal ? bits | 1U : bits);
    }
    case Keys::Bins:
        break;
    }
    return 0;
}

} // namespace

std::uint64_t ValueHistogram::total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) {
        sum += count;
    }
    return sum;
}

void ValueHistogram::add(const ValueHistogram& other) {
    if (other.empty()) {
        return;
    }
    counts.resize(kBins);
    for (std::size_t i = 0; i < kBins; ++i) {
        counts[i] += other.counts[i];
    }
}

std::size_t ValueHistogram::binOf(double value) {
    if (value == 0) {
        return kZero;
    }
    const std::size_t outwards = binOfMagnitude(std::abs(value));
    return value < 0 ? kZero - 1 - outwards : kZero + 1 + outwards;
}

double ValueHistogram::lowerEdge(std::size_t bin) {
    if (bin == kZero) {
        return 0;
    }
    return bin < kZero ? -upperEdge(2 * kZero - bin) : edgeOfMagnitude(bin - kZero - 1);
}

double ValueHistogram::upperEdge(std::size_t bin) {
    if (bin == kZero) {
        return 0;
    }
    if (bin < kZero) {
        return -lowerEdge(2 * kZero - bin);
    }
    return bin == kBins - 1 ? kInf : edgeOfMagnitude(bin - kZero);
}

std::vector<double> ValueHistogram::linear(Range shown, Range values, std::size_t bins) const {
    const double width = (shown.high - shown.low) / static_cast<double>(bins);
    if (!(width > 0) || !std::isfinite(width)) {
        return {};
    }
    std::vector<double> out(empty() ? 0 : bins);
    const auto position = [&](double value) { return (value - shown.low) / width; };
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const auto count = static_cast<double>(counts[bin]);
        const double from = std::max(lowerEdge(bin), values.low);
        const double to = std::min(upperEdge(bin), values.high);
        if (count == 0 || to < shown.low || from > shown.high) {
            continue;
        }
        const double span = position(to) - position(from);
        if (!(span >
              0)) { // a single value: for integer dtypes, and for the smallest and largest values
            out[std::min(static_cast<std::size_t>(position(from)), bins - 1)] += count;
            continue;
        }
        const double first = std::max(0.0, position(from));
        const double last = std::min(static_cast<double>(bins), position(to));
        for (auto i = static_cast<std::size_t>(first); i < bins; ++i) {
            const double begin = std::max(first, static_cast<double>(i));
            const double end = std::min(last, static_cast<double>(i) + 1);
            if (begin >= last) {
                break;
            }
            out[i] += count * ((end - begin) / span);
        }
    }
    return out;
}

HistogramCounter::HistogramCounter(Dtype dtype)
    : m_dtype(dtype), m_counts(tableSize(keysOf(dtype)) * kTables) {}

void HistogramCounter::add(std::span<const std::byte> bytes) {
    const Keys keys = keysOf(m_dtype);
    const std::size_t table = tableSize(keys);
    switch (keys) {
    case Keys::Bytes:
        return countKeys<std::uint8_t>(bytes, m_counts.data(), table,
                                       [](std::uint8_t key) { return std::size_t{key}; });
    case Keys::Patterns16:
        return countKeys<std::uint16_t>(bytes, m_counts.data(), table,
                                        [](std::uint16_t key) { return std::size_t{key}; });
    case Keys::FloatTop:
        return countKeys<std::uint32_t>(bytes, m_counts.data(), table, floatKey);
    case Keys::Bfloat:
        return countKeys<std::uint16_t>(bytes, m_counts.data(), table, [](std::uint16_t key) {
            return floatKey(static_cast<std::uint32_t>(key) << 16U);
        });
    case Keys::Bins:
        return countBins(m_dtype, bytes, m_counts.data());
    }
}

ValueHistogram HistogramCounter::finish() const {
    const Keys keys = keysOf(m_dtype);
    const std::size_t table = tableSize(keys);
    ValueHistogram result;
    result.counts.resize(ValueHistogram::kBins);
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] == 0) {
            continue;
        }
        const std::size_t key = i % table;
        if (keys == Keys::Bins) {
            result.counts[key] += m_counts[i];
        } else if (const double value = valueOfKey(m_dtype, keys, key); std::isfinite(value)) {
            result.counts[ValueHistogram::binOf(value)] += m_counts[i];
        }
    }
    return result;
}

} // namespace cairn
