// SPDX-License-Identifier: Apache-2.0
#include "core/model/header_edit.h"

namespace cairn {

std::string editBackupName(std::string_view name) {
    return "." + std::string(name) + ".cairn-edit";
}

std::optional<Notice> unfinishedEdit(const Folder& folder, std::string_view name) {
    const std::string backup = editBackupName(name);
    if (name.empty() || name.find('/') != std::string_view::npos || !folder.hasFile(backup)) {
        return std::nullopt;
    }
    const std::string path = (folder.path() / name).string();
    return Notice{Severity::Error,
                  fail(ErrorCode::EditInterrupted,
                       "An edit of this file's header was interrupted or is in progress")
                      .inFile(path)
                      .butFound(sentence("the old header in %1", backup))
                      .withHint("`cairn-cli edit FILE --recover` finishes or undoes it")};
}

} // namespace cairn
