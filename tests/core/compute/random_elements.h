// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/element_comparison.h"
#include "core/model/dtype.h"
#include "core/model/element.h"

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Elements for the kernels' tests, and the plain loops that the kernels are held to.
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

/// Random bit patterns: subnormals, both zeros, NaN payloads and infinities come as they come.
/// `tame` clears one bit of the exponent, so that most groups hold nothing special.
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

/// What the kernels promise for a block, written as loops over single elements.
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

/// Runs `work` once for each target that this processor and this build have.
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
