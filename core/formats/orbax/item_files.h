// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/common/zarr_arrays/array_folders.h"
#include "core/io/folder.h"

#include <span>
#include <string>
#include <vector>

/// Private to this folder.
namespace cairn::formats::orbax {

using zarr_arrays::ArraySet;
using zarr_arrays::Place;
using zarr_arrays::StoredFile;

/// Contents of an item's folder, before interpretation.
struct ItemFiles : zarr_arrays::StoredFiles {
    bool unmerged = false; ///< only the parts of single processes exist
};

/// Reads the tree of an OCDBT store (or the parts of processes that were not merged), or lists the
/// folders of arrays. Damage becomes a notice. Fails: Cancelled, LimitExceeded.
Result<ItemFiles> readItemFiles(const FolderPtr& folder, std::span<const FolderEntry> entries,
                                const CancelToken& cancel);

/// "ocdbt.process_0": the part of one process.
bool isProcessStore(const FolderEntry& entry);

inline constexpr std::string_view kManifest = "manifest.ocdbt";

} // namespace cairn::formats::orbax
