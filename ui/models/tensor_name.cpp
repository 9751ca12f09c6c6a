// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_name.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr auto kCommonParts = std::to_array<std::string_view>({
    "weight",
    "bias",
    "kernel",
    "scale",
    "gamma",
    "beta",
    "exp_avg",
    "exp_avg_sq",
    "max_exp_avg_sq",
    "step",
    "momentum_buffer",
    "square_avg",
    "running_mean",
    "running_var",
    "num_batches_tracked",
    "lora_A",
    "lora_B",
    "lora_embedding_A",
    "lora_embedding_B",
    "default",
    "base_layer",
    "weight_scale",
    "weight_scale_inv",
    "qweight",
    "qzeros",
    "scales",
    "g_idx",
    "absmax",
    "quant_map",
    "sum",
    "acc_delta",
    "grad_avg",
    "fp32",
    "mu",
    "nu",
});

bool isGeneric(std::string_view part) {
    const bool isNumber = std::ranges::all_of(part, isDigit);
    return isNumber || std::ranges::find(kCommonParts, part) != kCommonParts.end();
}

} // namespace

NameParts splitName(std::string_view name) {
    std::size_t begin = name.size();
    std::size_t end = name.size();
    while (begin > 0) {
        begin = end;
        while (begin > 0 && !isSeparator(name[begin - 1])) {
            --begin;
        }
        const std::string_view part = name.substr(begin, end - begin);
        if (begin == 0 || !isGeneric(part)) {
            break;
        }
        end = begin - 1;
    }
    if (begin == 0) {
        return {{}, name};
    }
    return {name.substr(0, begin - 1), name.substr(begin)};
}

} // namespace cairn::ui
