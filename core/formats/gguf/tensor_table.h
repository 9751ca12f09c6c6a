// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/gguf/header.h"
#include "core/model/checkpoint.h"

namespace cairn::formats::gguf {

/// Tensors of one file for CheckpointData; an invalid tensor does not hide the others.
struct TensorTable {
    std::vector<TensorEntry> tensors;
    std::vector<Notice> notices;
    bool damaged = false; ///< a tensor cannot be read correctly
};

/// Reads the tensor infos from the position at which readHeader() left the cursor, and finds the
/// start of the data. `file` is used for the pieces. Fails with Truncated, LimitExceeded,
/// GgufBadTensor (the infos can no longer be separated), Cancelled.
Result<TensorTable> readTensorTable(HeaderCursor& cursor, const Header& header, FileIndex file,
                                    const CancelToken& cancel);

} // namespace cairn::formats::gguf
