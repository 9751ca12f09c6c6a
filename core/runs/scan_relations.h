// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is beside checkpoints and speaks of them: links, second names, pointer files, Cairn's own
/// manifests. Collected during the walk, resolved when all checkpoints are known.
namespace cairn {

/// Of a pointer file, in bytes; larger ones state something else.
inline constexpr std::uint64_t kMaxPointer = 4096;

struct FoundLink {
    std::string runId;
    std::string name; ///< as a checkpoint's would be
    std::filesystem::path path;
    std::int64_t modifiedNs = 0;
    bool looksLikeCheckpoint = false; ///< by name; then a link to nowhere is worth a row
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
    std::map<std::filesystem::path, FileKey> files; ///< of checkpoints that are one file
};

/// Adds links as rows, marks second names, pointers and exports. Reads link texts and small text
/// files, and manifests up to a total of kMaxManifestBytes. What leads nowhere becomes a notice.
void relate(Experiment& experiment, const FoundRelations& found);
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20U;

/// A whole small file; nothing when it is too large or cannot be read.
std::optional<std::string> smallText(const std::filesystem::path& path, std::uint64_t limit);

/// A text at the top of a JSON document; nothing when there is none.
std::optional<std::string> jsonText(std::string_view document, std::string_view key);

/// What a manifest of Cairn shows.
struct FoundExport {
    ExportedTo output;
    std::vector<std::filesystem::path> sources; ///< of the averaged ones, too
    std::string earlier;                        ///< of a delta, relative to its folder
};

/// Takes what it reads from `budget`, in bytes. Nothing: the file is not a manifest.
std::optional<FoundExport> readExport(const std::filesystem::path& manifest, std::uint64_t& budget);

} // namespace cairn
