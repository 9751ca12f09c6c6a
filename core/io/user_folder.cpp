// SPDX-License-Identifier: Apache-2.0
#include "core/io/user_folder.h"

#include <sys/stat.h>

#include <cstdlib>

namespace cairn {
namespace {

std::filesystem::path absolutePathIn(const char* variable) {
    const char* text = std::getenv(variable);
    return text != nullptr && text[0] == '/' ? std::filesystem::path(text)
                                             : std::filesystem::path();
}

} // namespace

std::filesystem::path userFolder(const char* variable, const std::string& fallback) {
    if (const std::filesystem::path named = absolutePathIn(variable); !named.empty()) {
        return named / "cairn";
    }
    const std::filesystem::path home = absolutePathIn("HOME");
    return home.empty() ? home : home / fallback / "cairn";
}

Result<FileHandle> openUserFolder(FileOps& fileOps, const std::filesystem::path& path) {
    if (auto known = fileOps.openFolder(path)) {
        return known;
    }
    if (!path.has_relative_path()) {
        return fail(ErrorCode::NotFound, "The user has no folder for this data")
            .inFile(path.string());
    }
    CAIRN_TRY(const FileHandle parent, openUserFolder(fileOps, path.parent_path()));
    const std::string name = path.filename().string();
    const auto made = fileOps.makeFolder(parent, name);
    if (!made && made.error().code != ErrorCode::OutputExists) {
        return made.error();
    }
    CAIRN_TRY(FileHandle folder, fileOps.openFolderIn(parent, name));
    if (made) {
        (void)::fchmod(folder.fd(), 0700); // fails where modes are not supported
    }
    return folder;
}

} // namespace cairn
