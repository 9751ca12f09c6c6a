// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch_folder/members.h"

#include "core/model/names/role_words.h"

#include <algorithm>
#include <array>

namespace cairn::formats::torch_folder {
namespace {

constexpr auto kEndings = std::to_array<std::string_view>(
    {".pt", ".pth", ".bin", ".ckpt", ".pkl", ".tar", ".safetensors"});
constexpr auto kModelStems = std::to_array<std::string_view>(
    {"model", "model_state", "model_state_dict", "model_weights", "net", "network", "lit_model"});

/// Data sets use these names, too: nanoGPT's train.bin and val.bin, a train.pkl.
constexpr auto kDataStems = std::to_array<std::string_view>({"train", "val", "valid", "test"});
constexpr auto kDataEndings = std::to_array<std::string_view>({".bin", ".pkl"});
constexpr std::string_view kCheckpoint = ".ckpt";
constexpr std::string_view kOlmoModel = "model_and_optim";
constexpr std::string_view kOlmoMeta = ".metadata.json";
constexpr std::string_view kTrain = "train"; ///< OLMo's train.pt; not sufficient as the only state

/// The role of a file beside the model's; empty: not training state.
std::optional<Role> roleOf(std::string_view stem) {
    return stem == kTrain ? Role::TrainingState : names::roleOfFile(stem);
}

/// Without the extension; empty if it is not one of torch's.
std::string_view stemOf(std::string_view name) {
    for (const std::string_view ending : kEndings) {
        if (name.size() > ending.size() && name.ends_with(ending)) {
            return name.substr(0, name.size() - ending.size());
        }
    }
    return {};
}

bool isData(std::string_view name, std::string_view stem) {
    return std::ranges::find(kDataStems, stem) != kDataStems.end() &&
           std::ranges::any_of(kDataEndings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

/// File extensions of torch.save.
bool isTrain(std::string_view name) {
    return name == "train.pt" || name == "train.pth";
}

bool hasEntry(std::span<const FolderEntry> entries, std::string_view name, EntryKind kind) {
    return std::ranges::any_of(entries, [&](const FolderEntry& entry) {
        return entry.name == name && entry.kind == kind;
    });
}

void sortNaturally(std::vector<StateFile>& states) {
    std::ranges::sort(
        states, [](const StateFile& a, const StateFile& b) { return naturalLess(a.name, b.name); });
}

std::optional<Members> speechBrainMembers(std::span<const FolderEntry> entries) {
    Members members{Evidence::SpeechBrain, {}, {}};
    for (const FolderEntry& entry : entries) {
        if (entry.kind != EntryKind::File || entry.name.starts_with('.') ||
            entry.name.size() <= kCheckpoint.size() || !entry.name.ends_with(kCheckpoint)) {
            continue;
        }
        const std::string stem = entry.name.substr(0, entry.name.size() - kCheckpoint.size());
        if (stem == kModelStems.front()) {
            members.model = entry.name;
            continue;
        }
        members.states.push_back({entry.name, stem, roleOf(stem)});
    }
    sortNaturally(members.states);
    return members.model.empty() && members.states.empty() ? std::nullopt
                                                           : std::optional(std::move(members));
}

} // namespace

std::vector<StateFile> ranksOfTrain(std::span<const FolderEntry> entries) {
    std::vector<StateFile> states;
    for (const FolderEntry& entry : entries) {
        const std::string_view stem = stemOf(entry.name);
        if (entry.kind == EntryKind::File && stem.starts_with("rank")) {
            states.push_back({std::string(kOlmoTrain) + "/" + entry.name,
                              std::string(kOlmoTrain) + "_" + std::string(stem),
                              Role::TrainingState});
        }
    }
    sortNaturally(states);
    return states;
}

std::optional<Members> sortMembers(std::span<const FolderEntry> entries) {
    if (hasEntry(entries, kSpeechBrainMeta, EntryKind::File)) {
        return speechBrainMembers(entries);
    }
    if (hasEntry(entries, kOlmoModel, EntryKind::Folder) &&
        hasEntry(entries, kOlmoTrain, EntryKind::Folder) &&
        hasEntry(entries, kOlmoMeta, EntryKind::File)) {
        return Members{Evidence::OlmoCore, std::string(kOlmoModel), {}};
    }
    Members members;
    for (const FolderEntry& entry : entries) {
        const std::string_view stem =
            entry.name.starts_with('.') ? std::string_view() : stemOf(entry.name);
        if (stem.empty() || entry.kind == EntryKind::Folder || isData(entry.name, stem)) {
            continue;
        }
        const auto role = roleOf(stem);
        const bool model = std::ranges::find(kModelStems, stem) != kModelStems.end();
        if (entry.kind != EntryKind::File || (model && !members.model.empty()) ||
            (!model && (!role || (stem == kTrain && !isTrain(entry.name))))) {
            return std::nullopt;
        }
        if (model) {
            members.model = entry.name;
        } else {
            members.states.push_back({entry.name, std::string(stem), role});
        }
    }
    const bool states = std::ranges::any_of(
        members.states, [](const StateFile& state) { return !isTrain(state.name); });
    if (members.model.empty() || !states) {
        return std::nullopt;
    }
    sortNaturally(members.states);
    return members;
}

} // namespace cairn::formats::torch_folder
