// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/item_content.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

/// Private to this folder.
namespace cairn::formats::dcp {

/// Opens shards and keeps the last one open. Not thread-safe.
class ShardOpener {
public:
    /// Fails: MissingShard, ChangedOnDisk, and as Folder::openFile.
    Result<ByteSourcePtr> open(const CheckpointFile& file);

private:
    const CheckpointFile* m_last = nullptr;
    ByteSourcePtr m_source;
};

/// Returns an item's tensors with names ("<name>.<path in the item>") and file indices of `data`;
/// data that exists only in memory becomes a file of `data`, and notices are added to it. `aliasOf`
/// still counts from the item's first tensor.
std::vector<TensorEntry> takeTensors(CheckpointData& data, const BytesItem& item,
                                     ItemContent& content);

} // namespace cairn::formats::dcp
