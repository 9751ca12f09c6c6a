// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/record/job_report.h"
#include "core/jobs/record/manifest.h"
#include "core/plan/copy_plan.h"

#include <string>

/// Statements about an output for those who audit it. Pure; the same plan gives the same text. No
/// path of the machine occurs in them.
namespace cairn {

/// An in-toto statement with SLSA provenance v1: every file of the output, and the digest of every
/// file that it was made from. REQUIRES: a verified report, and the digests of all source files.
std::string provenanceText(const CopyPlan& plan, const JobReport& report,
                           const SourceDigests& digests);

/// A CycloneDX 1.6 bill of materials: the model with its files, licence and base models.
std::string bomText(const CopyPlan& plan, const JobReport& report);

} // namespace cairn
