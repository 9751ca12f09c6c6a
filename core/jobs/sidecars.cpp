// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sidecars.h"

#include "core/base/endian.h"
#include "core/io/folder.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace cairn {
namespace {

constexpr std::uint64_t kMaxSidecar = std::uint64_t{64} << 20U;
constexpr std::string_view kCard = "README.md";
constexpr std::string_view kAdapterConfig = "adapter_config.json";
constexpr std::array<std::string_view, 21> kNames = {"config.json",
                                                     kAdapterConfig,
                                                     "generation_config.json",
                                                     "tokenizer.json",
                                                     "tokenizer_config.json",
                                                     "tokenizer.model",
                                                     "special_tokens_map.json",
                                                     "added_tokens.json",
                                                     "vocab.json",
                                                     "vocab.txt",
                                                     "merges.txt",
                                                     "spiece.model",
                                                     "sentencepiece.bpe.model",
                                                     "chat_template.jinja",
                                                     "chat_template.json",
                                                     "preprocessor_config.json",
                                                     "processor_config.json",
                                                     "image_processor_config.json",
                                                     "video_preprocessor_config.json",
                                                     "feature_extractor_config.json",
                                                     kCard};

std::optional<std::vector<std::byte>> smallFile(const Folder& folder, std::string_view name) {
    const auto source = folder.openFile(name);
    if (!source || (*source)->size() > kMaxSidecar) {
        return std::nullopt;
    }
    auto bytes = readRange(**source, {0, (*source)->size()});
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
}

bool isModelFolder(const Folder& folder) {
    if (const auto config = smallFile(folder, "config.json")) {
        const std::string_view text = asText(*config);
        return text.find("\"model_type\"") != text.npos ||
               text.find("\"architectures\"") != text.npos;
    }
    return folder.hasFile("tokenizer_config.json");
}

} // namespace

std::vector<Sidecar> findSidecars(const Checkpoint& source) {
    std::error_code error;
    std::filesystem::path place =
        std::filesystem::absolute(source.path(), error).lexically_normal();
    if (!std::filesystem::is_directory(place, error)) {
        place = place.parent_path();
    }
    std::vector<Sidecar> sidecars;
    for (int level = 0; level <= 2 && !place.empty(); ++level, place = place.parent_path()) {
        const auto folder = Folder::open(place);
        if (!folder || (level > 0 && !isModelFolder(**folder))) {
            continue;
        }
        for (const std::string_view name : kNames) {
            if ((name == kCard || name == kAdapterConfig) && level > 0) {
                continue; // a README of a run does not describe the model
            }
            const bool have =
                std::ranges::any_of(sidecars, [name](const Sidecar& s) { return s.name == name; });
            if (auto bytes = have ? std::nullopt : smallFile(**folder, name)) {
                sidecars.push_back({std::string(name), (place / name).string(), std::move(*bytes)});
            }
        }
    }
    return sidecars;
}

} // namespace cairn
