// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <span>
#include <vector>

namespace cairn {

/// Checks each file with pieces of the tensors again. Fails with ChangedOnDisk if it was removed,
/// replaced, or modified since the checkpoint was opened. For the end of work that read several
/// files, or a file several times.
Result<void> checkFilesUnchanged(const Checkpoint& checkpoint,
                                 std::span<const TensorIndex> tensors);

/// Those of the tensors whose files may change without a new time stamp: a program that writes
/// through mapped memory sets the time stamp when a page becomes dirty, and again only after the
/// system has written the page to the disk (within 35 s with Linux's defaults; never in tmpfs).
/// True for files modified within the last two minutes and for all files in tmpfs.
std::vector<TensorIndex> tensorsBeingWritten(const Checkpoint& checkpoint,
                                             std::span<const TensorIndex> tensors);

} // namespace cairn
