// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/file_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::size_t kMaxDigits = 9;

/// The numbers at '#' in `pattern`, if the rest matches the name.
std::optional<std::vector<Rank>> numbersIn(std::string_view name, std::string_view pattern) {
    std::vector<Rank> numbers;
    for (const char c : pattern) {
        if (c != '#') {
            if (!name.starts_with(c)) {
                return std::nullopt;
            }
            name.remove_prefix(1);
            continue;
        }
        const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
        Rank number = 0;
        if (digits == 0 || digits > kMaxDigits) {
            return std::nullopt;
        }
        std::from_chars(name.data(), name.data() + digits, number);
        name.remove_prefix(digits);
        numbers.push_back(number);
    }
    return name.empty() ? std::optional(std::move(numbers)) : std::nullopt;
}

enum class Number : std::uint8_t { DataRank, ModelRank, Layer, Expert };

struct FilePattern {
    std::string_view text; ///< '#' represents a number
    FileKind kind;
    std::array<Number, 3> numbers; ///< the meaning of each number, in order
    std::string_view prefix = {};  ///< FileName::prefix
};

constexpr auto kPatterns = std::to_array<FilePattern>({
    {"mp_rank_#_model_states.pt", FileKind::Model, {Number::ModelRank}},
    {"zero_pp_rank_#_mp_rank_#_model_states.pt",
     FileKind::Model,
     {Number::DataRank, Number::ModelRank}},
    {"zero_pp_rank_#_mp_rank_#_optim_states.pt",
     FileKind::Optimizer,
     {Number::DataRank, Number::ModelRank}},
    {"bf16_zero_pp_rank_#_mp_rank_#_optim_states.pt",
     FileKind::Optimizer,
     {Number::DataRank, Number::ModelRank},
     "bf16_"},
    {"fp16_zero_pp_rank_#_mp_rank_#_optim_states.pt",
     FileKind::Optimizer,
     {Number::DataRank, Number::ModelRank},
     "fp16_"},
    {"layer_#-model_states.pt", FileKind::Layer, {Number::Layer}},
    {"layer_#-model_#-model_states.pt", FileKind::Layer, {Number::Layer, Number::ModelRank}},
    {"layer_#_expert_#_mp_rank_#_model_states.pt",
     FileKind::Expert,
     {Number::Layer, Number::Expert, Number::ModelRank}},
    {"expert_#_mp_rank_#_model_states.pt", FileKind::Expert, {Number::Expert, Number::ModelRank}},
    {"expp_rank_#_mp_rank_#_optim_states.pt",
     FileKind::ExpertOptimizer,
     {Number::Expert, Number::ModelRank}},
});

void setNumber(FileName& file, Number which, Rank value) {
    switch (which) {
    case Number::DataRank:
        file.dp = value;
        break;
    case Number::ModelRank:
        file.mp = value;
        break;
    case Number::Layer:
        file.layer = value;
        break;
    case Number::Expert:
        file.expert = value;
        break;
    }
}

void addTo(FileSet& files, FileName file) {
    RankFiles& rank = files.ranks[file.mp];
    auto& place = file.kind == FileKind::Model ? rank.models : rank.optimizers;
    const Rank dp = file.dp.value_or(0);
    files.partitioned = files.partitioned || (file.kind == FileKind::Model && file.dp);
    const auto [slot, isNew] = place.try_emplace(dp, file);
    if (!isNew) { // saved once with bf16 and once without: the newer one is used
        if (slot->second.modifiedNs < file.modifiedNs) {
            std::swap(slot->second, file);
        }
        files.others.push_back(std::move(file));
    }
}

bool isTemporary(std::string_view name) {
    const std::size_t end = name.rfind(".pt");
    return end != std::string_view::npos && end + 3 < name.size() &&
           parseFileName(name.substr(0, end + 3)).has_value();
}

} // namespace

std::optional<FileName> parseFileName(std::string_view name) {
    if (!name.ends_with("_states.pt")) {
        return std::nullopt;
    }
    for (const FilePattern& pattern : kPatterns) {
        const auto numbers = numbersIn(name, pattern.text);
        if (!numbers) {
            continue;
        }
        FileName file;
        file.kind = pattern.kind;
        file.name = name;
        file.prefix = pattern.prefix;
        for (std::size_t i = 0; i < numbers->size(); ++i) {
            setNumber(file, pattern.numbers[i], (*numbers)[i]);
        }
        return file;
    }
    return std::nullopt;
}

bool isTagFolder(std::span<const FolderEntry> entries) {
    return std::ranges::any_of(entries, [](const FolderEntry& entry) {
        return entry.kind != EntryKind::Folder && parseFileName(entry.name).has_value();
    });
}

bool isOwnSave(std::span<const FolderEntry> entries) {
    return isTagFolder(entries) && std::ranges::none_of(entries, [](const FolderEntry& entry) {
               return entry.kind == EntryKind::Folder && entry.name == "zero";
           });
}

FileSet sortFiles(std::span<const FolderEntry> entries) {
    FileSet files;
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Folder) {
            files.universal = files.universal || entry.name == "zero";
            continue;
        }
        auto file = parseFileName(entry.name);
        if (!file) {
            if (isTemporary(entry.name)) {
                files.temporary.push_back(entry.name);
            }
            continue;
        }
        file->modifiedNs = entry.identity.mtimeNs;
        switch (file->kind) {
        case FileKind::Model:
        case FileKind::Optimizer:
            addTo(files, std::move(*file));
            break;
        case FileKind::Layer:
            files.layers.push_back(std::move(*file));
            break;
        case FileKind::Expert:
            files.experts.push_back(std::move(*file));
            break;
        case FileKind::ExpertOptimizer:
            files.expertOptimizers.push_back(std::move(*file));
            break;
        }
    }
    return files;
}

std::string twoDigits(Rank rank) {
    return (rank < 10 ? "0" : "") + std::to_string(rank);
}

std::optional<std::int64_t> stepOfTag(std::string_view tag) {
    constexpr std::string_view kTagWord = "global_step";
    std::int64_t step = 0;
    if (!tag.starts_with(kTagWord)) {
        return std::nullopt;
    }
    const std::string_view digits = tag.substr(kTagWord.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    return whole ? std::optional(step) : std::nullopt;
}

} // namespace cairn::formats::deepspeed
