// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/disk_rates.h"
#include "core/jobs/engine.h"
#include "core/jobs/job_context.h"
#include "core/model/checkpoint.h"

#include <filesystem>

namespace cairn {

struct PackOptions {
    std::filesystem::path output;
    int level = 1; ///< 1: entropy coder; 2 … 19: zstd's level, slower and rarely smaller
    /// Not null: tensors that it has with the same name, dtype and shape are packed as what
    /// differs, where samples tell that it takes less space. It must lie beside or below the
    /// output's folder, and stay there.
    CheckpointPtr earlier;
};

/// What packing would make, as a plan to be shown: packArchive() does it, not runPlan(). The
/// output's bytes are an estimate from samples of every tensor. Reads those; writes nothing.
/// Fails: InvalidArgument, OutsideFolder, Cancelled, and what opening and reading a tensor say.
Result<CopyPlan> planPack(const CheckpointPtr& source, const PackOptions& wanted,
                          const CancelToken& cancel = {}, const DiskRates& rates = DiskRates());

/// Packs a whole checkpoint, whatever its format, into one archive (codec/archive/README.md): every
/// tensor, name, alias and plain value. Sizes show only while it is written, so it is no CopyPlan:
/// a file that grows, written by several threads in the order of the tensors. Then as any output:
/// made durable, read back from the device by the format's own reader and compared with the source
/// element by element, given its name without replacing anything, the manifest last. Memory is
/// O(threads x 16 MiB). Blocks; owns its workers for the call. A killed one leaves a temporary
/// file, which the next one of the same name begins anew.
/// Fails: InvalidArgument, OutsideFolder (earlier lies above the output), and what runPlan says.
Result<JobReport> packArchive(const CheckpointPtr& source, const PackOptions& wanted,
                              FileOps& fileOps, JobContext& context,
                              const EngineOptions& options = {});

} // namespace cairn
