// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/ggml_types.h"

#include <algorithm>
#include <array>

namespace cairn::formats::gguf {
namespace {

struct GgmlType {
    std::uint32_t id;
    Dtype dtype;
};

constexpr auto kTypes = std::to_array<GgmlType>({
    {0, Dtype::Float32},   {1, Dtype::Float16}, {2, Dtype::Q4_0},     {3, Dtype::Q4_1},
    {6, Dtype::Q5_0},      {7, Dtype::Q5_1},    {8, Dtype::Q8_0},     {9, Dtype::Q8_1},
    {10, Dtype::Q2K},      {11, Dtype::Q3K},    {12, Dtype::Q4K},     {13, Dtype::Q5K},
    {14, Dtype::Q6K},      {15, Dtype::Q8K},    {16, Dtype::Iq2Xxs},  {17, Dtype::Iq2Xs},
    {18, Dtype::Iq3Xxs},   {19, Dtype::Iq1S},   {20, Dtype::Iq4Nl},   {21, Dtype::Iq3S},
    {22, Dtype::Iq2S},     {23, Dtype::Iq4Xs},  {24, Dtype::Int8},    {25, Dtype::Int16},
    {26, Dtype::Int32},    {27, Dtype::Int64},  {28, Dtype::Float64}, {29, Dtype::Iq1M},
    {30, Dtype::Bfloat16}, {34, Dtype::Tq1_0},  {35, Dtype::Tq2_0},   {39, Dtype::Mxfp4},
    {40, Dtype::Nvfp4},    {41, Dtype::Q1_0},
});

} // namespace

std::optional<Dtype> dtypeOfGgml(std::uint32_t type) {
    const auto* found = std::ranges::find(kTypes, type, &GgmlType::id);
    return found != kTypes.end() ? std::optional(found->dtype) : std::nullopt;
}

std::optional<std::uint32_t> ggmlOfDtype(Dtype dtype) {
    const auto* found = std::ranges::find(kTypes, dtype, &GgmlType::dtype);
    return found != kTypes.end() ? std::optional(found->id) : std::nullopt;
}

} // namespace cairn::formats::gguf
