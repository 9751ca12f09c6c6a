// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/retention_costs.h"

#include "core/runs/retention/open_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using NameKey = std::pair<std::uint64_t, std::uint64_t>;

/// Notes the files with several names. Paths are only used to ask for that number.
void countNames(const fs::path& checkpoint, const SavedFiles& saved, RetentionEvidence& evidence) {
    const bool isFolder = !saved.rows.empty() && saved.rows.front().kind == EntryKind::Folder;
    const fs::path folder = isFolder ? checkpoint : checkpoint.parent_path();
    for (const SavedFiles::Row& row : saved.rows) {
        struct stat status {};
        if (row.kind == EntryKind::File && ::lstat((folder / row.name).c_str(), &status) == 0 &&
            status.st_nlink > 1) {
            evidence.names[{row.identity.device, row.identity.inode}] = status.st_nlink;
        }
    }
}

Sentence lossOf(const ScannedCheckpoint& each) {
    const auto verified = std::ranges::find(each.exports, true, &ExportedTo::verified);
    if (verified != each.exports.end()) {
        const std::string name = verified->path.filename().string();
        return each.resumable ? sentence("resuming from here; its weights are in %1", name)
                              : sentence("nothing: its weights are in %1", name);
    }
    return each.resumable ? Sentence("resuming from here") : "the weights at this position";
}

} // namespace

void addCosts(RetentionPlan& plan, const ScannedRun& run, const RetentionEvidence& evidence) {
    std::map<NameKey, std::uint64_t> taken; // names that are removed
    for (RetentionPlan::Removal& removal : plan.remove) {
        std::uint64_t stays = 0;
        for (const SavedFiles::Row& row : removal.files.rows) {
            const NameKey key{row.identity.device, row.identity.inode};
            const auto names = evidence.names.find(key);
            if (row.kind != EntryKind::File) {
                continue;
            }
            const bool last = names == evidence.names.end() || ++taken[key] >= names->second;
            (last ? removal.frees : stays) += row.identity.size;
        }
        const auto at = std::ranges::find(run.checkpoints, removal.path, &ScannedCheckpoint::path);
        removal.loses = removal.frees == 0 && stays > 0
                            ? Sentence("nothing: its files have other names, which stay")
                        : at != run.checkpoints.end() ? lossOf(*at)
                                                      : Sentence();
        plan.freedBytes += removal.frees;
    }
}

RetentionEvidence collectEvidence(const ScannedRun& run) {
    RetentionEvidence evidence;
    evidence.nowNs = std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    for (const ScannedCheckpoint& each : run.checkpoints) {
        SavedFiles& saved = evidence.files[each.path];
        if (!each.isLink()) {
            saved = listSavedFiles(each.path);
            countNames(each.path, saved, evidence);
        }
    }
    evidence.written = filesOpenForWriting();
    return evidence;
}

} // namespace cairn
