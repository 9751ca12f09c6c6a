// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/framework.h"

namespace cairn::formats::huggingface {

std::string frameworkOf(const Members& members, std::span<const ValueItem> documents,
                        bool adapters) {
    const auto document = [&](std::string_view stem) -> const Value* {
        for (const ValueItem& item : documents) {
            if (*item.key.asString() == stem) {
                return &item.value;
            }
        }
        return nullptr;
    };
    const Value* config = document("config");
    if (members.pipeline) {
        return "diffusers";
    }
    if (document("adapter_config") != nullptr || adapters) {
        return "peft";
    }
    if (config != nullptr && config->find("_diffusers_version") != nullptr) {
        return "diffusers";
    }
    const bool transformers =
        config != nullptr &&
        (config->find("transformers_version") != nullptr || config->find("model_type") != nullptr);
    return members.trainer || transformers ? "transformers" : "";
}

} // namespace cairn::formats::huggingface
