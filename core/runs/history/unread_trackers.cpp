// SPDX-License-Identifier: Apache-2.0
//
// Names: aim (aim/sdk/repo.py: ".aim"), neptune (constants.py: ".neptune").
#include "core/runs/history/unread_trackers.h"

#include <string>
#include <utility>

namespace cairn {

std::optional<Error> unreadTracker(const FolderEntry& entry, const std::filesystem::path& parent) {
    const std::string path = (parent / entry.name).string();
    const auto notice = [&](Sentence what, Sentence hint) {
        return std::optional<Error>(
            fail(ErrorCode::Unsupported, std::move(what)).inFile(path).withHint(std::move(hint)));
    };
    const bool isFolder = entry.kind == EntryKind::Folder;
    if (isFolder && entry.name == ".aim") {
        return notice("Aim repositories are not read",
                      "Write the metrics as a table first: "
                      "aim.Repo(FOLDER).query_metrics().dataframe().to_csv(\"metrics.csv\")");
    }
    if (isFolder && entry.name == ".neptune") {
        return notice("Neptune's offline data is not read", "Upload it with `neptune sync`");
    }
    return std::nullopt;
}

} // namespace cairn
