// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/element_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

/// Sums are float64 sums of distances from the slice's own mean: the elements are already on the
/// device, so a second pass costs little. A slice's figures are returned as one row of float64,
/// which represents every count of a slice exactly.
namespace cairn::torch_lane {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Real values, or the modulus of complex values.
at::Tensor magnitudes(const DeviceElements& elements) {
    const at::Tensor values = asDoubles(elements);
    return isComplex(elements.kind) ? at::hypot(values.select(1, 0), values.select(1, 1)) : values;
}

at::Tensor total(const at::Tensor& values) {
    return values.sum(at::kDouble);
}

template <std::size_t kCount>
std::array<double, kCount> rowOf(const std::byte* result, std::size_t bytes) {
    std::array<double, kCount> row{};
    TORCH_CHECK(bytes == sizeof(row), "a result of ", bytes, " bytes");
    std::memcpy(row.data(), result, sizeof(row));
    return row;
}

std::uint64_t natural(double count) {
    return static_cast<std::uint64_t>(count);
}

at::Tensor statisticsRow(const DeviceElements& elements) {
    const at::Tensor all = magnitudes(elements);
    const at::Tensor finite = at::isfinite(all);
    const at::Tensor values = at::where(finite, all, at::zeros({}, all.options()));
    const at::Tensor magnitude = values.abs();
    // Scaled, because sums near the largest double would overflow.
    const at::Tensor one = at::ones({}, all.options());
    const at::Tensor scale = at::where(magnitude.max().gt(1e290), one * 0x1p-64, one);
    const at::Tensor count = total(finite);
    const at::Tensor least = at::maximum(count, one);
    const at::Tensor guess = total(values * scale) / least / scale;
    const at::Tensor distance = at::where(finite, values - guess, at::zeros({}, all.options()));
    const at::Tensor off =
        total(distance * scale) / least / scale; // remaining rounding error of the mean
    const at::Tensor squares = total(distance * distance) - least * off * off;
    return at::stack({total(at::isnan(all)), total(at::isinf(all)), total(all.eq(0)), count,
                      at::where(finite, all, one * kInf).min(),
                      at::where(finite, all, one * -kInf).max(), guess + off, squares,
                      total(magnitude), total(values * values)});
}

CairnStatistics statisticsOf(std::uint64_t count, const std::array<double, 10>& row) {
    CairnStatistics made{};
    made.count = count;
    made.nan = natural(row[0]);
    made.inf = natural(row[1]);
    made.zeros = natural(row[2]);
    if (row[3] == 0) {
        return made;
    }
    made.min = row[4] + 0.0; // turns -0 into +0
    made.max = row[5] + 0.0;
    made.mean = row[6];
    made.m2 = std::isnan(row[7]) ? kInf : std::max(0.0, row[7]);
    made.l1 = row[8];
    made.sumSquares = row[9];
    return made;
}

/// Chan, Golub and LeVeque's formula.
void add(CairnStatistics& sums, const CairnStatistics& next) {
    const std::uint64_t before = sums.count - sums.nan - sums.inf;
    const std::uint64_t added = next.count - next.nan - next.inf;
    sums.count += next.count;
    sums.nan += next.nan;
    sums.inf += next.inf;
    sums.zeros += next.zeros;
    if (added == 0) {
        return;
    }
    sums.min = before == 0 ? next.min : std::min(sums.min, next.min);
    sums.max = before == 0 ? next.max : std::max(sums.max, next.max);
    const auto a = static_cast<double>(before);
    const auto b = static_cast<double>(added);
    const double delta = next.mean - sums.mean;
    sums.mean = before == 0 ? next.mean : sums.mean + delta * (b / (a + b));
    sums.m2 = before == 0 ? next.m2 : sums.m2 + next.m2 + delta * delta * (a * (b / (a + b)));
    sums.l1 += next.l1;
    sums.sumSquares += next.sumSquares;
}

at::Tensor differ(const at::Tensor& l, const at::Tensor& r) {
    return at::logical_not(at::logical_or(l.eq(r), at::logical_and(at::isnan(l), at::isnan(r))));
}

/// Rounds the float64 as an integer, as roundTo() in core/compute/decode.cpp does.
at::Tensor roundedTo(const CairnFloatForm& form, const at::Tensor& values) {
    constexpr std::int64_t kOne = std::int64_t{1} << 52U;
    const at::Tensor bits = values.contiguous().view(at::kLong);
    const at::Tensor exponent = at::bitwise_and(at::__rshift__(bits, 52), 0x7FF) - 1023;
    const at::Tensor drop = (at::clamp_min(exponent * -1 + form.lowest, 0) + (53 - form.digits));
    const at::Tensor low = at::clamp_max(drop, 53);
    const at::Tensor digits = at::bitwise_or(at::bitwise_and(bits, kOne - 1), kOne);
    const at::Tensor one = at::ones({}, bits.options());
    const at::Tensor odd = at::bitwise_and(at::__rshift__(digits, low), 1);
    const at::Tensor half = at::__lshift__(one, low - 1) - 1 + odd;
    const at::Tensor kept = at::__rshift__(digits + half, low).to(at::kDouble);
    const at::Tensor power = at::__lshift__(exponent + low + (1023 - 52), 52).view(at::kDouble);
    const at::Tensor none = at::zeros({}, values.options());
    at::Tensor made = at::where(drop.gt(53), none, kept * power);
    made = at::where(at::isinf(values), values.abs(), made);
    made = at::where(made.gt(form.largest), none + form.beyond, made);
    return at::where(at::isnan(values), values, at::copysign(made, values));
}

/// One column for reals, two for complex numbers.
struct Sides {
    at::Tensor left;
    at::Tensor right;
    bool complex = false;

    [[nodiscard]] at::Tensor norm(const at::Tensor& values) const {
        return complex ? at::hypot(values.select(1, 0), values.select(1, 1)) : values.abs();
    }
    [[nodiscard]] at::Tensor either(const at::Tensor& flags) const {
        return complex ? at::logical_or(flags.select(1, 0), flags.select(1, 1)) : flags;
    }
    [[nodiscard]] at::Tensor dot(const at::Tensor& a, const at::Tensor& b) const {
        return total(a * b);
    }
};

bool isWideInteger(int kind) {
    return kind == kCairnInt64 || kind == kCairnUint64;
}

at::Tensor comparisonRow(const DeviceElements& left, const DeviceElements& right,
                         const CairnCompareOptions& options) {
    const Sides sides{asDoubles(left), asDoubles(right), isComplex(left.kind)};
    const at::Tensor changed = sides.either(differ(sides.left, sides.right));
    const at::Tensor strange = sides.either(
        at::logical_not(at::logical_and(at::isfinite(sides.left), at::isfinite(sides.right))));
    const at::Tensor mask = sides.complex ? strange.unsqueeze(1) : strange;
    const at::Tensor none = at::zeros({}, sides.left.options());
    const at::Tensor l = at::where(mask, none, sides.left);
    const at::Tensor r = at::where(mask, none, sides.right);
    const at::Tensor distance = sides.norm(l - r);
    const at::Tensor allowed = sides.norm(r) * options.rtol + options.atol;
    at::Tensor beyond = total(at::where(strange, changed, distance.gt(allowed)));
    at::Tensor count = total(changed);
    at::Tensor identical = none;
    if (options.sameDtype != 0) {
        const at::Tensor different = bitsOf(left.raw).ne(bitsOf(right.raw));
        identical = total(different).eq(0).to(at::kDouble);
        if (isWideInteger(left.kind)) { // as integers: a double does not have enough digits
            count = total(different);
            beyond = options.rtol == 0 && options.atol == 0 ? count : beyond;
        }
    }
    at::Tensor afterCast = none;
    if (options.narrow.digits > 0) {
        afterCast = total(
            differ(roundedTo(options.narrow, sides.left), roundedTo(options.narrow, sides.right)));
    }
    return at::stack({count, beyond, total(strange), afterCast, identical, distance.max(),
                      total(distance), total(distance * distance), sides.dot(l, l), sides.dot(r, r),
                      sides.dot(l, r)});
}

void add(CairnComparison& sums, const std::array<double, 11>& row) {
    sums.changed += natural(row[0]);
    sums.beyond += natural(row[1]);
    sums.nonfinite += natural(row[2]);
    sums.changedAfterCast += natural(row[3]);
    sums.identical = sums.identical != 0 && row[4] != 0 ? 1 : 0;
    sums.maxAbs = std::max(sums.maxAbs, row[5]);
    sums.sumAbs += row[6];
    sums.sumSquares += row[7];
    sums.leftSquares += row[8];
    sums.rightSquares += row[9];
    sums.dot += row[10];
}

} // namespace

CairnStatistics statisticsThere(Lane& lane, const CairnElements& in, std::uint64_t count) {
    CairnStatistics sums{};
    lane.run(
        {&in, 1}, count, [&](const Lane::Slice& slice) { return statisticsRow(slice.inputs[0]); },
        [&](std::int64_t, std::int64_t length, const std::byte* result, std::size_t bytes) {
            add(sums, statisticsOf(static_cast<std::uint64_t>(length), rowOf<10>(result, bytes)));
        });
    return sums;
}

CairnComparison compareThere(Lane& lane, const CairnElements& left, const CairnElements& right,
                             std::uint64_t count, const CairnCompareOptions& options) {
    TORCH_CHECK(isComplex(left.kind) == isComplex(right.kind),
                "complex numbers can only be compared with complex numbers");
    CairnComparison sums{};
    sums.count = count;
    sums.identical = options.sameDtype;
    const std::array inputs{left, right};
    lane.run(
        inputs, count,
        [&](const Lane::Slice& slice) {
            return comparisonRow(slice.inputs[0], slice.inputs[1], options);
        },
        [&](std::int64_t, std::int64_t, const std::byte* result, std::size_t bytes) {
            add(sums, rowOf<11>(result, bytes));
        });
    return sums;
}

} // namespace cairn::torch_lane
