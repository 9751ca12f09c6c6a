// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/parts.h"

#include <algorithm>
#include <array>
#include <string_view>

// Names: diffusers/pipelines/pipeline_utils.py (save_pretrained), the config_name of its mixins;
// transformers' *_NAME constants; sentence_transformers/models.

namespace cairn::formats::huggingface {
namespace {

/// Words in the names of classes without weights.
constexpr auto kClassesWithoutWeights =
    std::to_array<std::string_view>({"Scheduler", "Tokenizer", "FeatureExtractor", "Processor",
                                     "Guider", "Guidance", "Watermarker"});
constexpr auto kOtherSettings = std::to_array<std::string_view>(
    {"scheduler_config.json", "tokenizer_config.json", "tokenizer.json", "vocab.json",
     "preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json"});
constexpr auto kModulesWithWeights = std::to_array<std::string_view>(
    {"CLIPModel", "CNN", "Dense", "LayerNorm", "LSTM", "MLMTransformer", "StaticEmbedding",
     "Transformer", "WeightedLayerPooling", "WordEmbeddings"});

std::string textOf(const JsonValue* value) {
    const auto text =
        value == nullptr ? Result<std::string_view>(std::string_view()) : value->asString();
    return std::string(text.value_or(std::string_view()));
}

} // namespace

std::vector<ModelPart> partsOfPipeline(const JsonValue& modelIndex) {
    std::vector<ModelPart> parts;
    const auto members = modelIndex.asObject();
    if (!members) {
        return parts;
    }
    for (const JsonMember& member : *members) {
        const auto pair = member.value.asArray();
        if (member.key.empty() || member.key.starts_with('_') || !pair || pair->size() != 2) {
            continue;
        }
        std::string className = textOf(&(*pair)[1]);
        if (!className.empty()) {
            const bool none =
                std::ranges::any_of(kClassesWithoutWeights, [&](std::string_view word) {
                    return className.find(word) != std::string::npos;
                });
            parts.push_back({member.key, std::move(className), !none});
        }
    }
    return parts;
}

std::vector<ModelPart> partsOfModules(const JsonValue& modules) {
    std::vector<ModelPart> parts;
    const auto list = modules.asArray();
    if (!list) {
        return parts;
    }
    for (const JsonValue& module : *list) {
        std::string path = textOf(module.find("path"));
        std::string type = textOf(module.find("type"));
        type = type.substr(type.rfind('.') + 1);
        const bool some = std::ranges::find(kModulesWithWeights, type) != kModulesWithWeights.end();
        if (!path.empty() && some) {
            parts.push_back({std::move(path), std::move(type), true});
        }
    }
    return parts;
}

bool isWithoutWeights(std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(entries,
                                   [&](const FolderEntry& entry) { return entry.name == name; });
    };
    return !has("config.json") && std::ranges::any_of(kOtherSettings, has);
}

} // namespace cairn::formats::huggingface
