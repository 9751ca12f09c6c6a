// SPDX-License-Identifier: Apache-2.0
#include "core/compute/cast_lanes.h"

#include <algorithm>
#include <array>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/compute/cast_lanes.cpp"
// This header includes the file once for each target, so it comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

/// Rounding with integer arithmetic.
///
/// The conversion instructions of processors differ (in NaN, in the cost and support of subnormal
/// numbers), so floats are rounded here as integers: add half of the last kept bit, minus one unit
/// if the kept number is even, and truncate. That is rounding to nearest with ties to even, and a
/// carry into the exponent is right, too. Results below a format's smallest normal number are
/// rounded by a float addition whose last bit has the value of the smallest subnormal number.
HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::RebindToSigned<U32>;
using F32 = hn::ScalableTag<float>;
using U16 = hn::Rebind<std::uint16_t, U32>;
using U8 = hn::Rebind<std::uint8_t, U32>;
using Words = hn::Vec<U32>;
using Floats = hn::Vec<F32>;

HWY_INLINE Words load32(const std::byte* at) {
    return hn::LoadU(U32(), reinterpret_cast<const std::uint32_t*>(at));
}
HWY_INLINE Words load16(const std::byte* at) {
    return hn::PromoteTo(U32(), hn::LoadU(U16(), reinterpret_cast<const std::uint16_t*>(at)));
}
HWY_INLINE void store32(Words value, std::byte* at) {
    hn::StoreU(value, U32(), reinterpret_cast<std::uint32_t*>(at));
}
/// REQUIRES: no lane above 0xFFFF.
HWY_INLINE void store16(Words value, std::byte* at) {
    hn::StoreU(hn::DemoteTo(U16(), hn::BitCast(I32(), value)), U16(),
               reinterpret_cast<std::uint16_t*>(at));
}

HWY_INLINE Words set(std::uint32_t value) {
    return hn::Set(U32(), value);
}

struct ToBfloat {
    std::uint32_t nan;
    HWY_INLINE void operator()(const std::byte* in, std::byte* out) const {
        const Words x = load32(in);
        const Words odd = hn::And(hn::ShiftRight<16>(x), set(1));
        const Words rounded = hn::ShiftRight<16>(hn::Add(hn::Add(x, set(0x7FFF)), odd));
        const auto isNan =
            hn::Gt(hn::BitCast(I32(), hn::And(x, set(0x7FFFFFFF))), hn::Set(I32(), 0x7F800000));
        store16(hn::IfThenElse(hn::RebindMask(U32(), isNan), set(nan), rounded), out);
    }
};

struct ToHalf {
    HWY_INLINE void operator()(const std::byte* in, std::byte* out) const {
        const Words x = load32(in);
        const Words magnitude = hn::And(x, set(0x7FFFFFFF));
        const Words sign = hn::And(hn::ShiftRight<16>(x), set(0x8000));
        const auto asSigned = hn::BitCast(I32(), magnitude); // magnitudes are not negative
        const auto isNan = hn::RebindMask(U32(), hn::Gt(asSigned, hn::Set(I32(), 0x7F800000)));
        const auto isSmall = hn::RebindMask(U32(), hn::Lt(asSigned, hn::Set(I32(), 0x38800000)));
        const Words bounded = hn::Min(magnitude, set(0x47800000)); // 65536: infinite
        const Words odd = hn::And(hn::ShiftRight<13>(bounded), set(1));
        const Words normal = hn::ShiftRight<13>(
            hn::Add(hn::Sub(bounded, set(0x38000000)), hn::Add(odd, set(0xFFF))));
        const Floats half = hn::Set(F32(), 0.5F);
        const Words small = hn::Sub(
            hn::BitCast(U32(), hn::Add(hn::BitCast(F32(), magnitude), half)), set(0x3F000000));
        const Words nan = hn::Or(set(0x7E00), hn::And(hn::ShiftRight<13>(magnitude), set(0x3FF)));
        const Words finite = hn::IfThenElse(isSmall, small, normal);
        store16(hn::Or(sign, hn::IfThenElse(isNan, nan, finite)), out);
    }
};

/// Any 8-bit float, in the same way as ToHalf.
struct ToEight {
    EightBitForm form;
    HWY_INLINE void operator()(const std::byte* in, std::byte* out) const {
        const Words x = load32(in);
        const Words magnitude = hn::And(x, set(0x7FFFFFFF));
        const Words sign = hn::And(hn::ShiftRight<24>(x), set(0x80));
        const auto asSigned = hn::BitCast(I32(), magnitude);
        const auto isNan = hn::RebindMask(U32(), hn::Gt(asSigned, hn::Set(I32(), 0x7F800000)));
        const auto isSmall = hn::RebindMask(
            U32(), hn::Lt(asSigned, hn::Set(I32(), static_cast<std::int32_t>(form.normal))));
        const Words bounded = hn::Min(magnitude, set(form.bound));
        const Words odd = hn::And(hn::ShiftRightSame(bounded, form.drop), set(1));
        const Words half = set((1U << static_cast<unsigned>(form.drop - 1)) - 1);
        const Words normal = hn::ShiftRightSame(
            hn::Add(hn::Sub(bounded, set(form.rebias)), hn::Add(odd, half)), form.drop);
        const Floats magic = hn::Set(F32(), form.magic);
        const Words small =
            hn::Sub(hn::BitCast(U32(), hn::Add(hn::BitCast(F32(), magnitude), magic)),
                    hn::BitCast(U32(), magic));
        const Words finite = hn::IfThenElse(isSmall, small, hn::Min(normal, set(form.most)));
        const Words code = hn::IfThenElse(isNan, set(form.nan), finite);
        const Words signs =
            form.hasSign
                ? sign
                : hn::IfThenZeroElse(hn::Or(hn::Eq(code, set(0)), hn::Eq(code, set(0x80))), sign);
        hn::StoreU(hn::DemoteTo(U8(), hn::BitCast(I32(), hn::Or(signs, code))), U8(),
                   reinterpret_cast<std::uint8_t*>(out));
    }
};

struct FromBfloat {
    HWY_INLINE void operator()(const std::byte* in, std::byte* out) const {
        store32(hn::ShiftLeft<16>(load16(in)), out);
    }
};

struct FromHalf {
    HWY_INLINE void operator()(const std::byte* in, std::byte* out) const {
        const Words h = load16(in);
        const Words sign = hn::ShiftLeft<16>(hn::And(h, set(0x8000)));
        const Words digits = hn::ShiftLeft<13>(hn::And(h, set(0x7FFF)));
        const Words exponent = hn::And(digits, set(0x0F800000));
        const Words normal = hn::Add(digits, set(0x38000000));
        const Words beyond = hn::Add(normal, set(0x38000000));
        const Words quiet = hn::Or(beyond, set(0x00400000));
        const Words small =
            hn::BitCast(U32(), hn::Sub(hn::BitCast(F32(), hn::Add(normal, set(0x00800000))),
                                       hn::BitCast(F32(), set(0x38800000))));
        const auto isSmall = hn::Eq(exponent, set(0));
        const auto isBeyond = hn::Eq(exponent, set(0x0F800000));
        const auto isInf = hn::Eq(digits, set(0x0F800000));
        const Words special = hn::IfThenElse(isInf, beyond, quiet);
        const Words finite = hn::IfThenElse(isSmall, small, normal);
        store32(hn::Or(sign, hn::IfThenElse(isBeyond, special, finite)), out);
    }
};

template <std::size_t kIn, std::size_t kOut, class Step>
void eachVector(const Step& step, const std::byte* in, std::byte* out, std::size_t count) {
    const std::size_t lanes = hn::Lanes(U32());
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        step(in + i * kIn, out + i * kOut);
    }
    if (i < count) {
        alignas(64) std::array<std::byte, 64 * 4> from{};
        alignas(64) std::array<std::byte, 64 * 4> to{};
        std::memcpy(from.data(), in + i * kIn, (count - i) * kIn);
        step(from.data(), to.data());
        std::memcpy(out + i * kOut, to.data(), (count - i) * kOut);
    }
}

void bfloatFromFloatHere(const std::byte* in, std::byte* out, std::size_t count,
                         std::uint32_t nan) {
    eachVector<4, 2>(ToBfloat{nan}, in, out, count);
}
void halfFromFloatHere(const std::byte* in, std::byte* out, std::size_t count) {
    eachVector<4, 2>(ToHalf{}, in, out, count);
}
void eightFromFloatHere(const std::byte* in, std::byte* out, std::size_t count,
                        const EightBitForm& form) {
    eachVector<4, 1>(ToEight{form}, in, out, count);
}
void floatFromBfloatHere(const std::byte* in, std::byte* out, std::size_t count) {
    eachVector<2, 4>(FromBfloat{}, in, out, count);
}
void floatFromHalfHere(const std::byte* in, std::byte* out, std::size_t count) {
    eachVector<2, 4>(FromHalf{}, in, out, count);
}

void tallyFloatsHere(const float* source, const float* result, std::size_t count,
                     const CastForm& form, CastTally& tally) {
    const F32 d;
    const std::size_t lanes = hn::Lanes(d);
    const Floats inf = hn::Set(d, std::numeric_limits<float>::infinity());
    const Floats zero = hn::Zero(d);
    const Floats sourceNormal = hn::Set(d, form.sourceNormal);
    const Floats targetNormal = hn::Set(d, form.targetNormal);
    const Floats digits = hn::Set(d, form.digits);
    const Floats limit = hn::Set(d, form.limit);
    Floats maxAbs = zero;
    Floats maxUlp = zero;
    const auto step = [&](const float* a, const float* b) {
        const Floats x = hn::LoadU(d, a);
        const Floats y = hn::LoadU(d, b);
        const Floats absX = hn::Abs(x);
        const Floats absY = hn::Abs(y);
        const auto finiteX = hn::Lt(absX, inf);
        const auto beyond = hn::Gt(absX, limit);
        const auto both = hn::AndNot(beyond, hn::And(finiteX, hn::Lt(absY, inf)));
        const Floats distance = hn::IfThenElseZero(both, hn::Abs(hn::Sub(x, y)));
        const Floats power = // the largest power of two that is not above the result
            hn::Max(hn::BitCast(d, hn::And(hn::BitCast(U32(), absY), set(0x7F800000))),
                    targetNormal);
        maxAbs = hn::Max(maxAbs, distance);
        maxUlp =
            hn::Max(maxUlp, hn::IfThenElseZero(both, hn::Mul(hn::Div(distance, power), digits)));
        tally.overflowed += hn::CountTrue(d, hn::Or(beyond, hn::And(finiteX, hn::Eq(absY, inf))));
        const auto nowZero = hn::Eq(absY, zero);
        tally.becameZero += hn::CountTrue(d, hn::AndNot(hn::Eq(absX, zero), nowZero));
        const auto subnormal = hn::AndNot(nowZero, hn::Lt(absY, targetNormal));
        tally.becameSubnormal += hn::CountTrue(d, hn::And(subnormal, hn::Ge(absX, sourceNormal)));
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        step(source + i, result + i);
    }
    if (i < count) { // padding with zeros changes no figure
        alignas(64) std::array<float, 64> a{};
        alignas(64) std::array<float, 64> b{};
        std::copy_n(source + i, count - i, a.begin());
        std::copy_n(result + i, count - i, b.begin());
        step(a.data(), b.data());
    }
    tally.maxAbs = std::max<double>(tally.maxAbs, hn::GetLane(hn::MaxOfLanes(d, maxAbs)));
    tally.maxUlp = std::max<double>(tally.maxUlp, hn::GetLane(hn::MaxOfLanes(d, maxUlp)));
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::lanes {

HWY_EXPORT(bfloatFromFloatHere);
HWY_EXPORT(halfFromFloatHere);
HWY_EXPORT(eightFromFloatHere);
HWY_EXPORT(floatFromBfloatHere);
HWY_EXPORT(floatFromHalfHere);
HWY_EXPORT(tallyFloatsHere);

void bfloatFromFloat(const std::byte* in, std::byte* out, std::size_t count, std::uint32_t nan) {
    HWY_DYNAMIC_DISPATCH(bfloatFromFloatHere)(in, out, count, nan);
}
void halfFromFloat(const std::byte* in, std::byte* out, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(halfFromFloatHere)(in, out, count);
}
void eightFromFloat(const std::byte* in, std::byte* out, std::size_t count,
                    const EightBitForm& form) {
    HWY_DYNAMIC_DISPATCH(eightFromFloatHere)(in, out, count, form);
}
void floatFromBfloat(const std::byte* in, std::byte* out, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(floatFromBfloatHere)(in, out, count);
}
void floatFromHalf(const std::byte* in, std::byte* out, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(floatFromHalfHere)(in, out, count);
}
void tallyFloats(const float* source, const float* result, std::size_t count, const CastForm& form,
                 CastTally& tally) {
    HWY_DYNAMIC_DISPATCH(tallyFloatsHere)(source, result, count, form, tally);
}

} // namespace cairn::lanes
#endif
