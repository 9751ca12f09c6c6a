// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/common/zarr_arrays/array_set.h"
#include "core/io/byte_source.h"
#include "core/io/folder.h"

#include <span>
#include <string>
#include <vector>

namespace cairn::formats::zarr_arrays {

struct StoredFile {
    std::string path; ///< relative to the folder of the arrays
    FileIdentity identity;
    bool missing = false;
};

/// Arrays and the locations of their chunks, before their metadata is parsed.
struct StoredFiles {
    ArraySet arrays;
    std::vector<StoredFile> files;   ///< by Place::file
    std::vector<std::byte> inMemory; ///< values without a file (in nodes of a store's tree)
    std::vector<Notice> notices;
    bool damaged = false; ///< not everything could be read
};

/// Lists the arrays below a folder, one folder for each (`.zarray` or `zarr.json`, one file per
/// chunk), including nested folders. `isNoArray` excludes folders directly in `folder`. Only
/// metadata is read. Damage becomes a notice. Fails: Cancelled, LimitExceeded.
Result<void> listArrayFolders(const FolderPtr& folder, std::span<const FolderEntry> entries,
                              bool (*isNoArray)(std::string_view), StoredFiles& out,
                              const CancelToken& cancel);

/// Text of an array's metadata. Fails: LimitExceeded, and the errors of reading.
Result<std::string> readMetadataText(const ByteSource& source, ByteRange range);

} // namespace cairn::formats::zarr_arrays
