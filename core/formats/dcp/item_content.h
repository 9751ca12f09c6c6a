// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/formats/dcp/index.h"
#include "core/io/byte_source.h"
#include "core/model/checkpoint.h"
#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <string>
#include <vector>

/// The content of a bytes item: any Python object, saved by torch.save or pickle. Private to this
/// folder.
namespace cairn::formats::dcp {

struct ItemContent {
    Value value; ///< its tensor references index `tensors`
    /// Names are paths inside the item ("" for the item itself, "0.weight"); FileIndex 0 of a piece
    /// is the shard, n > 0 is memory[n - 1].
    std::vector<TensorEntry> tensors;
    std::vector<Notice> notices;       ///< about damaged tensors inside
    std::vector<ByteSourcePtr> memory; ///< data that exists only decoded
    /// Of the stored records that hold tensors, which may be in the pickle, too, and of a pickle
    /// without a checksum. `file` as in the tensors' pieces.
    std::vector<StoredChecksum> checksums;
    bool compared = false; ///< the pickle matches its stored checksum
};

/// Reads one item. Fails: DcpItemBeyondFile, LimitExceeded, DcpUnknownTransform, Zip* and Pickle*
/// codes, Io.
Result<ItemContent> readItemContent(const ByteSourcePtr& shard, const BytesItem& item,
                                    const CancelToken& cancel);

} // namespace cairn::formats::dcp
