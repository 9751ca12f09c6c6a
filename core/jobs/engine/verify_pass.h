// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/cast.h"
#include "core/io/content_digest.h"
#include "core/jobs/engine/engine_job.h"
#include "core/jobs/engine/write_pass.h"

#include <filesystem>
#include <span>
#include <vector>

namespace cairn {

/// Verification of an output before it gets its name.

/// SHA-256 of an output's files, and per file digests of its tensor segments: SHA-256 if the output
/// is signed, else XXH3, because the comparison is the proof.
struct OutputHashes {
    std::vector<Sha256Digest> files;
    std::vector<std::vector<ContentDigest>> tensors;
    /// CRC-32C of the segments as they were read back, of files whose checksums an index has.
    Checksums sums;
    CastTally cast;                ///< changes by casts
    std::uint64_t provenBytes = 0; ///< bytes that FIEMAP proves to be shared with the source
};

/// Opens the files with the format's reader: every tensor of the plan must exist with its dtype and
/// shape, and its elements must be at exactly the bytes that the plan assigned; there must be no
/// other tensors. `path` is the staged file or folder. Formats without a reader pass. Fails:
/// VerifyMismatch, and the errors of opening.
Result<void> verifyStructure(const CopyPlan& plan, const std::filesystem::path& path,
                             JobContext& context);

/// Reads every byte of the selected staged files from the device and compares it with the plan's
/// literals and the source, except blocks that are proved to be shared with the source. Returns the
/// SHA-256 of the read data; the others are not read. Fails: VerifyMismatch with the file and
/// offset, or if all weights are zero and the plan refuses that; NonFinite likewise.
Result<OutputHashes> verifyBytes(const EngineJob& job, std::span<const FileParts> parts,
                                 const Checksums& checksums, const std::filesystem::path& path,
                                 const std::vector<bool>& selected);

} // namespace cairn
