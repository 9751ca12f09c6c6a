// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/retention/retention.h"

namespace cairn {

/// Fills in what each removal frees and loses, in the order of the plan. Pure.
void addCosts(RetentionPlan& plan, const ScannedRun& run, const RetentionEvidence& evidence);

} // namespace cairn
