// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/compute_backend.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/durability.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/disk_rates.h"
#include "core/jobs/record/job_report.h"
#include "core/plan/copy_plan.h"
#include "core/plan/engine_memory.h"
#include "core/plan/job_part.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

namespace signing {
class ModelSigner;
}

struct EngineOptions {
    std::size_t threads = 0; ///< 0: from the number of processors
    std::size_t chunkBytes = std::size_t{4}
                             << 20U; ///< one worker's buffer; rounded up to 4 KiB, at least 64 KiB
    std::uint64_t runBytes = kEngineRun; ///< smaller for a job in many parts
    bool directIo = true;                ///< O_DIRECT if the file system supports it
    Durability durability = Durability::Synced;
    bool verify = true; ///< re-read and compare before publishing
    bool manifest = true;
    ComputeBackendPtr backend; ///< for casts and the like; null: that of the plan's forecast
    JobPart part;              ///< of a job that is divided among several processes
    std::shared_ptr<const signing::ModelSigner> signer; ///< signs the output last; null: nobody
    bool provenance = false; ///< also write what the output was made from, with digests
    bool bom = false;        ///< also write a bill of materials
};

/// Executes a plan: checks that all data exists, writes temporary files next to the output, makes
/// them durable, re-reads them and compares them with the source, and only then gives them their
/// final names; the manifest comes last. Streaming: memory is O(threads x chunk), independent of
/// the checkpoint. Blocks; owns its workers for the call. Reports through `context`.
/// After a failure or cancellation the output does not exist and no files of this job remain on the
/// disk (a failed removal is logged with the name), except the data of a suspended job, which is
/// kept for the next process with an equal plan. An existing file is never replaced. A killed
/// process leaves its unfinished files; the next one with an equal plan resumes. Of a job in parts,
/// only options.part is executed; it verifies the files that it alone writes (part_share.h), the
/// part that finishes last verifies the rest and publishes, and a part that fails keeps the files
/// of all parts. Fails: JobIsRunning; the plan's own problems; MissingShard, CoverageHole, … from
/// reading; ChangedOnDisk; OutputExists, NoSpace, QuotaExceeded, ReadOnlyFileSystem, WriteFailed,
/// SyncFailed; VerifyMismatch; Cancelled; OutOfMemory.
Result<JobReport> runPlan(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                          const EngineOptions& options = {});

} // namespace cairn
