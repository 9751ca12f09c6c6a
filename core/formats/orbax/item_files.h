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

/// What is in an item's folder, before it is understood.
struct ItemFiles : zarr_arrays::StoredFiles {
    bool unmerged = false; ///< only the parts of single processes are there
};

/// Reads the tree of an OCDBT store (also the parts of processes that were never merged), or lists
/// the folders of arrays. Damage is a notice. Fails: Cancelled, LimitExceeded.
Result<ItemFiles> readItemFiles(const FolderPtr& folder, std::span<const FolderEntry> entries,
                                const CancelToken& cancel);

/// "ocdbt.process_0": what one process wrote.
bool isProcessStore(const FolderEntry& entry);

inline constexpr std::string_view kManifest = "manifest.ocdbt";

} // namespace cairn::formats::orbax
