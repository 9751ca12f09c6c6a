// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/job_context.h"
#include "core/jobs/manifest.h"
#include "core/jobs/verify.h"

#include <optional>

namespace cairn {

/// Compares an output with its source by planning the recorded job again: every element is computed
/// from the source as the job's own verification does (expected_elements.h), so that other names,
/// layouts, scales and codes are compared too. Nothing if the manifest does not record what is
/// needed: adapters, averages and folders named by --like are recorded without their place. Fails
/// if the source cannot be read; what cannot be planned for it is a mismatch.
Result<std::optional<VerifyResult>> verifyRecomputed(const CheckpointPtr& source,
                                                     const Checkpoint& output,
                                                     const Manifest& manifest, VerifyScope scope,
                                                     JobContext& context);

} // namespace cairn
