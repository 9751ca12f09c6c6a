// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/element_comparison.h"
#include "core/model/dtype.h"
#include "core/model/element.h"

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

/// Elements for the tests of the kernels, and plain loops whose results the kernels must reproduce.
namespace cairn::testing_elements {

/// Every dtype that the kernels measure.
inline std::vector<Dtype> measuredDtypes() {
    std::vector<Dtype> dtypes;
    for (const DtypeInfo& info : allDtypes()) {
        if (canMeasure(info.dtype)) {
            dtypes.push_back(info.dtype);
        }
    }
    return dtypes;
}

/// Random bit patterns, including subnormals, both zeros, NaN payloads and infinities. `tame`
/// clears one bit of the exponent, so that most groups contain no special values.
inline std::vector<std::byte> randomElements(Dtype dtype, std::size_t count, std::uint32_t seed,
                                             bool tame) {
    std::mt19937 random(seed);
    const DtypeInfo& info = dtypeInfo(dtype);
    std::vector<std::byte> bytes(count * info.bits / 8);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random() & 0xFFU);
    }
    const bool floats = info.kind == DtypeKind::Float || info.kind == DtypeKind::Complex;
    const std::size_t width = info.componentBits / 8;
    if (tame && floats && dtype != Dtype::Float8E8m0fnu) {
        for (std::size_t i = width - 1; i < bytes.size(); i += width) {
            bytes[i] &= std::byte{0xBF}; // the exponent's highest bit: magnitudes below 2
        }
    }
    return bytes;
}

/// The same with magnitudes around one, like weights, and some zeros; only 16-bit floats are
/// changed.
inline std::vector<std::byte> randomWeights(Dtype dtype, std::vector<std::byte> bytes) {
    if (dtype != Dtype::Bfloat16 && dtype != Dtype::Float16) {
        return bytes;
    }
    const unsigned exponent = dtype == Dtype::Bfloat16 ? 0x3800U : 0x2000U;
    const unsigned kept = dtype == Dtype::Bfloat16 ? 0x87FFU : 0x9FFFU;
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
        const unsigned bits =
            std::to_integer<unsigned>(bytes[at]) | std::to_integer<unsigned>(bytes[at + 1]) << 8U;
        const unsigned weight = bits % 31 == 0 ? bits & 0x8000U : (bits & kept) | exponent;
        bytes[at] = static_cast<std::byte>(weight & 0xFFU);
        bytes[at + 1] = static_cast<std::byte>(weight >> 8U);
    }
    return bytes;
}

/// The promised results of the kernels for a block, written as loops over single elements.
inline double element(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t i) {
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    const auto one = std::span(bytes).subspan(i * size, size);
    return dtypeInfo(dtype).kind == DtypeKind::Complex
               ? std::hypot(elementAsDouble(dtype, one), elementImaginary(dtype, one))
               : elementAsDouble(dtype, one);
}

inline double tree(const std::vector<double>& lanes) {
    const auto pair = [&](std::size_t j, std::size_t half) { return lanes[j] + lanes[j + half]; };
    std::vector<double> eight;
    for (std::size_t j = 0; j < 8; ++j) {
        eight.push_back(pair(j, 8));
    }
    const double a = (eight[0] + eight[4]) + (eight[2] + eight[6]);
    const double b = (eight[1] + eight[5]) + (eight[3] + eight[7]);
    return a + b;
}

inline bool isTreeFloat(Dtype dtype) {
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16;
}

/// Whether the elements may be added by trees of floats: lanes.h.
inline bool isTame(Dtype dtype, double x) {
    const double magnitude = std::abs(x);
    return dtype == Dtype::Float16 ? std::isfinite(x)
                                   : magnitude == 0 || (magnitude >= 0x1p-64 && magnitude < 0x1p60);
}

/// The float sum of one lane of a run. `term(i)` belongs to the run's i-th element.
template <class Term> float runTree(Dtype dtype, std::size_t lane, const Term& term) {
    std::vector<float> rows;
    for (std::size_t row = 0; row < 4; ++row) {
        const std::size_t first = 32 * row + (dtype == Dtype::Bfloat16 ? 2 * lane : lane);
        const float a = term(first);
        const float b = term(first + (dtype == Dtype::Bfloat16 ? 1 : 16));
        rows.push_back(a + b);
    }
    const float front = rows[0] + rows[1];
    const float back = rows[2] + rows[3];
    return front + back;
}

template <class T> std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Runs `work` once for each target that this processor and this build support.
template <class Work> void onEveryTarget(const Work& work) {
    hwy::SetSupportedTargetsForTest(0);
    std::int64_t left = hwy::SupportedTargets();
    while (left != 0) {
        const std::int64_t target = left & -left;
        left &= left - 1;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        work(target);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

} // namespace cairn::testing_elements
