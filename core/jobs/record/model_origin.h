// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <string>
#include <vector>

namespace cairn {

/// Where a model comes from, as the files beside its weights record it. Empty: not recorded.
struct ModelOrigin {
    std::string licence;                 ///< identifier of the Hugging Face Hub: "apache-2.0"
    std::string licenceFile;             ///< in the output: "LICENSE"
    std::vector<std::string> baseModels; ///< "owner/name"; never a path
    std::string modelType;               ///< of config.json: "llama"
    std::string architecture;            ///< of config.json: "LlamaForCausalLM"
};

/// Reads the README's front matter, the configs and the licence among the plan's literal files.
ModelOrigin modelOrigin(const CopyPlan& plan);

/// The front matter of a model card, or nothing.
std::string frontMatter(const ModelOrigin& origin);

} // namespace cairn
