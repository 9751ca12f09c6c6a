// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/open_files.h"

#include "core/base/ascii.h"

#include <sys/stat.h>
#include <system_error>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using OpenFiles = std::set<std::pair<std::uint64_t, std::uint64_t>>;

void addFile(const fs::path& path, OpenFiles& files) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
        files.emplace(status.st_dev, status.st_ino);
    }
}

/// The permissions of a link in "fd" are the mode in which the file was opened.
void addDescriptors(const fs::path& process, OpenFiles& files) {
    std::error_code error;
    for (fs::directory_iterator at(process / "fd", error), end; !error && at != end;
         at.increment(error)) {
        struct stat link {};
        if (::lstat(at->path().c_str(), &link) == 0 && (link.st_mode & S_IWUSR) != 0) {
            addFile(at->path(), files);
        }
    }
}

/// "7f00-7f01 rw-s 00000000 08:01 1234   /data/model.pt": writes through it reach the file.
void addMappings(const fs::path& process, OpenFiles& files) {
    std::ifstream maps(process / "maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t mode = line.find(' ');
        const std::size_t path = line.find('/');
        if (mode != std::string::npos && path != std::string::npos && mode + 4 < path &&
            line[mode + 2] == 'w' && line[mode + 4] == 's') {
            addFile(line.substr(path), files);
        }
    }
}

} // namespace

OpenFiles filesOpenForWriting() {
    OpenFiles files;
    std::error_code error;
    for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (std::ranges::all_of(name, isDigit)) {
            addDescriptors(at->path(), files);
            addMappings(at->path(), files);
        }
    }
    return files;
}

} // namespace cairn
