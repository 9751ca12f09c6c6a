// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/save_series.h"
#include "core/formats/format.h"
#include "core/formats/megatron/folder_merger.h"
#include "core/formats/megatron/rank_folders.h"
#include "core/formats/megatron/zarr_folder.h"

#include <algorithm>
#include <array>

// Megatron-LM checkpoints: the folder of all saves, legacy saves, and saves of the zarr backend.
// README.md describes the layout.

namespace cairn::formats::megatron {
namespace {

constexpr std::string_view kTracker = "latest_checkpointed_iteration.txt";
constexpr auto kGlobs =
    std::to_array<std::string_view>({kTracker, "iter_*/mp_rank_*/model_optim_rng.pt", "iter_*/"});

constexpr SaveSeries kSeries{
    .pointer = kTracker,
    .second = {},
    .stepOf = iterationOfFolder,
    .folderOf = folderOfTracker,
    .expected = "a folder iter_… or release",
    .newerHint =
        "Megatron writes the tracker file after all ranks have saved; this save may be incomplete"};

bool isSave(std::span<const FolderEntry> entries) {
    return std::ranges::any_of(entries, [](const FolderEntry& entry) {
        return entry.kind != EntryKind::File && parseRankFolder(entry.name).has_value();
    });
}

bool isRoot(const Candidate& candidate) {
    return candidate.hasEntry(kTracker) ||
           std::ranges::any_of(candidate.entries, [](const FolderEntry& entry) {
               return entry.kind == EntryKind::Folder && entry.name.starts_with("iter_") &&
                      iterationOfFolder(entry.name).has_value();
           });
}

Match probe(const Candidate& candidate) {
    if (!candidate.isFolder) {
        return Match::No;
    }
    if (isSave(candidate.entries) || candidate.hasEntry(kTracker) || isZarrSave(candidate)) {
        return Match::Yes;
    }
    return isRoot(candidate) ? Match::Maybe : Match::No;
}

bool isSeries(const Candidate& candidate) {
    return candidate.isFolder && !isSave(candidate.entries) && !isZarrSave(candidate) &&
           isRoot(candidate);
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    if (isSave(request.entries)) {
        return mergeFolder(request);
    }
    const Candidate candidate = candidateOf(request.folder, request.entries);
    return isZarrSave(candidate) ? readZarrSave(request) : readNewestSave(request, kSeries);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "megatron",
                         .title = "Megatron-LM",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .layout = nullptr,
                         .isSeries = isSeries};

} // namespace cairn::formats::megatron
