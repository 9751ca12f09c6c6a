// SPDX-License-Identifier: Apache-2.0
//
// How sixteen elements of a dtype become vectors of doubles; included once for each target by the
// kernels' .cpp files (Highway's foreach_target).

#if defined(CAIRN_VECTOR_SOURCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_VECTOR_SOURCES_INL
#undef CAIRN_VECTOR_SOURCES_INL
#else
#define CAIRN_VECTOR_SOURCES_INL
#endif

#include "core/compute/lanes.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::lanes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
inline constexpr std::size_t kWide = hn::MaxLanes(D()); ///< doubles of one vector
inline constexpr std::size_t kParts = kLanes / kWide;   ///< vectors of one group
template <class T> using Narrow = hn::Rebind<T, D>;     ///< as many elements of another type

template <class T> HWY_INLINE hn::Vec<Narrow<T>> loadNarrow(const std::byte* bytes) {
    return hn::LoadU(Narrow<T>(), reinterpret_cast<const T*>(bytes));
}

// Each: bytes of an element, whether the product of two is exact in a double, kWide elements as
// doubles.
struct FromFloat64 {
    static constexpr std::size_t kBytes = 8;
    static constexpr bool kExact = false;
    static HWY_INLINE V load(const std::byte* bytes) { return loadNarrow<double>(bytes); }
};
struct FromFloat32 {
    static constexpr std::size_t kBytes = 4;
    static constexpr bool kExact = true;
    static HWY_INLINE V load(const std::byte* bytes) {
        return hn::PromoteTo(D(), loadNarrow<float>(bytes));
    }
};
struct FromBfloat16 {
    static constexpr std::size_t kBytes = 2;
    static constexpr bool kExact = true;
    static HWY_INLINE V load(const std::byte* bytes) {
        const auto wide = hn::PromoteTo(Narrow<std::uint32_t>(), loadNarrow<std::uint16_t>(bytes));
        return hn::PromoteTo(D(), hn::BitCast(Narrow<float>(), hn::ShiftLeft<16>(wide)));
    }
};
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 // F16C; elsewhere Highway's own loses infinities and NaN
struct FromFloat16 {
    static constexpr std::size_t kBytes = 2;
    static constexpr bool kExact = true;
    static HWY_INLINE V load(const std::byte* bytes) {
        const auto half = hn::BitCast(Narrow<hwy::float16_t>(), loadNarrow<std::uint16_t>(bytes));
        return hn::PromoteTo(D(), hn::PromoteTo(Narrow<float>(), half));
    }
};
#else
struct FromFloat16 {
    static constexpr std::size_t kBytes = 2;
    static constexpr bool kExact = true;
    /// The half's bits, moved to a float's place, are its value times 2^-112, subnormals too.
    static HWY_INLINE V load(const std::byte* bytes) {
        const Narrow<std::uint32_t> du;
        const Narrow<float> df;
        const auto bits = hn::PromoteTo(du, loadNarrow<std::uint16_t>(bytes));
        const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000U)));
        const auto rest = hn::And(bits, hn::Set(du, 0x7FFFU));
        const auto special = hn::Gt(rest, hn::Set(du, 0x7BFFU));
        const auto value = hn::BitCast(
            du, hn::Mul(hn::BitCast(df, hn::ShiftLeft<13>(rest)), hn::Set(df, 0x1p112F)));
        const auto fixed = hn::Or(value, hn::IfThenElseZero(special, hn::Set(du, 0x7F800000U)));
        return hn::PromoteTo(D(), hn::BitCast(df, hn::Or(fixed, sign)));
    }
};
#endif
struct FromInt32 {
    static constexpr std::size_t kBytes = 4;
    static constexpr bool kExact = false;
    static HWY_INLINE V load(const std::byte* bytes) {
        return hn::PromoteTo(D(), loadNarrow<std::int32_t>(bytes));
    }
};
template <class T> struct FromSmallInt {
    static constexpr std::size_t kBytes = sizeof(T);
    static constexpr bool kExact = true;
    static HWY_INLINE V load(const std::byte* bytes) {
        return hn::PromoteTo(D(), hn::PromoteTo(Narrow<std::int32_t>(), loadNarrow<T>(bytes)));
    }
};

/// Calls `work` with the source of the dtype; false when there is none.
template <class Work> bool withSource(Dtype dtype, const Work& work) {
    switch (dtype) {
    case Dtype::Float64:
        work(FromFloat64());
        return true;
    case Dtype::Float32:
        work(FromFloat32());
        return true;
    case Dtype::Bfloat16:
        work(FromBfloat16());
        return true;
    case Dtype::Float16:
        work(FromFloat16());
        return true;
    case Dtype::Int32:
    case Dtype::Qint32:
        work(FromInt32());
        return true;
    case Dtype::Int16:
        work(FromSmallInt<std::int16_t>());
        return true;
    case Dtype::Uint16:
        work(FromSmallInt<std::uint16_t>());
        return true;
    case Dtype::Int8:
    case Dtype::Qint8:
        work(FromSmallInt<std::int8_t>());
        return true;
    case Dtype::Uint8:
    case Dtype::Quint8:
        work(FromSmallInt<std::uint8_t>());
        return true;
    default:
        return false;
    }
}

} // namespace cairn::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // per target
