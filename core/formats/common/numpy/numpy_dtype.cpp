// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/numpy_dtype.h"

#include <algorithm>
#include <array>

namespace cairn::formats {
namespace {

struct Row {
    std::string_view name;
    Dtype dtype;
};

constexpr auto kCodes = std::to_array<Row>({
    {"b1", Dtype::Bool},
    {"?", Dtype::Bool},
    {"i1", Dtype::Int8},
    {"i2", Dtype::Int16},
    {"i4", Dtype::Int32},
    {"i8", Dtype::Int64},
    {"u1", Dtype::Uint8},
    {"u2", Dtype::Uint16},
    {"u4", Dtype::Uint32},
    {"u8", Dtype::Uint64},
    {"f2", Dtype::Float16},
    {"f4", Dtype::Float32},
    {"f8", Dtype::Float64},
    {"c8", Dtype::Complex64},
    {"c16", Dtype::Complex128},
});

constexpr auto kClasses = std::to_array<Row>({
    {"BoolDType", Dtype::Bool},
    {"Int8DType", Dtype::Int8},
    {"Int16DType", Dtype::Int16},
    {"Int32DType", Dtype::Int32},
    {"Int64DType", Dtype::Int64},
    {"UInt8DType", Dtype::Uint8},
    {"UInt16DType", Dtype::Uint16},
    {"UInt32DType", Dtype::Uint32},
    {"UInt64DType", Dtype::Uint64},
    {"Float16DType", Dtype::Float16},
    {"Float32DType", Dtype::Float32},
    {"Float64DType", Dtype::Float64},
    {"Complex64DType", Dtype::Complex64},
    {"Complex128DType", Dtype::Complex128},
    {"bfloat16", Dtype::Bfloat16},
    {"float8_e4m3fn", Dtype::Float8E4m3fn},
    {"float8_e5m2", Dtype::Float8E5m2},
    {"float8_e4m3fnuz", Dtype::Float8E4m3fnuz},
    {"float8_e5m2fnuz", Dtype::Float8E5m2fnuz},
    {"float8_e4m3b11fnuz", Dtype::Float8E4m3b11fnuz},
    {"float8_e8m0fnu", Dtype::Float8E8m0fnu},
    {"int4", Dtype::Int4}, // one byte per element, as in NumPy
    {"uint4", Dtype::Uint4},
    {"int2", Dtype::Int2},
    {"uint2", Dtype::Uint2},
    {"float8_e3m4", Dtype::Opaque}, // carried as opaque bytes
    {"float8_e4m3", Dtype::Opaque},
    {"float6_e2m3fn", Dtype::Opaque},
    {"float6_e3m2fn", Dtype::Opaque},
    {"float4_e2m1fn", Dtype::Opaque},
    {"int1", Dtype::Opaque},
    {"uint1", Dtype::Opaque},
});

constexpr auto kOtherNames = std::to_array<Row>({
    {"bf16", Dtype::Bfloat16},
    {"fp16", Dtype::Float16},
    {"fp32", Dtype::Float32},
    {"fp64", Dtype::Float64},
    {"half", Dtype::Float16},
    {"single", Dtype::Float32},
    {"float", Dtype::Float64},
    {"double", Dtype::Float64},
    {"bool_", Dtype::Bool},
    {"int", Dtype::Int64},
});

template <std::size_t N>
std::optional<Dtype> lookUp(const std::array<Row, N>& table, std::string_view name) {
    const auto* row = std::ranges::find(table, name, &Row::name);
    return row == table.end() ? std::nullopt : std::optional(row->dtype);
}

} // namespace

std::optional<Dtype> dtypeOfNumpyCode(std::string_view code) {
    return lookUp(kCodes, code);
}

std::optional<Dtype> dtypeOfNumpyClass(std::string_view name) {
    return lookUp(kClasses, name);
}

std::optional<Dtype> dtypeOfManifestName(std::string_view text) {
    for (const std::string_view prefix : {"torch.", "numpy.", "np.", "jnp.", "mx.", "mlx.core."}) {
        if (text.starts_with(prefix)) {
            text.remove_prefix(prefix.size());
        }
    }
    if (const auto own = dtypeFromName(text)) {
        return own;
    }
    if (const auto safetensors = dtypeFromSafetensors(text); safetensors && !text.empty()) {
        return safetensors;
    }
    if (const auto other = lookUp(kOtherNames, text)) {
        return other;
    }
    if (!text.empty() && std::string_view("<|=").find(text[0]) != std::string_view::npos) {
        text.remove_prefix(1);
    }
    return lookUp(kCodes, text);
}

std::string numpyTypeString(Dtype dtype) {
    for (const Row& row : kCodes) {
        if (row.dtype == dtype) {
            return (dtypeInfo(dtype).componentBits > 8 ? "<" : "|") + std::string(row.name);
        }
    }
    return {};
}

} // namespace cairn::formats
