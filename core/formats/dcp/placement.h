// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/index.h"
#include "core/io/folder.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <span>

/// Matches an index with its folder. Private to this folder.
namespace cairn::formats::dcp {

/// The folder when the checkpoint was opened.
struct ShardFolder {
    FolderPtr folder;
    std::span<const FolderEntry> entries;
    std::int64_t indexMtimeNs = 0; ///< of the newest index file
};

/// Sets everything in CheckpointData that follows from index and folder: files with their
/// identities, tensors with the pieces that exist, notices (missing, truncated, stray and stale
/// shards, holes), completeness and its reasons, world size, codecs. The FileIndex values in the
/// index's items are changed to those of the checkpoint. No shard is read; at most one is opened
/// for each name that is not a plain file in this folder. Never fails: damage becomes a notice.
CheckpointData place(DcpIndex& index, const ShardFolder& shards);

} // namespace cairn::formats::dcp
