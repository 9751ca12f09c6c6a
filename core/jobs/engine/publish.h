// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/record/job_report.h"
#include "core/plan/copy_plan.h"

namespace cairn {

/// Fails with OutputExists if a manifest or signature of a single file would replace an existing
/// one; that of a folder is inside it.
Result<void> checkNoManifest(const CopyPlan& plan, const EngineOptions& options = {});

/// The end of a job: writes what `options` request about the output (provenance, bill of materials,
/// manifest, signature, in this order), stops if requested, and gives the output its names. Fails
/// with the errors of Staging, digestSources(), signOutput() and JobContext::proceed().
Result<void> publishWithManifest(Staging& staging, const CopyPlan& plan, JobReport& report,
                                 JobContext& context, const EngineOptions& options);

} // namespace cairn
