// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dcp/item_content.h"
#include "core/model/checkpoint.h"

#include <string>
#include <vector>

/// Private to this folder.
namespace cairn::formats::dcp {

/// Opens shards one after another; cheap while it is the same one again. One thread.
class ShardOpener {
public:
    /// Fails: MissingShard, ChangedOnDisk, and as Folder::openFile.
    Result<ByteSourcePtr> open(const CheckpointFile& file);

private:
    const CheckpointFile* m_last = nullptr;
    ByteSourcePtr m_source;
};

/// An item's tensors with names ("<name>.<path in the item>") and files of the whole; what exists
/// only in memory becomes a file of `data`, the notices are passed on. `aliasOf` still counts from
/// the item's first tensor.
std::vector<TensorEntry> takeTensors(CheckpointData& data, const BytesItem& item,
                                     ItemContent& content);

} // namespace cairn::formats::dcp
