// SPDX-License-Identifier: Apache-2.0
#include "core/runs/prefix_files.h"

#include "core/formats/format.h"

namespace cairn {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMeta = ".meta";
constexpr std::string_view kData = ".data-";

} // namespace

bool isFileOfPrefix(std::string_view name, std::string_view prefix, std::string_view indexSuffix) {
    if (!name.starts_with(prefix)) {
        return false;
    }
    if (const auto file = numberedFile(name)) {
        return file->prefix == prefix;
    }
    const std::string_view rest = name.substr(prefix.size());
    return rest == indexSuffix || rest == kMeta || rest.starts_with(kData);
}

std::string_view prefixOfIndex(std::string_view name, std::string_view indexSuffix) {
    if (indexSuffix.empty()) {
        return {};
    }
    if (const auto file = numberedFile(name)) {
        return file->index == 0 ? file->prefix : std::string_view();
    }
    const bool is = name.size() > indexSuffix.size() && name.ends_with(indexSuffix);
    return is ? name.substr(0, name.size() - indexSuffix.size()) : std::string_view();
}

std::string_view prefixOfShard(std::string_view name) {
    const std::size_t end = name.ends_with(kMeta) ? name.size() - kMeta.size() : name.rfind(kData);
    return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

bool isLaterFile(std::span<const FolderEntry> entries, const FolderEntry& entry) {
    const auto own = numberedFile(entry.name);
    const auto at = static_cast<std::size_t>(&entry - entries.data());
    const auto before = own && at > 0 ? numberedFile(entries[at - 1].name) : std::nullopt;
    return before && before->prefix == own->prefix;
}

std::vector<fs::path> filesOfPrefix(const fs::path& path) {
    if (std::vector<fs::path> files = filesOfSave(path); !files.empty()) {
        return files;
    }
    const fs::path index = indexFileOf(path);
    if (index == path) {
        return {};
    }
    std::vector<fs::path> files{index};
    const std::string prefix = path.filename().string();
    const std::string suffix = index.filename().string().substr(prefix.size());
    const auto folder = Folder::open(path.has_parent_path() ? path.parent_path() : ".");
    const auto entries =
        folder ? (*folder)->list() : Result<std::vector<FolderEntry>>(folder.error());
    if (entries) {
        for (const FolderEntry& entry : *entries) {
            if (entry.kind != EntryKind::Folder && entry.name != index.filename() &&
                isFileOfPrefix(entry.name, prefix, suffix)) {
                files.push_back(path.parent_path() / entry.name);
            }
        }
    }
    return files;
}

} // namespace cairn
