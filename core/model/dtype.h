// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cairn {

/// X(EnumValue, "name", bits, ComponentBits, Kind, "SAFETENSORS" or "", "torch.name" or "")
///   bits           of one element of the logical shape (4: two elements per byte; boxes must be
///                  complete)
///   ComponentBits  unit of a byte swap: complex numbers swap per component
/// Names are torch's if torch has the type (cli.md). int4 and similar types are those of ml_dtypes,
/// as TensorFlow and JAX store them: one element per byte, in its low bits; the high bits are
/// ignored.
#define CAIRN_DTYPES(X)                                                                            \
    X(Bool, "bool", 8, 8, Bool, "BOOL", "bool")                                                    \
    X(Uint8, "uint8", 8, 8, Unsigned, "U8", "uint8")                                               \
    X(Int8, "int8", 8, 8, Signed, "I8", "int8")                                                    \
    X(Uint16, "uint16", 16, 16, Unsigned, "U16", "uint16")                                         \
    X(Int16, "int16", 16, 16, Signed, "I16", "int16")                                              \
    X(Uint32, "uint32", 32, 32, Unsigned, "U32", "uint32")                                         \
    X(Int32, "int32", 32, 32, Signed, "I32", "int32")                                              \
    X(Uint64, "uint64", 64, 64, Unsigned, "U64", "uint64")                                         \
    X(Int64, "int64", 64, 64, Signed, "I64", "int64")                                              \
    X(Float16, "float16", 16, 16, Float, "F16", "float16")                                         \
    X(Bfloat16, "bfloat16", 16, 16, Float, "BF16", "bfloat16")                                     \
    X(Float32, "float32", 32, 32, Float, "F32", "float32")                                         \
    X(Float64, "float64", 64, 64, Float, "F64", "float64")                                         \
    X(Float8E4m3fn, "float8_e4m3fn", 8, 8, Float, "F8_E4M3", "float8_e4m3fn")                      \
    X(Float8E5m2, "float8_e5m2", 8, 8, Float, "F8_E5M2", "float8_e5m2")                            \
    X(Float8E4m3fnuz, "float8_e4m3fnuz", 8, 8, Float, "F8_E4M3FNUZ", "float8_e4m3fnuz")            \
    X(Float8E5m2fnuz, "float8_e5m2fnuz", 8, 8, Float, "F8_E5M2FNUZ", "float8_e5m2fnuz")            \
    X(Float8E8m0fnu, "float8_e8m0fnu", 8, 8, Float, "F8_E8M0", "float8_e8m0fnu")                   \
    X(Float4E2m1fnX2, "float4_e2m1fn_x2", 8, 8, Packed, "", "float4_e2m1fn_x2")                    \
    X(Float4, "float4_e2m1fn", 4, 8, Packed, "F4", "")                                             \
    X(Float6E2m3, "float6_e2m3", 6, 8, Packed, "F6_E2M3", "")                                      \
    X(Float6E3m2, "float6_e3m2", 6, 8, Packed, "F6_E3M2", "")                                      \
    X(Complex32, "complex32", 32, 16, Complex, "", "complex32")                                    \
    X(Complex64, "complex64", 64, 32, Complex, "C64", "complex64")                                 \
    X(Complex128, "complex128", 128, 64, Complex, "", "complex128")                                \
    X(Qint8, "qint8", 8, 8, Quantized, "", "qint8")                                                \
    X(Quint8, "quint8", 8, 8, Quantized, "", "quint8")                                             \
    X(Qint32, "qint32", 32, 32, Quantized, "", "qint32")                                           \
    X(Quint4x2, "quint4x2", 4, 8, Quantized, "", "quint4x2")                                       \
    X(Quint2x4, "quint2x4", 2, 8, Quantized, "", "quint2x4")                                       \
    X(Bits1x8, "bits1x8", 8, 8, Packed, "", "bits1x8")                                             \
    X(Bits2x4, "bits2x4", 8, 8, Packed, "", "bits2x4")                                             \
    X(Bits4x2, "bits4x2", 8, 8, Packed, "", "bits4x2")                                             \
    X(Bits8, "bits8", 8, 8, Packed, "", "bits8")                                                   \
    X(Bits16, "bits16", 16, 16, Packed, "", "bits16")                                              \
    X(Float8E4m3b11fnuz, "float8_e4m3b11fnuz", 8, 8, Float, "", "")                                \
    X(Int4, "int4", 8, 8, Signed, "", "")                                                          \
    X(Uint4, "uint4", 8, 8, Unsigned, "", "")                                                      \
    X(Int2, "int2", 8, 8, Signed, "", "")                                                          \
    X(Uint2, "uint2", 8, 8, Unsigned, "", "")                                                      \
    X(Qint16, "qint16", 16, 16, Quantized, "", "")                                                 \
    X(Quint16, "quint16", 16, 16, Quantized, "", "")                                               \
    X(String, "string", 8, 8, Bytes, "", "")                                                       \
    X(Opaque, "opaque", 8, 8, Bytes, "", "")

/// X(EnumValue, "name", elements of a block, bytes of a block)
///
/// ggml's quantised types: elements of the last dimension are stored in blocks that share scales. A
/// box of such a tensor begins and ends between blocks. They are decoded by compute/dequantize.h.
/// Sizes: ggml-common.h.
#define CAIRN_BLOCK_DTYPES(X)                                                                      \
    X(Q1_0, "q1_0", 128, 18)                                                                       \
    X(Q4_0, "q4_0", 32, 18)                                                                        \
    X(Q4_1, "q4_1", 32, 20)                                                                        \
    X(Q5_0, "q5_0", 32, 22)                                                                        \
    X(Q5_1, "q5_1", 32, 24)                                                                        \
    X(Q8_0, "q8_0", 32, 34)                                                                        \
    X(Q8_1, "q8_1", 32, 36)                                                                        \
    X(Q2K, "q2_k", 256, 84)                                                                        \
    X(Q3K, "q3_k", 256, 110)                                                                       \
    X(Q4K, "q4_k", 256, 144)                                                                       \
    X(Q5K, "q5_k", 256, 176)                                                                       \
    X(Q6K, "q6_k", 256, 210)                                                                       \
    X(Q8K, "q8_k", 256, 292)                                                                       \
    X(Iq1S, "iq1_s", 256, 50)                                                                      \
    X(Iq1M, "iq1_m", 256, 56)                                                                      \
    X(Iq2Xxs, "iq2_xxs", 256, 66)                                                                  \
    X(Iq2Xs, "iq2_xs", 256, 74)                                                                    \
    X(Iq2S, "iq2_s", 256, 82)                                                                      \
    X(Iq3Xxs, "iq3_xxs", 256, 98)                                                                  \
    X(Iq3S, "iq3_s", 256, 110)                                                                     \
    X(Iq4Nl, "iq4_nl", 32, 18)                                                                     \
    X(Iq4Xs, "iq4_xs", 256, 136)                                                                   \
    X(Tq1_0, "tq1_0", 256, 54)                                                                     \
    X(Tq2_0, "tq2_0", 256, 66)                                                                     \
    X(Mxfp4, "mxfp4", 32, 17)                                                                      \
    X(Nvfp4, "nvfp4", 64, 36)

enum class Dtype : std::uint8_t {
#define CAIRN_ENUM(value, name, bits, componentBits, kind, safetensors, torchName) value,
    CAIRN_DTYPES(CAIRN_ENUM)
#undef CAIRN_ENUM
#define CAIRN_ENUM(value, name, elements, bytes) value,
        CAIRN_BLOCK_DTYPES(CAIRN_ENUM)
#undef CAIRN_ENUM
};

/// Packed and Bytes elements are carried unchanged: no arithmetic, no preview as numbers.
enum class DtypeKind : std::uint8_t {
    Bool,
    Unsigned,
    Signed,
    Float,
    Complex,
    Quantized,
    Packed,
    Bytes
};

struct DtypeInfo {
    Dtype dtype{};
    std::string_view name;
    std::uint32_t bits = 0; ///< for a block dtype: rounded up, and never a multiple of 8
    std::uint32_t componentBits = 0;
    DtypeKind kind{};
    std::string_view safetensors; ///< empty: that format cannot store it
    std::string_view torchName;   ///< attribute of the torch module; empty: torch has no such dtype
    std::uint32_t blockElements =
        1; ///< elements of the last dimension that are stored together; 1: each separately
    std::uint32_t blockBytes = 0; ///< for a block dtype

    [[nodiscard]] constexpr bool isBlock() const { return blockElements > 1; }
};

const DtypeInfo& dtypeInfo(Dtype dtype);
std::span<const DtypeInfo> allDtypes();
std::string_view dtypeName(Dtype dtype);
std::optional<Dtype> dtypeFromName(std::string_view name);
std::optional<Dtype> dtypeFromSafetensors(std::string_view name);

/// Size of `elements` elements, rounded up to complete bytes or blocks; empty on overflow.
std::optional<std::uint64_t> dtypeBytes(Dtype dtype, std::uint64_t elements);

/// Number of complete elements in `bytes` bytes.
std::uint64_t dtypeElements(Dtype dtype, std::uint64_t bytes);

} // namespace cairn
