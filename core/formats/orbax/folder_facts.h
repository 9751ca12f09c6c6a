// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Facts from the names in a folder. Private to this folder.
namespace cairn::formats::orbax {

inline constexpr std::string_view kStepMetadata = "_CHECKPOINT_METADATA";
inline constexpr std::string_view kTreeMetadata = "_METADATA";
inline constexpr std::string_view kMarker = "orbax.checkpoint";
inline constexpr std::string_view kAggregate = "checkpoint";
inline constexpr std::string_view kTemporary = ".orbax-checkpoint-tmp";
/// Limit on the sub-folders that are examined to classify a folder.
inline constexpr std::size_t kMaxPeeks = 16;

/// The name of an unfinished save, or of an item of one.
inline bool isTemporary(std::string_view name) {
    return name.find(kTemporary) != std::string_view::npos;
}

bool has(std::span<const FolderEntry> entries, std::string_view name, EntryKind kind);

/// A tree of arrays, recognised by its own files: a store, parts of one, or `_METADATA`.
bool isTree(std::span<const FolderEntry> entries);

/// Whether a folder has the `checkpoint` file of old versions, a MessagePack map with a tree of
/// small values, or of all values. TensorFlow's file of that name is text.
bool isAggregate(const Folder& folder);

/// The root of a Zarr hierarchy: an array, or a group with arrays.
bool isZarrRoot(std::span<const FolderEntry> entries);

/// Whether the folder is the root of a hierarchy, or one of its first sub-folders contains
/// `.zarray` or `zarr.json`: arrays without metadata of a tree.
bool hasArrayFolders(const Folder& folder, std::span<const FolderEntry> entries);

/// The number of a step folder: "100", "step_100", "ckpt-7".
std::optional<std::int64_t> stepOf(std::string_view folderName);

} // namespace cairn::formats::orbax
