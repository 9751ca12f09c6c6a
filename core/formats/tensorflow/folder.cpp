// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/folder.h"

#include "core/base/endian.h"
#include "core/formats/tensorflow/bundle.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/saver_v1.h"
#include "core/formats/tensorflow/state_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace cairn::formats::tensorflow {
namespace {

constexpr std::uint64_t kMaxStateFile = std::uint64_t{16} << 20U;
constexpr std::size_t kMaxTries =
    16; // damaged checkpoints to try before the newest is shown although damaged

constexpr std::string_view kGraphSuffix = ".meta";
constexpr std::string_view kDataMiddle = ".data-"; // also in the names of temporary shards

std::string_view withoutIndexSuffix(std::string_view name) {
    return name.substr(0, name.size() - kIndexSuffix.size());
}

/// "ckpt-5" for "ckpt-5.data-00000-of-00002" and "ckpt-5.meta", which identify a checkpoint only by
/// prefix; empty for other names.
std::string_view prefixBeside(std::string_view name) {
    const std::size_t end =
        name.ends_with(kGraphSuffix) ? name.size() - kGraphSuffix.size() : name.rfind(kDataMiddle);
    return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

/// One checkpoint of a folder.
struct Choice {
    std::string prefix;
    std::string oldFile;      ///< V1: the file to open, because there is no index
    std::string stem;         ///< "ckpt-" of "ckpt-12"
    std::uint64_t number = 0; ///< 12
    bool numbered = false;
    std::int64_t mtimeNs = 0;
};

Choice choiceOf(const FolderEntry& file, std::string_view prefix) {
    Choice choice;
    choice.prefix = prefix;
    choice.mtimeNs = file.identity.mtimeNs;
    const std::size_t last = choice.prefix.find_last_not_of("0123456789");
    const std::size_t at = last == std::string::npos ? 0 : last + 1;
    choice.stem = choice.prefix.substr(0, at);
    const char* end = choice.prefix.data() + choice.prefix.size();
    const auto parsed = std::from_chars(choice.prefix.data() + at, end, choice.number);
    choice.numbered = parsed.ec == std::errc() && parsed.ptr == end;
    return choice;
}

/// Prefixes with both an index and a shard.
std::vector<Choice> choicesOf(std::span<const FolderEntry> entries) {
    std::set<std::string_view> sharded;
    for (const FolderEntry& entry : entries) {
        if (const auto shard = parseShardFile(entry.name)) {
            sharded.insert(shard->prefix);
        }
    }
    std::vector<Choice> choices;
    for (const FolderEntry& entry : entries) {
        const bool isIndex = entry.kind != EntryKind::Folder &&
                             entry.name.size() > kIndexSuffix.size() &&
                             entry.name.ends_with(kIndexSuffix);
        const std::string_view prefix =
            isIndex ? withoutIndexSuffix(entry.name) : std::string_view();
        if (sharded.contains(prefix)) {
            choices.push_back(choiceOf(entry, prefix));
        }
    }
    return choices;
}

/// "model.ckpt-12": the usual form of users' names, with the step after a hyphen.
bool isCheckpointPrefix(std::string_view prefix) {
    const std::size_t last = prefix.find_last_not_of("0123456789");
    return prefix.find("ckpt") != std::string_view::npos && last != std::string_view::npos &&
           last + 1 < prefix.size() && prefix[last] == '-';
}

/// Checkpoints of Saver(write_version=V1). In a list of entries only names identify them: of
/// shards, of the graph ("<prefix>.meta"), and the state file "checkpoint".
std::vector<Choice> oldChoicesOf(std::span<const FolderEntry> entries) {
    std::set<std::string_view> names;
    for (const FolderEntry& entry : entries) {
        if (entry.kind != EntryKind::Folder) {
            names.insert(entry.name);
        }
    }
    const bool hasState = names.contains("checkpoint");
    std::vector<Choice> choices;
    std::set<std::string_view> seen;
    for (const std::string_view name : names) {
        const auto shard = parseV1Shard(name);
        const std::string_view prefix = shard ? shard->prefix : name;
        const int signs = int{hasState} + int{isCheckpointPrefix(prefix)} +
                          int{names.contains(std::string(prefix) + ".meta")} +
                          int{shard.has_value()};
        if (signs < 2 || name.ends_with(".meta") || parseShardFile(name) ||
            !seen.insert(prefix).second) {
            continue;
        }
        const auto entry = std::ranges::find(entries, name, &FolderEntry::name);
        choices.push_back(choiceOf(*entry, prefix));
        choices.back().oldFile = name;
    }
    return choices;
}

/// Newest first: by number if all are numbered in the same way (times change when files are
/// copied), else by time.
void sortNewestFirst(std::vector<Choice>& choices) {
    const bool alike = std::ranges::all_of(choices, [&](const Choice& choice) {
        return choice.numbered && choice.stem == choices.front().stem;
    });
    std::ranges::stable_sort(choices, [&](const Choice& a, const Choice& b) {
        return alike ? a.number > b.number : a.mtimeNs > b.mtimeNs;
    });
}

std::optional<StateFile> readState(const Folder& folder) {
    const auto source = folder.openFile("checkpoint");
    if (!source || (*source)->size() > kMaxStateFile) {
        return std::nullopt;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    return bytes ? parseStateFile(asText(*bytes)) : std::nullopt;
}

/// Compares the state file with the existing checkpoints.
std::vector<Notice> assessState(const std::optional<StateFile>& state,
                                const std::vector<Choice>& choices, const std::string& chosen) {
    std::vector<Notice> notices;
    if (!state || state->newest.empty()) {
        return notices;
    }
    // For V1 shards it contains a pattern: "ckpt-5-?????-of-00002".
    const std::string newest = state->newest.substr(0, state->newest.find("-\?\?\?\?\?-of-"));
    const bool there =
        std::ranges::any_of(choices, [&](const Choice& choice) { return choice.prefix == newest; });
    if (!there) {
        notices.push_back({Severity::Error, fail(ErrorCode::DanglingPointer,
                                                 "The state file names a missing checkpoint")
                                                .inFile("checkpoint")
                                                .inField("model_checkpoint_path")
                                                .butFound(verbatim(state->newest))});
    } else if (newest != chosen) {
        notices.push_back(
            {Severity::Warning, fail(ErrorCode::BadIndex,
                                     "The state file does not name the newest complete checkpoint")
                                    .inFile("checkpoint")
                                    .inField("model_checkpoint_path")
                                    .butFound(verbatim(state->newest))
                                    .expecting(verbatim(chosen))});
    }
    return notices;
}

/// Reports leftovers of interrupted saves in this folder: "ckpt-1_temp/",
/// "ckpt-1.data-00000-of-00001.tempstate…".
void nameLeftovers(std::span<const FolderEntry> entries, std::vector<Notice>& notices) {
    for (const FolderEntry& entry : entries) {
        const bool folder = entry.kind == EntryKind::Folder && entry.name.ends_with("_temp");
        const bool known = std::ranges::any_of(
            notices, [&](const Notice& notice) { return notice.error.where.file == entry.name; });
        if ((folder || entry.name.find(".tempstate") != std::string::npos) && !known) {
            notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::StrayFile, "The file is left over from an unfinished save")
                     .inFile(entry.name)
                     .withHint("It is not read; it can be removed when no save is running")});
        }
    }
}

CheckpointData newData(std::filesystem::path path) {
    CheckpointData data;
    data.format = "tensorflow";
    data.framework = "tensorflow";
    data.path = std::move(path);
    return data;
}

Result<CheckpointData> readPrefix(const OpenRequest& request, const std::string& prefix,
                                  std::filesystem::path path) {
    CheckpointData data = newData(std::move(path));
    BundleReader reader(data, request.folder, request.cancel);
    CAIRN_CHECK(reader.add(prefix));
    reader.finish();
    return data;
}

Result<CheckpointData> readChoice(const OpenRequest& request, const Choice& choice,
                                  std::filesystem::path path) {
    if (choice.oldFile.empty()) {
        return readPrefix(request, choice.prefix, std::move(path));
    }
    OpenRequest inner = request;
    inner.name = choice.oldFile;
    inner.path = std::move(path);
    return readSaverV1(inner);
}

Result<CheckpointPtr> openNewest(const OpenRequest& request, std::vector<Choice> choices) {
    sortNewestFirst(choices);
    const auto state = readState(*request.folder);
    std::optional<Result<CheckpointData>> first;
    for (std::size_t i = 0; i < std::min(choices.size(), kMaxTries); ++i) {
        const std::string& prefix = choices[i].prefix;
        auto data = readChoice(request, choices[i],
                               choices.size() > 1 ? request.path / prefix : request.path);
        CAIRN_CHECK(request.cancel.check());
        if (data && data->completeness == Completeness::Complete) {
            std::ranges::move(assessState(state, choices, prefix),
                              std::back_inserter(data->notices));
            nameLeftovers(request.entries, data->notices);
            return Checkpoint::make(std::move(*data));
        }
        if (!first) {
            first = std::move(data);
        }
    }
    if (!first) {
        return fail(ErrorCode::NotACheckpoint, "No index of a TensorFlow checkpoint in this folder")
            .inFile(request.path.string());
    }
    if (!*first) {
        return std::move(*first).error();
    }
    return Checkpoint::make(std::move(**first));
}

Result<CheckpointPtr> openParts(const OpenRequest& request) {
    CheckpointData data = newData(request.path);
    BundleReader reader(data, request.folder, request.cancel, true);
    for (const FolderEntry& entry : request.entries) {
        if (!isPartIndex(entry.name)) {
            continue;
        }
        const std::string prefix(withoutIndexSuffix(entry.name));
        if (auto added = reader.add(prefix); !added) {
            CAIRN_CHECK(request.cancel.check());
            reader.incomplete(sentence("The index of a part cannot be read: %1", entry.name));
            reader.note(Severity::Error, std::move(added).error());
        }
    }
    reader.incomplete("The parts of the workers have not been merged");
    reader.note(
        Severity::Error,
        fail(ErrorCode::BeingWritten,
             "The checkpoint was being written; its parts have not been merged")
            .inFile(request.path.filename().string())
            .withHint(
                "If no save is running, the save was interrupted; use the previous checkpoint"));
    reader.finish();
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> openSavedModel(const OpenRequest& request) {
    if (request.folder->hasFile("variables/variables.index")) {
        CAIRN_TRY(CheckpointData data, readPrefix(request, "variables/variables", request.path));
        return Checkpoint::make(std::move(data));
    }
    CheckpointData data = newData(request.path);
    data.completeness = Completeness::Unknown;
    data.why.emplace_back("The model has no variables, or they were not copied with it");
    return Checkpoint::make(std::move(data));
}

} // namespace

FolderKind folderKind(std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(entries,
                                   [&](const FolderEntry& entry) { return entry.name == name; });
    };
    if (has("saved_model.pb") || (has("saved_model.pbtxt") && has("variables"))) {
        return FolderKind::SavedModel;
    }
    if (std::ranges::any_of(entries,
                            [](const FolderEntry& entry) { return isPartIndex(entry.name); })) {
        return FolderKind::Parts;
    }
    const bool indexed = std::ranges::any_of(
        entries, [](const FolderEntry& entry) { return entry.name.ends_with(kIndexSuffix); });
    if (indexed && !choicesOf(entries).empty()) {
        return FolderKind::Prefixes;
    }
    return oldChoicesOf(entries).empty() ? FolderKind::Other : FolderKind::OldPrefixes;
}

std::vector<NamedSave> savesIn(std::span<const FolderEntry> entries) {
    std::map<std::string_view, NamedSave> saves;
    for (const FolderEntry& entry : entries) {
        const std::string_view name = entry.name;
        const auto shard = parseV1Shard(name);
        const std::string_view prefix = shard                          ? shard->prefix
                                        : name.ends_with(kIndexSuffix) ? withoutIndexSuffix(name)
                                                                       : std::string_view();
        if (prefix.empty() || entry.kind == EntryKind::Folder || isPartIndex(name)) {
            continue;
        }
        std::vector<std::string>& files =
            saves.try_emplace(prefix, NamedSave{std::string(prefix), {}, true}).first->second.files;
        // the index first
        files.insert(shard ? files.end() : files.begin(), entry.name);
    }
    for (const FolderEntry& entry : entries) {
        const auto save =
            entry.kind == EntryKind::Folder ? saves.end() : saves.find(prefixBeside(entry.name));
        if (save != saves.end()) {
            save->second.files.push_back(entry.name);
        }
    }
    std::vector<NamedSave> all;
    for (auto& [prefix, save] : saves) {
        all.push_back(std::move(save));
    }
    return all;
}

Result<CheckpointPtr> openPrefix(const OpenRequest& request, const std::string& prefix,
                                 std::filesystem::path path) {
    CAIRN_TRY(CheckpointData data, readPrefix(request, prefix, std::move(path)));
    return Checkpoint::make(std::move(data));
}

Result<CheckpointPtr> openFolder(const OpenRequest& request) {
    switch (folderKind(request.entries)) {
    case FolderKind::SavedModel:
        return openSavedModel(request);
    case FolderKind::Parts:
        return openParts(request);
    case FolderKind::OldPrefixes:
        return openNewest(request, oldChoicesOf(request.entries));
    default:
        return openNewest(request, choicesOf(request.entries));
    }
}

} // namespace cairn::formats::tensorflow
