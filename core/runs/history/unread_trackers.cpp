// SPDX-License-Identifier: Apache-2.0
//
// Names: aim (aim/sdk/repo.py: ".aim"), comet_ml (offline.py: "<32 hexadecimal digits>.zip"),
// neptune (constants.py: ".neptune"), clearml (backend_interface/session: "offline-<32 digits>").
#include "core/runs/history/unread_trackers.h"

#include <algorithm>
#include <string_view>

namespace cairn {
namespace {

bool isIdentity(std::string_view text) {
    constexpr std::size_t kDigits = 32;
    return text.size() == kDigits &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

std::optional<Error> unreadTracker(const FolderEntry& entry, const std::filesystem::path& parent) {
    constexpr std::string_view kZip = ".zip";
    constexpr std::string_view kOffline = "offline-";
    const std::string path = (parent / entry.name).string();
    const auto notice = [&](Sentence what, Sentence hint) {
        return std::optional<Error>(
            fail(ErrorCode::Unsupported, std::move(what)).inFile(path).withHint(std::move(hint)));
    };
    const bool isFolder = entry.kind == EntryKind::Folder;
    std::string_view name = entry.name;
    if (isFolder && name == ".aim") {
        return notice("Aim repositories are not read",
                      "Write the metrics as a table first: "
                      "aim.Repo(FOLDER).query_metrics().dataframe().to_csv(\"metrics.csv\")");
    }
    if (isFolder && name == ".neptune") {
        return notice("Neptune's offline data is not read", "Upload it with `neptune sync`");
    }
    const bool isArchive = entry.kind == EntryKind::File && name.ends_with(kZip);
    name = isArchive ? name.substr(0, name.size() - kZip.size()) : name;
    if (isArchive && isIdentity(name)) {
        return notice("Offline experiments of Comet are not read", "Upload it with `comet upload`");
    }
    if ((isArchive || isFolder) && name.starts_with(kOffline) &&
        isIdentity(name.substr(kOffline.size()))) {
        return notice("Offline sessions of ClearML are not read",
                      "Upload it with Task.import_offline_session()");
    }
    return std::nullopt;
}

} // namespace cairn
