// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/float32.h"

#include "core/families/config/words.h"

#include <array>
#include <string_view>

namespace cairn {
namespace {

struct Float32Modules {
    std::string_view types;   ///< values of `model_type`
    std::string_view modules; ///< components of names
    bool strict;              ///< also for bfloat16
};

constexpr auto kModules = std::to_array<Float32Modules>({
#include "core/families/expected/float32_modules.inc"
});

constexpr std::array<std::string_view, 9> kUsual = {"*e_score_correction_bias",
                                                    "*expert_bias",
                                                    "*A_log",
                                                    "*dt_bias",
                                                    "*.D",
                                                    "*sinks",
                                                    "*quant_map",
                                                    "*absmax",
                                                    "*_scale{,_inv}"};

} // namespace

std::vector<std::string> float32Globs(const ModelConfig& config, bool isFloat16) {
    std::vector<std::string> globs(kUsual.begin(), kUsual.end());
    const std::string type = config.text("model_type").value_or("");
    for (const Float32Modules& each : kModules) {
        if (!isWordOf(each.types, type) || (!each.strict && !isFloat16)) {
            continue;
        }
        for (const std::string_view module : wordsOf(each.modules)) {
            globs.push_back("{,*.}" + std::string(module) + "{,.*}");
        }
    }
    return globs;
}

} // namespace cairn
