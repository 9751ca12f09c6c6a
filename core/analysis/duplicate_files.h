// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/duplicates.h"

#include <cstdint>
#include <map>
#include <utility>

/// The part of duplicates.h that compares complete files. Internal to core/analysis.
namespace cairn::duplicates {

/// Device and inode.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

inline FileId idOf(const FileIdentity& identity) {
    return {identity.device, identity.inode};
}

/// Adds the groups of files, and returns for each file that is a copy the file that represents it.
std::map<FileId, FileId> findEqualFiles(const DuplicateInput& input,
                                        const DuplicateOptions& options, Duplicates& result);

/// Opens a file by its path. Fails as Location::open() and Folder::openFile().
Result<ByteSourcePtr> openFile(const std::filesystem::path& path);

/// Adds a notice, unless there are many.
void note(Duplicates& result, Error error);

} // namespace cairn::duplicates
