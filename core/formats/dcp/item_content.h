// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/formats/dcp/index.h"
#include "core/io/byte_source.h"
#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <string>
#include <vector>

/// What a bytes item holds: any Python object, saved by torch.save or pickle. Private to this
/// folder.
namespace cairn::formats::dcp {

struct ItemContent {
    Value value; ///< its tensor references count from 0 into `tensors`
    /// Names are paths inside the item ("" for the item itself, "0.weight"); a piece's FileIndex 0
    /// is the shard, n > 0 is memory[n - 1].
    std::vector<TensorEntry> tensors;
    std::vector<Notice> notices;       ///< damaged tensors inside
    std::vector<ByteSourcePtr> memory; ///< bytes that exist only decoded
};

/// Reads one item. Fails: DcpItemBeyondFile, LimitExceeded, DcpUnknownTransform, Zip* and Pickle*
/// codes, Io.
Result<ItemContent> readItemContent(const ByteSourcePtr& shard, const BytesItem& item,
                                    const CancelToken& cancel);

} // namespace cairn::formats::dcp
