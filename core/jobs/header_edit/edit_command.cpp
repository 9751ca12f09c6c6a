// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/header_edit/edit_command.h"

#include <utility>

namespace cairn {

Result<std::vector<std::string>> editCommand(const std::filesystem::path& file,
                                             const HeaderChanges& changes,
                                             const HeaderEditOptions& options, EditRun run) {
    std::vector<std::string> words{"edit", file.string()};
    if (!changes.renameText.empty()) {
        words.push_back("--rename=" + changes.renameText);
    }
    const auto unsayable = [](const std::string& key) {
        return fail(ErrorCode::InvalidArgument, "The command line cannot express this key")
            .inField("__metadata__")
            .butFound(verbatim(key))
            .expecting("a key without `=`, and text without control characters");
    };
    const auto separates = [](const std::string& text) {
        return text.find('\x1f') != std::string::npos || text.find('\0') != std::string::npos;
    };
    for (const auto& [key, value] : changes.set) {
        if (key.empty() || key.find('=') != std::string::npos || separates(key + value)) {
            return unsayable(key);
        }
        words.push_back("--set=" + key + "=" + value);
    }
    for (const std::string& key : changes.unset) {
        if (key.empty() || separates(key)) {
            return unsayable(key);
        }
        words.push_back("--unset=" + key);
    }
    for (const auto& [wanted, option] :
         {std::pair(options.keepBackup, "--keep-backup"), std::pair(options.force, "--force"),
          std::pair(run == EditRun::Apply, "--apply")}) {
        if (wanted) {
            words.emplace_back(option);
        }
    }
    return words;
}

} // namespace cairn
