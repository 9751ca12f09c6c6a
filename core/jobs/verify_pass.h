// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/cast.h"
#include "core/io/hash.h"
#include "core/jobs/engine.h"
#include "core/jobs/job_context.h"
#include "core/jobs/write_pass.h"

#include <filesystem>
#include <span>
#include <vector>

namespace cairn {

/// The second look at an output before it gets its name.

/// SHA-256 of an output's files, and per file of its tensor segments.
struct OutputHashes {
    std::vector<Sha256Digest> files;
    std::vector<std::vector<Sha256Digest>> tensors;
    CastTally cast;                ///< what became of the elements that were cast
    std::uint64_t provenBytes = 0; ///< that FIEMAP proves to be the source's own blocks
};

/// What the format's own reader makes of the files: every tensor of the plan must be there with its
/// dtype and shape, and its elements must be at exactly the bytes that the plan gave it; there
/// must be no others. `path` is the staged file or folder. Formats without a reader pass. Fails:
/// VerifyMismatch, and the errors of opening.
Result<void> verifyStructure(const CopyPlan& plan, const std::filesystem::path& path,
                             JobContext& context);

/// Re-reads every byte of the staged files from the device and compares it with the plan's literals
/// and with the source, read again; but for blocks that are proved to be the source's own. Gives
/// the SHA-256 of what was read back. Fails: VerifyMismatch with the file and offset.
Result<OutputHashes> verifyBytes(const CopyPlan& plan, std::span<const FileParts> parts,
                                 const Checksums& checksums, const std::filesystem::path& path,
                                 JobContext& context, const EngineOptions& options);

} // namespace cairn
