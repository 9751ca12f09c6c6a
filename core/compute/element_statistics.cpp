// SPDX-License-Identifier: Apache-2.0
#include "core/compute/element_statistics.h"

#include "core/compute/decode.h"
#include "core/compute/lanes.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace cairn {
namespace {

using lanes::kLanes;
using lanes::StatisticsLanes;

constexpr std::size_t kBuffer = 2048; // doubles: 16 KiB, half of a first-level cache
constexpr std::size_t kPivotElements = 64;
constexpr std::size_t kTreeBytes = 2 * lanes::kRun; // bytes of a run
/// Computing the squared distances from the mean out of those from zero is allowed up to this ratio
/// of the two: it costs six bits of precision.
constexpr double kSteady = 64;
/// The same limit for sums by trees of floats, which lose at most 3·2^-24: times four that is less
/// than a millionth of the deviation.
constexpr double kSteadyTrees = 4;
static_assert(kBuffer % kLanes == 0 && kBlockElements % kBuffer == 0);

bool isComplex(Dtype dtype) {
    return dtypeInfo(dtype).kind == DtypeKind::Complex;
}

/// Decodes to double; complex numbers to their modulus.
void decodeMeasured(Dtype dtype, std::span<const std::byte> bytes, std::span<double> out) {
    if (!isComplex(dtype)) {
        decodeElements(dtype, bytes, out);
        return;
    }
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto one = bytes.subspan(i * size, size);
        out[i] = std::hypot(elementAsDouble(dtype, one), elementImaginary(dtype, one));
    }
}

/// The mean of the first finite elements. The sum of squared distances from it is at most 1 +
/// kBlockElements / kPivotElements times that from the mean, which limits the loss when one is
/// computed from the other.
double pivotOf(Dtype dtype, std::span<const std::byte> bytes) {
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    const std::size_t length = std::min(bytes.size() / size, kPivotElements);
    std::array<double, kPivotElements> first; // not initialized: filled before it is read
    decodeMeasured(dtype, bytes.first(length * size), std::span(first).first(length));
    double sum = 0;
    double count = 0;
    for (const double value : std::span(first).first(length)) {
        if (std::isfinite(value)) {
            sum += value;
            count += 1;
        }
    }
    const double mean = sum / count;
    return std::isfinite(mean) ? mean : 0.0;
}

/// Elements that do not fill all lanes, or a run: one by one.
void addRest(Dtype dtype, std::span<const std::byte> bytes, StatisticsLanes& sums) {
    std::array<double, lanes::kRun> values; // not initialized: filled before it is read
    const auto rest = std::span(values).first(bytes.size() / (dtypeInfo(dtype).bits / 8));
    decodeMeasured(dtype, bytes, rest);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        sums.add(i % kLanes, rest[i]);
    }
}

StatisticsLanes sumsAround(double pivot, Dtype dtype, std::span<const std::byte> bytes) {
    const std::size_t size = dtypeInfo(dtype).bits / 8;
    const std::size_t count = bytes.size() / size;
    StatisticsLanes sums;
    sums.pivot = pivot;
    const std::size_t groups = count / kLanes;
    const std::size_t fast =
        pivot == 0 ? lanes::addFiniteGroups(dtype, bytes.data(), groups, sums) : 0;
    const std::size_t whole = groups * kLanes;
    if (!lanes::addGroups(dtype, bytes.data() + fast * kLanes * size, groups - fast, sums)) {
        std::array<double, kBuffer> buffer; // not initialized: filled before it is read
        for (std::size_t at = 0; at < whole;) {
            const auto values = std::span(buffer).first(std::min(kBuffer, whole - at));
            decodeMeasured(dtype, bytes.subspan(at * size, values.size() * size), values);
            lanes::addGroups(Dtype::Float64, std::as_bytes(values).data(), values.size() / kLanes,
                             sums);
            at += values.size();
        }
    }
    addRest(dtype, bytes.subspan(whole * size), sums);
    return sums;
}

/// Sums of a complete block by trees; empty if an element is not tame.
std::optional<StatisticsLanes> sumsByTrees(Dtype dtype, std::span<const std::byte> bytes) {
    const std::size_t runs = bytes.size() / kTreeBytes;
    StatisticsLanes sums;
    if (!lanes::addTameRuns(dtype, bytes.data(), runs, sums)) {
        return std::nullopt;
    }
    addRest(dtype, bytes.subspan(runs * kTreeBytes), sums);
    return sums;
}

/// Distances from `pivot`. REQUIRES: the elements are tame.
StatisticsLanes distancesByTrees(float pivot, Dtype dtype, std::span<const std::byte> bytes) {
    const std::size_t runs = bytes.size() / kTreeBytes;
    StatisticsLanes sums;
    sums.pivot = pivot;
    lanes::addTameDistances(dtype, bytes.data(), runs, sums);
    addRest(dtype, bytes.subspan(runs * kTreeBytes), sums);
    return sums;
}

ElementStatistics finish(const StatisticsLanes& sums, std::size_t count) {
    ElementStatistics result;
    result.count = count;
    result.nan = sums.nan;
    result.inf = sums.inf;
    result.zeros = sums.zeros;
    if (result.finite() == 0) {
        return result;
    }
    const auto n = static_cast<double>(result.finite());
    const double sum = lanes::treeSum(sums.sum);
    const double squares = lanes::treeSum(sums.squares);
    result.min = sums.low + 0.0; // turns -0 into +0, so that the order does not matter
    result.max = sums.high + 0.0;
    result.mean = sums.pivot + sum / n;
    result.l1 = lanes::treeSum(sums.abs);
    const double m2 = squares - sum * (sum / n);
    result.m2 = std::isnan(m2) ? lanes::kInf : std::max(0.0, m2);
    const double moved = squares + sums.pivot * (2 * sum + n * sums.pivot);
    result.sumSquares = std::isnan(moved) ? lanes::kInf : std::max(0.0, moved);
    return result;
}

} // namespace

bool canMeasure(Dtype dtype) {
    return hasNumericElements(dtype) || isComplex(dtype);
}

ElementStatistics blockStatistics(Dtype dtype, std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size() / (dtypeInfo(dtype).bits / 8);
    if (!lanes::isPlainFloat(dtype)) {
        return finish(sumsAround(pivotOf(dtype, bytes), dtype, bytes), count);
    }
    const auto trees = count < lanes::kLeastTreeElements ? std::nullopt : sumsByTrees(dtype, bytes);
    ElementStatistics result = finish(trees ? *trees : sumsAround(0, dtype, bytes), count);
    const double steady = lanes::isTreeFloat(dtype) ? kSteadyTrees : kSteady;
    if (result.m2 < result.sumSquares / steady) {
        const ElementStatistics around =
            finish(trees ? distancesByTrees(static_cast<float>(result.mean), dtype, bytes)
                         : sumsAround(result.mean, dtype, bytes),
                   count);
        result.mean = around.mean;
        result.m2 = around.m2;
    }
    return result;
}

void merge(ElementStatistics& sums, const ElementStatistics& next) {
    const std::uint64_t before = sums.finite();
    const std::uint64_t added = next.finite();
    sums.count += next.count;
    sums.nan += next.nan;
    sums.inf += next.inf;
    sums.zeros += next.zeros;
    if (added == 0) {
        return;
    }
    if (before == 0) {
        sums.min = next.min;
        sums.max = next.max;
        sums.mean = next.mean;
        sums.m2 = next.m2;
        sums.l1 = next.l1;
        sums.sumSquares = next.sumSquares;
        return;
    }
    const auto a = static_cast<double>(before);
    const auto b = static_cast<double>(added);
    const double delta = next.mean - sums.mean;
    sums.min = std::min(sums.min, next.min);
    sums.max = std::max(sums.max, next.max);
    if (std::isfinite(delta)) {
        sums.mean += delta * (b / (a + b));
        sums.m2 += next.m2 + delta * delta * (a * (b / (a + b)));
    } else { // the range exceeds that of float64
        sums.mean = sums.mean * (a / (a + b)) + next.mean * (b / (a + b));
        sums.m2 = lanes::kInf;
    }
    sums.l1 += next.l1;
    sums.sumSquares += next.sumSquares;
}

} // namespace cairn
