// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// One thing that is not as it should be.
struct Mismatch {
    std::string what; ///< "tensor", "file", "shape", "dtype", "missing", "extra"
    std::string name; ///< tensor or file
    std::string message;
};

struct VerifyResult {
    bool verified = false;             ///< everything was compared and nothing differs
    std::vector<std::string> compared; ///< names of tensors, or of files for a manifest
    std::vector<Mismatch> mismatches;  ///< at most kMaxMismatches
    std::uint64_t bytes = 0;           ///< compared
    static constexpr std::size_t kMaxMismatches = 1000;
};

/// Compares every tensor of `output` with the tensor of `source` that it was made from, element
/// bytes by element bytes, whatever their formats and shardings. Names match when equal or when
/// `source`'s is the output's after one container prefix ("model.") that serves for all, or when
/// the manifest beside the output names its source; a dtype that the manifest records, too, is
/// compared with the source's elements cast to it once more. Tensors
/// of `source` that `output` lacks are not mismatches unless `whole`. Files of `output` are dropped
/// from the page cache first, so that the device answers and not the memory that wrote. Fails only
/// for what makes comparing impossible (unreadable source, cancelled); damage in `output` is a
/// mismatch.
Result<VerifyResult> verifyCheckpoints(const Checkpoint& source, const Checkpoint& output,
                                       JobContext& context, bool whole = false);

/// Where a manifest of this output would be: `<file>.cairn.json`, `<folder>/MANIFEST.json`.
std::filesystem::path manifestPath(const std::filesystem::path& output, bool folder);

/// Compares an output with a manifest that was written for it: every file's size and SHA-256.
/// Fails: JsonSyntax and JsonWrongType when it is not one.
Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           const std::filesystem::path& manifest,
                                           JobContext& context);

/// The same with the manifest in its place.
/// Fails: NotFound when there is no manifest, JsonSyntax and JsonWrongType when it is not one.
Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           JobContext& context);

} // namespace cairn
