// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/file_names.h"
#include "core/formats/deepspeed/folder_reader.h"

#include <algorithm>
#include <array>

// DeepSpeed checkpoints: ZeRO 0 to 3, pipelines, experts, universal. README.md has the layout.

namespace cairn::formats::deepspeed {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"latest", "global_step*/", "*_optim_states.pt", "*_model_states.pt"});

/// A folder that only holds saves: beside `latest` lie their folders and the script that DeepSpeed
/// puts there, but not without ZeRO; then those that Lightning and accelerate give a name are
/// known.
bool isRootFolder(const Candidate& candidate) {
    const bool saves = std::ranges::any_of(candidate.entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::Folder && stepOfTag(entry.name).has_value();
    });
    const bool named = std::ranges::any_of(candidate.entries, [](const FolderEntry& entry) {
        return entry.kind == EntryKind::Folder &&
               (entry.name == "checkpoint" || entry.name == "pytorch_model");
    });
    return saves || candidate.hasEntry("latest_universal") ||
           (candidate.hasEntry("latest") && (named || candidate.hasEntry("zero_to_fp32.py")));
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
