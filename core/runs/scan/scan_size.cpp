// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/scan_size.h"

#include "core/model/names/file_names.h"
#include "core/model/names/position.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::size_t kMaxFolderFiles = 200'000; // limit for one checkpoint

/// A file's size; for a link that of its target, if that is inside the folder or in the blobs of
/// the Hugging Face cache.
std::uint64_t sizeOf(const Folder& folder, const FolderEntry& entry) {
    if (entry.kind != EntryKind::Link) {
        return entry.identity.size;
    }
    const auto source = folder.openFile(entry.name);
    return source ? (*source)->size() : 0;
}

void addFolderSize(const Folder& folder, std::span<const FolderEntry> entries, int depth,
                   int levels, ScannedSize& size) {
    for (const FolderEntry& entry : entries) {
        if (size.files >= kMaxFolderFiles) {
            return;
        }
        if (entry.kind == EntryKind::Folder) {
            // A separate checkpoint inside the folder of a final model (Trainer) is counted there.
            const bool own =
                depth == 0 && (isPositionFolder(entry.name) || isBestOrLastName(entry.name));
            if (own || depth == levels) {
                continue;
            }
            const auto inner = folder.openFolder(entry.name);
            if (const auto inside = entriesOf(inner)) {
                addFolderSize(**inner, *inside, depth + 1, levels, size);
            }
        } else if (entry.kind == EntryKind::File || entry.kind == EntryKind::Link) {
            size.modifiedNs = std::max(size.modifiedNs, entry.identity.mtimeNs);
            size.bytes += sizeOf(folder, entry);
            ++size.files;
        }
    }
}

} // namespace

ScannedSize sizeOfFolder(const Folder& folder, std::span<const FolderEntry> entries, int levels) {
    ScannedSize size;
    addFolderSize(folder, entries, 0, levels, size);
    return size;
}

} // namespace cairn
