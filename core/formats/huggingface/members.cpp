// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/members.h"

#include "core/formats/huggingface/folder_kind.h"
#include "core/formats/huggingface/weight_names.h"
#include "core/model/names/shard_name.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::formats::huggingface {
namespace {

struct KnownState {
    std::string_view stem; ///< also followed by "_<number>"
    Role role;
    bool isBeside = false; ///< of a model or an adapter, in whatever format
};
constexpr auto kKnownStates = std::to_array<KnownState>({
    {"optimizer", Role::Optimizer},
    {"scheduler", Role::Scheduler},
    {"lr_scheduler", Role::Scheduler},
    {"rng_state", Role::Rng},
    {"random_states", Role::Rng},
    {"scaler", Role::TrainingState},
    {"training_args", Role::TrainingState},
    {"sampler", Role::TrainingState},
    {"dl_state_dict", Role::TrainingState},
    {"custom_checkpoint", Role::Other},
    {"model", Role::Weight}, // accelerate's second model: model_1.safetensors
    {"pytorch_model", Role::Weight},
    {"adapter_model", Role::Weight},
    {"non_lora_trainables", Role::Weight, true}, // LLaVA's projectors, trained with its adapter
});

const KnownState* knownState(std::string_view stem) {
    const auto found =
        std::ranges::find(kKnownStates, names::withoutNumber(stem), &KnownState::stem);
    return found == kKnownStates.end() ? nullptr : &*found;
}

/// "2_Dense": a module of a sentence-transformers model that has weights.
bool isNumberedModule(std::string_view name) {
    const std::size_t digits = name.find_first_not_of("0123456789");
    return digits != std::string_view::npos && digits > 0 && name[digits] == '_';
}

bool isDocument(std::string_view name) {
    return name == "config.json" || name == "trainer_state.json" || name == "model_index.json" ||
           (name.ends_with("_config.json") && name != "tokenizer_config.json");
}

void sortFolder(Members& members, const FolderEntry& entry) {
    const KnownState* known = knownState(entry.name);
    if (isFolderOfFsdpWeights(entry)) {
        members.states.push_back({entry.name, entry.name, Role::Weight, true, false, true});
    } else if (known != nullptr && known->role == Role::Optimizer) {
        members.states.push_back({entry.name, entry.name, Role::Optimizer, true, false, true});
    } else if (entry.name.starts_with("global_step")) {
        members.unread.push_back(entry.name);
    } else if (members.pipeline || (members.savedState && !members.weights) ||
               (members.modules && isNumberedModule(entry.name))) {
        const Role role = isAverageStem(entry.name) ? Role::Ema : Role::Weight;
        members.states.push_back({entry.name, entry.name, role, true, true, false});
    } else if (!hasPositionInName(entry.name) && !entry.name.starts_with('.')) {
        members.folders.push_back(entry.name);
    }
}

/// True for a complete file that may contain tensors other than the chosen ones. Files that are
/// copies by their name (shards, other frameworks' files, Mistral's and FSDP's) are not opened.
bool mayHoldOthers(const Members& members, std::string_view name) {
    const bool known = name.starts_with("consolidated") || name.starts_with("pytorch_model_fsdp");
    const bool beside = members.weights && !isAdapterSource(*members.weights);
    return !members.pipeline && !splitShardName(name) && !name.ends_with(".h5") &&
           !name.ends_with(".msgpack") && !(known && beside);
}

void sortFile(Members& members, const FolderEntry& entry) {
    const std::string stem = stemOf(entry.name);
    const KnownState* known = knownState(stem);
    const bool second = known != nullptr && names::withoutNumber(stem) != stem;
    const bool state =
        known != nullptr && (second || known->isBeside || known->role != Role::Weight);
    const bool adapter = members.adapter || (members.weights && isAdapterSource(*members.weights));
    members.trainer = members.trainer || entry.name == "trainer_state.json";
    if (isDocument(entry.name)) {
        members.documents.push_back(entry.name);
    } else if (stem == "adapter_model" && adapter && isPickleName(entry.name)) {
        members.copies.push_back(entry.name); // the same adapter in another format
    } else if (looksLikeWeights(entry.name) && !state) {
        const bool loose = mayHoldOthers(members, entry.name);
        (loose ? members.loose : members.copies).push_back(entry.name);
    } else if (isPickleName(entry.name) || extensionOf(entry.name) == ".safetensors") {
        const Role role = known != nullptr      ? known->role
                          : isAverageStem(stem) ? Role::Ema
                                                : Role::Other;
        members.states.push_back({entry.name, stem, role, false, false, known != nullptr});
        if (known != nullptr && role == Role::Rng && second) {
            ++members.ranks;
        }
    }
}

} // namespace

Members sortMembers(std::span<const FolderEntry> entries) {
    Members members;
    members.weights = chooseWeights(entries);
    if (members.weights) {
        members.adapter = adapterBeside(*members.weights, entries);
    }
    members.pipeline = hasEntry(entries, "model_index.json");
    members.modules = hasEntry(entries, "modules.json");
    members.savedState = isSavedState(entries);
    const auto& weights = members.weights;
    for (const FolderEntry& entry : entries) {
        const auto chosen = [&](const std::optional<WeightSource>& source) {
            return source && (source->index == entry.name ||
                              std::ranges::find(source->files, entry.name) != source->files.end());
        };
        if (chosen(weights) || chosen(members.adapter) || isIndexName(entry.name)) {
            continue;
        }
        if (entry.kind == EntryKind::Folder) {
            sortFolder(members, entry);
        } else {
            sortFile(members, entry);
        }
    }
    return members;
}

} // namespace cairn::formats::huggingface
