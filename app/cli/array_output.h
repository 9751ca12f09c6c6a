// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "core/base/result.h"
#include "core/jobs/cluster/submit.h"

#include <string>

/// Arrays on a cluster, as text and as documents.
namespace cairn::cli {

/// What was submitted, or, after a dry run, what would be.
void printSubmitted(const Submitted& submitted, const ArrayPlan& plan, bool dryRun,
                    Session& session);

/// `job status` and `job cancel`; `id`: as in SubmissionRegistry::find(). The state is an exit
/// code: 1 if something failed and the outputs are not complete. Fail as arrayStatus(),
/// cancelArray().
Result<int> statusOfArray(const std::string& id, Session& session);
Result<int> cancelOfArray(const std::string& id, Session& session);

} // namespace cairn::cli
