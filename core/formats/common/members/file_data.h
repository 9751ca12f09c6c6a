// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <string>
#include <utility>

namespace cairn::formats {

/// An existing file of a folder.
inline CheckpointFile fileIn(FolderPtr folder, std::string path, const FileIdentity& identity,
                             Role role = Role::Other) {
    CheckpointFile file;
    file.path = std::move(path);
    file.folder = std::move(folder);
    file.identity = identity;
    file.role = role;
    return file;
}

/// A file that the folder should contain.
inline CheckpointFile missingFile(FolderPtr folder, std::string path, Role role = Role::Other) {
    CheckpointFile file = fileIn(std::move(folder), std::move(path), {}, role);
    file.missing = true;
    return file;
}

/// Initial data for a reader of single files: format and path are set, file 0 is the opened one.
inline CheckpointData fileData(std::string_view format, const OpenRequest& request,
                               const ByteSource& source) {
    CheckpointData data;
    data.format = format;
    data.path = request.path;
    data.addFile(fileIn(request.folder, request.name, source.identity()));
    return data;
}

} // namespace cairn::formats
