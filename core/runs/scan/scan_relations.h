// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Files that refer to checkpoints: links, second names, pointer files, Cairn's own manifests.
/// Collected while listing, resolved when all checkpoints are known.
namespace cairn {

/// limit for a pointer file, in bytes; larger files have another purpose
inline constexpr std::uint64_t kMaxPointer = 4096;

struct FoundLink {
    std::string runId;
    std::string name; ///< in the form of a checkpoint's name
    std::filesystem::path path;
    std::int64_t modifiedNs = 0;
    bool looksLikeCheckpoint = false; ///< by name; then a broken link gets a row
};
struct FoundPointer {
    std::string runId;
    std::filesystem::path path;
};
struct FileKey {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    friend auto operator<=>(const FileKey&, const FileKey&) = default;
};

struct FoundRelations {
    std::vector<FoundLink> links;
    std::vector<FoundPointer> pointers;
    std::vector<std::filesystem::path> manifests;
    std::map<std::filesystem::path, FileKey> files; ///< of single-file checkpoints
};

/// Adds the links and pointer files of a folder. `id`: its path below the experiment.
void collectRelations(FoundRelations& found, const std::filesystem::path& path,
                      const std::string& id, const std::vector<FolderEntry>& entries);
void collectManifests(FoundRelations& found, const std::filesystem::path& path,
                      const std::vector<FolderEntry>& entries);
inline constexpr std::size_t kMaxRelations = 100'000; ///< links, pointers and manifests each

/// Adds links as rows, marks second names, pointers and exports. Reads link targets and small text
/// files, and manifests up to a total of kMaxManifestBytes. Broken references become notices.
void relate(Experiment& experiment, const FoundRelations& found);
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20U;

/// The content of a small file; empty if it is too large or cannot be read.
std::optional<std::string> smallText(const std::filesystem::path& path, std::uint64_t limit);

/// A string member of a JSON document's root; empty if missing.
std::optional<std::string> jsonText(std::string_view document, std::string_view key);

} // namespace cairn
