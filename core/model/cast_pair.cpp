// SPDX-License-Identifier: Apache-2.0
#include "core/model/cast_pair.h"

#include <array>
#include <utility>

namespace cairn {

bool canCast(Dtype from, Dtype to) {
    const bool target = to == Dtype::Float64 || to == Dtype::Float32 || to == Dtype::Float16 ||
                        to == Dtype::Bfloat16;
    return target && from != to && dtypeInfo(from).kind == DtypeKind::Float;
}

bool castIsExact(Dtype from, Dtype to) {
    if (from == to || to == Dtype::Float64) {
        return true;
    }
    if (to == Dtype::Float32) {
        return from != Dtype::Float64;
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
    });
    for (const auto& [text, dtype] : kNames) {
        if (text == name) {
            return dtype;
        }
    }
    return std::nullopt;
}

} // namespace cairn
