// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/archive/index.h"
#include "core/jobs/pack_archive.h"
#include "core/plan/copy_plan.h"

/// What an archive will say of a checkpoint, before a byte is packed.
namespace cairn {

/// Head and rows of the index, row i for tensor i; no chunks yet. Strings have 0 bytes until they
/// are read. Fails: OutsideFolder, LimitExceeded, and what opening a tensor says (holes).
Result<archive::Index> archiveRows(const Checkpoint& source, const PackOptions& options,
                                   JobContext& context);

/// What an archive will take, by samples of every tensor; small ones whole.
struct PackedSize {
    std::uint64_t elements = 0; ///< bytes that are packed
    std::uint64_t bytes = 0;    ///< about what they take
    std::size_t deltas = 0;     ///< tensors of which only steps are kept
};
Result<PackedSize> packedSize(const Checkpoint& source, const PackOptions& options,
                              const CancelToken& cancel);

/// The job as a plan whose one file has no size yet: what staging and the manifest need of it.
CopyPlan archivePlan(CheckpointPtr source, const PackOptions& options);

} // namespace cairn
