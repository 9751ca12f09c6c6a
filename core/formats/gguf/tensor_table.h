// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/gguf/header.h"
#include "core/model/checkpoint.h"

namespace cairn::formats::gguf {

/// Tensors of one file, ready for CheckpointData; one bad tensor hides no other.
struct TensorTable {
    std::vector<TensorEntry> tensors;
    std::vector<Notice> notices;
    bool damaged = false; ///< some tensor cannot be read as it should
};

/// Reads the tensor infos from where readHeader() left the cursor, and finds where the data is.
/// `file` goes into the pieces. Fails with Truncated, LimitExceeded, GgufBadTensor (the infos
/// themselves cannot be distinguished any more), Cancelled.
Result<TensorTable> readTensorTable(HeaderCursor& cursor, const Header& header, FileIndex file,
                                    const CancelToken& cancel);

} // namespace cairn::formats::gguf
