// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zarr/array_fields.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace cairn::zarr {
namespace {

struct Known {
    std::string_view name;
    std::uint32_t bytes;
    std::string_view v2; ///< without the byte-order sign; empty: same as the name
};

/// TensorStore stores each element of these small types in one byte.
constexpr auto kTypes = std::to_array<Known>({
    {"bool", 1, "b1"},
    {"int8", 1, "i1"},
    {"int16", 2, "i2"},
    {"int32", 4, "i4"},
    {"int64", 8, "i8"},
    {"uint8", 1, "u1"},
    {"uint16", 2, "u2"},
    {"uint32", 4, "u4"},
    {"uint64", 8, "u8"},
    {"float16", 2, "f2"},
    {"float32", 4, "f4"},
    {"float64", 8, "f8"},
    {"complex64", 8, "c8"},
    {"complex128", 16, "c16"},
    {"bfloat16", 2, ""},
    {"int2", 1, ""},
    {"int4", 1, ""},
    {"uint2", 1, ""},
    {"uint4", 1, ""},
    {"float8_e3m4", 1, ""},
    {"float8_e4m3", 1, ""},
    {"float8_e4m3fn", 1, ""},
    {"float8_e4m3fnuz", 1, ""},
    {"float8_e4m3b11fnuz", 1, ""},
    {"float8_e5m2", 1, ""},
    {"float8_e5m2fnuz", 1, ""},
    {"float8_e8m0fnu", 1, ""},
    {"float4_e2m1fn", 1, ""},
    {"float6_e2m3fn", 1, ""},
    {"float6_e3m2fn", 1, ""},
});

} // namespace

std::optional<ElementType> elementTypeV2(std::string_view text) {
    const bool signedOrder =
        !text.empty() && (text.front() == '<' || text.front() == '>' || text.front() == '|');
    const std::string_view rest = signedOrder ? text.substr(1) : text;
    for (const Known& known : kTypes) {
        if ((signedOrder && !known.v2.empty() && rest == known.v2) ||
            (!signedOrder && known.v2.empty() && rest == known.name)) {
            return ElementType{std::string(known.name), known.bytes,
                               text.front() == '>' && known.bytes > 1};
        }
    }
    return std::nullopt;
}

std::optional<ElementType> elementTypeV3(std::string_view text) {
    for (const Known& known : kTypes) {
        if (text == known.name) {
            return ElementType{std::string(known.name), known.bytes, false};
        }
    }
    return std::nullopt;
}

std::string arrayText(std::string_view type, std::span<const std::int64_t> shape,
                      std::span<const std::int64_t> chunk) {
    const auto known = std::ranges::find(kTypes, type, &Known::name);
    const bool isRefused = type == "uint2" || type == "uint4"; // by TensorStore's driver
    if (known == kTypes.end() || isRefused) {
        return {};
    }
    const auto list = [](std::span<const std::int64_t> extents) {
        std::string text;
        for (const std::int64_t extent : extents) {
            text += (text.empty() ? "" : ",") + std::to_string(extent);
        }
        return "[" + text + "]";
    };
    std::string text(known->name);
    if (!known->v2.empty()) {
        text = (known->bytes == 1 ? "|" : "<") + std::string(known->v2);
    }
    return R"({"chunks":)" + list(chunk) +
           R"(,"compressor":null,"dimension_separator":".","dtype":")" + text +
           R"(","fill_value":null,"filters":null,"order":"C","shape":)" + list(shape) +
           R"(,"zarr_format":2})";
}

} // namespace cairn::zarr
