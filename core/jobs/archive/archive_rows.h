// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/archive/index.h"
#include "core/jobs/archive/pack_archive.h"
#include "core/plan/copy_plan.h"

/// The index of an archive, before any data is packed.
namespace cairn {

/// Header and rows of the index, row i for tensor i, without chunks. Strings have size 0 until they
/// are read. Fails: OutsideFolder, LimitExceeded, and the errors of opening a tensor (holes).
Result<archive::Index> archiveRows(const Checkpoint& source, const PackOptions& options,
                                   JobContext& context);

/// The estimated size of an archive, from samples of every tensor; small tensors are packed
/// completely.
struct PackedSize {
    std::uint64_t elements = 0; ///< bytes to be packed
    std::uint64_t bytes = 0;    ///< estimated size in the archive
    std::size_t deltas = 0;     ///< number of tensors stored as deltas
};
Result<PackedSize> packedSize(const Checkpoint& source, const PackOptions& options,
                              const CancelToken& cancel);

/// The job as a plan with one file of unknown size, as needed for staging and the manifest.
CopyPlan archivePlan(CheckpointPtr source, const PackOptions& options);

} // namespace cairn
