// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/jobs/engine/engine.h"
#include "core/model/checkpoint.h"

#include <filesystem>

namespace cairn {

struct PackOptions {
    std::filesystem::path output;
    int level = 1; ///< 1: entropy coder; 2 … 19: zstd level, slower and rarely smaller
    /// Not null: tensors that also exist there with the same name, dtype and shape are packed as
    /// deltas, if samples show that this takes less space. It must be beside or below the output's
    /// folder, and remain there.
    CheckpointPtr earlier;
    bool force = false; ///< leave out values that are damaged or cannot be read
};

/// A plan of the archive, for display: executed by packArchive(), not by runPlan(). The output's
/// size is an estimate from samples of every tensor. Reads those; writes nothing. Fails:
/// InvalidArgument, OutsideFolder, Cancelled, and the errors of opening and reading a tensor.
Result<CopyPlan> planPack(const CheckpointPtr& source, const PackOptions& wanted,
                          const CancelToken& cancel = {}, const DiskRates& rates = DiskRates());

/// Packs a complete checkpoint of any format into one archive (codec/archive/README.md): every
/// tensor, name, alias and plain value. Sizes are only known while it is written, so it is not a
/// CopyPlan: the file grows, written by several threads in the order of the tensors. Then, like any
/// output, it is made durable, read back from the device by the format's own reader and compared
/// with the source element by element, and renamed without replacing anything, the manifest last.
/// Memory is O(threads x 16 MiB). Blocks; joins its workers before it returns. A killed job leaves
/// a temporary file, which the next job with the same output replaces. Fails: InvalidArgument,
/// OutsideFolder (earlier is above the output), and the errors of runPlan().
Result<JobReport> packArchive(const CheckpointPtr& source, const PackOptions& wanted,
                              FileOps& fileOps, JobContext& context,
                              const EngineOptions& options = {});

} // namespace cairn
