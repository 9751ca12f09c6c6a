// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <span>
#include <vector>

namespace cairn {

/// Looks each file up again in which pieces of the tensors are located. Fails with ChangedOnDisk
/// when it is gone, was replaced, or is not as it was when the checkpoint was opened. For the end
/// of work that read several files, or a file several times.
Result<void> checkFilesUnchanged(const Checkpoint& checkpoint,
                                 std::span<const TensorIndex> tensors);

/// Those of the tensors whose files may be changing without a new time stamp: a program that writes
/// through mapped memory sets one when a page becomes dirty, and again only after the system has
/// written the page to the disk (within 35 s by Linux' defaults; never in tmpfs). True of files
/// modified within the last two minutes and of all files in tmpfs.
std::vector<TensorIndex> tensorsBeingWritten(const Checkpoint& checkpoint,
                                             std::span<const TensorIndex> tensors);

} // namespace cairn
