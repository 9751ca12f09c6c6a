// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/runs/retention/wastebasket.h"

#include <filesystem>
#include <string>
#include <vector>

/// Undoing a job: its output goes to the wastebasket, but only as the job left it.
namespace cairn {

/// Identifies the state of an output and its manifest: a digest of the name, kind, inode, size and
/// modification time of every file and folder. Reads no file. Empty: the output does not exist or
/// could not be listed. Any thread.
std::string outputStamp(const std::filesystem::path& output);

/// Moves the output, and the manifest beside it, to the wastebasket of their mount, each as one
/// entry; returns the new location of the output. Fails without changes: NotFound; ChangedOnDisk if
/// its stamp differs from `stamp`, or `stamp` is empty; the errors of moveToWastebasket().
Result<std::filesystem::path> undoOutput(FileOps& fileOps, const std::filesystem::path& output,
                                         const std::string& stamp, const WastebasketPlaces& places);

} // namespace cairn
