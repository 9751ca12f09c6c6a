// SPDX-License-Identifier: Apache-2.0
#include "core/model/cast_pair.h"

#include <array>
#include <utility>

namespace cairn {

const EightBitFloat* eightBitFloat(Dtype dtype) {
    // Halfway above the largest number is a tie: it rounds down for e4m3fn, up for the others.
    static constexpr EightBitFloat kE4m3fn{3, 7, 0x1p-6F, 448, 464, "448"};
    static constexpr EightBitFloat kE5m2{2, 15, 0x1p-14F, 57344, 0x1.DFFFFEp15F, "infinity"};
    static constexpr EightBitFloat kE4m3fnuz{3, 8, 0x1p-7F, 240, 0x1.EFFFFEp7F, "NaN"};
    static constexpr EightBitFloat kE5m2fnuz{2, 16, 0x1p-15F, 57344, 0x1.DFFFFEp15F, "NaN"};
    switch (dtype) {
    case Dtype::Float8E4m3fn:
        return &kE4m3fn;
    case Dtype::Float8E5m2:
        return &kE5m2;
    case Dtype::Float8E4m3fnuz:
        return &kE4m3fnuz;
    case Dtype::Float8E5m2fnuz:
        return &kE5m2fnuz;
    default:
        return nullptr;
    }
}

bool canCast(Dtype from, Dtype to) {
    const DtypeInfo& source = dtypeInfo(from);
    const bool target = to == Dtype::Float64 || to == Dtype::Float32 || to == Dtype::Float16 ||
                        to == Dtype::Bfloat16 || (eightBitFloat(to) != nullptr && source.bits > 8);
    return target && from != to && source.kind == DtypeKind::Float;
}

bool castIsExact(Dtype from, Dtype to) {
    if (from == to || to == Dtype::Float64) {
        return true;
    }
    if (to == Dtype::Float32) {
        return from != Dtype::Float64;
    }
    if (dtypeInfo(to).bits == 8) {
        return false;
    }
    const bool eight = dtypeInfo(from).bits == 8;
    return eight && (to == Dtype::Bfloat16 || from != Dtype::Float8E8m0fnu);
}

std::optional<Dtype> castTarget(std::string_view name) {
    static constexpr auto kNames = std::to_array<std::pair<std::string_view, Dtype>>({
        {"bf16", Dtype::Bfloat16},
        {"bfloat16", Dtype::Bfloat16},
        {"fp16", Dtype::Float16},
        {"f16", Dtype::Float16},
        {"float16", Dtype::Float16},
        {"half", Dtype::Float16},
        {"fp32", Dtype::Float32},
        {"f32", Dtype::Float32},
        {"float32", Dtype::Float32},
        {"float", Dtype::Float32},
        {"fp64", Dtype::Float64},
        {"f64", Dtype::Float64},
        {"float64", Dtype::Float64},
        {"double", Dtype::Float64},
        {"float8_e4m3fn", Dtype::Float8E4m3fn},
        {"float8_e5m2", Dtype::Float8E5m2},
        {"float8_e4m3fnuz", Dtype::Float8E4m3fnuz},
        {"float8_e5m2fnuz", Dtype::Float8E5m2fnuz},
    });
    for (const auto& [text, dtype] : kNames) {
        if (text == name) {
            return dtype;
        }
    }
    return std::nullopt;
}

} // namespace cairn
