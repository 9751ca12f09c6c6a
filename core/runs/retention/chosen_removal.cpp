// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/chosen_removal.h"

#include "core/runs/retention/retention_costs.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using Paths = std::span<const std::filesystem::path>;

bool isChosen(const ScannedCheckpoint& each, Paths chosen) {
    return std::ranges::find(chosen, each.path) != chosen.end();
}

bool containsOthers(const ScannedRun& run, const ScannedCheckpoint& each) {
    const std::string inside = (each.path / "").string();
    return std::ranges::any_of(run.checkpoints, [&](const ScannedCheckpoint& other) {
        return other.path.string().starts_with(inside);
    });
}

Sentence refusalOf(const ScannedRun& run, const ScannedCheckpoint& each, const SavedFiles& files,
                   const RetentionEvidence& evidence) {
    if (evidence.pinned.contains(each.path)) {
        return "pinned";
    }
    if (each.isLink()) {
        return sentence("a link to %1", each.linkTo);
    }
    if (each.state == CheckpointState::BeingWritten) {
        return "being written";
    }
    if (containsOthers(run, each)) {
        return "other checkpoints are located in it";
    }
    return movingObstacle(files, evidence);
}

/// What makes it more than one of many.
std::vector<Sentence> distinctions(const ScannedRun& run, const ScannedCheckpoint& each,
                                   Paths chosen) {
    std::vector<Sentence> all;
    if (each.latest) {
        all.emplace_back("the latest");
    }
    if (each.best) {
        all.emplace_back("the best");
    }
    const bool isLastResumable =
        each.resumable && std::ranges::none_of(run.checkpoints, [&](const auto& other) {
            return other.resumable && other.mayBeComplete() && !other.isLink() &&
                   !isChosen(other, chosen);
        });
    if (isLastResumable) {
        all.emplace_back("no other one of the run can be resumed");
    }
    if (!each.pointedBy.empty()) {
        all.push_back(sentence("named by %1", each.pointedBy.front()));
    }
    return all;
}

} // namespace

Sentence movingObstacle(const SavedFiles& files, const RetentionEvidence& evidence) {
    if (!files.whole || files.rows.empty()) {
        return "its files could not be listed";
    }
    const auto isForeign = [&](const SavedFiles::Row& row) {
        return row.kind == EntryKind::Other ||
               row.identity.device != files.rows.front().identity.device;
    };
    if (std::ranges::any_of(files.rows, isForeign)) {
        return "it contains entries that are not regular files, or spans several file systems";
    }
    const auto isWritten = [&](const SavedFiles::Row& row) {
        return evidence.written.contains({row.identity.device, row.identity.inode});
    };
    return std::ranges::any_of(files.rows, isWritten)
               ? Sentence("a process has a file of it open for writing")
               : Sentence();
}

RetentionPlan planChosenRemoval(const ScannedRun& run, Paths chosen,
                                const RetentionEvidence& evidence) {
    RetentionPlan plan;
    for (const std::filesystem::path& path : chosen) {
        const auto at = std::ranges::find(run.checkpoints, path, &ScannedCheckpoint::path);
        if (at == run.checkpoints.end()) {
            plan.refused.push_back({path, "not a checkpoint of this run", 0});
            continue;
        }
        const auto known = evidence.files.find(path);
        const SavedFiles files = known != evidence.files.end() ? known->second : SavedFiles();
        if (Sentence why = refusalOf(run, *at, files, evidence); !why.empty()) {
            plan.refused.push_back({path, std::move(why), at->bytes});
            continue;
        }
        const std::vector<Sentence> special = distinctions(run, *at, chosen);
        plan.remove.push_back(
            {{path, special.empty() ? Sentence("chosen") : sentenceList(special, ", "), at->bytes},
             0,
             {},
             files,
             {},
             {}});
    }
    addCosts(plan, run, evidence);
    return plan;
}

} // namespace cairn
