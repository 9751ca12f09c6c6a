// SPDX-License-Identifier: Apache-2.0
#include "core/compute/element_comparison.h"

#include "core/compute/decode.h"
#include "core/compute/lanes.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace cairn {
namespace {

using lanes::CompareLanes;
using lanes::kLanes;

constexpr std::size_t kBuffer = 1024; // doubles per side
static_assert(kBuffer % kLanes == 0);

struct Side {
    Dtype dtype;
    std::span<const std::byte> bytes;

    [[nodiscard]] std::size_t size() const { return dtypeInfo(dtype).bits / 8; }
    [[nodiscard]] Side part(std::size_t first, std::size_t length) const {
        return {dtype, bytes.subspan(first * size(), length * size())};
    }
};

bool isComplex(Dtype dtype) {
    return dtypeInfo(dtype).kind == DtypeKind::Complex;
}

bool isWide(Dtype dtype) {
    return dtype == Dtype::Int64 || dtype == Dtype::Uint64;
}

bool sameBits(const Side& left, const Side& right) {
    return left.dtype == right.dtype &&
           (left.bytes.empty() ||
            std::memcmp(left.bytes.data(), right.bytes.data(), left.bytes.size()) == 0);
}

/// Calls `work(left, right)` with runs of decoded elements; all but the last are complete groups.
template <class Work> void forDecoded(const Side& left, const Side& right, const Work& work) {
    std::array<double, kBuffer> l; // not initialized: filled before they are read
    std::array<double, kBuffer> r;
    const std::size_t count = left.bytes.size() / left.size();
    for (std::size_t at = 0; at < count; at += kBuffer) {
        const std::size_t length = std::min(kBuffer, count - at);
        decodeElements(left.dtype, left.part(at, length).bytes, std::span(l).first(length));
        decodeElements(right.dtype, right.part(at, length).bytes, std::span(r).first(length));
        work(std::span<const double>(l).first(length), std::span<const double>(r).first(length));
    }
}

/// Real numbers. A remainder that does not fill a group goes to the first lanes, as in any block.
void addReals(const Side& left, const Side& right, std::size_t count, CompareLanes& sums) {
    const std::size_t groups = count / kLanes;
    const std::size_t whole = groups * kLanes;
    const bool plain = left.dtype == right.dtype && sums.rtol == 0 && sums.atol == 0;
    const std::size_t fast = plain ? lanes::addFiniteGroups(left.dtype, left.bytes.data(),
                                                            right.bytes.data(), groups, sums)
                                   : 0;
    if (!lanes::addGroups(left.dtype, left.bytes.data() + fast * kLanes * left.size(), right.dtype,
                          right.bytes.data() + fast * kLanes * right.size(), groups - fast, sums)) {
        forDecoded(left.part(0, whole), right.part(0, whole), [&](auto l, auto r) {
            lanes::addGroups(Dtype::Float64, std::as_bytes(l).data(), Dtype::Float64,
                             std::as_bytes(r).data(), l.size() / kLanes, sums);
        });
    }
    forDecoded(left.part(whole, count - whole), right.part(whole, count - whole),
               [&](auto l, auto r) {
                   for (std::size_t lane = 0; lane < l.size(); ++lane) {
                       sums.add(lane, l[lane], r[lane]);
                   }
               });
}

/// For sides with identical bits: half of the reads and sums are not needed.
void addEqualReals(const Side& side, std::size_t count, CompareLanes& sums) {
    lanes::StatisticsLanes norms;
    const std::size_t groups = count / kLanes;
    const std::size_t whole = groups * kLanes;
    if (!lanes::addGroups(side.dtype, side.bytes.data(), groups, norms)) {
        return addReals(side, side, count, sums);
    }
    std::array<double, kLanes> rest{};
    const auto tail = std::span(rest).first(count - whole);
    decodeElements(side.dtype, side.part(whole, count - whole).bytes, tail);
    for (std::size_t lane = 0; lane < tail.size(); ++lane) {
        norms.add(lane, tail[lane]);
    }
    sums.left = norms.squares;
    sums.right = norms.squares;
    sums.dot = norms.squares;
    sums.nonfinite = norms.nan + norms.inf;
}

using EqualKernel = lanes::Equality (*)(Dtype, const std::byte*, const std::byte*, std::size_t,
                                        lanes::Lanes&);

/// Compares the sides while adding up the squares, `unit` elements at a time.
lanes::Equality addIfEqual(const Side& left, const Side& right, std::size_t count, std::size_t unit,
                           EqualKernel kernel, CompareLanes& sums) {
    const std::size_t whole = count / unit * unit;
    const Side rest = left.part(whole, count - whole);
    if (!sameBits(rest, right.part(whole, count - whole))) {
        return lanes::Equality::Different;
    }
    std::array<double, lanes::kRun> values; // not initialized: filled before it is read
    const auto tail = std::span(values).first(count - whole);
    decodeElements(left.dtype, rest.bytes, tail);
    if (!std::ranges::all_of(tail, [](double value) { return std::isfinite(value); })) {
        return lanes::Equality::Unknown;
    }
    const auto equality =
        kernel(left.dtype, left.bytes.data(), right.bytes.data(), whole, sums.left);
    if (equality == lanes::Equality::Equal) {
        for (std::size_t i = 0; i < tail.size(); ++i) {
            sums.left[i % kLanes] += tail[i] * tail[i];
        }
        sums.right = sums.left;
        sums.dot = sums.left;
    }
    return equality;
}

/// The same for plain floats, by trees if the elements are tame.
lanes::Equality addIfEqual(const Side& left, const Side& right, std::size_t count,
                           CompareLanes& sums) {
    auto equality = lanes::Equality::Unknown;
    if (left.dtype != right.dtype || !lanes::isPlainFloat(left.dtype)) {
        return equality;
    }
    if (lanes::isTreeFloat(left.dtype)) {
        equality = addIfEqual(left, right, count, lanes::kRun, lanes::addEqualRuns, sums);
    }
    return equality == lanes::Equality::Unknown
               ? addIfEqual(left, right, count, 2 * kLanes, lanes::addEqualGroups, sums)
               : equality;
}

struct Complex {
    double re = 0;
    double im = 0;
    [[nodiscard]] bool finite() const { return std::isfinite(re) && std::isfinite(im); }
};

Complex complexAt(const Side& side, std::size_t i) {
    const auto one = side.part(i, 1).bytes;
    return {elementAsDouble(side.dtype, one), elementImaginary(side.dtype, one)};
}

bool differ(double l, double r) {
    return !(l == r || (std::isnan(l) && std::isnan(r)));
}

bool differ(const Complex& l, const Complex& r) {
    return differ(l.re, r.re) || differ(l.im, r.im);
}

void addComplex(const Side& left, const Side& right, std::size_t count, CompareLanes& sums) {
    for (std::size_t i = 0; i < count; ++i) {
        const Complex l = complexAt(left, i);
        const Complex r = complexAt(right, i);
        const bool changed = differ(l, r);
        sums.changed += changed ? 1U : 0U;
        if (!l.finite() || !r.finite()) {
            ++sums.nonfinite;
            sums.beyond += changed ? 1U : 0U;
            continue;
        }
        const std::size_t lane = i % kLanes;
        const double distance = std::hypot(l.re - r.re, l.im - r.im);
        sums.abs[lane] += distance;
        sums.squares[lane] += distance * distance;
        sums.left[lane] += l.re * l.re + l.im * l.im;
        sums.right[lane] += r.re * r.re + r.im * r.im;
        sums.dot[lane] += l.re * r.re + l.im * r.im;
        sums.maxAbs = std::max(sums.maxAbs, distance);
        sums.beyond += distance > sums.atol + sums.rtol * std::hypot(r.re, r.im) ? 1U : 0U;
    }
}

/// Number of elements with different bits. Elements may be smaller than a byte.
std::uint64_t differentElements(const Side& left, const Side& right, std::size_t count) {
    const unsigned bits = dtypeInfo(left.dtype).bits;
    std::uint64_t different = 0;
    if (bits % 8 == 0) {
        const std::size_t size = bits / 8;
        for (std::size_t i = 0; i < count; ++i) {
            different +=
                std::memcmp(&left.bytes[i * size], &right.bytes[i * size], size) != 0 ? 1U : 0U;
        }
        return different;
    }
    for (std::size_t i = 0; i < count; ++i) {
        bool same = true;
        for (std::size_t bit = i * bits; bit < (i + 1) * bits; ++bit) {
            const auto mixed =
                std::to_integer<unsigned>(left.bytes[bit / 8] ^ right.bytes[bit / 8]);
            same = same && ((mixed >> (bit % 8)) & 1U) == 0;
        }
        different += same ? 0U : 1U;
    }
    return different;
}

std::uint64_t differentAfterCast(const Side& left, const Side& right, Dtype narrow) {
    std::uint64_t different = 0;
    forDecoded(left, right, [&](auto l, auto r) {
        for (std::size_t i = 0; i < l.size(); ++i) {
            different += differ(roundTo(narrow, l[i]), roundTo(narrow, r[i])) ? 1U : 0U;
        }
    });
    return different;
}

ElementComparison bytesOnly(const Side& left, const Side& right) {
    ElementComparison result;
    result.numeric = false;
    result.count = left.bytes.size() * 8 / dtypeInfo(left.dtype).bits;
    result.identical = sameBits(left, right);
    if (!result.identical) {
        result.changed = differentElements(left, right, result.count);
        result.beyond = result.changed;
    }
    return result;
}

} // namespace

double ElementComparison::meanAbs() const {
    return measured() > 0 ? sumAbs / static_cast<double>(measured()) : 0.0;
}

double ElementComparison::rms() const {
    return measured() > 0 ? std::sqrt(sumSquares / static_cast<double>(measured())) : 0.0;
}

std::optional<double> ElementComparison::relativeL2() const {
    if (leftSquares > 0) {
        const double relative = std::sqrt(sumSquares) / std::sqrt(leftSquares);
        return std::isnan(relative)
                   ? std::nullopt
                   : std::optional(relative); // both norms exceed the range of a double
    }
    return sumSquares == 0 ? std::optional(0.0) : std::nullopt;
}

std::optional<double> ElementComparison::cosine() const {
    if (!(leftSquares > 0) || !(rightSquares > 0)) {
        return std::nullopt;
    }
    const double cosine = dot / (std::sqrt(leftSquares) * std::sqrt(rightSquares));
    return std::isnan(cosine) ? std::nullopt : std::optional(std::clamp(cosine, -1.0, 1.0));
}

bool canCompare(Dtype left, Dtype right) {
    return left == right || (hasNumericElements(left) && hasNumericElements(right)) ||
           (isComplex(left) && isComplex(right));
}

std::optional<Dtype> narrowerFloat(Dtype left, Dtype right) {
    if (left == right || !canRoundTo(left) || !canRoundTo(right)) {
        return std::nullopt;
    }
    const std::uint32_t leftBits = dtypeInfo(left).bits;
    const std::uint32_t rightBits = dtypeInfo(right).bits;
    if (leftBits == rightBits) {
        return std::nullopt; // bfloat16 and float16: neither contains the other
    }
    return leftBits < rightBits ? left : right;
}

ElementComparison compareBlock(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                               std::span<const std::byte> right, const Tolerance& tolerance) {
    const Side l{leftType, left};
    const Side r{rightType, right};
    if (!canMeasure(leftType) || !canMeasure(rightType)) {
        return bytesOnly(l, r);
    }
    ElementComparison result;
    result.count = left.size() / l.size();
    const auto count = static_cast<std::size_t>(result.count);
    CompareLanes sums;
    sums.rtol = tolerance.rtol;
    sums.atol = tolerance.atol;
    const lanes::Equality equality = addIfEqual(l, r, count, sums);
    result.identical = equality == lanes::Equality::Equal ||
                       (equality == lanes::Equality::Unknown && sameBits(l, r));
    if (isComplex(leftType)) {
        addComplex(l, r, count, sums);
    } else if (!result.identical) {
        addReals(l, r, count, sums);
    } else if (equality != lanes::Equality::Equal) {
        addEqualReals(l, count, sums);
    }
    result.changed = sums.changed;
    result.beyond = sums.beyond;
    if (isWide(leftType) && leftType == rightType && !result.identical) {
        result.changed = differentElements(l, r, count);
        const bool exact = tolerance.rtol == 0 && tolerance.atol == 0;
        result.beyond = exact ? result.changed : result.beyond;
    }
    result.nonfinite = sums.nonfinite;
    result.maxAbs = sums.maxAbs;
    result.sumAbs = lanes::treeSum(sums.abs);
    result.sumSquares = lanes::treeSum(sums.squares);
    result.leftSquares = lanes::treeSum(sums.left);
    result.rightSquares = lanes::treeSum(sums.right);
    result.dot = lanes::treeSum(sums.dot);
    if (const auto narrow = narrowerFloat(leftType, rightType)) {
        result.changedAfterCast = differentAfterCast(l, r, *narrow);
    }
    return result;
}

void merge(ElementComparison& sums, const ElementComparison& next) {
    const bool first = sums.count == 0;
    sums.identical = sums.identical && next.identical;
    sums.numeric = first ? next.numeric : sums.numeric && next.numeric;
    if (first) {
        sums.changedAfterCast = next.changedAfterCast;
    } else if (sums.changedAfterCast && next.changedAfterCast) {
        *sums.changedAfterCast += *next.changedAfterCast;
    } else {
        sums.changedAfterCast.reset();
    }
    sums.count += next.count;
    sums.changed += next.changed;
    sums.beyond += next.beyond;
    sums.nonfinite += next.nonfinite;
    sums.maxAbs = std::max(sums.maxAbs, next.maxAbs);
    sums.sumAbs += next.sumAbs;
    sums.sumSquares += next.sumSquares;
    sums.leftSquares += next.leftSquares;
    sums.rightSquares += next.rightSquares;
    sums.dot += next.dot;
}

void changedElements(Dtype leftType, std::span<const std::byte> left, Dtype rightType,
                     std::span<const std::byte> right, std::span<std::uint8_t> out) {
    const Side l{leftType, left};
    const Side r{rightType, right};
    const bool reals = hasNumericElements(leftType) && hasNumericElements(rightType) &&
                       !(isWide(leftType) && leftType == rightType);
    if (reals) {
        std::size_t at = 0;
        forDecoded(l, r, [&](auto lefts, auto rights) {
            for (std::size_t i = 0; i < lefts.size(); ++i) {
                out[at++] = differ(lefts[i], rights[i]) ? 1 : 0;
            }
        });
        return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (isComplex(leftType)) {
            out[i] = differ(complexAt(l, i), complexAt(r, i)) ? 1 : 0;
        } else {
            const std::size_t size = std::max<std::size_t>(1, l.size());
            out[i] = std::memcmp(&left[i * size], &right[i * size], size) != 0 ? 1 : 0;
        }
    }
}

} // namespace cairn
