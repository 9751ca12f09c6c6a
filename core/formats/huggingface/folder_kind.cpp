// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/folder_kind.h"

#include "core/formats/huggingface/weight_names.h"
#include "core/formats/huggingface/weight_source.h"
#include "core/model/names/shard_name.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <set>

namespace cairn::formats::huggingface {
namespace {

constexpr std::string_view kAdapterConfig = "adapter_config.json";

/// "run_3_b" -> "run_#_b".
std::string withoutNumbers(std::string_view name) {
    std::string like;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || !like.ends_with('#')) {
            like += digit ? '#' : c;
        }
    }
    return like;
}

/// The output folder of a Trainer after save_state(): its checkpoints, and neither weights nor an
/// optimizer of its own.
bool isRunOfCheckpoints(std::span<const FolderEntry> entries) {
    const bool hasCheckpoints = std::ranges::any_of(entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::Folder && entry.name.starts_with("checkpoint-") &&
               hasPositionInName(entry.name);
    });
    return hasCheckpoints && !chooseWeights(entries) && !hasEntry(entries, "optimizer.pt") &&
           !hasEntry(entries, "optimizer.bin");
}

} // namespace

bool hasEntry(std::span<const FolderEntry> entries, std::string_view name) {
    return std::ranges::any_of(entries,
                               [&](const FolderEntry& entry) { return entry.name == name; });
}

bool isSavedState(std::span<const FolderEntry> entries) {
    return hasEntry(entries, "random_states_0.pkl") && !hasEntry(entries, "latest") &&
           !hasEntry(entries, "latest_checkpointed_iteration.txt");
}

bool hasPositionInName(std::string_view name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits == name.size()) {
        return name.starts_with("checkpoint-"); // "checkpoint-best"
    }
    const std::string word = names::wordBefore(name, digits);
    return names::means(word, names::Meaning::Position) ||
           names::means(word, names::Meaning::Epoch);
}

bool isFolderOfFsdpWeights(const FolderEntry& entry) {
    return entry.kind == EntryKind::Folder && entry.name.starts_with("pytorch_model_fsdp_");
}

bool isHuggingFaceFolder(std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) { return hasEntry(entries, name); };
    if (has(".metadata")) {
        return false; // a distributed checkpoint with a model's configuration
    }
    if ((has("trainer_state.json") && !isRunOfCheckpoints(entries)) || has("model_index.json") ||
        has("config_sentence_transformers.json") || isSavedState(entries) ||
        std::ranges::any_of(entries, isFolderOfFsdpWeights) ||
        std::ranges::any_of(entries,
                            [](const FolderEntry& entry) { return isIndexName(entry.name); })) {
        return true;
    }
    const auto weights = chooseWeights(entries);
    // Shards without an index are opened by the safetensors reader, unless there is a model's
    // configuration. Pickled ones have no other reader, and a single one would look like a complete
    // checkpoint.
    return weights && (weights->expectedIndex.empty() || has("config.json") ||
                       (isPickleName(weights->files.front()) &&
                        isModelName(splitShardName(weights->files.front())->base)));
}

std::optional<std::string> pickledShard(std::span<const FolderEntry> entries) {
    const auto weights = chooseWeights(entries);
    const bool bare = weights && !weights->expectedIndex.empty();
    return bare && isPickleName(weights->files.front()) ? std::optional(weights->files.front())
                                                        : std::nullopt;
}

bool isAdapterFolder(std::span<const FolderEntry> entries) {
    return hasEntry(entries, kAdapterConfig) &&
           std::ranges::all_of(entries, [](const FolderEntry& entry) {
               return entry.name.starts_with('.') ||
                      (entry.kind != EntryKind::Folder && entry.name.starts_with("adapter_"));
           });
}

bool mayHoldAdaptersOnly(std::span<const FolderEntry> entries) {
    std::size_t folders = 0;
    std::set<std::string> patterns;
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Folder && !entry.name.starts_with('.')) {
            ++folders;
            if (hasPositionInName(entry.name)) {
                return false;
            }
            patterns.insert(withoutNumbers(entry.name));
        } else if (entry.name != "README.md" && !entry.name.starts_with('.')) {
            return false;
        }
    }
    return folders > 0 && (folders == 1 || patterns.size() > 1);
}

} // namespace cairn::formats::huggingface
