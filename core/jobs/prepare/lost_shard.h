// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/model/checkpoint.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// The names of the files that the checkpoint's index lists and its folder lacks.
std::vector<std::string> lostFiles(const Checkpoint& checkpoint);

/// Copies a lost file of the checkpoint from somewhere else into its folder, under a hidden name
/// until all of it is there. `found` must have the name of a lost file, or lie beside it in a
/// folder that is given. Adds the copied bytes to `progress`, which may be null. Returns the new
/// path. Fails with InvalidArgument if no lost file has this name, OutputExists, Cancelled and as
/// FileOps; nothing is left behind then. Whether its content fits is for the reader to say.
Result<std::filesystem::path> restoreLostFile(FileOps& ops, const Checkpoint& checkpoint,
                                              const std::filesystem::path& found,
                                              std::atomic<std::uint64_t>* progress,
                                              const CancelToken& cancel);

} // namespace cairn
