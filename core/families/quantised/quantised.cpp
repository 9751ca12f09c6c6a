// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/quantised.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

// bitsandbytes: functional.py QuantState.as_dict(packed=True), nn/modules.py Linear8bitLt
constexpr auto kBitsAndBytes =
    std::to_array<QuantisedLayout::Part>({{".weight", ".weight.absmax"},
                                          {".weight", ".weight.quant_map"},
                                          {".weight", ".weight.nested_absmax"},
                                          {".weight", ".weight.nested_quant_map"},
                                          {".weight", ".weight.quant_state.*"},
                                          {".weight", ".SCB"},
                                          {".weight", ".weight_format"}});
// GPTQModel and AutoAWQ: QuantLinear, WQLinear
constexpr auto kPacked = std::to_array<QuantisedLayout::Part>({{".weight", ".qweight", true},
                                                               {".weight", ".qzeros"},
                                                               {".weight", ".scales"},
                                                               {".weight", ".g_idx"}});
// compressed-tensors: compressors/quantized_compressors, quantization/lifecycle/initialize.py
constexpr auto kCompressed =
    std::to_array<QuantisedLayout::Part>({{".weight", ".weight_packed", true},
                                          {".weight", ".weight_scale"},
                                          {".weight", ".weight_zero_point"},
                                          {".weight", ".weight_shape"},
                                          {".weight", ".weight_g_idx"},
                                          {".weight", ".weight_global_scale"},
                                          {".weight", ".input_scale"},
                                          {".weight", ".input_zero_point"},
                                          {".weight", ".input_global_scale"},
                                          {".k_proj.weight", ".k_scale"},
                                          {".v_proj.weight", ".v_scale"}});
// transformers: integrations/finegrained_fp8.py, fbgemm_fp8.py
constexpr auto kFloat8 = std::to_array<QuantisedLayout::Part>({{".weight", ".weight_scale_inv"},
                                                               {".weight", ".weight_scale"},
                                                               {".weight", ".input_scale"},
                                                               {".weight", ".activation_scale"},
                                                               {".weight", ".input_scale_ub"}});
// transformers: integrations/mxfp4.py
constexpr auto kMxfp4 =
    std::to_array<QuantisedLayout::Part>({{"", "_blocks", true}, {"", "_scales"}});

constexpr auto kLayouts = std::to_array<QuantisedLayout>({{"bitsandbytes", kBitsAndBytes, true},
                                                          {"gptq", kPacked},
                                                          {"awq", kPacked},
                                                          {"compressed-tensors", kCompressed},
                                                          {"fp8", kFloat8},
                                                          {"fbgemm_fp8", kFloat8},
                                                          {"mxfp4", kMxfp4}});

/// The name without the part's end; nothing if it has another one.
std::optional<std::string_view> startOf(std::string_view name, const QuantisedLayout::Part& part) {
    if (!part.stored.ends_with('*')) {
        return name.ends_with(part.stored) && name.size() > part.stored.size()
                   ? std::optional(name.substr(0, name.size() - part.stored.size()))
                   : std::nullopt;
    }
    const std::size_t at = name.find(part.stored.substr(0, part.stored.size() - 1));
    return at == name.npos ? std::nullopt : std::optional(name.substr(0, at));
}

} // namespace

std::optional<QuantisedLayout::Found> QuantisedLayout::partOf(std::string_view name) const {
    for (const QuantisedLayout::Part& part : parts) {
        if (const auto start = startOf(name, part)) {
            return Found{std::string(*start) + std::string(part.parameter), part.standsForIt};
        }
    }
    return std::nullopt;
}

std::span<const QuantisedLayout> quantisedLayouts() {
    return kLayouts;
}

const QuantisedLayout* quantisedLayout(const ModelConfig& config) {
    const auto method = config.text("quantization_config.quant_method");
    const auto found = std::ranges::find_if(
        kLayouts, [&](const QuantisedLayout& each) { return method && each.method == *method; });
    return found == kLayouts.end() ? nullptr : &*found;
}

} // namespace cairn
