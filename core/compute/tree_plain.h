// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compute/tree_forms.h"

#include <array>
#include <cmath>
#include <cstring>

/// The tree kernels without vector instructions. Internal to core/compute.
namespace cairn::lanes {

using PlainRow = std::array<float, kLanes>;

inline PlainRow operator+(const PlainRow& a, const PlainRow& b) {
    PlainRow sum{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sum[lane] = a[lane] + b[lane];
    }
    return sum;
}

inline std::uint16_t patternAt(const std::byte* bytes, std::size_t i) {
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[2 * i]) |
                                      std::to_integer<unsigned>(bytes[2 * i + 1]) << 8U);
}

/// Adds `term(first, second)` of each pair of a run as a tree to the lanes. The arguments are
/// positions of elements in the run.
template <class Form, class Term> void addPlainRun(Form, Lanes& lanes, const Term& term) {
    const auto row = [&](std::size_t j) {
        PlainRow terms{};
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const std::size_t first = j * 2 * kLanes + lane * Form::kNext;
            terms[lane] = term(first, first + Form::kSecond);
        }
        return terms;
    };
    const PlainRow tree = (row(0) + row(1)) + (row(2) + row(3));
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] += tree[lane];
    }
}

/// Decodes the elements of a run.
template <class Form> struct PlainValues {
    const std::byte* bytes;
    float operator[](std::size_t i) const { return Form::value(patternAt(bytes, i)); }
};

template <class Form>
Patterns plainSums(Form form, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    Patterns patterns;
    for (std::size_t i = 0; i < runs * kRun; ++i) {
        patterns.add(patternAt(bytes, i));
    }
    for (std::size_t run = 0; run < runs; ++run) {
        const PlainValues<Form> x{bytes + run * kRunBytes};
        addPlainRun(form, lanes.sum, [&](auto a, auto b) { return x[a] + x[b]; });
        addPlainRun(form, lanes.squares, [&](auto a, auto b) { return x[a] * x[a] + x[b] * x[b]; });
        addPlainRun(form, lanes.abs,
                    [&](auto a, auto b) { return std::abs(x[a]) + std::abs(x[b]); });
    }
    return patterns;
}

template <class Form>
void plainDistances(Form form, const std::byte* bytes, std::size_t runs, StatisticsLanes& lanes) {
    const auto pivot = static_cast<float>(lanes.pivot);
    for (std::size_t run = 0; run < runs; ++run) {
        const PlainValues<Form> x{bytes + run * kRunBytes};
        addPlainRun(form, lanes.sum,
                    [&](auto a, auto b) { return (x[a] - pivot) + (x[b] - pivot); });
        addPlainRun(form, lanes.squares, [&](auto a, auto b) {
            return (x[a] - pivot) * (x[a] - pivot) + (x[b] - pivot) * (x[b] - pivot);
        });
    }
}

inline Zeros plainZeros(const std::byte* bytes, std::size_t runs) {
    Zeros zeros;
    for (std::size_t i = 0; i < runs * kRun; ++i) {
        const unsigned magnitude = patternAt(bytes, i) & Patterns::kMagnitude;
        zeros.count += magnitude == 0 ? 1U : 0U;
        zeros.smallest = magnitude == 0 ? zeros.smallest : std::min(zeros.smallest, magnitude);
    }
    return zeros;
}

template <class Form>
bool plainSquaresIfEqual(Form form, const std::byte* left, const std::byte* right, std::size_t runs,
                         Lanes& squares, Patterns& patterns) {
    if (std::memcmp(left, right, runs * kRunBytes) != 0) {
        return false;
    }
    StatisticsLanes sums;
    sums.squares = squares;
    patterns = plainSums(form, left, runs, sums);
    squares = sums.squares;
    return true;
}

} // namespace cairn::lanes
