// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/float32.h"

#include "core/families/config/records.h"
#include "core/families/config/words.h"

#include <array>
#include <string_view>

namespace cairn {
namespace {

struct Float32Modules {
    std::string_view types;   ///< values of `model_type`
    std::string_view modules; ///< components of names
    bool strict = false;      ///< also for bfloat16
};

std::vector<Float32Modules> readModules() {
    std::vector<Float32Modules> all;
    for (std::string_view record : float32ModuleRecords()) {
        if (!isComment(record)) {
            Float32Modules& each = all.emplace_back();
            each.types = takeField(record, "types");
            each.modules = takeField(record, "modules");
            each.strict = takeField(record, "strict") == "yes";
        }
    }
    return all;
}

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
    static const std::vector<Float32Modules> kModules = readModules();
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
