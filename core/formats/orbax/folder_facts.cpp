// SPDX-License-Identifier: Apache-2.0
#include "core/formats/orbax/folder_facts.h"

#include "core/base/ascii.h"
#include "core/formats/orbax/item_files.h"

#include <algorithm>
#include <charconv>

namespace cairn::formats::orbax {
bool has(std::span<const FolderEntry> entries, std::string_view name, EntryKind kind) {
    return std::ranges::any_of(entries, [&](const FolderEntry& entry) {
        return entry.name == name &&
               (entry.kind == kind || (entry.kind == EntryKind::Link && kind == EntryKind::File));
    });
}

bool isTree(std::span<const FolderEntry> entries) {
    return has(entries, kManifest, EntryKind::File) ||
           has(entries, kTreeMetadata, EntryKind::File) ||
           std::ranges::any_of(entries, isProcessStore);
}

bool isAggregate(const Folder& folder) {
    const auto source = folder.openFile(kAggregate);
    const auto head = source ? readRange(**source, {0, 1})
                             : Result<std::vector<std::byte>>(std::vector<std::byte>());
    if (!head || head->empty()) {
        return false;
    }
    const auto first = static_cast<unsigned>(head->front());
    return (first & 0xF0U) == 0x80U || first == 0xDEU || first == 0xDFU; // fixmap, map 16, map 32
}

bool isZarrRoot(std::span<const FolderEntry> entries) {
    return has(entries, ".zarray", EntryKind::File) || has(entries, ".zgroup", EntryKind::File) ||
           has(entries, "zarr.json", EntryKind::File);
}

bool hasArrayFolders(const Folder& folder, std::span<const FolderEntry> entries) {
    if (isZarrRoot(entries)) {
        return true;
    }
    std::size_t peeks = 0;
    for (const FolderEntry& entry : entries) {
        if (entry.kind != EntryKind::Folder || entry.name.starts_with('.')) {
            continue;
        }
        if (folder.hasFile(entry.name + "/.zarray") || folder.hasFile(entry.name + "/zarr.json")) {
            return true;
        }
        if (++peeks >= kMaxPeeks) {
            return false;
        }
    }
    return false;
}

std::optional<std::int64_t> stepOf(std::string_view folderName) {
    if (const std::size_t temporary = folderName.find(kTemporary);
        temporary != std::string_view::npos) {
        folderName = folderName.substr(0, temporary);
    }
    std::size_t start = folderName.size();
    while (start > 0 && isDigit(folderName[start - 1])) {
        --start;
    }
    const bool separated =
        start == 0 || folderName[start - 1] == '_' || folderName[start - 1] == '-';
    std::int64_t step = 0;
    const auto digits = folderName.substr(start);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    return separated && result.ec == std::errc() ? std::optional(step) : std::nullopt;
}

} // namespace cairn::formats::orbax
