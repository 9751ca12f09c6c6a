// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/log.h"

namespace cairn::history::wandb {
namespace {

bool mayBe(std::string_view name) {
    return name.ends_with(".wandb");
}

/// An empty file belongs to a run that has just started.
bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && mayBe(candidate.name) &&
           (candidate.size == 0 || isLogHead(candidate.head));
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return readLog(source, cancel);
}

std::string runName(const Folder& folder, std::span<const FolderEntry> entries) {
    for (const FolderEntry& entry : entries) {
        const auto source =
            entry.name.ends_with(".wandb")
                ? folder.openFile(entry.name)
                : Result<ByteSourcePtr>(fail(ErrorCode::NotFound, "a different file"));
        if (source) {
            return runNameIn(*source);
        }
    }
    return {};
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "wandb",
                            .title = "W&B offline log",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .runName = runName,
                            .follow = followLog,
                            .namesRun = true};

} // namespace cairn::history::wandb
