// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/dcp/index.h"
#include "core/model/checkpoint.h"

#include <span>
#include <string>
#include <vector>

/// Reads `.metadata`, or the `__R.metadata` of a save without collectives. Private to this folder.
namespace cairn::formats::dcp {

/// Name of the index file.
inline constexpr std::string_view kIndexName = ".metadata";

struct IndexFiles {
    DcpIndex index;
    std::vector<CheckpointFile> files;
};

/// Fails: EmptyFile, ZeroFilled, LfsPointer, LimitExceeded, DcpBadMetadata, Pickle* codes, what
/// Folder::openFile states, Cancelled.
Result<IndexFiles> readIndexFiles(const FolderPtr& folder, std::span<const std::string> names,
                                  const CancelToken& cancel);

} // namespace cairn::formats::dcp
