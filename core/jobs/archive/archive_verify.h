// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/engine.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// SHA-256 in hexadecimal digits.
struct ArchiveHashes {
    std::string file;
    std::vector<std::string> tensors; ///< of the source's elements, in its order
};

/// Opens the written archive with its reader, after its pages were dropped from memory, and
/// compares it with the source: rows, elements, plain values. Fails: VerifyMismatch, the errors of
/// reading the source, Cancelled.
Result<ArchiveHashes> verifyArchive(const Checkpoint& source, const std::filesystem::path& staged,
                                    JobContext& context, std::size_t threads);

} // namespace cairn
