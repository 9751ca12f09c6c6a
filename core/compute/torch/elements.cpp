// SPDX-License-Identifier: Apache-2.0
#include "core/compute/torch/elements.h"

#include <cstring>

namespace cairn::torch_lane {
namespace {

constexpr std::int64_t kSign = 0x80000000; ///< sign bit of a float32
constexpr std::int64_t kLow32 = 0xFFFFFFFF;
constexpr std::int64_t kLow63 = 0x7FFFFFFFFFFFFFFF;
constexpr std::int64_t kFloatQuiet = 0x00400000;
constexpr std::int64_t kDoubleQuiet = std::int64_t{1} << 51U;

/// Converts int64 bit patterns to int32: the low 32 bits.
at::Tensor floatsOfBits(const at::Tensor& bits) {
    return bits.to(at::kInt).view(at::kFloat);
}

/// A float64's NaN as float32: quiet, with its sign and upper payload, as x86 converts it.
at::Tensor floatNanOf(const at::Tensor& doubles) {
    const at::Tensor bits = doubles.view(at::kLong);
    const at::Tensor sign = bits.lt(0).to(at::kLong) * kSign;
    const at::Tensor payload = at::bitwise_and(at::__rshift__(bits, 29), 0x3FFFFF);
    return floatsOfBits(sign + payload + (0x7F800000 + kFloatQuiet));
}

at::Tensor floatsOfDoubles(const at::Tensor& doubles) {
    return at::where(at::isnan(doubles), floatNanOf(doubles), doubles.to(at::kFloat));
}

at::Tensor floatsOfHalves(const at::Tensor& raw) { // raw: int16
    const at::Tensor halves = raw.view(at::kHalf);
    const at::Tensor bits = raw.to(at::kLong);
    const at::Tensor sign = bits.lt(0).to(at::kLong) * kSign;
    const at::Tensor payload = at::__lshift__(at::bitwise_and(bits, 0x1FF), 13);
    const at::Tensor nan = floatsOfBits(sign + payload + (0x7F800000 + kFloatQuiet));
    return at::where(at::isnan(halves), nan, halves.to(at::kFloat));
}

at::Tensor floatsOfBfloats(const at::Tensor& raw) {
    return at::__lshift__(raw.to(at::kInt), 16).view(at::kFloat);
}

at::Tensor lookUp(const DeviceElements& elements) {
    return elements.table.index_select(0, elements.raw.to(at::kInt)).view(at::kFloat);
}

/// A value without the top bit is converted directly. Otherwise half of it is converted, with its
/// lowest bit set if the shift lost a bit, so that ties round correctly.
at::Tensor doublesOfUnsigned(const at::Tensor& raw) {
    const at::Tensor low = at::bitwise_and(raw, 1);
    const at::Tensor upper = at::bitwise_and(at::__rshift__(raw, 1), kLow63);
    const at::Tensor half = at::bitwise_or(upper, low);
    return at::where(raw.lt(0), half.to(at::kDouble) * 2, raw.to(at::kDouble));
}

at::Tensor doublesOfFloats(const at::Tensor& floats) {
    const at::Tensor bits = floats.view(at::kInt).to(at::kLong);
    const at::Tensor sign = bits.lt(0).to(at::kLong);
    const at::Tensor payload = at::__lshift__(at::bitwise_and(bits, 0x7FFFFF), 29);
    const at::Tensor magnitude =
        at::bitwise_or(payload + (std::int64_t{0x7FF} << 52U), kDoubleQuiet);
    const at::Tensor nan = at::bitwise_or(magnitude, at::__lshift__(sign, 63)).view(at::kDouble);
    return at::where(at::isnan(floats), nan, floats.to(at::kDouble));
}

at::Tensor halvesOfFloats(const at::Tensor& floats) {
    const at::Tensor bits = floats.view(at::kInt).to(at::kLong);
    const at::Tensor sign = bits.lt(0).to(at::kLong) * 0x8000;
    const at::Tensor payload = at::bitwise_and(at::__rshift__(bits, 13), 0x3FF);
    const at::Tensor nan = at::bitwise_or(sign + payload, 0x7E00).to(at::kShort).view(at::kHalf);
    return at::where(at::isnan(floats), nan, floats.to(at::kHalf));
}

at::Tensor bfloatsOfFloats(const at::Tensor& floats, bool wide) {
    const auto pattern = static_cast<std::int16_t>(wide ? -1 : 0x7FC0);
    const at::Tensor nan =
        at::full({1}, pattern, floats.options().dtype(at::kShort)).view(at::kBFloat16);
    return at::where(at::isnan(floats), nan, floats.to(at::kBFloat16));
}

} // namespace

std::int64_t elementBytes(int kind) {
    switch (kind) {
    case kCairnTable8:
        return 1;
    case kCairnInt16:
    case kCairnUint16:
    case kCairnFloat16:
    case kCairnBfloat16:
        return 2;
    case kCairnInt32:
    case kCairnUint32:
    case kCairnFloat32:
    case kCairnComplex32:
        return 4;
    case kCairnComplex128:
        return 16;
    default:
        return 8;
    }
}

bool isComplex(int kind) {
    return kind == kCairnComplex32 || kind == kCairnComplex64 || kind == kCairnComplex128;
}

at::ScalarType storedType(int kind) {
    switch (kind) {
    case kCairnTable8:
        return at::kByte;
    case kCairnInt16:
    case kCairnUint16:
    case kCairnFloat16:
    case kCairnBfloat16:
    case kCairnComplex32:
        return at::kShort;
    case kCairnInt32:
    case kCairnUint32:
        return at::kInt;
    case kCairnInt64:
    case kCairnUint64:
        return at::kLong;
    case kCairnFloat32:
    case kCairnComplex64:
        return at::kFloat;
    case kCairnFloat64:
    case kCairnComplex128:
        return at::kDouble;
    default:
        TORCH_CHECK(false, "unknown element kind ", kind);
    }
}

at::Tensor tableOn(const std::uint32_t* table, at::Device device) {
    if (table == nullptr) {
        return {};
    }
    const at::Tensor made = at::empty({256}, at::kInt);
    std::memcpy(made.data_ptr(), table, 256 * sizeof(std::uint32_t));
    return made.to(device);
}

at::Tensor asDoubles(const DeviceElements& elements) {
    const at::Tensor& raw = elements.raw;
    switch (elements.kind) {
    case kCairnTable8:
        return lookUp(elements).to(at::kDouble);
    case kCairnUint16:
        return at::bitwise_and(raw.to(at::kInt), 0xFFFF).to(at::kDouble);
    case kCairnUint32:
        return at::bitwise_and(raw.to(at::kLong), kLow32).to(at::kDouble);
    case kCairnUint64:
        return doublesOfUnsigned(raw);
    case kCairnFloat16:
    case kCairnComplex32:
        return raw.view(at::kHalf).to(at::kDouble);
    case kCairnBfloat16:
        return floatsOfBfloats(raw).to(at::kDouble);
    default:
        return raw.to(at::kDouble);
    }
}

at::Tensor asFloats(const DeviceElements& elements) {
    switch (elements.kind) {
    case kCairnTable8:
        return lookUp(elements);
    case kCairnFloat16:
        return floatsOfHalves(elements.raw);
    case kCairnBfloat16:
        return floatsOfBfloats(elements.raw);
    case kCairnFloat32:
        return elements.raw;
    case kCairnFloat64:
        return floatsOfDoubles(elements.raw);
    default:
        TORCH_CHECK(false, "elements of kind ", elements.kind, " cannot be cast");
    }
}

at::Tensor narrowed(const at::Tensor& floats, int to, bool wide) {
    switch (to) {
    case kCairnFloat16:
        return halvesOfFloats(floats);
    case kCairnBfloat16:
        return bfloatsOfFloats(floats, wide);
    case kCairnFloat32:
        return floats;
    case kCairnFloat64:
        return doublesOfFloats(floats);
    default:
        TORCH_CHECK(false, "cannot cast to kind ", to);
    }
}

at::Tensor bitsOf(const at::Tensor& floats) {
    switch (floats.element_size()) {
    case 2:
        return floats.view(at::kShort);
    case 4:
        return floats.view(at::kInt);
    case 8:
        return floats.view(at::kLong);
    default:
        return floats;
    }
}

} // namespace cairn::torch_lane
