// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/file_names.h"
#include "core/formats/deepspeed/folder_reader.h"

#include <algorithm>
#include <array>

// DeepSpeed checkpoints: ZeRO 0 to 3, pipelines, experts, universal. README.md describes the
// layout.

namespace cairn::formats::deepspeed {
namespace {

constexpr std::size_t kMaxPeeks = 16; ///< limit on examined sub-folders

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"latest", "global_step*/", "*_optim_states.pt", "*_model_states.pt"});

/// Whether a sub-folder is a save, whatever its name.
bool hasSave(const Candidate& candidate) {
    std::size_t peeks = 0;
    for (const FolderEntry& entry : candidate.entries) {
        if (entry.kind != EntryKind::Folder) {
            continue;
        }
        if (++peeks > kMaxPeeks) {
            return false;
        }
        const auto listed = entriesOf(candidate.openFolder(entry.name));
        if (listed && isTagFolder(*listed)) {
            return true;
        }
    }
    return false;
}

/// A folder of saves: it contains `latest`, the folders of the saves and a script that DeepSpeed
/// copies there, except without ZeRO; then the folder names of Lightning and accelerate are
/// recognised, and other folders are examined.
bool isRootFolder(const Candidate& candidate) {
    const bool saves = std::ranges::any_of(candidate.entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::Folder && stepOfTag(entry.name).has_value();
    });
    const bool named = std::ranges::any_of(candidate.entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::Folder &&
               (entry.name == "checkpoint" || entry.name == "pytorch_model");
    });
    return saves || candidate.hasEntry("latest_universal") ||
           (candidate.hasEntry("latest") && (named || candidate.hasEntry("zero_to_fp32.py"))) ||
           ((candidate.hasEntry("latest") || candidate.hasEntry("zero_to_fp32.py")) &&
            hasSave(candidate));
}

Match probe(const Candidate& candidate) {
    if (!candidate.isFolder) {
        return Match::No;
    }
    return isTagFolder(candidate.entries) || isRootFolder(candidate) ? Match::Yes : Match::No;
}

bool isSeries(const Candidate& candidate) {
    return !isTagFolder(candidate.entries) && isRootFolder(candidate);
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    return isTagFolder(request.entries) ? readTagFolder(request) : readRootFolder(request);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "deepspeed",
                         .title = "DeepSpeed",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .layout = nullptr,
                         .isSeries = isSeries};

} // namespace cairn::formats::deepspeed
