// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_system_id.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace cairn {
namespace {

/// "type source" of the mount with this device number.
std::string mountOf(dev_t device) {
    const std::string wanted = std::to_string(major(device)) + ":" + std::to_string(minor(device));
    std::ifstream mounts("/proc/self/mountinfo");
    std::string found;
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream before(line);
        std::string id;
        std::string parent;
        std::string number;
        before >> id >> parent >> number;
        const std::size_t dash = line.find(" - ");
        if (number != wanted || dash == std::string::npos) {
            continue;
        }
        std::istringstream after(line.substr(dash + 3));
        std::string type;
        std::string source;
        after >> type >> source;
        found = type + " " + source; // the same for all mounts of one device
    }
    return found;
}

} // namespace

std::string fileSystemId(const std::filesystem::path& path) {
    struct statfs status {};
    struct stat file {};
    if (::statfs(path.c_str(), &status) != 0 || ::stat(path.c_str(), &file) != 0) {
        return {};
    }
    const auto type = static_cast<std::uint32_t>(status.f_type);
    if (type == TMPFS_MAGIC || type == RAMFS_MAGIC) {
        return "memory";
    }
    std::array<std::uint32_t, 2> words{};
    static_assert(sizeof status.f_fsid == sizeof words);
    std::memcpy(words.data(), &status.f_fsid, sizeof words);
    const std::uint64_t number = words[0] | std::uint64_t{words[1]} << 32U;
    if (number == 0) {
        return mountOf(file.st_dev);
    }
    std::array<char, 64> text{};
    if (number == file.st_dev) {
        std::snprintf(text.data(), text.size(), "%x-%llx-%llu", type,
                      static_cast<unsigned long long>(number),
                      static_cast<unsigned long long>(status.f_blocks));
    } else {
        std::snprintf(text.data(), text.size(), "%x-%llx", type,
                      static_cast<unsigned long long>(number));
    }
    return text.data();
}

} // namespace cairn
