// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Checkpoints that are several files beside each other and are named by what their names begin
/// with (FormatInfo::indexSuffix): "ckpt-5" is ckpt-5.index and ckpt-5.data-00000-of-00002, …, or
/// ckpt-5-00000-of-00002, … (FormatInfo::numberedFile), of which the first is the index here.
namespace cairn {

/// True when `name` is such a prefix followed by what its files end with.
bool isFileOfPrefix(std::string_view name, std::string_view prefix, std::string_view indexSuffix);

/// "ckpt-5" for "ckpt-5.data-00000-of-00002" and "ckpt-5.meta": what its index would begin with;
/// nothing for other names.
std::string_view prefixOfShard(std::string_view name);

/// True when the entry before this one, in natural order, is another of the numbered files of its
/// checkpoint (FormatInfo::numberedFile): that one stands for all.
bool isLaterFile(std::span<const FolderEntry> entries, const FolderEntry& entry);

/// The files of the checkpoint that `path` names by its prefix, the index first; nothing when
/// `path` exists itself, or names none.
std::vector<std::filesystem::path> filesOfPrefix(const std::filesystem::path& path);

/// Removes the suffix of the format whose index this file's name says it is; nothing: of none.
std::string_view prefixOfIndex(std::string_view name, std::string_view indexSuffix);

} // namespace cairn
