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

/// The job as a plan whose one file has no size yet: what staging and the manifest need of it.
CopyPlan archivePlan(CheckpointPtr source, const PackOptions& options);

} // namespace cairn
