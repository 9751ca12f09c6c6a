// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats {

/// Initial data for a reader of single files: format and path are set, file 0 is the opened one.
inline CheckpointData fileData(std::string_view format, const OpenRequest& request,
                               const ByteSource& source) {
    CheckpointData data;
    data.format = format;
    data.path = request.path;
    CheckpointFile file;
    file.path = request.name;
    file.folder = request.folder;
    file.identity = source.identity();
    data.addFile(std::move(file));
    return data;
}

} // namespace cairn::formats
