// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// What the names in a folder record. Private to this folder.
namespace cairn::formats::orbax {

inline constexpr std::string_view kStepMetadata = "_CHECKPOINT_METADATA";
inline constexpr std::string_view kTreeMetadata = "_METADATA";
inline constexpr std::string_view kMarker = "orbax.checkpoint";
inline constexpr std::string_view kAggregate = "checkpoint";
inline constexpr std::string_view kTemporary = ".orbax-checkpoint-tmp";
/// Folders that a folder is examined to state what it is.
inline constexpr std::size_t kMaxPeeks = 16;

bool has(std::span<const FolderEntry> entries, std::string_view name, EntryKind kind);

/// A tree of arrays by its own files: a store, parts of one, or `_METADATA`.
bool isTree(std::span<const FolderEntry> entries);

/// The `checkpoint` of old folders, which holds a tree of small values, or all of them: a map of
/// MessagePack. TensorFlow's file of that name is text.
bool isAggregate(const Folder& folder);

/// Folders of bare arrays: one of the first sub-folders holds `.zarray` or `zarr.json`.
bool hasArrayFolders(const Folder& folder, std::span<const FolderEntry> entries);

/// "100", "step_100", "ckpt-7": the folder of a step; its number.
std::optional<std::int64_t> stepOf(std::string_view folderName);

} // namespace cairn::formats::orbax
