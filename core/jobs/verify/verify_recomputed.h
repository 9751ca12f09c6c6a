// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/context/job_context.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/verify/verify.h"

#include <filesystem>
#include <optional>
#include <span>

namespace cairn {

/// Compares an output with its source by planning the recorded job again: every element is computed
/// from the source as the job's own verification does (expected_elements.h), so that other names,
/// layouts, scales, codes, adapters and averages are compared too; and the small files of a bundle
/// that the job would write. `inputs`: places of what the manifest names beside the source
/// (recorded_inputs.h). Nothing if the manifest does not record what is needed. Fails if the source
/// cannot be read or such an input is not found; what cannot be planned is a mismatch.
Result<std::optional<VerifyResult>> verifyRecomputed(const CheckpointPtr& source,
                                                     const Checkpoint& output,
                                                     const Manifest& manifest, VerifyScope scope,
                                                     std::span<const std::filesystem::path> inputs,
                                                     JobContext& context);

} // namespace cairn
