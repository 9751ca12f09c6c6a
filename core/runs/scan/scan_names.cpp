// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/scan_names.h"

#include "core/formats/checkpoint_names.h"
#include "core/model/names/file_names.h"
#include "core/model/names/position.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr auto kSkippedFolders = std::to_array<std::string_view>({
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
});

std::string_view trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && isSpace(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isSpace(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

} // namespace

std::string pointerTarget(std::string_view text) {
    constexpr std::string_view kTensorFlow = "model_checkpoint_path:";
    if (text.starts_with(kTensorFlow)) {
        text.remove_prefix(kTensorFlow.size());
    }
    text = trimmed(text.substr(0, text.find('\n')));
    while (text.size() > 1 && text.ends_with('/')) {
        text.remove_suffix(1);
    }
    const bool plain = std::ranges::all_of(text, [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && c != '{' && c != '<' && c != '\x7f';
    });
    text = lastPathPart(text);
    return plain && text.size() <= 255 && text != "." && text != ".." ? std::string(text)
                                                                      : std::string();
}

bool isSkippedFolder(std::string_view name) {
    return std::ranges::find(kSkippedFolders, name) != kSkippedFolders.end();
}

bool isBlobFolder(std::string_view name, const std::vector<FolderEntry>& siblings) {
    return name == "blobs" && std::ranges::any_of(siblings, [](const FolderEntry& entry) {
               return entry.name == "snapshots" && entry.kind == EntryKind::Folder;
           });
}

RunPlace runPlaceOf(std::string_view id) {
    RunPlace place{std::string(id), {}};
    if (id == ".") {
        return place;
    }
    for (std::size_t begin = 0; begin < id.size();) {
        const std::size_t end = std::min(id.find('/', begin), id.size());
        if (isPositionFolder(id.substr(begin, end - begin))) {
            place.runId = begin == 0 ? "." : std::string(id.substr(0, begin - 1));
            place.prefix = std::string(id.substr(begin)) + "/";
            break;
        }
        begin = end + 1;
    }
    const std::size_t slash = place.runId.rfind('/');
    if (place.runId != "." &&
        isCheckpointFolder(
            std::string_view(place.runId).substr(slash == std::string::npos ? 0 : slash + 1))) {
        place.runId = slash == std::string::npos ? "." : place.runId.substr(0, slash);
    }
    return place;
}

bool mayBeCheckpoint(std::string_view name) {
    return name.find('.') == std::string_view::npos || namesACheckpoint(name);
}

bool isPositionFile(const FolderEntry& entry) {
    return entry.kind == EntryKind::File && namesACheckpoint(entry.name) &&
           isPositionFolder(entry.name.substr(0, entry.name.find('.')));
}

bool isPosition(const FolderEntry& entry) {
    return isPositionFile(entry) ||
           (entry.kind == EntryKind::Folder && isPositionFolder(entry.name));
}

bool isAdapterConfig(const FolderEntry& entry) {
    return entry.kind == EntryKind::File && entry.name == kAdapterConfig;
}

std::string lastName(const std::filesystem::path& path) {
    const std::filesystem::path plain = path.lexically_normal();
    const std::string name =
        plain.has_filename() ? plain.filename().string() : plain.parent_path().filename().string();
    if (!name.empty() && name != "." && name != "..") {
        return name;
    }
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return error ? path.string() : real.filename().string();
}

} // namespace cairn
