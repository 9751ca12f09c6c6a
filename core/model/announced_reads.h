// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <span>

namespace cairn {

/// Announces that the elements of these small tensors will be read (core/io/prefetch.h): on another
/// machine each would be a round trip or two. Of a piece that is encoded its first and last bytes
/// are announced, where an archive has its contents. Nothing happens for files of this machine. Any
/// thread; blocks; nothing fails, the reads that follow report why.
void announceReads(const Checkpoint& checkpoint, std::span<const TensorEntry* const> tensors,
                   const CancelToken& cancel);

} // namespace cairn
