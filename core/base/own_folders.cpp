// SPDX-License-Identifier: Apache-2.0
#include "core/base/own_folders.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {
namespace {

/// The path in a line of /proc/self/maps if its range contains the address.
std::optional<std::filesystem::path> mappedFile(std::string_view line, std::uintptr_t address) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const char* const last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    if (first.ec != std::errc() || first.ptr == last || *first.ptr != '-' ||
        std::from_chars(first.ptr + 1, last, end, 16).ec != std::errc() || address < begin ||
        address >= end) {
        return std::nullopt;
    }
    const std::size_t path = line.find('/');
    return path == std::string_view::npos ? std::nullopt
                                          : std::optional<std::filesystem::path>(line.substr(path));
}

/// The file from which the code of this function was loaded. Not dladdr(), whose path of a program
/// is what its caller typed.
std::optional<std::filesystem::path> ownFile() {
    const auto address = reinterpret_cast<std::uintptr_t>(&ownFolders);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (auto file = mappedFile(line, address)) {
            return file;
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<std::filesystem::path> ownFolders() {
    std::vector<std::filesystem::path> folders;
    if (const auto file = ownFile()) {
        folders.push_back(file->parent_path());
    }
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error && (folders.empty() || folders.front() != program.parent_path())) {
        folders.push_back(program.parent_path());
    }
    return folders;
}

} // namespace cairn
