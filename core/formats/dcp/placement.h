// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/index.h"
#include "core/io/folder.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <span>

/// Holds an index against the folder that it is in. Private to this folder of the source tree.
namespace cairn::formats::dcp {

/// What the folder looked like when the checkpoint was opened.
struct ShardFolder {
    FolderPtr folder;
    std::span<const FolderEntry> entries;
    std::int64_t indexMtimeNs = 0; ///< of the newest index file
};

/// Everything of CheckpointData that follows from index and folder: files with their identities,
/// tensors with the pieces that are really there, notices (missing, truncated, stray and stale
/// shards, holes), completeness and why, world size, codecs. The index's items move along: their
/// FileIndex is changed to the checkpoint's. No shard is read; at most one is opened for each name
/// that is not a plain file of this folder. Nothing here fails: damage is a notice.
CheckpointData place(DcpIndex& index, const ShardFolder& shards);

} // namespace cairn::formats::dcp
