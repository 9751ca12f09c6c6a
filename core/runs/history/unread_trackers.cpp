// SPDX-License-Identifier: Apache-2.0
//
// aim/sdk/repo.py: ".aim". Its metrics are in RocksDB databases, one for each run, whose tables and
// write-ahead logs only RocksDB reads.
#include "core/runs/history/unread_trackers.h"

#include <string>
#include <utility>

namespace cairn {

std::optional<Error> unreadTracker(const FolderEntry& entry, const std::filesystem::path& parent) {
    if (entry.kind != EntryKind::Folder || entry.name != ".aim") {
        return std::nullopt;
    }
    return std::optional<Error>(
        fail(ErrorCode::Unsupported, "Aim repositories are RocksDB databases, which are not read")
            .inFile((parent / entry.name).string())
            .withHint(
                "Export the metrics of a run: aim storage --repo FOLDER reindex -y, then in "
                "Python, with import aim: for i, m in enumerate(aim.Run(HASH, repo=FOLDER, "
                "read_only=True).metrics()): steps, (values, *_) = m.data.items_list(); name = "
                "\"/\".join([*map(str, m.context.to_dict().values()), m.name]); open(f\"{i}.csv\", "
                "\"w\").writelines([f\"step,{name}\\n\", *(f\"{s},{v}\\n\" for s, v in zip(steps, "
                "values))])"));
}

} // namespace cairn
