// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/shard_names.h"

#include "core/base/ascii.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn::formats::numpy_shards {
namespace {

using names::Meaning;
using names::means;
using names::wordBefore;

constexpr std::uint32_t kMaxNumber = 1'000'000;

// Words for a complete model, which need no prefix.
constexpr auto kPlainWords = std::to_array<std::string_view>(
    {"model", "weights", "weight", "params", "param", "parameters", "state", "state_dict",
     "tensors", "arrays", "variables", "vars", "checkpoint", "ckpt", "data", ""});
// Names of files by content, in addition to those of training state (role_words.h).
constexpr auto kContentWords = std::to_array<std::string_view>(
    {"model", "weights", "params", "parameters", "variables", "buffers", "batch_stats", "state",
     "extra", "meta", "metadata", "encoder", "decoder", "embeddings", "head"});

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

std::optional<std::uint32_t> numberOf(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value <= kMaxNumber
               ? std::optional(value)
               : std::nullopt;
}

std::string_view arraySuffix(std::string_view name) {
    const bool array = name.size() > 4 && (name.ends_with(".npz") || name.ends_with(".npy"));
    return array ? name.substr(name.size() - 4) : std::string_view();
}

/// The last run first.
std::vector<names::DigitRun> runsOfDigits(std::string_view stem) {
    std::vector<names::DigitRun> runs = names::digitRuns(stem);
    std::ranges::reverse(runs);
    return runs;
}

/// "-of-", "_of_", "of": the separator between an index and a count.
bool isOfWord(std::string_view between) {
    const bool plain =
        std::ranges::all_of(between, [](char c) { return isLetter(c) || names::isSeparator(c); });
    const std::vector<std::string> words = names::wordsOf(between);
    return plain && words.size() == 1 && words.front() == "of" && between.size() <= 6;
}

bool isTemporary(std::string_view name) {
    return name.starts_with('.') || name.starts_with("tmp") ||
           name.find(".tmp") != std::string_view::npos;
}

int manifestRank(std::string_view name) {
    if (name == "manifest.json") {
        return 0;
    }
    const bool index = name == "index.json" || name.ends_with(".index.json");
    if (index || name == "shards.json" || name.find("manifest") != std::string_view::npos) {
        return 1;
    }
    const bool likely = name.find("shard") != std::string_view::npos ||
                        name.find("index") != std::string_view::npos ||
                        name.find("layout") != std::string_view::npos ||
                        name.find("placement") != std::string_view::npos ||
                        name.find("checksum") != std::string_view::npos;
    if (likely) {
        return 2;
    }
    return name == "metadata.json" || name == "meta.json" || name == "checkpoint.json" ? 3 : -1;
}

bool isOtherModel(std::string_view name) {
    constexpr auto kEndings =
        std::to_array<std::string_view>({".pt", ".pth", ".ckpt", ".safetensors", ".bin", ".h5",
                                         ".keras", ".gguf", ".msgpack", ".distcp", ".metadata"});
    return std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

} // namespace

std::optional<NumberedName> splitNumberedName(std::string_view name) {
    const std::string_view suffix = arraySuffix(name);
    if (suffix.empty()) {
        return std::nullopt;
    }
    const std::string_view stem = name.substr(0, name.size() - suffix.size());
    const std::vector<names::DigitRun> runs = runsOfDigits(stem);
    NumberedName parts;
    parts.suffix = suffix;
    const auto take = [&](const names::DigitRun& run) {
        const auto number = numberOf(stem.substr(run.begin, run.end - run.begin));
        parts.before = stem.substr(0, run.begin);
        parts.after = stem.substr(run.end);
        parts.width = run.end - run.begin;
        parts.number = number.value_or(0);
        return number.has_value();
    };
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
        const std::string_view between =
            stem.substr(runs[i + 1].end, runs[i].begin - runs[i + 1].end);
        const auto count = numberOf(stem.substr(runs[i].begin, runs[i].end - runs[i].begin));
        if (isOfWord(between) && count && *count > 0 && take(runs[i + 1])) {
            parts.count = *count;
            parts.between = between;
            parts.countWidth = runs[i].end - runs[i].begin;
            parts.after = stem.substr(runs[i].end);
            parts.sure = true;
            return parts;
        }
    }
    for (const names::DigitRun& run : runs) {
        const std::string word = wordBefore(stem, run.begin);
        const bool part =
            means(word, Meaning::Part) || (suffix == ".npz" && means(word, Meaning::Layer));
        if (part && take(run)) {
            parts.sure = true;
            return parts;
        }
    }
    const bool last = !runs.empty() && runs.front().end == stem.size();
    if (last && means(wordBefore(stem, runs.front().begin), Meaning::Weights) &&
        take(runs.front())) {
        return parts;
    }
    return std::nullopt;
}

std::string numberedName(const NumberedName& like, std::uint32_t number) {
    const auto padded = [](std::uint32_t value, std::size_t width) {
        const std::string digits = std::to_string(value);
        return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
    };
    std::string name = like.before + padded(number, like.width);
    if (like.count > 0) {
        name += like.between + padded(like.count, like.countWidth);
    }
    return name + like.after + like.suffix;
}

std::optional<std::int64_t> positionIn(std::string_view name) {
    for (const names::DigitRun& run : runsOfDigits(name)) {
        const auto number =
            numberOf(name.substr(run.begin, std::min<std::size_t>(run.end - run.begin, 18)));
        if (means(wordBefore(name, run.begin), Meaning::Series)) {
            return number.value_or(kMaxNumber);
        }
    }
    return std::nullopt;
}

std::uint32_t ShardGroup::first() const {
    const std::uint32_t least = files.begin()->first;
    const std::uint32_t most = files.rbegin()->first;
    if (like.count > 0) {
        return least == 0 || most < like.count ? (least == 0 ? 0 : 1) : 1;
    }
    return least <= 1 ? least : 0;
}

std::uint32_t ShardGroup::end() const {
    const std::uint32_t beyond = files.rbegin()->first + 1;
    return like.count > 0 ? std::max(first() + like.count, beyond) : beyond;
}

std::string ShardGroup::role() const {
    std::string_view text = like.before;
    while (!text.empty() && names::isSeparator(text.back())) {
        text.remove_suffix(1);
    }
    const std::string last = wordBefore(text, text.size());
    if (means(last, Meaning::Part) || means(last, Meaning::Layer)) {
        text.remove_suffix(last.size());
    }
    while (!text.empty() && names::isSeparator(text.back())) {
        text.remove_suffix(1);
    }
    if (position) { // in "step_100_shard" the step is not part of the base
        return {};
    }
    return isWeightsWord(text) ? std::string() : std::string(text);
}

FolderNames sortNames(std::span<const FolderEntry> entries) {
    FolderNames names;
    std::map<std::string, ShardGroup> groups;
    std::vector<std::pair<int, std::string>> manifests;
    for (const FolderEntry& entry : entries) {
        const bool file = entry.kind == EntryKind::File || entry.kind == EntryKind::Link;
        if (!file || isTemporary(entry.name)) {
            continue;
        }
        if (entry.name.ends_with(".json")) {
            const int rank = manifestRank(entry.name);
            if (rank >= 0) {
                manifests.emplace_back(rank, entry.name);
            } else {
                names.documents.push_back(entry.name);
            }
            continue;
        }
        names.otherModels = names.otherModels || isOtherModel(entry.name);
        if (arraySuffix(entry.name).empty()) {
            continue;
        }
        auto parts = splitNumberedName(entry.name);
        if (!parts) {
            names.singles.push_back(entry);
            continue;
        }
        const std::string key = parts->before + '\0' + parts->between +
                                std::to_string(parts->count) + '\0' + parts->after + parts->suffix;
        ShardGroup& group = groups[key];
        if (!group.files.emplace(parts->number, entry).second) {
            names.singles.push_back(entry); // for example "shard_1" beside "shard_01"
            continue;
        }
        group.newest = std::max(group.newest, entry.identity.mtimeNs);
        group.position = positionIn(parts->before + "#" + parts->after);
        group.like = std::move(*parts);
    }
    for (auto& [key, group] : groups) {
        // A bare number counts parts only if the numbers have no gap.
        const bool row = group.files.size() > 1 && group.whole() && group.like.width > 1;
        if (group.like.sure || row) {
            names.groups.push_back(std::move(group));
        } else {
            for (auto& [number, entry] : group.files) {
                names.singles.push_back(std::move(entry));
            }
        }
    }
    std::ranges::stable_sort(manifests, {}, &std::pair<int, std::string>::first);
    for (auto& [rank, name] : manifests) {
        names.manifests.push_back(std::move(name));
    }
    return names;
}

bool isOneCheckpoint(const FolderNames& names) {
    const auto stem = [](const FolderEntry& entry) {
        return std::string_view(entry.name).substr(0, entry.name.size() - 4);
    };
    const bool steps = std::ranges::any_of(names.singles, [&](const FolderEntry& entry) {
        return positionIn(stem(entry)).has_value();
    });
    const bool manifest = !names.manifests.empty() && manifestRank(names.manifests.front()) <= 1;
    if (!names.groups.empty()) {
        return manifest || !names.otherModels;
    }
    if (names.singles.empty() || steps) {
        return false;
    }
    if (manifest) {
        return true;
    }
    if (names.singles.size() < 2 || names.otherModels) {
        return false;
    }
    const bool contents = std::ranges::all_of(names.singles, [&](const FolderEntry& entry) {
        return isOneOf(kContentWords, stem(entry)) || names::roleOfFile(stem(entry)) ||
               names::roleOfKey(stem(entry));
    });
    const bool arrays = std::ranges::all_of(
        names.singles, [&](const FolderEntry& entry) { return entry.name.ends_with(".npy"); });
    const bool data = std::ranges::any_of(names.singles, [&](const FolderEntry& entry) {
        const std::string last = wordBefore(stem(entry), stem(entry).size());
        return means(last, Meaning::Data) ||
               means(stem(entry).substr(0, stem(entry).find_first_of("_-.")), Meaning::Data);
    });
    return contents || (arrays && !data);
}

std::string shardLabel(const NumberedName& name) {
    std::size_t begin = name.before.size();
    while (begin > 0 && names::isSeparator(name.before[begin - 1])) {
        --begin;
    }
    const std::size_t end = begin;
    while (begin > 0 && isLetter(name.before[begin - 1])) {
        --begin;
    }
    const std::string digits = std::to_string(name.number);
    const std::string padded =
        std::string(name.width > digits.size() ? name.width - digits.size() : 0, '0') + digits;
    const std::string word = begin == end ? "shard" : name.before.substr(begin, end - begin);
    return word + "_" + padded;
}

bool isWeightsWord(std::string_view word) {
    return isOneOf(kPlainWords, word);
}

} // namespace cairn::formats::numpy_shards
