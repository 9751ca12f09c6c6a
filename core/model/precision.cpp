// SPDX-License-Identifier: Apache-2.0
#include "core/model/precision.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

// int8: compressed_tensors 0.20 quantization/utils/helpers.py, calculate_qparams (255 / 2).
// q4_0: llama.cpp gives the head q6_k (llama-quant.cpp, llama_tensor_get_type); the next larger one
// of these is q8_0.
constexpr auto kPrecisions = std::to_array<Precision>({
    {"q8_0", Dtype::Q8_0, ScaleGroup::InBlocks, 0, true, {}, true},
    {"q4_0", Dtype::Q4_0, ScaleGroup::InBlocks, 0, true, Dtype::Q8_0, true},
    {"q4_k", Dtype::Q4K, ScaleGroup::InBlocks, 0, true, Dtype::Q8_0, false},
    {"fp8", Dtype::Float8E4m3fn, ScaleGroup::Row, 448, false, {}, true},
    {"fp8_tensor", Dtype::Float8E4m3fn, ScaleGroup::Tensor, 448, false, {}, true},
    {"fp8_block", Dtype::Float8E4m3fn, ScaleGroup::Square, 448, false, {}, true},
    {"int8", Dtype::Int8, ScaleGroup::Row, 127.5, false, {}, false},
});

} // namespace

std::span<const Precision> allPrecisions() {
    return kPrecisions;
}

std::string_view scaleSuffix(ScaleGroup scales) {
    return scales == ScaleGroup::Square ? "_scale_inv" : "_scale";
}

Shape scaleGrid(ScaleGroup scales, const Shape& matrix) {
    const auto squares = [](std::int64_t extent) {
        return (extent + kSquareSide - 1) / kSquareSide;
    };
    switch (scales) {
    case ScaleGroup::Row:
        return {matrix[0], 1};
    case ScaleGroup::Square:
        return {squares(matrix[0]), squares(matrix[1])};
    default:
        return {1, 1};
    }
}

const Precision* precisionOf(std::string_view name) {
    const auto found = std::ranges::find(kPrecisions, name, &Precision::name);
    return found == kPrecisions.end() ? nullptr : &*found;
}

bool canQuantize(Dtype from, Dtype to) {
    const bool isKnown = to == Dtype::Q8_0 || to == Dtype::Q4_0 || to == Dtype::Q4K;
    return isKnown && dtypeInfo(from).kind == DtypeKind::Float;
}

} // namespace cairn
